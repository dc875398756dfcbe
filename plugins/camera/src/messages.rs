//! Messages of one exposure, encoded for the bus. Pixels are written once, into the memory that is published.

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::Scene;
use bridgehead_plugin_api::messages::geometry_msgs::{Point, Pose, Quaternion, Vector3};
use bridgehead_plugin_api::messages::lgsvl_msgs::{
    BoundingBox2D, BoundingBox3D, Detection2D, Detection2DArray, Detection3D, Detection3DArray,
};
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::sensor_msgs::{
    CameraInfo, CompressedImage, Image, PointCloud2, PointField,
};
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::messages::vision_msgs::{LabelInfo, VisionClass};
use bridgehead_plugin_api::messages::{builtin_interfaces::Time, prost};
use bridgehead_plugin_api::random::Random;
use bridgehead_render::Placement;
use glam::DVec3;

use crate::boxes::Extent;
use crate::classes::Classes;
use crate::lens::{Distortion, Function, Lens};
use crate::planes::Planes;
use crate::settings::Settings;
use crate::solids::Solid;
use crate::thermal::Thermometer;

/// What the messages of an exposure have in common.
pub(crate) struct Shot<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) frame_id: &'a str,
    pub(crate) time_ns: i64,
    pub(crate) classes: &'a Classes,
    /// Directions of the pixels, for points and temperatures; see [`Lens::directions`].
    pub(crate) directions: &'a [Option<DVec3>],
}

