//! The table of elements: those that are read, and those that are kept in the file without effect. Findings
//! and the page of supported elements are generated from it, so that nothing is ignored silently.

use super::Reader;
use crate::Element;
use crate::diagnostic::{Code, Diagnostic, Severity};

/// The children of one element.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Name of the parent.
    pub parent: &'static str,
    /// Children that are read.
    pub read: &'static [&'static str],
    /// Children of SDF that are kept without effect.
    pub kept: &'static [&'static str],
}

/// Every element whose children are looked at; sensors and plugins keep theirs whole, for their plugins.
pub const KNOWN: &[Known] = &[
    Known { parent: "sdf", read: &["world", "model", "light", "actor"], kept: &[] },
    Known {
        parent: "world",
        read: &[
            "gravity",
            "magnetic_field",
            "physics",
            "model",
            "include",
            "joint",
            "frame",
            "light",
            "plugin",
            "spherical_coordinates",
            "atmosphere",
            "wind",
            "actor",
            "bridgehead:world",
            "bridgehead:pose",
        ],
        kept: &["audio", "gui", "population", "road", "scene", "state"],
    },
    Known {
        parent: "spherical_coordinates",
        read: &[
            "surface_model",
            "world_frame_orientation",
            "latitude_deg",
            "longitude_deg",
            "elevation",
            "heading_deg",
        ],
        kept: &["surface_axis_equatorial", "surface_axis_polar"],
    },
    Known { parent: "atmosphere", read: &["temperature", "temperature_gradient", "pressure"], kept: &[] },
    Known {
        parent: "actor",
        read: &["pose", "script", "link", "plugin"],
        kept: &["skin", "animation", "joint"],
    },
    Known { parent: "script", read: &["loop", "delay_start", "auto_start", "trajectory"], kept: &[] },
    Known { parent: "trajectory", read: &["waypoint"], kept: &[] },
    Known { parent: "waypoint", read: &["time", "pose"], kept: &[] },
    Known { parent: "wind", read: &["linear_velocity"], kept: &[] },
    Known {
        parent: "model",
        read: &[
            "static",
            "self_collide",
            "allow_auto_disable",
            "pose",
            "link",
            "joint",
            "frame",
            "model",
            "include",
            "plugin",
            "bridgehead:joints",
            "bridgehead:entity",
        ],
        kept: &["enable_wind", "gripper", "model_state", "link_state", "joint_state"],
    },
    Known {
        parent: "include",
        read: &[
            "uri",
            "name",
            "pose",
            "static",
            "placement_frame",
            "plugin",
            "bridgehead:joints",
            "bridgehead:entity",
        ],
        kept: &["model_state", "link_state", "joint_state"],
    },
    Known {
        parent: "link",
        read: &[
            "pose",
            "inertial",
            "gravity",
            "kinematic",
            "self_collide",
            "enable_wind",
            "velocity_decay",
            "collision",
            "visual",
            "sensor",
            "light",
            "battery",
        ],
        kept: &["audio_sink", "audio_source", "particle_emitter", "projector", "must_be_base_link"],
    },
    Known { parent: "battery", read: &["voltage"], kept: &[] },
    Known {
        parent: "inertial",
        read: &["mass", "pose", "inertia", "density"],
        kept: &["fluid_added_mass", "auto_inertia_params"],
    },
    Known {
        parent: "collision",
        read: &["pose", "geometry", "surface", "density"],
        kept: &["laser_retro", "max_contacts", "auto_inertia_params"],
    },
    Known {
        parent: "visual",
        read: &["pose", "geometry", "material", "transparency", "cast_shadows", "visibility_flags"],
        kept: &["laser_retro", "meta", "plugin"],
    },
    Known {
        parent: "geometry",
        read: &[
            "empty",
            "box",
            "sphere",
            "cylinder",
            "capsule",
            "ellipsoid",
            "cone",
            "plane",
            "mesh",
            "heightmap",
            "polyline",
        ],
        kept: &["image"],
    },
    Known {
        parent: "heightmap",
        read: &["uri", "size", "pos", "sampling"],
        kept: &["texture", "blend", "use_terrain_paging"],
    },
    Known { parent: "surface", read: &["friction", "bounce", "contact"], kept: &["soft_contact"] },
    Known { parent: "friction", read: &["ode", "bullet", "torsional"], kept: &[] },
    Known {
        parent: "torsional",
        read: &["coefficient", "use_patch_radius", "patch_radius", "surface_radius"],
        kept: &["ode"],
    },
    Known {
        parent: "contact",
        read: &["collide_bitmask", "category_bitmask", "collide_without_contact", "ode"],
        kept: &["bullet", "collide_without_contact_bitmask", "elastic_modulus", "poissons_ratio"],
    },
    Known {
        parent: "material",
        read: &["ambient", "diffuse", "specular", "emissive"],
        kept: &["double_sided", "lighting", "pbr", "render_order", "script", "shader", "shininess"],
    },
    Known {
        parent: "joint",
        read: &[
            "parent",
            "child",
            "pose",
            "axis",
            "axis2",
            "sensor",
            "thread_pitch",
            "screw_thread_pitch",
            "gearbox_ratio",
            "gearbox_reference_body",
        ],
        kept: &["physics"],
    },
    Known {
        parent: "axis",
        read: &["xyz", "limit", "dynamics", "mimic", "use_parent_model_frame"],
        kept: &[],
    },
    Known {
        parent: "axis2",
        read: &["xyz", "limit", "dynamics", "mimic", "use_parent_model_frame"],
        kept: &[],
    },
    Known {
        parent: "limit",
        read: &["lower", "upper", "effort", "velocity"],
        kept: &["stiffness", "dissipation"],
    },
    Known {
        parent: "dynamics",
        read: &["damping", "friction", "spring_reference", "spring_stiffness"],
        kept: &[],
    },
    Known { parent: "frame", read: &["pose"], kept: &[] },
    Known { parent: "bridgehead:entity", read: &["description", "tag"], kept: &[] },
    Known { parent: "bridgehead:pose", read: &["pose", "description", "tag", "box", "sphere"], kept: &[] },
    Known {
        parent: "light",
        read: &["pose", "direction", "diffuse", "specular", "intensity", "attenuation", "cast_shadows"],
        kept: &["light_on", "spot", "visualize"],
    },
    Known {
        parent: "physics",
        read: &["max_step_size", "real_time_factor", "gravity", "magnetic_field"],
        kept: &["bullet", "dart", "max_contacts", "ode", "real_time_update_rate", "simbody"],
    },
];

