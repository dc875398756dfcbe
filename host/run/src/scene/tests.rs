//! Revisions and readers, without a world.

use std::sync::mpsc::channel;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_sdf::parse_str;

use super::*;
use crate::bus::Moment;

const WORLD: &str = "<sdf version='1.9'><world name='w'><light name='sun' type='directional'/>
    <model name='box'><pose>1 2 3 0 0 0</pose><link name='l'><visual name='v'><geometry><box><size>1 2 3</size></box>
    </geometry></visual></link></model></world></sdf>";

fn read(scene: &Scene) -> own::Scene {
    let (sender, receiver) = channel();
    assert!(scene.read(move |payload| drop(sender.send(payload))));
    let payload = receiver.recv().expect("a scene");
    own::Scene::decode(&*payload).expect("decoded")
}

#[test]
fn a_scene_changes_by_revision() {
    let scene = Scene::default();
    assert_eq!((scene.revision(), read(&scene).revision), (0, 0));
    let world = parse_str("w.sdf", WORLD).expect("a world").world;
    scene.load(WorldPart::new(&world), world.models.iter().map(ModelPart::new).enumerate());
    let first = read(&scene);
    assert_eq!((first.revision, first.nodes.len(), first.visuals.len(), first.lights.len()), (1, 1, 1, 1));
    assert_eq!(first.visuals[0].r#type, own::SceneVisual::BOX);
    scene.add(7, ModelPart::new(&world.models[0]));
    assert_eq!((read(&scene).revision, read(&scene).nodes.len()), (2, 2));
    scene.remove(7);
    scene.remove(7);
    scene.unload();
    scene.unload();
    assert_eq!((scene.revision(), read(&scene).nodes.len()), (4, 0));
}

#[test]
fn one_block_serves_all_who_wait() {
    let scene = Scene::default();
    assert!(!scene.poses.is_wanted());
    let (sender, receiver) = channel();
    for _ in 0..3 {
        let sender = sender.clone();
        scene.poses.ask(move |block| drop(sender.send(Arc::clone(block))));
    }
    assert!(scene.poses.is_wanted());
    let now = Moment { step: 5, time_ns: 5_000_000, reset_epoch: 2 };
    scene.serve_poses(None, now);
    let blocks: Vec<Arc<PoseBlock>> = receiver.try_iter().collect();
    assert!(blocks.len() == 3 && blocks.iter().all(|block| Arc::ptr_eq(block, &blocks[0])));
    assert_eq!((blocks[0].moment, blocks[0].count, blocks[0].poses().count()), (now, 0, 0));
    assert!(!scene.poses.is_wanted());
}
