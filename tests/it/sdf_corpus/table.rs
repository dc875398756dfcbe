//! Files and values that this host reads differently from libsdformat 12, with reasons and sources.

use super::quote::Quote;

/// Files whose verdicts are compared.
pub(super) const FILES: usize = 179;

/// A file with different verdicts.
pub(super) struct Verdict {
    pub(super) file: &'static str,
    /// Whether this host considers it valid.
    pub(super) ours: bool,
    pub(super) reason: &'static str,
    pub(super) quote: Quote,
}

/// The sensor type `air_speed`.
const AIR_SPEED: Quote = Quote::of_changelog("Add airspeed sensor", "libsdformat 13.3.0");

/// `__model__` as a side of a joint.
const MODEL_FRAME: Quote = Quote::of_changelog(
    "Allow model frames (__model__) to be used as joint parent or child",
    "libsdformat 12.4.0",
);

/// All files with different verdicts.
pub(super) const VERDICTS: &[Verdict] = &[
    Verdict {
        file: "gz-worlds/sensors.sdf",
        ours: true,
        reason: "has an `air_speed` sensor, a type that libsdformat 12 does not know",
        quote: AIR_SPEED,
    },
    Verdict {
        file: "sdformat/joint_axis_invalid_expressed_in.sdf",
        ours: false,
        reason: "an axis is expressed in an unknown frame: libsdformat 12 reports this when the axis is requested, later versions and this host when the file is read",
        quote: Quote::of_changelog("Check JointAxis expressed-in values during Load", "libsdformat 13.3.0"),
    },
    Verdict {
        file: "sdformat/joint_child_model_frame.sdf",
        ours: true,
        reason: "`__model__` as the child of a joint: refused by libsdformat 12.3, allowed by later versions",
        quote: MODEL_FRAME,
    },
    Verdict {
        file: "sdformat/joint_nested_parent_child.sdf",
        ours: true,
        reason: "`M1::__model__` as a side of a joint: refused by libsdformat 12.3, allowed by later versions",
        quote: MODEL_FRAME,
    },
    Verdict {
        file: "sdformat/joint_parent_model_frame.sdf",
        ours: true,
        reason: "`__model__` as the parent of a joint: refused by libsdformat 12.3, allowed by later versions",
        quote: MODEL_FRAME,
    },
    Verdict {
        file: "sdformat/sensors.sdf",
        ours: true,
        reason: "SDF 1.10 with an `air_speed` sensor, a type that libsdformat 12 does not know",
        quote: AIR_SPEED,
    },
    Verdict {
        file: "sdformat/world_merge_include.sdf",
        ours: true,
        reason: "SDF 1.10, in which a model can be merged into a world; libsdformat 12 reads versions up to 1.9",
        quote: Quote {
            text: "Merge-includes are now allowed in worlds.",
            file: "Migration.md",
            version: "SDF 1.10",
        },
    },
];

/// A different value in a file that both consider valid.
pub(super) struct Differing {
    pub(super) file: &'static str,
    /// The end of its path.
    pub(super) suffix: &'static str,
    pub(super) reason: &'static str,
    pub(super) quote: Quote,
}

const CONE: Quote = Quote::of_changelog("Add Cone as a primitive parametric shape.", "libsdformat 14.4.0");

/// All different values.
pub(super) const VALUES: &[Differing] = &[
    Differing {
        file: "gz-worlds/polylines.sdf",
        suffix: "/geometry/type",
        reason: "libsdformat 12.3 has no class for polylines and reports an empty shape",
        quote: Quote::of_changelog("Polyline geometry DOM", "libsdformat 12.5.0"),
    },
    Differing {
        file: "sdformat/basic_shapes.sdf",
        suffix: "/geometry/type",
        reason: "libsdformat 12 has no cones and reports an empty shape",
        quote: CONE,
    },
    Differing {
        file: "sdformat/shapes_world.sdf",
        suffix: "/geometry/type",
        reason: "libsdformat 12 has no cones and reports an empty shape",
        quote: CONE,
    },
    Differing {
        file: "sdformat/joint_sensors.sdf",
        suffix: "/pose_world/",
        reason: "libsdformat 12.3 reports an error for the pose of a sensor in a joint; later versions and this host resolve it",
        quote: Quote::of_changelog("Fix bug with resolving poses for joint sensors.", "libsdformat 12.6.0"),
    },
];

/// A value that has another form in each of the two programs, in every file.
pub(super) struct Form {
    pub(super) member: &'static str,
    pub(super) reason: &'static str,
    pub(super) quote: Quote,
}

/// All values with another form.
pub(super) const FORMS: &[Form] = &[
    Form {
        member: "lower",
        reason: "without a limit, libsdformat 12 reports -1e16 and this host -infinity; the two are equal in the comparison",
        quote: Quote {
            text: "`//limit/lower`: `-inf` (formerly `-1e16`)",
            file: "Migration.md",
            version: "SDF 1.10",
        },
    },
    Form {
        member: "upper",
        reason: "without a limit, libsdformat 12 reports 1e16 and this host infinity; the two are equal in the comparison",
        quote: Quote {
            text: "`//limit/upper`: `inf` (formerly `1e16`)",
            file: "Migration.md",
            version: "SDF 1.10",
        },
    },
    Form {
        member: "thread_pitch",
        reason: "this host prints `screw_thread_pitch`, in metres per turn, and only for screw joints; it is not compared",
        quote: Quote {
            text: "thread_pitch is deprecated in favor of screw_thread_pitch.",
            file: "Migration.md",
            version: "SDF 1.10",
        },
    },
];
