//! Dead links of a built site: files and anchors that its pages name and that do not exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::Result;
use regex::Regex;

/// What a page of the site contains.
struct Page {
    anchors: BTreeSet<String>,
    links: BTreeSet<String>,
}

/// Returns one line for each dead link inside of the site.
///
/// # Errors
/// Returns an error if a file of the site cannot be read.
pub fn dead_links(site: &Path) -> Result<Vec<String>> {
    let anchor = Regex::new(r#"\bid="([^"]*)""#)?;
    let link = Regex::new(r#"\b(?:href|src)="([^"]*)""#)?;
    let mut pages = BTreeMap::new();
    let mut folders = vec![site.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html") {
                let text = fs::read_to_string(&path)?;
                let all = |form: &Regex| {
                    form.captures_iter(&text).map(|found| found[1].replace("&amp;", "&")).collect()
                };
                pages.insert(path, Page { anchors: all(&anchor), links: all(&link) });
            }
        }
    }
    let mut problems = Vec::new();
    for (path, page) in &pages {
        // This page is sent for any address; its links are relative to the root.
        if path.ends_with("404.html") {
            continue;
        }
        for link in &page.links {
            if let Some(why) = fault(&pages, path, link) {
                problems.push(format!("{}: `{link}` {why}", path.strip_prefix(site)?.display()));
            }
        }
    }
    Ok(problems)
}

/// Returns what is wrong with a link.
fn fault(pages: &BTreeMap<PathBuf, Page>, from: &Path, link: &str) -> Option<&'static str> {
    if link.contains(':') || link.is_empty() {
        return None;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() { from.to_owned() } else { normal(&from.parent()?.join(file)) };
    if !target.is_file() {
        return Some("names no file of the site");
    }
    let page = pages.get(&target)?;
    (!anchor.is_empty() && !page.anchors.contains(anchor)).then_some("names no heading of that page")
}

/// Returns a path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_links_are_found() -> Result<()> {
        let site = std::env::temp_dir().join(format!("bridgehead-site-{}", std::process::id()));
        fs::create_dir_all(site.join("a"))?;
        fs::write(
            site.join("index.html"),
            r##"<h1 id="top"><a href="#top">x</a></h1><a href="a/b.html#c">y</a>"##,
        )?;
        fs::write(
            site.join("a/b.html"),
            r#"<p id="c"></p><a href="../index.html#no"></a><img src="d.png">"#,
        )?;
        let found = dead_links(&site);
        fs::remove_dir_all(&site)?;
        let expected = [
            "a/b.html: `../index.html#no` names no heading of that page",
            "a/b.html: `d.png` names no file of the site",
        ];
        assert_eq!(found?, expected);
        Ok(())
    }
}
