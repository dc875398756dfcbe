//! The appearance of a world as JSON.

use super::reading;
use crate::{Budget, InMemory, SearchPath, load_with, parse_str};
use serde_json::{Value, json};

/// The JSON of a world with this inside.
fn world(content: &str) -> Value {
    let text = format!("<sdf version='1.9'><world name='w'>{content}</world></sdf>");
    let files = InMemory::new().with("/w.sdf", text).with("/wood.png", "").with("/h.png", "");
    let outcome = load_with(&files, "/w.sdf".as_ref(), &SearchPath::default(), &Budget::default());
    let reading = reading("w.sdf", &outcome);
    assert_eq!(reading["diagnostics"], json!([]));
    reading["worlds"][0].clone()
}

fn visual(content: &str) -> Value {
    let link = format!("<link name='l'><pose>0 0 1 0 0 0</pose><visual name='v'>{content}</visual></link>");
    world(&format!("<model name='m'>{link}</model>"))["models"][0]["links"][0]["visuals"][0].clone()
}

const EMPTY: &str = "<geometry><empty/></geometry>";

#[test]
fn a_plain_visual_has_the_defaults_and_no_material_or_label() {
    let expected = json!({
        "name": "v",
        "pose_world": [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0],
        "geometry": { "type": "empty" },
        "transparency": 0.0,
        "cast_shadows": true,
        "visibility_flags": 4_294_967_295_u32,
        "laser_retro": 0.0,
    });
    assert_eq!(visual(EMPTY), expected);
}

#[test]
fn every_value_of_a_visual_is_listed() {
    let expected = json!({
        "name": "v",
        "pose_world": [1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0],
        "geometry": { "type": "empty" },
        "transparency": 0.25,
        "cast_shadows": false,
        "visibility_flags": 3,
        "laser_retro": 5.0,
        "label": 7,
        "temperature": 285.5,
        "material": {
            "ambient": null,
            "diffuse": [0.1, 0.2, 0.3, 1.0],
            "specular": null,
            "emissive": null,
            "shininess": 8.0,
            "double_sided": true,
            "lighting": false,
            "render_order": 1.0,
            "script": { "name": "Gazebo/Red", "uris": ["file://a"] },
            "pbr": {
                "workflow": "metal",
                "roughness": 0.25,
                "metalness": 0.5,
                "roughness_map": null,
                "metalness_map": null,
                "albedo_map": "wood.png",
                "normal_map": null,
                "normal_in_object_space": false,
                "ambient_occlusion_map": null,
                "environment_map": null,
                "emissive_map": null,
                "light_map": "wood.png",
                "light_uv_set": 1,
            },
        },
    });
    let found = visual(&format!(
        "<pose>1 0 0 0 0 0</pose>{EMPTY}<transparency>0.25</transparency><cast_shadows>0</cast_shadows>
         <visibility_flags>3</visibility_flags><laser_retro>5</laser_retro><bridgehead:label>7</bridgehead:label>
         <plugin filename='gz-sim-thermal-system' name='t'><temperature>285.5</temperature></plugin>
         <material><diffuse>0.1 0.2 0.3</diffuse><shininess>8</shininess><double_sided>1</double_sided>
         <lighting>0</lighting><render_order>1</render_order>
         <script><uri>file://a</uri><name>Gazebo/Red</name></script>
         <pbr><metal><albedo_map>wood.png</albedo_map><light_map uv_set='1'>wood.png</light_map>
         <roughness>0.25</roughness></metal></pbr></material>"
    ));
    assert_eq!(found, expected);
}

#[test]
fn the_specular_workflow_has_its_own_values() {
    let found = visual(&format!(
        "{EMPTY}<material><pbr><specular><glossiness>0.5</glossiness><specular_map>wood.png</specular_map></specular>
         </pbr></material>"
    ));
    let pbr = &found["material"]["pbr"];
    let own =
        ["workflow", "glossiness", "glossiness_map", "specular_map", "roughness"].map(|key| pbr[key].clone());
    assert_eq!(json!(own), json!(["specular", 0.5, null, "wood.png", null]));
}

