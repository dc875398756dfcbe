//! What a client sends and reads, as it declares it: lines of words with tabs between them. Plain values.

use super::error::Refusal;

/// The words with which a line begins, each with its parameters and what it declares. The documentation has this table.
pub(super) const WORDS: [(&str, &str, &str); 8] = [
    ("action", "topic, field", "a number of a message that each step with commands publishes"),
    ("constant", "topic, field, value", "a field of that message that always has this value"),
    ("time", "", "simulated time"),
    ("pose", "entity or link", "position and rotation in the world: x, y, z of both, then w"),
    ("twist", "entity or link", "velocity of its origin and angular velocity, in the axes of the world"),
    ("joint", "joint, `position`, `velocity` or `effort`", "a number of a joint"),
    (
        "topic",
        "topic, field, for arrays of any length also the most elements",
        "the newest message's numbers",
    ),
    ("stamp", "topic", "the time stamp of the newest message"),
];

/// A number of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    Position,
    Velocity,
    Effort,
}

/// What a line declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item<'a> {
    Action { topic: &'a str, path: &'a str },
    Constant { topic: &'a str, path: &'a str, text: &'a str },
    Time,
    Pose(&'a str),
    Twist(&'a str),
    Joint { name: &'a str, quantity: Quantity },
    Topic { topic: &'a str, path: &'a str, most: Option<usize> },
    Stamp(&'a str),
}

/// Reads a declaration. Empty lines have no meaning.
pub(super) fn parse(text: &str) -> Result<Vec<Item<'_>>, Refusal> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty());
    lines
        .map(|(index, line)| {
            item(line).map_err(|expected| Refusal::Line { line: index + 1, text: line.to_owned(), expected })
        })
        .collect()
}

fn item(line: &str) -> Result<Item<'_>, String> {
    let words: Vec<&str> = line.split('\t').collect();
    Ok(match words.as_slice() {
        ["action", topic, path] => Item::Action { topic, path },
        ["constant", topic, path, text] => Item::Constant { topic, path, text },
        ["time"] => Item::Time,
        ["pose", name] => Item::Pose(name),
        ["twist", name] => Item::Twist(name),
        ["joint", name, quantity] => Item::Joint { name, quantity: quantity_of(quantity)? },
        ["topic", topic, path] => Item::Topic { topic, path, most: None },
        ["topic", topic, path, most] => Item::Topic { topic, path, most: Some(count(most)?) },
        ["stamp", topic] => Item::Stamp(topic),
        [] => return Err("a line begins with a word".to_owned()),
        [word, ..] => return Err(expected(word)),
    })
}

fn quantity_of(word: &str) -> Result<Quantity, String> {
    match word {
        "position" => Ok(Quantity::Position),
        "velocity" => Ok(Quantity::Velocity),
        "effort" => Ok(Quantity::Effort),
        other => Err(format!("`{other}` is none of `position`, `velocity` and `effort`")),
    }
}

fn count(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| *count > 0);
    count.ok_or_else(|| format!("`{text}` is not a number of elements above 0"))
}

/// Says what a line with this word should have been.
fn expected(word: &str) -> String {
    if let Some((word, parameters, _)) = WORDS.iter().find(|(known, _, _)| *known == word) {
        let parameters = if parameters.is_empty() { "nothing" } else { parameters };
        return format!("after `{word}` comes {parameters}, with a tab before each");
    }
    let known: Vec<&str> = WORDS.iter().map(|(known, _, _)| *known).collect();
    let near = crate::config::nearest(word, &known);
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    format!("`{word}` is none of the words {}{near}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_its_parameters() {
        let text = "action\t/cmd\tlinear.x\nconstant\t/cmd\tname[0]\ta b\n\ntime\npose\tmy car\ntwist\tcar::hull\n\
            joint\tarm::elbow\teffort\ntopic\t/scan\tranges\t360\ntopic\t/odom\ttwist.twist.linear.x\nstamp\t/scan\n";
        let items = parse(text).expect("a declaration");
        assert_eq!(items.len(), 9);
        assert_eq!(items[1], Item::Constant { topic: "/cmd", path: "name[0]", text: "a b" });
        assert_eq!(items[3], Item::Pose("my car"));
        assert_eq!(items[6], Item::Topic { topic: "/scan", path: "ranges", most: Some(360) });
        for (word, _, _) in WORDS {
            assert!(text.contains(word), "{word}");
        }
    }

    #[test]
    fn the_page_has_the_table_of_words() {
        let page = include_str!("../../../docs/step-channel.md");
        for (word, parameters, meaning) in WORDS {
            let begin = format!("| `{word}` | {parameters}");
            let row = page.lines().find(|line| line.starts_with(begin.trim_end()));
            assert!(row.is_some_and(|row| row.ends_with(&format!("| {meaning} |"))), "{word}: {row:?}");
        }
    }

    #[test]
    fn a_wrong_line_says_where_and_what_was_expected() {
        let error = |text: &str| parse(text).expect_err("refused").to_string();
        assert_eq!(
            error("time\nposes\tcar"),
            "[BH-STP-020] line 2 of the declaration, `poses\tcar`: `poses` is none of the words action, constant, time, \
             pose, twist, joint, topic, stamp; did you mean `pose`?"
        );
        assert!(error("time\tnow").contains("after `time` comes nothing"));
        assert!(error("joint\ta").contains("after `joint` comes joint, `position`"));
        assert!(error("joint\ta\tangle").contains("`angle` is none of"));
        assert!(error("topic\t/a\tb\t0").contains("`0` is not a number of elements"));
    }
}
