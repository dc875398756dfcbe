//! Robots in xacro: expanded by the program of that name, from the registry, with the arguments of the command line and of
//! the configuration. Without the program, one line says what to do.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::robots::folder;
use crate::support::{Finished, Python, Served, Setup, succeed};

const BOX: &str = "<robot name='box' xmlns:xacro='http://www.ros.org/wiki/xacro'>\n\
     <xacro:arg name='mass' default='2'/>\n\
     <xacro:property name='m' value='$(arg mass)'/>\n\
     <link name='base'><inertial><mass value='${2*m}'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>\
     </inertial></link>\n</robot>\n";

/// A setup in which the program is found. Without it the test is skipped.
#[track_caller]
fn setup() -> Option<Setup> {
    let python = Python::with("xacro")?;
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = python.script_folders().into_iter().chain(env::split_paths(&path));
    let path = env::join_paths(folders).expect("folders");
    Some(Setup::new().env("PATH", path).env("PYTHONPATH", python.package_path()))
}

fn mass(finished: &Finished) -> f64 {
    let reading: Value = serde_json::from_str(&finished.stdout()).unwrap_or_else(|_| panic!("{finished}"));
    let mass = &reading["model"]["links"][0]["mass"];
    mass.as_f64().unwrap_or_else(|| panic!("{finished}"))
}

#[test]
fn a_robot_has_the_values_of_its_arguments() {
    for (more, expected) in [(&[][..], 4.0), (&["--arg", "mass=5"][..], 10.0), (&["--arg", "mass:=5"], 10.0)]
    {
        let Some(setup) = setup() else { return };
        let file = setup.file("box.urdf.xacro", BOX);
        let setup = setup.args(["world", "print", "--json"]).arg(file);
        let finished = more.iter().fold(setup, |setup, word| setup.arg(word)).finish().expect_code(0);
        assert!((mass(&finished) - expected).abs() < 1e-12, "{finished}");
    }
}

/// Robots of the registry and of ROS call some files `.urdf` that are not expanded yet.
#[test]
fn an_ending_does_not_hide_what_a_file_is() {
    let Some(setup) = setup() else { return };
    let file = setup.file("box.urdf", BOX);
    let finished = setup.args(["world", "print", "--json", "--arg", "mass=1.5"]).arg(file).finish();
    assert!((mass(&finished.expect_code(0)) - 3.0).abs() < 1e-12);
}

/// Robots of ROS without any element of xacro, such as those of `gz_ros2_control`, name files by the package they are in.
#[test]
fn a_urdf_with_an_expression_finds_its_package_and_the_parameters_of_its_controllers() {
    let Some(setup) = setup() else { return };
    let link = |name: &str| {
        format!(
            "<link name='{name}'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>\
             </inertial></link>"
        )
    };
    let robot = format!(
        "<robot name='cart'>{}{}<joint name='slider' type='prismatic'><parent link='rail'/><child link='cart'/>\
         <limit lower='-1' upper='1' effort='9' velocity='1'/></joint>\
         <ros2_control name='s'><joint name='slider'><command_interface name='position'/></joint></ros2_control>\
         <gazebo><plugin filename='gz_ros2_control-system' name='c'>\
         <parameters>$(find cart_demos)/config/cart.yaml</parameters></plugin></gazebo></robot>",
        link("rail"),
        link("cart")
    );
    for folder in ["cart_demos/config", "cart_demos/urdf"] {
        fs::create_dir_all(setup.path(folder)).expect("a folder");
    }
    setup.file("cart_demos/package.xml", "<package><name>cart_demos</name></package>");
    let controllers = "cart_controller:\n  ros__parameters:\n    \
        type: joint_trajectory_controller/JointTrajectoryController\n    joints: [slider]\n";
    setup.file("cart_demos/config/cart.yaml", controllers);
    let file = setup.file("cart_demos/urdf/cart.urdf", robot);
    let printed = setup.args(["world", "print", "--sdf"]).arg(file).finish().expect_code(0).stdout();
    assert!(printed.contains("<trajectory_controller name=\"cart_controller\">"), "{printed}");
}

#[test]
fn every_command_and_the_configuration_take_arguments() {
    let world =
        "<sdf version='1.9'><world name='w'><include><uri>box.urdf.xacro</uri></include></world></sdf>";
    let wrong = BOX.replace("<xacro:arg name='mass' default='2'/>", "");
    for command in [&["check"][..], &["world", "check"], &["run", "--duration", "10ms"]] {
        for (more, code) in [(&["--arg", "mass=1"][..], 0), (&[][..], 1)] {
            let Some(setup) = setup() else { return };
            let file = setup.file("box.urdf.xacro", &wrong);
            let setup = command.iter().chain(more).fold(setup, |setup, word| setup.arg(word));
            let finished = setup.arg(file).finish().expect_code(code);
            if code == 1 {
                finished.expect_message(&["BH-SDF-100", "Undefined substitution argument mass"]);
            }
        }
    }
    let Some(setup) = setup() else { return };
    setup.file("box.urdf.xacro", &wrong);
    let config = "[run]\nduration = '10ms'\n[[argument]]\nname = 'mass'\nvalue = '1'\n";
    drop(setup.world(world).config(config).finish().expect_code(0));
    let Some(setup) = self::setup() else { return };
    let config = "[[argument]]\nname = '-o'\nvalue = '1'\n";
    drop(
        setup.world(world).config(config).finish().expect_code(1).expect_message(&["BH-CFG-", "NAME=VALUE"]),
    );
}

