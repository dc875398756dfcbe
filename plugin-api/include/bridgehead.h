/*
 * bridgehead.h: the C ABI between the Bridgehead host and its plugins.
 *
 * GENERATED from the sources of the crate `bridgehead-abi` by `cargo run -p bridgehead-header-gen`.
 * Do not edit. C99 and C++17; needs <stdint.h> and <stddef.h> only. SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A plugin is a shared library with one exported symbol, `bridgehead_plugin_entry`, and two ELF sections
 * that the host reads before it runs any code of the library: what the library contains
 * (`.bridgehead.meta`) and how the compiler laid out the structs of this header (`.bridgehead.layout`).
 * `BH_EXPORT_PLUGIN`, at the end of this file, writes all three for a library with one plugin.
 *
 * Names
 *   types       `HostBus` of the Rust crate is `bh_host_bus`
 *   constants   `BH_` and the name (`BH_RELIABILITY_RELIABLE`); status codes are `BH_STATUS_OK`, extension
 *               ids are `BH_EXT_BUS`, the states of a bridge are `BH_BRIDGE_STATUS_CONNECTED`
 *   fields      as in Rust; where C or C++ reserves the word, with an underscore behind it (`register_`)
 *
 * Rules for every struct and function:
 *
 * 1. A released struct never changes, and what is written here of a function, a field or a constant
 *    stays true. An addition is a new extension id, a new revision of one (`bridgehead.bus/2`), a
 *    constant, or a meaning for a reserved field. Reserved fields are 0, and 0 keeps its meaning; a
 *    reader ignores a value that it does not know. If one side fills a struct and the other side
 *    reads it, the struct begins with `struct_size`, which the filling side sets. The caller sets
 *    it too before it passes memory for a result: it is the size of that memory, and a host refuses
 *    what is too small.
 * 2. The side that allocates also frees. Memory is passed on only through `bh_buffer`, which
 *    carries its own `retain` and `release`. A `bh_str` or `bh_bytes` is borrowed for the duration
 *    of the call unless its field says otherwise.
 * 3. Every function returns a `bh_status` unless it cannot fail. Before a plugin returns a failure,
 *    or a status that requests something, it may call `bh_host.explain` with a text that gives the
 *    reason.
 * 4. Nothing unwinds across the boundary: no Rust panic and no C++ exception may leave a function.
 * 5. Every function pointer states its thread and its state in the last line of its documentation:
 *    `[thread: …] [state: …]`, with the terms of Threads and States.
 * 6. Unknown enum values and unknown extension ids are tolerated: ignored, or answered with null or
 *    `BH_STATUS_UNSUPPORTED`.
 *
 * Threads:
 *
 * `main`: an instance's lifecycle calls: one at a time per instance, on any OS thread, so that
 *    starts can run in parallel
 * `sim`: calls on the simulation thread: one at a time in the whole process; must not wait for a
 *    peer
 * `tx`: the transmit thread of a bridge instance, created by the host; may block, ends on interrupt
 * `rx`: the receive thread of a bridge instance, created by the host; may block, ends on interrupt
 * `plugin`: a thread created with `bridgehead.threads/1`; may call `any` functions only
 * `any`: any thread, also several at once
 *
 * States:
 *
 * `created`, `awake`, `starting`, `started`, `stopped` for model plugins; `created`,
 * `disconnected`, `connecting`, `connected` for bridges; `any` for every state. After `destroy`,
 * the host calls no function of the instance.
 */
#ifndef BRIDGEHEAD_H
#define BRIDGEHEAD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bh_str bh_str;
typedef struct bh_bytes bh_bytes;
typedef struct bh_pose bh_pose;
typedef struct bh_buffer bh_buffer;
typedef struct bh_message bh_message;
typedef struct bh_qos bh_qos;
typedef struct bh_type_desc bh_type_desc;
typedef struct bh_layout_row bh_layout_row;
typedef struct bh_entry bh_entry;
typedef struct bh_descriptor bh_descriptor;
typedef struct bh_plugin_factory bh_plugin_factory;
typedef struct bh_host bh_host;
typedef struct bh_log_record bh_log_record;
typedef struct bh_host_log bh_host_log;
typedef struct bh_clock_reading bh_clock_reading;
typedef struct bh_host_clock bh_host_clock;
typedef struct bh_host_params bh_host_params;
typedef struct bh_host_types bh_host_types;
typedef struct bh_loan bh_loan;
typedef struct bh_host_bus bh_host_bus;
typedef struct bh_service_request bh_service_request;
typedef struct bh_host_services bh_host_services;
typedef struct bh_attachment bh_attachment;
typedef struct bh_link_info bh_link_info;
typedef struct bh_joint_info bh_joint_info;
typedef struct bh_host_model bh_host_model;
typedef struct bh_link_state bh_link_state;
typedef struct bh_joint_state bh_joint_state;
typedef struct bh_ray_batch bh_ray_batch;
typedef struct bh_ray_hit bh_ray_hit;
typedef struct bh_host_world bh_host_world;
typedef struct bh_host_command bh_host_command;
typedef struct bh_host_lifecycle bh_host_lifecycle;
typedef struct bh_host_lockstep bh_host_lockstep;
typedef struct bh_thread_body bh_thread_body;
typedef struct bh_host_threads bh_host_threads;
typedef struct bh_environment bh_environment;
typedef struct bh_host_environment bh_host_environment;
typedef struct bh_entity bh_entity;
typedef struct bh_host_entities bh_host_entities;
typedef struct bh_collision_info bh_collision_info;
typedef struct bh_contact bh_contact;
typedef struct bh_host_contacts bh_host_contacts;
typedef struct bh_joint_frame bh_joint_frame;
typedef struct bh_joint_wrench bh_joint_wrench;
typedef struct bh_host_joints bh_host_joints;
typedef struct bh_spawn_spec bh_spawn_spec;
typedef struct bh_host_world_edit bh_host_world_edit;
typedef struct bh_body bh_body;
typedef struct bh_volume bh_volume;
typedef struct bh_host_dynamics bh_host_dynamics;
typedef struct bh_surface_motion bh_surface_motion;
typedef struct bh_host_surfaces bh_host_surfaces;
typedef struct bh_host_kinematics bh_host_kinematics;
typedef struct bh_host_service_calls bh_host_service_calls;
typedef struct bh_host_description bh_host_description;
typedef struct bh_scene_poses bh_scene_poses;
typedef struct bh_host_scene bh_host_scene;
typedef struct bh_host_actions bh_host_actions;
typedef struct bh_host_report bh_host_report;
typedef struct bh_tick bh_tick;
typedef struct bh_host_stepping bh_host_stepping;
typedef struct bh_host_encodings bh_host_encodings;
typedef struct bh_bridge_state bh_bridge_state;
typedef struct bh_host_bridges bh_host_bridges;
typedef struct bh_bridge_factory bh_bridge_factory;
typedef struct bh_publisher_creator bh_publisher_creator;
typedef struct bh_subscriber_creator bh_subscriber_creator;
typedef struct bh_service_creator bh_service_creator;
typedef struct bh_registrar bh_registrar;
typedef struct bh_channel bh_channel;
typedef struct bh_endpoint bh_endpoint;
typedef struct bh_incoming bh_incoming;
typedef struct bh_sink bh_sink;
typedef struct bh_service_reply bh_service_reply;
typedef struct bh_service_sink bh_service_sink;
typedef struct bh_tx_message bh_tx_message;
typedef struct bh_tx_context bh_tx_context;
typedef struct bh_rx_context bh_rx_context;
typedef struct bh_notice bh_notice;
typedef struct bh_bridge_instance bh_bridge_instance;
typedef struct bh_bridge_info bh_bridge_info;
typedef struct bh_converter bh_converter;
typedef struct bh_converter_registrar bh_converter_registrar;
typedef struct bh_bridge_converters bh_bridge_converters;
typedef struct bh_model_factory bh_model_factory;
typedef struct bh_step_info bh_step_info;
typedef struct bh_sample_times bh_sample_times;
typedef struct bh_world_save bh_world_save;
typedef struct bh_state_writer bh_state_writer;
typedef struct bh_model_instance bh_model_instance;

/* ---- version ----------------------------------------------------------------------------------- */

/** Major version of the plugin ABI. A host accepts plugins of its own major version only. */
#define BH_ABI_MAJOR 1
/**
 * Minor version of the plugin ABI: raised by a release that adds an extension id, a constant or a
 * meaning of a reserved field.
 */
#define BH_ABI_MINOR 0

/* ---- status ------------------------------------------------------------------------------------ */

/*
 * Status codes: what every fallible ABI function returns.
 *
 * Zero is success, a positive value is a success that asks for something, a negative value is a
 * failure.
 */

/**
 * Result of an ABI call: one of the constants of this module. Unknown negative values mean failure,
 * unknown positive values mean success.
 */
typedef int32_t bh_status;
/** Done. */
#define BH_STATUS_OK 0
/**
 * `start` or a reset acknowledgement goes on in the background and will be reported through
 * `bh_host_lifecycle`.
 */
#define BH_STATUS_PENDING 1
/** The plugin asks for the run to stop. */
#define BH_STATUS_REQUEST_STOP 16
/** The plugin asks for the run to end as a success. */
#define BH_STATUS_REQUEST_SUCCEED 17
/** The plugin asks for the run to end as a failure. */
#define BH_STATUS_REQUEST_FAIL 18
/** The plugin asks for a reset. */
#define BH_STATUS_REQUEST_RESET 19
/** The plugin asks for the run to be aborted. */
#define BH_STATUS_REQUEST_ABORT 20
/** The thing asked for is not offered here. */
#define BH_STATUS_UNSUPPORTED (-1)
/** An argument is out of range or malformed. */
#define BH_STATUS_INVALID_ARG (-2)
/** The call is not allowed in the present state. */
#define BH_STATUS_WRONG_STATE (-3)
/** The call is not allowed on this thread. */
#define BH_STATUS_WRONG_THREAD (-4)
/** No such name, topic, link or joint. */
#define BH_STATUS_NOT_FOUND (-5)
/** The name is taken. */
#define BH_STATUS_EXISTS (-6)
/** A queue is full. */
#define BH_STATUS_WOULD_BLOCK (-7)
/** Nothing arrived before the deadline. */
#define BH_STATUS_TIMEOUT (-8)
/** The operating system refused. */
#define BH_STATUS_IO (-9)
/** A type's schema is malformed, or conflicts with one of the same name. */
#define BH_STATUS_SCHEMA (-10)
/** The wait was ended because the run or the connection ends. */
#define BH_STATUS_INTERRUPTED (-11)
/** The callee panicked; its instance is no longer called except to stop and destroy it. */
#define BH_STATUS_PANIC (-100)
/** The callee cannot go on. */
#define BH_STATUS_FATAL (-101)

/* ---- basic ------------------------------------------------------------------------------------- */

/*
 * Plain values that cross the boundary: borrowed text and bytes, poses.
 */

/**
 * Borrowed UTF-8 text, not NUL-terminated. Valid for the call it is passed to, unless the field or
 * function that carries it says otherwise. An empty text may have a null pointer.
 */
struct bh_str {
    /** First byte; may be null when `len` is 0. */
    const uint8_t *ptr;
    /** Length in bytes. */
    size_t len;
};

/** Borrowed bytes. Valid for the call they are passed to, unless stated otherwise. */
struct bh_bytes {
    /** First byte; may be null when `len` is 0. */
    const uint8_t *ptr;
    /** Length in bytes. */
    size_t len;
};

/** A rigid transform: the pose of a child frame in a parent frame that the context names. */
struct bh_pose {
    /** Position x, y, z in metres. */
    double position[3];
    /** Unit quaternion x, y, z, w. */
    double orientation[4];
};

/* ---- message ----------------------------------------------------------------------------------- */

/*
 * Messages, their payload buffers, quality of service and type descriptions.
 */

/**
 * An immutable, reference-counted payload. The holder of a reference may read `data`; nothing
 * writes it.
 *
 * A receiver that wants to keep the payload beyond the call calls `retain` once and later `release`
 * once, from any thread; it never copies the struct itself for that purpose.
 */
struct bh_buffer {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0 in buffers of plugins; in buffers of the host, a mark of its own. */
    uint32_t reserved;
    /** First payload byte. */
    const uint8_t *data;
    /** Payload length in bytes. */
    size_t len;
    /** Belongs to the buffer's owner. */
    void *ctx;
    /**
     * Adds a reference.
     * [thread: any] [state: any]
     */
    void (*retain)(const bh_buffer *);
    /**
     * Drops a reference; the owner takes the memory back with the last one.
     * [thread: any] [state: any]
     */
    void (*release)(const bh_buffer *);
};

/** The payload is the wire form of the protobuf message that the type description names. */
#define BH_ENCODING_PROTOBUF 1
/** The payload is in a form of the bridge's own, made by a converter that a plugin registered. */
#define BH_ENCODING_BRIDGE 2

/** One message on its way. Texts and payload are borrowed for the call that hands it over. */
struct bh_message {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Type id as given by `bridgehead.types/1`. */
    uint32_t type_id;
    /** One of the `BH_ENCODING_` constants. */
    uint32_t encoding;
    /** Counts the resets before this message; time may run backwards between two epochs. */
    uint32_t reset_epoch;
    /** Simulated time of the sample in nanoseconds, equal to `header.stamp` where there is one. */
    int64_t stamp_ns;
    /** Per topic, from 0, without gaps at the publisher; starts again at 0 with each reset epoch. */
    uint64_t sequence;
    /** The step in which the message was published. */
    uint64_t step;
    /** Vehicle the topic belongs to; empty for topics of the world. */
    bh_str vehicle;
    /** Full topic name, `/vehicle/topic`. */
    bh_str topic;
    /** The bytes. */
    const bh_buffer *payload;
    /** 0. */
    uint64_t reserved[2];
};

/** Messages may be dropped under load. */
#define BH_RELIABILITY_BEST_EFFORT 0
/** Messages should arrive. */
#define BH_RELIABILITY_RELIABLE 1
/** A late subscriber gets nothing of the past. */
#define BH_DURABILITY_VOLATILE 0
/** A late subscriber gets the last message: "latched", transient-local in ROS 2. */
#define BH_DURABILITY_LATCHED 1

/** Quality of service of a topic, fixed when it is advertised. */
struct bh_qos {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** One of the `BH_RELIABILITY_` constants. */
    uint32_t reliability;
    /** One of the `BH_DURABILITY_` constants. */
    uint32_t durability;
    /** How many messages a queue should hold at least; 0 leaves it to the host. */
    uint32_t depth;
    /** 0. */
    uint64_t reserved[2];
};

/** A message type: its protobuf full name and a self-contained descriptor. */
struct bh_type_desc {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Type id, filled by the host; 0 when a plugin describes a type. */
    uint32_t type_id;
    /** Protobuf full name, e.g. `bridgehead.sensor_msgs.v1.LaserScan`. */
    bh_str name;
    /**
     * Encoded `google.protobuf.FileDescriptorSet` with the file of the type and all it imports,
     * custom options included. When filled by the host it stays valid until the process ends.
     */
    bh_bytes descriptor_set;
    /** 0. */
    uint64_t reserved[2];
};

/* ---- extension --------------------------------------------------------------------------------- */

/*
 * Ids of everything that is looked up by name: `name/revision`. A third party's own extensions use
 * a reverse-domain prefix.
 */

/** Offered by a library: `bh_plugin_factory`. */
#define BH_EXT_PLUGIN_FACTORY "bridgehead.plugin-factory/1"
/**
 * Offered by a Rust library: a function `unsafe extern "C" fn(name: Str) -> Option<&'static
 * TypeLayout>` with the `TypeLayout` of `abi_stable`, giving the layout of a root of the ABI by its
 * name (`bh_host_bus`), null for an unknown one. Revision 1, of ABI 0.3, gave one layout of all
 * roots, which cannot grow.
 */
#define BH_EXT_STABLE_ABI_LAYOUT "bridgehead.stable-abi-layout/2"
/** Offered by a library with model plugins: `bh_bridge_converters`. */
#define BH_EXT_BRIDGE_CONVERTERS "bridgehead.bridge-converters/1"
/** Offered by an instance of a model plugin: `bh_sample_times`. */
#define BH_EXT_SAMPLE_TIMES "bridgehead.sample-times/1"
/** Offered by an instance of a model plugin: `bh_world_save`. */
#define BH_EXT_WORLD_SAVE "bridgehead.world-save/1"
/** Offered by the host: `bh_host_log`. */
#define BH_EXT_LOG "bridgehead.log/1"
/** Offered by the host: `bh_host_clock`. */
#define BH_EXT_CLOCK "bridgehead.clock/1"
/** Offered by the host: `bh_host_params`. */
#define BH_EXT_PARAMS "bridgehead.params/1"
/** Offered by the host: `bh_host_types`. */
#define BH_EXT_TYPES "bridgehead.types/1"
/** Offered by the host: `bh_host_bus`. */
#define BH_EXT_BUS "bridgehead.bus/1"
/** Offered by the host: `bh_host_services`. */
#define BH_EXT_SERVICES "bridgehead.services/1"
/** Offered by the host: `bh_host_model`. */
#define BH_EXT_MODEL "bridgehead.model/1"
/** Offered by the host to model plugins: `bh_host_world`. */
#define BH_EXT_WORLD "bridgehead.world/1"
/** Offered by the host to model plugins: `bh_host_command`. */
#define BH_EXT_COMMAND "bridgehead.command/1"
/** Offered by the host: `bh_host_lifecycle`. */
#define BH_EXT_LIFECYCLE "bridgehead.lifecycle/1"
/** Offered by the host to bridges: `bh_host_lockstep`. */
#define BH_EXT_LOCKSTEP "bridgehead.lockstep/1"
/** Offered by the host to bridges: `bh_host_stepping`. */
#define BH_EXT_STEPPING "bridgehead.stepping/1"
/** Offered by the host: `bh_host_threads`. */
#define BH_EXT_THREADS "bridgehead.threads/1"
/** Offered by the host to model plugins: `bh_host_environment`. */
#define BH_EXT_ENVIRONMENT "bridgehead.environment/1"
/** Offered by the host to model plugins: `bh_host_entities`. */
#define BH_EXT_ENTITIES "bridgehead.entities/1"
/** Offered by the host to model plugins: `bh_host_contacts`. */
#define BH_EXT_CONTACTS "bridgehead.contacts/1"
/** Offered by the host to model plugins: `bh_host_joints`. */
#define BH_EXT_JOINTS "bridgehead.joints/1"
/** Offered by the host to model plugins: `bh_host_world_edit`. */
#define BH_EXT_WORLD_EDIT "bridgehead.world-edit/1"
/** Offered by the host to model plugins: `bh_host_dynamics`. */
#define BH_EXT_DYNAMICS "bridgehead.dynamics/1"
/** Offered by the host to model plugins: `bh_host_surfaces`. */
#define BH_EXT_SURFACES "bridgehead.surfaces/1"
/** Offered by the host to model plugins: `bh_host_kinematics`. */
#define BH_EXT_KINEMATICS "bridgehead.kinematics/1"
/** Offered by the host to model plugins: `bh_host_service_calls`. */
#define BH_EXT_SERVICE_CALLS "bridgehead.service-calls/1"
/** Offered by the host: `bh_host_description`. */
#define BH_EXT_DESCRIPTION "bridgehead.description/1"
/** Offered by the host: `bh_host_scene`. */
#define BH_EXT_SCENE "bridgehead.scene/1"
/** Offered by the host: `bh_host_actions`. */
#define BH_EXT_ACTIONS "bridgehead.actions/1"
/** Offered by the host to model plugins: `bh_host_bridges`. */
#define BH_EXT_BRIDGES "bridgehead.bridges/1"
/** Offered by the host: `bh_host_encodings`. */
#define BH_EXT_ENCODINGS "bridgehead.encodings/1"
/** Offered by the host: `bh_host_report`. */
#define BH_EXT_REPORT "bridgehead.report/1"

/* ---- layout ------------------------------------------------------------------------------------ */

/*
 * The layout table: name, type, offset and size of every field of every ABI struct.
 *
 * It is computed by the compiler that builds a library and stored in the ELF section
 * `BH_LAYOUT_SECTION`, so that a host can compare it with its own before any code of the library
 * runs. C plugins get the same table through the header, computed by the C compiler.
 */

/**
 * One field of one ABI struct, as the compiler of a library laid it out. 256 bytes, no pointers, so
 * that it can be read from a file.
 */
struct bh_layout_row {
    /**
     * `Struct.field`, NUL-padded. A row whose field is empty (`Struct.`) describes the struct as a
     * whole.
     */
    uint8_t name[56];
    /** The field's Rust type as text, NUL-padded; empty for a struct as a whole. */
    uint8_t type_name[192];
    /** Offset of the field in bytes; for a struct as a whole its alignment. */
    uint32_t offset;
    /** Size of the field, or of the whole struct, in bytes. */
    uint32_t size;
};

/* ---- entry ------------------------------------------------------------------------------------- */

/*
 * What a plugin library exports: one entry symbol and two ELF sections that are read without
 * running it.
 */

/** Name of the one exported data symbol, of type `bh_entry`. */
#define BH_ENTRY_SYMBOL "bridgehead_plugin_entry"
/** First bytes of `bh_entry`. */
#define BH_ENTRY_MAGIC {'B', 'R', 'I', 'D', 'G', 'E', 'H', 'D'}
/**
 * ELF section with the metadata, a JSON text. See Metadata format below.
 *
 * Metadata format:
 *
 *     {"schema":1, "abi":[1,0], "sdk":"bridgehead-plugin-api 0.1.0", "abi_stable":"0.11.3", "panic":"unwind",
 *      "plugins":[{"id":"org.example.bridge.udp", "kind":"bridge", "name":"udp", "version":"1.0.0",
 *                  "vendor":"Example", "license":"MIT", "requires":["bridgehead.bus/1"], "provides":[]}]}
 *
 * Unknown fields are ignored, and so are a later `schema`, unknown words for `panic`, and plugins
 * of an unknown `kind`. `abi_stable` is absent where the library carries no `StableAbi` layout (C
 * plugins); `panic` is `unwind`, `abort` or `none`; a model plugin also has `state`: `saved` where
 * its `save` and `load` keep what it remembers, `nothing` where there is nothing to keep, and
 * `unsaved`, also where the field is absent, where a restored run finds it as after a reset;
 * `requires` lists host extensions without which the plugin cannot work; `provides` lists the full
 * names of message types it registers. The host opens a library with such types when it starts,
 * because others can use them without naming the plugin, and any other library when one of its
 * plugins is used.
 */
