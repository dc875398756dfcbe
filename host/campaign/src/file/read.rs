//! Reads the TOML of a campaign file; collects the mistakes with their places.

use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Accept, Axis, Block, BridgeSet, CampaignFile, Limits, SeedRange};
use crate::Problem;

/// Tables and their keys; `[matrix]` and its kin have parameters too.
const TABLES: &[(&str, &[&str])] = &[
    ("campaign", &["name", "config", "duration", "inputs"]),
    ("matrix", &[]),
    ("include", &[]),
    ("exclude", &[]),
    ("limits", &["time", "memory", "tries"]),
    ("accept", &["pass_rate", "confidence", "of"]),
];

/// Keys of a block that are not parameters.
const BLOCK_KEYS: &[&str] = &["world", "seed", "bridges", "duration"];

/// The key of the configuration that `duration` stands for.
const DURATION: &str = "run.duration";

/// Reads a campaign file.
pub(super) fn file(text: &str, path: &Path) -> Result<CampaignFile, Vec<Problem>> {
    let reader = Reader { text, name: path.display().to_string(), problems: RefCell::default() };
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let span = error.span().unwrap_or(0..0);
        reader.refuse(&span, format!("[BH-CAM-002] the file is not TOML: {}", error.message()));
    }
    let file = if errors.is_empty() { Some(reader.root(document.get_ref(), path)) } else { None };
    let problems = reader.problems.into_inner();
    match file {
        Some(file) if problems.is_empty() => Ok(file),
        Some(_) | None => Err(problems),
    }
}

struct Reader<'t> {
    text: &'t str,
    name: String,
    problems: RefCell<Vec<Problem>>,
}

