//! The demo, as `worlds/demo.sh` runs it.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::report::{Row, Section};
use crate::rounds::Rounds;
use crate::{Outcome, locate};

const ROUNDS: u32 = 9;

/// Measures the program by its own result file.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    let (mut steps, mut messages) = (Rounds::default(), Rounds::default());
    for _ in 0..ROUNDS {
        let result = run(folder)?;
        let wall = result["wall_s"].as_f64().ok_or("no wall time in the result")?;
        let step = result["steps"].as_f64().ok_or("no steps in the result")?;
        let topics = result["topics"].as_array().ok_or("no topics in the result")?;
        let delivered: f64 = topics.iter().filter_map(|topic| topic["delivered"].as_f64()).sum();
        steps.push(step / wall);
        messages.push(delivered / wall);
    }
    Ok(Section {
        title: "The demo",
        method: "The world of `worlds/demo.sh`: two vehicles with lidars, imus and drives, recorded commands, and logging \
                 bridges that write everything into an MCAP file and a text file. Wall time.",
        rows: vec![
            Row::plain("steps of 1 ms per second", format!("{steps:.0}")),
            Row::plain("messages to bridges per second", format!("{messages:.0}")),
        ],
    })
}

fn run(out: &Path) -> Outcome<Value> {
    let result = out.join("result.json");
    let at = |name: &str| out.join(name).display().to_string();
    let output = Command::new(locate::target()?.join("bridgehead"))
        .current_dir(locate::root())
        .args(["run", "worlds/two_vehicles.sdf", "--duration", "10s", "--speed", "unlimited", "--seed", "1"])
        .args(["--output", &out.display().to_string(), "--result", &at("result.json")])
        .args(["--bridge", &format!("*=logging:{};overwrite=true", at("two_vehicles.mcap"))])
        .args(["--bridge", &format!("*=logging:{};overwrite=true", at("two_vehicles.jsonl"))])
        .args(["--bridge", "car1=replay:worlds/two_vehicles.commands.jsonl;topics=/car1/*"])
        .args(["--bridge", "car2=replay:worlds/two_vehicles.commands.jsonl;topics=/car2/*"])
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(serde_json::from_slice(&fs::read(result)?)?)
}
