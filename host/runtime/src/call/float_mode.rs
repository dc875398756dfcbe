//! The floating-point mode of the thread: rounding, denormals, traps. Rust code assumes the default, and the physics
//! gives other results with another one.
//!
//! A library that is linked with `-ffast-math` changes the mode in a constructor, without its author knowing.

use super::{Call, Rule, breaches};

/// Restores the default mode if the call has changed it.
pub(super) fn check(call: Call) {
    let mode = Mode::read();
    if !mode.is_default() {
        restore(call, mode);
    }
}

#[cold]
fn restore(call: Call, mode: Mode) {
    Mode::write_default();
    let text = format!(
        "changed the floating-point mode ({}), which would change the physics; it was restored",
        mode.difference()
    );
    breaches::change(Rule::FloatMode, Some(call), &text);
}

#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct Mode {
    /// Mode of SSE, which is what Rust uses.
    mxcsr: u32,
    /// Mode of x87, which C code uses for `long double`.
    x87: u16,
}

#[cfg(target_arch = "x86_64")]
impl Mode {
    /// The default of the System V ABI: round to nearest, all traps masked, denormals kept.
    const DEFAULT: Mode = Mode { mxcsr: 0x1f80, x87: 0x037f };
    /// Bits 0 to 5 are flags of past operations.
    const FLAGS: u32 = 0x3f;

    #[inline]
    #[expect(unsafe_code, reason = "std cannot read the mode")]
    fn read() -> Self {
        let (mut mxcsr, mut x87) = (0_u32, 0_u16);
        // SAFETY: the instructions store the two registers in these variables.
        unsafe {
            std::arch::asm!(
                "stmxcsr [{}]", "fnstcw [{}]", in(reg) &raw mut mxcsr, in(reg) &raw mut x87,
                options(nostack, preserves_flags)
            );
        }
        Mode { mxcsr, x87 }
    }

    #[inline]
    fn is_default(self) -> bool {
        self.mxcsr & !Self::FLAGS == Self::DEFAULT.mxcsr && self.x87 == Self::DEFAULT.x87
    }

    #[expect(unsafe_code, reason = "std cannot write the mode")]
    fn write_default() {
        let Mode { mxcsr, x87 } = Self::DEFAULT;
        // SAFETY: the values are the default of the ABI. `fnclex` first: a flag of the past whose trap was not masked
        // would trap at `fldcw`.
        unsafe {
            std::arch::asm!(
                "fnclex", "ldmxcsr [{}]", "fldcw [{}]", in(reg) &raw const mxcsr, in(reg) &raw const x87,
                options(nostack, preserves_flags)
            );
        }
    }

    /// Names what differs from the default.
    fn difference(self) -> String {
        let changed = self.mxcsr ^ Self::DEFAULT.mxcsr;
        let parts = [
            (changed & 0x6000 != 0, "rounding"),
            (changed & 0x8040 != 0, "denormals are flushed to zero"),
            (changed & 0x1f80 != 0, "traps are enabled"),
            (self.x87 != Self::DEFAULT.x87, "x87 control word"),
        ];
        parts
            .iter()
            .filter(|(is_changed, _)| *is_changed)
            .map(|(_, text)| *text)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

#[cfg(target_arch = "aarch64")]
#[derive(Clone, Copy)]
struct Mode {
    fpcr: u64,
}

#[cfg(target_arch = "aarch64")]
impl Mode {
    #[inline]
    #[expect(unsafe_code, reason = "std cannot read the mode")]
    fn read() -> Self {
        let fpcr: u64;
        // SAFETY: the instruction only reads the register.
        unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) fpcr, options(nomem, nostack, preserves_flags)) };
        Mode { fpcr }
    }

    #[inline]
    fn is_default(self) -> bool {
        self.fpcr == 0
    }

    #[expect(unsafe_code, reason = "std cannot write the mode")]
    fn write_default() {
        // SAFETY: zero is the default of the AAPCS64.
        unsafe { std::arch::asm!("msr fpcr, xzr", options(nomem, nostack, preserves_flags)) };
    }

    /// Names what differs from the default.
    fn difference(self) -> String {
        format!("FPCR is {:#x}", self.fpcr)
    }
}

/// Other processors are not checked.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[derive(Clone, Copy)]
struct Mode;

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
impl Mode {
    fn read() -> Self {
        Mode
    }

    fn is_default(self) -> bool {
        true
    }

    fn write_default() {}

    fn difference(self) -> String {
        String::new()
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
#[expect(unsafe_code, reason = "std cannot write the mode")]
mod tests {
    use super::*;
    use crate::call::breaches::take_of;
    use crate::call::{Owner, StepCall, during, in_step};

    fn set_mxcsr(value: u32) {
        // SAFETY: the code under test restores the mode.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const value) };
    }

    #[test]
    fn a_mode_that_a_call_changes_is_restored_and_named() {
        // Round down; flush to zero with denormals as zero; trap on division by zero.
        let modes = [(0x3f80, "rounding"), (0x9fc0, "denormals"), (0x1d80, "traps")];
        for (mode, text) in modes {
            let owner = format!("car1/{text}");
            in_step(&Owner::new(&owner), StepCall::Sample, || set_mxcsr(mode));
            assert!(Mode::read().is_default(), "{text}");
            let found = take_of(&owner).pop().expect("reported");
            assert!(found.contains("`sample` of plugin") && found.contains(text), "{found}");
            assert!(found.starts_with(&format!("[{}]", Rule::FloatMode.code())), "{found}");
        }
    }

    #[test]
    fn flags_of_past_operations_are_no_change_of_mode() {
        during("car1/divides", "awake", || set_mxcsr(0x1f80 | Mode::FLAGS));
        assert!(take_of("car1/divides").is_empty());
        set_mxcsr(Mode::DEFAULT.mxcsr);
    }

    #[test]
    fn a_thread_of_the_host_is_checked_for_itself() {
        during("plugin thread", "", || set_mxcsr(0x3f80));
        assert!(!Mode::read().is_default(), "bodies of threads are not checked");
        Mode::write_default();
        assert!(Mode::read().is_default());
    }
}
