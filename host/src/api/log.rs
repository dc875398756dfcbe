//! `bridgehead.log/1`: lines of plugins go through the host's logger, tagged with the instance.

use bridgehead_abi::Host;
use bridgehead_abi::host::{HostLog, LOG_DEBUG, LOG_ERROR, LOG_INFO, LOG_WARN, LogRecord};

use super::Context;
use crate::guard::host_call;

pub(super) static TABLE: HostLog = HostLog { struct_size: HostLog::SIZE, reserved: 0, enabled, write };

fn level(number: u32) -> log::Level {
    match number {
        LOG_ERROR => log::Level::Error,
        LOG_WARN => log::Level::Warn,
        LOG_INFO => log::Level::Info,
        LOG_DEBUG => log::Level::Debug,
        _ => log::Level::Trace,
    }
}

unsafe extern "C" fn enabled(_: *const Host, number: u32) -> u8 {
    host_call("log.enabled", 0, || u8::from(level(number) <= log::max_level()))
}

unsafe extern "C" fn write(host: *const Host, record: *const LogRecord) {
    host_call("log.write", (), || {
        // SAFETY: plugins pass back their host pointer and a record whose texts are valid for this call.
        let (context, record) = unsafe { (Context::of(host), &*record) };
        // SAFETY: as above.
        let (target, text, file) =
            unsafe { (record.target.as_bytes(), record.text.as_bytes(), record.file.as_bytes()) };
        let text = String::from_utf8_lossy(text);
        log::logger().log(
            &log::Record::builder()
                .level(level(record.level))
                .target(&context.label)
                .module_path(Some(&String::from_utf8_lossy(target)))
                .file(Some(&String::from_utf8_lossy(file)))
                .line(Some(record.line))
                .args(format_args!("{text}"))
                .build(),
        );
    })
}
