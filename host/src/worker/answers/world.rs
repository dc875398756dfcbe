//! Answers about the world and its surroundings, and commands for them.

use bridgehead_abi::basic::Pose;
use bridgehead_abi::bridges::{BridgeState, HostBridges};
use bridgehead_abi::dynamics::{Body, HostDynamics, HostSurfaces, SurfaceMotion, Volume};
use bridgehead_abi::host::{HostCommand, HostWorld, JointState, LinkState, RayBatch, RayHit};
use bridgehead_abi::kinematics::HostKinematics;
use bridgehead_abi::surroundings::{
    CollisionInfo, Contact, Entity, Environment, HostContacts, HostEntities, HostEnvironment, HostJoints,
    HostWorldEdit, JointFrame, JointWrench, SpawnSpec,
};
use bridgehead_abi::{Status, Str, extension, status};
use bridgehead_plugin_api::{Payload, rules};

use super::super::desk::{bytes_of, owned};
use super::super::forward::{result, text_of};
use super::super::wire::{self, Answer, Command, ModelRequest, Plain};
use super::{Means, ModelDesk};

/// Most contacts that are answered at once: far more than bodies have.
const MAX_CONTACTS: u32 = 1 << 16;

/// Bytes of the numbers of a vector.
const VECTOR: usize = size_of::<[f64; 3]>();

/// The bytes of structs of the ABI without pointers and padding.
fn bytes_of_plain<T: Copy>(values: &[T]) -> Vec<u8> {
    // SAFETY: the structs have neither pointers nor padding, so that all of their bytes are initialised; each kind is
    // checked by a test.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values)) }.to_vec()
}

/// Reads vectors from their bytes.
fn vectors(bytes: &[u8]) -> Vec<[f64; 3]> {
    let (numbers, _) = bytes.as_chunks::<8>();
    let (vectors, _) = numbers.as_chunks::<3>();
    vectors.iter().map(|vector| vector.map(f64::from_ne_bytes)).collect()
}

fn pose_of(pose: wire::Pose) -> Pose {
    Pose { position: pose.position, orientation: pose.orientation }
}

/// The answer to a call without a result.
fn plain_status<'a, T>(table: Option<&'static T>, call: impl FnOnce(&T) -> Status) -> Answer<'a> {
    Answer::Status(table.map_or(status::UNSUPPORTED, call))
}

/// The answer to a call with a number as its result.
fn number<'a, T, N: Default + Into<u64>>(
    table: Option<&'static T>,
    call: impl FnOnce(&T, *mut N) -> Status,
) -> Answer<'a> {
    let mut out = N::default();
    match table.map_or(status::UNSUPPORTED, |table| call(table, &raw mut out)) {
        status::OK => Answer::Number(out.into()),
        code => Answer::Status(code),
    }
}

