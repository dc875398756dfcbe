//! What is printed is read as the same world.

use super::{print, print_passive};
use crate::files::InMemory;
use crate::{Budget, Loaded, SearchPath, load_with};
use std::path::Path;

const ARM: &str = "<sdf version='1.9'><model name='arm'><link name='upper'><pose>0 0 1 0 0 0.5</pose></link>\
    <link name='hand'><pose relative_to='upper'>0.5 0 0 0 0 0</pose><inertial><mass>2</mass></inertial></link>\
    <joint name='wrist' type='revolute'><parent>upper</parent><child>hand</child><pose>0 0 0.1 0 0 0</pose>\
    <axis><xyz expressed_in='__model__'>0 1 0</xyz><limit><lower>-1</lower><upper>2</upper>\
    <stiffness>40</stiffness></limit></axis></joint>\
    <frame name='grip' attached_to='hand'><pose>0.1 0 0 0 0 0</pose></frame></model></sdf>";

const WORLD: &str = "<sdf version='1.6'><world name='w'><gravity>0 0 -3</gravity>\
    <include><uri>arm.sdf</uri><name>left</name><pose>1 2 0 0 0 0</pose></include>\
    <model name='cart'><pose>0 0 2 0 0 0</pose><static>true</static><link name='body'><visual name='v'><geometry>\
    <mesh><uri>body.stl</uri></mesh></geometry></visual></link>\
    <include merge='true'><uri>arm.sdf</uri><pose>0 0 1 0 0 0</pose></include></model></world></sdf>";

fn read(text: &str) -> Loaded {
    let files = files().with("/w/world.sdf", text);
    load_with(&files, Path::new("/w/world.sdf"), &SearchPath::default(), &Budget::default()).expect("a world")
}

fn files() -> InMemory {
    InMemory::new().with("/w/arm.sdf", ARM).with("/w/body.stl", "solid")
}

/// The models with all poses, as text with few digits and without negative zeros.
fn summary(loaded: &Loaded) -> Vec<String> {
    let mut lines = Vec::new();
    for model in &loaded.world.models {
        lines.push(format!("{} {:.6?} {}", model.name, model.pose, model.is_static));
        for link in &model.links {
            lines.push(format!("{} {:.6?} {}", link.name, link.pose, link.inertial.mass));
        }
        for joint in &model.joints {
            let axis = joint.axis.as_ref().map(|axis| (axis.direction_in_model, axis.limit));
            lines.push(format!("{} {:.6?} {:?} {axis:.6?}", joint.name, joint.pose, joint.child));
        }
        lines.extend(
            model.frames.iter().map(|frame| format!("{} {:.6?} {:?}", frame.name, frame.pose, frame.link)),
        );
    }
    lines.iter().map(|line| line.replace("-0.000000", "0.000000")).collect()
}

#[test]
fn a_printed_world_is_read_as_the_same_world_without_its_files() {
    let loaded = read(WORLD);
    let printed = print(&loaded, &SearchPath::default(), &files());
    assert!(!printed.contains("<include"), "{printed}");
    assert!(printed.contains("<uri>/w/body.stl</uri>"), "{printed}");
    let again = read(&printed);
    assert!(again.is_clean(), "{:?}\n{printed}", again.diagnostics);
    assert_eq!(summary(&again), summary(&loaded), "{printed}");
    assert_eq!(again.world.gravity, loaded.world.gravity);
    assert_eq!(print(&again, &SearchPath::default(), &files()), printed, "printing twice changes nothing");
}

#[test]
fn texts_are_escaped() {
    let loaded = read(
        "<sdf version='1.9'><world name='a &amp; b'><plugin name='p' filename='x'><text>1 &lt; 2</text></plugin></world></sdf>",
    );
    let printed = print(&loaded, &SearchPath::default(), &files());
    assert!(
        printed.contains("<world name=\"a &amp; b\">") && printed.contains("<text>1 &lt; 2</text>"),
        "{printed}"
    );
    assert_eq!(read(&printed).world.name, "a & b");
}

#[test]
fn a_passive_world_has_no_sensors_and_plugins_but_what_cameras_see() {
    let plugin = |system: &str, content: &str| {
        format!("<plugin filename='gz-sim-{system}-system' name='{system}'>{content}</plugin>")
    };
    let (label, thermal) =
        (plugin("label", "<label>5</label>"), plugin("thermal", "<temperature>300</temperature>"));
    let (acting, sensor) = (plugin("pose-publisher", ""), "<sensor name='s' type='imu'/>");
    let text = format!(
        "<sdf version='1.9'><world name='w'>{acting}<model name='m'>{acting}{label}<link name='a'>{sensor}<visual name='v'>\
         <geometry><empty/></geometry>{thermal}{acting}</visual></link><link name='b'/><joint name='j' type='revolute'>\
         <parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis>{sensor}</joint><model name='n'>{acting}\
         <link name='l'>{sensor}</link></model></model><actor name='walker'><script/>{acting}{label}</actor></world></sdf>"
    );
    let loaded = read(&text);
    let printed = print_passive(&loaded, &SearchPath::default(), &files());
    assert_eq!(
        (printed.matches("<sensor").count(), printed.matches("\"pose-publisher\"").count()),
        (0, 0),
        "{printed}"
    );
    assert_eq!((printed.matches("label-system").count(), printed.matches("thermal-system").count()), (2, 1));
    assert_eq!(summary(&read(&printed)), summary(&loaded));
    let all = print(&loaded, &SearchPath::default(), &files());
    assert_eq!((all.matches("<sensor").count(), all.matches("\"pose-publisher\"").count()), (3, 5), "{all}");
}
