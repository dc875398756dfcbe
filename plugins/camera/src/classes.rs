//! Classes, objects and models of the visuals of a scene, for labels and boxes.

use std::collections::HashMap;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::Scene;

/// The object that a visual belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Object {
    /// Class, 0 to 255; 0 for what has no label.
    pub(crate) class: u8,
    /// Number among the objects of its class, from 1; 0 without a label.
    pub(crate) number: u16,
    /// Index of the object among all with a label.
    pub(crate) index: u32,
}

/// The objects of a scene: top-level models with a label.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classes {
    /// By the number of the visual; the first is for pixels that show nothing.
    objects: Vec<Object>,
    /// Class of each object.
    pub(crate) labels: Vec<u8>,
    /// Number of the top-level model, by the number of the visual.
    models: Vec<u16>,
    /// Names of the models, by their number less one.
    pub(crate) names: Vec<String>,
}

impl Classes {
    pub(crate) fn of(scene: &Scene) -> Self {
        let (models, names) = number_models(scene);
        let mut out = Classes { objects: vec![Object::default()], labels: Vec::new(), models, names };
        let mut known: HashMap<(&str, u8), Object> = HashMap::new();
        let mut counts: HashMap<u8, u16> = HashMap::new();
        for visual in &scene.visuals {
            let node = usize::try_from(visual.node).ok().and_then(|node| scene.nodes.get(node));
            let class = u8::try_from(visual.label.clamp(-1, 255)).ok();
            let object = match (class, node) {
                (Some(class), Some(node)) => {
                    *known.entry((node.entity.as_str(), class)).or_insert_with(|| {
                        let count = counts.entry(class).or_default();
                        *count = count.saturating_add(1);
                        out.labels.push(class);
                        let index = u32::try_from(out.labels.len() - 1).unwrap_or(u32::MAX);
                        Object { class, number: *count, index }
                    })
                }
                _ => Object::default(),
            };
            out.objects.push(object);
        }
        out
    }

    /// Returns the object of a visual by its number; one without a class for pixels that show nothing.
    pub(crate) fn object(&self, visual: u32) -> Object {
        self.objects.get(visual as usize).copied().unwrap_or_default()
    }

    /// Returns the number of the model of a visual, from 1; 0 for pixels that show nothing.
    pub(crate) fn model(&self, visual: u32) -> u16 {
        self.models.get(visual as usize).copied().unwrap_or_default()
    }
}

/// Numbers the models in the order of the scene. Returns the number of each visual's model, first 0 for nothing, and the
/// names. Models beyond what 16 bits can count have no number.
fn number_models(scene: &Scene) -> (Vec<u16>, Vec<String>) {
    let mut names = Vec::new();
    let mut known: HashMap<&str, u16> = HashMap::new();
    for node in &scene.nodes {
        if let (Ok(number), false) =
            (u16::try_from(names.len() + 1), known.contains_key(node.entity.as_str()))
        {
            known.insert(&node.entity, number);
            names.push(node.entity.clone());
        }
    }
    let of_visuals = scene.visuals.iter().map(|visual| {
        let node = usize::try_from(visual.node).ok().and_then(|node| scene.nodes.get(node));
        node.and_then(|node| known.get(node.entity.as_str())).copied().unwrap_or_default()
    });
    (std::iter::once(0).chain(of_visuals).collect(), names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{SceneNode, SceneVisual};

    /// A scene with a visual on each of these links, given by their models.
    fn scene(models: &[&str]) -> Scene {
        let node = |model: &&str| SceneNode { entity: (*model).to_owned(), ..SceneNode::default() };
        let visual = |node| SceneVisual { node, label: -1, ..SceneVisual::default() };
        Scene {
            nodes: models.iter().map(node).collect(),
            visuals: (0..).zip(models).map(|(index, _)| visual(index)).collect(),
            ..Scene::default()
        }
    }

    #[test]
    fn links_of_a_model_share_its_number_and_pixels_without_a_visual_have_none() {
        let classes = Classes::of(&scene(&["car", "box", "car", "ball"]));
        assert_eq!([0, 1, 2, 3, 4, 5].map(|visual| classes.model(visual)), [0, 1, 2, 1, 3, 0]);
        assert_eq!(classes.names, ["car", "box", "ball"]);
    }

    #[test]
    fn models_beyond_16_bits_have_no_number() {
        let names: Vec<String> = (0..65_537).map(|number| format!("m{number}")).collect();
        let classes = Classes::of(&scene(&names.iter().map(String::as_str).collect::<Vec<_>>()));
        assert_eq!([65_535, 65_536, 65_537].map(|visual| classes.model(visual)), [65_535, 0, 0]);
        assert_eq!(classes.names.len(), 65_535);
    }
}