impl Shot<'_> {
    fn header(&self) -> Option<Header> {
        Some(Header { stamp: Some(Time::from_nanos(self.time_ns)), frame_id: self.frame_id.to_owned() })
    }

    fn size(&self) -> [u32; 2] {
        self.settings.lens.size
    }

    pub(crate) fn info(&self) -> Payload {
        let mut info = info(&self.settings.lens);
        info.header = self.header();
        Payload::from_vec(info.encode_to_vec())
    }

    pub(crate) fn color(&self, planes: &Planes) -> Payload {
        let format = self.settings.format;
        self.image(format.encoding(), format.bytes(), |out| {
            format.write(&planes.color, self.size()[0] as usize, out);
        })
    }

    /// Returns the compressed picture; `None` if it cannot be encoded.
    pub(crate) fn compressed(&self, planes: &Planes) -> Option<Payload> {
        let compression = self.settings.compression;
        let message = CompressedImage {
            header: self.header(),
            format: compression.format().to_owned(),
            data: compression.encode(&planes.color, self.size())?.into(),
        };
        Some(Payload::from_vec(message.encode_to_vec()))
    }

    pub(crate) fn depth(&self, planes: &Planes, mut random: Random) -> Payload {
        let (near, far) = self.settings.depths;
        self.image("32FC1", 4, |out| {
            for depth in &planes.depth {
                let depth = f64::from(*depth);
                let reading = if depth < near {
                    f32::NEG_INFINITY
                } else if depth <= far {
                    let noisy = self.settings.noise.apply(depth, self.time_ns, &mut random);
                    single(noisy.clamp(near, far))
                } else {
                    f32::INFINITY
                };
                out.extend(reading.to_le_bytes());
            }
        })
    }

    /// Points in the optical frame, in the order of the pixels; NaN where nothing is in range.
    pub(crate) fn points(&self, planes: &Planes) -> Payload {
        let [width, height] = self.size();
        let has_color = !planes.color.is_empty();
        let step = if has_color { 16 } else { 12 };
        let field = |name: &str, offset| PointField { name: name.to_owned(), offset, datatype: 7, count: 1 };
        let mut fields = vec![field("x", 0), field("y", 4), field("z", 8)];
        fields.extend(has_color.then(|| field("rgb", 12)));
        let head = PointCloud2 {
            header: self.header(),
            height,
            width,
            fields,
            point_step: step,
            row_step: step * width,
            is_dense: false,
            ..PointCloud2::default()
        };
        let (near, far) = self.settings.depths;
        let bytes = step as usize * width as usize * height as usize;
        with_bytes(&head, 8, bytes, |out| {
            for (index, depth) in planes.depth.iter().enumerate() {
                let depth = f64::from(*depth);
                let ray = self.directions.get(index).copied().flatten();
                let point = match ray {
                    Some(ray) if depth >= near && depth <= far && ray.x > 0.0 => {
                        [-ray.y / ray.x * depth, -ray.z / ray.x * depth, depth].map(single)
                    }
                    _ => [f32::NAN; 3],
                };
                point.iter().for_each(|value| out.extend(value.to_le_bytes()));
                if let Some([r, g, b, _]) = planes.color.get(index) {
                    out.extend([*b, *g, *r, 0]);
                }
            }
        })
    }

    pub(crate) fn labels(&self, planes: &Planes) -> Payload {
        let has_instances = self.settings.has_instances;
        self.image("rgb8", 3, |out| {
            for visual in &planes.visual {
                let object = self.classes.object(*visual);
                let [high, low] = object.number.to_be_bytes();
                out.extend(if has_instances { [object.class, high, low] } else { [object.class; 3] });
            }
        })
    }

    pub(crate) fn colored(&self, planes: &Planes) -> Payload {
        let has_instances = self.settings.has_instances;
        self.image("rgb8", 3, |out| {
            for visual in &planes.visual {
                let object = self.classes.object(*visual);
                let number = if has_instances { object.number } else { u16::from(object.number > 0) };
                out.extend(if object.number == 0 { [0; 3] } else { signal_color(object.class, number) });
            }
        })
    }

    pub(crate) fn models(&self, planes: &Planes) -> Payload {
        self.image("mono16", 2, |out| {
            planes.visual.iter().for_each(|visual| out.extend(self.classes.model(*visual).to_le_bytes()));
        })
    }

    /// Temperatures in units of the resolution.
    pub(crate) fn temperatures(
        &self,
        thermometer: &Thermometer,
        (planes, scene, camera): (&Planes, &Scene, &Placement),
        mut random: Random,
    ) -> Payload {
        let (encoding, bytes) = thermometer.pixel();
        self.image(encoding, bytes, |out| {
            for (index, (visual, depth)) in planes.visual.iter().zip(&planes.depth).enumerate() {
                let depth = f64::from(*depth);
                let ray = self.directions.get(index).copied().flatten().filter(|ray| ray.x > 0.0);
                let place = ray.filter(|_| depth <= self.settings.clip.1).map(|ray| ray / ray.x * depth);
                let height = (camera.position + camera.orientation * place.unwrap_or_default()).z;
                let shown = if place.is_some() { *visual } else { 0 };
                let kelvin = thermometer.temperature(scene, shown, height);
                thermometer.write(self.settings.noise.apply(kelvin, self.time_ns, &mut random), out);
            }
        })
    }

    pub(crate) fn model_names(&self) -> Payload {
        let named = |(class_id, name): (u32, &String)| VisionClass { class_id, class_name: name.clone() };
        let class_map = (1..).zip(&self.classes.names).map(named).collect();
        let message = LabelInfo { header: self.header(), class_map, threshold: 0.0 };
        Payload::from_vec(message.encode_to_vec())
    }

    pub(crate) fn boxes(&self, extents: &[Option<Extent>]) -> Payload {
        let detection = |(index, extent): (usize, &Option<Extent>)| {
            let extent = extent.as_ref()?;
            Some(Detection2D {
                header: self.header(),
                id: u32::try_from(index + 1).unwrap_or(u32::MAX),
                label: self.classes.labels.get(index)?.to_string(),
                score: 1.0,
                bbox: Some(BoundingBox2D {
                    x: single((extent.low.x + extent.high.x) / 2.0),
                    y: single((extent.low.y + extent.high.y) / 2.0),
                    width: single(extent.high.x - extent.low.x + 1.0),
                    height: single(extent.high.y - extent.low.y + 1.0),
                }),
                velocity: None,
            })
        };
        let detections = extents.iter().enumerate().filter_map(detection).collect();
        let message = Detection2DArray { header: self.header(), detections };
        Payload::from_vec(message.encode_to_vec())
    }

    pub(crate) fn solids(&self, solids: &[Option<Solid>]) -> Payload {
        let detection = |(index, solid): (usize, &Option<Solid>)| {
            let Solid { pose, size } = solid.as_ref()?;
            Some(Detection3D {
                header: self.header(),
                id: u32::try_from(index + 1).unwrap_or(u32::MAX),
                label: self.classes.labels.get(index)?.to_string(),
                score: 1.0,
                bbox: Some(BoundingBox3D { position: Some(pose_of(pose)), size: Some(vector(*size)) }),
                velocity: None,
            })
        };
        let detections = solids.iter().enumerate().filter_map(detection).collect();
        let message = Detection3DArray { header: self.header(), detections };
        Payload::from_vec(message.encode_to_vec())
    }

    fn image(&self, encoding: &str, pixel: u32, fill: impl FnOnce(&mut Vec<u8>)) -> Payload {
        let [width, height] = self.size();
        let head = Image {
            header: self.header(),
            height,
            width,
            encoding: encoding.to_owned(),
            step: pixel * width,
            ..Image::default()
        };
        with_bytes(&head, 7, pixel as usize * width as usize * height as usize, fill)
    }
}

