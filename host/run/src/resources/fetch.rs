//! Finds the file of a resource and reads its text. Usable from any thread.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::{
    Disk, Document, Files as _, NotFound, ReadError, SearchPath, Source, locate, model_config, read_source,
};

use super::error::ResourceError;
use super::format::{Format, check_name, of_text};
use super::library::Library;
use super::resource::Resource;

/// The purpose of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceKind {
    /// A world to load.
    World,
    /// A model to spawn.
    Model,
}

/// The text of a resource.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The requested resource.
    pub asked: Resource,
    /// The file it came from; `None` for a text.
    pub path: Option<PathBuf>,
    /// The name of the file in messages.
    pub name: String,
    /// The text; what it generates, if the file is xacro.
    pub text: Arc<str>,
    /// Its format.
    pub format: Format,
}

impl Fetched {
    /// Returns the text for the SDF crate. Addresses in a file are relative to its folder; a text has no folder.
    #[must_use]
    pub fn source(&self) -> Source {
        match &self.path {
            Some(path) => Source::of_file(&self.name, path, Arc::clone(&self.text)),
            None => Source::from_text(self.asked.shown(), Arc::clone(&self.text)),
        }
    }
}

impl Library {
    /// Reads the text of a resource, and checks its file name and outermost element. The text is not parsed.
    ///
    /// An address is one of: a path, absolute or relative to the folder of the loaded world, the search path or the
    /// working directory; a URI `file://`, `model://` or `package://`; a URI of Gazebo Fuel, which is looked up in the
    /// local cache; or a name from a list of worlds or models.
    ///
    /// # Errors
    /// Returns an error if nothing was given, if the format is unsupported, or if there is no such file.
    pub fn fetch(&self, resource: &Resource, kind: ResourceKind) -> Result<Fetched, ResourceError> {
        let asked = resource.clone();
        if resource.uri.is_empty() {
            if resource.text.is_empty() {
                return Err(ResourceError::NoResource);
            }
            let format = of_text(resource.shown(), &resource.text)?;
            return Ok(Fetched {
                asked,
                path: None,
                name: String::new(),
                text: resource.text.as_str().into(),
                format,
            });
        }
        let path = self.find(&resource.uri, kind)?;
        let source = read(&path, self.search())?;
        let format = of_text(&resource.uri, source.text())?;
        Ok(Fetched {
            asked,
            path: Some(path),
            name: source.name().to_owned(),
            text: source.text().into(),
            format,
        })
    }

    /// Returns the file of a world by its address, as [`Library::fetch`] finds it.
    ///
    /// # Errors
    /// Returns an error if there is no such file, or its name belongs to another format.
    pub fn file_of_world(&self, uri: &str) -> Result<PathBuf, ResourceError> {
        self.find(uri, ResourceKind::World)
    }

    /// Returns the file of an address.
    fn find(&self, uri: &str, kind: ResourceKind) -> Result<PathBuf, ResourceError> {
        let folder = self.folder();
        let found = check_name(uri).and_then(|()| self.locate(uri, folder.as_deref()));
        let found = match found {
            // A listed name may have any form, also that of a file of another format.
            Err(error) if !uri.contains("://") => self.listed(uri, kind).ok_or(error),
            found => found,
        };
        let path = found?;
        if !path.is_dir() {
            return Ok(path);
        }
        // The folder of a world of Gazebo Fuel has no `model.config`.
        let is_fuel = uri.starts_with("http");
        let world = is_fuel.then(|| only_world(&path)).flatten();
        world.map_or_else(|| file_of_folder(uri, &path), Ok)
    }

    fn locate(&self, uri: &str, folder: Option<&Path>) -> Result<PathBuf, ResourceError> {
        let looked = match locate(uri, folder, self.search(), &Disk) {
            Ok(path) => return Ok(absolute(path)),
            Err(NotFound::Network) => {
                format!(
                    "it is on the network, nothing is downloaded, and no cache of Gazebo Fuel has it; try: \
                     `gz fuel download -u {uri}`"
                )
            }
            Err(NotFound::Nowhere(places)) => looked_for(&places),
            Err(NotFound::Refused(path, kind)) => {
                let reason = bridgehead_files::ReadError::Kind(kind).to_string();
                return Err(ResourceError::Unreadable { path, reason });
            }
        };
        let here = (!uri.contains("://"))
            .then(|| locate(uri, Some(Path::new(".")), &SearchPath::default(), &Disk).ok())
            .flatten();
        here.map(absolute).ok_or_else(|| ResourceError::NotFound { uri: uri.to_owned(), looked })
    }

    /// Returns the file of the first world or model of that name.
    fn listed(&self, name: &str, kind: ResourceKind) -> Option<PathBuf> {
        match kind {
            ResourceKind::World => self.world_named(name),
            ResourceKind::Model => self.spawnable_named(name),
        }
    }
}

fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

fn looked_for(places: &[PathBuf]) -> String {
    let places: Vec<String> = places.iter().map(|place| format!("`{}`", place.display())).collect();
    format!("looked for {}", places.join(", "))
}

/// Returns the file of a model's folder, named by its `model.config`.
pub(super) fn file_of_folder(uri: &str, folder: &Path) -> Result<PathBuf, ResourceError> {
    let config = folder.join("model.config");
    let text = match Disk.read(&config, Limit::Head.most()) {
        Err(error) if is_there(&error) => {
            return Err(ResourceError::Unreadable { path: config, reason: error.to_string() });
        }
        text => text.ok(),
    };
    let document = text.and_then(|text| Document::parse(Source::from_file(&config, text)).ok());
    let named = document.and_then(|document| model_config(&document).file).map(|file| folder.join(file));
    let usual = Some(folder.join("model.sdf"));
    named.into_iter().chain(usual).find(|file| file.is_file()).ok_or_else(|| ResourceError::NotFound {
        uri: uri.to_owned(),
        looked: format!(
            "`{}` is a folder without a `model.config` that names a file of it",
            folder.display()
        ),
    })
}

/// Returns the world of a folder that contains one.
fn only_world(folder: &Path) -> Option<PathBuf> {
    let is_world = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension == "sdf" || extension == "world") && path.is_file()
    };
    let mut worlds =
        std::fs::read_dir(folder).ok()?.filter_map(Result::ok).map(|entry| entry.path()).filter(is_world);
    let first = worlds.next()?;
    worlds.next().is_none().then_some(first)
}

fn read(path: &Path, search: &SearchPath) -> Result<Source, ResourceError> {
    let refuse =
        |error: ReadError| ResourceError::Unreadable { path: path.to_owned(), reason: error.to_string() };
    read_source(&Disk, path, search, Limit::TextFile.most()).map_err(refuse)
}

/// Returns true unless a file is missing.
fn is_there(error: &ReadError) -> bool {
    !matches!(error, ReadError::File(bridgehead_files::ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound)
}
