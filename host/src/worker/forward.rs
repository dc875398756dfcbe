//! The calls of host functions that most requests of a plugin stand for: one call each, with values from the wire and back.

use std::sync::Arc;

use bridgehead_abi::description::HostDescription;
use bridgehead_abi::host::{
    Attachment, ClockReading, HostClock, HostLifecycle, HostLockstep, HostLog, HostModel, HostParams,
    HostThreads, HostTypes, JointInfo, LinkInfo, LogRecord,
};
use bridgehead_abi::message::TypeDesc;
use bridgehead_abi::report::HostReport;
use bridgehead_abi::scene::HostScene;
use bridgehead_abi::{Bytes as RawBytes, Host, Status, Str, extension, status};

use super::wire::{self, Answer, Caller, Request};
use crate::api::Context;

/// A host object, and how to call its functions.
#[derive(Clone)]
pub(super) struct HostObject {
    pub(super) raw: *const Host,
    /// Keeps the object of an instance: threads that wait for a worker may use it after the instance is gone.
    _context: Option<Arc<Context>>,
}

// SAFETY: the functions of a host object may be called from any thread; those that are bound to a thread check it.
unsafe impl Send for HostObject {}
// SAFETY: as above.
unsafe impl Sync for HostObject {}

impl HostObject {
    /// The object of a library, which lives until the process ends.
    ///
    /// # Safety
    /// `raw` must be such an object.
    pub(super) const unsafe fn of_library(raw: *const Host) -> Self {
        HostObject { raw, _context: None }
    }

    /// The object of an instance.
    ///
    /// # Safety
    /// `raw` must come from [`Context::host`] of a context that is alive.
    pub(super) unsafe fn of_instance(raw: *const Host) -> Self {
        // SAFETY: the host part is the first field of the context, and every context is made inside an `Arc`; the caller
        // vouches for its life.
        let context = unsafe {
            let context = raw.cast::<Context>();
            Arc::increment_strong_count(context);
            Arc::from_raw(context)
        };
        HostObject { raw, _context: Some(context) }
    }

    /// A table of functions; `None` if this object does not offer it.
    pub(super) fn table<T>(&self, id: &str) -> Option<&'static T> {
        // SAFETY: the object is valid; the tables of the host are static, and each id has one type.
        unsafe { ((*self.raw).get_extension)(self.raw, Str::new(id)).cast::<T>().as_ref() }
    }

    /// Explains a failure.
    pub(super) fn explain(&self, text: &str) {
        // SAFETY: the object is valid, the text lives for the call.
        unsafe { ((*self.raw).explain)(self.raw, Str::new(text)) };
    }

    /// Reports an error for the log and the result.
    pub(super) fn report_error(&self, code: &str, text: &str) {
        match self.table::<HostLifecycle>(extension::LIFECYCLE) {
            // SAFETY: the object is valid, the texts live for the call.
            Some(table) => unsafe { (table.report_error)(self.raw, Str::new(code), Str::new(text)) },
            // Objects of libraries cannot report errors.
            None => log::error!("[{code}] {text}"),
        }
    }
}

/// Makes the one call of a host function that a request stands for. `library` is the object for requests of the library.
pub(super) fn forward<'a>(object: &HostObject, library: &HostObject, request: &Request<'_>) -> Answer<'a> {
    let object_of = |caller: Caller| match caller {
        Caller::Library => library,
        Caller::Instance => object,
    };
    match request {
        Request::Explain { caller, text } => {
            let object = object_of(*caller);
            // SAFETY: the object is valid, the text lives for the call.
            unsafe { ((*object.raw).explain)(object.raw, str_of(text)) };
            Answer::Status(status::OK)
        }
        Request::Log { caller, level, target, text, file, line } => {
            let record = LogRecord {
                struct_size: LogRecord::SIZE,
                level: *level,
                target: str_of(target),
                text: str_of(text),
                file: str_of(file),
                line: *line,
                reserved: 0,
            };
            let object = object_of(*caller);
            // SAFETY: as above.
            with(object.table::<HostLog>(extension::LOG), |log| unsafe {
                (log.write)(object.raw, &raw const record);
            })
        }
        Request::RegisterType { caller, name, descriptor_set } => {
            register_type(object_of(*caller), name, descriptor_set)
        }
        Request::FindType { name } => described(object, |types, out| {
            // SAFETY: as above; `out` is memory for one description.
            unsafe { (types.find)(object.raw, Str::new(name), out) }
        }),
        Request::DescribeType { id } => described(object, |types, out| {
            // SAFETY: as above.
            unsafe { (types.describe)(object.raw, *id, out) }
        }),
        Request::Clock => clock(object),
        Request::Param { .. } | Request::ParamCount { .. } | Request::ParamPlace { .. } => {
            param(object, request)
        }
        Request::Attachment | Request::Link { .. } | Request::Joint { .. } => model(object, request),
        Request::DescriptionRevision => {
            let table = object.table::<HostDescription>(extension::DESCRIPTION);
            // SAFETY: as above.
            Answer::Number(table.map_or(0, |table| unsafe { (table.revision)(object.raw) }))
        }
        Request::SceneRevision => {
            let table = object.table::<HostScene>(extension::SCENE);
            // SAFETY: as above.
            Answer::Number(table.map_or(0, |table| unsafe { (table.revision)(object.raw) }))
        }
        Request::Started { .. }
        | Request::Ask { .. }
        | Request::Acknowledge { .. }
        | Request::ReportError { .. }
        | Request::Hold
        | Request::Release { .. } => lifecycle(object, request),
        Request::ShouldStop => {
            let table = object.table::<HostThreads>(extension::THREADS);
            // SAFETY: as above.
            Answer::Number(table.map_or(1, |table| unsafe { (table.should_stop)(object.raw) }.into()))
        }
        Request::Lost { messages } => {
            // SAFETY: as above.
            with(object.table::<HostReport>(extension::REPORT), |report| unsafe {
                (report.lost)(object.raw, *messages);
            })
        }
        Request::Endpoint { address, purpose } => {
            // SAFETY: as above.
            with(object.table::<HostReport>(extension::REPORT), |report| unsafe {
                (report.endpoint)(object.raw, str_of(address), str_of(purpose));
            })
        }
        _ => Answer::Status(status::UNSUPPORTED),
    }
}

