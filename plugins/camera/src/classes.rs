//! Classes and objects of the visuals of a scene, for labels and boxes.

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
}

impl Classes {
    pub(crate) fn of(scene: &Scene) -> Self {
        let mut out = Classes { objects: vec![Object::default()], labels: Vec::new() };
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
}
