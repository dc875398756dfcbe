//! The appearance of a saved world that is loaded again.

use super::*;
use crate::reading;
use serde_json::Value;

/// A world with every kind of appearance; the indentation and the comments are to be kept.
const PAINTED: &str = r#"<sdf version="1.9" xmlns:bridgehead="urn:bridgehead:sdf">
  <world name="w">
    <scene> <ambient>0.1 0.2 0.3</ambient><!-- dim --><sky><time>18</time><clouds/></sky>
      <fog><type>linear</type><density>0.5</density></fog></scene>
    <light name="sun" type="directional"><attenuation><range>99</range></attenuation></light>
    <model name="box">
      <bridgehead:label>3</bridgehead:label>
      <link name="l">
        <light name="lamp" type="spot"><spot><inner_angle>.25</inner_angle></spot></light>
        <visual name="v"> <geometry><heightmap><uri>h.png</uri><texture><size>2</size></texture></heightmap></geometry>
          <material><diffuse>.5 0 0</diffuse><script><name>Gazebo/Red</name></script><shader type="pixel"/>
            <pbr><metal><albedo_map>wood.png</albedo_map><roughness>.75</roughness></metal></pbr></material>
          <plugin filename="gz-sim-label-system" name="gz::sim::systems::Label"><label>10</label></plugin>
          <laser_retro>7</laser_retro></visual>
      </link>
    </model>
  </world>
</sdf>
"#;

/// The worlds of a reading without poses and directions in the world.
fn content(loaded: Loaded) -> Value {
    let mut value = reading("w.sdf", &Ok(loaded))["worlds"].take();
    remove_poses(&mut value);
    value
}

fn remove_poses(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| name != "pose_world" && name != "xyz_world");
            fields.values_mut().for_each(remove_poses);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_poses),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn a_painted_world_is_saved_with_its_appearance() {
    let loaded = || parse_str("w.sdf", PAINTED).unwrap();
    let search = SearchPath::default();
    let unchanged = save(&loaded(), &[], &InMemory::new(), &search).unwrap();
    assert_eq!(unchanged.text, PAINTED);
    let moved =
        save(&loaded(), &[place("box", pose(1.0, 2.0, 3.0, 0.5))], &InMemory::new(), &search).unwrap();
    assert_eq!(moved.findings, []);
    let again = parse_str("w.sdf", &moved.text).unwrap();
    assert_eq!(again.diagnostics.len(), loaded().diagnostics.len());
    assert_eq!(content(again), content(loaded()));
    let text = moved.text.lines().filter(|line| !line.contains("<pose>")).collect::<Vec<_>>().join("\n");
    assert_eq!(text.trim(), PAINTED.trim(), "all other lines are unchanged");
}

#[test]
fn worlds_of_the_field_have_the_same_appearance_after_a_model_was_moved() {
    let Some(folder) = crate::skip::shared("sdf") else { return };
    let mut compared = 0;
    let search = SearchPath::new([folder.join("models")]);
    for path in field() {
        let Ok(loaded) = load(&path, &search, &Budget::default()) else { continue };
        let own = |model: &&Model| element_of(model, &loaded.document).is_some();
        let Some(model) = loaded.world.models.iter().find(own) else { continue };
        let target = Pose { position: model.pose.position + DVec3::X, ..model.pose };
        let Ok(saved) = save(&loaded, &[place(&model.name, target)], &Disk, &search) else { continue };
        let source = Source::from_file(&path, saved.text.as_str());
        let again = load_source(&Disk, source, &search, &Budget::default()).unwrap();
        assert!(content(again) == content(loaded), "{}", path.display());
        compared += 1;
    }
    assert!(compared > 90, "{compared} worlds were compared");
}
