//! Links that fixed joints hold to each other, which are one rigid body. Pure.

use bridgehead_sdf::element::JointKind;
use bridgehead_sdf::resolved::{Body, Model};

/// Returns for each link of a model the first link of its rigid body, by their indices.
pub(super) fn first_links(model: &Model) -> Vec<usize> {
    let mut first: Vec<usize> = (0..model.links.len()).collect();
    for joint in model.joints.iter().filter(|joint| joint.kind == JointKind::Fixed) {
        let (Body::Link(parent), Body::Link(child)) = (joint.parent, joint.child) else { continue };
        if parent < first.len() && child < first.len() {
            let (one, other) = (root(&first, parent), root(&first, child));
            first[one.max(other)] = one.min(other);
        }
    }
    (0..first.len()).map(|link| root(&first, link)).collect()
}

/// Follows the links to the first one, which refers to itself. Every link refers to an earlier one.
fn root(first: &[usize], mut link: usize) -> usize {
    while first[link] != link {
        link = first[link];
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model of `links` links, named by their numbers, with joints of a type between two of them.
    fn firsts(links: usize, joints: &[(&str, usize, usize)]) -> Vec<usize> {
        let links: String = (0..links).map(|link| format!("<link name='l{link}'/>")).collect();
        let joints: String = joints
            .iter()
            .enumerate()
            .map(|(index, (kind, parent, child))| {
                format!(
                    "<joint name='j{index}' type='{kind}'><parent>l{parent}</parent><child>l{child}</child>\
                     <axis><xyz>0 0 1</xyz></axis></joint>"
                )
            })
            .collect();
        let text = format!("<sdf version='1.9'><model name='m'>{links}{joints}</model></sdf>");
        let loaded = bridgehead_sdf::parse_str("m.sdf", &text).expect("a model");
        first_links(&loaded.world.models[0])
    }

    #[test]
    fn fixed_joints_make_one_body_in_any_order() {
        // A chain, in every order of its joints and of its two sides.
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            for turned in 0..8_usize {
                let joint = |at: usize| match turned >> at & 1 {
                    0 => ("fixed", at, at + 1),
                    _ => ("fixed", at + 1, at),
                };
                assert_eq!(firsts(5, &order.map(joint)), [0, 0, 0, 0, 4], "{order:?} {turned}");
            }
        }
        // A star and a loop.
        assert_eq!(firsts(4, &[("fixed", 3, 0), ("fixed", 3, 1), ("fixed", 3, 2)]), [0, 0, 0, 0]);
        assert_eq!(firsts(3, &[("fixed", 0, 1), ("fixed", 1, 2), ("fixed", 2, 0)]), [0, 0, 0]);
    }

    #[test]
    fn joints_that_move_divide_bodies() {
        for kind in ["revolute", "continuous", "prismatic", "ball", "universal", "screw"] {
            assert_eq!(firsts(4, &[("fixed", 0, 1), (kind, 1, 2), ("fixed", 2, 3)]), [0, 0, 2, 2], "{kind}");
        }
    }
}
