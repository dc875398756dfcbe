//! Builds the documentation as a site: collects the pages that `docs/SUMMARY.md` lists, wherever they are in the
//! repository, gives each error code a page, runs mdBook, and refuses a dead link.
//!
//! `bridgehead-site OUTPUT` writes the site into the folder OUTPUT and the collected pages into OUTPUT-pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use mdbook_driver::MDBook;
use mdbook_driver::config::Config;

mod book;
mod check;
mod codes;
mod links;
mod markdown;

/// The file with additions to the style of mdBook.
const STYLE: &str = "site.css";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Without a backtrace, which says nothing about a page.
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let Some(output) = std::env::args_os().nth(1) else { bail!("name the folder for the site") };
    let output = std::path::absolute(PathBuf::from(output))?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let mut pages = output.clone().into_os_string();
    pages.push("-pages");
    build(&root, Path::new(&pages), &output)?;
    println!("{}", output.join("index.html").display());
    Ok(())
}

/// Builds the site of the repository at `root`.
fn build(root: &Path, pages: &Path, output: &Path) -> Result<()> {
    let book = book::Book::read(root)?;
    let source = pages.join("src");
    if pages.exists() {
        fs::remove_dir_all(pages)?;
    }
    book.write(&source)?;
    fs::write(pages.join(STYLE), include_str!("../site.css"))?;
    MDBook::load_with_config(pages, config(output)?)?.build()?;
    let problems = check::dead_links(output)?;
    if !problems.is_empty() {
        bail!("the site has dead links:\n{}", problems.join("\n"));
    }
    Ok(())
}

fn config(output: &Path) -> Result<Config> {
    let mut config = Config::default();
    config.book.title = Some("Bridgehead".to_owned());
    config.book.language = Some("en".to_owned());
    config.build.build_dir = output.to_owned();
    config.build.create_missing = false;
    // Pages contain no directives of mdBook, and are named as links name them.
    config.build.use_default_preprocessors = false;
    config.set("output.html.additional-css", [STYLE])?;
    for (key, value) in [
        ("output.html.no-section-label", true),
        ("output.html.fold.enable", true),
        ("output.html.print.enable", false),
        ("output.html.playground.runnable", false),
        ("output.html.search.enable", true),
    ] {
        config.set(key, value).with_context(|| format!("the setting `{key}`"))?;
    }
    Ok(config)
}
