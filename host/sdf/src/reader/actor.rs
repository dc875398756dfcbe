//! Actors and their scripts.

use super::Reader;
use super::names::Names;
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Actor, Link, Trajectory, Waypoint};
use bridgehead_params::whole_number;

impl Reader<'_> {
    /// An `<actor>`.
    pub(super) fn actor(&mut self, element: Element<'_>) -> Actor {
        self.check_children(element);
        let script = self.single(element, "script");
        if let Some(script) = script {
            self.check_children(script);
        }
        let flag = |reader: &mut Self, name: &str| script.and_then(|script| reader.flag(script, name));
        let is_looped = flag(self, "loop").unwrap_or(true);
        let auto_start = flag(self, "auto_start").unwrap_or(true);
        let delay_start = script.and_then(|script| self.not_negative(script, "delay_start")).unwrap_or(0.0);
        let trajectories = script.map(|script| self.trajectories(script)).unwrap_or_default();
        let animations = element.children_named("animation");
        Actor {
            name: self.name(element),
            pose: self.pose(element),
            animations: animations
                .filter_map(|animation| animation.attribute("name"))
                .map(str::to_owned)
                .collect(),
            is_looped,
            delay_start,
            auto_start,
            trajectories,
            links: self.actor_links(element),
            label: self.label(element),
            plugins: self.plugins(element),
            origin: element.origin(),
        }
    }

    fn actor_links(&mut self, actor: Element<'_>) -> Vec<Link> {
        let mut names = Names::default();
        let mut links = Vec::new();
        for child in actor.children_named("link") {
            let link = self.link(child);
            self.keep(&mut names, &mut links, link, |link| &mut link.name, "link", child);
        }
        links
    }

    /// In the order of their numbers; those that share one stay in the order of the file.
    fn trajectories(&mut self, script: Element<'_>) -> Vec<Trajectory> {
        let mut trajectories = Vec::new();
        for element in script.children_named("trajectory") {
            self.check_children(element);
            self.report_attribute(element, "tension", "actors walk straight from waypoint to waypoint");
            let id = element.attribute("id").and_then(whole_number);
            if id.is_none() {
                let found = format!("`{}` for `id`", element.attribute("id").unwrap_or_default());
                self.error(Code::ValueInvalid, element, found, "a whole number; 0 is used");
            }
            trajectories.push(Trajectory {
                id: id.unwrap_or_default(),
                animation: element.attribute("type").unwrap_or_default().to_owned(),
                waypoints: self.waypoints(element),
            });
        }
        trajectories.sort_by_key(|trajectory| trajectory.id);
        trajectories
    }

    /// By time; of several with one time the last one counts, as in Gazebo.
    fn waypoints(&mut self, trajectory: Element<'_>) -> Vec<Waypoint> {
        let mut waypoints: Vec<Waypoint> = Vec::new();
        let mut repeated = None;
        for element in trajectory.children_named("waypoint") {
            let Some(waypoint) = self.waypoint(element) else { continue };
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
            self.warning(Code::WaypointRepeated, element, found, "each time once; the last one counts");
        }
        waypoints
    }

    fn waypoint(&mut self, element: Element<'_>) -> Option<Waypoint> {
        self.check_children(element);
        if element.child("time").is_none() {
            self.error(
                Code::ElementMissing,
                element,
                "`<waypoint>` without `<time>`",
                "`<time>`; it is left out",
            );
        }
        Some(Waypoint { time: self.not_negative(element, "time")?, pose: self.pose(element).pose })
    }
}
