//! Actors and their scripts.

use super::children::{check_children, report_attribute, single};
use super::label::label;
use super::link::link;
use super::lookup::Lookup;
use super::names::{Names, name};
use super::plugin::plugins;
use super::report::Report;
use super::value::{flag, not_negative, pose};
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Actor, Link, Trajectory, Waypoint};
use bridgehead_params::whole_number;

/// An `<actor>`.
pub(super) fn actor(element: Element<'_>, lookup: Lookup<'_>, report: &mut Report) -> Actor {
    check_children(element, report);
    let script = single(element, "script", report);
    if let Some(script) = script {
        check_children(script, report);
    }
    let mut flag = |name| script.and_then(|script| flag(script, name, report));
    let is_looped = flag("loop").unwrap_or(true);
    let auto_start = flag("auto_start").unwrap_or(true);
    let delay_start = script.and_then(|script| not_negative(script, "delay_start", report)).unwrap_or(0.0);
    let trajectories = script.map(|script| trajectories(script, report)).unwrap_or_default();
    let animations = element.children_named("animation");
    Actor {
        name: name(element, report),
        pose: pose(element, report),
        animations: animations
            .filter_map(|animation| animation.attribute("name"))
            .map(str::to_owned)
            .collect(),
        is_looped,
        delay_start,
        auto_start,
        trajectories,
        links: actor_links(element, lookup, report),
        label: label(element, report),
        plugins: plugins(element, report),
        origin: element.origin(),
    }
}

fn actor_links(actor: Element<'_>, lookup: Lookup<'_>, report: &mut Report) -> Vec<Link> {
    let mut names = Names::default();
    let mut links = Vec::new();
    for child in actor.children_named("link") {
        let link = link(child, lookup, report);
        names.keep(&mut links, link, child, report);
    }
    links
}

/// In the order of their numbers; those that share one stay in the order of the file.
fn trajectories(script: Element<'_>, report: &mut Report) -> Vec<Trajectory> {
    let mut trajectories = Vec::new();
    for element in script.children_named("trajectory") {
        check_children(element, report);
        report_attribute(element, "tension", "actors walk straight from waypoint to waypoint", report);
        let id = element.attribute("id").and_then(whole_number);
        if id.is_none() {
            let found = format!("`{}` for `id`", element.attribute("id").unwrap_or_default());
            report.error(Code::ValueInvalid, element, found, "a whole number; 0 is used");
        }
        trajectories.push(Trajectory {
            id: id.unwrap_or_default(),
            animation: element.attribute("type").unwrap_or_default().to_owned(),
            waypoints: waypoints(element, report),
        });
    }
    trajectories.sort_by_key(|trajectory| trajectory.id);
    trajectories
}

/// By time; of several with one time the last one counts, as in Gazebo.
fn waypoints(trajectory: Element<'_>, report: &mut Report) -> Vec<Waypoint> {
    let mut waypoints: Vec<Waypoint> = Vec::new();
    let mut repeated = None;
    for element in trajectory.children_named("waypoint") {
        let Some(waypoint) = waypoint(element, report) else { continue };
        let place = waypoints.partition_point(|other| other.time < waypoint.time);
        match waypoints.get_mut(place).filter(|other| other.time == waypoint.time) {
            Some(same) => {
                *same = waypoint;
                repeated = repeated.or(Some(element));
            }
            None => waypoints.insert(place, waypoint),
        }
    }
    if let Some(element) = repeated {
        let found = "a second `<waypoint>` with the same time";
        report.warning(Code::WaypointRepeated, element, found, "each time once; the last one counts");
    }
    waypoints
}

fn waypoint(element: Element<'_>, report: &mut Report) -> Option<Waypoint> {
    check_children(element, report);
    if element.child("time").is_none() {
        report.error(
            Code::ElementMissing,
            element,
            "`<waypoint>` without `<time>`",
            "`<time>`; it is left out",
        );
    }
    Some(Waypoint { time: not_negative(element, "time", report)?, pose: pose(element, report).pose })
}
