//! The layout table: name, type, offset and size of every field of every ABI struct.
//!
//! It is computed by the compiler that builds a library and stored in the ELF section
//! [`crate::entry::LAYOUT_SECTION`], so that a host can compare it with its own before any code of the
//! library runs. C plugins get the same table through the header, computed by the C compiler.

/// One field of one ABI struct, as the compiler of a library laid it out. 256 bytes, no pointers, so that
/// it can be read from a file.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LayoutRow {
    /// `Struct.field`, NUL-padded. A row whose field is empty (`Struct.`) describes the struct as a whole.
    pub name: [u8; 56],
    /// The field's Rust type as text, NUL-padded; empty for a struct as a whole.
    pub type_name: [u8; 192],
    /// Offset of the field in bytes; for a struct as a whole its alignment.
    pub offset: u32,
    /// Size of the field, or of the whole struct, in bytes.
    pub size: u32,
}

impl LayoutRow {
    /// Builds a row at compile time; refuses to compile if a text does not fit.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "offsets and sizes of these structs are below 4 GiB")]
    pub const fn new(strukt: &str, field: &str, type_name: &str, offset: usize, size: usize) -> Self {
        let mut row =
            LayoutRow { name: [0; 56], type_name: [0; 192], offset: offset as u32, size: size as u32 };
        let mut at = copy(&mut row.name, 0, strukt);
        at = copy(&mut row.name, at, ".");
        copy(&mut row.name, at, field);
        copy(&mut row.type_name, 0, type_name);
        row
    }
}

/// Copies `text` into `target` from `at` on, leaving out white space and a comma before a closing
/// parenthesis: compilers and generators differ in where they put them, and a type's text must not.
const fn copy<const N: usize>(target: &mut [u8; N], mut at: usize, text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut index = 0;
    while index < bytes.len() {
        if !bytes[index].is_ascii_whitespace() {
            if bytes[index] == b')' && at > 0 && target[at - 1] == b',' {
                at -= 1;
            }
            target[at] = bytes[index];
            at += 1;
        }
        index += 1;
    }
    assert!(at < N, "a name or type is too long for a layout row");
    at
}

/// Defines one ABI struct together with its layout rows.
macro_rules! abi_struct {
    (
        $(#[$meta:meta])*
        pub struct $name:ident { $( $(#[$field_meta:meta])* pub $field:ident : $type:ty, )* }
    ) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        #[cfg_attr(feature = "stable-abi", derive(abi_stable::StableAbi))]
        pub struct $name { $( $(#[$field_meta])* pub $field: $type, )* }

        impl $name {
            /// `struct_size` of this revision.
            #[allow(clippy::cast_possible_truncation, reason = "ABI structs are small")]
            pub const SIZE: u32 = core::mem::size_of::<$name>() as u32;

            /// The layout rows of this struct: itself, then its fields.
            pub const ROWS: &'static [$crate::layout::LayoutRow] = &[
                $crate::layout::LayoutRow::new(
                    stringify!($name), "", "", core::mem::align_of::<$name>(), core::mem::size_of::<$name>(),
                ),
                $( $crate::layout::LayoutRow::new(
                    stringify!($name),
                    stringify!($field),
                    stringify!($type),
                    core::mem::offset_of!($name, $field),
                    $crate::layout::field_size(|s: &$name| core::ptr::from_ref(&s.$field), core::mem::size_of::<$type>()),
                ), )*
            ];
        }
    };
}

/// Ties a row's size to the field it names: the closure only compiles for a field of that struct.
pub(crate) const fn field_size<S, F>(_: fn(&S) -> *const F, size: usize) -> usize {
    assert!(size == size_of::<F>());
    size
}

/// Concatenates the rows of several structs at compile time.
macro_rules! abi_table {
    ($($path:path),* $(,)?) => {{
        const TOTAL: usize = 0 $( + <$path>::ROWS.len() )*;
        const fn table() -> [LayoutRow; TOTAL] {
            let mut rows = [LayoutRow::new("", "", "", 0, 0); TOTAL];
            let mut at = 0;
            $(
                let part = <$path>::ROWS;
                let mut index = 0;
                while index < part.len() {
                    rows[at] = part[index];
                    at += 1;
                    index += 1;
                }
            )*
            assert!(at == TOTAL);
            rows
        }
        table()
    }};
}

/// The rows of every ABI struct, in the order of the header.
pub const LAYOUT: &[LayoutRow] = {
    use crate::{
        actions, basic, bridge, bridges, calls, description, dynamics, encodings, entry, host, kinematics,
        message, model, report, scene, stepping, surroundings,
    };
    const TABLE: &[LayoutRow] = &abi_table![
        basic::Str,
        basic::Bytes,
        basic::Pose,
        message::Buffer,
        message::Message,
        message::Qos,
        message::TypeDesc,
        entry::Entry,
        entry::Descriptor,
        entry::PluginFactory,
        host::Host,
        host::LogRecord,
        host::HostLog,
        host::ClockReading,
        host::HostClock,
        host::HostParams,
        host::HostTypes,
        host::Loan,
        host::HostBus,
        host::ServiceRequest,
        host::HostServices,
        host::Attachment,
        host::LinkInfo,
        host::JointInfo,
        host::HostModel,
        host::LinkState,
        host::JointState,
        host::RayBatch,
        host::RayHit,
        host::HostWorld,
        host::HostCommand,
        host::HostLifecycle,
        host::HostLockstep,
        host::ThreadBody,
        host::HostThreads,
        surroundings::Environment,
        surroundings::HostEnvironment,
        surroundings::Entity,
        surroundings::HostEntities,
        surroundings::CollisionInfo,
        surroundings::Contact,
        surroundings::HostContacts,
        surroundings::JointFrame,
        surroundings::JointWrench,
        surroundings::HostJoints,
        surroundings::SpawnSpec,
        surroundings::HostWorldEdit,
        dynamics::Body,
        dynamics::Volume,
        dynamics::HostDynamics,
        dynamics::SurfaceMotion,
        dynamics::HostSurfaces,
        kinematics::HostKinematics,
        calls::HostServiceCalls,
        description::HostDescription,
        scene::ScenePoses,
        scene::HostScene,
        actions::HostActions,
        report::HostReport,
        stepping::Tick,
        stepping::HostStepping,
        encodings::HostEncodings,
        bridges::BridgeState,
        bridges::HostBridges,
        bridge::BridgeFactory,
        bridge::PublisherCreator,
        bridge::SubscriberCreator,
        bridge::ServiceCreator,
        bridge::Registrar,
        bridge::Channel,
        bridge::Endpoint,
        bridge::Incoming,
        bridge::Sink,
        bridge::ServiceReply,
        bridge::ServiceSink,
        bridge::TxMessage,
        bridge::TxContext,
        bridge::RxContext,
        bridge::Notice,
        bridge::BridgeInstance,
        bridge::BridgeInfo,
        bridge::Converter,
        bridge::ConverterRegistrar,
        bridge::BridgeConverters,
        model::ModelFactory,
        model::StepInfo,
        model::SampleTimes,
        model::WorldSave,
        model::StateWriter,
        model::ModelInstance,
    ];
    TABLE
};
