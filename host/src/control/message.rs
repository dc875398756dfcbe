//! Values of the run as messages, and the reverse. Plain functions.

use bridgehead_plugin_api::messages::{
    bridgehead_simulation_interfaces as own, builtin_interfaces, geometry_msgs, simulation_interfaces as si,
    std_msgs,
};
use bridgehead_scene::message::{vector, vector_of};
use bridgehead_sdf::element::{Category, EntityInfo};
use bridgehead_sdf::pose::DVec3;

use crate::sim::Simulation;
use crate::statistics::Figures;

/// Returns the frame of a request; empty for the world, whatever name the configuration gives it.
pub(super) fn frame_of(simulation: &Simulation, header: Option<std_msgs::Header>) -> String {
    let frame = header.unwrap_or_default().frame_id;
    if frame == simulation.config().control.frame { String::new() } else { frame }
}

/// Returns the information about an entity, as a message.
pub(super) fn info_message(info: &EntityInfo) -> si::EntityInfo {
    let number =
        CATEGORIES.iter().find(|(known, _)| *known == info.category).map_or(0, |(_, number)| *number);
    si::EntityInfo {
        category: Some(si::EntityCategory { category: number }),
        description: info.description.clone(),
        tags: info.tags.clone(),
    }
}

/// Returns the bounds at a named pose.
pub(super) fn pose_bounds(bounds: Option<bridgehead_sdf::element::PoseBounds>) -> si::Bounds {
    use bridgehead_sdf::element::PoseBounds;
    match bounds {
        None => si::Bounds::default(),
        Some(PoseBounds::Box { size }) => bounds_of(-size / 2.0, size / 2.0),
        Some(PoseBounds::Sphere { radius }) => si::Bounds {
            r#type: si::Bounds::TYPE_SPHERE,
            points: vec![vector(DVec3::ZERO), vector(DVec3::new(radius, 0.0, 0.0))],
        },
    }
}

/// Returns a time stamp as a message.
pub(crate) fn stamp(time_ns: i64) -> builtin_interfaces::Time {
    const SECOND: i64 = 1_000_000_000;
    builtin_interfaces::Time {
        sec: i32::try_from(time_ns.div_euclid(SECOND)).unwrap_or(i32::MAX),
        nanosec: u32::try_from(time_ns.rem_euclid(SECOND)).unwrap_or(0),
    }
}

/// Returns the vectors of a message.
pub(super) fn points(vectors: &[geometry_msgs::Vector3]) -> Vec<DVec3> {
    vectors.iter().map(vector_of).collect()
}

/// Returns a box as a message: the highest corner comes first.
pub(super) fn bounds_of(low: DVec3, high: DVec3) -> si::Bounds {
    si::Bounds { r#type: si::Bounds::TYPE_BOX, points: vec![vector(high), vector(low)] }
}

/// Figures as a message, in another unit.
pub(super) fn accumulator(name: &str, figures: &Figures, unit: f64) -> own::Accumulator {
    own::Accumulator {
        name: name.to_owned(),
        count: figures.count,
        min: figures.min * unit,
        max: figures.max * unit,
        mean: figures.mean * unit,
        std_deviation: figures.std_deviation * unit,
        p50: figures.p50 * unit,
        p99: figures.p99 * unit,
    }
}

/// Categories with their numbers in `simulation_interfaces/msg/EntityCategory`.
pub(super) const CATEGORIES: [(Category, u32); 5] = [
    (Category::Object, si::EntityCategory::CATEGORY_OBJECT),
    (Category::Robot, si::EntityCategory::CATEGORY_ROBOT),
    (Category::Human, si::EntityCategory::CATEGORY_HUMAN),
    (Category::DynamicObject, si::EntityCategory::CATEGORY_DYNAMIC_OBJECT),
    (Category::StaticObject, si::EntityCategory::CATEGORY_STATIC_OBJECT),
];

pub(super) fn category(number: u32) -> Option<Category> {
    CATEGORIES.iter().find(|(_, known)| *known == number).map(|(category, _)| *category)
}