impl ModelDesk {
    /// Answers a request about the world.
    pub(super) fn world<'a>(&'a self, request: &ModelRequest<'_>, means: Means<'_>) -> Answer<'a> {
        match request {
            ModelRequest::Read(what) => self.read(*what, means),
            ModelRequest::CastRays { .. } => self.cast_rays(request, means),
            ModelRequest::Act(command) => act(*command, means),
            ModelRequest::Body { link } => self.body(*link, means),
            ModelRequest::Entity { .. } | ModelRequest::FindEntity { .. } | ModelRequest::FindLink { .. } => {
                self.entities(request, means)
            }
            ModelRequest::Collision { .. }
            | ModelRequest::Contacts { .. }
            | ModelRequest::CollisionName { .. } => self.contacts(request, means),
            ModelRequest::Bridge { index } => self.bridge(*index, means),
            request => edit(request, means),
        }
    }

    fn bridge<'a>(&'a self, index: u32, means: Means<'_>) -> Answer<'a> {
        let Some(table) = means.object.table::<HostBridges>(extension::BRIDGES) else {
            return Answer::Status(status::UNSUPPORTED);
        };
        // SAFETY: the object is valid, and the result is memory for one value.
        unsafe {
            let mut out = result!(BridgeState);
            let code = (table.at)(means.object.raw, index, &raw mut out);
            let [name, label] =
                [&mut out.name, &mut out.label].map(|text| text_of(std::mem::replace(text, Str::EMPTY)));
            self.named(code, out, [name, label], means)
        }
    }

    /// Answers with the bytes of a struct that `call` fills in.
    fn plain<'a, T: Copy, H>(
        &'a self,
        mut out: T,
        means: Means<'_>,
        table: Option<&'static H>,
        call: impl FnOnce(&H, *mut T) -> Status,
    ) -> Answer<'a> {
        match table.map_or(status::UNSUPPORTED, |table| call(table, &raw mut out)) {
            status::OK => Answer::Payload(self.lend(Payload::from_vec(bytes_of_plain(&[out])), means)),
            code => Answer::Status(code),
        }
    }

    fn read<'a>(&'a self, what: Plain, means: Means<'_>) -> Answer<'a> {
        let (object, host) = (means.object, means.object.raw);
        let world = object.table::<HostWorld>(extension::WORLD);
        let joints = object.table::<HostJoints>(extension::JOINTS);
        // SAFETY: the object is valid, and each result is memory for one value, which begins with its size where it has one.
        unsafe {
            match what {
                Plain::LinkState { link } => self.plain(result!(LinkState), means, world, |world, out| {
                    (world.link_state)(host, link, out)
                }),
                Plain::JointState { joint } => self.plain(result!(JointState), means, world, |world, out| {
                    (world.joint_state)(host, joint, out)
                }),
                Plain::Gravity => self.plain([0.0; 3], means, world, |world, out| (world.gravity)(host, out)),
                Plain::Environment => {
                    let table = object.table::<HostEnvironment>(extension::ENVIRONMENT);
                    self.plain(result!(Environment), means, table, |table, out| (table.read)(host, out))
                }
                Plain::AttachedJoint => {
                    self.plain(0_u32, means, joints, |joints, out| (joints.attached)(host, out))
                }
                Plain::JointFrame { joint } => {
                    self.plain(result!(JointFrame), means, joints, |joints, out| {
                        (joints.frame)(host, joint, out)
                    })
                }
                Plain::Links => {
                    let table = object.table::<HostDynamics>(extension::DYNAMICS);
                    self.plain(0_u32, means, table, |table, out| (table.links)(host, out))
                }
                Plain::Volume { link, normal, height } => {
                    let table = object.table::<HostDynamics>(extension::DYNAMICS);
                    self.plain(result!(Volume), means, table, |table, out| {
                        (table.volume_below)(host, link, &raw const normal, height, out)
                    })
                }
                Plain::JointWrench { joint } => {
                    self.plain(result!(JointWrench), means, joints, |joints, out| {
                        (joints.wrench)(host, joint, out)
                    })
                }
            }
        }
    }

    fn cast_rays<'a>(&'a self, request: &ModelRequest<'_>, means: Means<'_>) -> Answer<'a> {
        let object = means.object;
        let ModelRequest::CastRays { ignore_link, frame, range, count, has_origins, payload } = request
        else {
            return Answer::Status(status::UNSUPPORTED);
        };
        let count = *count as usize;
        let sets = 1 + usize::from(*has_origins);
        let (Some(table), Some(payload)) =
            (object.table::<HostWorld>(extension::WORLD), owned(means.memory, means.lane, *payload))
        else {
            return Answer::Status(status::INVALID_ARG);
        };
        // SAFETY: the payload is alive.
        let bytes = unsafe { bytes_of(payload.as_raw()) };
        if count > rules::MAX_RAYS || bytes.len() != count * sets * VECTOR {
            return Answer::Status(status::INVALID_ARG);
        }
        let vectors = vectors(bytes);
        let (directions, origins) = vectors.split_at(count);
        let batch = RayBatch {
            struct_size: RayBatch::SIZE,
            ignore_link: *ignore_link,
            frame: pose_of(*frame),
            directions: directions.as_ptr(),
            origins: if *has_origins { origins.as_ptr() } else { std::ptr::null() },
            count,
            range_min: range[0],
            range_max: range[1],
        };
        let mut hits = vec![RayHit { distance: 0.0, normal: [0.0; 3], entity: 0 }; count];
        // SAFETY: the object is valid; directions, origins and hits have `count` entries each.
        match unsafe { (table.cast_rays)(object.raw, &raw const batch, hits.as_mut_ptr()) } {
            status::OK => Answer::Payload(self.lend(Payload::from_vec(bytes_of_plain(&hits)), means)),
            code => Answer::Status(code),
        }
    }

    fn entities<'a>(&'a self, request: &ModelRequest<'_>, means: Means<'_>) -> Answer<'a> {
        let host = means.object.raw;
        let Some(table) = means.object.table::<HostEntities>(extension::ENTITIES) else {
            return Answer::Status(status::UNSUPPORTED);
        };
        // SAFETY: the object is valid, names live for the call, and the results are memory for one value each.
        unsafe {
            let mut out = result!(Entity);
            let code = match request {
                ModelRequest::Entity { index } => (table.at)(host, *index, &raw mut out),
                ModelRequest::FindEntity { name } => (table.find)(host, Str::new(name), &raw mut out),
                ModelRequest::FindLink { name } => {
                    let find =
                        |table: &HostEntities, out: *mut u32| (table.find_link)(host, Str::new(name), out);
                    return number(Some(table), find);
                }
                _ => status::UNSUPPORTED,
            };
            let name = std::mem::replace(&mut out.name, Str::EMPTY);
            self.named(code, out, [text_of(name), ""], means)
        }
    }

    fn body<'a>(&'a self, link: u32, means: Means<'_>) -> Answer<'a> {
        let Some(table) = means.object.table::<HostDynamics>(extension::DYNAMICS) else {
            return Answer::Status(status::UNSUPPORTED);
        };
        // SAFETY: the object is valid, and the result is memory for one value.
        unsafe {
            let mut out = result!(Body);
            let code = (table.body)(means.object.raw, link, &raw mut out);
            let name = std::mem::replace(&mut out.name, Str::EMPTY);
            self.named(code, out, [text_of(name), ""], means)
        }
    }

    /// Answers with a struct, whose texts are empty, and its texts.
    fn named<'a, T: Copy>(&'a self, code: Status, out: T, names: [&str; 2], means: Means<'_>) -> Answer<'a> {
        if code != status::OK {
            return Answer::Status(code);
        }
        // One after the other in one payload, because the host's texts may be gone before the answer is sent.
        let plain = bytes_of_plain(&[out]);
        let (struct_len, first) = (plain.len(), names[0].len());
        let all = [&plain, names[0].as_bytes(), names[1].as_bytes()].concat();
        let all = self.borrow(Payload::from_vec(all), means.lane);
        let (plain, texts) = all.split_at_checked(struct_len).unwrap_or_default();
        let (one, other) = texts.split_at_checked(first).unwrap_or_default();
        let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
        Answer::Named { plain, names: [text(one), text(other)] }
    }

    fn contacts<'a>(&'a self, request: &ModelRequest<'_>, means: Means<'_>) -> Answer<'a> {
        let host = means.object.raw;
        let Some(table) = means.object.table::<HostContacts>(extension::CONTACTS) else {
            return Answer::Status(status::UNSUPPORTED);
        };
        // SAFETY: as in `entities`; the contacts are memory for as many as are asked for.
        unsafe {
            match request {
                ModelRequest::Collision { index } => {
                    let mut out = result!(CollisionInfo);
                    let code = (table.collision)(host, *index, &raw mut out);
                    let name = std::mem::replace(&mut out.name, Str::EMPTY);
                    let scoped = std::mem::replace(&mut out.scoped_name, Str::EMPTY);
                    self.named(code, out, [text_of(name), text_of(scoped)], means)
                }
                ModelRequest::Contacts { collision, capacity } => {
                    let capacity = (*capacity).min(MAX_CONTACTS);
                    let none = Contact {
                        other: 0,
                        reserved: 0,
                        position: [0.0; 3],
                        normal: [0.0; 3],
                        depth: 0.0,
                        force: [0.0; 3],
                    };
                    let mut out = vec![none; capacity as usize];
                    let mut of = 0;
                    let code = (table.contacts)(host, *collision, out.as_mut_ptr(), capacity, &raw mut of);
                    if code != status::OK {
                        return Answer::Status(code);
                    }
                    out.truncate(of as usize);
                    Answer::Some { values: self.lend(Payload::from_vec(bytes_of_plain(&out)), means), of }
                }
                ModelRequest::CollisionName { collision } => {
                    let mut out = Str::EMPTY;
                    match (table.name)(host, *collision, &raw mut out) {
                        status::OK => {
                            let name = Payload::from_vec(text_of(out).as_bytes().to_vec());
                            let name = self.borrow(name, means.lane);
                            Answer::Text(std::str::from_utf8(name).unwrap_or_default())
                        }
                        code => Answer::Status(code),
                    }
                }
                _ => Answer::Status(status::UNSUPPORTED),
            }
        }
    }
}

