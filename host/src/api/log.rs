//! `bridgehead.log/1`: lines of plugins go through the host's logger, tagged with the instance.

use bridgehead_abi::Host;
use bridgehead_abi::host::{HostLog, LOG_DEBUG, LOG_ERROR, LOG_INFO, LOG_WARN, LogRecord};

use super::caller::{bytes, caller, check_pointer};
use crate::guard::host_call;
use crate::text::shortened;

pub(super) static TABLE: HostLog = HostLog { struct_size: HostLog::SIZE, reserved: 0, enabled, write };

/// Longest line of a plugin in characters; longer ones are truncated.
const MAX_LINE: usize = 16 << 10;

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
        let context = caller!(host, "log.write", else return);
        if !context.may_log() {
            return;
        }
        if check_pointer(&context.label, record, "record", "log.write").is_err() {
            return;
        }
        // SAFETY: plugins pass a record whose texts are valid for this call.
        let (record, texts) = unsafe {
            let record = &*record;
            (
                record,
                [record.target, record.text, record.file]
                    .map(|text| bytes(&context.label, text, "log.write")),
            )
        };
        let [Ok(target), Ok(text), Ok(file)] = texts else { return };
        let whole = String::from_utf8_lossy(text);
        let text = shortened(&whole, MAX_LINE);
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
