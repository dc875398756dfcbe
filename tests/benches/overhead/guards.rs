//! Cost of the checks of calls in instructions: the same runs by the program and by one that is built without the checks.
//!
//! Instructions are counted by callgrind, so that neither other programs nor the speed of the machine matter.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::report::{Row, Section};
use crate::scene::{Scene, USUAL_SENSORS};
use crate::{Outcome, locate};

/// The program, and the one without checks, which `tests/bench.sh` puts beside it.
const PROGRAMS: [&str; 2] = ["bridgehead", "bridgehead-unguarded"];
/// Messages in a step, and bytes of each.
const COUNT: u32 = 1000;
const BYTES: u32 = 100;
const ROBOTS: u32 = 10;
/// Steps of the two runs whose difference is counted: start and end are the same in both.
const STEPS: [u32; 2] = [100, 400];

/// Counts the instructions of both programs in both worlds.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    let plugins = folder.join("plugins");
    fs::create_dir(&plugins)?;
    symlink(locate::plugin("producer")?, plugins.join("libproducer.so"))?;
    let worlds = [
        (format!("{COUNT} messages in a step"), publishing(folder)?),
        (
            format!("{ROBOTS} robots, each with imu and lidar"),
            Scene { robots: ROBOTS, sensors: USUAL_SENSORS.to_owned() }.write(folder)?,
        ),
    ];
    let mut rows = Vec::new();
    for (what, world) in worlds {
        let [guarded, unguarded] =
            [count_step(folder, PROGRAMS[0], &world)?, count_step(folder, PROGRAMS[1], &world)?];
        let share = 100.0 * (guarded / unguarded - 1.0);
        rows.push(Row::plain(format!("{what}: without the checks"), format!("{unguarded:.0} instructions")));
        rows.push(Row::plain(format!("{what}: with the checks"), format!("{guarded:.0} instructions")));
        let figure = format!("{share:.2} %");
        rows.push(Row::with_target(format!("{what}: cost of the checks"), figure, "below 1 %", share < 1.0));
    }
    Ok(Section {
        title: "The checks of calls",
        method: "The steps of a plugin that publishes 1000 messages of 100 bytes in each, and of ten robots, by the \
                 program and by one that is built without the checks that are always made \
                 ([decision 31](decisions/0031-guards-of-calls.md)). The figures are the instructions of the simulation \
                 thread in a step, counted by callgrind.",
        rows,
    })
}

/// A vehicle with only the plugin `producer`.
fn publishing(folder: &Path) -> Outcome<PathBuf> {
    let path = folder.join("publishing.sdf");
    let text = format!(
        "<sdf version='1.9'><world name='w'><model name='car'><link name='body'/><plugin filename='producer' name='producer'>\
         <count>{COUNT}</count><bytes>{BYTES}</bytes></plugin></model></world></sdf>"
    );
    fs::write(&path, text)?;
    Ok(path)
}

/// Instructions of a step.
fn count_step(folder: &Path, program: &str, world: &Path) -> Outcome<f64> {
    let [few, many] = STEPS;
    let more = count(folder, program, world, many)? - count(folder, program, world, few)?;
    Ok(more / f64::from(many - few))
}

/// Instructions of the simulation thread in a whole run.
fn count(folder: &Path, program: &str, world: &Path, steps: u32) -> Outcome<f64> {
    for counts in counts_of(folder)? {
        fs::remove_file(counts)?;
    }
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--separate-threads=yes"])
        .arg(format!("--callgrind-out-file={}", folder.join("counts.%p").display()))
        .arg(locate::target()?.join(program))
        .args(["run", "--strict", "--speed", "unlimited", "--http", "off", "--plugin-path"])
        .arg(folder.join("plugins"))
        .arg("--output")
        .arg(folder)
        .args(["--duration", &format!("{steps}ms")])
        .arg(world)
        .output()
        .map_err(|error| format!("valgrind cannot be started (Debian: apt-get install valgrind): {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    // The process that was started supervises its child, the host, which executes more.
    let totals =
        counts_of(folder)?.into_iter().map(|counts| total(&counts)).collect::<Outcome<Vec<f64>>>()?;
    totals.into_iter().reduce(f64::max).ok_or_else(|| "callgrind wrote no counts".into())
}

/// The files with the counts of the first threads of all processes. That of the host is the simulation thread.
fn counts_of(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("counts.") && name.ends_with("-01") {
            found.push(path);
        }
    }
    Ok(found)
}

fn total(counts: &Path) -> Outcome<f64> {
    let report = fs::read_to_string(counts)?;
    let total = report.lines().find_map(|line| line.strip_prefix("totals: "));
    Ok(total.ok_or("callgrind wrote no total")?.trim().parse()?)
}
