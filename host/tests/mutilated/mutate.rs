//! Mutilations of XML, the same for the same number.

/// What numbers are replaced by: the borders of what a number may be, and what is none.
const NUMBERS: [&str; 20] = [
    "nan",
    "inf",
    "-inf",
    "1e308",
    "-1e308",
    "1e-308",
    "4e-324",
    "0",
    "-0",
    "-1",
    "1e9",
    "-1e-9",
    "1e15",
    "99999999999999999999",
    "",
    " ",
    "0x10",
    "1,5",
    "1 2 3 4 5 6 7 8",
    "zero",
];

/// Names that are replaced by each other.
const WORDS: [&str; 19] = [
    "__model__",
    "__root__",
    "world",
    "a::b::c",
    "::",
    "",
    "fixed",
    "revolute",
    "ball",
    "universal",
    "revolute2",
    "screw",
    "gearbox",
    "axis2",
    "joint",
    "model",
    "\u{202e}",
    "true",
    "model://none",
];

/// Pieces that are put in anywhere.
const PIECES: [&str; 12] = [
    "<",
    ">",
    "&",
    "</link>",
    "<link name='x'>",
    "<pose relative_to='x'>1 2 3</pose>",
    "<!--",
    "]]>",
    "\0",
    "<include><uri>model://x</uri></include>",
    "<joint name='j' type='ball'>",
    "&#0;",
];

/// Random numbers of one seed (splitmix64).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.roll() % (end.max(1) as u64)).unwrap()
    }

    pub(crate) fn one_of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

/// A text with one to four mutilations.
pub(crate) fn mutilate(text: &str, dice: &mut Dice) -> String {
    let mut text = text.to_owned();
    for _ in 0..=dice.below(4) {
        text = once(&text, dice);
    }
    text
}

/// Most mutilations leave the XML well formed, so that more than the parser is tried.
fn once(text: &str, dice: &mut Dice) -> String {
    match dice.below(24) {
        0 => text[..place(text, dice)].to_owned(),
        1 => replace(text, tag(text, dice), ""),
        2 => {
            let (start, end) = (place(text, dice), place(text, dice));
            replace(text, (start.min(end), start.max(end)), "")
        }
        3 => {
            let at = place(text, dice);
            replace(text, (at, at), PIECES[dice.below(PIECES.len())])
        }
        4..=6 => replace(text, element(text, dice), ""),
        7..=9 => {
            let (from, at) = (element(text, dice), tag(text, dice).0);
            let moved = text[from.0..from.1].to_owned();
            replace(text, (at, at), &moved)
        }
        10..=13 => {
            let word = WORDS[dice.below(WORDS.len())];
            replace(text, quoted(text, dice), word)
        }
        _ => {
            let nonsense = NUMBERS[dice.below(NUMBERS.len())];
            replace(text, number(text, dice), nonsense)
        }
    }
}

fn replace(text: &str, (start, end): (usize, usize), with: &str) -> String {
    format!("{}{with}{}", &text[..start], &text[end..])
}

/// Somewhere in the text, between two characters.
fn place(text: &str, dice: &mut Dice) -> usize {
    let at = dice.below(text.len() + 1);
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The first stretch after a random place that lies between two marks, marks included.
fn between(text: &str, dice: &mut Dice, open: char, close: char) -> (usize, usize) {
    let from = place(text, dice);
    let Some(start) = text[from..].find(open).map(|at| from + at) else { return (from, from) };
    let end = text[start + 1..].find(close).map_or(text.len(), |at| start + 1 + at + close.len_utf8());
    (start, end)
}

fn tag(text: &str, dice: &mut Dice) -> (usize, usize) {
    between(text, dice, '<', '>')
}

/// The inside of a quoted value.
fn quoted(text: &str, dice: &mut Dice) -> (usize, usize) {
    let mark = *dice.one_of(&['"', '\'']);
    let (start, end) = between(text, dice, mark, mark);
    if end > start + 1 { (start + 1, end - 1) } else { (start, end) }
}

fn number(text: &str, dice: &mut Dice) -> (usize, usize) {
    let is_part = |character: char| character.is_ascii_digit() || ".-+e".contains(character);
    let from = place(text, dice);
    let Some(start) = text[from..].find(|character: char| character.is_ascii_digit()) else {
        return (from, from);
    };
    let start = from + start;
    let end = text[start..].find(|character| !is_part(character)).map_or(text.len(), |at| start + at);
    (start, end)
}

/// From an opening tag to the end of the next closing tag of that name.
fn element(text: &str, dice: &mut Dice) -> (usize, usize) {
    for _ in 0..8 {
        let (start, end) = tag(text, dice);
        let inside = text[start..end].trim_start_matches('<');
        let name: String = inside.chars().take_while(char::is_ascii_alphanumeric).collect();
        if name.is_empty() || inside.ends_with("/>") {
            continue;
        }
        let close = format!("</{name}>");
        return (start, text[end..].find(&close).map_or(end, |at| end + at + close.len()));
    }
    (0, 0)
}
