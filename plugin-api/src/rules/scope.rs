//! Names of links and joints as a plugin writes them: seen from its own model. Pure.

/// Returns the index of the element that a plugin of `model` means by `name`.
///
/// `known` are names relative to the vehicle, scoped by the nested models between them: `arm::hand::finger`. `model` is
/// the scoped name of the plugin's own model, which begins with that of the vehicle. A name of the own model precedes one
/// of the vehicle, and so does the only element of that name in a model nested in the own one.
#[must_use]
pub fn scoped_name(vehicle: &str, model: &str, name: &str, known: &[String]) -> Option<usize> {
    let scope = model.strip_prefix(vehicle).and_then(|inside| inside.strip_prefix("::")).unwrap_or_default();
    let own = if scope.is_empty() { String::new() } else { format!("{scope}::") };
    let position = |wanted: &str| known.iter().position(|known| known == wanted);
    let nested = || {
        let ending = format!("::{name}");
        let mut inside = known.iter().enumerate();
        let is_it = |(_, known): &(usize, &String)| known.starts_with(&own) && known.ends_with(&ending);
        let first = inside.find(is_it)?;
        inside.find(is_it).is_none().then_some(first.0)
    };
    let of_nested_plugin = || if own.is_empty() { None } else { nested() };
    position(&format!("{own}{name}")).or_else(of_nested_plugin).or_else(|| position(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(model: &str, name: &str) -> Option<String> {
        let known =
            ["wheel", "cart::wheel", "cart::arm::wheel", "cart::arm::hand", "left::tip", "right::tip"];
        let known = known.map(str::to_owned);
        scoped_name("robot", model, name, &known).map(|index| known[index].clone())
    }

    #[test]
    fn a_name_is_that_of_the_own_model_first() {
        for (model, name, expected) in [
            ("robot", "wheel", "wheel"),
            ("robot", "cart::wheel", "cart::wheel"),
            ("robot::cart", "wheel", "cart::wheel"),
            ("robot::cart", "arm::wheel", "cart::arm::wheel"),
            ("robot::cart::arm", "wheel", "cart::arm::wheel"),
            ("robot::cart", "hand", "cart::arm::hand"),
            ("robot::cart", "left::tip", "left::tip"),
        ] {
            assert_eq!(found(model, name).as_deref(), Some(expected), "{name} of {model}");
        }
    }

    #[test]
    fn other_models_are_not_searched() {
        for (model, name) in [("robot", "hand"), ("robot", "tip"), ("robot::cart", "tip"), ("", "finger")] {
            assert_eq!(found(model, name), None, "{name} of {model}");
        }
    }
}
