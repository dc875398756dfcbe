// The golden bridge in C++17: writes each air pressure that it receives into the file that its connection string names.

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>

#include "bridgehead.h"

namespace {

struct tape {
    const bh_host *host;
    std::FILE *file = nullptr;
    std::atomic<uint32_t> status{ BH_BRIDGE_STATUS_DISCONNECTED };
};

tape &self_of(void *ctx) { return *static_cast<tape *>(ctx); }

// Field 2 of a FluidPressure, behind a header whose length fits into one byte.
uint64_t pressure_bits(const bh_buffer *payload)
{
    const uint8_t *at = payload->data, *end = at + payload->len;
    if (end - at >= 2 && at[0] == ((1 << 3) | 2)) {
        at += 2 + at[1];
    }
    uint64_t bits = 0;
    if (end - at >= 9 && at[0] == ((2 << 3) | 1)) {
        std::memcpy(&bits, at + 1, sizeof bits);
    }
    return bits;
}

bh_status validate(const bh_host *host, bh_str connection)
{
    if (connection.len > 0) {
        return BH_STATUS_OK;
    }
    host->explain(host, bh_str_lit("a file is needed"));
    return BH_STATUS_INVALID_ARG;
}

bh_status connect(void *ctx, bh_str connection)
{
    tape &self = self_of(ctx);
    return bh_guard(self.host, [&] {
        const std::string path(reinterpret_cast<const char *>(connection.ptr), connection.len);
        self.file = std::fopen(path.c_str(), "w");
        if (self.file == nullptr) {
            return BH_STATUS_IO;
        }
        self.status = BH_BRIDGE_STATUS_CONNECTED;
        return BH_STATUS_OK;
    });
}

bh_status disconnect(void *ctx)
{
    tape &self = self_of(ctx);
    self.status = BH_BRIDGE_STATUS_DISCONNECTED;
    if (self.file != nullptr) {
        std::fclose(self.file);
        self.file = nullptr;
    }
    return BH_STATUS_OK;
}

uint32_t status_of(void *ctx) { return self_of(ctx).status; }

bh_status tx_run(void *ctx, const bh_tx_context *tx)
{
    bh_tx_message out = {};
    out.struct_size = BH_SIZE(bh_tx_message);
    bh_status status = BH_STATUS_OK;
    while ((status = tx->next(tx, -1, &out)) == BH_STATUS_OK) {
        const bh_message &message = out.message;
        std::fprintf(self_of(ctx).file, "%.*s %" PRIu64 " %" PRId64 " %016" PRIx64 "\n", static_cast<int>(message.topic.len),
                     reinterpret_cast<const char *>(message.topic.ptr), message.step, message.stamp_ns,
                     pressure_bits(message.payload));
    }
    return status == BH_STATUS_INTERRUPTED ? BH_STATUS_OK : status;
}

void destroy_publisher(void *) {}

bh_status create_publisher(void *, void *instance, const bh_channel *, bh_endpoint *out)
{
    *out = { instance, destroy_publisher };
    return BH_STATUS_OK;
}

bh_status register_types(const bh_registrar *registrar)
{
    static const bh_publisher_creator creator = { nullptr, create_publisher };
    return registrar->add_publisher(registrar, bh_str_lit("bridgehead.sensor_msgs.v1.FluidPressure"), &creator);
}

const void *get_extension(void *, bh_str) { return nullptr; }

void destroy(void *ctx) { delete static_cast<tape *>(ctx); }

bh_status create(const bh_host *host, bh_bridge_instance *out)
{
    tape *self = new (std::nothrow) tape;
    if (self == nullptr) {
        return BH_STATUS_FATAL;
    }
    self->host = host;
    bh_bridge_instance instance = {};
    instance.struct_size = BH_SIZE(bh_bridge_instance);
    instance.ctx = self;
    instance.connect = connect;
    instance.disconnect = disconnect;
    instance.status = status_of;
    instance.tx_run = tx_run;
    instance.get_extension = get_extension;
    instance.destroy = destroy;
    *out = instance;
    return BH_STATUS_OK;
}

const bh_bridge_factory factory = { BH_SIZE(bh_bridge_factory), 0, register_types, validate, create };

} // namespace

BH_EXPORT_PLUGIN(BRIDGE, "org.example.golden.tape_cpp", "tape_cpp", "1.0.0", "Example", "MIT", "", &factory)
