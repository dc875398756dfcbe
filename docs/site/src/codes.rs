//! Error codes: read from the tables of `docs/errors.md`, which the program generates, and a page for each.

use std::collections::BTreeMap;

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};
use regex::Regex;

use crate::links::between;
use crate::markdown::{events, headings, title};

/// The page with the tables.
const ERRORS: &str = "docs/errors.md";

/// The page whose tables begin each row with what a plugin does.
const OUTCOMES: &str = "docs/plugin-outcomes.md";

/// The row of a code.
struct Row {
    meaning: String,
    advice: String,
}

/// An area of codes, such as BH-PLG.
struct Area {
    /// Its heading in `errors.md`.
    heading: String,
    /// The remark above its table.
    remark: String,
}

/// All codes.
pub struct Codes {
    rows: BTreeMap<String, Row>,
    areas: BTreeMap<String, Area>,
    form: Regex,
}

/// Where a page names a code.
pub struct Mention {
    path: String,
    title: String,
    /// Heading and anchor, if it is below one.
    section: Option<(String, String)>,
    /// The code block that contains it.
    example: Option<String>,
    /// The first cells of the rows of a table that contain it.
    rows: Vec<String>,
}

impl Codes {
    /// Reads the tables.
    pub fn read(errors: &str) -> Self {
        let form = Regex::new(r"BH-[A-Z]{3}-[0-9]{3}").expect("a regular expression");
        let mut codes = Codes { rows: BTreeMap::new(), areas: BTreeMap::new(), form };
        let mut area = String::new();
        for line in errors.lines() {
            if let Some(heading) = line.strip_prefix("## ") {
                area = heading.split(':').next().unwrap_or_default().to_owned();
                codes.areas.insert(area.clone(), Area { heading: heading.to_owned(), remark: String::new() });
            } else if line.starts_with("| BH-") {
                let cells = cells(line);
                let [code, meaning, advice] = &cells[..] else { continue };
                codes.rows.insert(code.clone(), Row { meaning: meaning.clone(), advice: advice.clone() });
            } else if let Some(area) = codes.areas.get_mut(&area)
                && !line.starts_with('|')
            {
                area.remark += line;
            }
        }
        codes
    }

    /// Returns the path of the page of a code, as if it were in the repository.
    pub fn path(code: &str) -> String {
        format!("docs/errors/{code}.md")
    }

    /// Returns true if `errors.md` explains the code.
    pub fn contains(&self, code: &str) -> bool {
        self.rows.contains_key(code)
    }

