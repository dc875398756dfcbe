//! Addresses on Gazebo Fuel, looked up in the cache that Gazebo's own tools keep on this machine; nothing is fetched.
//!
//! `https://HOST/1.0/OWNER/models/NAME[/VERSION][/files/PATH]` is stored in
//! `CACHE/HOST/owner/models/name/VERSION/PATH`, with owner and name in lower case, as gz-fuel-tools writes
//! it; worlds have `worlds` in place of `models`.

use super::super::files::{Files, normalize};
use std::path::{Path, PathBuf};

/// The highest version that is looked for: models on Fuel have a handful.
const MAX_VERSIONS: u32 = 100;

/// The hosts of Gazebo Fuel, the former one last: they have the same models, and Gazebo's tools take one for the other.
const HOSTS: [&str; 2] = ["fuel.gazebosim.org", "fuel.ignitionrobotics.org"];

/// Returns the folder or file of an address in a cache; `None` for an address of another kind or one that no
/// cache contains.
pub(super) fn find(host_and_path: &str, caches: &[PathBuf], files: &dyn Files) -> Option<PathBuf> {
    let asset = Asset::parse(host_and_path)?;
    caches.iter().find_map(|cache| asset.find_in(cache, files))
}

/// Returns owner and name, in lower case, of an address of a whole model on Gazebo Fuel.
pub(crate) fn fuel_model(host_and_path: &str) -> Option<(String, String)> {
    let asset = Asset::parse(host_and_path)?;
    let is_model = asset.kind == "models" && asset.file.as_os_str().is_empty();
    (is_model && HOSTS.contains(&asset.host.as_str())).then_some((asset.owner, asset.name))
}

/// A model or world on Fuel, or a file of one.
#[derive(Debug, PartialEq, Eq)]
struct Asset {
    host: String,
    owner: String,
    /// `models` or `worlds`.
    kind: String,
    name: String,
    /// `None` for the newest in the cache.
    version: Option<u32>,
    /// Of the folder; empty for the folder itself.
    file: PathBuf,
}

impl Asset {
    fn parse(host_and_path: &str) -> Option<Self> {
        let text = decoded(host_and_path)?;
        let mut parts = text.split('/').filter(|part| !part.is_empty());
        let (host, _api) = (parts.next()?, parts.next()?);
        let (owner, kind, name) = (parts.next()?, parts.next()?, parts.next()?);
        let mut rest = parts.peekable();
        let version = match rest.peek() {
            Some(&"files") | None => None,
            Some(&"tip") => {
                rest.next();
                None
            }
            Some(number) => {
                let version = number.parse().ok()?;
                rest.next();
                Some(version)
            }
        };
        if rest.peek() == Some(&"files") {
            rest.next();
        }
        let file: PathBuf = rest.collect();
        // A name such as `..` must not lead out of the cache.
        let is_plain = [host, owner, name].iter().all(|part| !part.starts_with('.'));
        let stays_inside = !file.components().any(|part| part.as_os_str() == "..");
        (matches!(kind, "models" | "worlds") && is_plain && stays_inside).then(|| Asset {
            host: host.to_owned(),
            owner: owner.to_lowercase(),
            kind: kind.to_owned(),
            name: name.to_lowercase(),
            version,
            file,
        })
    }

    fn find_in(&self, cache: &Path, files: &dyn Files) -> Option<PathBuf> {
        let is_fuel = HOSTS.contains(&self.host.as_str());
        let others = HOSTS.iter().copied().filter(|host| is_fuel && *host != self.host);
        std::iter::once(self.host.as_str()).chain(others).find_map(|host| self.find_of(host, cache, files))
    }

    fn find_of(&self, host: &str, cache: &Path, files: &dyn Files) -> Option<PathBuf> {
        let model = cache.join(host).join(&self.owner).join(&self.kind).join(&self.name);
        let folder = |version: u32| model.join(version.to_string());
        let version = match self.version {
            Some(version) => Some(version),
            None => (1..=MAX_VERSIONS).rev().find(|version| files.is_dir(&folder(*version))),
        };
        let found = normalize(&folder(version?).join(&self.file));
        (files.is_file(&found) || files.is_dir(&found)).then_some(found)
    }
}

/// Decodes `%20` and the like.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        bytes.push(u8::try_from(digit()? * 16 + digit()?).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::super::super::InMemory;
    use super::*;

    fn cache() -> InMemory {
        let model = "/fuel/fuel.gazebosim.org/openrobotics/models/construction cone";
        InMemory::new()
            .with(format!("{model}/1/model.config"), "")
            .with(format!("{model}/12/model.config"), "")
            .with(format!("{model}/12/meshes/cone.dae"), "")
            .with("/fuel/secret", "")
    }

    fn found(address: &str) -> Option<String> {
        let caches = ["/none".into(), "/fuel".into()];
        Some(find(address, &caches, &cache())?.to_str()?.rsplit_once("cone/")?.1.to_owned())
    }

    #[test]
    fn the_newest_version_is_found_unless_one_is_named() {
        let address = "fuel.gazebosim.org/1.0/OpenRobotics/models/Construction Cone";
        assert_eq!(found(address).as_deref(), Some("12"));
        assert_eq!(found(&format!("{address}/tip")).as_deref(), Some("12"));
        assert_eq!(found(&format!("{address}/1")).as_deref(), Some("1"));
        assert_eq!(found(&format!("{address}/2")), None);
        assert_eq!(found(&address.replace(' ', "%20")).as_deref(), Some("12"));
    }

    /// Of each host the address, with the cache of each host.
    #[test]
    fn the_hosts_of_fuel_are_one() {
        let path = "1.0/openrobotics/models/Construction%20Cone";
        for stored in HOSTS {
            let model = format!("/fuel/{stored}/openrobotics/models/construction cone/3");
            let files = InMemory::new().with(format!("{model}/model.config"), "");
            for named in HOSTS {
                let found = find(&format!("{named}/{path}"), &["/fuel".into()], &files);
                assert_eq!(found, Some(model.clone().into()), "{named} in the cache of {stored}");
            }
            for other in ["example.org", "gazebosim.org", "fuel.gazebosim.org.example.org"] {
                assert_eq!(find(&format!("{other}/{path}"), &["/fuel".into()], &files), None, "{other}");
            }
        }
    }

    #[test]
    fn a_file_of_a_model_is_found_in_its_version() {
        let address =
            "fuel.gazebosim.org/1.0/openrobotics/models/Construction%20Cone/tip/files/meshes/cone.dae";
        assert_eq!(found(address).as_deref(), Some("12/meshes/cone.dae"));
        assert_eq!(found(&address.replace("tip/", "")).as_deref(), Some("12/meshes/cone.dae"));
        assert_eq!(found(&address.replace("tip", "1")), None);
    }

    #[test]
    fn no_address_leads_out_of_the_cache() {
        for address in [
            "",
            "fuel.gazebosim.org",
            "fuel.gazebosim.org/1.0/o/worlds/w",
            "fuel.gazebosim.org/1.0/o/models/none",
            "../1.0/fuel/models/secret",
            "fuel.gazebosim.org/1.0/../models/../secret",
            "fuel.gazebosim.org/1.0/openrobotics/models/construction cone/1/files/../../../../../secret",
            "fuel.gazebosim.org/1.0/openrobotics/models/construction cone/%2e%2e/secret",
            "fuel.gazebosim.org/1.0/o/models/%zz",
            "fuel.gazebosim.org/1.0/o/models/%2",
        ] {
            assert_eq!(find(address, &["/fuel".into()], &cache()), None, "{address}");
        }
    }
}
