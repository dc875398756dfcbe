/*
 * The sensor `@name@`: publishes how fast its link moves along its own x axis, as std_msgs Float64, m/s.
 *
 * The tag at the end of each comment is the thread that calls the function.
 */
#include <stdlib.h>
#include <string.h>

/* What the plugin keeps from step to step: nothing that a snapshot of a run needs. */
#define BH_PLUGIN_STATE "nothing"
#include "bridgehead.h"

struct @name@ {
    const bh_host *host;
    const bh_host_bus *bus;
    const bh_host_world *world;
    uint32_t link;
    bh_pose mount;     /* pose of the sensor in its link */
    int64_t period_ns; /* 0: a sample in each step */
    void *publisher;
};

static const bh_qos SENSOR_QOS = { BH_SIZE(bh_qos), BH_RELIABILITY_BEST_EFFORT, BH_DURABILITY_VOLATILE, 5, { 0, 0 } };

/* Sets the reason of the failure that the present call returns. */
static bh_status refuse(const bh_host *host, bh_status status, const char *reason)
{
    host->explain(host, bh_str_from(reason));
    return status;
}

/* Looks up host services, and opens the topic of the <sensor> element. [main] */
static bh_status awake(void *ctx)
{
    struct @name@ *self = ctx;
    self->bus = self->host->get_extension(self->host, bh_str_lit(BH_EXT_BUS));
    self->world = self->host->get_extension(self->host, bh_str_lit(BH_EXT_WORLD));
    const bh_host_model *model = self->host->get_extension(self->host, bh_str_lit(BH_EXT_MODEL));
    if (self->bus == NULL || self->world == NULL || model == NULL) {
        return refuse(self->host, BH_STATUS_UNSUPPORTED, "the host offers no bus, world or model");
    }
    bh_attachment attachment = { .struct_size = BH_SIZE(bh_attachment) };
    bh_status status = model->attachment(self->host, &attachment);
    if (status < 0) {
        return status;
    }
    if (attachment.parent_link == BH_NO_LINK) {
        return refuse(self->host, BH_STATUS_INVALID_ARG, "put the <sensor> element into a <link>");
    }
    self->link = attachment.parent_link;
    self->mount = attachment.pose;
    self->period_ns = attachment.update_period_ns;
    bh_str topic = attachment.topic.len > 0 ? attachment.topic : bh_str_lit("@name@");
    status = self->bus->advertise(self->host, topic, bh_str_lit("bridgehead.std_msgs.v1.Float64"), &SENSOR_QOS,
                                  &self->publisher);
    return status < 0 ? refuse(self->host, status, "cannot advertise the topic") : BH_STATUS_OK;
}

/* Nothing changes during a run. [sim] */
static bh_status reset(void *ctx, uint32_t scope)
{
    (void)ctx;
    (void)scope;
    return BH_STATUS_OK;
}

/* Float64: field 1, wire type 64 bit, little-endian. 0.0 is the default and is omitted. Returns the length. */
static size_t encode_float64(uint8_t *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (bits == 0) {
        return 0;
    }
    out[0] = (1 << 3) | 1;
    for (size_t at = 0; at < 8; at++) {
        out[1 + at] = (uint8_t)(bits >> (8 * at));
    }
    return 9;
}

/* The product of two quaternions, each x, y, z, w. */
static void multiply(const double a[4], const double b[4], double out[4])
{
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/* The x axis of a frame in the frame of its parent. */
static void x_axis(const double q[4], double out[3])
{
    out[0] = 1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]);
    out[1] = 2.0 * (q[0] * q[1] + q[3] * q[2]);
    out[2] = 2.0 * (q[0] * q[2] - q[3] * q[1]);
}

/* True in each step in which a sample is due. */
static int is_due(int64_t period_ns, const bh_step_info *step)
{
    int64_t before = step->time_ns - step->width_ns;
    return period_ns <= step->width_ns || step->time_ns / period_ns != before / period_ns;
}

/* After each step. Nothing is computed if nobody listens. [sim] */
static bh_status sample(void *ctx, const bh_step_info *step)
{
    struct @name@ *self = ctx;
    if (!is_due(self->period_ns, step) || self->bus->listeners(self->publisher) == 0) {
        return BH_STATUS_OK;
    }
    bh_link_state state = { .struct_size = BH_SIZE(bh_link_state) };
    bh_status status = self->world->link_state(self->host, self->link, &state);
    if (status < 0) {
        return status;
    }
    double axis[3];
    double orientation[4];
    multiply(state.pose.orientation, self->mount.orientation, orientation);
    x_axis(orientation, axis);
    double speed = axis[0] * state.linear[0] + axis[1] * state.linear[1] + axis[2] * state.linear[2];
    bh_loan loan = { .struct_size = BH_SIZE(bh_loan) };
    status = self->bus->loan(self->publisher, 9, &loan);
    if (status < 0) {
        return refuse(self->host, status, "no memory for a sample");
    }
    return self->bus->commit(self->publisher, step->time_ns, &loan, encode_float64(loan.data, speed));
}

/* This plugin has no extensions. [any] */
static const void *get_extension(void *ctx, bh_str id)
{
    (void)ctx;
    (void)id;
    return NULL;
}

/* The publisher belongs to the host and ends with the instance. [main] */
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
        .sample = sample,
        .get_extension = get_extension,
        .destroy = destroy,
    };
    return BH_STATUS_OK;
}

static const bh_model_factory factory = { BH_SIZE(bh_model_factory), 0, register_types, create };

BH_EXPORT_PLUGIN(MODEL, "@id@", "@name@", "0.1.0", "@vendor@", "MIT OR Apache-2.0",
                 BH_QUOTE(BH_EXT_BUS) "," BH_QUOTE(BH_EXT_MODEL) "," BH_QUOTE(BH_EXT_WORLD), &factory)