#define BH_METADATA_SECTION ".bridgehead.meta"
/** ELF section with the `bh_layout_row`s of the library. */
#define BH_LAYOUT_SECTION ".bridgehead.layout"
/** Value of `schema` in the metadata this crate describes. */
#define BH_METADATA_SCHEMA 1
/** A plugin that carries messages out of and into the host. */
#define BH_KIND_BRIDGE 1
/** A plugin attached to a model, a sensor or the world: sensor, actuator, controller, world plugin. */
#define BH_KIND_MODEL 2

/** The exported entry of a library. Its first 24 bytes never change, whatever the ABI version. */
struct bh_entry {
    /** `BH_ENTRY_MAGIC`. */
    uint8_t magic[8];
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** `BH_ABI_MAJOR` the library was built for. */
    uint32_t abi_major;
    /** `BH_ABI_MINOR` the library was built for. */
    uint32_t abi_minor;
    /** 0. */
    uint32_t reserved;
    /**
     * Called once per process, before any factory is used. `host` is the library's own host object,
     * valid until the process ends; its log extension may be used from here on.
     * [thread: main] [state: any]
     */
    bh_status (*init)(const bh_host *host);
    /**
     * Called once when the process ends, after every instance was destroyed.
     * [thread: main] [state: any]
     */
    void (*deinit)(void);
    /**
     * Looks up a factory or library extension by id; null for an unknown id. Known ids are in the
     * `BH_EXT_` constants. The object stays valid until `deinit`.
     * [thread: any] [state: any]
     */
    const void *(*get_factory)(bh_str id);
};

/** What one plugin of a library is. Must say the same as the metadata section. */
struct bh_descriptor {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** One of the `BH_KIND_` constants. */
    uint32_t kind;
    /** Reverse-domain id, unique in the world: `org.example.bridge.udp`. */
    bh_str id;
    /** Short name used on the command line and in world files: `udp`. */
    bh_str name;
    /** Version of the plugin itself. */
    bh_str version;
    /** Who makes it. */
    bh_str vendor;
    /** SPDX licence expression. */
    bh_str license;
};

/** The library's list of plugins, extension `BH_EXT_PLUGIN_FACTORY`. */
struct bh_plugin_factory {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Number of plugins in this library. */
    uint32_t count;
    /**
     * Describes plugin `index`; null beyond `count`. Valid until the process ends.
     * [thread: any] [state: any]
     */
    const bh_descriptor *(*descriptor)(uint32_t index);
    /**
     * The factory object of plugin `index`: a `bh_bridge_factory` or a `bh_model_factory` according
     * to its kind. Valid until the process ends.
     * [thread: any] [state: any]
     */
    const void *(*factory)(uint32_t index);
};

/* ---- host -------------------------------------------------------------------------------------- */

/*
 * The host as a plugin sees it: one `bh_host` object per library and per instance, and the
 * extensions it offers. A plugin passes the same `host` pointer back with each call, which is how
 * the host knows who calls; there is no process-global state.
 *
 * A function whose body panics, which is a defect of the host, returns BH_STATUS_PANIC. One without
 * a status returns 0, null or an empty text, and `should_stop` and `interrupted` return 1.
 */

/** The host object handed to a library in `init` and to each instance in `create`. */
struct bh_host {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Belongs to the host. */
    void *ctx;
    /**
     * Looks up an extension by id, null if it is not offered to this caller. The object stays valid
     * as long as this host object. Must not be called inside `create`.
     * [thread: any] [state: any]
     */
    const void *(*get_extension)(const bh_host *host, bh_str id);
    /**
     * Says in words why the call now running will return a failure or a request. The last text
     * given before the return counts.
     * [thread: any] [state: any]
     */
    void (*explain)(const bh_host *host, bh_str text);
};

/** Log level: the run cannot go on as asked. */
#define BH_LOG_ERROR 1
/** Log level: something is wrong and the run goes on. */
#define BH_LOG_WARN 2
/** Log level: what an operator wants to know once. */
#define BH_LOG_INFO 3
/** Log level: what a plugin's author wants to know. */
#define BH_LOG_DEBUG 4
/** Log level: every detail. */
#define BH_LOG_TRACE 5

/** One log line. */
struct bh_log_record {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** One of the `BH_LOG_` constants. */
    uint32_t level;
    /** Module or component inside the plugin; may be empty. */
    bh_str target;
    /** The text, without a trailing newline. */
    bh_str text;
    /** Source file; may be empty. */
    bh_str file;
    /** Source line; 0 when unknown. */
    uint32_t line;
    /** 0. */
    uint32_t reserved;
};

/** Extension `bridgehead.log/1`. Lines are tagged with the plugin and its vehicle. */
struct bh_host_log {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Whether a line of this level would be written: 1 or 0. Cheap; ask before formatting.
     * [thread: any] [state: any]
     */
    uint8_t (*enabled)(const bh_host *host, uint32_t level);
    /**
     * Writes one line.
     * [thread: any] [state: any]
     */
    void (*write)(const bh_host *host, const bh_log_record *record);
};

/** The simulated clock at one instant. */
struct bh_clock_reading {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Counts resets. */
    uint32_t reset_epoch;
    /** Simulated time in nanoseconds: `step * step_width_ns` since the last reset of time. */
    int64_t time_ns;
    /** Width of one step in nanoseconds. */
    int64_t step_width_ns;
    /** Number of the step in progress or last completed. */
    uint64_t step;
    /** Achieved simulated seconds per wall second, averaged over about one second. */
    double real_time_factor;
    /** 1 while the simulation is paused or stopped. */
    uint32_t paused;
    /** 0. */
    uint32_t reserved;
};

/** Extension `bridgehead.clock/1`. */
struct bh_host_clock {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Reads the simulated clock; never blocks.
     * [thread: any] [state: any]
     */
    void (*read)(const bh_host *host, bh_clock_reading *out);
    /**
     * Nanoseconds of a monotonic wall clock, for time-outs towards peers only.
     * [thread: any] [state: any]
     */
    int64_t (*monotonic_ns)(const bh_host *host);
};

/**
 * Extension `bridgehead.params/1`: the parameters of this instance, from the world file and the
 * configuration. A path is a chain of element names: `scan/horizontal/samples`, `wheel[1]/radius`
 * for the second of several, `@type` at the end for an attribute. The host notes what was asked
 * for, and after `awake` names parameters that were not read.
 */
struct bh_host_params {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * The text at `path`, trimmed; BH_STATUS_NOT_FOUND without it. Valid as long as the instance.
     * [thread: any] [state: any]
     */
    bh_status (*get)(const bh_host *host, bh_str path, bh_str *out);
    /**
     * How many elements `path` names; 0 for none.
     * [thread: any] [state: any]
     */
    uint64_t (*count)(const bh_host *host, bh_str path);
    /**
     * Where the value at `path` was written, as `file:line`; empty when unknown. Valid as long as
     * the instance.
     * [thread: any] [state: any]
     */
    bh_str (*location)(const bh_host *host, bh_str path);
};

/** Extension `bridgehead.types/1`: the message types known to the host. */
struct bh_host_types {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Registers a type and gives its id. Registering an equal descriptor again gives the same id;
     * another descriptor under the same name is BH_STATUS_SCHEMA, as is one that ROS cannot
     * express.
     * [thread: any] [state: any]
     */
    bh_status (*register_)(const bh_host *host, const bh_type_desc *desc, uint32_t *out);
    /**
     * Finds a type by its protobuf full name or by its ROS name (`sensor_msgs/msg/Imu`).
     * [thread: any] [state: any]
     */
    bh_status (*find)(const bh_host *host, bh_str name, bh_type_desc *out);
    /**
     * Describes a type by its id.
     * [thread: any] [state: any]
     */
    bh_status (*describe)(const bh_host *host, uint32_t type_id, bh_type_desc *out);
};

/** Writable memory of the host for one message, to be filled and committed or abandoned. */
struct bh_loan {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** First writable byte. */
    uint8_t *data;
    /** Writable bytes. */
    size_t capacity;
    /** Belongs to the host. */
    void *ctx;
};

/**
 * Extension `bridgehead.bus/1`: topics of the vehicle (or world) the instance is attached to.
 *
 * A topic given as `scan` becomes `/vehicle/scan`; one given with a leading slash is taken as it
 * is.
 */
struct bh_host_bus {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Announces a topic. `type_name` is a protobuf full name that was registered before. The
     * publisher lives until the instance is destroyed.
     * [thread: main] [state: awake, starting, started]
     */
    bh_status (*advertise)(
        const bh_host *host, bh_str topic, bh_str type_name, const bh_qos *qos, void **out);
    /**
     * How many listeners the topic has now; with 0 a sensor need not compute anything. A latched
     * topic always counts one, because its last message is kept.
     * [thread: any] [state: any]
     */
    uint32_t (*listeners)(void *publisher);
    /**
     * Publishes a payload; the host retains it. Never waits, except in front of a bridge whose
     * queue is set to `block`, and then only on the simulation thread at the end of the phase.
     * [thread: any] [state: started]
     */
    bh_status (*publish)(void *publisher, int64_t stamp_ns, const bh_buffer *payload);
    /**
     * Borrows host memory of at least `capacity` bytes for one message.
     * [thread: any] [state: started]
     */
    bh_status (*loan)(void *publisher, size_t capacity, bh_loan *out);
    /**
     * Publishes the first `len` bytes of a loan; the loan is used up, also on failure.
     * [thread: any] [state: started]
     */
    bh_status (*commit)(void *publisher, int64_t stamp_ns, bh_loan *loan, size_t len);
    /**
     * Gives a loan back unused. As after `commit`, its memory is the host's again.
     * [thread: any] [state: any]
     */
    void (*abandon)(void *publisher, bh_loan *loan);
    /**
     * Asks for the messages of a topic, from bridges and from other plugins. `depth` of the quality
     * of service bounds how many wait; the oldest goes first when more come. The subscription lives
     * until the instance is destroyed.
     * [thread: main] [state: awake, starting, started]
     */
    bh_status (*subscribe)(
        const bh_host *host, bh_str topic, bh_str type_name, const bh_qos *qos, void **out);
    /**
     * Takes the next waiting message; BH_STATUS_NOT_FOUND without one. Messages are latched in once
     * per step, so every `take` of one step sees the same set. The message is valid until the next
     * `take` on the same subscription.
     * [thread: sim] [state: started]
     */
    bh_status (*take)(void *subscription, bh_message *out);
};

/** A call of a service that waits for its answer. */
struct bh_service_request {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Names the call in `reply`. */
    uint64_t id;
    /** The request message. Valid until the next `take` on the same service. */
    const bh_buffer *payload;
};

/** Extension `bridgehead.services/1`: calls with an answer. Names follow the rule of topics. */
struct bh_host_services {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Announces a service with its request and response types (protobuf full names).
     * [thread: main] [state: awake, starting, started]
     */
    bh_status (*advertise)(const bh_host *host, bh_str name, bh_str request, bh_str response, void **out);
    /**
     * Takes the next waiting call; BH_STATUS_NOT_FOUND without one.
     * [thread: sim] [state: started]
     */
    bh_status (*take)(void *service, bh_service_request *out);
    /**
     * Answers a call: `status` BH_STATUS_OK with a response payload, or a failure without one. Each
     * call is answered once; calls left open when the instance stops are answered with
     * BH_STATUS_INTERRUPTED.
     * [thread: any] [state: any]
     */
    bh_status (*reply)(void *service, uint64_t id, bh_status status, bh_bytes payload);
};

/** `bh_attachment.parent_link` of an instance that is not attached to a link. */
#define BH_NO_LINK UINT32_MAX

/** What an instance is attached to. Texts stay valid as long as the instance. */
struct bh_attachment {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Link that carries the sensor, or `BH_NO_LINK`. */
    uint32_t parent_link;
    /** Name of the vehicle; empty for the world. */
    bh_str vehicle;
    /** Scoped name of the model (`car1`, `car1::arm`); empty for the world. */
    bh_str model;
    /** Name of the `<sensor>` or `<plugin>` element. */
    bh_str element;
    /** Unique path of the element (`car1/chassis/front_lidar`), the key of its random numbers. */
    bh_str path;
    /** Frame of the messages it publishes (`car1/chassis/front_lidar`). */
    bh_str frame_id;
    /** The `<topic>` of a sensor element; empty if none is given. */
    bh_str topic;
    /** The element as it stands in the world file; empty if it comes from elsewhere. */
    bh_str xml;
    /** Pose of the sensor in its parent link; of the model in the world for other plugins. */
    bh_pose pose;
    /** Nanoseconds between samples (`1 / update_rate`); 0 means every step. */
    int64_t update_period_ns;
    /** Seed of the run. */
    uint64_t seed;
};

/** A link of the instance's model. Texts stay valid as long as the instance. */
struct bh_link_info {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Handle for `bridgehead.world/1`. */
    uint32_t link;
    /** Name relative to the vehicle (`chassis`, `arm::upper`). */
    bh_str name;
    /** Frame id used in messages (`car1/chassis`). */
    bh_str frame_id;
    /** Pose in the model frame as loaded. */
    bh_pose pose;
    /** Mass in kilograms. */
    double mass;
};

/** `bh_joint_info.kind`: no motion. */
#define BH_JOINT_FIXED 0
/** `bh_joint_info.kind`: rotation within limits, radians. */
#define BH_JOINT_REVOLUTE 1
/** `bh_joint_info.kind`: rotation without limits, radians. */
#define BH_JOINT_CONTINUOUS 2
/** `bh_joint_info.kind`: translation, metres. */
#define BH_JOINT_PRISMATIC 3
/** `bh_joint_info.kind`: any other type; it has no single axis. */
#define BH_JOINT_OTHER 4

/** A joint of the instance's model. Texts stay valid as long as the instance. */
struct bh_joint_info {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Handle for `bridgehead.world/1` and `bridgehead.command/1`. */
    uint32_t joint;
    /** One of the `BH_JOINT_` constants. */
    uint32_t kind;
    /** 0. */
    uint32_t reserved;
    /** Name relative to the vehicle. */
    bh_str name;
    /** Lower limit in radians or metres; minus infinity without one. */
    double lower;
    /** Upper limit in radians or metres; infinity without one. */
    double upper;
    /** Largest effort in N·m or N; infinity without a limit. */
    double effort;
    /** Largest speed in rad/s or m/s; infinity without a limit. */
    double velocity;
};

/** Extension `bridgehead.model/1`: what the instance is attached to and what its model consists of. */
struct bh_host_model {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Describes the attachment.
     * [thread: any] [state: any]
     */
    bh_status (*attachment)(const bh_host *host, bh_attachment *out);
    /**
     * Describes link `index` of the model, in document order; BH_STATUS_NOT_FOUND beyond the last.
     * [thread: any] [state: any]
     */
    bh_status (*link)(const bh_host *host, uint32_t index, bh_link_info *out);
    /**
     * Describes joint `index` of the model, in document order; BH_STATUS_NOT_FOUND beyond the last.
     * [thread: any] [state: any]
     */
    bh_status (*joint)(const bh_host *host, uint32_t index, bh_joint_info *out);
};

/** Motion of a link in the world frame. */
struct bh_link_state {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Pose of the link frame. */
    bh_pose pose;
    /** Velocity of the link frame's origin, m/s. */
    double linear[3];
    /** Angular velocity, rad/s. */
    double angular[3];
};

/** Motion of a joint; all values are NaN if it has not one axis. */
struct bh_joint_state {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Radians (not wrapped) or metres. */
    double position;
    /** rad/s or m/s. */
    double velocity;
    /**
     * Effort in the last step, N·m or N: all that acts along the axis if the joint is watched,
     * otherwise an estimate of what the command applies.
     */
    double effort;
};

/** Rays to be cast in one call, all seen from one frame. */
struct bh_ray_batch {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Link whose own shapes are ignored, or `BH_NO_LINK`. */
    uint32_t ignore_link;
    /** The frame of origins and directions, in the world. */
    bh_pose frame;
    /** `count` unit vectors in that frame. */
    const double (*directions)[3];
    /** `count` origins in that frame, or null for its origin. */
    const double (*origins)[3];
    /** Number of rays. */
    size_t count;
    /** Hits closer than this are passed through, metres. */
    double range_min;
    /** Hits beyond this are none, metres. */
    double range_max;
};

/** What one ray hit. */
struct bh_ray_hit {
    /** Metres from the ray's origin; infinity for no hit. */
    double distance;
    /** Surface normal in the world frame, towards the ray; zero for no hit. */
    double normal[3];
    /** Id of the entity that was hit; 0 for none. */
    uint64_t entity;
};

/** Extension `bridgehead.world/1`: the world as it stands in the present phase of the step. */
struct bh_host_world {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Motion of a link.
     * [thread: sim] [state: started]
     */
    bh_status (*link_state)(const bh_host *host, uint32_t link, bh_link_state *out);
    /**
     * Motion of a joint.
     * [thread: sim] [state: started]
     */
    bh_status (*joint_state)(const bh_host *host, uint32_t joint, bh_joint_state *out);
    /**
     * Casts `batch->count` rays into `hits`.
     * [thread: sim] [state: started]
     */
    bh_status (*cast_rays)(const bh_host *host, const bh_ray_batch *batch, bh_ray_hit *hits);
    /**
     * Gravity in the world frame, m/s².
     * [thread: any] [state: any]
     */
    bh_status (*gravity)(const bh_host *host, double (*out)[3]);
};

/**
 * Extension `bridgehead.command/1`: effects on the world, applied before physics of the next step.
 * A joint command stays in force until the next one.
 */
