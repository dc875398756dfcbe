//! Selection of a physics profile for a run.

use crate::support::{Finished, Setup};

const WORLD: &str = "<sdf version='1.9'><world name='w'>
    <physics name='fine' type='ode'><max_step_size>0.002</max_step_size></physics>
    <physics name='coarse' type='ode'><max_step_size>0.01</max_step_size></physics>
    <physics name='usual' type='ode' default='true'><max_step_size>0.005</max_step_size></physics>
    <model name='ball'><pose>0 0 100 0 0 0</pose><link name='l'/></model></world></sdf>";

fn finished(prepare: impl FnOnce(Setup) -> Setup) -> Finished {
    prepare(Setup::new().world(WORLD).args(["--duration", "1s"])).finish()
}

#[track_caller]
fn expect_steps(wanted: u64, prepare: impl FnOnce(Setup) -> Setup) {
    let result = finished(prepare).expect_code(0).result();
    assert_eq!((result["steps"].as_u64(), result["time_ns"].as_u64()), (Some(wanted), Some(1_000_000_000)));
}

#[test]
fn the_step_width_is_that_of_the_selected_profile() {
    let of_file = |setup: Setup| setup.config("[run]\nphysics_profile = 'coarse'\n");
    expect_steps(200, |setup| setup);
    expect_steps(500, |setup| setup.args(["--physics-profile", "fine"]));
    expect_steps(100, of_file);
    expect_steps(500, |setup| of_file(setup).args(["--physics-profile", "fine"]));
    let with_width = "[run]\nphysics_profile = 'coarse'\nstep_width = '20ms'\n";
    expect_steps(50, |setup| setup.config(with_width));
}

#[test]
fn an_unknown_profile_ends_the_run_with_an_error_that_lists_the_profiles() {
    let unknown = finished(|setup| setup.args(["--physics-profile", "ode"])).expect_code(1);
    unknown.expect_message(&["BH-SIM-208", "`ode`", "`fine`, `coarse`, `usual`"]);
    let bare = "<sdf version='1.9'><world name='w'/></sdf>";
    let none =
        Setup::new().world(bare).args(["--duration", "1s", "--physics-profile", "x"]).finish().expect_code(1);
    none.expect_message(&["BH-SIM-208", "it has: none"]);
}