/// Calls a function of a table that may be missing.
fn with<'a, T>(table: Option<&'static T>, call: impl FnOnce(&T)) -> Answer<'a> {
    match table {
        Some(table) => {
            call(table);
            Answer::Status(status::OK)
        }
        None => Answer::Status(status::UNSUPPORTED),
    }
}

fn str_of(bytes: &[u8]) -> Str {
    Str { ptr: bytes.as_ptr(), len: bytes.len() }
}

/// # Safety
/// The text must be valid for `'a`.
pub(super) unsafe fn text_of<'a>(text: Str) -> &'a str {
    // SAFETY: the caller vouches for it.
    unsafe { text.as_str() }.unwrap_or_default()
}

fn register_type<'a>(object: &HostObject, name: &str, descriptor_set: &[u8]) -> Answer<'a> {
    let Some(types) = object.table::<HostTypes>(extension::TYPES) else {
        return Answer::Status(status::UNSUPPORTED);
    };
    let desc = TypeDesc {
        struct_size: TypeDesc::SIZE,
        type_id: 0,
        name: Str::new(name),
        descriptor_set: RawBytes::new(descriptor_set),
        reserved: [0; 2],
    };
    let mut id = 0;
    // SAFETY: the object is valid, the description lives for the call, and `id` is memory for the result.
    match unsafe { (types.register)(object.raw, &raw const desc, &raw mut id) } {
        status::OK => Answer::Number(id.into()),
        code => Answer::Status(code),
    }
}

fn described<'a>(
    object: &HostObject,
    look_up: impl FnOnce(&HostTypes, *mut TypeDesc) -> Status,
) -> Answer<'a> {
    let Some(types) = object.table::<HostTypes>(extension::TYPES) else {
        return Answer::Status(status::UNSUPPORTED);
    };
    let mut out = TypeDesc {
        struct_size: TypeDesc::SIZE,
        type_id: 0,
        name: Str::EMPTY,
        descriptor_set: RawBytes::EMPTY,
        reserved: [0; 2],
    };
    match look_up(types, &raw mut out) {
        // SAFETY: descriptions of the host are valid until the process ends.
        status::OK => unsafe {
            Answer::Type {
                id: out.type_id,
                name: text_of(out.name),
                descriptor_set: out.descriptor_set.as_slice(),
            }
        },
        code => Answer::Status(code),
    }
}

fn clock<'a>(object: &HostObject) -> Answer<'a> {
    let Some(clock) = object.table::<HostClock>(extension::CLOCK) else {
        return Answer::Status(status::UNSUPPORTED);
    };
    let mut out = ClockReading {
        struct_size: ClockReading::SIZE,
        reset_epoch: 0,
        time_ns: 0,
        step_width_ns: 0,
        step: 0,
        real_time_factor: 0.0,
        paused: 1,
        reserved: 0,
    };
    // SAFETY: the object is valid, and `out` is memory for the result.
    unsafe { (clock.read)(object.raw, &raw mut out) };
    Answer::Clock(wire::Clock {
        reset_epoch: out.reset_epoch,
        time_ns: out.time_ns,
        step_width_ns: out.step_width_ns,
        step: out.step,
        real_time_factor: out.real_time_factor,
        paused: out.paused,
    })
}

