//! Documentation of the ABI crate as comments of the header: intra-doc links and names in code spans become
//! C names, paragraphs and table rows are filled to the header's width, code blocks stay as they are. It knows
//! the little Markdown that the ABI crate uses and leaves the rest alone.

use crate::{
    names,
    source::{Kind, Source},
};

/// Columns of a line of the header.
const WIDTH: usize = 100;

/// Turns documentation into comments.
pub struct Documenter<'a> {
    source: &'a Source,
}

impl<'a> Documenter<'a> {
    /// For the names of `source`.
    #[must_use]
    pub fn new(source: &'a Source) -> Self {
        Documenter { source }
    }

    /// The comment lines for `docs` of an item in `module`, each at most about 100 columns with `indent`
    /// blanks and the comment's own marks.
    #[must_use]
    pub fn lines(&self, module: &str, docs: &str, indent: usize) -> Vec<String> {
        let mut page =
            Page { lines: Vec::new(), paragraph: String::new(), hang: 0, width: WIDTH - indent - 3 };
        let mut in_code = false;
        for line in docs.lines() {
            if line.starts_with("```") {
                page.flush();
                in_code = !in_code;
            } else if in_code {
                page.verbatim(&format!("    {line}"));
            } else {
                self.prose_line(&mut page, module, line);
            }
        }
        page.flush();
        page.lines
    }

    fn prose_line(&self, page: &mut Page, module: &str, line: &str) {
        let text = self.names_in(module, line);
        if let Some(tags) = line.strip_prefix("`[thread:") {
            page.flush();
            page.verbatim(&format!("[thread:{}", tags.trim_end_matches('`')));
        } else if line.is_empty() {
            page.flush();
            page.verbatim("");
        } else if let Some(row) = text.strip_prefix('|') {
            page.table_row(row);
        } else if let Some(heading) = text.strip_prefix('#') {
            page.flush();
            page.verbatim(&format!("{}:", heading.trim_start_matches('#').trim()));
        } else {
            if starts_list_item(&text) {
                page.flush();
                page.hang = 3;
            }
            page.fill(text.replace("**", "").trim());
        }
    }

    /// Replaces links and code spans by C names where they name something of the ABI.
    fn names_in(&self, module: &str, line: &str) -> String {
        let mut out = String::new();
        let mut rest = line;
        while let Some(at) = rest.find(['[', '`']) {
            out.push_str(&self.status_words(&rest[..at]));
            let from = &rest[at..];
            let taken = match from.strip_prefix('[') {
                Some(link) => self.link(module, link, &mut out).map(|taken| taken + 1),
                None => self.code_span(module, from, &mut out),
            };
            rest = match taken {
                Some(taken) => &from[taken..],
                None => {
                    out.push_str(&from[..1]);
                    &from[1..]
                }
            };
        }
        out.push_str(&self.status_words(rest));
        out
    }

    /// A link behind its `[`: writes its text and returns how many bytes it took.
    fn link(&self, module: &str, text: &str, out: &mut String) -> Option<usize> {
        let close = text.find(']')?;
        let label = &text[..close];
        let target = text[close + 1..].strip_prefix('(').and_then(|target| target.split_once(')'));
        if target.is_none() && !label.starts_with('`') {
            return None;
        }
        match label.strip_prefix('`').and_then(|label| label.strip_suffix('`')) {
            Some(code) => out.push_str(&self.resolve(module, code).unwrap_or_else(|| code.to_owned())),
            None => out.push_str(label),
        }
        Some(close + 1 + target.map_or(0, |(target, _)| target.len() + 2))
    }

    fn code_span(&self, module: &str, text: &str, out: &mut String) -> Option<usize> {
        let code = text[1..].split('`').next().filter(|code| code.len() + 2 <= text.len())?;
        match self.resolve(module, code) {
            Some(name) => out.push_str(&name),
            None => out.extend(["`", code, "`"]),
        }
        Some(code.len() + 2)
    }

