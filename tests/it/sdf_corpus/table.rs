//! Where we read a file otherwise than libsdformat 12, and why.

/// Files whose verdicts are compared.
pub(super) const FILES: usize = 179;

/// A file on which the verdicts differ.
pub(super) struct Verdict {
    pub(super) file: &'static str,
    /// Whether we find it right.
    pub(super) ours: bool,
    pub(super) reason: &'static str,
}

/// All files with another verdict.
pub(super) const VERDICTS: &[Verdict] = &[
    Verdict {
        file: "gz-worlds/sensors.sdf",
        ours: true,
        reason: "has an `air_speed` sensor, a type that libsdformat 12 does not know and its successors do",
    },
    Verdict {
        file: "sdformat/joint_axis_invalid_expressed_in.sdf",
        ours: false,
        reason: "an axis is expressed in a frame that is not there: libsdformat finds it when the axis is asked for, we find it when the file is read",
    },
    Verdict {
        file: "sdformat/joint_child_model_frame.sdf",
        ours: true,
        reason: "`__model__` as the child of a joint: refused by libsdformat 12, allowed by its successors",
    },
    Verdict {
        file: "sdformat/joint_nested_parent_child.sdf",
        ours: true,
        reason: "`M1::__model__` as a side of a joint: refused by libsdformat 12, allowed by its successors",
    },
    Verdict {
        file: "sdformat/joint_parent_model_frame.sdf",
        ours: true,
        reason: "`__model__` as the parent of a joint: refused by libsdformat 12, allowed by its successors",
    },
    Verdict {
        file: "sdformat/sensors.sdf",
        ours: true,
        reason: "SDF 1.10 with sensor types that libsdformat 12 does not know",
    },
    Verdict {
        file: "sdformat/world_merge_include.sdf",
        ours: true,
        reason: "SDF 1.10, which allows to merge a model into a world; libsdformat 12 reads up to 1.9",
    },
];

/// A value of a file right for both that differs.
pub(super) struct Differing {
    pub(super) file: &'static str,
    /// What its path ends with.
    pub(super) suffix: &'static str,
    pub(super) reason: &'static str,
}

/// All values that differ.
pub(super) const VALUES: &[Differing] = &[
    Differing {
        file: "gz-worlds/polylines.sdf",
        suffix: "/geometry/type",
        reason: "libsdformat 12 has no class for polylines and calls them empty",
    },
    Differing {
        file: "sdformat/basic_shapes.sdf",
        suffix: "/geometry/type",
        reason: "libsdformat 12 has no cones and calls them empty",
    },
    Differing {
        file: "sdformat/shapes_world.sdf",
        suffix: "/geometry/type",
        reason: "libsdformat 12 has no cones and calls them empty",
    },
    Differing {
        file: "gz-worlds/camera_lens_flare.sdf",
        suffix: "/type",
        reason: "we keep the type as it is written, `wideanglecamera`, libsdformat gives it its newer name",
    },
    Differing {
        file: "sdformat/joint_sensors.sdf",
        suffix: "/pose_world/",
        reason: "libsdformat 12 cannot resolve the pose of a sensor in a joint and says so; we can",
    },
];
