//! The functions of the host, each of which asks the real host. What needs no answer of the host is done here: threads, the
//! monotonic clock, and whether a line would be logged.

use std::ffi::c_void;

use bridgehead_abi::basic::Pose;
use bridgehead_abi::host::{
    Attachment, ClockReading, HostClock, HostLifecycle, HostLockstep, HostLog, HostModel, HostParams,
    JointInfo, LOG_TRACE, LinkInfo, LogRecord,
};
use bridgehead_abi::report::HostReport;
use bridgehead_abi::{Host, Status, Str, extension, status};

use super::super::wire::{self, Answer, Request};
use super::host::{caller_of, kept};
use super::{
    bridges, bus, content, dynamics, encodings, kinematics, link, place, surroundings, threads, types, world,
};
use crate::guard::host_call;

/// The table of an extension; null for an unknown one.
pub(super) fn table_of(id: &str) -> *const c_void {
    fn table<T>(table: &'static T) -> *const c_void {
        std::ptr::from_ref(table).cast()
    }
    match id {
        extension::LOG => table(&LOG),
        extension::TYPES => table(&types::TABLE),
        extension::CLOCK => table(&CLOCK),
        extension::BRIDGES => table(&bridges::TABLE),
        extension::ENCODINGS => table(&encodings::TABLE),
        extension::PARAMS => table(&PARAMS),
        extension::MODEL => table(&MODEL),
        extension::DESCRIPTION => table(&content::DESCRIPTION),
        extension::SCENE => table(&content::SCENE),
        extension::ACTIONS => table(&content::ACTIONS),
        extension::LIFECYCLE => table(&LIFECYCLE),
        extension::LOCKSTEP => table(&LOCKSTEP),
        extension::THREADS => table(&threads::TABLE),
        extension::REPORT => table(&REPORT),
        extension::BUS => table(&bus::BUS),
        extension::SERVICES => table(&bus::SERVICES),
        extension::WORLD => table(&world::WORLD),
        extension::COMMAND => table(&world::COMMAND),
        extension::ENVIRONMENT => table(&world::ENVIRONMENT),
        extension::ENTITIES => table(&surroundings::ENTITIES),
        extension::CONTACTS => table(&surroundings::CONTACTS),
        extension::JOINTS => table(&world::JOINTS),
        extension::WORLD_EDIT => table(&surroundings::WORLD_EDIT),
        extension::DYNAMICS => table(&dynamics::DYNAMICS),
        extension::SURFACES => table(&dynamics::SURFACES),
        extension::KINEMATICS => table(&kinematics::TABLE),
        extension::SERVICE_CALLS => table(&bus::CALLS),
        _ => std::ptr::null(),
    }
}

pub(super) fn ask_status(request: Request<'_>) -> Status {
    link().ask(request, |answer| answer.status())
}

/// Asks for a number; the given one if there is no answer.
pub(super) fn ask_number(request: Request<'_>, otherwise: u64) -> u64 {
    link().ask(request, |answer| match answer {
        Answer::Number(number) => number,
        _ => otherwise,
    })
}

static LOG: HostLog = HostLog { struct_size: HostLog::SIZE, reserved: 0, enabled, write };

unsafe extern "C" fn enabled(_: *const Host, level: u32) -> u8 {
    host_call("log.enabled", 0, || u8::from(level.min(LOG_TRACE) <= log::max_level() as u32))
}

unsafe extern "C" fn write(host: *const Host, record: *const LogRecord) {
    host_call("log.write", (), || {
        // SAFETY: plugins pass a record whose texts are valid for this call.
        let (record, [target, text, file]) = unsafe {
            let Some(record) = record.as_ref() else { return };
            (record, [record.target, record.text, record.file].map(|text| text.as_bytes()))
        };
        let (level, line) = (record.level, record.line);
        link().tell(Request::Log { caller: caller_of(host), level, target, text, file, line });
    })
}

static CLOCK: HostClock = HostClock { struct_size: HostClock::SIZE, reserved: 0, read, monotonic_ns };