    /// The C name of what `code` means in `module`: a type, a field, a constant, a family of constants.
    fn resolve(&self, module: &str, code: &str) -> Option<String> {
        let path: Vec<&str> = code.trim_start_matches("crate::").split("::").collect();
        let (last, before) = path.split_last()?;
        let parent = before.last().copied();
        if let Some(name) = parent.and_then(|parent| self.field(parent, last)) {
            return Some(name);
        }
        match *last {
            "extension" if code.starts_with("crate::") => return Some("the `BH_EXT_` constants".to_owned()),
            "status" if code.starts_with("crate::") => return Some("the `BH_STATUS_` constants".to_owned()),
            _ => {}
        }
        self.item(parent.unwrap_or(module), last).or_else(|| self.family(module, last))
    }

    fn field(&self, parent: &str, field: &str) -> Option<String> {
        let (_, item) = self.source.items().find(|(_, item)| item.name == parent)?;
        match &item.kind {
            Kind::Struct { fields, .. } => fields
                .iter()
                .find(|candidate| candidate.name == field)
                .map(|found| format!("`{}.{}`", item.c_name, found.c_name)),
            Kind::Constant(_) | Kind::Alias(_) => None,
        }
    }

    /// An item by name, first in its own module.
    fn item(&self, module: &str, name: &str) -> Option<String> {
        let named = || self.source.items().filter(|(_, item)| item.name == name);
        named()
            .find(|(home, _)| home.name == module)
            .or_else(|| named().next())
            .map(|(_, item)| format!("`{}`", item.c_name))
    }

    /// `LOG_` stands for all constants that begin so.
    fn family(&self, module: &str, prefix: &str) -> Option<String> {
        let is_family =
            prefix.ends_with('_') && prefix.starts_with(|letter: char| letter.is_ascii_uppercase());
        let members = || self.source.items().filter(|(_, item)| is_family && item.name.starts_with(prefix));
        let (home, _) = members().find(|(home, _)| home.name == module).or_else(|| members().next())?;
        Some(format!("`{}{prefix}`", names::constant_prefix(home.name, prefix)))
    }

    /// Status codes stand in the prose as bare words in capitals.
    fn status_words(&self, text: &str) -> String {
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let mut out = String::new();
        for piece in text.split_inclusive(|letter| !is_word(letter)) {
            let word = piece.trim_end_matches(|letter| !is_word(letter));
            let known = self.source.items().any(|(home, item)| {
                home.name == "status" && item.name == word && matches!(item.kind, Kind::Constant(_))
            });
            if known {
                out.push_str(names::constant_prefix("status", word));
            }
            out.push_str(piece);
        }
        out
    }
}

fn starts_list_item(text: &str) -> bool {
    let digits = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    text.starts_with("- ") || (digits.len() < text.len() && digits.starts_with(". "))
}

/// Lines in the making: finished ones and the paragraph that is being filled.
struct Page {
    lines: Vec<String>,
    paragraph: String,
    /// Blanks in front of the second and later lines of a list item.
    hang: usize,
    width: usize,
}

impl Page {
    fn verbatim(&mut self, line: &str) {
        self.lines.push(line.replace("*/", "* /"));
    }

    fn fill(&mut self, text: &str) {
        for word in text.split(' ') {
            if self.paragraph.len() + 1 + word.len() > self.width {
                self.end_line();
                self.paragraph = " ".repeat(self.hang);
            } else if !self.paragraph.is_empty() {
                self.paragraph.push(' ');
            }
            self.paragraph.push_str(word);
        }
    }

    /// A row of a table as `cell: cell`; the rule under its head takes the head away again.
    fn table_row(&mut self, row: &str) {
        self.flush();
        if row.starts_with("--") {
            self.lines.pop();
            return;
        }
        self.hang = 3;
        let cells: Vec<&str> = row.trim_end_matches('|').split('|').map(str::trim).collect();
        self.fill(&cells.join(": "));
        self.flush();
    }

    fn flush(&mut self) {
        self.end_line();
        self.hang = 0;
    }

    fn end_line(&mut self) {
        if !self.paragraph.is_empty() {
            let line = std::mem::take(&mut self.paragraph);
            self.verbatim(&line);
        }
    }
}

#[cfg(test)]
mod tests;
