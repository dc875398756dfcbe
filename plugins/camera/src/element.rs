//! The `<camera>` element of a sensor, or one of several.

use std::fmt::Display;

use bridgehead_plugin_api::host::{FromParam, Params, Pose};
use bridgehead_plugin_api::noise::Noise;
use bridgehead_plugin_api::random::RandomKey;
use bridgehead_plugin_api::{Error, Result};

/// Where the parameters of a camera are.
#[derive(Clone)]
pub(crate) struct Element {
    /// Those of the sensor.
    pub(crate) sensor: Params,
    /// Path of the element: `camera`, or `camera[1]`.
    path: String,
    /// Its name among those of the sensor; empty in a sensor with one camera.
    pub(crate) name: String,
}

impl Element {
    /// The element of a sensor with one camera; there may be none.
    pub(crate) fn only(sensor: Params) -> Self {
        Element { sensor, path: "camera".to_owned(), name: String::new() }
    }

    /// The elements of a sensor with several cameras, in the order of the file.
    pub(crate) fn several(sensor: Params) -> Result<Vec<Self>> {
        let mut found: Vec<Element> = Vec::new();
        for index in 0..sensor.count("camera") {
            let path = format!("camera[{index}]");
            let name = sensor.text(&format!("{path}/@name")).unwrap_or_default().trim().to_owned();
            let element = Element { sensor, path, name };
            element.check_name(&found)?;
            found.push(element);
        }
        if found.is_empty() {
            return Err(Error::invalid("a multicamera needs one or more <camera> elements with a name each"));
        }
        Ok(found)
    }

    /// Topics contain the name, and bridges tell cameras apart by it.
    fn check_name(&self, others: &[Element]) -> Result {
        let name = &self.name;
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let is_topic = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        if !(is_topic && name.chars().all(is_letter)) {
            let expected = "letters, digits and _, not beginning with a digit: it is a part of topics";
            return Err(self.refuse("@name", name, expected));
        }
        if others.iter().any(|other| other.name == *name) {
            return Err(self.refuse("@name", name, "a name that no other camera of the sensor has"));
        }
        Ok(())
    }

    /// The pose of the camera in its sensor.
    pub(crate) fn pose(&self) -> Result<Pose> {
        if let Some(frame) = self.text("pose/@relative_to").filter(|frame| !frame.trim().is_empty()) {
            let expected = "nothing: the pose of a camera is relative to its sensor";
            return Err(self.refuse("pose/@relative_to", &frame, expected));
        }
        self.sensor.pose(&self.at("pose"))
    }

    pub(crate) fn text(&self, path: &str) -> Option<String> {
        self.sensor.text(&self.at(path))
    }

    pub(crate) fn get<T: FromParam>(&self, path: &str) -> Result<Option<T>> {
        self.sensor.get(&self.at(path))
    }

    pub(crate) fn get_or<T: FromParam>(&self, path: &str, default: T) -> Result<T> {
        self.sensor.get_or(&self.at(path), default)
    }

    pub(crate) fn noise(&self, path: &str, random: RandomKey) -> Result<Noise> {
        Noise::read(self.sensor, &self.at(path), random)
    }

    pub(crate) fn refuse(&self, path: &str, found: &str, expected: impl Display) -> Error {
        self.sensor.refuse(&self.at(path), found, expected)
    }

    /// Reads an element, so that it is not reported as unknown.
    pub(crate) fn touch(&self, path: &str) {
        let _: Option<String> = self.text(path);
    }

    fn at(&self, path: &str) -> String {
        format!("{}/{path}", self.path)
    }
}
