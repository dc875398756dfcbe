//! Lights, visuals and the scene of a resolved world.

use super::*;
use crate::element::{LightKind, Scene};
use crate::{Budget, InMemory, SearchPath, load_with};

#[test]
fn lights_of_the_world_are_posed_in_it() {
    let (world, diagnostics) = world(&format!(
        "<frame name='corner'><pose>10 0 0 0 0 {QUARTER}</pose></frame>
         <light name='a'><pose>1 2 3 0 0 0</pose></light>
         <light name='b'><pose relative_to='corner'>1 0 2 0 0 0</pose></light>
         <model name='m'><pose>0 0 5 0 0 0</pose><link name='l'/></model>
         <light name='c' type='directional'><pose relative_to='m::l'>0 0 1 0 0 0</pose></light>"
    ));
    assert_eq!(diagnostics, []);
    let [a, b, c] = &world.lights[..] else { panic!("{:?}", world.lights) };
    assert_at(&a.pose, 1.0, 2.0, 3.0);
    assert_at(&b.pose, 10.0, 1.0, 2.0);
    assert_at(&c.pose, 0.0, 0.0, 6.0);
    assert_eq!((c.element.name.as_str(), c.element.kind), ("c", LightKind::Directional));
}

#[test]
fn lights_and_visuals_of_links_are_posed_in_their_link_also_in_nested_models() {
    let parts = |pose: &str| {
        format!(
            "<light name='lamp'><pose {pose}</pose></light>
             <visual name='v'><pose {pose}</pose><geometry><empty/></geometry></visual>"
        )
    };
    let model = clean(&format!(
        "<frame name='f'><pose>0 0 7 0 0 0</pose></frame>
         <link name='l'><pose>1 0 0 0 0 {QUARTER}</pose>{}</link>
         <model name='n'><pose>0 0 3 0 0 0</pose><link name='l'><pose>0 2 0 0 0 0</pose>{}</link></model>",
        parts("relative_to='f'>0 0 0 0 0 0"),
        parts(">1 0 0 0 0 0")
    ));
    let places = |link: &str| {
        let link = model.link(link).unwrap();
        (link.lights[0].pose, link.visuals[0].pose)
    };
    let (light, visual) = places("l");
    assert_at(&light, 0.0, 1.0, 7.0);
    assert_at(&visual, 0.0, 1.0, 7.0);
    let (light, visual) = places("n::l");
    assert_at(&light, 1.0, 0.0, 0.0);
    assert_at(&visual, 1.0, 0.0, 0.0);
    let in_world = model.link_pose_world(model.link("n::l").unwrap()).compose(&light);
    assert_at(&in_world, 1.0, 2.0, 3.0);
}

#[test]
fn included_models_and_lights_keep_their_appearance() {
    let lamp = "<sdf version='1.9'><model name='lamp'><link name='l'>
        <light name='bulb' type='spot'><pose>0 0 2 0 0 0</pose><spot><outer_angle>0.5</outer_angle></spot></light>
        <visual name='v'><geometry><empty/></geometry><material><emissive>1 1 0 1</emissive></material></visual>
        </link></model></sdf>";
    let sun =
        "<sdf version='1.9'><light name='sun' type='directional'><intensity>3</intensity></light></sdf>";
    let world = "<sdf version='1.9'><world name='w'><scene><grid>0</grid></scene>
        <include><uri>sun.sdf</uri><pose>0 0 10 0 0 0</pose></include>
        <model name='car'><pose>5 0 0 0 0 0</pose><include><uri>lamp.sdf</uri><pose>0 1 0 0 0 0</pose></include></model>
        </world></sdf>";
    let files = InMemory::new().with("/lamp.sdf", lamp).with("/sun.sdf", sun).with("/w.sdf", world);
    let loaded = load_with(&files, "/w.sdf".as_ref(), &SearchPath::default(), &Budget::default()).unwrap();
    assert_eq!(loaded.diagnostics, []);
    let world = &loaded.world;
    assert_at(&world.lights[0].pose, 0.0, 0.0, 10.0);
    assert_eq!((world.lights[0].element.name.as_str(), world.lights[0].element.intensity), ("sun", 3.0));
    let link = world.models[0].link("lamp::l").unwrap();
    let (bulb, visual) = (&link.lights[0], &link.visuals[0]);
    assert_eq!(bulb.element.spot.outer_angle, 0.5);
    assert_at(&world.models[0].link_pose_world(link).compose(&bulb.pose), 5.0, 1.0, 2.0);
    assert_eq!(visual.element.material.as_ref().unwrap().emissive, Some([1.0, 1.0, 0.0, 1.0]));
    assert_eq!(world.scene, Scene { grid: false, ..Scene::default() });
}
