//! The table of elements: those that are read, and those that are kept in the file without effect. Findings
//! and the page of supported elements are generated from it, so that nothing is ignored silently.

use crate::document::Element;

/// The children of one kind of element.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Name of the parent; with that of its own parent before it, if several elements have that name: `actor/script`.
    pub parent: &'static str,
    /// Children that are read.
    pub read: &'static [&'static str],
    /// Children of SDF that are kept without effect.
    pub kept: &'static [&'static str],
}

impl Known {
    /// The parent's own name.
    pub(super) fn name(&self) -> &'static str {
        self.parent.rsplit('/').next().unwrap_or(self.parent)
    }

    /// Returns true if this is the row of an element.
    pub(super) fn describes(&self, element: Element<'_>) -> bool {
        match self.parent.split_once('/') {
            None => self.parent == element.name(),
            Some((holder, name)) => {
                name == element.name() && element.parent().is_some_and(|parent| parent.name() == holder)
            }
        }
    }
}

/// The element of models and includes that chooses how joints are modelled.
pub(super) const MODELLING: &str = "bridgehead:joints";

/// Every element whose children are looked at; sensors and plugins keep theirs whole, for their plugins.
pub const KNOWN: &[Known] = &[
    Known { parent: "sdf", read: &["world", "model", "light", "actor", "include"], kept: &[] },
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
            "scene",
            "bridgehead:world",
            "bridgehead:pose",
        ],
        kept: &["audio", "gui", "population", "road", "state"],
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
            "surface_axis_equatorial",
            "surface_axis_polar",
        ],
        kept: &[],
    },
    Known { parent: "atmosphere", read: &["temperature", "temperature_gradient", "pressure"], kept: &[] },
    Known {
        parent: "actor",
        read: &["pose", "script", "link", "plugin", "bridgehead:label"],
        kept: &["skin", "animation", "joint"],
    },
    Known { parent: "actor/script", read: &["loop", "delay_start", "auto_start", "trajectory"], kept: &[] },
    Known { parent: "trajectory", read: &["waypoint"], kept: &[] },
    Known { parent: "waypoint", read: &["time", "pose"], kept: &[] },
    Known { parent: "wind", read: &["linear_velocity"], kept: &[] },
    Known {
        parent: "model",
        read: &[
            "static",
            "self_collide",
            "allow_auto_disable",
            "enable_wind",
            "pose",
            "link",
            "joint",
            "frame",
            "model",
            "include",
            "plugin",
            "bridgehead:entity",
            "bridgehead:label",
        ],
        kept: &["gripper", "model_state", "link_state", "joint_state", MODELLING],
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
            "bridgehead:entity",
            "bridgehead:label",
        ],
        kept: &["model_state", "link_state", "joint_state", MODELLING],
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
        read: &[
            "pose",
            "geometry",
            "material",
            "transparency",
            "cast_shadows",
            "visibility_flags",
            "laser_retro",
            "bridgehead:label",
        ],
        // A plugin with a label or a temperature is read.
        kept: &["meta", "plugin"],
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
        read: &["uri", "size", "pos", "sampling", "texture", "blend"],
        kept: &["use_terrain_paging"],
    },
    Known { parent: "heightmap/texture", read: &["size", "diffuse", "normal"], kept: &[] },
    Known { parent: "heightmap/blend", read: &["min_height", "fade_dist"], kept: &[] },
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
        read: &[
            "ambient",
            "diffuse",
            "specular",
            "emissive",
            "shininess",
            "double_sided",
            "lighting",
            "render_order",
            "script",
            "pbr",
        ],
        kept: &["shader"],
    },
    Known { parent: "material/script", read: &["uri", "name"], kept: &[] },
    Known { parent: "pbr", read: &["metal", "specular"], kept: &[] },
    Known {
        parent: "pbr/metal",
        read: &[
            "albedo_map",
            "normal_map",
            "ambient_occlusion_map",
            "environment_map",
            "emissive_map",
            "light_map",
            "roughness",
            "roughness_map",
            "metalness",
            "metalness_map",
        ],
        kept: &[],
    },
    Known {
        parent: "pbr/specular",
        read: &[
            "albedo_map",
            "normal_map",
            "ambient_occlusion_map",
            "environment_map",
            "emissive_map",
            "light_map",
            "glossiness",
            "glossiness_map",
            "specular_map",
        ],
        kept: &[],
    },
    Known {
        parent: "scene",
        read: &["ambient", "background", "sky", "shadows", "grid", "fog"],
        kept: &["origin_visual"],
    },
    Known { parent: "sky", read: &["time", "sunrise", "sunset"], kept: &["clouds", "cubemap_uri"] },
    Known { parent: "fog", read: &["color", "type", "start", "end", "density"], kept: &[] },
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
        read: &["lower", "upper", "effort", "velocity", "stiffness", "dissipation"],
        kept: &[],
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
        read: &[
            "pose",
            "direction",
            "diffuse",
            "specular",
            "intensity",
            "attenuation",
            "spot",
            "light_on",
            "visualize",
            "cast_shadows",
        ],
        kept: &[],
    },
    Known { parent: "attenuation", read: &["range", "constant", "linear", "quadratic"], kept: &[] },
    Known { parent: "spot", read: &["inner_angle", "outer_angle", "falloff"], kept: &[] },
    Known {
        parent: "physics",
        read: &["max_step_size", "real_time_factor", "gravity", "magnetic_field"],
        kept: &["bullet", "dart", "max_contacts", "ode", "real_time_update_rate", "simbody"],
    },
];