fn pose_of(placement: &Placement) -> Pose {
    let (at, [x, y, z, w]) = (placement.position, placement.orientation.to_array());
    Pose { position: Some(Point { x: at.x, y: at.y, z: at.z }), orientation: Some(Quaternion { x, y, z, w }) }
}

fn vector(DVec3 { x, y, z }: DVec3) -> Vector3 {
    Vector3 { x, y, z }
}

/// Encodes a message, followed by its field of bytes.
fn with_bytes(
    head: &impl prost::Message,
    field: u32,
    len: usize,
    fill: impl FnOnce(&mut Vec<u8>),
) -> Payload {
    let mut out = Vec::with_capacity(head.encoded_len() + len + 16);
    // Writing to a Vec cannot fail.
    head.encode(&mut out).ok();
    prost::encoding::encode_key(field, prost::encoding::WireType::LengthDelimited, &mut out);
    prost::encoding::encode_varint(len as u64, &mut out);
    fill(&mut out);
    Payload::from_vec(out)
}

/// Describes a projection, without its time.
pub(crate) fn info(lens: &Lens) -> CameraInfo {
    let ([width, height], [cx, cy]) = (lens.size, lens.center);
    let [mut fx, mut fy] = lens.focal;
    let (model, d) = match &lens.distortion {
        Distortion::None => ("plumb_bob", vec![0.0; 5]),
        Distortion::Brown { radial: [k1, k2, k3], tangential: [p1, p2] } => {
            ("plumb_bob", vec![*k1, *k2, *p1, *p2, *k3])
        }
        Distortion::Wide(wide) => {
            // Only one of them has a name in ROS. Near the axis all are described by their focal length.
            let focal = (wide.radius(1e-4) - wide.radius(0.0)) / 1e-4;
            (fx, fy) = (focal, focal);
            let is_equidistant = wide.function == Function::Identity && wide.c3 == 0.0;
            (if is_equidistant { "equidistant" } else { "" }, vec![0.0; if is_equidistant { 4 } else { 0 }])
        }
    };
    CameraInfo {
        height,
        width,
        distortion_model: model.to_owned(),
        d,
        k: vec![fx, 0.0, cx, 0.0, fy, cy, 0.0, 0.0, 1.0],
        r: vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        p: vec![fx, 0.0, cx, 0.0, 0.0, fy, cy, 0.0, 0.0, 0.0, 1.0, 0.0],
        ..CameraInfo::default()
    }
}

/// A colour for a class and a number: hues a golden angle apart, so that neighbouring numbers differ.
fn signal_color(class: u8, number: u16) -> [u8; 3] {
    let hue = (f64::from(class) * 0.618_033_988_75 + f64::from(number) * 0.381_966_011_25).fract() * 6.0;
    let value = 255.0 - f64::from(number % 3) * 40.0;
    let channel = |offset: f64| {
        let distance = ((hue + offset) % 6.0 - 3.0).abs() - 1.0;
        crate::planes::byte(value * (0.15 + 0.85 * distance.clamp(0.0, 1.0)))
    };
    [channel(0.0), channel(4.0), channel(2.0)]
}

#[expect(clippy::cast_possible_truncation, reason = "messages have 32-bit floats")]
fn single(number: f64) -> f32 {
    number as f32
}
