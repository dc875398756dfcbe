//! Paths into a parameter tree: `scan/range/min`, `wheel[1]/@joint`.
//! Only the notation; walking is done by the tree itself.

/// A parsed path.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Path<'a> {
    /// Child steps from the outermost.
    pub(super) steps: Vec<Step<'a>>,
    /// The attribute the path ends in.
    pub(super) attribute: Option<&'a str>,
}

/// One step to a child.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Step<'a> {
    /// Name of the child.
    pub(super) name: &'a str,
    /// Which of the children of that name, from 0.
    pub(super) index: Option<usize>,
}

impl<'a> Path<'a> {
    /// Reads a path; `None` if it is malformed.
    pub(super) fn parse(path: &'a str) -> Option<Self> {
        let (steps, attribute) = split_attribute(path)?;
        let steps = if steps.is_empty() { Vec::new() } else { parse_steps(steps)? };
        Some(Self { steps, attribute })
    }
}

/// Takes a trailing `@name` off, with the `/` before it.
fn split_attribute(path: &str) -> Option<(&str, Option<&str>)> {
    let Some((before, name)) = path.split_once('@') else { return Some((path, None)) };
    let steps = if before.is_empty() { before } else { before.strip_suffix('/')? };
    let is_name = !name.is_empty() && !name.contains(['/', '@', '[']);
    is_name.then_some((steps, Some(name)))
}

fn parse_steps(steps: &str) -> Option<Vec<Step<'_>>> {
    steps.split('/').map(parse_step).collect()
}

fn parse_step(step: &str) -> Option<Step<'_>> {
    let (name, index) = match step.split_once('[') {
        Some((name, rest)) => (name, Some(rest.strip_suffix(']')?.parse().ok()?)),
        None => (step, None),
    };
    (!name.is_empty()).then_some(Step { name, index })
}
