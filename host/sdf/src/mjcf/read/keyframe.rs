//! `<keyframe>`: the one named `home`; and what sections behind the bodies refer to.

use super::class_table::MAIN;
use super::index::Index;
use super::{At, Reader};
use crate::diagnostic::{Code, excerpt};
use crate::document::Element;
use crate::mjcf::robot::{Home, JointRef, Robot};

impl<'d> Reader<'d> {
    /// The body that an attribute names; `None` if there is none, which is reported.
    pub(super) fn body_named(&mut self, at: Element<'d>, name: &str, index: &Index<'d>) -> Option<usize> {
        let text = at.attribute(name).map(str::trim).unwrap_or_default();
        let found = index.bodies.get(text).copied().filter(|_| !text.is_empty());
        if found.is_none() {
            self.unknown(at, name, text, "the name of a body");
        }
        found
    }

    /// The joint that an attribute names; `None` if there is none, which is reported.
    pub(super) fn joint_named(&mut self, at: Element<'d>, name: &str, index: &Index<'d>) -> Option<JointRef> {
        let text = at.attribute(name).map(str::trim).unwrap_or_default();
        let found = index.joints.get(text).copied().filter(|_| !text.is_empty());
        if found.is_none() {
            self.unknown(at, name, text, "the name of a hinge or slide");
        }
        found
    }

    fn unknown(&mut self, at: Element<'d>, name: &str, text: &str, expected: &str) {
        let found = format!("{name}=\"{}\"", excerpt(text));
        self.warning(Code::MjcfReferenceUnknown, at, found, &format!("{expected}; left out"));
    }

    pub(super) fn read_keyframes(&mut self, section: Element<'d>, robot: &mut Robot<'d>) {
        let keys = self.children(section);
        let home = keys.iter().copied().find(|key| key.attribute("name").map(str::trim) == Some("home"));
        for key in keys {
            match key.attribute("qpos") {
                Some(_) if home.is_some_and(|home| home.id() == key.id()) => {}
                _ => self.leave_out_thing(key, "keyframes other than `home`"),
            }
        }
        let Some(home) = home else { return };
        if let Some(qpos) = self.list(At { element: home, class: MAIN }, "qpos", 0) {
            robot.home = Some(Home { at: home, qpos });
        }
    }
}
