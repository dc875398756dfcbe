//! Embeds the page into the host if `npm run build` has written it into `page/dist`.
//!
//! Writes `page.rs`, a list of names and compressed contents that `src/web/page.rs` includes. Without a page the list is
//! empty, and the host says how to get one. Runs before the host is compiled; needs no Node.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;

/// The folder that `page/build.mjs` writes. It is in the repository, empty: cargo runs a script before every build if it
/// depends on a path that does not exist.
const FOLDER: &str = "page/dist";
/// The files of a complete page.
const FILES: [&str; 6] = ["index.html", "page.js", "page.css", "favicon.svg", "errors.json", "licences.txt"];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={FOLDER}");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let mut list = String::from("&[\n");
    for name in files() {
        let path = out.join(format!("{name}.gz"));
        fs::write(&path, compressed(&Path::new(FOLDER).join(name))?)?;
        list.push_str(&format!("    ({name:?}, include_bytes!({path:?})),\n"));
    }
    list.push_str("]\n");
    fs::write(out.join("page.rs"), list)
}

/// Returns the files to embed: all, or none.
fn files() -> &'static [&'static str] {
    let missing: Vec<&str> =
        FILES.into_iter().filter(|name| !Path::new(FOLDER).join(name).is_file()).collect();
    match missing.len() {
        0 => &FILES,
        count if count == FILES.len() => &[],
        _ => {
            let names = missing.join(", ");
            println!("cargo::warning=the page is not embedded: host/{FOLDER} has no {names}");
            &[]
        }
    }
}

fn compressed(path: &Path) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&fs::read(path)?)?;
    encoder.finish()
}