#[test]
fn a_heightmap_has_its_textures_and_blends() {
    let found = visual(
        "<geometry><heightmap><uri>h.png</uri><size>4 4 1</size>
         <texture><size>2</size><diffuse>wood.png</diffuse></texture>
         <blend><min_height>0.5</min_height><fade_dist>0.25</fade_dist></blend></heightmap></geometry>",
    );
    let expected = json!({
        "type": "heightmap",
        "uri": "h.png",
        "size": [4.0, 4.0, 1.0],
        "pos": [0.0, 0.0, 0.0],
        "textures": [{ "size": 2.0, "diffuse": "wood.png", "normal": null }],
        "blends": [{ "min_height": 0.5, "fade_dist": 0.25 }],
    });
    assert_eq!(found["geometry"], expected);
}

#[test]
fn lights_of_worlds_links_and_files_have_the_same_form() {
    let light = "<light name='a' type='spot'><pose>0 0 1 0 0 0</pose><diffuse>1 0 0 1</diffuse>
        <attenuation><range>7</range></attenuation><spot><inner_angle>0.5</inner_angle></spot></light>";
    let expected = |height: f64| {
        json!({
            "name": "a",
            "pose_world": [0.0, 0.0, height, 1.0, 0.0, 0.0, 0.0],
            "type": "spot",
            "direction": [0.0, 0.0, -1.0],
            "diffuse": [1.0, 0.0, 0.0, 1.0],
            "specular": [0.1, 0.1, 0.1, 1.0],
            "intensity": 1.0,
            "light_on": true,
            "visualize": true,
            "cast_shadows": false,
            "attenuation": { "range": 7.0, "constant": 1.0, "linear": 1.0, "quadratic": 0.0 },
            "spot": { "inner_angle": 0.5, "outer_angle": 0.0, "falloff": 0.0 },
        })
    };
    let model = format!("<model name='m'><pose>0 0 1 0 0 0</pose><link name='l'>{light}</link></model>");
    let found = world(&format!("{light}{model}"));
    assert_eq!(found["lights"], json!([expected(1.0)]));
    assert_eq!(found["models"][0]["links"][0]["lights"], json!([expected(2.0)]));
    let alone = parse_str("l.sdf", &format!("<sdf version='1.9'>{light}</sdf>"));
    assert_eq!(reading("l.sdf", &alone)["light"], expected(1.0));
}

#[test]
fn the_scene_is_listed_with_its_defaults() {
    let plain = json!({
        "ambient": [0.4, 0.4, 0.4, 1.0],
        "background": [0.7, 0.7, 0.7, 1.0],
        "shadows": true,
        "grid": true,
        "sky": null,
        "fog": null,
    });
    assert_eq!(world("")["scene"], plain);
    let full = world("<scene><sky/><fog><type>linear</type></fog></scene>");
    assert_eq!(full["scene"]["sky"], json!({ "time": 10.0, "sunrise": 6.0, "sunset": 20.0 }));
    let fog = json!({ "type": "linear", "color": [1.0, 1.0, 1.0, 1.0], "start": 1.0, "end": 100.0, "density": 1.0 });
    assert_eq!(full["scene"]["fog"], fog);
}

/// The names are those that libsdformat reports.
#[test]
fn a_sensor_is_listed_with_the_present_name_of_its_type() {
    let listed = |attributes: &str| {
        let sensor = format!("<sensor name='s' {attributes}/>");
        world(&format!("<model name='m'><link name='l'>{sensor}</link></model>"))["models"][0]["links"][0]["sensors"]
            [0]["type"]
            .clone()
    };
    for (written, present) in [
        ("wideanglecamera", "wide_angle_camera"),
        ("wide_angle_camera", "wide_angle_camera"),
        ("ray", "lidar"),
        ("gpu_ray", "gpu_lidar"),
        ("gps", "navsat"),
        ("depth", "depth_camera"),
        ("camera", "camera"),
        ("radar", "radar"),
    ] {
        assert_eq!(listed(&format!("type='{written}'")), present, "{written}");
    }
    assert_eq!(listed("type='custom' gz:type='dvl'"), "dvl");
}
