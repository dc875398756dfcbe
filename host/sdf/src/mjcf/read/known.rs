//! The elements and attributes of MJCF that are read; all others are reported once for each kind.

mod table;

use super::Reader;
use super::left_out::LeftOut;
use crate::document::Element;
use std::collections::BTreeMap;
use table::{GAINS, KNOWN, SOLVER, WITHOUT_COUNTERPART};

impl<'d> Reader<'d> {
    /// Reports children and attributes that are not read.
    pub(super) fn check_known(&mut self, element: Element<'d>) {
        self.check_known_as(element, element.name());
    }

    /// Reports attributes of an element of `<default>` that are not read.
    pub(super) fn check_attributes(&mut self, element: Element<'d>) {
        let row = match element.name() {
            "motor" | "position" | "velocity" | "general" => "actuator",
            name => name,
        };
        self.check_against(element, row, false);
    }

    /// Like [`Reader::check_known`], by the row of another name.
    pub(super) fn check_known_as(&mut self, element: Element<'d>, row: &str) {
        self.check_against(element, row, true);
    }

    fn check_against(&mut self, element: Element<'d>, row: &str, with_children: bool) {
        let Some(known) = KNOWN.iter().find(|known| known.element == row) else { return };
        for (name, value) in element.attributes() {
            // A 0 is what an absent attribute means, for those that have no counterpart.
            let is_read = known.attributes.contains(&name) || matches!(name, "name" | "class");
            if !is_read && !is_zero(value) && !GAINS.contains(&name) {
                match row {
                    // Its attributes have the names of parts of MuJoCo.
                    "flag" => self.leave_out_as(element, SOLVER, true, name),
                    _ => self.leave_out(element, name),
                }
            }
        }
        if with_children {
            for child in self.children(element) {
                if !known.children.contains(&child.name()) {
                    self.leave_out(child, child.name());
                }
            }
        }
    }

    fn leave_out(&mut self, at: Element<'d>, name: &str) {
        let group = WITHOUT_COUNTERPART.iter().find(|(_, names)| names.contains(&name));
        self.leave_out_as(at, group.map_or("", |(what, _)| what), group.is_some(), name);
    }

    /// Reports something that is left out, under the name of the element.
    pub(super) fn leave_out_thing(&mut self, at: Element<'d>, what: &str) {
        self.leave_out_as(at, what, true, at.name());
    }

    fn leave_out_as(&mut self, at: Element<'d>, what: &str, is_known: bool, name: &str) {
        let known = self.left_out.iter_mut().find(|known| known.is_known == is_known && known.what == what);
        if let Some(known) = known {
            return known.add(name);
        }
        let mut kind = LeftOut {
            what: what.to_owned(),
            is_known,
            names: BTreeMap::new(),
            others: 0,
            first: at.location(),
        };
        kind.add(name);
        self.left_out.push(kind);
    }
}

fn is_zero(text: &str) -> bool {
    text.split_whitespace().all(|part| part.parse() == Ok(0.0))
}