struct bh_host_command {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Drives a joint towards a velocity (rad/s or m/s) with at most `max_effort` (N·m or N;
     * infinity for the joint's own limit).
     * [thread: sim] [state: started]
     */
    bh_status (*joint_velocity)(const bh_host *host, uint32_t joint, double velocity, double max_effort);
    /**
     * Drives a joint towards a position with a spring (`stiffness`, effort per unit of position)
     * and a damper (`damping`, effort per unit of velocity), with at most `max_effort`.
     * [thread: sim] [state: started]
     */
    bh_status (*joint_position)(
        const bh_host *host, uint32_t joint, double position, double stiffness, double damping, double max_effort);
    /**
     * Applies an effort (N·m or N) to a joint until the next command.
     * [thread: sim] [state: started]
     */
    bh_status (*joint_effort)(const bh_host *host, uint32_t joint, double effort);
    /**
     * Applies a force (N) and torque (N·m), world frame, at the centre of mass during the next
     * step.
     * [thread: sim] [state: started]
     */
    bh_status (*link_wrench)(
        const bh_host *host, uint32_t link, const double (*force)[3], const double (*torque)[3]);
    /**
     * Sets the velocity of a link's whole model, world frame: m/s and rad/s.
     * [thread: sim] [state: started]
     */
    bh_status (*model_velocity)(
        const bh_host *host, uint32_t link, const double (*linear)[3], const double (*angular)[3]);
    /**
     * Places the instance's model: pose of the model frame in the world.
     * [thread: sim] [state: started]
     */
    bh_status (*model_pose)(const bh_host *host, const bh_pose *pose);
};

/** Extension `bridgehead.lifecycle/1`: what an instance reports and asks for outside its calls. */
struct bh_host_lifecycle {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Ends a `start` that returned BH_STATUS_PENDING: BH_STATUS_OK, or a failure with a text.
     * [thread: any] [state: starting]
     */
    bh_status (*started)(const bh_host *host, bh_status status, bh_str text);
    /**
     * Asks for something: one of the `BH_STATUS_REQUEST_` status codes, with a reason.
     * [thread: any] [state: any]
     */
    bh_status (*request)(const bh_host *host, bh_status request, bh_str reason);
    /**
     * Acknowledges a reset notice that returned BH_STATUS_PENDING.
     * [thread: any] [state: any]
     */
    bh_status (*acknowledge)(const bh_host *host, uint64_t ticket);
    /**
     * Reports a failure that no running call can return: a stable code and a text.
     * [thread: any] [state: any]
     */
    void (*report_error)(const bh_host *host, bh_str code, bh_str text);
};

/**
 * Extension `bridgehead.lockstep/1`: a bridge that feeds commands for exact steps holds the
 * simulation until it has delivered them.
 */
struct bh_host_lockstep {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * From now on no step runs beyond the last released one.
     * [thread: main] [state: created, disconnected]
     */
    bh_status (*hold)(const bh_host *host);
    /**
     * Everything for steps up to and including `step` has been delivered; `UINT64_MAX` ends the
     * hold.
     * [thread: any] [state: any]
     */
    bh_status (*release_through)(const bh_host *host, uint64_t step);
};

/** What a plugin's thread runs. */
struct bh_thread_body {
    /** Passed to `run`. */
    void *arg;
    /**
     * The thread's body; returns soon after `should_stop` says so.
     * [thread: plugin] [state: any]
     */
    void (*run)(void *arg);
};

/**
 * Extension `bridgehead.threads/1`: threads of a plugin that the host names, counts and joins
 * before `stop` or `disconnect` is over. A plugin makes no threads in any other way.
 */
struct bh_host_threads {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Starts a thread that runs `body`, which is copied.
     * [thread: any] [state: any]
     */
    bh_status (*spawn)(const bh_host *host, bh_str name, const bh_thread_body *body);
    /**
     * 1 once the instance's threads should end.
     * [thread: any] [state: any]
     */
    uint8_t (*should_stop)(const bh_host *host);
};

/* ---- surroundings ------------------------------------------------------------------------------ */

/*
 * What a model plugin sees of the world beyond its own links, and how it changes what the world
 * consists of.
 *
 * Each struct named `Host…` is the table of one extension. They stand apart from crate::host
 * because most plugins never ask for them; the host does the work behind them only for those that
 * do.
 */

/** `bh_environment.flags`: the world says where on Earth it stands (`<spherical_coordinates>`). */
#define BH_ENVIRONMENT_HAS_ORIGIN 1

/** The physical surroundings of a world. They do not change during a run. */
struct bh_environment {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Bits of the `BH_ENVIRONMENT_` constants. */
    uint32_t flags;
    /** Geodetic latitude of the world's origin (WGS 84), radians. */
    double latitude;
    /** Longitude of the world's origin, radians. */
    double longitude;
    /** Height of the world's origin above the ellipsoid, metres. */
    double elevation;
    /** Turn from east to the world's x axis about up, radians, counterclockwise. */
    double heading;
    /** Magnetic flux density, world frame, tesla. */
    double magnetic_field[3];
    /** Velocity of the air, world frame, m/s. */
    double wind[3];
    /** Gravity, world frame, m/s². */
    double gravity[3];
    /** Air temperature at height 0, kelvin. */
    double temperature;
    /** Change of the temperature with height, K/m; negative if it gets colder upwards. */
    double temperature_gradient;
    /** Air pressure at height 0, pascal. */
    double pressure;
};

/** Extension `bridgehead.environment/1`: where the world stands and what fills it. */
struct bh_host_environment {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Reads it.
     * [thread: any] [state: any]
     */
    bh_status (*read)(const bh_host *host, bh_environment *out);
};

/** `bh_entity.flags`: nothing of the model moves. */
#define BH_ENTITY_STATIC 1
/** `bh_entity.flags`: the model was spawned during the run. */
#define BH_ENTITY_SPAWNED 2

/** A top-level model as it stands in the present phase of the step. */
struct bh_entity {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Bits of the `BH_ENTITY_` constants. */
    uint32_t flags;
    /** Its id; never used for another entity in the same run. */
    uint64_t id;
    /** Name in the world. Valid until the next step begins. */
    bh_str name;
    /** Pose of the model frame in the world. */
    bh_pose pose;
    /** Velocity of the model frame's origin, world frame, m/s. */
    double linear[3];
    /** Angular velocity, world frame, rad/s. */
    double angular[3];
    /**
     * Lowest corner of the box around its collisions, model frame, metres; the box keeps the
     * model's axes. Equal to `box_max` for a model without collisions.
     */
    double box_min[3];
    /** Highest corner of that box. */
    double box_max[3];
};

/** Extension `bridgehead.entities/1`: every model of the world, the spawned ones too. */
struct bh_host_entities {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Reads entity number `index`, in document order, spawned ones last; BH_STATUS_NOT_FOUND beyond
     * the last.
     * [thread: sim] [state: started]
     */
    bh_status (*at)(const bh_host *host, uint32_t index, bh_entity *out);
    /**
     * Reads the entity of that name; BH_STATUS_NOT_FOUND without one.
     * [thread: sim] [state: started]
     */
    bh_status (*find)(const bh_host *host, bh_str name, bh_entity *out);
    /**
     * Handle of a link by its scoped name in the world (`model::link`, `model::arm::hand`), for
     * `bridgehead.world/1`; BH_STATUS_NOT_FOUND without one.
     * [thread: sim] [state: started]
     */
    bh_status (*find_link)(const bh_host *host, bh_str name, uint32_t *out);
};

/** A collision of the instance's model. Texts stay valid as long as the instance. */
struct bh_collision_info {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Handle for `contacts`. */
    uint32_t collision;
    /** Link that carries it. */
    uint32_t link;
    /** 0. */
    uint32_t reserved;
    /** Name in its link. */
    bh_str name;
    /** Name in the world (`car1::chassis::bumper`). */
    bh_str scoped_name;
};

/** One point where a collision touched another one during the last step. */
struct bh_contact {
    /** Handle of the other collision. */
    uint32_t other;
    /** 0. */
    uint32_t reserved;
    /** World frame, metres. */
    double position[3];
    /** Unit vector, world frame, from the other collision towards the one that was asked about. */
    double normal[3];
    /** How deep the two overlap, metres; 0 if they only touch. */
    double depth;
    /**
     * What the other collision exerts on the one that was asked about, world frame, newtons: the
     * mean over the step.
     */
    double force[3];
};

/** Extension `bridgehead.contacts/1`: what touches the instance's model. */
struct bh_host_contacts {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Describes collision `index` of the model, in document order; BH_STATUS_NOT_FOUND beyond the
     * last.
     * [thread: any] [state: any]
     */
    bh_status (*collision)(const bh_host *host, uint32_t index, bh_collision_info *out);
    /**
     * Writes at most `capacity` contacts of a collision into `out`, and into `count` how many there
     * are. The order depends on the world's history only.
     * [thread: sim] [state: started]
     */
    bh_status (*contacts)(
        const bh_host *host, uint32_t collision, bh_contact *out, uint32_t capacity, uint32_t *count);
    /**
     * Name in the world of any collision, for `bh_contact.other`. Valid until the next step begins.
     * [thread: sim] [state: started]
     */
    bh_status (*name)(const bh_host *host, uint32_t collision, bh_str *out);
};

/** `bh_joint_frame.parent_link` of a joint whose parent is the world. */
#define BH_WORLD_LINK UINT32_MAX

/** Where a joint sits. */
struct bh_joint_frame {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Parent link, or `BH_WORLD_LINK`. */
    uint32_t parent_link;
    /** Child link. */
    uint32_t child_link;
    /** 0. */
    uint32_t reserved;
    /** Pose of the joint frame in the child link. */
    bh_pose pose;
    /** First axis in the joint frame, a unit vector; zero for a joint without one. */
    double axis[3];
};

/** What a joint transmits. */
struct bh_joint_wrench {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Force of the parent on the child through the joint, world frame, newtons: the mean over the
     * step.
     */
    double force[3];
    /** Torque of the parent on the child about the joint's origin, world frame, newton metres. */
    double torque[3];
};

/** Extension `bridgehead.joints/1`: frames of joints and the forces in them. */
struct bh_host_joints {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * The joint that carries the sensor, for a `<sensor>` in a `<joint>`; BH_STATUS_NOT_FOUND for
     * any other instance.
     * [thread: any] [state: any]
     */
    bh_status (*attached)(const bh_host *host, uint32_t *out);
    /**
     * Where a joint of the instance's model sits.
     * [thread: any] [state: any]
     */
    bh_status (*frame)(const bh_host *host, uint32_t joint, bh_joint_frame *out);
    /**
     * Asks that the wrench of a joint be computed from the next step on; it costs nothing for the
     * others.
     * [thread: sim] [state: started]
     */
    bh_status (*watch)(const bh_host *host, uint32_t joint);
    /**
     * What a watched joint transmitted during the last step; BH_STATUS_NOT_FOUND before its first
     * step.
     * [thread: sim] [state: started]
     */
    bh_status (*wrench)(const bh_host *host, uint32_t joint, bh_joint_wrench *out);
};

/** `bh_spawn_spec.flags`: where the name is taken, `_1`, `_2`, … is appended. */
#define BH_SPAWN_RENAME 1

/** A model to add to the world. */
struct bh_spawn_spec {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Bits of the `BH_SPAWN_` constants. */
    uint32_t flags;
    /** SDF text: a whole `<sdf>` document with one model, or a `<model>` element alone. */
    bh_str sdf;
    /** Its name; empty for the name in the text. */
    bh_str name;
    /** Pose of the model frame in the world. */
    bh_pose pose;
};

/**
 * Extension `bridgehead.world-edit/1`: changes of what the world consists of, applied before
 * physics of the next step, in the order of the calls.
 */
struct bh_host_world_edit {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Adds a model and writes its entity id. Text that is no model, or a name that is taken, is
     * refused at once. Plugins and sensors inside the model are made when it comes, and start
     * beside the run.
     * [thread: sim] [state: started]
     */
    bh_status (*spawn)(const bh_host *host, const bh_spawn_spec *spec, uint64_t *out);
    /**
     * Removes an entity with everything that hangs on it, its plugins and bridges too.
     * [thread: sim] [state: started]
     */
    bh_status (*remove)(const bh_host *host, uint64_t entity);
    /**
     * Fixes two links of different models to each other as they stand when the next step begins,
     * and writes the number of the bond.
     * [thread: sim] [state: started]
     */
    bh_status (*attach)(const bh_host *host, uint32_t parent_link, uint32_t child_link, uint64_t *out);
    /**
     * Ends a bond. A reset that restores the state ends every bond.
     * [thread: sim] [state: started]
     */
    bh_status (*detach)(const bh_host *host, uint64_t bond);
};

/* ---- dynamics ---------------------------------------------------------------------------------- */

/*
 * What forces on links are computed from, and forces that act at a point: for fluids, wings,
 * propellers and wind.
 *
 * A plugin asks for it in addition to `bridgehead.world/1`, which has the motion of links, and
 * `bridgehead.command/1`, which has forces and torques at the centre of mass.
 */

/** `bh_body.flags`: forces move the link. Without it, the link is static or its motion is scripted. */
#define BH_BODY_MOVES 1
/** `bh_body.flags`: the wind acts on the link (`<enable_wind>` of the link or its model). */
#define BH_BODY_IN_WIND 2
/** `bh_body.flags`: gravity acts on the link. */
#define BH_BODY_HAS_GRAVITY 4

/** What moves a link: its mass and its inertia. */
struct bh_body {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Bits of the `BH_BODY_` constants. */
    uint32_t flags;
    /** Scoped name of the link in the world (`model::link`). Valid until the next step begins. */
    bh_str name;
    /** Id of the entity that the link belongs to. */
    uint64_t entity;
    /** Kilograms. */
    double mass;
    /** Centre of mass in the link frame, metres. */
    double center[3];
    /**
     * Moments and products of inertia about the centre of mass, axes of the link frame: xx, yy, zz,
     * xy, xz, yz, kg·m².
     */
    double inertia[6];
};

/** A part of the volume that the collisions of a link enclose. */
struct bh_volume {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Cubic metres; the sum over the collisions, also where they overlap. */
    double volume;
    /** Centre of that volume in the world; the origin of the link if the volume is 0. */
    double center[3];
};

/** Extension `bridgehead.dynamics/1`: masses and volumes of links, and forces at points. */
struct bh_host_dynamics {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * How many handles of links were given so far. They count from 0 in document order, those of
     * spawned models follow, and the handle of a removed link is not given again: a plugin of the
     * world sees by this number whether links were added.
     * [thread: sim] [state: started]
     */
    bh_status (*links)(const bh_host *host, uint32_t *out);
    /**
     * Describes a link of any model; BH_STATUS_NOT_FOUND for one that was removed.
     * [thread: sim] [state: started]
     */
    bh_status (*body)(const bh_host *host, uint32_t link, bh_body *out);
    /**
     * The volume of the collisions of a link below a plane: of all points p with normal · p <=
     * height, in the world. The normal is a unit vector; an infinite height gives the whole volume.
     * Planes and heightmaps have no volume; that of a surface that is not closed is meaningless.
     * [thread: sim] [state: started]
     */
    bh_status (*volume_below)(
        const bh_host *host, uint32_t link, const double (*normal)[3], double height, bh_volume *out);
    /**
     * Applies a force (N) at a point (m), both in the world, to a link of any model during the next
     * step.
     * [thread: sim] [state: started]
     */
    bh_status (*force_at)(
        const bh_host *host, uint32_t link, const double (*force)[3], const double (*point)[3]);
};

/** `bh_surface_motion.flags`: the vehicle turns about `center`. */
#define BH_SURFACE_HAS_CENTER 1

/** How a surface runs relative to its link, like the belt of a track. */
struct bh_surface_motion {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Bits of the `BH_SURFACE_` constants. */
    uint32_t flags;
    /**
     * Axis that the surface runs about, in the link frame, a unit vector: that of the wheels of a
     * belt. At a contact whose normal n points out of the surface, it drives its link along n ×
     * axis.
     */
    double axis[3];
    /** m/s. */
    double speed;
    /**
     * The point in the world that the vehicle turns about. At each contact the surface then drives
     * perpendicularly to the way there, with `speed`, towards the side that it drives to without a
     * center.
     */
    double center[3];
};

/**
 * Extension `bridgehead.surfaces/1`: friction of collisions that changes during a run. It takes
 * effect in the next step and holds until the next call.
 */
struct bh_host_surfaces {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Sets the speed at which a surface slips for each newton of friction, m/(s N), along the first
     * and the second direction of its friction (SDF's `slip1` and `slip2`): 0 or more.
     * [thread: sim] [state: started]
     */
    bh_status (*slip)(const bh_host *host, uint32_t collision, double first, double second);
    /**
     * Lets a surface run. A reset of the state stops it.
     * [thread: sim] [state: started]
     */
    bh_status (*drive)(const bh_host *host, uint32_t collision, const bh_surface_motion *motion);
};

/* ---- kinematics -------------------------------------------------------------------------------- */

/*
 * Links that a plugin moves along a path of its own, such as the cabin of an elevator or an actor
 * that walks to a goal.
 */

/** Extension `bridgehead.kinematics/1`: links whose motion a plugin prescribes. */
struct bh_host_kinematics {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Moves a link of any model so that its frame reaches this pose of the world at the end of the
     * next step. It carries and pushes what it touches; nothing stops it. From the first call on,
     * forces no longer move the link, also if the model was static; it rests in steps without a
     * call, until the whole run is reset. An actor does not follow its script in steps in which one
     * of its links is moved. BH_STATUS_INVALID_ARG if a joint holds the link.
     * [thread: sim] [state: started]
     */
    bh_status (*move_link)(const bh_host *host, uint32_t link, const bh_pose *pose);
};

/* ---- calls ------------------------------------------------------------------------------------- */

/*
 * Calls of services by model plugins, such as by a trigger that moves something.
 */

/** Extension `bridgehead.service-calls/1`: calls of the services of the run, also those of the host. */
struct bh_host_service_calls {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Calls the service with that full name. `request_type` is the full protobuf name of the
     * request. A service of the host is called after the step, one of a plugin in its next step.
     * The caller receives no response: the host logs a failure. BH_STATUS_NOT_FOUND if there is no
     * such service, BH_STATUS_SCHEMA if it takes another request.
     * [thread: sim] [state: started]
     */
    bh_status (*call)(const bh_host *host, bh_str name, bh_str request_type, bh_bytes request);
};

/* ---- description ------------------------------------------------------------------------------- */

/*
 * What the world consists of, as one message.
 *
 * It is apart from crate::host because its readers show the world to users or describe it to peers:
 * bridges above all. The host makes it when it is read.
 */

/**
 * Extension `bridgehead.description/1`: models, links, joints, sensors and plugins of the world
 * that is loaded, each sensor and plugin with its XML and with the topics that it publishes or
 * listens to.
 */
struct bh_host_description {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Grows whenever a description would say something else than before: with each load and unload,
     * with what comes and goes, and when a plugin opens a topic. 0 as long as no world was loaded.
     * As cheap as reading a variable; ask it before every use of a description that was kept.
     * [thread: any] [state: any]
     */
    uint64_t (*revision)(const bh_host *host);
    /**
     * Gives the encoded `bridgehead.bridgehead_simulation_interfaces.v1.WorldDescription`, with the
     * revision it is of; without a world it has nothing but a revision. The caller has a reference
     * of its own, and calls `release` of the buffer once. All who read one revision share one
     * buffer. Never waits for the simulation.
     * [thread: any] [state: any]
     */
    bh_status (*read)(const bh_host *host, const bh_buffer **out);
};

/* ---- scene ------------------------------------------------------------------------------------- */

/*
 * What the world looks like, for cameras and for programs that show it.
 *
 * A scene is a description with a revision, the content of the meshes and textures that it names,
 * and the poses of its nodes. The host makes each only for those who ask.
 */

/**
 * The head of a block of poses. After it come `count` poses of seven `f64` each: position x, y, z
 * in metres and orientation x, y, z, w of a node in the world, in the order of the nodes of that
 * revision.
 */
struct bh_scene_poses {
    /** Revision of the scene. */
    uint64_t revision;
    /** Completed steps since the last reset of time. */
    uint64_t step;
    /** Simulated time in nanoseconds. */
    int64_t time_ns;
    /** Counts the resets so far. */
    uint32_t reset_epoch;
    /** Number of poses. */
    uint32_t count;
};

/** Extension `bridgehead.scene/1`: visuals, lights and materials, and the poses of what moves. */
struct bh_host_scene {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Grows when something comes or goes that is drawn; 0 as long as no world was loaded. As cheap
     * as reading a variable.
     * [thread: any] [state: any]
     */
    uint64_t (*revision)(const bh_host *host);
    /**
     * Gives the encoded `bridgehead.bridgehead_simulation_interfaces.v1.Scene`, with the revision
     * it is of. The caller has a reference of its own, and calls `release` of the buffer once. All
     * who read one revision share one buffer. The first call for a revision waits until its meshes
     * and textures are read, which can take seconds: call it on a thread of your own.
     * BH_STATUS_WRONG_THREAD in `reset`, `sample` and `control`.
     * [thread: any] [state: any]
     */
    bh_status (*read)(const bh_host *host, const bh_buffer **out);
    /**
     * Gives the content with that hash: binary glTF for meshes, PNG or JPEG for textures.
     * BH_STATUS_NOT_FOUND if the newest scene that was read has no such content. The caller has a
     * reference of its own.
     * [thread: any] [state: any]
     */
    bh_status (*asset)(const bh_host *host, bh_str hash, const bh_buffer **out);
    /**
     * Gives a block of poses: a `bh_scene_poses` and the poses. In `reset`, `sample` and `control`
     * it has the poses of this moment. On a thread of your own the function waits until the step
     * that is running has ended, at most `timeout_ns`; the block is shared by all who asked
     * meanwhile. BH_STATUS_TIMEOUT if none was made in that time, as in all other calls of the
     * host, during which no step ends. The address of the block is not aligned.
     * [thread: any] [state: any]
     */
    bh_status (*poses)(const bh_host *host, int64_t timeout_ns, const bh_buffer **out);
};

/* ---- actions ----------------------------------------------------------------------------------- */

/*
 * The actions of the run: tasks with a goal, feedback and a result, which clients can cancel.
 *
 * An action is three services and two topics, with the messages that ROS 2 gives them, so a bridge
 * transports it as it transports any other service and topic. This extension tells which of them
 * belong together.
 */

/** Extension `bridgehead.actions/1`: the actions that the host and its plugins offer. */
struct bh_host_actions {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Gives the encoded `bridgehead.bridgehead_simulation_interfaces.v1.ActionDescriptions` of this
     * moment. Whenever a bridge gets the service that accepts the goals of an action, the action is
     * in it. The caller has a reference of its own, and calls `release` of the buffer once. Never
     * waits for the simulation.
     * [thread: any] [state: any]
     */
    bh_status (*read)(const bh_host *host, const bh_buffer **out);
};

/* ---- report ------------------------------------------------------------------------------------ */

/*
 * What an instance reports of itself: figures and places that only it can know.
 */

/**
 * Extension `bridgehead.report/1`: what an instance says of itself, such as of its side of a
 * connection, for those who ask the host how its bridges and plugins are.
 */
struct bh_host_report {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Adds to the messages that the instance took and then lost, because a peer was slower than
     * what it asked for, or to those of a sensor that it could not make. What a peer never wanted
     * is no loss, nor is what a reset throws away.
     * [thread: any] [state: any]
     */
    void (*lost)(const bh_host *host, uint64_t messages);
    /**
     * Says what peers find at an address, such as a port, in the words of the bridge's protocol.
     * The same address again replaces what was said of it; an empty `purpose` takes it back. What
     * was said ends with the instance.
     * [thread: any] [state: any]
     */
    void (*endpoint)(const bh_host *host, bh_str address, bh_str purpose);
};

/* ---- stepping ---------------------------------------------------------------------------------- */

/*
 * Steps that wait for a live peer.
 */

/** After the time limit the step goes on waiting. */
#define BH_LATE_WAIT 0
/** After the time limit the step runs without the peer's command. */
#define BH_LATE_CONTINUE 1
/** After the time limit the run ends with an error. */
#define BH_LATE_END 2

/** A step that is complete. Everything that was published in it has been given to the transmit loop. */
struct bh_tick {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Number of resets so far. */
    uint32_t reset_epoch;
    /** Number of the step; 0 before the first one. */
    uint64_t step;
    /** Simulated time at its end, nanoseconds. */
    int64_t time_ns;
    /** Simulated time of a step, nanoseconds. */
    int64_t width_ns;
};

/**
 * Extension `bridgehead.stepping/1`: a bridge to a peer that computes a command for each step, or
 * for every n-th. The simulation waits for each of them. In a loop, the bridge waits for the end of
 * a step, sends the peer what was published in it, delivers the command for the next one, and
 * releases that.
 *
 * A bridge uses either this extension or `bridgehead.lockstep/1`, whose releases name no reset.
 */
struct bh_host_stepping {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * From now on no step runs that the bridge has not released. The hold ends when the connection
     * does, and begins anew, with nothing released, at each reset.
     *
     * `limit_ns` is how long a step may wait for a release, nanoseconds of wall time; 0 for no
     * limit. `late` is one of the `BH_LATE_` constants. The configuration of the bridge may change
     * both.
     * [thread: main] [state: created, disconnected]
     */
    bh_status (*hold)(const bh_host *host, uint64_t limit_ns, uint32_t late);
    /**
     * Waits until the last released step is complete, or until the run begins if none is released
     * yet, and gives it. BH_STATUS_TIMEOUT after `timeout_ns`, at most a second;
     * BH_STATUS_WRONG_STATE if nothing is held, as after the end of the connection.
     * [thread: any] [state: any]
     */
    bh_status (*wait)(const bh_host *host, uint64_t timeout_ns, bh_tick *out);
    /**
     * Releases the steps up to and including `step`, whose commands were delivered.
     * BH_STATUS_NOT_FOUND if there was a reset after `reset_epoch`: nothing is released then.
     * [thread: any] [state: any]
     */
    bh_status (*release)(const bh_host *host, uint32_t reset_epoch, uint64_t step);
};

/* ---- encodings --------------------------------------------------------------------------------- */

/*
 * Payloads as other programs read them, and single fields of them, for plugins without a protobuf
 * library.
 */

/** `bridgehead.encodings/1`: JSON text in UTF-8, with the field names of ROS. */
#define BH_ENCODING_JSON 3
/**
 * `bridgehead.encodings/1`: CDR as ROS 2 sends it, version 1, little endian, with its four bytes of
 * encapsulation.
 */
#define BH_ENCODING_CDR 4

/**
 * Extension `bridgehead.encodings/1`: conversions of payloads, and their fields, by the descriptor
 * of their type. `payload` is that of a message in `BH_ENCODING_PROTOBUF`, and `type_id` the type
 * of the message.
 *
 * A path is a chain of field names: `pose.position.x`, `markers[2].id`, `ranges.length`. A field
 * that is absent has its default, as in every protobuf reader. All functions return
 * BH_STATUS_NOT_FOUND for an unknown type, and BH_STATUS_SCHEMA if the payload is not of the type.
 */
struct bh_host_encodings {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Converts a payload to one of the `BH_ENCODING_` constants of this extension;
     * BH_STATUS_UNSUPPORTED for others. BH_STATUS_SCHEMA also if the encoding cannot represent a
     * value. The caller has a reference of its own, and calls `release` of the buffer once.
     * [thread: any] [state: any]
     */
    bh_status (*encode)(
        const bh_host *host, uint32_t type_id, uint32_t encoding, bh_bytes payload, const bh_buffer **out);
    /**
     * Makes a payload of bytes in such an encoding; BH_STATUS_SCHEMA if they are none of the type.
     * The buffer can be published and delivered. The caller has a reference of its own, and calls
     * `release` of the buffer once.
     * [thread: any] [state: any]
     */
    bh_status (*decode)(
        const bh_host *host, uint32_t type_id, uint32_t encoding, bh_bytes bytes, const bh_buffer **out);
    /**
     * Reads one number; 0 or 1 for a `bool`. BH_STATUS_INVALID_ARG if the path does not lead to
     * one, BH_STATUS_NOT_FOUND if an array is too short.
     * [thread: any] [state: any]
     */
    bh_status (*number)(const bh_host *host, uint32_t type_id, bh_bytes payload, bh_str path, double *out);
    /**
     * Writes at most `capacity` numbers of an array into `out`, and into `count` how many it has.
     * BH_STATUS_INVALID_ARG if the path does not lead to an array of numbers.
     * [thread: any] [state: any]
     */
    bh_status (*numbers)(
        const bh_host *host, uint32_t type_id, bh_bytes payload, bh_str path, double *out, size_t capacity, size_t *count);
    /**
     * Gives a text, which lies in `payload`. BH_STATUS_INVALID_ARG if the path does not lead to
     * one, BH_STATUS_NOT_FOUND if an array is too short.
     * [thread: any] [state: any]
     */
    bh_status (*text)(const bh_host *host, uint32_t type_id, bh_bytes payload, bh_str path, bh_str *out);
};

/* ---- bridges ----------------------------------------------------------------------------------- */

/*
 * The bridges of a vehicle as its sensors see them.
 */

/** One bridge of a vehicle. */
struct bh_bridge_state {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** One of the `BH_BRIDGE_STATUS_` constants of bridges, as the host has found it in this step. */
    uint32_t status;
    /** Short name of the plugin, the family of the bridge: `ros2`. Valid until the next step begins. */
    bh_str name;
    /** Name of the instance: `car1/ros2`. Valid until the next step begins. */
    bh_str label;
};

/**
 * Extension `bridgehead.bridges/1`: the bridges that carry the topics of the instance, those of its
 * vehicle. Peers decide about their status: a plugin whose messages depend on it makes runs differ.
 */
struct bh_host_bridges {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Describes bridge `index` of the vehicle, in the order of their attachment;
     * BH_STATUS_NOT_FOUND beyond the last.
     * [thread: sim] [state: started]
     */
    bh_status (*at)(const bh_host *host, uint32_t index, bh_bridge_state *out);
};

/* ---- bridge ------------------------------------------------------------------------------------ */

/*
 * Bridge plugins: a factory that registers types and creators, and one instance per vehicle or
 * world.
 */

/** Not connected, by request or not yet. */
#define BH_BRIDGE_STATUS_DISCONNECTED 0
/** The peer went away. */
#define BH_BRIDGE_STATUS_UNEXPECTEDLY_DISCONNECTED 1
/** `connect` was accepted and goes on. */
#define BH_BRIDGE_STATUS_CONNECTING 2
/** Messages flow. */
#define BH_BRIDGE_STATUS_CONNECTED 3
/** `disconnect` was accepted and goes on. */
#define BH_BRIDGE_STATUS_DISCONNECTING 4
/**
 * Flag of `bh_bridge_factory`: unless configured otherwise, the simulation waits rather than lose a
 * message in front of this bridge.
 */
#define BH_BRIDGE_LOSSLESS 1
/**
 * Data type that stands for every registered type in `bh_registrar`: for bridges driven by
 * descriptors.
 */
#define BH_ANY_TYPE "*"

/** The factory of a bridge plugin, one object per process. */
struct bh_bridge_factory {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** A sum of `BH_BRIDGE_` constants. */
    uint32_t flags;
    /**
     * Announces the types this bridge carries and how it makes publishers, subscribers and services
     * for them. Called once.
     * [thread: main] [state: any]
     */
    bh_status (*register_)(const bh_registrar *registrar);
    /**
     * Checks a connection string without connecting; explains a refusal through `host`.
     * [thread: any] [state: any]
     */
    bh_status (*validate)(const bh_host *host, bh_str connection);
    /**
     * Makes an instance and fills `out`. Calls no host function; the instance may use `host` from
     * its first call on, until it is destroyed.
     * [thread: main] [state: any]
     */
    bh_status (*create)(const bh_host *host, bh_bridge_instance *out);
};

/** How a bridge makes endpoints that carry messages out. */
struct bh_publisher_creator {
    /** Passed back as `user`. */
    void *user;
    /**
     * Makes one endpoint; `instance` is the `ctx` of the `bh_bridge_instance`.
     * [thread: main] [state: any]
     */
    bh_status (*create)(void *user, void *instance, const bh_channel *channel, bh_endpoint *out);
};

/** How a bridge makes endpoints that bring messages in. */
struct bh_subscriber_creator {
    /** Passed back as `user`. */
    void *user;
    /**
     * Makes one endpoint that calls `sink` for each message it receives; the sink stays valid until
     * the endpoint is destroyed.
     * [thread: main] [state: any]
     */
    bh_status (*create)(
        void *user, void *instance, const bh_channel *channel, const bh_sink *sink, bh_endpoint *out);
};

/** How a bridge makes endpoints that offer a service to its peers. */
struct bh_service_creator {
    /** Passed back as `user`. */
    void *user;
    /**
     * Makes one endpoint that calls `sink` for each request; the sink stays valid until the
     * endpoint is destroyed.
     * [thread: main] [state: any]
     */
    bh_status (*create)(
        void *user, void *instance, const bh_channel *channel, const bh_service_sink *sink, bh_endpoint *out);
};

/**
 * Where a factory announces what its bridge can carry. Valid during `register` only. A second
 * registration of the same kind for the same type is BH_STATUS_EXISTS.
 */
struct bh_registrar {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Belongs to the host. */
    void *ctx;
    /**
     * Names a data type (protobuf full name) on the bridge's side.
     * [thread: main] [state: any]
     */
    bh_status (*add_type)(const bh_registrar *registrar, bh_str data_type, bh_str bridge_type);
    /**
     * Registers how publishers of a data type are made; `*` for every type.
     * [thread: main] [state: any]
     */
    bh_status (*add_publisher)(
        const bh_registrar *registrar, bh_str data_type, const bh_publisher_creator *creator);
    /**
     * Registers how subscribers of a data type are made; `*` for every type.
     * [thread: main] [state: any]
     */
    bh_status (*add_subscriber)(
        const bh_registrar *registrar, bh_str data_type, const bh_subscriber_creator *creator);
    /**
     * Registers how services with these request and response types are made; `*` for every type.
     * [thread: main] [state: any]
     */
    bh_status (*add_service)(
        const bh_registrar *registrar, bh_str request, bh_str response, const bh_service_creator *creator);
};

/** One topic or service as a bridge sees it. Texts are borrowed for the call. */
struct bh_channel {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Vehicle the topic belongs to; empty for the world. */
    bh_str vehicle;
    /** Full topic or service name. */
    bh_str topic;
    /** The type's name on the bridge's side: from `add_type` or a converter, otherwise its ROS name. */
    bh_str bridge_type;
    /** The data type (of a service: the request). `type_id` and `descriptor_set` are filled. */
    bh_type_desc data_type;
    /** The response type of a service; its name is empty for topics. */
    bh_type_desc response_type;
    /** Quality of service. */
    bh_qos qos;
    /** One of the `BH_ENCODING_` constants: how payloads of this channel are encoded. */
    uint32_t encoding;
    /** 0. */
    uint32_t reserved2;
};

/** What a creator made. */
struct bh_endpoint {
    /** Comes back with every message (`bh_tx_message.endpoint`) and in `destroy`. */
    void *ctx;
    /**
     * Takes the endpoint down: the topic is withdrawn or the instance goes away.
     * [thread: main] [state: any]
     */
    void (*destroy)(void *ctx);
};

/** `bh_incoming.at_step`: the message is for the next step that latches commands. */
#define BH_NEXT_STEP UINT64_MAX
/** `bh_incoming.stamp_ns`: the host stamps the message with the simulated time. */
#define BH_STAMP_NOW INT64_MIN

/** A message that came from a peer. */
struct bh_incoming {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** The step it is meant for, or `BH_NEXT_STEP`. */
    uint64_t at_step;
    /** Its time stamp in nanoseconds, or `BH_STAMP_NOW`. */
    int64_t stamp_ns;
    /** The bytes, encoded as the channel says; the host retains them. */
    const bh_buffer *payload;
};

/** Where a subscriber endpoint delivers. */
struct bh_sink {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Belongs to the host. */
    void *ctx;
    /**
     * Hands a message to the simulation; never blocks. BH_STATUS_SCHEMA if the payload is not of
     * the type.
     * [thread: any] [state: any]
     */
    bh_status (*deliver)(const bh_sink *sink, const bh_incoming *incoming);
};

/** Where the answer of a service call goes. */
struct bh_service_reply {
    /** Passed back as `user`. */
    void *user;
    /**
     * Called exactly once: `status` BH_STATUS_OK and a response, or a failure and a null response.
     * [thread: any] [state: any]
     */
    void (*reply)(void *user, bh_status status, const bh_buffer *response);
};

/** Where a service endpoint hands in calls. */
struct bh_service_sink {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Belongs to the host. */
    void *ctx;
    /**
     * Starts a call and copies `reply`, which is called exactly once, also when the run ends first.
     * [thread: any] [state: any]
     */
    bh_status (*call)(const bh_service_sink *sink, const bh_buffer *request, const bh_service_reply *reply);
};

/** A message on its way to a peer. */
struct bh_tx_message {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** `ctx` of the publisher endpoint it goes through. */
    void *endpoint;
    /** The message; borrowed until the next `next`. */
    bh_message message;
};

/** The transmit side of an instance: a bounded queue that the simulation fills. */
struct bh_tx_context {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Belongs to the host. */
    void *ctx;
    /**
     * Takes the next message, waiting at most `timeout_ns` (negative: without limit).
     * BH_STATUS_TIMEOUT when none came, BH_STATUS_INTERRUPTED when the loop should end: the queue
     * is then empty or is not to be drained. Taking the next message confirms the one before as
     * delivered.
     * [thread: tx] [state: connecting, connected]
     */
    bh_status (*next)(const bh_tx_context *tx, int64_t timeout_ns, bh_tx_message *out);
    /**
     * Counts the message last taken as dropped instead of delivered. A text given to `explain`
     * before is the reason.
     * [thread: tx] [state: connecting, connected]
     */
    void (*reject)(const bh_tx_context *tx);
    /**
     * Messages waiting now.
     * [thread: tx] [state: any]
     */
    uint64_t (*pending)(const bh_tx_context *tx);
    /**
     * 1 once the loop should end.
     * [thread: any] [state: any]
     */
    uint8_t (*interrupted)(const bh_tx_context *tx);
};

/** The receive side of an instance. */
struct bh_rx_context {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Belongs to the host. */
    void *ctx;
    /**
     * Waits at most `timeout_ns` (negative: without limit): BH_STATUS_OK when the time is over,
     * BH_STATUS_INTERRUPTED when the loop should end.
     * [thread: rx] [state: connecting, connected]
     */
    bh_status (*wait)(const bh_rx_context *rx, int64_t timeout_ns);
    /**
     * 1 once the loop should end.
     * [thread: any] [state: any]
     */
    uint8_t (*interrupted)(const bh_rx_context *rx);
};

/** Every plugin has started; the first step follows. */
#define BH_NOTICE_STARTED 1
/** The simulation is paused. */
#define BH_NOTICE_PAUSED 2
/** The simulation goes on. */
#define BH_NOTICE_RESUMED 3
/**
 * A reset is about to run; acknowledge with BH_STATUS_OK, or BH_STATUS_PENDING and
 * `acknowledge(ticket)` before the deadline.
 */
#define BH_NOTICE_RESET 4
/** The run has stopped; `disconnect` or another start follows. */
#define BH_NOTICE_STOPPED 5
/** Reset scope: what the host does by default, the same as `BH_SCOPE_ALL`. */
#define BH_SCOPE_DEFAULT 0
/** Reset scope bit: simulated time. */
#define BH_SCOPE_TIME 1
/** Reset scope bit: states of entities. */
#define BH_SCOPE_STATE 2
/** Reset scope bit: spawned entities are removed. */
#define BH_SCOPE_SPAWNED 4
/** Reset scope: everything. */
#define BH_SCOPE_ALL 255

/** The lifecycle as it happens. */
struct bh_notice {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** One of the `BH_NOTICE_` constants. */
    uint32_t kind;
    /** Reset scope bits; 0 for other notices. */
    uint32_t scope;
    /** Reset epoch after the notice. */
    uint32_t reset_epoch;
    /** Simulated time in nanoseconds. */
    int64_t time_ns;
    /** Names a reset in `acknowledge`. */
    uint64_t ticket;
};

/** One bridge of a vehicle or of the world. Filled by `create`; its functions get `ctx` first. */
struct bh_bridge_instance {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Belongs to the plugin. */
    void *ctx;
    /**
     * Starts to connect and returns at once if that can take long; progress shows in `status`. The
     * string arrives byte for byte as the user wrote it.
     * [thread: main] [state: created, disconnected]
     */
    bh_status (*connect)(void *ctx, bh_str connection);
    /**
     * Ends the connection. Called after `tx_run` and `rx_run` have returned, or were given up after
     * their deadline.
     * [thread: main] [state: connecting, connected]
     */
    bh_status (*disconnect)(void *ctx);
    /**
     * One of the `BH_BRIDGE_STATUS_` constants. Cheap; asked every step.
     * [thread: any] [state: any]
     */
    uint32_t (*status)(void *ctx);
    /**
     * Takes messages with `tx->next` and sends them until BH_STATUS_INTERRUPTED; null for a bridge
     * that sends nothing. May block and keep time.
     * [thread: tx] [state: connecting, connected]
     */
    bh_status (*tx_run)(void *ctx, const bh_tx_context *tx);
    /**
     * Receives from the peer and delivers into sinks until interrupted; null for a bridge that
     * receives nothing.
     * [thread: rx] [state: connecting, connected]
     */
    bh_status (*rx_run)(void *ctx, const bh_rx_context *rx);
    /**
     * Wakes `tx_run` and `rx_run` from whatever they block on outside the host's own waits; null
     * where they block nowhere else.
     * [thread: any] [state: any]
     */
    void (*interrupt)(void *ctx);
    /**
     * Hears the lifecycle; null for a bridge that does not care.
     * [thread: main] [state: any]
     */
    bh_status (*notice)(void *ctx, const bh_notice *notice);
    /**
     * Looks up an extension of the instance by id; null for an unknown id.
     * [thread: any] [state: any]
     */
    const void *(*get_extension)(void *ctx, bh_str id);
    /**
     * Ends the instance after its endpoints are destroyed and its threads have ended.
     * [thread: main] [state: disconnected]
     */
    void (*destroy)(void *ctx);
};

/** A bridge plugin, as shown to plugins that bring converters for it. */
struct bh_bridge_info {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Reverse-domain id. */
    bh_str id;
    /** Short name. */
    bh_str name;
};

/** Converts payloads between a data type and a bridge's own type. */
struct bh_converter {
    /** Passed back as `user`. */
    void *user;
    /**
     * Writes at most `capacity` bytes to `out` and their number to `len`; returns
     * BH_STATUS_WOULD_BLOCK with the number it needs in `len` where `capacity` is too small. A
     * failure is explained through the host object of the library. Runs on TX and RX threads,
     * several at once.
     * [thread: tx, rx] [state: any]
     */
    bh_status (*convert)(void *user, const bh_message *message, uint8_t *out, size_t capacity, size_t *len);
};

/** Where a plugin registers converters between its own types and a bridge's. Valid during the call. */
struct bh_converter_registrar {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Belongs to the host. */
    void *ctx;
    /**
     * Messages of `data_type` reach the bridge as `bridge_type`. The converter is copied.
     * [thread: main] [state: any]
     */
    bh_status (*add_publisher)(
        const bh_converter_registrar *registrar, bh_str data_type, bh_str bridge_type, const bh_converter *converter);
    /**
     * What the bridge receives as `bridge_type` reaches subscribers as `data_type`.
     * [thread: main] [state: any]
     */
    bh_status (*add_subscriber)(
        const bh_converter_registrar *registrar, bh_str data_type, bh_str bridge_type, const bh_converter *converter);
};

/**
 * Extension `bridgehead.bridge-converters/1` of a library with types of its own. Called once for
 * each bridge plugin that the run uses, also for those opened later.
 */
struct bh_bridge_converters {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Registers what this library has for the given bridge; BH_STATUS_OK where it has nothing.
     * [thread: main] [state: any]
     */
    bh_status (*register_)(const bh_bridge_info *bridge, const bh_converter_registrar *registrar);
};

/* ---- model ------------------------------------------------------------------------------------- */

/*
 * Model plugins: sensors, actuators, controllers and world plugins.
 */

/** The factory of a model plugin, one object per process. */
struct bh_model_factory {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Registers the library's own message types through the library's host object. Called once.
     * [thread: main] [state: any]
     */
    bh_status (*register_)(const bh_host *host);
    /**
     * Makes an instance and fills `out`. Calls no host function; the instance may use `host` from
     * its first call on, until it is destroyed.
     * [thread: main] [state: any]
     */
    bh_status (*create)(const bh_host *host, bh_model_instance *out);
};

/** The step a call belongs to. */
struct bh_step_info {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** Counts resets. */
    uint32_t reset_epoch;
    /** Simulated time at the end of the physics step, nanoseconds. */
    int64_t time_ns;
    /** Width of the step, nanoseconds. */
    int64_t width_ns;
    /** Number of the step since the last reset of time, from 1: `time_ns` is `step * width_ns`. */
    uint64_t step;
};

/**
 * Extension `bridgehead.sample-times/1` of an instance: the steps in which its `sample` has
 * something to do. The host looks it up once the instance has started, and need not call `sample`
 * in other steps; it may.
 */
struct bh_sample_times {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /**
     * How many steps before each of them `sample` is wanted too: 1 if it measures a change over one
     * step.
     */
    uint32_t steps_before;
    /**
     * Something is to be done in the first step that ends at or after each multiple of this
     * simulated time, nanoseconds; 0 for every step.
     */
    int64_t period_ns;
};

/**
 * Extension `bridgehead.world-save/1` of an instance: elements of its own in a saved world. The
 * host looks it up each time a world is saved.
 */
struct bh_world_save {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /**
     * Writes XML elements as UTF-8 text, `ctx` being that of the instance. They become the content
     * of the element `BH_SAVED_ELEMENT` in the instance's own element, in place of what an earlier
     * save wrote there, and are among the parameters of the next run. Writing no bytes takes that
     * element out; not writing at all leaves the file as it is.
     * [thread: main] [state: started]
     */
    bh_status (*elements)(void *ctx, const bh_state_writer *writer);
};

/** Name of the element, inside the element of a plugin, that holds what `bh_world_save` contributed. */
#define BH_SAVED_ELEMENT "bridgehead:saved"

/** Takes the bytes of a saved state, or the text of saved elements. */
struct bh_state_writer {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Belongs to the host. */
    void *ctx;
    /**
     * Appends bytes; keeps a copy of them.
     * [thread: main] [state: any]
     */
    bh_status (*write)(const bh_state_writer *writer, bh_bytes bytes);
};

/**
 * One model plugin on a model, a sensor or the world. Filled by `create`; its functions get `ctx`
 * first. Optional functions are null if the plugin has nothing to do. Any call may return a
 * `BH_STATUS_REQUEST_` status with a reason given to `explain`.
 */
struct bh_model_instance {
    /** `sizeof` this struct. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Belongs to the plugin. */
    void *ctx;
    /**
     * Reads parameters, advertises topics and looks up links and joints.
     * [thread: main] [state: created]
     */
    bh_status (*awake)(void *ctx);
    /**
     * Gets ready to run; may return BH_STATUS_PENDING and report through `bridgehead.lifecycle/1`.
     * Null where `awake` was enough.
     * [thread: main] [state: awake, stopped]
     */
    bh_status (*start)(void *ctx);
    /**
     * Every plugin of the world has started. Null if that does not matter.
     * [thread: main] [state: started]
     */
    bh_status (*all_started)(void *ctx);
    /**
     * Back to the state after `start`, within the scope bits. Also called once before the first
     * step.
     * [thread: sim] [state: started]
     */
    bh_status (*reset)(void *ctx, uint32_t scope);
    /**
     * After physics: sensors look at the world and publish.
     * [thread: sim] [state: started]
     */
    bh_status (*sample)(void *ctx, const bh_step_info *step);
    /**
     * After all samples, with the commands of this step latched in: controllers read them and
     * command the actuators.
     * [thread: sim] [state: started]
     */
    bh_status (*control)(void *ctx, const bh_step_info *step);
    /**
     * The simulation is paused.
     * [thread: main] [state: started]
     */
    bh_status (*pause)(void *ctx);
    /**
     * The simulation goes on.
     * [thread: main] [state: started]
     */
    bh_status (*resume)(void *ctx);
    /**
     * The run ends; `start` may follow, or `destroy`.
     * [thread: main] [state: started]
     */
    bh_status (*stop)(void *ctx);
    /**
     * Writes the plugin's state for a snapshot, a version of its own first. Null if a plugin
     * remembers nothing or cannot give it away; the metadata field `state` says which (`saved`,
     * `nothing`, `unsaved`).
     * [thread: main] [state: started]
     */
    bh_status (*save)(void *ctx, const bh_state_writer *writer);
    /**
     * Restores what `save` wrote, after a `reset`; refuses bytes it does not know and is then reset
     * again. The bytes live for the call.
     * [thread: main] [state: started]
     */
    bh_status (*load)(void *ctx, bh_bytes bytes);
    /**
     * Looks up an extension of the instance by id; null for an unknown id.
     * [thread: any] [state: any]
     */
    const void *(*get_extension)(void *ctx, bh_str id);
    /**
     * Ends the instance.
     * [thread: main] [state: any]
     */
    void (*destroy)(void *ctx);
};

/* ---- texts ------------------------------------------------------------------------------------- */

/** Initialiser of a `bh_str` from a string literal: `static const bh_str id = BH_STR_INIT("x");`. */
#define BH_STR_INIT(literal) { (const uint8_t *)("" literal), sizeof(literal) - 1 }

/** A `bh_str` from a string literal, as an expression: `bh_str_lit("x")`. */
#define bh_str_lit(literal) bh_str_of("" literal, sizeof(literal) - 1)

/** A `bh_str` from `len` bytes of UTF-8 at `text`. */
static inline bh_str bh_str_of(const char *text, size_t len)
{
    bh_str str;
    str.ptr = (const uint8_t *)text;
    str.len = len;
    return str;
}

/** A `bh_str` from a NUL-terminated text; an empty one from a null pointer. */
static inline bh_str bh_str_from(const char *text)
{
    size_t len = 0;
    while (text != NULL && text[len] != '\0') {
        len++;
    }
    return bh_str_of(text, len);
}

/** `bh_bytes` from `len` bytes at `data`. */
static inline bh_bytes bh_bytes_of(const void *data, size_t len)
{
    bh_bytes bytes;
    bytes.ptr = (const uint8_t *)data;
    bytes.len = len;
    return bytes;
}

/** 1 where both texts have the same bytes, otherwise 0. */
static inline int bh_str_equal(bh_str left, bh_str right)
{
    size_t at = 0;
    while (at < left.len && at < right.len && left.ptr[at] == right.ptr[at]) {
        at++;
    }
    return left.len == right.len && at == left.len;
}

/* ---- connection strings ------------------------------------------------------------------------ */

/** A key of connection strings, and its value in one of them. */
struct bh_connection_key {
    /** Small letters, digits and `_`; NUL-terminated. Filled by the plugin. */
    const char *name;
    /** Filled by `bh_connection_read`: a part of the string, without spaces around it; `ptr` is null if the key is not given. */
    bh_str value;
};
typedef struct bh_connection_key bh_connection_key;

/** What is wrong with a part of a connection string. */
#define BH_CONNECTION_UNKNOWN_KEY 1
#define BH_CONNECTION_GIVEN_TWICE 2
#define BH_CONNECTION_NO_OPTION 3

/** The text without spaces around it. */
static inline bh_str bh_str_trim(bh_str text)
{
    while (text.len > 0 && (text.ptr[0] == ' ' || text.ptr[0] == '\t')) {
        text.ptr++;
        text.len--;
    }
    while (text.len > 0 && (text.ptr[text.len - 1] == ' ' || text.ptr[text.len - 1] == '\t')) {
        text.len--;
    }
    return text;
}

/** Splits `key=value` where `part` begins with a key; otherwise returns 0. */
static inline int bh_connection_option(bh_str part, bh_str *key, bh_str *value)
{
    size_t at = 0;
    while (at < part.len && part.ptr[at] != '=') {
        at++;
    }
    if (at == part.len) {
        return 0;
    }
    *key = bh_str_trim(bh_str_of((const char *)part.ptr, at));
    *value = bh_str_trim(bh_str_of((const char *)part.ptr + at + 1, part.len - at - 1));
    for (at = 0; at < key->len; at++) {
        const uint8_t byte = key->ptr[at];
        const int is_letter = byte >= 'a' && byte <= 'z';
        if (!is_letter && (at == 0 || (byte != '_' && (byte < '0' || byte > '9')))) {
            return 0;
        }
    }
    return key->len > 0;
}

/** The length of the part with which `text` begins: a `;` ends it if a key or nothing follows. */
static inline size_t bh_connection_part(bh_str text)
{
    size_t at = 0;
    bh_str key, value, rest;
    for (at = 0; at < text.len; at++) {
        if (text.ptr[at] == ';') {
            rest = bh_str_of((const char *)text.ptr + at, text.len - at);
            while (rest.len > 0 && (rest.ptr[0] == ';' || rest.ptr[0] == ' ' || rest.ptr[0] == '\t')) {
                rest.ptr++;
                rest.len--;
            }
            if (rest.len == 0 || bh_connection_option(rest, &key, &value)) {
                break;
            }
        }
    }
    return at;
}

/**
 * Splits a connection string `TARGET;key=value;…`, in the grammar of all bridges: the target comes first, each key is given
 * at most once, and a `;` ends a part only if `key=` or nothing follows it. The first part is the target unless it begins
 * with one of the keys; every byte of it counts. `target` is null for a bridge whose strings have options only; a target
 * that is left out has the length 0.
 *
 * Returns 0, or what is wrong with the part that `wrong` then is: a `BH_CONNECTION_` number.
 */
static inline int bh_connection_read(bh_str text, bh_str *target, bh_connection_key *keys, size_t count, bh_str *wrong)
{
    size_t at, length, number;
    bh_str key, value;
    for (at = 0; at < count; at++) {
        keys[at].value = bh_str_of(NULL, 0);
    }
    if (target != NULL) {
        *target = bh_str_of((const char *)text.ptr, 0);
    }
    for (number = 0; number == 0 || text.len > 0; number++) {
        length = bh_connection_part(text);
        *wrong = bh_str_of((const char *)text.ptr, length);
        text.ptr += length + (length < text.len);
        text.len -= length + (length < text.len);
        at = count;
        if (bh_connection_option(*wrong, &key, &value)) {
            for (at = 0; at < count && !bh_str_equal(key, bh_str_from(keys[at].name)); at++) {
            }
            if (at == count && (number > 0 || target == NULL)) {
                return BH_CONNECTION_UNKNOWN_KEY;
            }
        }
        if (at < count) {
            if (keys[at].value.ptr != NULL) {
                return BH_CONNECTION_GIVEN_TWICE;
            }
            keys[at].value = value;
        } else if (number == 0 && target != NULL) {
            *target = *wrong;
        } else if (bh_str_trim(*wrong).len > 0) {
            return BH_CONNECTION_NO_OPTION;
        }
    }
    return 0;
}

/* ---- marks ------------------------------------------------------------------------------------- */

/** Value of `struct_size` for a struct that the plugin fills. */
#define BH_SIZE(type) ((uint32_t)sizeof(type))

/** Makes a symbol visible although the library is built with -fvisibility=hidden, as it should be. */
#define BH_EXPORT __attribute__((visibility("default")))

/* Keeps a section through -O2, --gc-sections and strip; the data is constant, so the section is read-only. */
#if defined(__has_attribute)
#if __has_attribute(retain)
#define BH_IN_SECTION(name) __attribute__((used, retain, section(name)))
#endif
#endif
#ifndef BH_IN_SECTION
#define BH_IN_SECTION(name) __attribute__((used, section(name)))
#endif

/**
 * Stands behind the parameters of every function that the host calls. In C++ an exception must not
 * leave such a function: with this mark it ends the process where it was thrown instead of unwinding
 * through the host. To report it and go on, put the body into `bh_guard`, at the end of this file.
 */
#ifdef __cplusplus
#define BH_NOEXCEPT noexcept
#else
#define BH_NOEXCEPT
#endif

/* ---- layout table ------------------------------------------------------------------------------ */

#if defined(__cplusplus)
#define BH_ALIGN_OF(type) alignof(type)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define BH_ALIGN_OF(type) _Alignof(type)
#else
#define BH_ALIGN_OF(type) __alignof__(type)
#endif

#define BH_LAYOUT_STRUCT(name, type) { name, "", (uint32_t)BH_ALIGN_OF(type), (uint32_t)sizeof(type) },
#define BH_LAYOUT_FIELD(name, rust_type, type, field) \
    { name, rust_type, (uint32_t)offsetof(type, field), (uint32_t)sizeof(((type *)0)->field) },

/** A row is read from the file as 256 bytes. */
typedef char bh_layout_row_has_256_bytes[sizeof(bh_layout_row) == 256 ? 1 : -1];

/**
 * Places the layout table of this compiler in section `.bridgehead.layout`. Use it once, in one source
 * file of the library, without a semicolon; `BH_EXPORT_PLUGIN` contains it. The host compares the table
 * with its own and names each field that differs.
 */
#define BH_LAYOUT_TABLE() \
    BH_IN_SECTION(BH_LAYOUT_SECTION) static const bh_layout_row bh_layout_table[] = { BH_LAYOUT_ROWS };

/* Names and types are those of the Rust side, the types without white space. */
#define BH_LAYOUT_ROWS \
    BH_LAYOUT_STRUCT("Str.", bh_str) \
    BH_LAYOUT_FIELD("Str.ptr", "*constu8", bh_str, ptr) \
    BH_LAYOUT_FIELD("Str.len", "usize", bh_str, len) \
    BH_LAYOUT_STRUCT("Bytes.", bh_bytes) \
    BH_LAYOUT_FIELD("Bytes.ptr", "*constu8", bh_bytes, ptr) \
    BH_LAYOUT_FIELD("Bytes.len", "usize", bh_bytes, len) \
    BH_LAYOUT_STRUCT("Pose.", bh_pose) \
    BH_LAYOUT_FIELD("Pose.position", "[f64;3]", bh_pose, position) \
    BH_LAYOUT_FIELD("Pose.orientation", "[f64;4]", bh_pose, orientation) \
    BH_LAYOUT_STRUCT("Buffer.", bh_buffer) \
    BH_LAYOUT_FIELD("Buffer.struct_size", "u32", bh_buffer, struct_size) \
    BH_LAYOUT_FIELD("Buffer.reserved", "u32", bh_buffer, reserved) \
    BH_LAYOUT_FIELD("Buffer.data", "*constu8", bh_buffer, data) \
    BH_LAYOUT_FIELD("Buffer.len", "usize", bh_buffer, len) \
    BH_LAYOUT_FIELD("Buffer.ctx", "*mutc_void", bh_buffer, ctx) \
    BH_LAYOUT_FIELD("Buffer.retain", "unsafeextern\"C\"fn(*constBuffer)", bh_buffer, retain) \
    BH_LAYOUT_FIELD("Buffer.release", "unsafeextern\"C\"fn(*constBuffer)", bh_buffer, release) \
    BH_LAYOUT_STRUCT("Message.", bh_message) \
    BH_LAYOUT_FIELD("Message.struct_size", "u32", bh_message, struct_size) \
    BH_LAYOUT_FIELD("Message.type_id", "u32", bh_message, type_id) \
    BH_LAYOUT_FIELD("Message.encoding", "u32", bh_message, encoding) \
    BH_LAYOUT_FIELD("Message.reset_epoch", "u32", bh_message, reset_epoch) \
    BH_LAYOUT_FIELD("Message.stamp_ns", "i64", bh_message, stamp_ns) \
    BH_LAYOUT_FIELD("Message.sequence", "u64", bh_message, sequence) \
    BH_LAYOUT_FIELD("Message.step", "u64", bh_message, step) \
    BH_LAYOUT_FIELD("Message.vehicle", "Str", bh_message, vehicle) \
    BH_LAYOUT_FIELD("Message.topic", "Str", bh_message, topic) \
    BH_LAYOUT_FIELD("Message.payload", "*constBuffer", bh_message, payload) \
    BH_LAYOUT_FIELD("Message.reserved", "[u64;2]", bh_message, reserved) \
    BH_LAYOUT_STRUCT("Qos.", bh_qos) \
    BH_LAYOUT_FIELD("Qos.struct_size", "u32", bh_qos, struct_size) \
    BH_LAYOUT_FIELD("Qos.reliability", "u32", bh_qos, reliability) \
    BH_LAYOUT_FIELD("Qos.durability", "u32", bh_qos, durability) \
    BH_LAYOUT_FIELD("Qos.depth", "u32", bh_qos, depth) \
    BH_LAYOUT_FIELD("Qos.reserved", "[u64;2]", bh_qos, reserved) \
    BH_LAYOUT_STRUCT("TypeDesc.", bh_type_desc) \
    BH_LAYOUT_FIELD("TypeDesc.struct_size", "u32", bh_type_desc, struct_size) \
    BH_LAYOUT_FIELD("TypeDesc.type_id", "u32", bh_type_desc, type_id) \
    BH_LAYOUT_FIELD("TypeDesc.name", "Str", bh_type_desc, name) \
    BH_LAYOUT_FIELD("TypeDesc.descriptor_set", "Bytes", bh_type_desc, descriptor_set) \
    BH_LAYOUT_FIELD("TypeDesc.reserved", "[u64;2]", bh_type_desc, reserved) \
    BH_LAYOUT_STRUCT("Entry.", bh_entry) \
    BH_LAYOUT_FIELD("Entry.magic", "[u8;8]", bh_entry, magic) \
    BH_LAYOUT_FIELD("Entry.struct_size", "u32", bh_entry, struct_size) \
    BH_LAYOUT_FIELD("Entry.abi_major", "u32", bh_entry, abi_major) \
    BH_LAYOUT_FIELD("Entry.abi_minor", "u32", bh_entry, abi_minor) \
    BH_LAYOUT_FIELD("Entry.reserved", "u32", bh_entry, reserved) \
    BH_LAYOUT_FIELD("Entry.init", "unsafeextern\"C\"fn(host:*constHost)->Status", bh_entry, init) \
    BH_LAYOUT_FIELD("Entry.deinit", "unsafeextern\"C\"fn()", bh_entry, deinit) \
    BH_LAYOUT_FIELD("Entry.get_factory", "unsafeextern\"C\"fn(id:Str)->*constc_void", bh_entry, get_factory) \
    BH_LAYOUT_STRUCT("Descriptor.", bh_descriptor) \
    BH_LAYOUT_FIELD("Descriptor.struct_size", "u32", bh_descriptor, struct_size) \
    BH_LAYOUT_FIELD("Descriptor.kind", "u32", bh_descriptor, kind) \
    BH_LAYOUT_FIELD("Descriptor.id", "Str", bh_descriptor, id) \
    BH_LAYOUT_FIELD("Descriptor.name", "Str", bh_descriptor, name) \
    BH_LAYOUT_FIELD("Descriptor.version", "Str", bh_descriptor, version) \
    BH_LAYOUT_FIELD("Descriptor.vendor", "Str", bh_descriptor, vendor) \
    BH_LAYOUT_FIELD("Descriptor.license", "Str", bh_descriptor, license) \
    BH_LAYOUT_STRUCT("PluginFactory.", bh_plugin_factory) \
    BH_LAYOUT_FIELD("PluginFactory.struct_size", "u32", bh_plugin_factory, struct_size) \
    BH_LAYOUT_FIELD("PluginFactory.count", "u32", bh_plugin_factory, count) \
    BH_LAYOUT_FIELD("PluginFactory.descriptor", "unsafeextern\"C\"fn(index:u32)->*constDescriptor", bh_plugin_factory, descriptor) \
    BH_LAYOUT_FIELD("PluginFactory.factory", "unsafeextern\"C\"fn(index:u32)->*constc_void", bh_plugin_factory, factory) \
    BH_LAYOUT_STRUCT("Host.", bh_host) \
    BH_LAYOUT_FIELD("Host.struct_size", "u32", bh_host, struct_size) \
    BH_LAYOUT_FIELD("Host.reserved", "u32", bh_host, reserved) \
    BH_LAYOUT_FIELD("Host.ctx", "*mutc_void", bh_host, ctx) \
    BH_LAYOUT_FIELD("Host.get_extension", "unsafeextern\"C\"fn(host:*constHost,id:Str)->*constc_void", bh_host, get_extension) \
    BH_LAYOUT_FIELD("Host.explain", "unsafeextern\"C\"fn(host:*constHost,text:Str)", bh_host, explain) \
    BH_LAYOUT_STRUCT("LogRecord.", bh_log_record) \
    BH_LAYOUT_FIELD("LogRecord.struct_size", "u32", bh_log_record, struct_size) \
    BH_LAYOUT_FIELD("LogRecord.level", "u32", bh_log_record, level) \
    BH_LAYOUT_FIELD("LogRecord.target", "Str", bh_log_record, target) \
    BH_LAYOUT_FIELD("LogRecord.text", "Str", bh_log_record, text) \
    BH_LAYOUT_FIELD("LogRecord.file", "Str", bh_log_record, file) \
    BH_LAYOUT_FIELD("LogRecord.line", "u32", bh_log_record, line) \
    BH_LAYOUT_FIELD("LogRecord.reserved", "u32", bh_log_record, reserved) \
    BH_LAYOUT_STRUCT("HostLog.", bh_host_log) \
    BH_LAYOUT_FIELD("HostLog.struct_size", "u32", bh_host_log, struct_size) \
    BH_LAYOUT_FIELD("HostLog.reserved", "u32", bh_host_log, reserved) \
    BH_LAYOUT_FIELD("HostLog.enabled", "unsafeextern\"C\"fn(host:*constHost,level:u32)->u8", bh_host_log, enabled) \
    BH_LAYOUT_FIELD("HostLog.write", "unsafeextern\"C\"fn(host:*constHost,record:*constLogRecord)", bh_host_log, write) \
    BH_LAYOUT_STRUCT("ClockReading.", bh_clock_reading) \
    BH_LAYOUT_FIELD("ClockReading.struct_size", "u32", bh_clock_reading, struct_size) \
    BH_LAYOUT_FIELD("ClockReading.reset_epoch", "u32", bh_clock_reading, reset_epoch) \
    BH_LAYOUT_FIELD("ClockReading.time_ns", "i64", bh_clock_reading, time_ns) \
    BH_LAYOUT_FIELD("ClockReading.step_width_ns", "i64", bh_clock_reading, step_width_ns) \
    BH_LAYOUT_FIELD("ClockReading.step", "u64", bh_clock_reading, step) \
    BH_LAYOUT_FIELD("ClockReading.real_time_factor", "f64", bh_clock_reading, real_time_factor) \
    BH_LAYOUT_FIELD("ClockReading.paused", "u32", bh_clock_reading, paused) \
    BH_LAYOUT_FIELD("ClockReading.reserved", "u32", bh_clock_reading, reserved) \
    BH_LAYOUT_STRUCT("HostClock.", bh_host_clock) \
    BH_LAYOUT_FIELD("HostClock.struct_size", "u32", bh_host_clock, struct_size) \
    BH_LAYOUT_FIELD("HostClock.reserved", "u32", bh_host_clock, reserved) \
    BH_LAYOUT_FIELD("HostClock.read", "unsafeextern\"C\"fn(host:*constHost,out:*mutClockReading)", bh_host_clock, read) \
    BH_LAYOUT_FIELD("HostClock.monotonic_ns", "unsafeextern\"C\"fn(host:*constHost)->i64", bh_host_clock, monotonic_ns) \
    BH_LAYOUT_STRUCT("HostParams.", bh_host_params) \
    BH_LAYOUT_FIELD("HostParams.struct_size", "u32", bh_host_params, struct_size) \
    BH_LAYOUT_FIELD("HostParams.reserved", "u32", bh_host_params, reserved) \
    BH_LAYOUT_FIELD("HostParams.get", "unsafeextern\"C\"fn(host:*constHost,path:Str,out:*mutStr)->Status", bh_host_params, get) \
    BH_LAYOUT_FIELD("HostParams.count", "unsafeextern\"C\"fn(host:*constHost,path:Str)->u64", bh_host_params, count) \
    BH_LAYOUT_FIELD("HostParams.location", "unsafeextern\"C\"fn(host:*constHost,path:Str)->Str", bh_host_params, location) \
    BH_LAYOUT_STRUCT("HostTypes.", bh_host_types) \
    BH_LAYOUT_FIELD("HostTypes.struct_size", "u32", bh_host_types, struct_size) \
    BH_LAYOUT_FIELD("HostTypes.reserved", "u32", bh_host_types, reserved) \
    BH_LAYOUT_FIELD("HostTypes.register", "unsafeextern\"C\"fn(host:*constHost,desc:*constTypeDesc,out:*mutu32)->Status", bh_host_types, register_) \
    BH_LAYOUT_FIELD("HostTypes.find", "unsafeextern\"C\"fn(host:*constHost,name:Str,out:*mutTypeDesc)->Status", bh_host_types, find) \
    BH_LAYOUT_FIELD("HostTypes.describe", "unsafeextern\"C\"fn(host:*constHost,type_id:u32,out:*mutTypeDesc)->Status", bh_host_types, describe) \
    BH_LAYOUT_STRUCT("Loan.", bh_loan) \
    BH_LAYOUT_FIELD("Loan.struct_size", "u32", bh_loan, struct_size) \
    BH_LAYOUT_FIELD("Loan.reserved", "u32", bh_loan, reserved) \
    BH_LAYOUT_FIELD("Loan.data", "*mutu8", bh_loan, data) \
    BH_LAYOUT_FIELD("Loan.capacity", "usize", bh_loan, capacity) \
    BH_LAYOUT_FIELD("Loan.ctx", "*mutc_void", bh_loan, ctx) \
    BH_LAYOUT_STRUCT("HostBus.", bh_host_bus) \
    BH_LAYOUT_FIELD("HostBus.struct_size", "u32", bh_host_bus, struct_size) \
    BH_LAYOUT_FIELD("HostBus.reserved", "u32", bh_host_bus, reserved) \
    BH_LAYOUT_FIELD("HostBus.advertise", "unsafeextern\"C\"fn(host:*constHost,topic:Str,type_name:Str,qos:*constQos,out:*mut*mutc_void)->Status", bh_host_bus, advertise) \
    BH_LAYOUT_FIELD("HostBus.listeners", "unsafeextern\"C\"fn(publisher:*mutc_void)->u32", bh_host_bus, listeners) \
    BH_LAYOUT_FIELD("HostBus.publish", "unsafeextern\"C\"fn(publisher:*mutc_void,stamp_ns:i64,payload:*constBuffer)->Status", bh_host_bus, publish) \
    BH_LAYOUT_FIELD("HostBus.loan", "unsafeextern\"C\"fn(publisher:*mutc_void,capacity:usize,out:*mutLoan)->Status", bh_host_bus, loan) \
    BH_LAYOUT_FIELD("HostBus.commit", "unsafeextern\"C\"fn(publisher:*mutc_void,stamp_ns:i64,loan:*mutLoan,len:usize)->Status", bh_host_bus, commit) \
    BH_LAYOUT_FIELD("HostBus.abandon", "unsafeextern\"C\"fn(publisher:*mutc_void,loan:*mutLoan)", bh_host_bus, abandon) \
    BH_LAYOUT_FIELD("HostBus.subscribe", "unsafeextern\"C\"fn(host:*constHost,topic:Str,type_name:Str,qos:*constQos,out:*mut*mutc_void)->Status", bh_host_bus, subscribe) \
    BH_LAYOUT_FIELD("HostBus.take", "unsafeextern\"C\"fn(subscription:*mutc_void,out:*mutMessage)->Status", bh_host_bus, take) \
    BH_LAYOUT_STRUCT("ServiceRequest.", bh_service_request) \
    BH_LAYOUT_FIELD("ServiceRequest.struct_size", "u32", bh_service_request, struct_size) \
    BH_LAYOUT_FIELD("ServiceRequest.reserved", "u32", bh_service_request, reserved) \
    BH_LAYOUT_FIELD("ServiceRequest.id", "u64", bh_service_request, id) \
    BH_LAYOUT_FIELD("ServiceRequest.payload", "*constBuffer", bh_service_request, payload) \
    BH_LAYOUT_STRUCT("HostServices.", bh_host_services) \
    BH_LAYOUT_FIELD("HostServices.struct_size", "u32", bh_host_services, struct_size) \
    BH_LAYOUT_FIELD("HostServices.reserved", "u32", bh_host_services, reserved) \
    BH_LAYOUT_FIELD("HostServices.advertise", "unsafeextern\"C\"fn(host:*constHost,name:Str,request:Str,response:Str,out:*mut*mutc_void)->Status", bh_host_services, advertise) \
    BH_LAYOUT_FIELD("HostServices.take", "unsafeextern\"C\"fn(service:*mutc_void,out:*mutServiceRequest)->Status", bh_host_services, take) \
    BH_LAYOUT_FIELD("HostServices.reply", "unsafeextern\"C\"fn(service:*mutc_void,id:u64,status:Status,payload:Bytes)->Status", bh_host_services, reply) \
    BH_LAYOUT_STRUCT("Attachment.", bh_attachment) \
    BH_LAYOUT_FIELD("Attachment.struct_size", "u32", bh_attachment, struct_size) \
    BH_LAYOUT_FIELD("Attachment.parent_link", "u32", bh_attachment, parent_link) \
    BH_LAYOUT_FIELD("Attachment.vehicle", "Str", bh_attachment, vehicle) \
    BH_LAYOUT_FIELD("Attachment.model", "Str", bh_attachment, model) \
    BH_LAYOUT_FIELD("Attachment.element", "Str", bh_attachment, element) \
    BH_LAYOUT_FIELD("Attachment.path", "Str", bh_attachment, path) \
    BH_LAYOUT_FIELD("Attachment.frame_id", "Str", bh_attachment, frame_id) \
    BH_LAYOUT_FIELD("Attachment.topic", "Str", bh_attachment, topic) \
    BH_LAYOUT_FIELD("Attachment.xml", "Str", bh_attachment, xml) \
    BH_LAYOUT_FIELD("Attachment.pose", "Pose", bh_attachment, pose) \
    BH_LAYOUT_FIELD("Attachment.update_period_ns", "i64", bh_attachment, update_period_ns) \
    BH_LAYOUT_FIELD("Attachment.seed", "u64", bh_attachment, seed) \
    BH_LAYOUT_STRUCT("LinkInfo.", bh_link_info) \
    BH_LAYOUT_FIELD("LinkInfo.struct_size", "u32", bh_link_info, struct_size) \
    BH_LAYOUT_FIELD("LinkInfo.link", "u32", bh_link_info, link) \
    BH_LAYOUT_FIELD("LinkInfo.name", "Str", bh_link_info, name) \
    BH_LAYOUT_FIELD("LinkInfo.frame_id", "Str", bh_link_info, frame_id) \
    BH_LAYOUT_FIELD("LinkInfo.pose", "Pose", bh_link_info, pose) \
    BH_LAYOUT_FIELD("LinkInfo.mass", "f64", bh_link_info, mass) \
    BH_LAYOUT_STRUCT("JointInfo.", bh_joint_info) \
    BH_LAYOUT_FIELD("JointInfo.struct_size", "u32", bh_joint_info, struct_size) \
    BH_LAYOUT_FIELD("JointInfo.joint", "u32", bh_joint_info, joint) \
    BH_LAYOUT_FIELD("JointInfo.kind", "u32", bh_joint_info, kind) \
    BH_LAYOUT_FIELD("JointInfo.reserved", "u32", bh_joint_info, reserved) \
    BH_LAYOUT_FIELD("JointInfo.name", "Str", bh_joint_info, name) \
    BH_LAYOUT_FIELD("JointInfo.lower", "f64", bh_joint_info, lower) \
    BH_LAYOUT_FIELD("JointInfo.upper", "f64", bh_joint_info, upper) \
    BH_LAYOUT_FIELD("JointInfo.effort", "f64", bh_joint_info, effort) \
    BH_LAYOUT_FIELD("JointInfo.velocity", "f64", bh_joint_info, velocity) \
    BH_LAYOUT_STRUCT("HostModel.", bh_host_model) \
    BH_LAYOUT_FIELD("HostModel.struct_size", "u32", bh_host_model, struct_size) \
    BH_LAYOUT_FIELD("HostModel.reserved", "u32", bh_host_model, reserved) \
    BH_LAYOUT_FIELD("HostModel.attachment", "unsafeextern\"C\"fn(host:*constHost,out:*mutAttachment)->Status", bh_host_model, attachment) \
    BH_LAYOUT_FIELD("HostModel.link", "unsafeextern\"C\"fn(host:*constHost,index:u32,out:*mutLinkInfo)->Status", bh_host_model, link) \
    BH_LAYOUT_FIELD("HostModel.joint", "unsafeextern\"C\"fn(host:*constHost,index:u32,out:*mutJointInfo)->Status", bh_host_model, joint) \
    BH_LAYOUT_STRUCT("LinkState.", bh_link_state) \
    BH_LAYOUT_FIELD("LinkState.struct_size", "u32", bh_link_state, struct_size) \
    BH_LAYOUT_FIELD("LinkState.reserved", "u32", bh_link_state, reserved) \
    BH_LAYOUT_FIELD("LinkState.pose", "Pose", bh_link_state, pose) \
    BH_LAYOUT_FIELD("LinkState.linear", "[f64;3]", bh_link_state, linear) \
    BH_LAYOUT_FIELD("LinkState.angular", "[f64;3]", bh_link_state, angular) \
    BH_LAYOUT_STRUCT("JointState.", bh_joint_state) \
    BH_LAYOUT_FIELD("JointState.struct_size", "u32", bh_joint_state, struct_size) \
    BH_LAYOUT_FIELD("JointState.reserved", "u32", bh_joint_state, reserved) \
    BH_LAYOUT_FIELD("JointState.position", "f64", bh_joint_state, position) \
    BH_LAYOUT_FIELD("JointState.velocity", "f64", bh_joint_state, velocity) \
    BH_LAYOUT_FIELD("JointState.effort", "f64", bh_joint_state, effort) \
    BH_LAYOUT_STRUCT("RayBatch.", bh_ray_batch) \
    BH_LAYOUT_FIELD("RayBatch.struct_size", "u32", bh_ray_batch, struct_size) \
    BH_LAYOUT_FIELD("RayBatch.ignore_link", "u32", bh_ray_batch, ignore_link) \
    BH_LAYOUT_FIELD("RayBatch.frame", "Pose", bh_ray_batch, frame) \
    BH_LAYOUT_FIELD("RayBatch.directions", "*const[f64;3]", bh_ray_batch, directions) \
    BH_LAYOUT_FIELD("RayBatch.origins", "*const[f64;3]", bh_ray_batch, origins) \
    BH_LAYOUT_FIELD("RayBatch.count", "usize", bh_ray_batch, count) \
    BH_LAYOUT_FIELD("RayBatch.range_min", "f64", bh_ray_batch, range_min) \
    BH_LAYOUT_FIELD("RayBatch.range_max", "f64", bh_ray_batch, range_max) \
    BH_LAYOUT_STRUCT("RayHit.", bh_ray_hit) \
    BH_LAYOUT_FIELD("RayHit.distance", "f64", bh_ray_hit, distance) \
    BH_LAYOUT_FIELD("RayHit.normal", "[f64;3]", bh_ray_hit, normal) \
    BH_LAYOUT_FIELD("RayHit.entity", "u64", bh_ray_hit, entity) \
    BH_LAYOUT_STRUCT("HostWorld.", bh_host_world) \
    BH_LAYOUT_FIELD("HostWorld.struct_size", "u32", bh_host_world, struct_size) \
    BH_LAYOUT_FIELD("HostWorld.reserved", "u32", bh_host_world, reserved) \
    BH_LAYOUT_FIELD("HostWorld.link_state", "unsafeextern\"C\"fn(host:*constHost,link:u32,out:*mutLinkState)->Status", bh_host_world, link_state) \
    BH_LAYOUT_FIELD("HostWorld.joint_state", "unsafeextern\"C\"fn(host:*constHost,joint:u32,out:*mutJointState)->Status", bh_host_world, joint_state) \
    BH_LAYOUT_FIELD("HostWorld.cast_rays", "unsafeextern\"C\"fn(host:*constHost,batch:*constRayBatch,hits:*mutRayHit)->Status", bh_host_world, cast_rays) \
    BH_LAYOUT_FIELD("HostWorld.gravity", "unsafeextern\"C\"fn(host:*constHost,out:*mut[f64;3])->Status", bh_host_world, gravity) \
    BH_LAYOUT_STRUCT("HostCommand.", bh_host_command) \
    BH_LAYOUT_FIELD("HostCommand.struct_size", "u32", bh_host_command, struct_size) \
    BH_LAYOUT_FIELD("HostCommand.reserved", "u32", bh_host_command, reserved) \
    BH_LAYOUT_FIELD("HostCommand.joint_velocity", "unsafeextern\"C\"fn(host:*constHost,joint:u32,velocity:f64,max_effort:f64)->Status", bh_host_command, joint_velocity) \
    BH_LAYOUT_FIELD("HostCommand.joint_position", "unsafeextern\"C\"fn(host:*constHost,joint:u32,position:f64,stiffness:f64,damping:f64,max_effort:f64)->Status", bh_host_command, joint_position) \
    BH_LAYOUT_FIELD("HostCommand.joint_effort", "unsafeextern\"C\"fn(host:*constHost,joint:u32,effort:f64)->Status", bh_host_command, joint_effort) \
    BH_LAYOUT_FIELD("HostCommand.link_wrench", "unsafeextern\"C\"fn(host:*constHost,link:u32,force:*const[f64;3],torque:*const[f64;3])->Status", bh_host_command, link_wrench) \
    BH_LAYOUT_FIELD("HostCommand.model_velocity", "unsafeextern\"C\"fn(host:*constHost,link:u32,linear:*const[f64;3],angular:*const[f64;3])->Status", bh_host_command, model_velocity) \
    BH_LAYOUT_FIELD("HostCommand.model_pose", "unsafeextern\"C\"fn(host:*constHost,pose:*constPose)->Status", bh_host_command, model_pose) \
    BH_LAYOUT_STRUCT("HostLifecycle.", bh_host_lifecycle) \
    BH_LAYOUT_FIELD("HostLifecycle.struct_size", "u32", bh_host_lifecycle, struct_size) \
    BH_LAYOUT_FIELD("HostLifecycle.reserved", "u32", bh_host_lifecycle, reserved) \
    BH_LAYOUT_FIELD("HostLifecycle.started", "unsafeextern\"C\"fn(host:*constHost,status:Status,text:Str)->Status", bh_host_lifecycle, started) \
    BH_LAYOUT_FIELD("HostLifecycle.request", "unsafeextern\"C\"fn(host:*constHost,request:Status,reason:Str)->Status", bh_host_lifecycle, request) \
    BH_LAYOUT_FIELD("HostLifecycle.acknowledge", "unsafeextern\"C\"fn(host:*constHost,ticket:u64)->Status", bh_host_lifecycle, acknowledge) \
    BH_LAYOUT_FIELD("HostLifecycle.report_error", "unsafeextern\"C\"fn(host:*constHost,code:Str,text:Str)", bh_host_lifecycle, report_error) \
    BH_LAYOUT_STRUCT("HostLockstep.", bh_host_lockstep) \
    BH_LAYOUT_FIELD("HostLockstep.struct_size", "u32", bh_host_lockstep, struct_size) \
    BH_LAYOUT_FIELD("HostLockstep.reserved", "u32", bh_host_lockstep, reserved) \
    BH_LAYOUT_FIELD("HostLockstep.hold", "unsafeextern\"C\"fn(host:*constHost)->Status", bh_host_lockstep, hold) \
    BH_LAYOUT_FIELD("HostLockstep.release_through", "unsafeextern\"C\"fn(host:*constHost,step:u64)->Status", bh_host_lockstep, release_through) \
    BH_LAYOUT_STRUCT("ThreadBody.", bh_thread_body) \
    BH_LAYOUT_FIELD("ThreadBody.arg", "*mutc_void", bh_thread_body, arg) \
    BH_LAYOUT_FIELD("ThreadBody.run", "unsafeextern\"C\"fn(arg:*mutc_void)", bh_thread_body, run) \
    BH_LAYOUT_STRUCT("HostThreads.", bh_host_threads) \
    BH_LAYOUT_FIELD("HostThreads.struct_size", "u32", bh_host_threads, struct_size) \
    BH_LAYOUT_FIELD("HostThreads.reserved", "u32", bh_host_threads, reserved) \
    BH_LAYOUT_FIELD("HostThreads.spawn", "unsafeextern\"C\"fn(host:*constHost,name:Str,body:*constThreadBody)->Status", bh_host_threads, spawn) \
    BH_LAYOUT_FIELD("HostThreads.should_stop", "unsafeextern\"C\"fn(host:*constHost)->u8", bh_host_threads, should_stop) \
    BH_LAYOUT_STRUCT("Environment.", bh_environment) \
    BH_LAYOUT_FIELD("Environment.struct_size", "u32", bh_environment, struct_size) \
    BH_LAYOUT_FIELD("Environment.flags", "u32", bh_environment, flags) \
    BH_LAYOUT_FIELD("Environment.latitude", "f64", bh_environment, latitude) \
    BH_LAYOUT_FIELD("Environment.longitude", "f64", bh_environment, longitude) \
    BH_LAYOUT_FIELD("Environment.elevation", "f64", bh_environment, elevation) \
    BH_LAYOUT_FIELD("Environment.heading", "f64", bh_environment, heading) \
    BH_LAYOUT_FIELD("Environment.magnetic_field", "[f64;3]", bh_environment, magnetic_field) \
    BH_LAYOUT_FIELD("Environment.wind", "[f64;3]", bh_environment, wind) \
    BH_LAYOUT_FIELD("Environment.gravity", "[f64;3]", bh_environment, gravity) \
    BH_LAYOUT_FIELD("Environment.temperature", "f64", bh_environment, temperature) \
    BH_LAYOUT_FIELD("Environment.temperature_gradient", "f64", bh_environment, temperature_gradient) \
    BH_LAYOUT_FIELD("Environment.pressure", "f64", bh_environment, pressure) \
    BH_LAYOUT_STRUCT("HostEnvironment.", bh_host_environment) \
    BH_LAYOUT_FIELD("HostEnvironment.struct_size", "u32", bh_host_environment, struct_size) \
    BH_LAYOUT_FIELD("HostEnvironment.reserved", "u32", bh_host_environment, reserved) \
    BH_LAYOUT_FIELD("HostEnvironment.read", "unsafeextern\"C\"fn(host:*constHost,out:*mutEnvironment)->Status", bh_host_environment, read) \
    BH_LAYOUT_STRUCT("Entity.", bh_entity) \
    BH_LAYOUT_FIELD("Entity.struct_size", "u32", bh_entity, struct_size) \
    BH_LAYOUT_FIELD("Entity.flags", "u32", bh_entity, flags) \
    BH_LAYOUT_FIELD("Entity.id", "u64", bh_entity, id) \
    BH_LAYOUT_FIELD("Entity.name", "Str", bh_entity, name) \
    BH_LAYOUT_FIELD("Entity.pose", "Pose", bh_entity, pose) \
    BH_LAYOUT_FIELD("Entity.linear", "[f64;3]", bh_entity, linear) \
    BH_LAYOUT_FIELD("Entity.angular", "[f64;3]", bh_entity, angular) \
    BH_LAYOUT_FIELD("Entity.box_min", "[f64;3]", bh_entity, box_min) \
    BH_LAYOUT_FIELD("Entity.box_max", "[f64;3]", bh_entity, box_max) \
    BH_LAYOUT_STRUCT("HostEntities.", bh_host_entities) \
    BH_LAYOUT_FIELD("HostEntities.struct_size", "u32", bh_host_entities, struct_size) \
    BH_LAYOUT_FIELD("HostEntities.reserved", "u32", bh_host_entities, reserved) \
    BH_LAYOUT_FIELD("HostEntities.at", "unsafeextern\"C\"fn(host:*constHost,index:u32,out:*mutEntity)->Status", bh_host_entities, at) \
    BH_LAYOUT_FIELD("HostEntities.find", "unsafeextern\"C\"fn(host:*constHost,name:Str,out:*mutEntity)->Status", bh_host_entities, find) \
    BH_LAYOUT_FIELD("HostEntities.find_link", "unsafeextern\"C\"fn(host:*constHost,name:Str,out:*mutu32)->Status", bh_host_entities, find_link) \
    BH_LAYOUT_STRUCT("CollisionInfo.", bh_collision_info) \
    BH_LAYOUT_FIELD("CollisionInfo.struct_size", "u32", bh_collision_info, struct_size) \
    BH_LAYOUT_FIELD("CollisionInfo.collision", "u32", bh_collision_info, collision) \
    BH_LAYOUT_FIELD("CollisionInfo.link", "u32", bh_collision_info, link) \
    BH_LAYOUT_FIELD("CollisionInfo.reserved", "u32", bh_collision_info, reserved) \
    BH_LAYOUT_FIELD("CollisionInfo.name", "Str", bh_collision_info, name) \
    BH_LAYOUT_FIELD("CollisionInfo.scoped_name", "Str", bh_collision_info, scoped_name) \
    BH_LAYOUT_STRUCT("Contact.", bh_contact) \
    BH_LAYOUT_FIELD("Contact.other", "u32", bh_contact, other) \
    BH_LAYOUT_FIELD("Contact.reserved", "u32", bh_contact, reserved) \
    BH_LAYOUT_FIELD("Contact.position", "[f64;3]", bh_contact, position) \
    BH_LAYOUT_FIELD("Contact.normal", "[f64;3]", bh_contact, normal) \
    BH_LAYOUT_FIELD("Contact.depth", "f64", bh_contact, depth) \
    BH_LAYOUT_FIELD("Contact.force", "[f64;3]", bh_contact, force) \
    BH_LAYOUT_STRUCT("HostContacts.", bh_host_contacts) \
    BH_LAYOUT_FIELD("HostContacts.struct_size", "u32", bh_host_contacts, struct_size) \
    BH_LAYOUT_FIELD("HostContacts.reserved", "u32", bh_host_contacts, reserved) \
    BH_LAYOUT_FIELD("HostContacts.collision", "unsafeextern\"C\"fn(host:*constHost,index:u32,out:*mutCollisionInfo)->Status", bh_host_contacts, collision) \
    BH_LAYOUT_FIELD("HostContacts.contacts", "unsafeextern\"C\"fn(host:*constHost,collision:u32,out:*mutContact,capacity:u32,count:*mutu32)->Status", bh_host_contacts, contacts) \
    BH_LAYOUT_FIELD("HostContacts.name", "unsafeextern\"C\"fn(host:*constHost,collision:u32,out:*mutStr)->Status", bh_host_contacts, name) \
    BH_LAYOUT_STRUCT("JointFrame.", bh_joint_frame) \
    BH_LAYOUT_FIELD("JointFrame.struct_size", "u32", bh_joint_frame, struct_size) \
    BH_LAYOUT_FIELD("JointFrame.parent_link", "u32", bh_joint_frame, parent_link) \
    BH_LAYOUT_FIELD("JointFrame.child_link", "u32", bh_joint_frame, child_link) \
    BH_LAYOUT_FIELD("JointFrame.reserved", "u32", bh_joint_frame, reserved) \
    BH_LAYOUT_FIELD("JointFrame.pose", "Pose", bh_joint_frame, pose) \
    BH_LAYOUT_FIELD("JointFrame.axis", "[f64;3]", bh_joint_frame, axis) \
    BH_LAYOUT_STRUCT("JointWrench.", bh_joint_wrench) \
    BH_LAYOUT_FIELD("JointWrench.struct_size", "u32", bh_joint_wrench, struct_size) \
    BH_LAYOUT_FIELD("JointWrench.reserved", "u32", bh_joint_wrench, reserved) \
    BH_LAYOUT_FIELD("JointWrench.force", "[f64;3]", bh_joint_wrench, force) \
    BH_LAYOUT_FIELD("JointWrench.torque", "[f64;3]", bh_joint_wrench, torque) \
    BH_LAYOUT_STRUCT("HostJoints.", bh_host_joints) \
    BH_LAYOUT_FIELD("HostJoints.struct_size", "u32", bh_host_joints, struct_size) \
    BH_LAYOUT_FIELD("HostJoints.reserved", "u32", bh_host_joints, reserved) \
    BH_LAYOUT_FIELD("HostJoints.attached", "unsafeextern\"C\"fn(host:*constHost,out:*mutu32)->Status", bh_host_joints, attached) \
    BH_LAYOUT_FIELD("HostJoints.frame", "unsafeextern\"C\"fn(host:*constHost,joint:u32,out:*mutJointFrame)->Status", bh_host_joints, frame) \
    BH_LAYOUT_FIELD("HostJoints.watch", "unsafeextern\"C\"fn(host:*constHost,joint:u32)->Status", bh_host_joints, watch) \
    BH_LAYOUT_FIELD("HostJoints.wrench", "unsafeextern\"C\"fn(host:*constHost,joint:u32,out:*mutJointWrench)->Status", bh_host_joints, wrench) \
    BH_LAYOUT_STRUCT("SpawnSpec.", bh_spawn_spec) \
    BH_LAYOUT_FIELD("SpawnSpec.struct_size", "u32", bh_spawn_spec, struct_size) \
    BH_LAYOUT_FIELD("SpawnSpec.flags", "u32", bh_spawn_spec, flags) \
    BH_LAYOUT_FIELD("SpawnSpec.sdf", "Str", bh_spawn_spec, sdf) \
    BH_LAYOUT_FIELD("SpawnSpec.name", "Str", bh_spawn_spec, name) \
    BH_LAYOUT_FIELD("SpawnSpec.pose", "Pose", bh_spawn_spec, pose) \
    BH_LAYOUT_STRUCT("HostWorldEdit.", bh_host_world_edit) \
    BH_LAYOUT_FIELD("HostWorldEdit.struct_size", "u32", bh_host_world_edit, struct_size) \
    BH_LAYOUT_FIELD("HostWorldEdit.reserved", "u32", bh_host_world_edit, reserved) \
    BH_LAYOUT_FIELD("HostWorldEdit.spawn", "unsafeextern\"C\"fn(host:*constHost,spec:*constSpawnSpec,out:*mutu64)->Status", bh_host_world_edit, spawn) \
    BH_LAYOUT_FIELD("HostWorldEdit.remove", "unsafeextern\"C\"fn(host:*constHost,entity:u64)->Status", bh_host_world_edit, remove) \
    BH_LAYOUT_FIELD("HostWorldEdit.attach", "unsafeextern\"C\"fn(host:*constHost,parent_link:u32,child_link:u32,out:*mutu64)->Status", bh_host_world_edit, attach) \
    BH_LAYOUT_FIELD("HostWorldEdit.detach", "unsafeextern\"C\"fn(host:*constHost,bond:u64)->Status", bh_host_world_edit, detach) \
    BH_LAYOUT_STRUCT("Body.", bh_body) \
    BH_LAYOUT_FIELD("Body.struct_size", "u32", bh_body, struct_size) \
    BH_LAYOUT_FIELD("Body.flags", "u32", bh_body, flags) \
    BH_LAYOUT_FIELD("Body.name", "Str", bh_body, name) \
    BH_LAYOUT_FIELD("Body.entity", "u64", bh_body, entity) \
    BH_LAYOUT_FIELD("Body.mass", "f64", bh_body, mass) \
    BH_LAYOUT_FIELD("Body.center", "[f64;3]", bh_body, center) \
    BH_LAYOUT_FIELD("Body.inertia", "[f64;6]", bh_body, inertia) \
    BH_LAYOUT_STRUCT("Volume.", bh_volume) \
    BH_LAYOUT_FIELD("Volume.struct_size", "u32", bh_volume, struct_size) \
    BH_LAYOUT_FIELD("Volume.reserved", "u32", bh_volume, reserved) \
    BH_LAYOUT_FIELD("Volume.volume", "f64", bh_volume, volume) \
    BH_LAYOUT_FIELD("Volume.center", "[f64;3]", bh_volume, center) \
    BH_LAYOUT_STRUCT("HostDynamics.", bh_host_dynamics) \
    BH_LAYOUT_FIELD("HostDynamics.struct_size", "u32", bh_host_dynamics, struct_size) \
    BH_LAYOUT_FIELD("HostDynamics.reserved", "u32", bh_host_dynamics, reserved) \
    BH_LAYOUT_FIELD("HostDynamics.links", "unsafeextern\"C\"fn(host:*constHost,out:*mutu32)->Status", bh_host_dynamics, links) \
    BH_LAYOUT_FIELD("HostDynamics.body", "unsafeextern\"C\"fn(host:*constHost,link:u32,out:*mutBody)->Status", bh_host_dynamics, body) \
    BH_LAYOUT_FIELD("HostDynamics.volume_below", "unsafeextern\"C\"fn(host:*constHost,link:u32,normal:*const[f64;3],height:f64,out:*mutVolume)->Status", bh_host_dynamics, volume_below) \
    BH_LAYOUT_FIELD("HostDynamics.force_at", "unsafeextern\"C\"fn(host:*constHost,link:u32,force:*const[f64;3],point:*const[f64;3])->Status", bh_host_dynamics, force_at) \
    BH_LAYOUT_STRUCT("SurfaceMotion.", bh_surface_motion) \
    BH_LAYOUT_FIELD("SurfaceMotion.struct_size", "u32", bh_surface_motion, struct_size) \
    BH_LAYOUT_FIELD("SurfaceMotion.flags", "u32", bh_surface_motion, flags) \
    BH_LAYOUT_FIELD("SurfaceMotion.axis", "[f64;3]", bh_surface_motion, axis) \
    BH_LAYOUT_FIELD("SurfaceMotion.speed", "f64", bh_surface_motion, speed) \
    BH_LAYOUT_FIELD("SurfaceMotion.center", "[f64;3]", bh_surface_motion, center) \
    BH_LAYOUT_STRUCT("HostSurfaces.", bh_host_surfaces) \
    BH_LAYOUT_FIELD("HostSurfaces.struct_size", "u32", bh_host_surfaces, struct_size) \
    BH_LAYOUT_FIELD("HostSurfaces.reserved", "u32", bh_host_surfaces, reserved) \
    BH_LAYOUT_FIELD("HostSurfaces.slip", "unsafeextern\"C\"fn(host:*constHost,collision:u32,first:f64,second:f64)->Status", bh_host_surfaces, slip) \
    BH_LAYOUT_FIELD("HostSurfaces.drive", "unsafeextern\"C\"fn(host:*constHost,collision:u32,motion:*constSurfaceMotion)->Status", bh_host_surfaces, drive) \
    BH_LAYOUT_STRUCT("HostKinematics.", bh_host_kinematics) \
    BH_LAYOUT_FIELD("HostKinematics.struct_size", "u32", bh_host_kinematics, struct_size) \
    BH_LAYOUT_FIELD("HostKinematics.reserved", "u32", bh_host_kinematics, reserved) \
    BH_LAYOUT_FIELD("HostKinematics.move_link", "unsafeextern\"C\"fn(host:*constHost,link:u32,pose:*constPose)->Status", bh_host_kinematics, move_link) \
    BH_LAYOUT_STRUCT("HostServiceCalls.", bh_host_service_calls) \
    BH_LAYOUT_FIELD("HostServiceCalls.struct_size", "u32", bh_host_service_calls, struct_size) \
    BH_LAYOUT_FIELD("HostServiceCalls.reserved", "u32", bh_host_service_calls, reserved) \
    BH_LAYOUT_FIELD("HostServiceCalls.call", "unsafeextern\"C\"fn(host:*constHost,name:Str,request_type:Str,request:Bytes)->Status", bh_host_service_calls, call) \
    BH_LAYOUT_STRUCT("HostDescription.", bh_host_description) \
    BH_LAYOUT_FIELD("HostDescription.struct_size", "u32", bh_host_description, struct_size) \
    BH_LAYOUT_FIELD("HostDescription.reserved", "u32", bh_host_description, reserved) \
    BH_LAYOUT_FIELD("HostDescription.revision", "unsafeextern\"C\"fn(host:*constHost)->u64", bh_host_description, revision) \
    BH_LAYOUT_FIELD("HostDescription.read", "unsafeextern\"C\"fn(host:*constHost,out:*mut*constBuffer)->Status", bh_host_description, read) \
    BH_LAYOUT_STRUCT("ScenePoses.", bh_scene_poses) \
    BH_LAYOUT_FIELD("ScenePoses.revision", "u64", bh_scene_poses, revision) \
    BH_LAYOUT_FIELD("ScenePoses.step", "u64", bh_scene_poses, step) \
    BH_LAYOUT_FIELD("ScenePoses.time_ns", "i64", bh_scene_poses, time_ns) \
    BH_LAYOUT_FIELD("ScenePoses.reset_epoch", "u32", bh_scene_poses, reset_epoch) \
    BH_LAYOUT_FIELD("ScenePoses.count", "u32", bh_scene_poses, count) \
    BH_LAYOUT_STRUCT("HostScene.", bh_host_scene) \
    BH_LAYOUT_FIELD("HostScene.struct_size", "u32", bh_host_scene, struct_size) \
    BH_LAYOUT_FIELD("HostScene.reserved", "u32", bh_host_scene, reserved) \
    BH_LAYOUT_FIELD("HostScene.revision", "unsafeextern\"C\"fn(host:*constHost)->u64", bh_host_scene, revision) \
    BH_LAYOUT_FIELD("HostScene.read", "unsafeextern\"C\"fn(host:*constHost,out:*mut*constBuffer)->Status", bh_host_scene, read) \
    BH_LAYOUT_FIELD("HostScene.asset", "unsafeextern\"C\"fn(host:*constHost,hash:Str,out:*mut*constBuffer)->Status", bh_host_scene, asset) \
    BH_LAYOUT_FIELD("HostScene.poses", "unsafeextern\"C\"fn(host:*constHost,timeout_ns:i64,out:*mut*constBuffer)->Status", bh_host_scene, poses) \
    BH_LAYOUT_STRUCT("HostActions.", bh_host_actions) \
    BH_LAYOUT_FIELD("HostActions.struct_size", "u32", bh_host_actions, struct_size) \
    BH_LAYOUT_FIELD("HostActions.reserved", "u32", bh_host_actions, reserved) \
    BH_LAYOUT_FIELD("HostActions.read", "unsafeextern\"C\"fn(host:*constHost,out:*mut*constBuffer)->Status", bh_host_actions, read) \
    BH_LAYOUT_STRUCT("HostReport.", bh_host_report) \
    BH_LAYOUT_FIELD("HostReport.struct_size", "u32", bh_host_report, struct_size) \
    BH_LAYOUT_FIELD("HostReport.reserved", "u32", bh_host_report, reserved) \
    BH_LAYOUT_FIELD("HostReport.lost", "unsafeextern\"C\"fn(host:*constHost,messages:u64)", bh_host_report, lost) \
    BH_LAYOUT_FIELD("HostReport.endpoint", "unsafeextern\"C\"fn(host:*constHost,address:Str,purpose:Str)", bh_host_report, endpoint) \
    BH_LAYOUT_STRUCT("Tick.", bh_tick) \
    BH_LAYOUT_FIELD("Tick.struct_size", "u32", bh_tick, struct_size) \
    BH_LAYOUT_FIELD("Tick.reset_epoch", "u32", bh_tick, reset_epoch) \
    BH_LAYOUT_FIELD("Tick.step", "u64", bh_tick, step) \
    BH_LAYOUT_FIELD("Tick.time_ns", "i64", bh_tick, time_ns) \
    BH_LAYOUT_FIELD("Tick.width_ns", "i64", bh_tick, width_ns) \
    BH_LAYOUT_STRUCT("HostStepping.", bh_host_stepping) \
    BH_LAYOUT_FIELD("HostStepping.struct_size", "u32", bh_host_stepping, struct_size) \
    BH_LAYOUT_FIELD("HostStepping.reserved", "u32", bh_host_stepping, reserved) \
    BH_LAYOUT_FIELD("HostStepping.hold", "unsafeextern\"C\"fn(host:*constHost,limit_ns:u64,late:u32)->Status", bh_host_stepping, hold) \
    BH_LAYOUT_FIELD("HostStepping.wait", "unsafeextern\"C\"fn(host:*constHost,timeout_ns:u64,out:*mutTick)->Status", bh_host_stepping, wait) \
    BH_LAYOUT_FIELD("HostStepping.release", "unsafeextern\"C\"fn(host:*constHost,reset_epoch:u32,step:u64)->Status", bh_host_stepping, release) \
    BH_LAYOUT_STRUCT("HostEncodings.", bh_host_encodings) \
    BH_LAYOUT_FIELD("HostEncodings.struct_size", "u32", bh_host_encodings, struct_size) \
    BH_LAYOUT_FIELD("HostEncodings.reserved", "u32", bh_host_encodings, reserved) \
    BH_LAYOUT_FIELD("HostEncodings.encode", "unsafeextern\"C\"fn(host:*constHost,type_id:u32,encoding:u32,payload:Bytes,out:*mut*constBuffer)->Status", bh_host_encodings, encode) \
    BH_LAYOUT_FIELD("HostEncodings.decode", "unsafeextern\"C\"fn(host:*constHost,type_id:u32,encoding:u32,bytes:Bytes,out:*mut*constBuffer)->Status", bh_host_encodings, decode) \
    BH_LAYOUT_FIELD("HostEncodings.number", "unsafeextern\"C\"fn(host:*constHost,type_id:u32,payload:Bytes,path:Str,out:*mutf64)->Status", bh_host_encodings, number) \
    BH_LAYOUT_FIELD("HostEncodings.numbers", "unsafeextern\"C\"fn(host:*constHost,type_id:u32,payload:Bytes,path:Str,out:*mutf64,capacity:usize,count:*mutusize)->Status", bh_host_encodings, numbers) \
    BH_LAYOUT_FIELD("HostEncodings.text", "unsafeextern\"C\"fn(host:*constHost,type_id:u32,payload:Bytes,path:Str,out:*mutStr)->Status", bh_host_encodings, text) \
    BH_LAYOUT_STRUCT("BridgeState.", bh_bridge_state) \
    BH_LAYOUT_FIELD("BridgeState.struct_size", "u32", bh_bridge_state, struct_size) \
    BH_LAYOUT_FIELD("BridgeState.status", "u32", bh_bridge_state, status) \
    BH_LAYOUT_FIELD("BridgeState.name", "Str", bh_bridge_state, name) \
    BH_LAYOUT_FIELD("BridgeState.label", "Str", bh_bridge_state, label) \
    BH_LAYOUT_STRUCT("HostBridges.", bh_host_bridges) \
    BH_LAYOUT_FIELD("HostBridges.struct_size", "u32", bh_host_bridges, struct_size) \
    BH_LAYOUT_FIELD("HostBridges.reserved", "u32", bh_host_bridges, reserved) \
    BH_LAYOUT_FIELD("HostBridges.at", "unsafeextern\"C\"fn(host:*constHost,index:u32,out:*mutBridgeState)->Status", bh_host_bridges, at) \
    BH_LAYOUT_STRUCT("BridgeFactory.", bh_bridge_factory) \
    BH_LAYOUT_FIELD("BridgeFactory.struct_size", "u32", bh_bridge_factory, struct_size) \
    BH_LAYOUT_FIELD("BridgeFactory.flags", "u32", bh_bridge_factory, flags) \
    BH_LAYOUT_FIELD("BridgeFactory.register", "unsafeextern\"C\"fn(registrar:*constRegistrar)->Status", bh_bridge_factory, register_) \
    BH_LAYOUT_FIELD("BridgeFactory.validate", "unsafeextern\"C\"fn(host:*constHost,connection:Str)->Status", bh_bridge_factory, validate) \
    BH_LAYOUT_FIELD("BridgeFactory.create", "unsafeextern\"C\"fn(host:*constHost,out:*mutBridgeInstance)->Status", bh_bridge_factory, create) \
    BH_LAYOUT_STRUCT("PublisherCreator.", bh_publisher_creator) \
    BH_LAYOUT_FIELD("PublisherCreator.user", "*mutc_void", bh_publisher_creator, user) \
    BH_LAYOUT_FIELD("PublisherCreator.create", "unsafeextern\"C\"fn(user:*mutc_void,instance:*mutc_void,channel:*constChannel,out:*mutEndpoint)->Status", bh_publisher_creator, create) \
    BH_LAYOUT_STRUCT("SubscriberCreator.", bh_subscriber_creator) \
    BH_LAYOUT_FIELD("SubscriberCreator.user", "*mutc_void", bh_subscriber_creator, user) \
    BH_LAYOUT_FIELD("SubscriberCreator.create", "unsafeextern\"C\"fn(user:*mutc_void,instance:*mutc_void,channel:*constChannel,sink:*constSink,out:*mutEndpoint)->Status", bh_subscriber_creator, create) \
    BH_LAYOUT_STRUCT("ServiceCreator.", bh_service_creator) \
    BH_LAYOUT_FIELD("ServiceCreator.user", "*mutc_void", bh_service_creator, user) \
    BH_LAYOUT_FIELD("ServiceCreator.create", "unsafeextern\"C\"fn(user:*mutc_void,instance:*mutc_void,channel:*constChannel,sink:*constServiceSink,out:*mutEndpoint)->Status", bh_service_creator, create) \
    BH_LAYOUT_STRUCT("Registrar.", bh_registrar) \
    BH_LAYOUT_FIELD("Registrar.struct_size", "u32", bh_registrar, struct_size) \
    BH_LAYOUT_FIELD("Registrar.reserved", "u32", bh_registrar, reserved) \
    BH_LAYOUT_FIELD("Registrar.ctx", "*mutc_void", bh_registrar, ctx) \
    BH_LAYOUT_FIELD("Registrar.add_type", "unsafeextern\"C\"fn(registrar:*constRegistrar,data_type:Str,bridge_type:Str)->Status", bh_registrar, add_type) \
    BH_LAYOUT_FIELD("Registrar.add_publisher", "unsafeextern\"C\"fn(registrar:*constRegistrar,data_type:Str,creator:*constPublisherCreator)->Status", bh_registrar, add_publisher) \
    BH_LAYOUT_FIELD("Registrar.add_subscriber", "unsafeextern\"C\"fn(registrar:*constRegistrar,data_type:Str,creator:*constSubscriberCreator)->Status", bh_registrar, add_subscriber) \
    BH_LAYOUT_FIELD("Registrar.add_service", "unsafeextern\"C\"fn(registrar:*constRegistrar,request:Str,response:Str,creator:*constServiceCreator)->Status", bh_registrar, add_service) \
    BH_LAYOUT_STRUCT("Channel.", bh_channel) \
    BH_LAYOUT_FIELD("Channel.struct_size", "u32", bh_channel, struct_size) \
    BH_LAYOUT_FIELD("Channel.reserved", "u32", bh_channel, reserved) \
    BH_LAYOUT_FIELD("Channel.vehicle", "Str", bh_channel, vehicle) \
    BH_LAYOUT_FIELD("Channel.topic", "Str", bh_channel, topic) \
    BH_LAYOUT_FIELD("Channel.bridge_type", "Str", bh_channel, bridge_type) \
    BH_LAYOUT_FIELD("Channel.data_type", "TypeDesc", bh_channel, data_type) \
    BH_LAYOUT_FIELD("Channel.response_type", "TypeDesc", bh_channel, response_type) \
    BH_LAYOUT_FIELD("Channel.qos", "Qos", bh_channel, qos) \
    BH_LAYOUT_FIELD("Channel.encoding", "u32", bh_channel, encoding) \
    BH_LAYOUT_FIELD("Channel.reserved2", "u32", bh_channel, reserved2) \
    BH_LAYOUT_STRUCT("Endpoint.", bh_endpoint) \
    BH_LAYOUT_FIELD("Endpoint.ctx", "*mutc_void", bh_endpoint, ctx) \
    BH_LAYOUT_FIELD("Endpoint.destroy", "unsafeextern\"C\"fn(ctx:*mutc_void)", bh_endpoint, destroy) \
    BH_LAYOUT_STRUCT("Incoming.", bh_incoming) \
    BH_LAYOUT_FIELD("Incoming.struct_size", "u32", bh_incoming, struct_size) \
    BH_LAYOUT_FIELD("Incoming.reserved", "u32", bh_incoming, reserved) \
    BH_LAYOUT_FIELD("Incoming.at_step", "u64", bh_incoming, at_step) \
    BH_LAYOUT_FIELD("Incoming.stamp_ns", "i64", bh_incoming, stamp_ns) \
    BH_LAYOUT_FIELD("Incoming.payload", "*constBuffer", bh_incoming, payload) \
    BH_LAYOUT_STRUCT("Sink.", bh_sink) \
    BH_LAYOUT_FIELD("Sink.struct_size", "u32", bh_sink, struct_size) \
    BH_LAYOUT_FIELD("Sink.reserved", "u32", bh_sink, reserved) \
    BH_LAYOUT_FIELD("Sink.ctx", "*mutc_void", bh_sink, ctx) \
    BH_LAYOUT_FIELD("Sink.deliver", "unsafeextern\"C\"fn(sink:*constSink,incoming:*constIncoming)->Status", bh_sink, deliver) \
    BH_LAYOUT_STRUCT("ServiceReply.", bh_service_reply) \
    BH_LAYOUT_FIELD("ServiceReply.user", "*mutc_void", bh_service_reply, user) \
    BH_LAYOUT_FIELD("ServiceReply.reply", "unsafeextern\"C\"fn(user:*mutc_void,status:Status,response:*constBuffer)", bh_service_reply, reply) \
    BH_LAYOUT_STRUCT("ServiceSink.", bh_service_sink) \
    BH_LAYOUT_FIELD("ServiceSink.struct_size", "u32", bh_service_sink, struct_size) \
    BH_LAYOUT_FIELD("ServiceSink.reserved", "u32", bh_service_sink, reserved) \
    BH_LAYOUT_FIELD("ServiceSink.ctx", "*mutc_void", bh_service_sink, ctx) \
    BH_LAYOUT_FIELD("ServiceSink.call", "unsafeextern\"C\"fn(sink:*constServiceSink,request:*constBuffer,reply:*constServiceReply)->Status", bh_service_sink, call) \
    BH_LAYOUT_STRUCT("TxMessage.", bh_tx_message) \
    BH_LAYOUT_FIELD("TxMessage.struct_size", "u32", bh_tx_message, struct_size) \
    BH_LAYOUT_FIELD("TxMessage.reserved", "u32", bh_tx_message, reserved) \
    BH_LAYOUT_FIELD("TxMessage.endpoint", "*mutc_void", bh_tx_message, endpoint) \
    BH_LAYOUT_FIELD("TxMessage.message", "Message", bh_tx_message, message) \
    BH_LAYOUT_STRUCT("TxContext.", bh_tx_context) \
    BH_LAYOUT_FIELD("TxContext.struct_size", "u32", bh_tx_context, struct_size) \
    BH_LAYOUT_FIELD("TxContext.reserved", "u32", bh_tx_context, reserved) \
    BH_LAYOUT_FIELD("TxContext.ctx", "*mutc_void", bh_tx_context, ctx) \
    BH_LAYOUT_FIELD("TxContext.next", "unsafeextern\"C\"fn(tx:*constTxContext,timeout_ns:i64,out:*mutTxMessage)->Status", bh_tx_context, next) \
    BH_LAYOUT_FIELD("TxContext.reject", "unsafeextern\"C\"fn(tx:*constTxContext)", bh_tx_context, reject) \
    BH_LAYOUT_FIELD("TxContext.pending", "unsafeextern\"C\"fn(tx:*constTxContext)->u64", bh_tx_context, pending) \
    BH_LAYOUT_FIELD("TxContext.interrupted", "unsafeextern\"C\"fn(tx:*constTxContext)->u8", bh_tx_context, interrupted) \
    BH_LAYOUT_STRUCT("RxContext.", bh_rx_context) \
    BH_LAYOUT_FIELD("RxContext.struct_size", "u32", bh_rx_context, struct_size) \
    BH_LAYOUT_FIELD("RxContext.reserved", "u32", bh_rx_context, reserved) \
    BH_LAYOUT_FIELD("RxContext.ctx", "*mutc_void", bh_rx_context, ctx) \
    BH_LAYOUT_FIELD("RxContext.wait", "unsafeextern\"C\"fn(rx:*constRxContext,timeout_ns:i64)->Status", bh_rx_context, wait) \
    BH_LAYOUT_FIELD("RxContext.interrupted", "unsafeextern\"C\"fn(rx:*constRxContext)->u8", bh_rx_context, interrupted) \
    BH_LAYOUT_STRUCT("Notice.", bh_notice) \
    BH_LAYOUT_FIELD("Notice.struct_size", "u32", bh_notice, struct_size) \
    BH_LAYOUT_FIELD("Notice.kind", "u32", bh_notice, kind) \
    BH_LAYOUT_FIELD("Notice.scope", "u32", bh_notice, scope) \
    BH_LAYOUT_FIELD("Notice.reset_epoch", "u32", bh_notice, reset_epoch) \
    BH_LAYOUT_FIELD("Notice.time_ns", "i64", bh_notice, time_ns) \
    BH_LAYOUT_FIELD("Notice.ticket", "u64", bh_notice, ticket) \
    BH_LAYOUT_STRUCT("BridgeInstance.", bh_bridge_instance) \
    BH_LAYOUT_FIELD("BridgeInstance.struct_size", "u32", bh_bridge_instance, struct_size) \
    BH_LAYOUT_FIELD("BridgeInstance.reserved", "u32", bh_bridge_instance, reserved) \
    BH_LAYOUT_FIELD("BridgeInstance.ctx", "*mutc_void", bh_bridge_instance, ctx) \
    BH_LAYOUT_FIELD("BridgeInstance.connect", "unsafeextern\"C\"fn(ctx:*mutc_void,connection:Str)->Status", bh_bridge_instance, connect) \
    BH_LAYOUT_FIELD("BridgeInstance.disconnect", "unsafeextern\"C\"fn(ctx:*mutc_void)->Status", bh_bridge_instance, disconnect) \
    BH_LAYOUT_FIELD("BridgeInstance.status", "unsafeextern\"C\"fn(ctx:*mutc_void)->u32", bh_bridge_instance, status) \
    BH_LAYOUT_FIELD("BridgeInstance.tx_run", "Option<unsafeextern\"C\"fn(ctx:*mutc_void,tx:*constTxContext)->Status>", bh_bridge_instance, tx_run) \
    BH_LAYOUT_FIELD("BridgeInstance.rx_run", "Option<unsafeextern\"C\"fn(ctx:*mutc_void,rx:*constRxContext)->Status>", bh_bridge_instance, rx_run) \
    BH_LAYOUT_FIELD("BridgeInstance.interrupt", "Option<unsafeextern\"C\"fn(ctx:*mutc_void)>", bh_bridge_instance, interrupt) \
    BH_LAYOUT_FIELD("BridgeInstance.notice", "Option<unsafeextern\"C\"fn(ctx:*mutc_void,notice:*constNotice)->Status>", bh_bridge_instance, notice) \
    BH_LAYOUT_FIELD("BridgeInstance.get_extension", "unsafeextern\"C\"fn(ctx:*mutc_void,id:Str)->*constc_void", bh_bridge_instance, get_extension) \
    BH_LAYOUT_FIELD("BridgeInstance.destroy", "unsafeextern\"C\"fn(ctx:*mutc_void)", bh_bridge_instance, destroy) \
    BH_LAYOUT_STRUCT("BridgeInfo.", bh_bridge_info) \
    BH_LAYOUT_FIELD("BridgeInfo.struct_size", "u32", bh_bridge_info, struct_size) \
    BH_LAYOUT_FIELD("BridgeInfo.reserved", "u32", bh_bridge_info, reserved) \
    BH_LAYOUT_FIELD("BridgeInfo.id", "Str", bh_bridge_info, id) \
    BH_LAYOUT_FIELD("BridgeInfo.name", "Str", bh_bridge_info, name) \
    BH_LAYOUT_STRUCT("Converter.", bh_converter) \
    BH_LAYOUT_FIELD("Converter.user", "*mutc_void", bh_converter, user) \
    BH_LAYOUT_FIELD("Converter.convert", "unsafeextern\"C\"fn(user:*mutc_void,message:*constMessage,out:*mutu8,capacity:usize,len:*mutusize)->Status", bh_converter, convert) \
    BH_LAYOUT_STRUCT("ConverterRegistrar.", bh_converter_registrar) \
    BH_LAYOUT_FIELD("ConverterRegistrar.struct_size", "u32", bh_converter_registrar, struct_size) \
    BH_LAYOUT_FIELD("ConverterRegistrar.reserved", "u32", bh_converter_registrar, reserved) \
    BH_LAYOUT_FIELD("ConverterRegistrar.ctx", "*mutc_void", bh_converter_registrar, ctx) \
    BH_LAYOUT_FIELD("ConverterRegistrar.add_publisher", "unsafeextern\"C\"fn(registrar:*constConverterRegistrar,data_type:Str,bridge_type:Str,converter:*constConverter)->Status", bh_converter_registrar, add_publisher) \
    BH_LAYOUT_FIELD("ConverterRegistrar.add_subscriber", "unsafeextern\"C\"fn(registrar:*constConverterRegistrar,data_type:Str,bridge_type:Str,converter:*constConverter)->Status", bh_converter_registrar, add_subscriber) \
    BH_LAYOUT_STRUCT("BridgeConverters.", bh_bridge_converters) \
    BH_LAYOUT_FIELD("BridgeConverters.struct_size", "u32", bh_bridge_converters, struct_size) \
    BH_LAYOUT_FIELD("BridgeConverters.reserved", "u32", bh_bridge_converters, reserved) \
    BH_LAYOUT_FIELD("BridgeConverters.register", "unsafeextern\"C\"fn(bridge:*constBridgeInfo,registrar:*constConverterRegistrar)->Status", bh_bridge_converters, register_) \
    BH_LAYOUT_STRUCT("ModelFactory.", bh_model_factory) \
    BH_LAYOUT_FIELD("ModelFactory.struct_size", "u32", bh_model_factory, struct_size) \
    BH_LAYOUT_FIELD("ModelFactory.reserved", "u32", bh_model_factory, reserved) \
    BH_LAYOUT_FIELD("ModelFactory.register", "unsafeextern\"C\"fn(host:*constHost)->Status", bh_model_factory, register_) \
    BH_LAYOUT_FIELD("ModelFactory.create", "unsafeextern\"C\"fn(host:*constHost,out:*mutModelInstance)->Status", bh_model_factory, create) \
    BH_LAYOUT_STRUCT("StepInfo.", bh_step_info) \
    BH_LAYOUT_FIELD("StepInfo.struct_size", "u32", bh_step_info, struct_size) \
    BH_LAYOUT_FIELD("StepInfo.reset_epoch", "u32", bh_step_info, reset_epoch) \
    BH_LAYOUT_FIELD("StepInfo.time_ns", "i64", bh_step_info, time_ns) \
    BH_LAYOUT_FIELD("StepInfo.width_ns", "i64", bh_step_info, width_ns) \
    BH_LAYOUT_FIELD("StepInfo.step", "u64", bh_step_info, step) \
    BH_LAYOUT_STRUCT("SampleTimes.", bh_sample_times) \
    BH_LAYOUT_FIELD("SampleTimes.struct_size", "u32", bh_sample_times, struct_size) \
    BH_LAYOUT_FIELD("SampleTimes.steps_before", "u32", bh_sample_times, steps_before) \
    BH_LAYOUT_FIELD("SampleTimes.period_ns", "i64", bh_sample_times, period_ns) \
    BH_LAYOUT_STRUCT("WorldSave.", bh_world_save) \
    BH_LAYOUT_FIELD("WorldSave.struct_size", "u32", bh_world_save, struct_size) \
    BH_LAYOUT_FIELD("WorldSave.reserved", "u32", bh_world_save, reserved) \
    BH_LAYOUT_FIELD("WorldSave.elements", "unsafeextern\"C\"fn(ctx:*mutc_void,writer:*constStateWriter)->Status", bh_world_save, elements) \
    BH_LAYOUT_STRUCT("StateWriter.", bh_state_writer) \
    BH_LAYOUT_FIELD("StateWriter.struct_size", "u32", bh_state_writer, struct_size) \
    BH_LAYOUT_FIELD("StateWriter.reserved", "u32", bh_state_writer, reserved) \
    BH_LAYOUT_FIELD("StateWriter.ctx", "*mutc_void", bh_state_writer, ctx) \
    BH_LAYOUT_FIELD("StateWriter.write", "unsafeextern\"C\"fn(writer:*constStateWriter,bytes:Bytes)->Status", bh_state_writer, write) \
    BH_LAYOUT_STRUCT("ModelInstance.", bh_model_instance) \
    BH_LAYOUT_FIELD("ModelInstance.struct_size", "u32", bh_model_instance, struct_size) \
    BH_LAYOUT_FIELD("ModelInstance.reserved", "u32", bh_model_instance, reserved) \
    BH_LAYOUT_FIELD("ModelInstance.ctx", "*mutc_void", bh_model_instance, ctx) \
    BH_LAYOUT_FIELD("ModelInstance.awake", "unsafeextern\"C\"fn(ctx:*mutc_void)->Status", bh_model_instance, awake) \
    BH_LAYOUT_FIELD("ModelInstance.start", "Option<unsafeextern\"C\"fn(ctx:*mutc_void)->Status>", bh_model_instance, start) \
    BH_LAYOUT_FIELD("ModelInstance.all_started", "Option<unsafeextern\"C\"fn(ctx:*mutc_void)->Status>", bh_model_instance, all_started) \
    BH_LAYOUT_FIELD("ModelInstance.reset", "unsafeextern\"C\"fn(ctx:*mutc_void,scope:u32)->Status", bh_model_instance, reset) \
    BH_LAYOUT_FIELD("ModelInstance.sample", "Option<unsafeextern\"C\"fn(ctx:*mutc_void,step:*constStepInfo)->Status>", bh_model_instance, sample) \
    BH_LAYOUT_FIELD("ModelInstance.control", "Option<unsafeextern\"C\"fn(ctx:*mutc_void,step:*constStepInfo)->Status>", bh_model_instance, control) \
    BH_LAYOUT_FIELD("ModelInstance.pause", "Option<unsafeextern\"C\"fn(ctx:*mutc_void)->Status>", bh_model_instance, pause) \
    BH_LAYOUT_FIELD("ModelInstance.resume", "Option<unsafeextern\"C\"fn(ctx:*mutc_void)->Status>", bh_model_instance, resume) \
    BH_LAYOUT_FIELD("ModelInstance.stop", "Option<unsafeextern\"C\"fn(ctx:*mutc_void)->Status>", bh_model_instance, stop) \
    BH_LAYOUT_FIELD("ModelInstance.save", "Option<unsafeextern\"C\"fn(ctx:*mutc_void,writer:*constStateWriter)->Status>", bh_model_instance, save) \
    BH_LAYOUT_FIELD("ModelInstance.load", "Option<unsafeextern\"C\"fn(ctx:*mutc_void,bytes:Bytes)->Status>", bh_model_instance, load) \
    BH_LAYOUT_FIELD("ModelInstance.get_extension", "unsafeextern\"C\"fn(ctx:*mutc_void,id:crate::Str)->*constc_void", bh_model_instance, get_extension) \
    BH_LAYOUT_FIELD("ModelInstance.destroy", "unsafeextern\"C\"fn(ctx:*mutc_void)", bh_model_instance, destroy)

/* ---- metadata ---------------------------------------------------------------------------------- */

/**
 * Places a JSON text in section `.bridgehead.meta`; its form is described at `BH_METADATA_SECTION`. Use
 * it once, in one source file of the library, without a semicolon. The text is one string literal (or
 * several side by side), and the compiler ends it with a NUL: the host reads the section up to the first
 * NUL byte or its end, and refuses a library in whose section anything but NUL bytes follows.
 */
#define BH_METADATA_JSON(json) \
    BH_IN_SECTION(BH_METADATA_SECTION) static const char bh_metadata[] = "" json;

/** A string literal in the quotation marks of JSON: `BH_QUOTE(BH_EXT_LOG)`. */
#define BH_QUOTE(literal) "\"" literal "\""

#define BH_TEXT_OF_(token) #token
#define BH_TEXT_OF(token) BH_TEXT_OF_(token)
#define BH_KIND_NAME_BRIDGE "bridge"
#define BH_KIND_NAME_MODEL "model"

/**
 * What a model plugin remembers from step to step, which `bridgehead plugin list` shows: "nothing", "saved"
 * where its `save` and `load` keep it, or "unsaved", and a restored run finds it as after a reset. Define it
 * before this file is included.
 */
#ifndef BH_PLUGIN_STATE
#define BH_PLUGIN_STATE "unsaved"
#endif
#define BH_STATE_FIELD_BRIDGE ""
#define BH_STATE_FIELD_MODEL "," BH_QUOTE("state") ":" BH_QUOTE(BH_PLUGIN_STATE)

/**
 * The metadata of a library with one plugin. `kind` is `BRIDGE` or `MODEL`; the texts are string literals
 * that JSON needs no escapes for; `requires` is "" or a list of extensions without which the plugin cannot
 * work: `BH_QUOTE(BH_EXT_BUS) "," BH_QUOTE(BH_EXT_CLOCK)`.
 */
#define BH_METADATA(kind, id, name, version, vendor, license, requires_) \
    BH_METADATA_JSON("{" \
        BH_QUOTE("schema") ":" BH_TEXT_OF(BH_METADATA_SCHEMA) "," \
        BH_QUOTE("abi") ":[" BH_TEXT_OF(BH_ABI_MAJOR) "," BH_TEXT_OF(BH_ABI_MINOR) "]," \
        BH_QUOTE("sdk") ":" BH_QUOTE("bridgehead.h " BH_TEXT_OF(BH_ABI_MAJOR) "." BH_TEXT_OF(BH_ABI_MINOR)) "," \
        BH_QUOTE("panic") ":" BH_QUOTE("none") "," \
        BH_QUOTE("plugins") ":[{" \
            BH_QUOTE("id") ":" BH_QUOTE(id) "," \
            BH_QUOTE("kind") ":" BH_QUOTE(BH_KIND_NAME_##kind) "," \
            BH_QUOTE("name") ":" BH_QUOTE(name) "," \
            BH_QUOTE("version") ":" BH_QUOTE(version) "," \
            BH_QUOTE("vendor") ":" BH_QUOTE(vendor) "," \
            BH_QUOTE("license") ":" BH_QUOTE(license) "," \
            BH_QUOTE("requires") ":[" requires_ "]," \
            BH_QUOTE("provides") ":[]" BH_STATE_FIELD_##kind "}]}")

/* ---- entry ------------------------------------------------------------------------------------- */

/**
 * The one exported symbol of a library. It is visible through this declaration; define it without
 * BH_EXPORT, which C++ compilers ignore, with a warning, on the definition of a constant.
 */
extern BH_EXPORT const bh_entry bridgehead_plugin_entry;

/**
 * Everything a library with one plugin needs besides the plugin: metadata, layout table, descriptor (from
 * the same texts as the metadata), list of plugins and entry. `factory` is the address of a static
 * `bh_bridge_factory` or `bh_model_factory`; the other arguments are those of `BH_METADATA`. Use it once,
 * behind the factory, without a semicolon. A library with several plugins, or with an `init` or extensions
 * of its own, writes these few definitions itself.
 */
#define BH_EXPORT_PLUGIN(kind, id, name, version, vendor, license, requires_, factory_) \
    BH_METADATA(kind, id, name, version, vendor, license, requires_) \
    BH_LAYOUT_TABLE() \
    static const bh_descriptor bh_the_descriptor = { \
        BH_SIZE(bh_descriptor), BH_KIND_##kind, BH_STR_INIT(id), BH_STR_INIT(name), \
        BH_STR_INIT(version), BH_STR_INIT(vendor), BH_STR_INIT(license) }; \
    static const bh_descriptor *bh_descriptor_at(uint32_t index) BH_NOEXCEPT \
    { \
        return index == 0 ? &bh_the_descriptor : NULL; \
    } \
    static const void *bh_factory_at(uint32_t index) BH_NOEXCEPT \
    { \
        return index == 0 ? (const void *)(factory_) : NULL; \
    } \
    static const bh_plugin_factory bh_the_plugins = { \
        BH_SIZE(bh_plugin_factory), 1, bh_descriptor_at, bh_factory_at }; \
    static bh_status bh_library_init(const bh_host *host) BH_NOEXCEPT \
    { \
        (void)host; \
        return BH_STATUS_OK; \
    } \
    static void bh_library_deinit(void) BH_NOEXCEPT {} \
    static const void *bh_library_object(bh_str wanted) BH_NOEXCEPT \
    { \
        return bh_str_equal(wanted, bh_str_lit(BH_EXT_PLUGIN_FACTORY)) ? (const void *)&bh_the_plugins : NULL; \
    } \
    const bh_entry bridgehead_plugin_entry = { \
        BH_ENTRY_MAGIC, BH_SIZE(bh_entry), BH_ABI_MAJOR, BH_ABI_MINOR, 0, \
        bh_library_init, bh_library_deinit, bh_library_object };

#ifdef __cplusplus
} /* extern "C" */

#ifdef __cpp_exceptions
#include <exception>

/**
 * C++: runs `body`, which returns a `bh_status`, and turns an exception into BH_STATUS_PANIC with its
 * text given to `explain`. The host then calls the instance no more except to stop and destroy it.
 *
 *     static bh_status start(void *ctx) noexcept
 *     {
 *         auto *self = static_cast<Sensor *>(ctx);
 *         return bh_guard(self->host, [&] { return self->start(); });
 *     }
 */
template <class Body> bh_status bh_guard(const bh_host *host, Body &&body) noexcept
{
    try {
        return body();
    } catch (const std::exception &error) {
        host->explain(host, bh_str_from(error.what()));
    } catch (...) {
        host->explain(host, bh_str_lit("an exception that is not a std::exception"));
    }
    return BH_STATUS_PANIC;
}
#endif
#endif

#endif /* BRIDGEHEAD_H */
