/*
 * The controller `@name@`: turns a joint of its model with the speed that the last command says, std_msgs Float64, rad/s.
 *
 * The tag at the end of each comment is the thread that calls the function.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the plugin keeps from step to step is saved in snapshots of a run. */
#define BH_PLUGIN_STATE "saved"
#include "bridgehead.h"

/* Largest torque, N m. */
static const double MAX_EFFORT = 10.0;

/* The version of what `save` writes. */
static const uint8_t STATE_VERSION = 1;

struct @name@ {
    const bh_host *host;
    const bh_host_bus *bus;
    const bh_host_command *command;
    uint32_t joint;
    void *subscription;
    double speed; /* rad/s */
};

static const bh_qos COMMAND_QOS = { BH_SIZE(bh_qos), BH_RELIABILITY_RELIABLE, BH_DURABILITY_VOLATILE, 10, { 0, 0 } };

/* Sets the reason of the failure that the present call returns. */
static bh_status refuse(const bh_host *host, bh_status status, const char *reason)
{
    host->explain(host, bh_str_from(reason));
    return status;
}

/* Finds the joint that the parameter `joint` names. */
static bh_status find_joint(struct @name@ *self, const bh_host_model *model, const bh_host_params *params)
{
    bh_str wanted;
    if (params->get(self->host, bh_str_lit("joint"), &wanted) < 0) {
        return refuse(self->host, BH_STATUS_INVALID_ARG, "write <joint>, the name of a joint of the model");
    }
    for (uint32_t at = 0;; at++) {
        bh_joint_info joint = { .struct_size = BH_SIZE(bh_joint_info) };
        if (model->joint(self->host, at, &joint) < 0) {
            return refuse(self->host, BH_STATUS_INVALID_ARG, "the model has no joint with the name in <joint>");
        }
        if (bh_str_equal(joint.name, wanted)) {
            self->joint = joint.joint;
            return BH_STATUS_OK;
        }
    }
}

/* Looks up host services, the joint and the topic of the commands. [main] */
static bh_status awake(void *ctx)
{
    struct @name@ *self = ctx;
    self->bus = self->host->get_extension(self->host, bh_str_lit(BH_EXT_BUS));
    self->command = self->host->get_extension(self->host, bh_str_lit(BH_EXT_COMMAND));
    const bh_host_model *model = self->host->get_extension(self->host, bh_str_lit(BH_EXT_MODEL));
    const bh_host_params *params = self->host->get_extension(self->host, bh_str_lit(BH_EXT_PARAMS));
    if (self->bus == NULL || self->command == NULL || model == NULL || params == NULL) {
        return refuse(self->host, BH_STATUS_UNSUPPORTED, "the host offers no bus, commands, model or parameters");
    }
    bh_status status = find_joint(self, model, params);
    if (status < 0) {
        return status;
    }
    status = self->bus->subscribe(self->host, bh_str_lit("@name@"), bh_str_lit("bridgehead.std_msgs.v1.Float64"),
                                  &COMMAND_QOS, &self->subscription);
    return status < 0 ? refuse(self->host, status, "cannot subscribe to the topic") : BH_STATUS_OK;
}

/* The state of the plugin is again as before the first step. [sim] */
static bh_status reset(void *ctx, uint32_t scope)
{
    (void)scope;
    struct @name@ *self = ctx;
    self->speed = 0.0;
    return BH_STATUS_OK;
}

/* Float64: field 1, wire type 64 bit, little-endian; an absent field is 0. Returns NaN for anything else. */
static double decode_float64(const uint8_t *bytes, size_t len)
{
    if (len == 0) {
        return 0.0;
    }
    if (len != 9 || bytes[0] != ((1 << 3) | 1)) {
        return NAN;
    }
    uint64_t bits = 0;
    for (size_t at = 0; at < 8; at++) {
        bits |= (uint64_t)bytes[1 + at] << (8 * at);
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* After all samples of the step: the last valid command holds. [sim] */
static bh_status control(void *ctx, const bh_step_info *step)
{
    (void)step;
    struct @name@ *self = ctx;
    bh_message message = { .struct_size = BH_SIZE(bh_message) };
    while (self->bus->take(self->subscription, &message) == BH_STATUS_OK) {
        double speed = decode_float64(message.payload->data, message.payload->len);
        if (isfinite(speed)) {
            self->speed = speed;
        }
    }
    return self->command->joint_velocity(self->host, self->joint, self->speed, MAX_EFFORT);
}

/* Writes what a snapshot needs. [sim] */
static bh_status save(void *ctx, const bh_state_writer *writer)
{
    struct @name@ *self = ctx;
    uint8_t bytes[1 + sizeof self->speed] = { STATE_VERSION };
    memcpy(bytes + 1, &self->speed, sizeof self->speed);
    return writer->write(writer, (bh_bytes){ bytes, sizeof bytes });
}

/* Restores it after the first `reset` of a restored run. [sim] */
static bh_status load(void *ctx, bh_bytes state)
{
    struct @name@ *self = ctx;
    if (state.len != 1 + sizeof self->speed || state.ptr[0] != STATE_VERSION) {
        return refuse(self->host, BH_STATUS_INVALID_ARG, "the snapshot is of another version of the plugin");
    }
    memcpy(&self->speed, state.ptr + 1, sizeof self->speed);
    return BH_STATUS_OK;
}

/* This plugin has no extensions. [any] */
static const void *get_extension(void *ctx, bh_str id)
{
    (void)ctx;
    (void)id;
    return NULL;
}

/* The subscription belongs to the host and ends with the instance. [main] */
static void destroy(void *ctx)
{
    free(ctx);
}

/* This plugin has no message types of its own. [main] */
static bh_status register_types(const bh_host *host)
{
    (void)host;
    return BH_STATUS_OK;
}

/* One instance per element of the world. The host must not be called here, not even to log. [main] */
static bh_status create(const bh_host *host, bh_model_instance *out)
{
    struct @name@ *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return BH_STATUS_FATAL;
    }
    self->host = host;
    *out = (bh_model_instance){
        .struct_size = BH_SIZE(bh_model_instance),
        .ctx = self,
        .awake = awake,
        .reset = reset,
        .control = control,
        .save = save,
        .load = load,
        .get_extension = get_extension,
        .destroy = destroy,
    };
    return BH_STATUS_OK;
}

static const bh_model_factory factory = { BH_SIZE(bh_model_factory), 0, register_types, create };

BH_EXPORT_PLUGIN(MODEL, "@id@", "@name@", "0.1.0", "@vendor@", "MIT OR Apache-2.0",
                 BH_QUOTE(BH_EXT_BUS) "," BH_QUOTE(BH_EXT_COMMAND) "," BH_QUOTE(BH_EXT_MODEL), &factory)
