//! `<compiler>` and `<option>`: how numbers are meant, and the surroundings.

use super::class_table::MAIN;
use super::settings::Options;
use super::value::Range;
use super::{At, Reader};
use crate::diagnostic::Code;
use crate::document::Element;
use bridgehead_pose::DVec3;

impl<'d> Reader<'d> {
    pub(super) fn read_compiler(&mut self, section: Element<'d>) {
        self.check_known(section);
        let at = At { element: section, class: MAIN };
        match self.word(at, "angle") {
            Some("radian") => self.compiler.is_in_radians = true,
            Some("degree") => self.compiler.is_in_radians = false,
            Some(other) => self.bad_attribute(section, "angle", other, "degree or radian"),
            None => {}
        }
        if let Some(sequence) = self.word(at, "eulerseq") {
            let is_axis = |letter: char| matches!(letter.to_ascii_lowercase(), 'x' | 'y' | 'z');
            if sequence.chars().count() == 3 && sequence.chars().all(is_axis) {
                self.compiler.euler_sequence = sequence;
            } else {
                self.bad_attribute(section, "eulerseq", sequence, "three of x, y, z, X, Y and Z");
            }
        }
        if self.word(at, "coordinate") == Some("global") {
            let expected = "coordinate=\"local\"; saving the model with MuJoCo 2.1 converts it";
            self.warning(Code::ValueInvalid, section, "coordinate=\"global\"", expected);
        }
        self.read_compiler_of_masses(at);
        let compiler = &mut self.compiler;
        let folder = section.attribute("meshdir").or_else(|| section.attribute("assetdir")).map(str::trim);
        compiler.mesh_folder = folder.unwrap_or(compiler.mesh_folder);
        let auto = self.flag(at, "autolimits");
        let strips = self.flag(at, "strippath");
        self.compiler.has_auto_limits = auto.unwrap_or(self.compiler.has_auto_limits);
        self.compiler.strips_paths = strips.unwrap_or(self.compiler.strips_paths);
    }

    fn read_compiler_of_masses(&mut self, at: At<'d>) {
        if self.text(at, "inertiafromgeom").is_some() {
            self.compiler.inertia_from_geoms = self.flag(at, "inertiafromgeom");
        }
        let groups = self.numbers(at, "inertiagrouprange");
        let mass = self.number(at, "boundmass", Range::NotNegative);
        let inertia = self.number(at, "boundinertia", Range::NotNegative);
        let balance = self.flag(at, "balanceinertia");
        let total = self.number(at, "settotalmass", Range::Finite);
        let compiler = &mut self.compiler;
        compiler.groups_with_mass = groups.unwrap_or(compiler.groups_with_mass);
        compiler.bounds.mass = mass.unwrap_or(compiler.bounds.mass);
        compiler.bounds.inertia = inertia.unwrap_or(compiler.bounds.inertia);
        compiler.bounds.balance = balance.unwrap_or(compiler.bounds.balance);
        // Negative numbers stand for none.
        compiler.total_mass = total.filter(|mass| *mass > 0.0).or(compiler.total_mass);
    }

    pub(super) fn read_options(&mut self, section: Element<'d>, options: &mut Options) {
        self.check_known(section);
        let at = At { element: section, class: MAIN };
        options.gravity = self.vector(at, "gravity").unwrap_or(options.gravity);
        options.timestep = self.number(at, "timestep", Range::Positive).unwrap_or(options.timestep);
        for flag in self.children(section).into_iter().filter(|child| child.name() == "flag") {
            self.check_known(flag);
            if self.flag(At { element: flag, class: MAIN }, "gravity") == Some(false) {
                options.gravity = DVec3::ZERO;
            }
        }
    }
}