impl Reader<'_> {
    fn place(&self, span: &Range<usize>) -> String {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        let column = before.get(start..).unwrap_or_default().chars().count() + 1;
        format!("{}:{line}:{column}", self.name)
    }

    fn refuse(&self, span: &Range<usize>, text: String) {
        self.problems.borrow_mut().push(Problem { place: self.place(span), text });
    }

    fn wrong(&self, name: &str, value: &Spanned<DeValue<'_>>, expected: &str) {
        let found = match value.get_ref() {
            DeValue::String(text) => format!("the text `{text}`"),
            DeValue::Integer(number) => format!("the number `{}`", number.as_str()),
            DeValue::Float(number) => format!("the number `{}`", number.as_str()),
            DeValue::Boolean(flag) => format!("`{flag}`"),
            DeValue::Datetime(_) => "a date".to_owned(),
            DeValue::Array(_) => "a list".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
        };
        self.refuse(&value.span(), format!("[BH-CAM-004] `{name}` is {found}; expected {expected}"));
    }

    fn unknown(&self, span: &Range<usize>, key: &str, known: &str) {
        /// Letters of a key that a message shows.
        const MAX: usize = 100;
        let key: String = key.chars().take(MAX).collect();
        self.refuse(span, format!("[BH-CAM-003] unknown key `{key}`; expected one of {known}"));
    }

    fn root(&self, root: &DeTable<'_>, path: &Path) -> CampaignFile {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut file = CampaignFile {
            path: path.to_owned(),
            name: stem,
            config: None,
            inputs: Vec::new(),
            common: Vec::new(),
            matrix: None,
            includes: Vec::new(),
            excludes: Vec::new(),
            limits: Limits::default(),
            accept: Accept::default(),
        };
        for (key, value) in root {
            let name = key.get_ref().as_ref();
            let Some((_, keys)) = TABLES.iter().find(|(table, _)| *table == name) else {
                let known: Vec<String> = TABLES.iter().map(|(table, _)| format!("`{table}`")).collect();
                self.unknown(&key.span(), name, &known.join(", "));
                continue;
            };
            match (name, value.get_ref()) {
                ("include", DeValue::Array(_)) => file.includes = self.blocks(name, value),
                ("exclude", DeValue::Array(_)) => file.excludes = self.blocks(name, value),
                ("include" | "exclude", _) => {
                    self.wrong(name, value, &format!("`[[{name}]]`, with two brackets"))
                }
                ("matrix", DeValue::Table(table)) => file.matrix = Some(self.block(table, &value.span())),
                (_, DeValue::Table(table)) => {
                    for (key, _) in table.iter().filter(|(key, _)| !keys.contains(&key.get_ref().as_ref())) {
                        let known: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
                        self.unknown(&key.span(), &format!("{name}.{}", key.get_ref()), &known.join(", "));
                    }
                    self.plain_table(name, table, &mut file);
                }
                (_, _) => self.wrong(name, value, &format!("a table `[{name}]`")),
            }
        }
        file
    }

    fn plain_table(&self, name: &str, table: &DeTable<'_>, file: &mut CampaignFile) {
        for (key, value) in table {
            let key = key.get_ref().as_ref();
            match (name, key) {
                ("campaign", "name") => file.name = self.name_of(value).unwrap_or_default(),
                ("campaign", "config") => file.config = self.text(key, value).map(Into::into),
                ("campaign", "inputs") => file.inputs = self.placed_texts(key, value),
                ("campaign", "duration") => {
                    file.common.push(Axis { name: DURATION.to_owned(), ..self.axis(key, value) });
                }
                ("limits", "time") => file.limits.time_s = self.duration(key, value).unwrap_or_default(),
                ("limits", "memory") => file.limits.memory = self.bytes(key, value),
                ("limits", "tries") => {
                    let tries = self.whole(key, value, 1, 100).unwrap_or(1);
                    file.limits.tries = u32::try_from(tries).unwrap_or(1);
                }
                ("accept", "pass_rate") => file.accept.pass_rate = self.fraction(key, value),
                ("accept", "confidence") => {
                    file.accept.confidence = self.fraction(key, value).unwrap_or_default()
                }
                ("accept", "of") => match self.text(key, value) {
                    Some("case") => file.accept.is_total = false,
                    Some("campaign") => file.accept.is_total = true,
                    Some(_) => self.wrong(key, value, "`case` or `campaign`"),
                    None => {}
                },
                // Unknown keys are reported by the caller.
                (_, _) => {}
            }
        }
    }

    /// A name is part of a folder name.
    fn name_of(&self, value: &Spanned<DeValue<'_>>) -> Option<String> {
        let name = self.text("name", value)?;
        let is_usable = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
        if name.is_empty() || name.starts_with('.') || !name.chars().all(is_usable) {
            self.wrong("name", value, "letters, digits, `-`, `_` and `.`");
            return None;
        }
        Some(name.to_owned())
    }

    fn blocks(&self, name: &str, value: &Spanned<DeValue<'_>>) -> Vec<Block> {
        let DeValue::Array(members) = value.get_ref() else { return Vec::new() };
        let block = |member: &Spanned<DeValue<'_>>| match member.get_ref() {
            DeValue::Table(table) => Some(self.block(table, &member.span())),
            _ => {
                self.wrong(name, member, "a table");
                None
            }
        };
        members.iter().filter_map(block).collect()
    }

    fn block(&self, table: &DeTable<'_>, span: &Range<usize>) -> Block {
        let mut block = Block { place: self.place(span), ..Block::default() };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "world" => block.worlds = self.placed_texts("world", value),
                "seed" => block.seeds = self.seeds(value),
                "bridges" => block.bridges = self.bridges(value),
                "duration" => {
                    block.parameters.push(Axis { name: DURATION.to_owned(), ..self.axis("duration", value) })
                }
                name if name.contains('.') => block.parameters.push(self.axis(name, value)),
                name => {
                    let known: Vec<String> = BLOCK_KEYS.iter().map(|key| format!("`{key}`")).collect();
                    let known =
                        format!("{}, or a parameter in quotes such as `\"run.substeps\"`", known.join(", "));
                    self.unknown(&key.span(), name, &known);
                }
            }
        }
        // The order of a table of TOML is that of its names; a person reads the order of the file.
        block.parameters.sort_by_key(|axis| self.offset(&axis.place));
        block
    }

    fn offset(&self, place: &str) -> (u64, u64) {
        let mut numbers = place.rsplitn(3, ':').map(|number| number.parse::<u64>().unwrap_or_default());
        let column = numbers.next().unwrap_or_default();
        (numbers.next().unwrap_or_default(), column)
    }

    /// One value, or a list of them.
    fn members<'a, 'i>(&self, value: &'a Spanned<DeValue<'i>>) -> Vec<&'a Spanned<DeValue<'i>>> {
        match value.get_ref() {
            DeValue::Array(members) => members.iter().collect(),
            _ => vec![value],
        }
    }

    fn axis(&self, name: &str, value: &Spanned<DeValue<'_>>) -> Axis {
        let values = self.members(value).into_iter().filter_map(|member| self.scalar(name, member)).collect();
        Axis { name: name.to_owned(), place: self.place(&value.span()), values }
    }

    fn scalar(&self, name: &str, value: &Spanned<DeValue<'_>>) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
            DeValue::Float(number) => Some(number.as_str().to_owned()),
            DeValue::Boolean(flag) => Some(flag.to_string()),
            _ => {
                self.wrong(name, value, "a text, a decimal number, `true` or `false`, or a list of them");
                None
            }
        }
    }

    fn placed_texts(&self, name: &str, value: &Spanned<DeValue<'_>>) -> Vec<(String, String)> {
        let text = |member: &Spanned<DeValue<'_>>| {
            Some((self.text(name, member)?.to_owned(), self.place(&member.span())))
        };
        self.members(value).into_iter().filter_map(text).collect()
    }

    fn seeds(&self, value: &Spanned<DeValue<'_>>) -> Vec<SeedRange> {
        const EXPECTED: &str = "a seed, a list of seeds, or `{ from = 1, count = 100 }`";
        let seed = |member: &Spanned<DeValue<'_>>| match member.get_ref() {
            DeValue::Integer(_) => {
                Some(SeedRange { from: self.whole("seed", member, 0, u64::MAX)?, count: 1 })
            }
            DeValue::Table(table) => {
                let get =
                    |key: &str| table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value);
                let is_known = table.keys().all(|key| matches!(key.get_ref().as_ref(), "from" | "count"));
                let (Some(count), true) = (get("count"), is_known) else {
                    self.wrong("seed", member, EXPECTED);
                    return None;
                };
                let from = get("from").map_or(Some(0), |from| self.whole("seed.from", from, 0, u64::MAX))?;
                Some(SeedRange { from, count: self.whole("seed.count", count, 0, u64::MAX)? })
            }
            _ => {
                self.wrong("seed", member, EXPECTED);
                None
            }
        };
        self.members(value).into_iter().filter_map(seed).collect()
    }

    fn bridges(&self, value: &Spanned<DeValue<'_>>) -> Vec<BridgeSet> {
        const EXPECTED: &str = "a list of sets, each a list such as `[\"*=logging:{out}/log.jsonl\"]`, or `{ bridges = […], sampled = true }`";
        let DeValue::Array(members) = value.get_ref() else {
            self.wrong("bridges", value, EXPECTED);
            return Vec::new();
        };
        let texts = |list: &Spanned<DeValue<'_>>| -> Vec<String> {
            self.members(list)
                .into_iter()
                .filter_map(|text| self.text("bridges", text))
                .map(str::to_owned)
                .collect()
        };
        let set = |member: &Spanned<DeValue<'_>>| match member.get_ref() {
            DeValue::Array(_) => Some(BridgeSet { bridges: texts(member), sampled: false }),
            DeValue::Table(table) => {
                let mut set = BridgeSet::default();
                for (key, value) in table {
                    match (key.get_ref().as_ref(), value.get_ref()) {
                        ("bridges", DeValue::Array(_)) => set.bridges = texts(value),
                        ("sampled", DeValue::Boolean(flag)) => set.sampled = *flag,
                        (key, _) => self.wrong(&format!("bridges.{key}"), value, EXPECTED),
                    }
                }
                Some(set)
            }
            _ => {
                self.wrong("bridges", member, EXPECTED);
                None
            }
        };
        members.iter().filter_map(set).collect()
    }

    fn text<'a>(&self, name: &str, value: &'a Spanned<DeValue<'_>>) -> Option<&'a str> {
        match value.get_ref() {
            DeValue::String(text) => Some(text),
            _ => {
                self.wrong(name, value, "a text in quotes");
                None
            }
        }
    }

    fn whole(&self, name: &str, value: &Spanned<DeValue<'_>>, least: u64, most: u64) -> Option<u64> {
        let number = match value.get_ref() {
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        let number = number.filter(|number| (least..=most).contains(number));
        if number.is_none() {
            self.wrong(name, value, &format!("a whole number from {least} to {most}"));
        }
        number
    }

    fn fraction(&self, name: &str, value: &Spanned<DeValue<'_>>) -> Option<f64> {
        let number = match value.get_ref() {
            DeValue::Float(number) => number.as_str().parse::<f64>().ok(),
            DeValue::Integer(number) => number.as_str().parse::<f64>().ok(),
            _ => None,
        };
        let number = number.filter(|number| *number > 0.0 && *number < 1.0);
        if number.is_none() {
            self.wrong(
                name,
                value,
                "a number between 0 and 1, such as 0.95; the lower bound of a rate never reaches 1",
            );
        }
        number
    }

    fn duration(&self, name: &str, value: &Spanned<DeValue<'_>>) -> Option<f64> {
        let seconds = self.text(name, value).map(seconds)?;
        if seconds.is_none() {
            self.wrong(name, value, "a time such as `90s`, `5m` or `1h`");
        }
        seconds
    }

    fn bytes(&self, name: &str, value: &Spanned<DeValue<'_>>) -> Option<u64> {
        let bytes = self.text(name, value).map(bytes)?;
        if bytes.is_none() {
            self.wrong(name, value, "a number of bytes such as `500M` or `2G`");
        }
        bytes
    }
}

/// Reads a wall time.
fn seconds(text: &str) -> Option<f64> {
    let unit = text.find(|letter: char| letter.is_alphabetic())?;
    let (number, unit) = text.split_at_checked(unit)?;
    let factor = match unit {
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let seconds = number.trim().parse::<f64>().ok()? * factor;
    (seconds > 0.0 && seconds < 1e9).then_some(seconds)
}

/// Reads a number of bytes with a power of 1024.
fn bytes(text: &str) -> Option<u64> {
    let (number, shift) = match text.chars().last()? {
        'K' => (text.strip_suffix('K')?, 10),
        'M' => (text.strip_suffix('M')?, 20),
        'G' => (text.strip_suffix('G')?, 30),
        _ => (text, 0),
    };
    let bytes = number.parse::<u64>().ok()?.checked_mul(1 << shift)?;
    (bytes > 0).then_some(bytes)
}