/// Packages are found by the name in their `package.xml`, above the file, and on the search path.
#[test]
fn packages_are_found_without_ros() {
    let Some(setup) = setup() else { return };
    let include = |package: &str| {
        format!(
            "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>\
             <xacro:include filename='$(find {package})/urdf/part.xacro'/><xacro:part/></robot>"
        )
    };
    let part = "<robot xmlns:xacro='http://www.ros.org/wiki/xacro'><xacro:macro name='part'><link name='p'/></xacro:macro></robot>";
    for (folder, manifest) in [("checkout", "<package><name> own </name></package>"), ("path/other", "")] {
        fs::create_dir_all(setup.path(&format!("{folder}/urdf"))).expect("folders");
        setup.file(&format!("{folder}/urdf/part.xacro"), part);
        if !manifest.is_empty() {
            setup.file(&format!("{folder}/package.xml"), manifest);
        }
    }
    let own = setup.file("checkout/urdf/own.urdf.xacro", include("own"));
    let other = setup.file("checkout/urdf/other.urdf.xacro", include("other"));
    let missing = setup.file("checkout/urdf/missing.urdf.xacro", include("missing"));
    let path = setup.path("path");
    let setup = setup.env("ROS_PACKAGE_PATH", path).args(["world", "check"]).arg(own).arg(other).arg(missing);
    let finished = setup.finish().expect_code(1);
    let lines = finished.stdout();
    assert!(
        lines.contains("own.urdf.xacro: 0 errors") && lines.contains("other.urdf.xacro: 0 errors"),
        "{finished}"
    );
    finished.expect_message(&["missing.urdf.xacro", "package `missing` is in no folder of the search path"]);
}

/// A host whose search path for programs is a folder with this file as `xacro`, or without one.
fn with_program(program: Option<&str>) -> Setup {
    let setup = Setup::new();
    fs::create_dir(setup.path("programs")).expect("a folder");
    if let Some(text) = program {
        let file = setup.file("programs/xacro", text);
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("set");
    }
    let bin: OsString = setup.path("programs").into();
    let file = setup.file("box.urdf.xacro", BOX);
    setup.env("PATH", bin).args(["run", "--duration", "10ms"]).arg(file)
}

#[test]
fn a_machine_without_xacro_says_what_to_install() {
    let finished = with_program(None).finish().expect_code(1);
    finished.expect_message(&["BH-SDF-100", "there is no program `xacro`"]).expect_silence("panicked");
}

#[test]
fn a_program_that_floods_or_fails_is_ended_and_reported() {
    let flood = with_program(Some("#!/bin/sh\nexec /usr/bin/yes '<robot/>'\n")).finish().expect_code(1);
    drop(flood.expect_message(&["BH-SDF-100", "bytes, which is the limit"]));
    let loud = with_program(Some("#!/bin/sh\nexec /usr/bin/yes warning >&2\n")).finish().expect_code(1);
    drop(loud.expect_message(&["BH-SDF-100", "bytes, which is the limit"]));
    let long = "#!/bin/sh\necho 'error: no link' >&2\n/usr/bin/seq 5000 >&2\nprintf '\\377' >&2\nexit 2\n";
    let long = with_program(Some(long)).finish().expect_code(1);
    drop(long.expect_message(&["BH-SDF-100", "xacro refuses it: error: no link"]));
    let silent = with_program(Some("#!/bin/sh\nexit 2\n")).finish().expect_code(1);
    drop(silent.expect_message(&["BH-SDF-100", "xacro refuses it", "says nothing"]));
    let strange = with_program(Some("#!/bin/sh\nprintf '\\377'\n")).finish().expect_code(1);
    drop(strange.expect_message(&["BH-SDF-100", "not a UTF-8 text"]));
    let other = with_program(Some("#!/bin/sh\necho hello\n")).finish().expect_code(1);
    drop(other.expect_message(&["box.urdf.xacro (expanded)"]));
}

