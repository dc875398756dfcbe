//! `bridgehead world picture`: what a camera sees of a world, as a PNG file.
//!
//! The world is printed with all models in place but without sensors and plugins, and gets one more model, which has the
//! camera. A short run of it makes the picture, with the plugin that makes the images of all cameras.

use std::fs::{File, OpenOptions, remove_file};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use std::{env, io, process};

use bridgehead_lifecycle::{Cause, Interrupt, Request, SimulationState, StartIn};
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::sensor_msgs::Image;
use bridgehead_sdf::pose::DVec3;
use bridgehead_sdf::{Disk, LoadError, Loaded, Pose, Severity, print_passive};

use super::save::pose;
use crate::api::Shared;
use crate::atomic_file;
use crate::bus::{Delivery, Topic};
use crate::cli::args::{PictureArguments, Shown};
use crate::cli::console::Console;
use crate::cli::finding::finding;
use crate::cli::printed::EXIT_CONFIGURATION;
use crate::cli::world_file::search_path;
use crate::clock::Speed;
use crate::config::RunConfig;
use crate::control::{Control, OfferError, TopicObserver};
use crate::plugin::{Kind, LoadOptions, Origin, PluginSet, SearchPath};
use crate::report::{RunResult, StartProgress, Status, Watcher};
use crate::sim::{Controller, SimError, Simulation};

