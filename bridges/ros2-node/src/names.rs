//! Names of the host's topics and services in ROS 2.

/// Topics that are global in ROS, so they get no namespace.
const GLOBAL: [&str; 3] = ["/clock", "/tf", "/tf_static"];

/// Maps names of the host to names of ROS.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Empty, or an absolute name.
    namespace: String,
    remap: Vec<Remap>,
}

impl Names {
    /// Maps names into `namespace` (empty or absolute), after the rules of `remap`.
    pub fn new(namespace: String, remap: Vec<Remap>) -> Self {
        Names { namespace, remap }
    }

    /// Returns the absolute ROS name of a topic or service, given its absolute name in the host. The first matching
    /// rule applies; if a rule gives an absolute name, the namespace is not added. Letters that ROS does not allow
    /// become underscores.
    pub fn resolve(&self, name: &str) -> String {
        let remapped = self.remap.iter().find_map(|rule| rule.apply(name));
        let is_final = remapped.as_ref().is_some_and(|name| name.starts_with('/'));
        let name = remapped.as_deref().unwrap_or(name);
        if is_final || GLOBAL.contains(&name) {
            return usable(name);
        }
        usable(&format!("{}/{}", self.namespace, name.trim_start_matches('/')))
    }
}

/// One remapping rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remap {
    from: String,
    to: String,
    /// Whether both sides ended in `/*`, which matches all names below.
    is_prefix: bool,
}

impl Remap {
    /// Parses `FROM:=TO`. `FROM` is the host's name of a topic or service, with or without leading slash; `TO` is
    /// absolute or relative to the namespace.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.split_once(":=")?;
        let (from, to) = (from.trim(), to.trim());
        let (from, to, is_prefix) = match (from.strip_suffix("/*"), to.strip_suffix("/*")) {
            (Some(from), Some(to)) => (from, to, true),
            (None, None) => (from, to, false),
            _ => return None,
        };
        let from = format!("/{}", from.trim_start_matches('/'));
        let is_root = |name: &str| is_prefix && name.is_empty();
        let is_name = |name: &str| is_absolute(&format!("/{}", name.strip_prefix('/').unwrap_or(name)));
        let has_from = from.len() > 1 && !from.contains(['*', ';']) && !from.ends_with('/');
        let has_to = is_root(to) || (is_name(to) && !to.contains('*'));
        (has_from && has_to).then(|| Remap { from, to: to.to_owned(), is_prefix })
    }

    fn apply(&self, name: &str) -> Option<String> {
        let rest = name.strip_prefix(&self.from)?;
        match (self.is_prefix, rest.is_empty()) {
            (false, true) => Some(self.to.clone()),
            (true, false) if rest.starts_with('/') => Some(format!("{}{rest}", self.to)),
            _ => None,
        }
    }
}

/// Returns true if a name is absolute in ROS: tokens of letters, digits and underscores that do not begin with a
/// digit.
pub fn is_absolute(name: &str) -> bool {
    name.strip_prefix('/').is_some_and(|rest| rest.split('/').all(is_token))
}

fn is_token(part: &str) -> bool {
    let is_start = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
    part.starts_with(is_start) && part.chars().all(|letter| is_start(letter) || letter.is_ascii_digit())
}

/// Returns the closest name that ROS allows.
fn usable(name: &str) -> String {
    let parts = name.split('/').filter(|part| !part.is_empty()).map(token);
    parts.fold(String::new(), |name, part| name + "/" + &part)
}

fn token(part: &str) -> String {
    let letters = part.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' });
    let mut token: String = letters.collect();
    if token.starts_with(|letter: char| letter.is_ascii_digit()) {
        token.insert(0, '_');
    }
    token
}

/// The name of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeName {
    /// `/`, or an absolute name without trailing slash.
    pub namespace: String,
    /// The name within it.
    pub name: String,
}

impl NodeName {
    /// Parses a full name, `/sim/bridgehead`, or the name alone.
    pub fn parse(text: &str) -> Option<Self> {
        let full = if text.starts_with('/') { text.to_owned() } else { format!("/{text}") };
        let (namespace, name) = full.rsplit_once('/').filter(|_| is_absolute(&full))?;
        let namespace = if namespace.is_empty() { "/" } else { namespace };
        Some(NodeName { namespace: namespace.to_owned(), name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(namespace: &str, rules: &[&str]) -> Names {
        let rules = rules.iter().map(|rule| Remap::parse(rule).expect(rule)).collect();
        Names::new(namespace.to_owned(), rules)
    }

    #[test]
    fn valid_names_are_unchanged() {
        let plain = names("", &[]);
        for name in ["/clock", "/car1/scan", "/tf", "/get_entities"] {
            assert_eq!(plain.resolve(name), name);
        }
    }

    #[test]
    fn a_namespace_is_added_to_names_that_are_not_global() {
        let below = names("/sim/a", &[]);
        for (name, expected) in [
            ("/car1/scan", "/sim/a/car1/scan"),
            ("/get_entities", "/sim/a/get_entities"),
            ("/clock", "/clock"),
            ("/tf", "/tf"),
            ("/tf_static", "/tf_static"),
        ] {
            assert_eq!(below.resolve(name), expected);
        }
    }

    #[test]
    fn the_first_matching_rule_applies() {
        let mapped = names("/sim", &["/car1/scan:=/scan", "car1/imu:=imu", "/car1/*:=/*", "/car2/*:=two/*"]);
        for (name, expected) in [
            ("/car1/scan", "/scan"),
            ("/car1/imu", "/sim/imu"),
            ("/car1/arm/state", "/arm/state"),
            ("/car2/scan", "/sim/two/scan"),
            ("/car11/scan", "/sim/car11/scan"),
            ("/car1", "/sim/car1"),
        ] {
            assert_eq!(mapped.resolve(name), expected, "{name}");
        }
    }

    #[test]
    fn letters_that_ros_does_not_allow_become_underscores() {
        assert_eq!(names("", &[]).resolve("/my-robot/2nd/straße"), "/my_robot/_2nd/stra_e");
    }

    #[test]
    fn invalid_rules_are_refused() {
        for wrong in
            ["", "/a", "/a:=", ":=/b", "/a:=/b c", "/a/*:=/b", "/a:=/b/*", "/a:=1b", "/:=/b", "/a/:=/b"]
        {
            assert_eq!(Remap::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn nodes_have_a_namespace() {
        let of = |text| NodeName::parse(text).map(|node| (node.namespace, node.name));
        assert_eq!(of("bridgehead"), Some(("/".to_owned(), "bridgehead".to_owned())));
        assert_eq!(of("/sim/a/host"), Some(("/sim/a".to_owned(), "host".to_owned())));
        for wrong in ["", "/", "a b", "/sim/", "1st"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
