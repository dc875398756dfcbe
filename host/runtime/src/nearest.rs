//! The name that was probably meant by a wrong one, for messages. Plain functions, usable from any thread.

/// Returns the known name that was probably meant: the shortest that begins like it, or else one with few other letters.
#[must_use]
pub fn nearest<'a>(key: &str, known: &[&'a str]) -> Option<&'a str> {
    let key = key.replace('-', "_").to_lowercase();
    let begun = known.iter().filter(|name| key.len() > 3 && name.starts_with(&key));
    if let Some(name) = begun.min_by_key(|name| name.len()) {
        return Some(name);
    }
    let (distance, name) = known.iter().map(|name| (edits(&key, name), *name)).min()?;
    (distance <= 1 + name.len() / 4).then_some(name)
}

/// Returns the number of letters to add, remove or change to turn one word into the other.
fn edits(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, to) in row.iter_mut().skip(1).zip(b.chars()) {
            let changed = diagonal + usize::from(from != to);
            diagonal = *cell;
            left = changed.min(diagonal + 1).min(left + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_is_offered_when_it_is_near() {
        let known = ["duration", "require_success", "seed"];
        assert_eq!(nearest("duraton", &known), Some("duration"));
        assert_eq!(nearest("require-success", &known), Some("require_success"));
        assert_eq!(nearest("colour", &known), None);
        assert_eq!(nearest("/car1/cmd", &["/car1/imu", "/car1/cmd_vel"]), Some("/car1/cmd_vel"));
    }

    #[test]
    fn edits_are_counted() {
        for (a, b, count) in
            [("", "", 0), ("abc", "", 3), ("", "ab", 2), ("kitten", "sitting", 3), ("ab", "ab", 0)]
        {
            assert_eq!(edits(a, b), count, "{a} {b}");
        }
    }
}