fn param<'a>(object: &HostObject, request: &Request<'_>) -> Answer<'a> {
    let Some(params) = object.table::<HostParams>(extension::PARAMS) else {
        return Answer::Status(status::UNSUPPORTED);
    };
    // SAFETY: the object is valid, texts live for the call, and what the host returns lives as long as the instance.
    unsafe {
        match request {
            Request::Param { path } => {
                let mut out = Str::EMPTY;
                match (params.get)(object.raw, Str::new(path), &raw mut out) {
                    status::OK => Answer::Text(text_of(out)),
                    code => Answer::Status(code),
                }
            }
            Request::ParamCount { path } => Answer::Number((params.count)(object.raw, Str::new(path))),
            Request::ParamPlace { path } => {
                Answer::Text(text_of((params.location)(object.raw, Str::new(path))))
            }
            _ => Answer::Status(status::UNSUPPORTED),
        }
    }
}

fn pose(pose: bridgehead_abi::basic::Pose) -> wire::Pose {
    wire::Pose { position: pose.position, orientation: pose.orientation }
}

/// Memory for a result, zeroed, with its size. Unsafe: zeros must be a value of the struct, which begins with its size.
macro_rules! result {
    ($kind:ty) => {{
        let mut out = std::mem::MaybeUninit::<$kind>::zeroed();
        out.as_mut_ptr().cast::<u32>().write(<$kind>::SIZE);
        out.assume_init()
    }};
}
pub(super) use result;

fn model<'a>(object: &HostObject, request: &Request<'_>) -> Answer<'a> {
    let Some(model) = object.table::<HostModel>(extension::MODEL) else {
        return Answer::Status(status::UNSUPPORTED);
    };
    // SAFETY: the object is valid, the results are memory for one value each, and their texts live as long as the
    // instance.
    unsafe {
        match request {
            Request::Attachment => {
                let mut out = result!(Attachment);
                match (model.attachment)(object.raw, &raw mut out) {
                    status::OK => Answer::Attachment(wire::Attachment {
                        parent_link: out.parent_link,
                        vehicle: text_of(out.vehicle),
                        model: text_of(out.model),
                        element: text_of(out.element),
                        path: text_of(out.path),
                        frame_id: text_of(out.frame_id),
                        topic: text_of(out.topic),
                        xml: text_of(out.xml),
                        pose: pose(out.pose),
                        update_period_ns: out.update_period_ns,
                        seed: out.seed,
                    }),
                    code => Answer::Status(code),
                }
            }
            Request::Link { index } => {
                let mut out = result!(LinkInfo);
                match (model.link)(object.raw, *index, &raw mut out) {
                    status::OK => Answer::Link {
                        link: out.link,
                        name: text_of(out.name),
                        frame_id: text_of(out.frame_id),
                        pose: pose(out.pose),
                        mass: out.mass,
                    },
                    code => Answer::Status(code),
                }
            }
            Request::Joint { index } => {
                let mut out = result!(JointInfo);
                match (model.joint)(object.raw, *index, &raw mut out) {
                    status::OK => Answer::Joint {
                        joint: out.joint,
                        kind: out.kind,
                        name: text_of(out.name),
                        limits: [out.lower, out.upper, out.effort, out.velocity],
                    },
                    code => Answer::Status(code),
                }
            }
            _ => Answer::Status(status::UNSUPPORTED),
        }
    }
}

fn lifecycle<'a>(object: &HostObject, request: &Request<'_>) -> Answer<'a> {
    let lifecycle = object.table::<HostLifecycle>(extension::LIFECYCLE);
    let lockstep = object.table::<HostLockstep>(extension::LOCKSTEP);
    // SAFETY: the object is valid, and texts live for the call.
    let code = unsafe {
        match (request, lifecycle, lockstep) {
            (Request::Started { status, text }, Some(table), _) => {
                (table.started)(object.raw, *status, Str::new(text))
            }
            (Request::Ask { request, reason }, Some(table), _) => {
                (table.request)(object.raw, *request, Str::new(reason))
            }
            (Request::Acknowledge { ticket }, Some(table), _) => (table.acknowledge)(object.raw, *ticket),
            (Request::ReportError { code, text }, Some(table), _) => {
                (table.report_error)(object.raw, str_of(code), str_of(text));
                status::OK
            }
            (Request::Hold, _, Some(table)) => (table.hold)(object.raw),
            (Request::Release { step }, _, Some(table)) => (table.release_through)(object.raw, *step),
            _ => status::UNSUPPORTED,
        }
    };
    Answer::Status(code)
}
