//! Levels, and the form of a line.

use super::*;

fn flags(verbose: u8, quiet: u8) -> Verbosity {
    Verbosity { verbose, quiet }
}

#[test]
fn flags_win_over_the_environment() {
    let base = |verbose, quiet, environment| Filter::choose(&flags(verbose, quiet), environment).0.base;
    assert_eq!(base(0, 0, ""), LevelFilter::Info);
    assert_eq!(base(0, 0, "trace"), LevelFilter::Trace);
    assert_eq!(base(1, 0, "error"), LevelFilter::Debug);
    assert_eq!(base(3, 0, ""), LevelFilter::Trace);
    assert_eq!(base(0, 1, "trace"), LevelFilter::Warn);
    assert_eq!(base(0, 2, "trace"), LevelFilter::Error);
}

#[test]
fn a_label_may_have_a_level_of_its_own() {
    let (filter, warning) = Filter::parse("warn, car1=debug,car1/lidar=off");
    assert_eq!(warning, None);
    assert_eq!(filter.most(), LevelFilter::Debug);
    assert!(filter.allows(Level::Debug, "car1/logging"));
    assert!(!filter.allows(Level::Error, "car1/lidar"));
    assert!(filter.allows(Level::Warn, "car2/logging"));
    assert!(!filter.allows(Level::Info, "car2/logging"));
}

#[test]
fn what_is_not_understood_is_quoted() {
    let (filter, warning) = Filter::parse("loud");
    assert_eq!(filter.base, LevelFilter::Info);
    assert!(warning.expect("a warning").starts_with("BRIDGEHEAD_LOG: `loud` is malformed"));
}

#[test]
fn a_line_names_its_plugin_but_not_the_host() {
    let plain = |level, target, text| line(level, target, text, false);
    assert_eq!(plain(Level::Warn, "car1/logging", "queue full"), "warning: car1/logging: queue full");
    assert_eq!(plain(Level::Info, "bridgehead_host::sim", "loaded"), "info: loaded");
    assert_eq!(plain(Level::Debug, "bridgehead_host::sim", "x"), "debug: bridgehead_host::sim: x");
    let finding = "error[BH-SDF-003] a.sdf:1:1: no XML";
    assert_eq!(plain(Level::Error, "bridgehead_host::sim", finding), finding);
    assert_eq!(line(Level::Error, "car1/x", "y", true), "\x1b[1;31merror:\x1b[0m car1/x: y");
}