unsafe extern "C" fn read(_: *const Host, out: *mut ClockReading) {
    host_call("clock.read", (), || {
        // SAFETY: plugins pass memory for a reading.
        if unsafe { place::check(out, "clock.read") }.is_err() {
            return;
        }
        let Some(clock) = link().ask(Request::Clock, |answer| match answer {
            Answer::Clock(clock) => Some(clock),
            _ => None,
        }) else {
            return;
        };
        let reading = ClockReading {
            struct_size: ClockReading::SIZE,
            reset_epoch: clock.reset_epoch,
            time_ns: clock.time_ns,
            step_width_ns: clock.step_width_ns,
            step: clock.step,
            real_time_factor: clock.real_time_factor,
            paused: clock.paused,
            reserved: 0,
        };
        // SAFETY: plugins pass memory for a reading.
        unsafe { out.write(reading) };
    })
}

unsafe extern "C" fn monotonic_ns(_: *const Host) -> i64 {
    host_call("clock.monotonic_ns", 0, crate::clock::monotonic_ns)
}

static PARAMS: HostParams = HostParams { struct_size: HostParams::SIZE, reserved: 0, get, count, location };

unsafe extern "C" fn get(_: *const Host, path: Str, out: *mut Str) -> Status {
    host_call("params.get", status::PANIC, || {
        // SAFETY: plugins pass memory for a text.
        if let Err(code) = unsafe { place::check(out, "params.get") } {
            return code;
        }
        // SAFETY: plugins pass a text valid for this call.
        let Some(path) = (unsafe { path.as_str() }) else { return status::INVALID_ARG };
        let found = link().ask(Request::Param { path }, |answer| match answer {
            Answer::Text(text) => Ok(kept(text)),
            other => Err(other.status()),
        });
        match found {
            Ok(text) => {
                // SAFETY: plugins pass memory for a text.
                unsafe { out.write(text) };
                status::OK
            }
            Err(code) => code,
        }
    })
}

unsafe extern "C" fn count(_: *const Host, path: Str) -> u64 {
    host_call("params.count", 0, || {
        // SAFETY: as in `get`.
        unsafe { path.as_str() }.map_or(0, |path| ask_number(Request::ParamCount { path }, 0))
    })
}

unsafe extern "C" fn location(_: *const Host, path: Str) -> Str {
    host_call("params.location", Str::EMPTY, || {
        // SAFETY: as in `get`.
        let Some(path) = (unsafe { path.as_str() }) else { return Str::EMPTY };
        link().ask(Request::ParamPlace { path }, |answer| match answer {
            Answer::Text(text) => kept(text),
            _ => Str::EMPTY,
        })
    })
}

static MODEL: HostModel =
    HostModel { struct_size: HostModel::SIZE, reserved: 0, attachment, link: link_at, joint };

fn pose(pose: wire::Pose) -> Pose {
    Pose { position: pose.position, orientation: pose.orientation }
}

unsafe extern "C" fn attachment(_: *const Host, out: *mut Attachment) -> Status {
    host_call("model.attachment", status::PANIC, || {
        // SAFETY: plugins pass memory for a attachment.
        if let Err(code) = unsafe { place::check(out, "model.attachment") } {
            return code;
        }
        link().ask(Request::Attachment, |answer| match answer {
            Answer::Attachment(found) => {
                let attachment = Attachment {
                    struct_size: Attachment::SIZE,
                    parent_link: found.parent_link,
                    vehicle: kept(found.vehicle),
                    model: kept(found.model),
                    element: kept(found.element),
                    path: kept(found.path),
                    frame_id: kept(found.frame_id),
                    topic: kept(found.topic),
                    xml: kept(found.xml),
                    pose: pose(found.pose),
                    update_period_ns: found.update_period_ns,
                    seed: found.seed,
                };
                // SAFETY: plugins pass memory for an attachment.
                unsafe { out.write(attachment) };
                status::OK
            }
            other => other.status(),
        })
    })
}

