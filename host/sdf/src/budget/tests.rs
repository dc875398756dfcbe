//! Charges, the first stop, the clock and the flag.

use super::*;

fn nowhere() -> Option<Location> {
    None
}

fn place(line: u32) -> impl FnOnce() -> Option<Location> {
    move || Some(Location { file: "w.sdf".into(), line, column: 1, path: String::new() })
}

#[test]
fn the_first_charge_above_a_limit_stops_all_with_one_finding() {
    let budget = Budget::default().with(Limit::Elements, 3);
    let clone = budget.clone();
    assert_eq!(budget.charge(Limit::Elements, 2, place(1)), Ok(()));
    assert_eq!(clone.charge(Limit::Elements, 1, place(2)), Ok(()));
    assert_eq!((budget.used(Limit::Elements), budget.stopped()), (3, None));
    let first = budget.charge(Limit::Elements, 1, place(7)).expect_err("too many");
    assert_eq!(
        first.to_string(),
        "error[BH-SDF-008] w.sdf:7:1: more than 3 elements, each counted as often as it is included\n  \
         try: check whether models include each other more often than intended, or divide the world"
    );
    assert_eq!(clone.charge(Limit::Files, 1, place(9)), Err(first.clone()));
    assert_eq!(clone.check(Limit::Depth, 1, place(9)), Err(first.clone()));
    assert_eq!(clone.go_on(place(9)), Err(first.clone()));
    assert_eq!(budget.stopped(), Some(&*first));
}

#[test]
fn numbers_that_do_not_add_up_are_checked_alone() {
    let budget = Budget::default().with(Limit::Depth, 5);
    for _ in 0..10 {
        assert_eq!(budget.check(Limit::Depth, 5, nowhere), Ok(()));
    }
    let error = budget.check(Limit::Depth, 6, nowhere).expect_err("too deep").to_string();
    assert!(error.contains("more than 5 elements inside each other"), "{error}");
}

#[test]
fn the_clock_is_read_for_large_charges_and_now_and_then_for_small_ones() {
    let readings = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&readings);
    let elapsed = move || Duration::from_secs(counted.fetch_add(1, Ordering::Relaxed));
    let budget = Budget::default().timed(elapsed).with(Limit::Time, 1);
    for _ in 1..CHARGES {
        assert_eq!(budget.charge(Limit::Elements, 1, nowhere), Ok(()));
    }
    assert_eq!(readings.load(Ordering::Relaxed), 0);
    assert_eq!(budget.charge(Limit::Elements, 1, nowhere), Ok(()));
    assert_eq!(budget.charge(Limit::Text, 1000, nowhere), Ok(()));
    assert_eq!(readings.load(Ordering::Relaxed), 2);
    let error = budget.go_on(place(4)).expect_err("late").to_string();
    assert!(error.starts_with("error[BH-SDF-008] w.sdf:4:1: more than 1 seconds for reading"), "{error}");
}

#[test]
fn a_cancelled_reading_ends_at_the_next_charge() {
    let cancel = Cancel::default();
    let budget = Budget::default().cancelled_by(&cancel);
    assert_eq!(budget.charge(Limit::Elements, 1, nowhere), Ok(()));
    cancel.clone().cancel();
    assert!(cancel.is_cancelled());
    let error = budget.charge(Limit::Elements, 1, place(3)).expect_err("cancelled");
    assert_eq!(
        (error.code, error.to_string()),
        (Code::Cancelled, "error[BH-SDF-009] w.sdf:3:1: the reading was cancelled".to_owned())
    );
}
