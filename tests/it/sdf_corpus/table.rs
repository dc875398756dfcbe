//! Files that this host reads differently from libsdformat 12, with reasons.

/// Files whose verdicts are compared.
pub(super) const FILES: usize = 179;

/// A file with different verdicts.
pub(super) struct Verdict {
    pub(super) file: &'static str,
    /// Whether this host considers it valid.
    pub(super) ours: bool,
    pub(super) reason: &'static str,
}

/// All files with different verdicts.
pub(super) const VERDICTS: &[Verdict] = &[
    Verdict {
        file: "gz-worlds/sensors.sdf",
        ours: true,
        reason: "has an `air_speed` sensor, a type that libsdformat knows only after version 12",
    },
    Verdict {
        file: "sdformat/joint_axis_invalid_expressed_in.sdf",
        ours: false,
        reason: "an axis is expressed in an unknown frame: libsdformat reports this when the axis is requested, this host when the file is read",
    },
    Verdict {
        file: "sdformat/joint_child_model_frame.sdf",
        ours: true,
        reason: "`__model__` as the child of a joint: refused by libsdformat 12, allowed by later versions",
    },
    Verdict {
        file: "sdformat/joint_nested_parent_child.sdf",
        ours: true,
        reason: "`M1::__model__` as a side of a joint: refused by libsdformat 12, allowed by later versions",
    },
    Verdict {
        file: "sdformat/joint_parent_model_frame.sdf",
        ours: true,
        reason: "`__model__` as the parent of a joint: refused by libsdformat 12, allowed by later versions",
    },
    Verdict {
        file: "sdformat/sensors.sdf",
        ours: true,
        reason: "SDF 1.10 with sensor types unknown to libsdformat 12",
    },
    Verdict {
        file: "sdformat/world_merge_include.sdf",
        ours: true,
        reason: "SDF 1.10, in which a model can be merged into a world; libsdformat 12 reads versions up to 1.9",
    },
];

/// A different value in a file that both consider valid.
pub(super) struct Differing {
    pub(super) file: &'static str,
    /// The end of its path.
    pub(super) suffix: &'static str,
    pub(super) reason: &'static str,
}

/// All different values.
pub(super) const VALUES: &[Differing] = &[
    Differing {
        file: "gz-worlds/polylines.sdf",
        suffix: "/geometry/type",
        reason: "libsdformat 12 has no class for polylines and reports an empty shape",
    },
    Differing {
        file: "sdformat/basic_shapes.sdf",
        suffix: "/geometry/type",
        reason: "libsdformat 12 has no cones and reports an empty shape",
    },
    Differing {
        file: "sdformat/shapes_world.sdf",
        suffix: "/geometry/type",
        reason: "libsdformat 12 has no cones and reports an empty shape",
    },
    Differing {
        file: "gz-worlds/camera_lens_flare.sdf",
        suffix: "/type",
        reason: "this host keeps the type as written, `wideanglecamera`; libsdformat replaces it by the newer name",
    },
    Differing {
        file: "sdformat/joint_sensors.sdf",
        suffix: "/pose_world/",
        reason: "libsdformat 12 reports an error for the pose of a sensor in a joint; this host resolves it",
    },
];