unsafe extern "C" fn link_at(_: *const Host, index: u32, out: *mut LinkInfo) -> Status {
    host_call("model.link", status::PANIC, || {
        // SAFETY: plugins pass memory for a link.
        if let Err(code) = unsafe { place::check(out, "model.link") } {
            return code;
        }
        link().ask(Request::Link { index }, |answer| match answer {
            Answer::Link { link, name, frame_id, pose: at, mass } => {
                let info = LinkInfo {
                    struct_size: LinkInfo::SIZE,
                    link,
                    name: kept(name),
                    frame_id: kept(frame_id),
                    pose: pose(at),
                    mass,
                };
                // SAFETY: plugins pass memory for a link.
                unsafe { out.write(info) };
                status::OK
            }
            other => other.status(),
        })
    })
}

unsafe extern "C" fn joint(_: *const Host, index: u32, out: *mut JointInfo) -> Status {
    host_call("model.joint", status::PANIC, || {
        // SAFETY: plugins pass memory for a joint.
        if let Err(code) = unsafe { place::check(out, "model.joint") } {
            return code;
        }
        link().ask(Request::Joint { index }, |answer| match answer {
            Answer::Joint { joint, kind, name, limits: [lower, upper, effort, velocity] } => {
                let info = JointInfo {
                    struct_size: JointInfo::SIZE,
                    joint,
                    kind,
                    reserved: 0,
                    name: kept(name),
                    lower,
                    upper,
                    effort,
                    velocity,
                };
                // SAFETY: plugins pass memory for a joint.
                unsafe { out.write(info) };
                status::OK
            }
            other => other.status(),
        })
    })
}

static LIFECYCLE: HostLifecycle = HostLifecycle {
    struct_size: HostLifecycle::SIZE,
    reserved: 0,
    started,
    request,
    acknowledge,
    report_error,
};

unsafe extern "C" fn started(_: *const Host, status: Status, text: Str) -> Status {
    host_call("lifecycle.started", status::PANIC, || {
        // SAFETY: plugins pass a text valid for this call.
        let text = unsafe { text.as_str() }.unwrap_or_default();
        ask_status(Request::Started { status, text })
    })
}

unsafe extern "C" fn request(_: *const Host, request: Status, reason: Str) -> Status {
    host_call("lifecycle.request", status::PANIC, || {
        // SAFETY: as above.
        let reason = unsafe { reason.as_str() }.unwrap_or_default();
        ask_status(Request::Ask { request, reason })
    })
}

unsafe extern "C" fn acknowledge(_: *const Host, ticket: u64) -> Status {
    host_call("lifecycle.acknowledge", status::PANIC, || ask_status(Request::Acknowledge { ticket }))
}

unsafe extern "C" fn report_error(_: *const Host, code: Str, text: Str) {
    host_call("lifecycle.report_error", (), || {
        // SAFETY: as above.
        let (code, text) = unsafe { (code.as_bytes(), text.as_bytes()) };
        link().tell(Request::ReportError { code, text });
    })
}

static LOCKSTEP: HostLockstep =
    HostLockstep { struct_size: HostLockstep::SIZE, reserved: 0, hold, release_through };

unsafe extern "C" fn hold(_: *const Host) -> Status {
    host_call("lockstep.hold", status::PANIC, || ask_status(Request::Hold))
}

unsafe extern "C" fn release_through(_: *const Host, step: u64) -> Status {
    host_call("lockstep.release_through", status::PANIC, || ask_status(Request::Release { step }))
}

static REPORT: HostReport = HostReport { struct_size: HostReport::SIZE, reserved: 0, lost, endpoint };

unsafe extern "C" fn lost(_: *const Host, messages: u64) {
    host_call("report.lost", (), || link().tell(Request::Lost { messages }))
}

unsafe extern "C" fn endpoint(_: *const Host, address: Str, purpose: Str) {
    host_call("report.endpoint", (), || {
        // SAFETY: plugins pass texts valid for this call.
        let (address, purpose) = unsafe { (address.as_bytes(), purpose.as_bytes()) };
        link().tell(Request::Endpoint { address, purpose });
    })
}