/// Name of the model with the camera; underscores are added while the world has such a model.
const MODEL: &str = "picture";
/// Metres in front of the camera.
const CLIP: [f64; 2] = [0.05, 500.0];
/// Range of grey of depths, from near to far. What shows nothing is black.
const GREY: [f64; 2] = [255.0, 40.0];

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
enum PictureError {
    /// An option has a wrong value.
    #[error("[BH-PIC-003] `--{option} {text}` is not {expected}")]
    Option { option: &'static str, text: String, expected: &'static str },
    /// The file cannot be written.
    #[error("[BH-PIC-001] `{file}` is not written: {reason}")]
    NotWritten { file: String, reason: String },
    /// The run made no image.
    #[error("[BH-PIC-002] there is no picture of `{world}`: {reason}")]
    NoImage { world: String, reason: String },
    /// The world cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The world cannot be run.
    #[error(transparent)]
    Run(#[from] SimError),
    /// The services of the run cannot be offered.
    #[error(transparent)]
    Services(#[from] OfferError),
}

/// Writes the picture of a world; returns the exit code.
pub(in crate::cli) fn picture(arguments: &PictureArguments, console: &Console) -> u8 {
    match try_picture(arguments) {
        Ok(()) => 0,
        Err(problem) => {
            console.line(&finding("error", "", &problem.to_string()));
            EXIT_CONFIGURATION
        }
    }
}

fn try_picture(arguments: &PictureArguments) -> Result<(), PictureError> {
    let output = arguments.output.as_path();
    let not_written =
        |reason: String| PictureError::NotWritten { file: output.display().to_string(), reason };
    if output.exists() && !arguments.overwrite {
        return Err(not_written("the file exists; name another one, or give `--overwrite`".to_owned()));
    }
    atomic_file::try_out(output).map_err(|error| not_written(error.to_string()))?;
    let loaded = crate::cli::world::load::loaded(&arguments.file, &arguments.xacro)?;
    // What is not found is not in the picture.
    for missing in loaded.diagnostics.iter().filter(|found| found.severity == Severity::Error) {
        log::error!("{missing}");
    }
    let camera = Camera::read(arguments, &loaded)?;
    let image = camera.image(&loaded, arguments)?;
    let png = encode(&image).map_err(|reason| camera.no_image(arguments, reason))?;
    atomic_file::write(output, &png).map_err(|error| not_written(error.to_string()))
}

/// The camera of a picture.
struct Camera {
    model: String,
    pose: Pose,
    size: [u32; 2],
    /// Horizontal field of view, rad.
    field_of_view: f64,
    shown: Shown,
}

impl Camera {
    fn read(arguments: &PictureArguments, loaded: &Loaded) -> Result<Self, PictureError> {
        let wrong =
            |option, text: &str, expected| PictureError::Option { option, text: text.to_owned(), expected };
        let size = size(&arguments.size);
        let size =
            size.ok_or_else(|| wrong("size", &arguments.size, "WIDTHxHEIGHT, two numbers of pixels"))?;
        let placed = match &arguments.camera {
            Some(text) => {
                let expected = "X Y Z ROLL PITCH YAW, six numbers in metres and radians";
                pose(text).ok_or_else(|| wrong("camera", text, expected))?
            }
            None => written_pose(loaded).unwrap_or_else(|| overview(loaded)),
        };
        let mut model = MODEL.to_owned();
        while loaded.world.models.iter().any(|other| other.name == model) {
            model.push('_');
        }
        Ok(Camera {
            model,
            pose: placed,
            size,
            field_of_view: arguments.field_of_view,
            shown: arguments.show,
        })
    }

    fn no_image(&self, arguments: &PictureArguments, reason: impl Into<String>) -> PictureError {
        PictureError::NoImage { world: arguments.file.display().to_string(), reason: reason.into() }
    }

    /// Runs a step of the world with the camera in it.
    fn image(&self, loaded: &Loaded, arguments: &PictureArguments) -> Result<Image, PictureError> {
        let failed = |error: io::Error| self.no_image(arguments, format!("the temporary folder: {error}"));
        let world = self.add_to(&print_passive(loaded, &search_path(&arguments.xacro.xacro), &Disk));
        let file = TemporaryFile::write(&world).map_err(failed)?;
        let set =
            PluginSet::search(&SearchPath::standard(&arguments.plugin_path, &[]), LoadOptions::default());
        let plugin = self.shown.plugin();
        let library = set.find(Kind::Model, plugin).map(|found| found.path.clone());
        let library =
            library.ok_or_else(|| self.no_image(arguments, set.explain_missing(Kind::Model, plugin)))?;
        let mut search = SearchPath::new();
        search.add(Origin::CommandLine, library);
        let config = RunConfig {
            world: Some(file.0.clone()),
            speed: Speed::Unlimited,
            start: StartIn::Paused,
            output: env::temp_dir(),
            search,
            // The picture is drawn inside of a call, which takes its time.
            call_budget: LONGEST,
            call_timeout: LONGEST,
            ..RunConfig::default()
        };
        let (send, images) = channel();
        let result = run(config, &self.topic(), send)?;
        let message = last(&images).ok_or_else(|| {
            let errors = [result.errors.join("; "), result.cause].into_iter().find(|text| !text.is_empty());
            self.no_image(arguments, errors.unwrap_or_default())
        })?;
        Image::decode(&*message).map_err(|error| self.no_image(arguments, error.to_string()))
    }

    fn topic(&self) -> String {
        let suffix = if self.shown == Shown::Labels { "colored_map" } else { "image_raw" };
        format!("/{}/eye/{suffix}", self.model)
    }

    /// Adds the model with the camera to the text of a world.
    fn add_to(&self, world: &str) -> String {
        let end = world.rfind("</world>").unwrap_or(world.len());
        let (before, after) = world.split_at(end);
        format!("{before}{}{after}", self.sdf())
    }

    fn sdf(&self) -> String {
        let [x, y, z] = self.pose.position.to_array();
        let [roll, pitch, yaw] = self.pose.rpy();
        let ([width, height], [near, far]) = (self.size, CLIP);
        let kind = self.shown.plugin();
        let more = if self.shown == Shown::Collisions {
            "<bridgehead:adapter>rays</bridgehead:adapter>"
        } else {
            ""
        };
        format!(
            "<model name=\"{}\" xmlns:bridgehead=\"https://bridgehead.dev\"><static>true</static>\
             <pose>{x} {y} {z} {roll} {pitch} {yaw}</pose><link name=\"link\"><sensor name=\"eye\" type=\"{kind}\">\
             <topic>eye</topic><update_rate>0</update_rate><bridgehead:latency>0</bridgehead:latency>{more}<camera>\
             <horizontal_fov>{}</horizontal_fov><image><width>{width}</width><height>{height}</height>\
             <anti_aliasing>4</anti_aliasing></image><clip><near>{near}</near><far>{far}</far></clip>\
             <segmentation_type>instance</segmentation_type></camera></sensor></link></model>",
            self.model, self.field_of_view
        )
    }
}

impl Shown {
    /// The plugin that shows it, which is also the type of the sensor.
    fn plugin(self) -> &'static str {
        match self {
            Shown::Color | Shown::Collisions => "camera",
            Shown::Depth => "depth_camera",
            Shown::Labels => "segmentation_camera",
        }
    }
}

/// A file in the temporary folder, which nobody else can read, until it is dropped.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn write(text: &str) -> io::Result<Self> {
        let path = env::temp_dir().join(format!("bridgehead-picture-{}.sdf", process::id()));
        let mut file: File = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        let out = TemporaryFile(path);
        file.write_all(text.as_bytes())?;
        Ok(out)
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if let Err(error) = remove_file(&self.0) {
            log::debug!("`{}` is not removed: {error}", self.0.display());
        }
    }
}

