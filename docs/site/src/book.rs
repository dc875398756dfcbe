//! The pages of the site: read from the repository, linked to each other, and written into a folder for mdBook.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::codes::Codes;
use crate::links;
use crate::markdown;

/// The list of chapters.
const SUMMARY: &str = "docs/SUMMARY.md";
/// The page with the tables of all codes.
const ERRORS: &str = "docs/errors.md";
/// The list of decisions; the records beside it become chapters below it.
const DECISIONS: &str = "docs/decisions/README.md";
/// The page that must name all codes with which a plugin is refused.
const REFUSED: &str = "docs/plugin-refused.md";

/// Returns where a file of the repository is in the site: `docs` is its root.
pub fn place(path: &str) -> String {
    let path = match path.strip_prefix("docs/") {
        Some(rest) => rest,
        None if path == "README.md" => "project.md",
        None => path,
    };
    match path.strip_suffix("README.md") {
        Some(folder) => format!("{folder}index.md"),
        None => path.to_owned(),
    }
}

/// All pages.
pub struct Book {
    /// Texts by the paths in the repository, with links as in the repository.
    pub pages: BTreeMap<String, String>,
    /// The codes that `errors.md` explains.
    pub codes: Codes,
    /// The folder of the repository.
    pub root: PathBuf,
}

impl Book {
    /// Reads all pages.
    ///
    /// # Errors
    /// Returns an error if a page is missing, or if `docs/SUMMARY.md` does not list it.
    pub fn read(root: &Path) -> Result<Self> {
        let read = |path: &str| fs::read_to_string(root.join(path)).with_context(|| path.to_owned());
        let codes = Codes::read(&read(ERRORS)?);
        let mut summary = read(SUMMARY)?;
        let mut pages = BTreeMap::new();
        for link in markdown::links(&summary) {
            let path = links::resolve(SUMMARY, &link);
            pages.insert(path.clone(), read(&path)?);
        }
        let records = files_in(root, "docs/decisions")?;
        let mut chapters = String::new();
        for path in records.iter().filter(|path| path.ends_with(".md") && *path != DECISIONS) {
            let text = read(path)?;
            let title = markdown::title(&text).with_context(|| format!("{path} has no title"))?;
            let link = links::between(SUMMARY, path);
            chapters += &format!("  - [{}]({link})\n", title.replace(['[', ']'], ""));
            pages.insert(path.clone(), text);
        }
        summary = below(&summary, DECISIONS, &chapters)?;
        let mentions = codes.mentions(&pages);
        let mut chapters = String::new();
        for (area, codes_of_area) in codes.areas() {
            let path = format!("docs/errors/{area}.md");
            chapters += &format!("  - [{area}]({})\n", links::between(SUMMARY, &path));
            pages.insert(path, codes.area_page(area));
            for code in codes_of_area {
                let path = Codes::path(code);
                chapters += &format!("    - [{code}]({})\n", links::between(SUMMARY, &path));
                pages.insert(path, codes.page(code, &mentions));
            }
        }
        summary = below(&summary, ERRORS, &chapters)?;
        for text in pages.values_mut() {
            *text = codes.with_tables(text);
        }
        pages.insert(SUMMARY.to_owned(), summary);
        let book = Book { pages, codes, root: root.to_owned() };
        book.check_completeness()?;
        Ok(book)
    }

    /// Every page of `docs` is a chapter, and the page on refused plugins names every code of a refusal.
    fn check_completeness(&self) -> Result<()> {
        let all = files_in(&self.root, "docs")?;
        let missing: Vec<&String> =
            all.iter().filter(|path| path.ends_with(".md") && !self.pages.contains_key(*path)).collect();
        if !missing.is_empty() {
            bail!("{SUMMARY} does not list {missing:?}");
        }
        let text = self.pages.get(REFUSED).with_context(|| format!("{SUMMARY} does not list {REFUSED}"))?;
        let unnamed: Vec<&str> = self.codes.of_refusals().filter(|code| !text.contains(code)).collect();
        if !unnamed.is_empty() {
            bail!("{REFUSED} does not name {unnamed:?}");
        }
        Ok(())
    }

    /// Writes the pages and all files that they link to.
    ///
    /// # Errors
    /// Returns an error with every link whose target is missing.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let mut assets = BTreeSet::new();
        let mut problems = Vec::new();
        for (path, text) in &self.pages {
            let linked = links::Linked::new(self, path, text);
            problems.extend(linked.problems);
            assets.extend(linked.assets);
            write(&folder.join(place(path)), linked.text.as_bytes())?;
        }
        if !problems.is_empty() {
            bail!("links without a target:\n{}", problems.join("\n"));
        }
        assets.iter().try_for_each(|path| self.copy(path, folder))
    }

    /// Copies a file, or all files below a folder with a list of them.
    fn copy(&self, path: &str, folder: &Path) -> Result<()> {
        if self.root.join(path).is_file() {
            let bytes = fs::read(self.root.join(path)).with_context(|| path.to_owned())?;
            return write(&folder.join(place(path)), &bytes);
        }
        let mut files = BTreeSet::new();
        let mut folders = vec![path.to_owned()];
        while let Some(inner) = folders.pop() {
            files.extend(files_in(&self.root, &inner)?.into_iter().filter(|file| !file.ends_with(".md")));
            folders.extend(folders_in(&self.root, &inner)?);
        }
        let mut list = format!(
            "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>{path}</title>\n<h1>{path}</h1>\n<ul>\n"
        );
        for file in &files {
            self.copy(file, folder)?;
            let link = links::between(&format!("{path}/{}", links::LIST), file);
            list += &format!("<li><a href=\"{link}\">{link}</a></li>\n");
        }
        write(&folder.join(place(path)).join(links::LIST), (list + "</ul>\n").as_bytes())
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes).with_context(|| path.display().to_string())
}

/// Returns the files directly in a folder of the repository, sorted.
fn files_in(root: &Path, folder: &str) -> Result<BTreeSet<String>> {
    entries_in(root, folder, FileType::is_file)
}

/// Returns the folders directly in a folder of the repository, sorted.
fn folders_in(root: &Path, folder: &str) -> Result<BTreeSet<String>> {
    entries_in(root, folder, FileType::is_dir)
}

fn entries_in(root: &Path, folder: &str, is_wanted: fn(&FileType) -> bool) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(root.join(folder)).with_context(|| folder.to_owned())? {
        let entry = entry?;
        if is_wanted(&entry.file_type()?) {
            found.insert(format!("{folder}/{}", entry.file_name().to_string_lossy()));
        }
    }
    Ok(found)
}

/// Adds chapters below the one of a page.
fn below(summary: &str, page: &str, chapters: &str) -> Result<String> {
    let link = format!("]({})", links::between(SUMMARY, page));
    let mut text = String::new();
    let mut is_found = false;
    for line in summary.lines() {
        text += line;
        text.push('\n');
        if line.starts_with("- ") && line.ends_with(&link) {
            text += chapters;
            is_found = true;
        }
    }
    if !is_found {
        bail!("{SUMMARY} has no chapter {page}");
    }
    Ok(text)
}
