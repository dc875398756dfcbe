//! What the world looks like, for cameras and for programs that show it.
//!
//! A scene is a description with a revision, the content of the meshes and textures that it names, and the poses of its
//! nodes. The host makes each only for those who ask.

use crate::{Buffer, Host, Status, Str};

abi_struct! {
    /// The head of a block of poses. After it come `count` poses of seven `f64` each: position x, y, z in metres and
    /// orientation x, y, z, w of a node in the world, in the order of the nodes of that revision.
    pub struct ScenePoses {
        /// Revision of the scene.
        pub revision: u64,
        /// Completed steps since the last reset of time.
        pub step: u64,
        /// Simulated time in nanoseconds.
        pub time_ns: i64,
        /// Counts the resets so far.
        pub reset_epoch: u32,
        /// Number of poses.
        pub count: u32,
    }
}

abi_struct! {
    /// Extension `bridgehead.scene/1`: visuals, lights and materials, and the poses of what moves.
    pub struct HostScene {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Grows when something comes or goes that is drawn; 0 as long as no world was loaded. As cheap as reading a
        /// variable.
        /// `[thread: any] [state: any]`
        pub revision: unsafe extern "C" fn(host: *const Host) -> u64,
        /// Gives the encoded `bridgehead.bridgehead_simulation_interfaces.v1.Scene`, with the revision it is of. The
        /// caller has a reference of its own, and calls `release` of the buffer once. All who read one revision share
        /// one buffer. The first call for a revision waits until its meshes and textures are read, which can take
        /// seconds: call it on a thread of your own. WRONG_THREAD in `reset`, `sample` and `control`.
        /// `[thread: any] [state: any]`
        pub read: unsafe extern "C" fn(host: *const Host, out: *mut *const Buffer) -> Status,
        /// Gives the content with that hash: binary glTF for meshes, PNG or JPEG for textures. NOT_FOUND if the newest
        /// scene that was read has no such content. The caller has a reference of its own.
        /// `[thread: any] [state: any]`
        pub asset: unsafe extern "C" fn(host: *const Host, hash: Str, out: *mut *const Buffer) -> Status,
        /// Gives a block of poses: a [`ScenePoses`] and the poses. In `reset`, `sample` and `control` it has the poses of
        /// this moment. On a thread of your own the function waits until the step that is running has ended, at most
        /// `timeout_ns`; the block is shared by all who asked meanwhile. TIMEOUT if none was made in that time, as in
        /// all other calls of the host, during which no step ends. The address of the block is not aligned.
        /// `[thread: any] [state: any]`
        pub poses: unsafe extern "C" fn(host: *const Host, timeout_ns: i64, out: *mut *const Buffer) -> Status,
    }
}