/// Gives a command to the world.
fn act<'a>(command: Command, means: Means<'_>) -> Answer<'a> {
    let (object, host) = (means.object, means.object.raw);
    let commands = object.table::<HostCommand>(extension::COMMAND);
    let edits = object.table::<HostWorldEdit>(extension::WORLD_EDIT);
    // SAFETY: the object is valid, and values live for the call.
    unsafe {
        match command {
            Command::JointVelocity { joint, velocity, max_effort } => {
                plain_status(commands, |table| (table.joint_velocity)(host, joint, velocity, max_effort))
            }
            Command::JointPosition { joint, position, stiffness, damping, max_effort } => {
                plain_status(commands, |table| {
                    (table.joint_position)(host, joint, position, stiffness, damping, max_effort)
                })
            }
            Command::JointEffort { joint, effort } => {
                plain_status(commands, |table| (table.joint_effort)(host, joint, effort))
            }
            Command::LinkWrench { link, force, torque } => plain_status(commands, |table| {
                (table.link_wrench)(host, link, &raw const force, &raw const torque)
            }),
            Command::ModelVelocity { link, linear, angular } => plain_status(commands, |table| {
                (table.model_velocity)(host, link, &raw const linear, &raw const angular)
            }),
            Command::ModelPose(pose) => {
                let pose = pose_of(pose);
                plain_status(commands, |table| (table.model_pose)(host, &raw const pose))
            }
            Command::WatchJoint { joint } => {
                plain_status(object.table::<HostJoints>(extension::JOINTS), |table| {
                    (table.watch)(host, joint)
                })
            }
            Command::ForceAt { link, force, point } => {
                plain_status(object.table::<HostDynamics>(extension::DYNAMICS), |table| {
                    (table.force_at)(host, link, &raw const force, &raw const point)
                })
            }
            Command::Slip { collision, slips: [first, second] } => {
                plain_status(object.table::<HostSurfaces>(extension::SURFACES), |table| {
                    (table.slip)(host, collision, first, second)
                })
            }
            Command::Drive { collision, flags, axis, speed, center } => {
                let motion = SurfaceMotion { struct_size: SurfaceMotion::SIZE, flags, axis, speed, center };
                plain_status(object.table::<HostSurfaces>(extension::SURFACES), |table| {
                    (table.drive)(host, collision, &raw const motion)
                })
            }
            Command::MoveLink { link, pose } => {
                let pose = pose_of(pose);
                plain_status(object.table::<HostKinematics>(extension::KINEMATICS), |table| {
                    (table.move_link)(host, link, &raw const pose)
                })
            }
            Command::Remove { entity } => plain_status(edits, |table| (table.remove)(host, entity)),
            Command::Detach { bond } => plain_status(edits, |table| (table.detach)(host, bond)),
        }
    }
}

/// Changes what the world consists of.
fn edit<'a>(request: &ModelRequest<'_>, means: Means<'_>) -> Answer<'a> {
    let host = means.object.raw;
    let table = means.object.table::<HostWorldEdit>(extension::WORLD_EDIT);
    // SAFETY: the object is valid, texts live for the call, and the result is memory for one number.
    unsafe {
        match request {
            ModelRequest::Spawn { sdf, name, pose, flags } => {
                let spec = SpawnSpec {
                    struct_size: SpawnSpec::SIZE,
                    flags: *flags,
                    sdf: Str::new(sdf),
                    name: Str::new(name),
                    pose: pose_of(*pose),
                };
                number(table, |table: &HostWorldEdit, out| (table.spawn)(host, &raw const spec, out))
            }
            ModelRequest::Attach { parent_link, child_link } => {
                number(table, |table: &HostWorldEdit, out| {
                    (table.attach)(host, *parent_link, *child_link, out)
                })
            }
            _ => Answer::Status(status::UNSUPPORTED),
        }
    }
}
