//! Instances that have started, are late, or failed.

use super::*;

fn tracker(names: &[&str], need: Need) -> StartTracker {
    let mut tracker = StartTracker::default();
    for name in names {
        tracker.track(name, need, 1_000).expect("a fresh name");
    }
    tracker
}

fn progress(tracker: &StartTracker) -> (usize, usize, usize) {
    let Progress { started, missing, total } = tracker.progress();
    (started, missing, total)
}

#[test]
fn no_instances_means_all_have_started() {
    assert_eq!(StartTracker::default().report(), Some(Report::AllStarted));
}

#[test]
fn all_have_started_when_the_last_one_has() {
    let mut tracker = tracker(&["imu", "lidar"], Need::Required);
    assert_eq!(tracker.ready("lidar"), Ok(None));
    assert_eq!(tracker.report(), None);
    assert_eq!(progress(&tracker), (1, 0, 2));
    assert!(tracker.waiting().eq(["imu"]));
    assert_eq!(tracker.ready("imu"), Ok(None));
    assert_eq!(tracker.report(), Some(Report::AllStarted));
}

#[test]
fn late_plugin_is_reported_after_deadline() {
    let mut tracker = tracker(&["imu", "lidar"], Need::Optional);
    assert_eq!(tracker.ready("imu"), Ok(None));
    assert_eq!(tracker.expire(999), Vec::<String>::new());
    assert_eq!(tracker.report(), None);
    assert_eq!(tracker.expire(1_000), ["lidar"]);
    assert_eq!(tracker.expire(1_001), Vec::<String>::new(), "each is named once");
    assert!(tracker.late().eq(["lidar"]));
    assert_eq!(tracker.report(), Some(Report::AllStarted), "the run does without it");
    assert_eq!(progress(&tracker), (1, 1, 2));
}

#[test]
fn a_late_plugin_may_still_arrive() {
    let mut tracker = tracker(&["lidar"], Need::Optional);
    tracker.expire(1_000);
    assert_eq!(tracker.ready("lidar"), Ok(None));
    assert_eq!(progress(&tracker), (1, 0, 1));
}

#[test]
fn a_required_plugin_that_is_late_or_failed_ends_the_start() {
    let mut late = tracker(&["lidar"], Need::Required);
    late.expire(1_000);
    let Some(Report::StartFailed(cause)) = late.report() else { panic!("{:?}", late.report()) };
    assert_eq!(cause.to_string(), "plugin `lidar`: has not started before its deadline");

    let mut failed = tracker(&["imu", "lidar"], Need::Required);
    failed.failed("lidar", "no such device").expect("tracked");
    let Some(Report::StartFailed(cause)) = failed.report() else { panic!("{:?}", failed.report()) };
    assert_eq!(cause.to_string(), "plugin `lidar`: could not start: no such device");
    assert!(failed.failures().eq([("lidar", "no such device")]));
}

#[test]
fn a_reset_before_the_start_is_kept_and_handed_out_once() {
    let mut tracker = tracker(&["imu", "lidar"], Need::Required);
    assert_eq!(tracker.ready("imu"), Ok(None));
    tracker.keep_reset(ResetScope::TIME);
    tracker.keep_reset(ResetScope::STATE);
    assert_eq!(tracker.ready("imu"), Ok(None), "it had started, the cascade has reset it");
    assert_eq!(tracker.ready("lidar"), Ok(Some(ResetScope::TIME | ResetScope::STATE)));
    assert_eq!(tracker.ready("lidar"), Ok(None));
}

#[test]
fn instances_that_come_later_are_tracked_and_may_go() {
    let mut tracker = tracker(&["imu"], Need::Required);
    assert_eq!(tracker.ready("imu"), Ok(None));
    tracker.track("spawned/lidar", Need::Optional, 5_000).expect("a fresh name");
    assert_eq!(tracker.report(), None);
    tracker.forget("spawned/lidar");
    assert_eq!(tracker.report(), Some(Report::AllStarted));
    tracker.clear();
    assert_eq!(progress(&tracker), (0, 0, 0));
}

#[test]
fn duplicate_and_unknown_names_are_refused_with_advice() {
    let mut tracker = tracker(&["imu", "lidar"], Need::Required);
    let duplicate = tracker.track("imu", Need::Required, 0).expect_err("a second of that name");
    assert_eq!(
        duplicate.to_string(),
        "[BH-SIM-110] plugin instance `imu` is already being started; give each instance its own name"
    );
    let unknown = tracker.ready("radar").expect_err("nobody of that name");
    assert_eq!(
        unknown.to_string(),
        "[BH-SIM-111] plugin instance `radar` is not being started; being started are: imu, lidar"
    );
}
