//! Actors and their scripts.

use super::Reader;
use crate::sdf::Element;
use crate::sdf::diagnostic::Code;
use crate::sdf::element::{Actor, Trajectory, Waypoint};

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
            plugins: self.plugins(element),
            origin: element.origin(),
        }
    }

    fn trajectories(&mut self, script: Element<'_>) -> Vec<Trajectory> {
        let mut trajectories = Vec::new();
        for element in script.children_named("trajectory") {
            self.check_children(element);
            let id = element.attribute("id").and_then(|id| id.trim().parse().ok());
            if id.is_none() {
                let found = format!("`{}` for `id`", element.attribute("id").unwrap_or_default());
                self.error(Code::ValueInvalid, element, found, "a whole number; 0 is used");
            }
            let mut waypoints: Vec<Waypoint> =
                element.children_named("waypoint").filter_map(|waypoint| self.waypoint(waypoint)).collect();
            waypoints.sort_by(|one, other| one.time.total_cmp(&other.time));
            trajectories.push(Trajectory {
                id: id.unwrap_or_default(),
                animation: element.attribute("type").unwrap_or_default().to_owned(),
                waypoints,
            });
        }
        trajectories
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