/// Reports nothing: only the image counts.
struct Silent;

impl Watcher for Silent {
    fn starting(&mut self, _: &StartProgress) {}
    fn status(&mut self, _: &Status) {}
}

/// Passes messages on to another thread.
struct Images(Sender<Payload>);

impl TopicObserver for Images {
    fn hear(&self, _: &Arc<Topic>, delivery: &Delivery) {
        // If nobody takes it, the run has ended.
        self.0.send(delivery.payload.clone()).unwrap_or_default();
    }

    fn is_open(&self) -> bool {
        true
    }
}

/// Lets the run take a step after the image has a receiver, and ends it when it holds again.
struct Director {
    control: Control,
    /// What receives the image, until the step.
    receiver: Option<(String, Images)>,
}

impl Controller for Director {
    fn is_wanted(&self, simulation: &Simulation) -> bool {
        simulation.machine().simulation_state() == SimulationState::Paused
    }

    fn serve(&mut self, simulation: &mut Simulation) {
        let then = match self.receiver.take() {
            Some((topic, images)) => {
                self.control.handle().observe(&topic, Box::new(images));
                Interrupt::Step(1)
            }
            None => Interrupt::Quit,
        };
        self.control.serve(simulation);
        simulation.request(Request::new(then, Cause::CommandLine));
    }
}

/// Longest time that the drawing of a picture may take.
const LONGEST: Duration = Duration::from_secs(600);

fn run(config: RunConfig, topic: &str, images: Sender<Payload>) -> Result<RunResult, PictureError> {
    let shared = Shared::new(config.seed);
    let control = Control::new(&shared, &config.services)?;
    let mut director = Director { control, receiver: Some((topic.to_owned(), Images(images))) };
    Ok(Simulation::new(config, shared)?.run(&mut Silent, &mut director)?)
}

fn last(images: &Receiver<Payload>) -> Option<Payload> {
    images.try_iter().last()
}

/// Reads `WIDTHxHEIGHT`.
fn size(text: &str) -> Option<[u32; 2]> {
    let (width, height) = text.split_once('x')?;
    Some([width.parse().ok()?, height.parse().ok()?])
}

/// The camera that the world has for the user interface.
fn written_pose(loaded: &Loaded) -> Option<Pose> {
    let camera = loaded.document.root().child("world")?.child("gui")?.child("camera")?;
    pose(camera.child("pose")?.text())
}

/// A camera that looks at the middle of all models from above.
fn overview(loaded: &Loaded) -> Pose {
    let places: Vec<DVec3> = loaded.world.models.iter().map(|model| model.pose.position).collect();
    let low = places.iter().copied().reduce(DVec3::min).unwrap_or_default();
    let high = places.iter().copied().reduce(DVec3::max).unwrap_or_default();
    let (middle, reach) = ((low + high) / 2.0, ((high - low).length() / 2.0).max(1.5));
    let away = DVec3::new(-1.0, -1.0, 0.8).normalize() * (2.2 * reach);
    let (pitch, yaw) = (libm::atan2(away.z, libm::hypot(away.x, away.y)), libm::atan2(-away.y, -away.x));
    Pose::from_rpy(middle + away, 0.0, pitch, yaw)
}

/// Returns an image as PNG, depths as grey.
fn encode(image: &Image) -> Result<Vec<u8>, String> {
    let (color, pixels) = match image.encoding.as_str() {
        "rgb8" => (png::ColorType::Rgb, image.data.to_vec()),
        "32FC1" => (png::ColorType::Grayscale, grey(&image.data)),
        other => return Err(format!("an image with the encoding `{other}` came")),
    };
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, image.width, image.height);
    encoder.set_color(color);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels));
    written.map(|()| out).map_err(|error| error.to_string())
}

fn grey(depths: &[u8]) -> Vec<u8> {
    let (numbers, _) = depths.as_chunks();
    let depths: Vec<f64> = numbers.iter().map(|bytes| f64::from(f32::from_le_bytes(*bytes))).collect();
    let seen = || depths.iter().copied().filter(|depth| depth.is_finite());
    let (near, far) = (seen().fold(f64::INFINITY, f64::min), seen().fold(0.0, f64::max));
    let level = |depth: &f64| {
        let share = if far > near { (depth - near) / (far - near) } else { 0.0 };
        let grey = if depth.is_finite() { GREY[0] + (GREY[1] - GREY[0]) * share } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
        let byte = grey.round() as u8;
        byte
    };
    depths.iter().map(level).collect()
}
