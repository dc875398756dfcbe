//! The types of camera sensors, and the topics of each.

use crate::settings::BoxType;

/// Type of a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Color,
    Depth,
    Rgbd,
    Segmentation,
    Boxes,
    WideAngle,
    Thermal,
    /// Several cameras that see at the same time.
    Multi,
}

/// What is published on a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// `sensor_msgs/msg/CameraInfo`.
    Info,
    /// `sensor_msgs/msg/Image` of colours.
    Color,
    /// `sensor_msgs/msg/CompressedImage`, JPEG or PNG.
    Compressed,
    /// `sensor_msgs/msg/Image` of depths, 32-bit floats.
    Depth,
    /// `sensor_msgs/msg/PointCloud2`, in the order of the pixels.
    Points,
    /// `sensor_msgs/msg/Image`: class in red, number of the object in green and blue.
    Labels,
    /// `sensor_msgs/msg/Image`: a colour for each class or object.
    Colored,
    /// `sensor_msgs/msg/Image`: the number of the model, 16 bits.
    Models,
    /// `vision_msgs/msg/LabelInfo`: the names of the models.
    ModelNames,
    /// `sensor_msgs/msg/Image` of temperatures, 8 or 16 bits.
    Thermal,
    /// `lgsvl_msgs/msg/Detection2DArray`.
    Boxes,
    /// `lgsvl_msgs/msg/Detection3DArray`.
    Solids,
}

/// Suffixes of topics according to REP 118 and to the packages image_transport and camera_calibration_parsers of ROS.
const COLOR: &[(&str, Stream)] = &[
    ("camera_info", Stream::Info),
    ("image_raw", Stream::Color),
    ("image_raw/compressed", Stream::Compressed),
];
const DEPTH: &[(&str, Stream)] =
    &[("camera_info", Stream::Info), ("image_raw", Stream::Depth), ("points", Stream::Points)];
const RGBD: &[(&str, Stream)] = &[
    ("rgb/camera_info", Stream::Info),
    ("rgb/image_raw", Stream::Color),
    ("rgb/image_raw/compressed", Stream::Compressed),
    ("depth_registered/camera_info", Stream::Info),
    ("depth_registered/image_raw", Stream::Depth),
    ("depth_registered/points", Stream::Points),
];
const SEGMENTATION: &[(&str, Stream)] = &[
    ("camera_info", Stream::Info),
    ("label_info", Stream::ModelNames),
    ("labels_map", Stream::Labels),
    ("colored_map", Stream::Colored),
    ("model_map", Stream::Models),
];
const THERMAL: &[(&str, Stream)] = &[("camera_info", Stream::Info), ("image_raw", Stream::Thermal)];
const BOXES: &[(&str, Stream)] = &[
    ("camera_info", Stream::Info),
    ("image_raw", Stream::Color),
    ("image_raw/compressed", Stream::Compressed),
    ("detections", Stream::Boxes),
];
const SOLIDS: &[(&str, Stream)] = &[
    ("camera_info", Stream::Info),
    ("image_raw", Stream::Color),
    ("image_raw/compressed", Stream::Compressed),
    ("detections_3d", Stream::Solids),
];

impl Kind {
    /// Topic of a sensor without `<topic>`.
    pub(crate) fn topic(self) -> &'static str {
        match self {
            Kind::Depth => "depth",
            Kind::Segmentation => "segmentation",
            Kind::Thermal => "thermal",
            Kind::Color | Kind::Rgbd | Kind::Boxes | Kind::WideAngle | Kind::Multi => "camera",
        }
    }

    /// What is published, by the suffix of the topic. Infos come first: they are needed to interpret what follows.
    pub(crate) fn streams(self, boxes: BoxType) -> &'static [(&'static str, Stream)] {
        match self {
            Kind::Color | Kind::WideAngle | Kind::Multi => COLOR,
            Kind::Depth => DEPTH,
            Kind::Rgbd => RGBD,
            Kind::Segmentation => SEGMENTATION,
            Kind::Thermal => THERMAL,
            Kind::Boxes if boxes == BoxType::Solid => SOLIDS,
            Kind::Boxes => BOXES,
        }
    }
}

impl Stream {
    /// True if it is made of colours.
    pub(crate) fn needs_color(self) -> bool {
        matches!(self, Stream::Color | Stream::Compressed)
    }

    /// True if it is made of depths or visuals.
    pub(crate) fn needs_geometry(self) -> bool {
        match self {
            Stream::Depth
            | Stream::Points
            | Stream::Labels
            | Stream::Colored
            | Stream::Models
            | Stream::Thermal
            | Stream::Boxes
            | Stream::Solids => true,
            Stream::Info | Stream::Color | Stream::Compressed | Stream::ModelNames => false,
        }
    }
}
