/*
 * A model plugin in C99 that uses messages with many fields without a protobuf library: it takes scans from topic
 * `scan` (sensor_msgs LaserScan) and publishes where the nearest hit of each is, in the frame of the scan, on topic
 * `nearest` (geometry_msgs PoseStamped).
 *
 * The host reads fields by their path and makes messages of JSON: extension `bridgehead.encodings/1`. The functions that
 * every model plugin has are explained in heartbeat.c.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bridgehead.h"

#define SCAN "bridgehead.sensor_msgs.v1.LaserScan"
#define POSE "bridgehead.geometry_msgs.v1.PoseStamped"

struct nearest {
    const bh_host *host;
    const bh_host_bus *bus;
    const bh_host_encodings *encodings;
    void *scans;
    void *poses;
    uint32_t pose_type;
    double *ranges; /* of the last scan */
    size_t capacity;
};

static const bh_qos QOS = { BH_SIZE(bh_qos), BH_RELIABILITY_BEST_EFFORT, BH_DURABILITY_VOLATILE, 5, { 0, 0 } };

/* Without an extension in `requires` the host would refuse the library, so none of these is null. [main] */
static bh_status awake(void *ctx)
{
    struct nearest *self = ctx;
    const bh_host *host = self->host;
    self->bus = host->get_extension(host, bh_str_lit(BH_EXT_BUS));
    self->encodings = host->get_extension(host, bh_str_lit(BH_EXT_ENCODINGS));
    const bh_host_types *types = host->get_extension(host, bh_str_lit(BH_EXT_TYPES));
    bh_type_desc pose = { .struct_size = BH_SIZE(bh_type_desc) };
    bh_status status = types->find(host, bh_str_lit(POSE), &pose);
    if (status < 0) {
        host->explain(host, bh_str_lit("the host has no type " POSE));
        return status;
    }
    self->pose_type = pose.type_id;
    status = self->bus->subscribe(host, bh_str_lit("scan"), bh_str_lit(SCAN), &QOS, &self->scans);
    if (status < 0) {
        return status;
    }
    return self->bus->advertise(host, bh_str_lit("nearest"), bh_str_lit(POSE), &QOS, &self->poses);
}

static bh_status reset(void *ctx, uint32_t scope)
{
    (void)ctx;
    (void)scope;
    return BH_STATUS_OK;
}

/* Reads all ranges; the number of them is known after the first call, which writes none. */
static bh_status read_ranges(struct nearest *self, const bh_message *scan, bh_bytes payload, size_t *count)
{
    const bh_str path = BH_STR_INIT("ranges");
    for (;;) {
        bh_status status = self->encodings->numbers(self->host, scan->type_id, payload, path, self->ranges,
                                                    self->capacity, count);
        if (status < 0 || *count <= self->capacity) {
            return status;
        }
        double *more = realloc(self->ranges, *count * sizeof *more);
        if (more == NULL) {
            return BH_STATUS_FATAL;
        }
        self->ranges = more;
        self->capacity = *count;
    }
}

/* Publishes a place in the frame of the scan. The frame id is that of a link, which needs no escapes in JSON. */
static bh_status publish(struct nearest *self, const bh_message *scan, bh_str frame, double azimuth, double range)
{
    char json[512];
    int len = snprintf(json, sizeof json,
                       "{\"header\": {\"stamp\": {\"sec\": %lld, \"nanosec\": %lld}, \"frame_id\": \"%.*s\"}, "
                       "\"pose\": {\"position\": {\"x\": %.17g, \"y\": %.17g}, \"orientation\": {\"w\": 1}}}",
                       (long long)(scan->stamp_ns / 1000000000), (long long)(scan->stamp_ns % 1000000000),
                       (int)frame.len, frame.ptr, range * cos(azimuth), range * sin(azimuth));
    if (len < 0 || (size_t)len >= sizeof json) {
        return BH_STATUS_INVALID_ARG;
    }
    const bh_bytes text = { (const uint8_t *)json, (size_t)len };
    const bh_buffer *pose = NULL;
    bh_status status = self->encodings->decode(self->host, self->pose_type, BH_ENCODING_JSON, text, &pose);
    if (status < 0) {
        return status;
    }
    status = self->bus->publish(self->poses, scan->stamp_ns, pose);
    pose->release(pose);
    return status;
}

/* Finds the nearest hit of a scan. Ranges without a hit are infinite or no number. */
static bh_status answer(struct nearest *self, const bh_message *scan)
{
    const bh_host *host = self->host;
    const bh_host_encodings *encodings = self->encodings;
    const bh_bytes payload = { scan->payload->data, scan->payload->len };
    double first = 0, increment = 0;
    bh_str frame = BH_STR_INIT("");
    size_t count = 0;
    bh_status status = read_ranges(self, scan, payload, &count);
    if (status >= 0) {
        status = encodings->number(host, scan->type_id, payload, bh_str_lit("angle_min"), &first);
    }
    if (status >= 0) {
        status = encodings->number(host, scan->type_id, payload, bh_str_lit("angle_increment"), &increment);
    }
    if (status >= 0) {
        status = encodings->text(host, scan->type_id, payload, bh_str_lit("header.frame_id"), &frame);
    }
    if (status < 0) {
        return status;
    }
    size_t best = count;
    for (size_t at = 0; at < count; at++) {
        if (isfinite(self->ranges[at]) && (best == count || self->ranges[at] < self->ranges[best])) {
            best = at;
        }
    }
    if (best == count) {
        return BH_STATUS_OK;
    }
    return publish(self, scan, frame, first + (double)best * increment, self->ranges[best]);
}

/* After all samples: every scan of this step. [sim] */
static bh_status control(void *ctx, const bh_step_info *step)
{
    (void)step;
    struct nearest *self = ctx;
    bh_status status = BH_STATUS_OK;
    bh_message scan = { .struct_size = BH_SIZE(bh_message) };
    while (status >= 0 && self->bus->take(self->scans, &scan) == BH_STATUS_OK) {
        status = answer(self, &scan);
    }
    return status;
}

static const void *get_extension(void *ctx, bh_str id)
{
    (void)ctx;
    (void)id;
    return NULL;
}

static void destroy(void *ctx)
{
    struct nearest *self = ctx;
    free(self->ranges);
    free(self);
}

static bh_status register_types(const bh_host *host)
{
    (void)host;
    return BH_STATUS_OK;
}

static bh_status create(const bh_host *host, bh_model_instance *out)
{
    struct nearest *self = calloc(1, sizeof *self);
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
        .get_extension = get_extension,
        .destroy = destroy,
    };
    return BH_STATUS_OK;
}

static const bh_model_factory factory = { BH_SIZE(bh_model_factory), 0, register_types, create };

BH_EXPORT_PLUGIN(MODEL, "org.bridgehead.example.nearest", "nearest", "0.1.0", "The Bridgehead developers",
                 "MIT OR Apache-2.0",
                 BH_QUOTE(BH_EXT_BUS) "," BH_QUOTE(BH_EXT_ENCODINGS) "," BH_QUOTE(BH_EXT_TYPES), &factory)
