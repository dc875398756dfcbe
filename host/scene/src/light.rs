//! Lights and surroundings as messages.

use bridgehead_messages::bridgehead_simulation_interfaces as own;
use bridgehead_messages::std_msgs::ColorRgba;
use bridgehead_sdf::element::{Light, LightKind, Rgba, Scene};
use bridgehead_sdf::resolved::Placed;

use crate::message::{pose, vector};

/// Returns a light of a node, or of the world.
pub(crate) fn light(scope: &str, node: i32, placed: &Placed<Light>) -> own::SceneLight {
    let light = &placed.element;
    let name = if scope.is_empty() { light.name.clone() } else { format!("{scope}::{}", light.name) };
    let kind = match light.kind {
        LightKind::Point => own::SceneLight::POINT,
        LightKind::Spot => own::SceneLight::SPOT,
        LightKind::Directional => own::SceneLight::DIRECTIONAL,
    };
    own::SceneLight {
        name,
        node,
        pose: Some(pose(&placed.pose)),
        r#type: kind,
        direction: Some(vector(light.direction)),
        diffuse: Some(color(light.diffuse)),
        specular: Some(color(light.specular)),
        intensity: light.intensity,
        is_on: light.is_on,
        visualize: light.visualize,
        cast_shadows: light.cast_shadows,
        attenuation_range: light.attenuation.range,
        attenuation_constant: light.attenuation.constant,
        attenuation_linear: light.attenuation.linear,
        attenuation_quadratic: light.attenuation.quadratic,
        inner_angle: light.spot.inner_angle,
        outer_angle: light.spot.outer_angle,
        falloff: light.spot.falloff,
    }
}

/// Returns the surroundings of a `<scene>`.
pub(crate) fn surroundings(scene: &Scene) -> own::SceneSurroundings {
    let sky = scene.sky.clone().unwrap_or_default();
    let fog = scene.fog.as_ref();
    own::SceneSurroundings {
        ambient: Some(color(scene.ambient)),
        background: Some(color(scene.background)),
        sky: scene.sky.is_some(),
        time: sky.time,
        sunrise: sky.sunrise,
        sunset: sky.sunset,
        shadows: scene.shadows,
        grid: scene.grid,
        fog: fog.map(|fog| fog.kind.clone()).unwrap_or_default(),
        fog_color: fog.map(|fog| color(fog.color)),
        fog_start: fog.map_or(0.0, |fog| fog.start),
        fog_end: fog.map_or(0.0, |fog| fog.end),
        fog_density: fog.map_or(0.0, |fog| fog.density),
    }
}

pub(crate) fn color([r, g, b, a]: Rgba) -> ColorRgba {
    ColorRgba { r, g, b, a }
}
