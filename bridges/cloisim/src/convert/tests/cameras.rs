//! Images that are made of several messages.

use bridgehead_plugin_api::messages::vision_msgs::{LabelInfo, VisionClass};

use super::*;
use crate::convert::{cameras, modules};
use crate::device::{Module, ModuleConfig};

fn header(sec: i32) -> Option<RosHeader> {
    Some(RosHeader { stamp: Some(RosTime { sec, nanosec: 0 }), frame_id: String::new() })
}

/// An image of one row.
fn row(sec: i32, encoding: &str, width: u32, data: &[u8]) -> Vec<u8> {
    let step = u32::try_from(data.len()).expect("small");
    let data = data.to_vec().into();
    let (header, encoding) = (header(sec), encoding.to_owned());
    sensor_msgs::Image { header, height: 1, width, encoding, step, data, ..Default::default() }
        .encode_to_vec()
}

fn config(width: u32, format: PixelFormat) -> ImageConfig {
    ImageConfig { width, height: 1, format, per_metre: 1000.0 }
}

#[track_caller]
fn payloads(converter: &mut dyn Converter, slot: Slot, message: &[u8]) -> Vec<Vec<u8>> {
    let outputs = converter.convert(slot, message).expect("a message");
    outputs.into_iter().map(|(_, payload)| payload).collect()
}

#[test]
fn images_of_several_cameras_are_sent_when_all_of_one_time_are_there() {
    let configs = vec![config(1, PixelFormat::L8), config(2, PixelFormat::L8)];
    let mut pictures = cameras::Pictures::new(configs);
    let (first, second) = (Slot::Camera(0), Slot::Camera(1));
    assert!(payloads(&mut pictures, second, &row(1, "mono8", 2, &[3, 4])).is_empty());
    // The first camera lacks the image of second 1.
    assert!(payloads(&mut pictures, first, &row(2, "mono8", 1, &[5])).is_empty());
    let sent = payloads(&mut pictures, second, &row(2, "mono8", 2, &[6, 7]));
    let [sent] = &sent[..] else { panic!("{sent:?}") };
    assert_eq!(sent[..16], [0x4d, 0x57, 0x41, 0x52, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0]);
    assert_eq!(
        sent[16..],
        [
            1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 5, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0,
            0, 6, 7
        ]
    );
    // Each image is sent once, and none after a reset.
    assert!(payloads(&mut pictures, first, &row(3, "mono8", 1, &[5])).is_empty());
    pictures.clear();
    assert!(payloads(&mut pictures, second, &row(3, "mono8", 2, &[6, 7])).is_empty());
    let idle = pictures.idle(Key::Data, 0);
    assert_eq!((idle[12], idle.len()), (2, 16 + 16 + 1 + 16 + 2));
}

fn names(sec: i32) -> Vec<u8> {
    let class = |class_id, name: &str| VisionClass { class_id, class_name: name.to_owned() };
    let class_map = vec![class(1, "box"), class(2, "car"), class(3, "man")];
    LabelInfo { header: header(sec), class_map, threshold: 0.0 }.encode_to_vec()
}

#[test]
fn an_image_of_classes_has_the_names_of_its_time() {
    let pixels = [1, 0, 0, 0, 3, 0, 44, 1];
    let mut classes = cameras::Classes::new(config(4, PixelFormat::L16), Vec::new());
    assert!(payloads(&mut classes, Slot::Classes, &names(1)).is_empty());
    assert!(payloads(&mut classes, Slot::Main, &row(2, "mono16", 4, &pixels)).is_empty());
    let sent = payloads(&mut classes, Slot::Classes, &names(2)).pop().expect("an image");
    assert_eq!((&sent[..4], &sent[28..36], sent[36]), (&b"SWAR"[..], &pixels[..], 3));
    // In the other order.
    assert!(payloads(&mut classes, Slot::Classes, &names(3)).is_empty());
    assert_eq!(payloads(&mut classes, Slot::Main, &row(3, "mono16", 4, &pixels)).len(), 1);
    let idle = classes.idle(Key::Data, 0);
    assert_eq!((idle[20], idle[28..].to_vec()), (2, vec![0; 8 + 4]));
    let wrong = classes.convert(Slot::Main, &row(4, "mono8", 4, &[0; 4])).expect_err("an error");
    assert!(wrong.0.contains("not numbers of 16 bits"), "{wrong:?}");
}

#[test]
fn classes_that_are_not_wanted_are_0() {
    let wanted = vec!["man".to_owned(), "dog".to_owned()];
    let mut classes = cameras::Classes::new(config(4, PixelFormat::L16), wanted);
    let pixels = [1, 0, 0, 0, 3, 0, 44, 1];
    assert!(payloads(&mut classes, Slot::Main, &row(1, "mono16", 4, &pixels)).is_empty());
    let sent = payloads(&mut classes, Slot::Classes, &names(1)).pop().expect("an image");
    assert_eq!(sent[28..], [0, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 3, 0, b'm', b'a', b'n']);
}

#[test]
fn each_module_sends_on_its_own_port() {
    let configs = [
        (Module::Color, ModuleConfig::Image(config(1, PixelFormat::Rgb8))),
        (Module::Imu, ModuleConfig::Imu("imu".into())),
    ];
    let mut modules = modules::Modules::new(&configs);
    let color =
        modules.convert(Slot::Module(Module::Color), &row(1, "rgb8", 1, &[1, 2, 3])).expect("an image");
    assert_eq!((color[0].0, &color[0].1[28..]), (Key::ModuleData(Module::Color), &[1, 2, 3][..]));
    let imu = sensor_msgs::Imu { header: header(2), ..Default::default() }.encode_to_vec();
    let imu = modules.convert(Slot::Module(Module::Imu), &imu).expect("a message");
    assert_eq!(imu[0].0, Key::ModuleData(Module::Imu));
    let read = msgs::Imu::decode(&*imu[0].1).expect("an Imu");
    assert_eq!(
        (read.entity_name.as_str(), read.header.and_then(|header| header.stamp)),
        ("imu", Some(Time { sec: 2, nsec: 0 }))
    );
    assert!(modules.convert(Slot::Module(Module::Depth), &[]).expect("nothing").is_empty());
    assert_eq!(modules.idle(Key::ModuleData(Module::Color), 0).len(), 28 + 3);
    let idle = modules.idle(Key::ModuleData(Module::Imu), 0);
    assert_eq!(msgs::Imu::decode(&*idle).expect("an Imu").entity_name, "imu");
}