#[test]
fn a_run_that_goes_on_can_spawn_one() {
    let Some(setup) = setup() else { return };
    let file = setup.file("box.urdf.xacro", BOX);
    let world = "<sdf version='1.9'><world name='w'><gravity>0 0 0</gravity></world></sdf>";
    let host = Served::start(setup.world(world).args(["--arg", "mass=3"]));
    host.ok("spawn_entity", json!({"name": "one", "entity_resource": {"uri": file.to_str()}}));
    // A text has no file that the program could read.
    let answer =
        host.call("spawn_entity", json!({"name": "two", "entity_resource": {"resource_string": BOX}}));
    assert!(
        answer["result"]["error_message"].as_str().is_some_and(|text| text.contains("xacro")),
        "{answer}"
    );
}

/// Robots of other projects as they are in their package, each with the number of its links.
const ROBOTS: &[(&str, usize)] = &[
    ("rtbdata/xacro/clearpath_ridgeback_description/urdf/ridgeback.urdf.xacro", 22),
    ("rtbdata/xacro/qut_frankie_description/robots/dual_panda_example.urdf.xacro", 25),
    ("rtbdata/xacro/qut_frankie_description/robots/frankieOmni_arm_hand.urdf.xacro", 16),
    ("rtbdata/xacro/qut_frankie_description/robots/frankie_arm_hand.urdf.xacro", 15),
    ("rtbdata/xacro/qut_frankie_description/robots/panda_arm_hand.urdf.xacro", 12),
    ("rtbdata/xacro/trossen_descriptions/urdf/px100.urdf.xacro", 12),
    ("rtbdata/xacro/trossen_descriptions/urdf/px150.urdf.xacro", 13),
    ("rtbdata/xacro/trossen_descriptions/urdf/rx150.urdf.xacro", 13),
    ("rtbdata/xacro/trossen_descriptions/urdf/rx200.urdf.xacro", 13),
    ("rtbdata/xacro/trossen_descriptions/urdf/vx250.urdf.xacro", 13),
    ("rtbdata/xacro/trossen_descriptions/urdf/vx300.urdf.xacro", 13),
    ("rtbdata/xacro/trossen_descriptions/urdf/vx300s.urdf.xacro", 14),
    ("rtbdata/xacro/trossen_descriptions/urdf/wx200.urdf.xacro", 13),
    ("rtbdata/xacro/trossen_descriptions/urdf/wx250s.urdf.xacro", 14),
    ("rtbdata/xacro/unimation_puma560_description/urdf/puma560_robot.urdf.xacro", 7),
];

/// Runs each robot by the command that a user types, and compares its links with what the program itself generates.
#[test]
fn robots_of_other_projects_run_as_they_are() {
    let (Some(robots), Some(python)) = (folder(), Python::with("xacro")) else { return };
    let packages = env::join_paths([robots.join("rtbdata/xacro"), robots.join("rtbdata")]).expect("paths");
    for (file, links) in ROBOTS {
        let Some(setup) = setup() else { return };
        let path = robots.join(file);
        let run = setup.env("ROS_PACKAGE_PATH", &packages).args([
            "run",
            "--duration",
            "100ms",
            "--on-loss",
            "ignore",
        ]);
        drop(run.arg(&path).finish().expect_code(0));
        let Some(setup) = self::setup() else { return };
        let print = setup.env("ROS_PACKAGE_PATH", &packages).args(["world", "print", "--json"]);
        let finished = print.arg(&path).finish();
        let reading: Value =
            serde_json::from_str(&finished.stdout()).unwrap_or_else(|_| panic!("{finished}"));
        // Links at fixed joints are parts of the others, so that the frames are counted too.
        let text = expanded(&python, &path, &robots.join("rtbdata/xacro"));
        assert_eq!(text.matches("<link ").count(), *links, "{file}");
        let mass: f64 = masses(&text).iter().sum();
        let model = &reading["model"];
        let found = model["links"].as_array().expect("links").iter().filter_map(|link| link["mass"].as_f64());
        let found: f64 = found.sum();
        // A link without mass that moves gets 10 g.
        let invented = 0.01 * f64::from(u32::try_from(*links).expect("few links"));
        let is_near = (found - mass).abs() <= 2e-3 * mass + invented;
        assert!(is_near, "{file}: {found} kg instead of {mass}\n{finished}");
    }
}

/// What xacro makes of a file; packages are in this folder.
fn expanded(python: &Python, file: &Path, packages: &Path) -> String {
    let script = format!(
        "import sys, types, xacro\n\
         module = types.ModuleType('ament_index_python.packages')\n\
         module.get_package_share_directory = lambda name: '{}/' + name\n\
         sys.modules |= {{'ament_index_python': types.ModuleType('a'), 'ament_index_python.packages': module}}\n\
         xacro.main()\n",
        packages.display()
    );
    succeed(python.command().args(["-c", &script]).arg(file))
}

/// The masses in a URDF.
fn masses(text: &str) -> Vec<f64> {
    let values = text.split("<mass value=\"").skip(1).filter_map(|rest| rest.split('"').next());
    values.filter_map(|value| value.parse().ok()).collect()
}
