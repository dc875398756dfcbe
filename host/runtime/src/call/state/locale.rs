//! The locale of the process and that of a thread: in some, `strtod` and `printf` of every C and C++ plugin expect another
//! decimal point.

use std::ffi::{CStr, CString};
use std::ptr::null;

use super::super::Rule;
use super::{Cost, State};

/// The names of all categories, as the C library writes them.
pub(super) struct Locale(CString);

impl State for Locale {
    const RULE: Rule = Rule::Locale;
    const COST: Cost = Cost::Medium;

    #[expect(unsafe_code, reason = "std has no locales")]
    fn read() -> Option<Self> {
        // SAFETY: only asks; the text is copied before any call can change it.
        let names = unsafe { libc::setlocale(libc::LC_ALL, null()) };
        // SAFETY: a text of the C library ends with a zero byte.
        (!names.is_null()).then(|| Locale(unsafe { CStr::from_ptr(names) }.to_owned()))
    }

    fn change(&self) -> Option<String> {
        let Locale(now) = Self::read()?;
        let (before, now) = (self.0.to_string_lossy(), now.to_string_lossy());
        (before != now).then(|| format!("changed the locale of the process from `{before}` to `{now}`"))
    }

    #[expect(unsafe_code, reason = "std has no locales")]
    fn restore(&self) -> bool {
        // SAFETY: the text ends with a zero byte.
        unsafe { !libc::setlocale(libc::LC_ALL, self.0.as_ptr()).is_null() }
    }
}

/// The locale of a thread, which `uselocale` sets.
pub(super) struct OfThread(libc::locale_t);

impl State for OfThread {
    const RULE: Rule = Rule::Locale;
    const COST: Cost = Cost::Medium;
    const IS_OF_THREAD: bool = true;

    #[expect(unsafe_code, reason = "std has no locales")]
    fn read() -> Option<Self> {
        // SAFETY: only asks.
        Some(OfThread(unsafe { libc::uselocale(std::ptr::null_mut()) }))
    }

    fn change(&self) -> Option<String> {
        let OfThread(now) = Self::read()?;
        (now != self.0).then(|| "changed the locale of a thread of the host".to_owned())
    }

    #[expect(unsafe_code, reason = "std has no locales")]
    fn restore(&self) -> bool {
        // SAFETY: the locale was that of this thread before the call.
        unsafe { !libc::uselocale(self.0).is_null() }
    }
}

// SAFETY: the pointer is only compared, and given back to the C library on the same thread.
#[expect(unsafe_code, reason = "a pointer of the C library")]
unsafe impl Send for OfThread {}
