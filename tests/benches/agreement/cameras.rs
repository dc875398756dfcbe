//! Images of the camera plugin, beside those of MuJoCo: depths, and which object each pixel shows.

use std::fs;
use std::path::Path;
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::likeness::{Likeness, Seen, compare};
use crate::page::{Row, Section, figure};
use crate::peers::Peers;
use crate::shapes::{CAMERA, CLIP, FIELD_OF_VIEW, HEIGHT, Shape, Thing, WIDTH, body, sensor, things};
use crate::{Outcome, locate};

const SCENES: u64 = 50;

/// Compares random scenes.
pub(crate) fn section(peers: &Peers) -> Outcome<Section> {
    let folder = TempDir::new()?;
    let scenes: Vec<Vec<Thing>> = (1..=SCENES).map(things).collect();
    let list = folder.path().join("scenes.json");
    fs::write(&list, Value::from_iter(scenes.iter().map(|things| scene(things))).to_string())?;
    peers.camera(&["draw", &list.to_string_lossy(), &folder.path().to_string_lossy()])?;
    let mut total = Likeness::NOTHING;
    let mut differences = Vec::new();
    for (number, things) in scenes.iter().enumerate() {
        let theirs = theirs(folder.path(), number)?;
        match compare(&ours(folder.path(), things)?, &theirs) {
            Ok(likeness) => total = total.and(likeness),
            Err(difference) => differences.push(format!("Scene {}: {difference}.", number + 1)),
        }
    }
    let agree = scenes.len() - differences.len();
    let count = |what: &str, figure: String, bound: &str, holds| Row {
        cells: vec![what.to_owned(), figure, bound.to_owned()],
        holds,
    };
    Ok(Section {
        title: "Images",
        method: format!(
            "{SCENES} random scenes of 30 boxes, spheres, cylinders and capsules on a plane, seen by a camera of {WIDTH} x \
             {HEIGHT} pixels. The images of `depth_camera` and `segmentation_camera` are compared with those of MuJoCo's \
             renderer. Depths more than 3 pixels from an edge differ by at most 1 mm or 0.1 %, objects of 2000 pixels or \
             more have an intersection over union of at least 0.99, and all other pixels show the same object unless they \
             are at an edge."
        ),
        heads: vec!["", "Bridgehead and MuJoCo", "wanted"],
        rows: vec![
            count("scenes that agree", format!("{agree} of {SCENES}"), "all", Some(differences.is_empty())),
            count("compared depths", total.depths.to_string(), "", None),
            count(
                "largest difference of depths, share of the bound",
                figure(total.worst),
                "at most 1",
                Some(total.worst <= 1.0),
            ),
            count("compared objects", total.objects.to_string(), "", None),
            count(
                "least intersection over union",
                format!("{:.4}", total.overlap),
                "at least 0.99",
                Some(total.overlap >= 0.99),
            ),
        ],
        notes: differences,
    })
}

fn scene(things: &[Thing]) -> Value {
    let thing = |thing: &Thing| {
        let (shape, sizes) = match thing.shape {
            Shape::Box(sides) => ("box", sides.to_vec()),
            Shape::Sphere(radius) => ("sphere", vec![radius]),
            Shape::Cylinder(radius, length) => ("cylinder", vec![radius, length]),
            Shape::Capsule(radius, length) => ("capsule", vec![radius, length]),
        };
        json!({ "shape": shape, "sizes": sizes, "pose": thing.pose })
    };
    json!({
        "size": [WIDTH, HEIGHT], "field_of_view": FIELD_OF_VIEW, "clip": CLIP, "camera": CAMERA,
        "things": things.iter().map(thing).collect::<Vec<_>>(),
    })
}

fn theirs(folder: &Path, number: usize) -> Outcome<Seen> {
    let depths = fs::read(folder.join(format!("{number}.depths")))?;
    Ok(Seen { classes: fs::read(folder.join(format!("{number}.classes")))?, depths: floats(&depths) })
}

/// Runs the program as a user does.
fn ours(folder: &Path, things: &[Thing]) -> Outcome<Seen> {
    let (world, log) = (folder.join("world.sdf"), folder.join("run.jsonl"));
    let sensors = [sensor("depth", "depth_camera", "auto"), sensor("class", "segmentation", "auto")].concat();
    let body = body(things, &sensors);
    fs::write(&world, format!("<sdf version='1.9'><world name='images'>{body}</world></sdf>"))?;
    let output = Command::new(locate::target()?.join("bridgehead"))
        .current_dir(folder)
        .env_remove("BRIDGEHEAD_PLUGIN_PATH")
        .args(["run", "world.sdf", "--duration", "1s", "--speed", "unlimited", "--http", "off"])
        .args(["--bridge", "car1=logging:run.jsonl;overwrite=true"])
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let text = fs::read_to_string(&log)?;
    let lines: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let data = |topic: &str| -> Outcome<Vec<u8>> {
        let line = lines.iter().find(|line| line["topic"] == topic);
        let line = line.ok_or_else(|| format!("no image on {topic}"))?;
        Ok(STANDARD.decode(line["message"]["data"].as_str().ok_or("no data")?)?)
    };
    Ok(Seen {
        classes: data("/car1/class/labels_map")?.iter().step_by(3).copied().collect(),
        depths: floats(&data("/car1/depth/image_raw")?),
    })
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    let (numbers, _) = bytes.as_chunks();
    numbers.iter().map(|number| f32::from_le_bytes(*number)).collect()
}
