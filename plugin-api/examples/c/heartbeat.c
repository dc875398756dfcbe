/*
 * A model plugin in C99: publishes the simulated time once per simulated second on topic `heartbeat`
 * (std_msgs Float64) and logs what arrives on topic `note` (std_msgs String).
 *
 * Messages are protobuf; these two have one field each, so they are encoded and decoded by hand. A plugin
 * with larger messages generates its code from the .proto files with the protobuf compiler of its choice.
 * The tag at the end of each comment is the thread that calls the function.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include "bridgehead.h"

static const int64_t PERIOD_NS = 1000000000;

struct heartbeat {
    const bh_host *host;
    const bh_host_bus *bus;
    const bh_host_log *log; /* null if the host offers none */
    void *publisher;
    void *subscription;
    int64_t next_ns; /* simulated time of the next beat */
};

static const bh_qos BEAT_QOS = { BH_SIZE(bh_qos), BH_RELIABILITY_RELIABLE, BH_DURABILITY_LATCHED, 1, { 0, 0 } };
static const bh_qos NOTE_QOS = { BH_SIZE(bh_qos), BH_RELIABILITY_RELIABLE, BH_DURABILITY_VOLATILE, 16, { 0, 0 } };

static bh_status refuse(const bh_host *host, bh_status status, const char *reason)
{
    host->explain(host, bh_str_from(reason));
    return status;
}

/* Looks up host services and opens both topics; the host adds the vehicle's name in front. [main] */
static bh_status awake(void *ctx)
{
    struct heartbeat *self = ctx;
    self->log = self->host->get_extension(self->host, bh_str_lit(BH_EXT_LOG));
    self->bus = self->host->get_extension(self->host, bh_str_lit(BH_EXT_BUS));
    if (self->bus == NULL) {
        return refuse(self->host, BH_STATUS_UNSUPPORTED, "the host offers no " BH_EXT_BUS);
    }
    const bh_str number = BH_STR_INIT("bridgehead.std_msgs.v1.Float64");
    const bh_str text = BH_STR_INIT("bridgehead.std_msgs.v1.String");
    bh_status status =
        self->bus->advertise(self->host, bh_str_lit("heartbeat"), number, &BEAT_QOS, &self->publisher);
    if (status < 0) {
        return refuse(self->host, status, "cannot advertise topic `heartbeat`");
    }
    status = self->bus->subscribe(self->host, bh_str_lit("note"), text, &NOTE_QOS, &self->subscription);
    return status < 0 ? refuse(self->host, status, "cannot subscribe to topic `note`") : BH_STATUS_OK;
}

/* Time may run backwards here. Also called once before the first step. [sim] */
static bh_status reset(void *ctx, uint32_t scope)
{
    struct heartbeat *self = ctx;
    if (scope == BH_SCOPE_DEFAULT || (scope & BH_SCOPE_TIME) != 0) {
        self->next_ns = 0;
    }
    return BH_STATUS_OK;
}

/* Float64: field 1, wire type 64 bit, little-endian. 0.0 is the default and is omitted. */
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

/* After physics: the heartbeat is written directly into memory of the host. [sim] */
static bh_status sample(void *ctx, const bh_step_info *step)
{
    struct heartbeat *self = ctx;
    if (step->time_ns < self->next_ns) {
        return BH_STATUS_OK;
    }
    self->next_ns = step->time_ns - step->time_ns % PERIOD_NS + PERIOD_NS;
    bh_loan loan = { .struct_size = BH_SIZE(bh_loan) };
    bh_status status = self->bus->loan(self->publisher, 9, &loan);
    if (status < 0) {
        return refuse(self->host, status, "no memory for a heartbeat");
    }
    size_t len = encode_float64(loan.data, (double)step->time_ns * 1e-9);
    return self->bus->commit(self->publisher, step->time_ns, &loan, len);
}

/* String: field 1, wire type length-delimited. Takes texts below 128 bytes, whose length is one byte. */
static bh_str decode_string(const bh_buffer *payload)
{
    const uint8_t *bytes = payload->data;
    if (payload->len < 2 || bytes[0] != ((1 << 3) | 2) || bytes[1] != payload->len - 2 || bytes[1] >= 128) {
        return bh_str_lit("");
    }
    return bh_str_of((const char *)bytes + 2, bytes[1]);
}

/* After all samples: every message that arrived for this step. [sim] */
static bh_status control(void *ctx, const bh_step_info *step)
{
    (void)step;
    struct heartbeat *self = ctx;
    bh_message message = { .struct_size = BH_SIZE(bh_message) };
    while (self->bus->take(self->subscription, &message) == BH_STATUS_OK) {
        if (self->log != NULL && self->log->enabled(self->host, BH_LOG_INFO)) {
            bh_log_record record = { .struct_size = BH_SIZE(bh_log_record), .level = BH_LOG_INFO };
            record.text = decode_string(message.payload);
            self->log->write(self->host, &record);
        }
    }
    return BH_STATUS_OK;
}

/* This plugin has no extensions. [any] */
static const void *get_extension(void *ctx, bh_str id)
{
    (void)ctx;
    (void)id;
    return NULL;
}

/* Publisher and subscription belong to the host and end with the instance. [main] */
static void destroy(void *ctx)
{
    free(ctx);
}

/* The host's types are enough, so there is nothing to register. [main] */
static bh_status register_types(const bh_host *host)
{
    (void)host;
    return BH_STATUS_OK;
}

/* The host must not be called before `awake`. [main] */
static bh_status create(const bh_host *host, bh_model_instance *out)
{
    struct heartbeat *self = calloc(1, sizeof *self);
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
        .control = control,
        .get_extension = get_extension,
        .destroy = destroy,
    };
    return BH_STATUS_OK;
}

static const bh_model_factory factory = { BH_SIZE(bh_model_factory), 0, register_types, create };

BH_EXPORT_PLUGIN(MODEL, "org.bridgehead.example.heartbeat", "heartbeat", "0.1.0", "The Bridgehead developers",
                 "MIT OR Apache-2.0", BH_QUOTE(BH_EXT_BUS), &factory)