    /// Returns the explained codes in a text with their places.
    pub fn find<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
        let found = self.form.find_iter(text).map(|found| (found.start(), found.as_str()));
        found.filter(|(_, code)| self.contains(code))
    }

    /// Returns the areas with their codes.
    pub fn areas(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        self.areas.keys().map(|area| {
            let codes = self.rows.keys().map(String::as_str);
            (area.as_str(), codes.filter(|code| code.starts_with(&format!("{area}-"))).collect())
        })
    }

    /// Returns the codes with which a plugin, or the validation of one, is refused.
    pub fn of_refusals(&self) -> impl Iterator<Item = &str> {
        let codes = self.rows.keys().map(String::as_str);
        codes.filter(|code| code.starts_with("BH-KIT-") || ("BH-PLG-001".."BH-PLG-090").contains(code))
    }

    /// Returns the page of an area.
    pub fn area_page(&self, area: &str) -> String {
        let Area { heading, remark } = &self.areas[area];
        let codes = self.rows.keys().filter(|code| code.starts_with(&format!("{area}-")));
        format!("# {heading}\n\n{remark}\n\n{}", self.table(codes.map(String::as_str)))
    }

    /// Returns the page of a code.
    pub fn page(&self, code: &str, mentions: &BTreeMap<String, Vec<Mention>>) -> String {
        let Row { meaning, advice } = &self.rows[code];
        let area = &code[..6];
        let (path, subject) = (Self::path(code), &self.areas[area].heading);
        let mut page = format!("# {code}\n\n{meaning}\n\n**What to try:** {advice}.\n\n");
        page += &format!("The area is [{subject}]({area}.md).\n");
        let mentions = mentions.get(code).map(Vec::as_slice).unwrap_or_default();
        if !mentions.is_empty() {
            page += "\n## In the documentation\n\n";
        }
        for mention in mentions {
            let link = between(&path, &mention.path);
            page += &match &mention.section {
                Some((heading, anchor)) => format!("- [{}: {heading}]({link}#{anchor})\n", mention.title),
                None => format!("- [{}]({link})\n", mention.title),
            };
            let subject = if mention.path == OUTCOMES { "A plugin that " } else { "" };
            mention.rows.iter().for_each(|row| page += &format!("  - {subject}{row}\n"));
        }
        if let Some(example) = mentions.iter().find_map(|mention| mention.example.as_ref()) {
            page += &format!("\n## Example\n\n```text\n{}\n```\n", example.trim_end());
        }
        page
    }

    fn table<'a>(&self, codes: impl Iterator<Item = &'a str>) -> String {
        let mut table = "| code | meaning | what to try |\n|---|---|---|\n".to_owned();
        for code in codes {
            if let Some(Row { meaning, advice }) = self.rows.get(code) {
                table += &format!("| {code} | {meaning} | {advice} |\n");
            }
        }
        table
    }

    /// Replaces each line `Codes: …` by the table of these codes.
    pub fn with_tables(&self, text: &str) -> String {
        let lines = text.lines().map(|line| match line.strip_prefix("Codes: ") {
            Some(list) => self.table(self.find(list).map(|(_, code)| code)),
            None => format!("{line}\n"),
        });
        lines.collect()
    }

    /// Returns where the pages name the codes, in the order of the pages. The tables of `errors.md` do not count.
    pub fn mentions(&self, pages: &BTreeMap<String, String>) -> BTreeMap<String, Vec<Mention>> {
        let mut mentions: BTreeMap<String, Vec<Mention>> = BTreeMap::new();
        for (path, text) in pages.iter().filter(|(path, _)| *path != ERRORS) {
            for (code, mention) in self.mentions_of_page(path, text) {
                let of_code = mentions.entry(code).or_default();
                let is_same =
                    |known: &&mut Mention| known.path == mention.path && known.section == mention.section;
                match of_code.iter_mut().find(is_same) {
                    Some(known) => {
                        known.example = known.example.take().or(mention.example);
                        let new = mention.rows.into_iter().filter(|row| !known.rows.contains(row));
                        known.rows.extend(new.collect::<Vec<_>>());
                    }
                    None => of_code.push(mention),
                }
            }
        }
        mentions
    }

    /// Returns the mentions of one page, one for each place.
    fn mentions_of_page(&self, path: &str, text: &str) -> Vec<(String, Mention)> {
        let (headings, title) = (headings(text), title(text).unwrap_or_else(|| path.to_owned()));
        let mut found = Vec::new();
        let (mut is_example, mut first_cell) = (false, None);
        for (event, range) in events(text) {
            match event {
                Event::Start(Tag::CodeBlock(kind)) => {
                    let shows = |name: &str| matches!(name, "" | "text" | "console");
                    is_example = matches!(&kind, CodeBlockKind::Fenced(name) if shows(name));
                }
                Event::End(TagEnd::CodeBlock) => is_example = false,
                Event::Start(Tag::TableRow) => {
                    first_cell = cells(&text[range]).into_iter().next();
                }
                Event::End(TagEnd::TableRow) => first_cell = None,
                Event::Text(part) | Event::Code(part) => {
                    let heading = headings.iter().rfind(|heading| heading.at <= range.start);
                    let heading = heading.filter(|heading| heading.text != title);
                    for (_, code) in self.find(&part) {
                        let mention = Mention {
                            path: path.to_owned(),
                            title: title.clone(),
                            section: heading.map(|heading| (heading.text.clone(), heading.anchor.clone())),
                            example: is_example.then(|| part.to_string()),
                            rows: first_cell.clone().into_iter().collect(),
                        };
                        found.push((code.to_owned(), mention));
                    }
                }
                _ => {}
            }
        }
        found
    }
}

/// Returns the cells of a row of a table; `\|` is no border.
fn cells(row: &str) -> Vec<String> {
    let inner = row.trim().trim_start_matches('|').trim_end_matches('|');
    let mut cells = vec![String::new()];
    let mut is_escaped = false;
    for letter in inner.chars() {
        match letter {
            '|' if !is_escaped => cells.push(String::new()),
            _ => cells.last_mut().expect("a cell").push(letter),
        }
        is_escaped = letter == '\\';
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ERRORS_PAGE: &str = "# Error codes\n\n## BH-PLG: plugins\n\nAll of them.\n\n| code | meaning | what to try |\n\
                               |---|---|---|\n| BH-PLG-001 | A \\| B. | try C |\n";

    #[test]
    fn a_page_has_the_meaning_and_the_places_of_its_code() {
        let codes = Codes::read(ERRORS_PAGE);
        let text = "# Page\n\n## Part\n\n| what | code |\n|---|---|\n| is a text | BH-PLG-001 |\n\n\
                    ```text\nerror[BH-PLG-001]: x\n```\n";
        let mentions = codes.mentions(&BTreeMap::from([("docs/page.md".to_owned(), text.to_owned())]));
        let page = codes.page("BH-PLG-001", &mentions);
        for part in
            ["A \\| B.", "try C", "[Page: Part](../page.md#part)\n  - is a text", "error[BH-PLG-001]: x"]
        {
            assert!(page.contains(part), "`{part}` in {page}");
        }
    }

    #[test]
    fn a_list_of_codes_becomes_a_table() {
        let codes = Codes::read(ERRORS_PAGE);
        let text = codes.with_tables("Codes: `BH-PLG-001`, `BH-PLG-999`\n");
        assert!(text.contains("| BH-PLG-001 | A \\| B. | try C |") && !text.contains("999"), "{text}");
    }
}
