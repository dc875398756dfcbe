//! Selectors of elements for rows of the table, such as `wheel/location[@type='left']`.
//! Only the table has selectors, so errors in them are found by tests; a malformed one selects nothing. Any thread.

use bridgehead_sdf::params::Params;

/// One step: a name, and an attribute that must have a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step<'a> {
    name: &'a str,
    condition: Option<(&'a str, &'a str)>,
}

impl<'a> Step<'a> {
    fn parse(text: &'a str) -> Self {
        let condition = text.split_once("[@").and_then(|(name, rest)| {
            let (attribute, value) = rest.strip_suffix("']")?.split_once("='")?;
            Some((name, (attribute, value)))
        });
        match condition {
            Some((name, condition)) => Step { name, condition: Some(condition) },
            None => Step { name: text, condition: None },
        }
    }

    fn selects(self, node: &Params) -> bool {
        let is_met = |(attribute, value)| node.attribute(attribute) == Some(value);
        node.name() == self.name && self.condition.is_none_or(is_met)
    }
}

/// Removes the selected elements from a tree, in document order, together with parents that become empty.
pub(super) fn take(tree: &mut Params, selector: &str) -> Vec<Params> {
    let steps: Vec<Step<'_>> = selector.split('/').map(Step::parse).collect();
    let mut taken = Vec::new();
    take_steps(tree, &steps, &mut taken);
    taken
}

fn take_steps(node: &mut Params, steps: &[Step<'_>], taken: &mut Vec<Params>) {
    let Some((step, below)) = steps.split_first() else { return };
    node.retain_children(|child| {
        if !step.selects(child) {
            return true;
        }
        if below.is_empty() {
            taken.push(std::mem::take(child));
            return false;
        }
        let before = taken.len();
        take_steps(child, below, taken);
        taken.len() == before || !child.is_empty()
    });
}

/// Returns copies of the selected elements, in document order. A last step that begins with `@` selects an attribute,
/// which becomes an element with its value as text.
pub(super) fn find(tree: &Params, selector: &str) -> Vec<Params> {
    let (path, attribute) = match selector.split_once("/@") {
        Some((path, attribute)) => (path, Some(attribute)),
        None => (selector, None),
    };
    let found = path.split('/').map(Step::parse).fold(vec![tree], |nodes, step| {
        nodes.into_iter().flat_map(Params::children).filter(|node| step.selects(node)).collect()
    });
    let Some(attribute) = attribute else { return found.into_iter().cloned().collect() };
    let value = |node: &Params| {
        let value = Params::new(attribute).with_text(node.attribute(attribute)?);
        Some(match node.place() {
            Some(place) => value.with_place(place.file.clone(), place.line),
            None => value,
        })
    };
    found.into_iter().filter_map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Params {
        let location =
            |side: &str, text: &str| Params::new("location").with_attribute("type", side).with_text(text);
        let wheel = Params::new("wheel").with_child(location("left", "l")).with_child(location("right", "r"));
        Params::new("plugin").with_child(wheel).with_child(Params::new("rate").with_text("5"))
    }

    #[test]
    fn a_condition_chooses_among_elements_of_one_name() {
        let mut tree = tree();
        let taken = take(&mut tree, "wheel/location[@type='right']");
        assert_eq!(taken.iter().map(Params::text).collect::<Vec<_>>(), ["r"]);
        assert_eq!(tree.get("wheel/location"), Some("l"), "the other one stays");
    }

    #[test]
    fn an_emptied_parent_is_removed_too() {
        let mut tree = tree();
        assert_eq!(take(&mut tree, "wheel/location").len(), 2);
        assert_eq!(tree.count("wheel"), 0);
        assert_eq!(tree.count("rate"), 1);
    }

    #[test]
    fn a_missing_element_changes_nothing() {
        let mut tree = tree();
        assert!(take(&mut tree, "wheel/radius").is_empty());
        assert_eq!(tree, self::tree());
    }

    #[test]
    fn found_elements_stay_and_attributes_are_found_too() {
        let tree = tree();
        let texts = |selector: &str| {
            find(&tree, selector).iter().map(|node| node.text().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(texts("wheel/location"), ["l", "r"]);
        assert_eq!(texts("wheel/location[@type='left']"), ["l"]);
        assert_eq!(texts("wheel/location/@type"), ["left", "right"]);
        assert_eq!(texts("wheel/location/@colour"), [""; 0]);
        assert_eq!(texts("rate"), ["5"]);
        assert_eq!(tree, self::tree());
    }
}