impl Reader<'_> {
    /// Reports the children of an element that have no effect, each kind once.
    pub(super) fn check_children(&mut self, parent: Element<'_>) {
        let Some(known) = KNOWN.iter().find(|known| known.parent == parent.name()) else { return };
        for child in parent.children() {
            if !known.read.contains(&child.name()) {
                self.report_without_effect(known, child);
            }
        }
    }

    /// Reports an attribute that has no effect, each kind once.
    pub(super) fn report_attribute(&mut self, element: Element<'_>, name: &str, instead: &str) {
        if element.attribute(name).is_none() || !self.reported.insert(format!("{}@{name}", element.name())) {
            return;
        }
        let found =
            format!("`{name}` of `<{}>` is kept, not simulated: {instead} (reported once)", element.name());
        self.diagnostics.push(Diagnostic::note(Code::NotSimulated, Some(element.location()), found));
    }

    fn report_without_effect(&mut self, known: &Known, child: Element<'_>) {
        let name = format!("{}/{}", known.parent, child.name());
        if !self.reported.insert(name) {
            return;
        }
        // A prefix marks an extension, which is not a mistake.
        let is_extension = child.name().contains(':');
        let (code, severity, what) = if known.kept.contains(&child.name()) || is_extension {
            (Code::NotSimulated, Severity::Note, "is kept, not simulated")
        } else {
            (Code::UnknownElement, Severity::Warning, "is not known here; it is kept, not simulated")
        };
        let found = format!("`<{}>` in `<{}>` {what} (reported once)", child.name(), known.parent);
        let mut finding = Diagnostic::note(code, Some(child.location()), found);
        finding.severity = severity;
        self.diagnostics.push(finding);
    }

    /// Notes something without effect, once for each `kind`.
    pub(super) fn note_once(&mut self, kind: &str, at: Element<'_>, what: &str, instead: &str) {
        if self.reported.insert(kind.to_owned()) {
            let found = format!("{what} is kept, not simulated (reported once): {instead}");
            self.diagnostics.push(Diagnostic::note(Code::NotSimulated, Some(at.location()), found));
        }
    }

    /// Notes something with less effect than expected, once for each `kind`.
    pub(super) fn note_limited_once(&mut self, kind: &str, at: Element<'_>, found: &str, expected: &str) {
        if self.reported.insert(kind.to_owned()) {
            let note = Diagnostic::note(Code::NotSimulated, Some(at.location()), found);
            self.diagnostics.push(note.expected(expected));
        }
    }

    /// The one child of that name; reports further ones.
    pub(super) fn single<'e>(&mut self, parent: Element<'e>, name: &'e str) -> Option<Element<'e>> {
        let mut all = parent.children_named(name);
        let first = all.next();
        if let Some(second) = all.next() {
            self.warning(
                Code::ElementRepeated,
                second,
                format!("a second `<{name}>`"),
                "one; the first counts",
            );
        }
        first
    }
}
