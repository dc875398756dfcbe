/*
 * The golden model plugin in C99: publishes the air pressure of its vehicle, multiplied by its parameter `factor`, on
 * the topic `meter_c`.
 */
#include <stdlib.h>
#include <string.h>

#include "bridgehead.h"

struct meter {
    const bh_host *host;
    const bh_host_bus *bus;
    void *pressure;
    void *publisher;
    double factor;
};

static const bh_qos QOS = { BH_SIZE(bh_qos), BH_RELIABILITY_RELIABLE, BH_DURABILITY_VOLATILE, 16, { 0, 0 } };

/* Reads the parameter `factor`; 2 without it. */
static double factor_of(const bh_host *host)
{
    const bh_host_params *params = host->get_extension(host, bh_str_lit(BH_EXT_PARAMS));
    bh_str text;
    char digits[32] = "2";
    if (params != NULL && params->get(host, bh_str_lit("factor"), &text) == BH_STATUS_OK && text.len < sizeof digits) {
        memcpy(digits, text.ptr, text.len);
        digits[text.len] = '\0';
    }
    return strtod(digits, NULL);
}

/* [main] */
static bh_status awake(void *ctx)
{
    struct meter *self = ctx;
    const bh_str type = BH_STR_INIT("bridgehead.sensor_msgs.v1.FluidPressure");
    self->bus = self->host->get_extension(self->host, bh_str_lit(BH_EXT_BUS));
    if (self->bus == NULL) {
        return BH_STATUS_UNSUPPORTED;
    }
    self->factor = factor_of(self->host);
    bh_status status =
        self->bus->subscribe(self->host, bh_str_lit("air_pressure"), type, &QOS, &self->pressure);
    if (status < 0) {
        return status;
    }
    return self->bus->advertise(self->host, bh_str_lit("meter_c"), type, &QOS, &self->publisher);
}

/* [sim] */
static bh_status reset(void *ctx, uint32_t scope)
{
    (void)ctx;
    (void)scope;
    return BH_STATUS_OK;
}

/* Copies the header and the pressure of a FluidPressure, fields 1 and 2, and multiplies the pressure. Lengths of a header
 * fit into one byte. */
static size_t convert(const struct meter *self, const bh_buffer *payload, uint8_t *out)
{
    const uint8_t *at = payload->data, *end = at + payload->len;
    size_t len = 0;
    if (end - at >= 2 && at[0] == ((1 << 3) | 2) && at[1] < 128 && end - at >= 2 + at[1]) {
        len = 2 + (size_t)at[1];
        memcpy(out, at, len);
        at += len;
    }
    if (end - at >= 9 && at[0] == ((2 << 3) | 1)) {
        double pressure;
        memcpy(&pressure, at + 1, sizeof pressure);
        pressure *= self->factor;
        out[len] = (2 << 3) | 1;
        memcpy(out + len + 1, &pressure, sizeof pressure);
        len += 9;
    }
    return len;
}

/* [sim] */
static bh_status control(void *ctx, const bh_step_info *step)
{
    struct meter *self = ctx;
    bh_message message = { .struct_size = BH_SIZE(bh_message) };
    while (self->bus->take(self->pressure, &message) == BH_STATUS_OK) {
        bh_loan loan = { .struct_size = BH_SIZE(bh_loan) };
        bh_status status = self->bus->loan(self->publisher, message.payload->len + 9, &loan);
        if (status < 0) {
            return status;
        }
        size_t len = convert(self, message.payload, loan.data);
        status = self->bus->commit(self->publisher, step->time_ns, &loan, len);
        if (status < 0) {
            return status;
        }
    }
    return BH_STATUS_OK;
}

/* [any] */
static const void *get_extension(void *ctx, bh_str id)
{
    (void)ctx;
    (void)id;
    return NULL;
}

/* [main] */
static void destroy(void *ctx)
{
    free(ctx);
}

/* [main] */
static bh_status register_types(const bh_host *host)
{
    (void)host;
    return BH_STATUS_OK;
}

/* [main] */
static bh_status create(const bh_host *host, bh_model_instance *out)
{
    struct meter *self = calloc(1, sizeof *self);
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

BH_EXPORT_PLUGIN(MODEL, "org.example.golden.meter_c", "meter_c", "1.0.0", "Example", "MIT", BH_QUOTE(BH_EXT_BUS),
                 &factory)
