//! Valid texts, and the errors of invalid ones.

use std::ffi::OsStr;

use crate::config::{Settings, keys};

use super::*;

#[test]
fn times_are_rounded_to_nanoseconds() {
    let cases = [
        ("10s", 10_000_000_000),
        ("500ms", 500_000_000),
        ("2m", 120_000_000_000),
        ("1.5s", 1_500_000_000),
        (".5h", 1_800_000_000_000),
        ("3.s", 3_000_000_000),
        ("1min", 60_000_000_000),
        ("0.001us", 1),
        ("250µs", 250_000),
        ("7ns", 7),
        ("0.123456789s", 123_456_789),
        ("0.8999999999999999s", 900_000_000),
        ("0.30000000000000004s", 300_000_000),
        ("16.6666666666666ms", 16_666_667),
        ("0.5ns", 1),
        ("292y", 0),
    ];
    for (text, ns) in cases {
        let found = duration(text).ok().map(|time| time.as_nanos());
        assert_eq!(found, (ns > 0).then_some(ns), "{text}");
    }
}

#[test]
fn a_time_that_is_none_says_why() {
    let cases = [
        ("10", "`10` has no unit"),
        ("10 s", "`10 s` has the unknown unit ` s`"),
        ("10sec", "`10sec` has the unknown unit `sec`"),
        ("soon", "`soon` is not a duration"),
        (".s", "`.s` is not a duration"),
        ("", "`` is not a duration"),
        ("0s", "`0s` is zero"),
        ("0.0ms", "`0.0ms` is zero"),
        ("-1s", "`-1s` is negative; a duration must be positive"),
        ("1.2.3s", "`1.2.3s` has more than one decimal point"),
        ("0.49ns", "`0.49ns` is shorter than half a nanosecond"),
        ("99999999h", "`99999999h` is longer than the 292 years that simulated time can hold"),
        ("1000000000000000000000s", "`1000000000000000000000s` has too many digits"),
    ];
    for (text, found) in cases {
        let error = duration(text).expect_err(text);
        assert_eq!((error.code, error.found.as_str()), (Code::DurationInvalid, found));
    }
    assert_eq!(duration("10").expect_err("no unit").hint, "write `10s` for seconds, `10ms` for milliseconds");
}

#[test]
fn a_speed_is_above_zero_or_unlimited() {
    assert_eq!(speed("1").expect("speed"), Speed::Factor(1.0));
    assert_eq!(speed("0.5").expect("speed"), Speed::Factor(0.5));
    assert_eq!(speed("unlimited").expect("speed"), Speed::Unlimited);
    let cases = [
        ("0", "at speed 0 no step would be run"),
        ("-0", "at speed 0 no step would be run"),
        ("-1", "speed -1 is negative"),
        ("NaN", "the speed is not a number"),
        ("inf", "speed inf cannot be paced"),
        ("1e300", "cannot be paced"),
        ("1e-300", "cannot be paced"),
        ("fast", "`fast` is not a speed"),
    ];
    for (text, found) in cases {
        let error = speed(text).expect_err(text);
        assert_eq!(error.code, Code::SpeedInvalid);
        assert!(error.found.contains(found), "{error}");
    }
    assert!(speed("0").expect_err("refused").hint.contains("`--start paused`"));
    assert!(speed("inf").expect_err("refused").hint.contains("`unlimited`"));
}

#[test]
fn sizes_count_in_powers_of_1024() {
    for (text, bytes) in [("1", 1), ("64K", 65_536), ("10M", 10_485_760), ("2G", 2_147_483_648)] {
        assert_eq!(size(text).expect(text), bytes);
    }
    for text in ["", "0", "K", "-1", "+1", "1.5M", "64MB", "64 M", "99999999999999999999", "99999999999G"] {
        assert_eq!(size(text).expect_err(text).code, Code::SizeInvalid);
    }
}

#[test]
fn a_seed_has_64_bits() {
    let seed = |text: &str| {
        let mut settings = Settings::default();
        let key = keys().find(|key| key.name == "seed").expect("a key");
        key.parse(OsStr::new(text), &mut settings).map(|()| settings.run.seed)
    };
    assert_eq!(seed("18446744073709551615").expect("seed"), Some(u64::MAX));
    for text in ["-1", "18446744073709551616", "0x10", "one", ""] {
        assert_eq!(seed(text).expect_err(text).code, Code::NumberInvalid);
    }
}

#[test]
fn an_unknown_word_lists_the_known_ones() {
    assert_eq!(choice("paused", STARTS).expect("known"), StartIn::Paused);
    assert_eq!(choice("abort", FAILURE_POLICIES).expect("known"), FailurePolicy::Abort);
    assert_eq!(reconnect("never").expect("known"), Reconnect::Never);
    assert_eq!(overflow("block").expect("known"), Overflow::Block);
    let error = choice("running", STARTS).expect_err("unknown");
    assert_eq!(error.code, Code::ChoiceInvalid);
    assert_eq!(error.found, "`running` is not an allowed word");
    assert_eq!(error.expected, "one of `playing`, `paused`, `stopped`");
}

#[test]
fn a_token_is_not_empty() {
    assert_eq!(token("s3cret").expect("a token").0, "s3cret");
    for text in ["", " ", "\t\n"] {
        assert_eq!(token(text).expect_err("no token").code, Code::TokenInvalid, "{text:?}");
    }
}
