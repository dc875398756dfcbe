//! Cameras through their C functions: what happens if an adapter fails.

use std::time::Duration;

use bridgehead_plugin_api::messages::sensor_msgs::Image;
use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};
use bridgehead_render::{Choice, Renderer};

use super::{Color, Sensor};
use crate::{skip, studio};

/// The software driver by its name. Cameras that choose adapters by equal texts share one, so each test writes its own.
fn adapter(text: &'static str) -> Option<&'static str> {
    match Renderer::new(&Choice::parse(text)) {
        Ok(_) => Some(text),
        Err(error) => {
            skip::missing(&error.to_string());
            None
        }
    }
}

fn sensor(adapter: &str, width: &str) -> TestHostBuilder {
    TestHost::builder()
        .vehicle("car1")
        .link("chassis")
        .parent_link("chassis")
        .element("eye")
        .update_period(Duration::from_millis(100))
        .params([
            ("camera/image/width", width),
            ("camera/image/height", "2"),
            ("bridgehead:adapter", adapter),
            ("bridgehead:latency", "0"),
        ])
}

fn started(adapter: &str, width: &str) -> TestModel<Sensor<Color>> {
    let host = sensor(adapter, width).build();
    host.listen("camera/image_raw");
    TestModel::started(host)
}

fn images(model: &TestModel<Sensor<Color>>) -> usize {
    model.host().decoded::<Image>("camera/image_raw").len()
}

#[test]
fn a_lost_adapter_costs_the_images_that_it_was_to_draw_and_rays_go_on() {
    let Some(adapter) = adapter("LLVMpipe") else { return };
    let mut model = started(adapter, "8");
    model.run(100).expect_done();
    assert_eq!((images(&model), model.host().lost()), (1, 0));
    let shared = studio::open(&Choice::parse(adapter)).expect("that of the camera");
    studio::lock(&shared).renderer.lose();
    model.run(100).expect_done();
    assert_eq!((images(&model), model.host().lost()), (1, 1));
    model.run(300).expect_done();
    assert_eq!((images(&model), model.host().lost()), (4, 1));
    let log: Vec<String> = model.host().log_lines().into_iter().map(|line| line.text).collect();
    let told =
        log.iter().filter(|line| line.contains("[BH-DRW-002]") && line.contains("made of rays")).count();
    assert_eq!(told, 1, "{log:?}");
    // The next camera gets a new device as soon as no camera has the lost one.
    drop((model, shared));
    let mut next = started(adapter, "8");
    next.run(100).expect_done();
    assert_eq!((images(&next), next.host().lost()), (1, 0));
}

#[test]
fn an_image_that_is_too_large_for_the_adapter_leaves_it_to_other_cameras() {
    let Some(adapter) = adapter("llvmPIPE") else { return };
    let mut wide = started(adapter, "70000");
    let mut other = started(adapter, "8");
    for model in [&mut wide, &mut other] {
        model.run(200).expect_done();
    }
    assert_eq!((images(&wide), wide.host().lost()), (1, 1));
    let log = wide.host().log_lines();
    assert!(log.iter().any(|line| line.text.contains("[BH-DRW-003]")), "{log:?}");
    assert_eq!((images(&other), other.host().lost()), (2, 0));
}
