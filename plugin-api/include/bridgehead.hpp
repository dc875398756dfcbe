/*
 * Plugins of Bridgehead in C++17: classes over the C ABI in `bridgehead.h`, without a library of their own.
 *
 * Derive from `bridgehead::ModelPlugin` or `bridgehead::Bridge`, and export the class once per library with
 * BRIDGEHEAD_EXPORT_MODEL or BRIDGEHEAD_EXPORT_BRIDGE. Exceptions end at the boundary: a `bridgehead::Error` is a
 * failure with its text; any other exception disables the plugin, as a panic of a plugin in Rust does. Messages are
 * protobuf; use the library of your choice, or encode small ones by hand.
 *
 * The tag at the end of each comment is the thread that calls the function, see `bridgehead.h`.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef BRIDGEHEAD_HPP
#define BRIDGEHEAD_HPP

#include <locale.h>
#include <stdlib.h>

#include <atomic>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "bridgehead.h"

namespace bridgehead {

/** A text of the ABI, valid as long as that text. */
inline std::string_view view(bh_str text)
{
    return {reinterpret_cast<const char *>(text.ptr), text.len};
}

/** A text for the ABI, valid as long as `text`. */
inline bh_str str(std::string_view text)
{
    return bh_str_of(text.data(), text.size());
}

/** A failure of a call: the user reads its text beside the name of the plugin. */
class Error : public std::runtime_error {
public:
    explicit Error(const std::string &text, bh_status status = BH_STATUS_INVALID_ARG)
        : std::runtime_error(text), status_(status)
    {
    }
    bh_status status() const noexcept { return status_; }

private:
    bh_status status_;
};

/** Throws unless a call of the host succeeded. */
inline void check(bh_status status, const std::string &what)
{
    if (status < 0) {
        throw Error(what + " failed with status " + std::to_string(status), status);
    }
}

/** A connection string, split in the grammar of all bridges: `TARGET;key=value;…`. Valid as long as its text. */
class Connection {
public:
    /** Throws if a key is none of `keys`, or is given twice. */
    explicit Connection(std::string_view text, std::initializer_list<const char *> keys = {})
    {
        for (const char *name : keys) {
            bh_connection_key key{};
            key.name = name;
            keys_.push_back(key);
        }
        bh_str target{}, wrong{};
        const int found = bh_connection_read(str(text), &target, keys_.data(), keys_.size(), &wrong);
        if (found != 0) {
            const char *what = found == BH_CONNECTION_UNKNOWN_KEY ? "has an unknown key"
                : found == BH_CONNECTION_GIVEN_TWICE              ? "is given twice"
                                                                  : "is not of the form key=value";
            throw Error("connection string: `" + std::string(view(wrong)) + "` " + what);
        }
        target_ = view(target);
    }

    /** Returns what comes before the options; empty if it is left out. */
    std::string_view target() const { return target_; }

    /** Returns the value of a key, if it is given. */
    std::optional<std::string_view> option(std::string_view key) const
    {
        for (const bh_connection_key &known : keys_) {
            if (key == known.name && known.value.ptr != nullptr) {
                return view(known.value);
            }
        }
        return std::nullopt;
    }

private:
    std::vector<bh_connection_key> keys_;
    std::string_view target_;
};

/** The host, as one instance sees it. Copies are equal. */
class Host {
public:
    explicit Host(const bh_host *raw) : raw_(raw) {}
    const bh_host *raw() const { return raw_; }

    /** Returns a table of functions, or null if the host does not have it: `find<bh_host_clock>(BH_EXT_CLOCK)`. */
    template <class Table> const Table *find(std::string_view id) const
    {
        return static_cast<const Table *>(raw_->get_extension(raw_, str(id)));
    }

    /** Returns a table of functions that the plugin cannot do without. */
    template <class Table> const Table *require(std::string_view id) const
    {
        const Table *found = find<Table>(id);
        if (found == nullptr) {
            throw Error("the host does not offer " + std::string(id), BH_STATUS_UNSUPPORTED);
        }
        return found;
    }

    /** Writes a line into the log of the host; `level` is one of BH_LOG_INFO and the like. [any] */
    void log(uint32_t level, std::string_view text) const
    {
        const auto *table = find<bh_host_log>(BH_EXT_LOG);
        if (table != nullptr && table->enabled(raw_, level) != 0) {
            bh_log_record record{};
            record.struct_size = BH_SIZE(bh_log_record);
            record.level = level;
            record.text = str(text);
            table->write(raw_, &record);
        }
    }

    /** Returns a parameter of the element, if it is there. [main] */
    std::optional<std::string> param(std::string_view path) const
    {
        bh_str value{};
        const auto *table = require<bh_host_params>(BH_EXT_PARAMS);
        if (table->get(raw_, str(path), &value) < 0) {
            return std::nullopt;
        }
        return std::string(view(value));
    }

    /** Returns a parameter as a number, or `missing` if it is not there. [main] */
    double number(std::string_view path, double missing) const
    {
        const auto text = param(path);
        if (!text) {
            return missing;
        }
        /* Another plugin may have set a locale with another decimal point. */
        static const locale_t locale = newlocale(LC_ALL_MASK, "C", static_cast<locale_t>(0));
        char *end = nullptr;
        const double value = strtod_l(text->c_str(), &end, locale);
        if (end == text->c_str() || std::string_view(end).find_first_not_of(" \t\n") != std::string_view::npos) {
            throw Error("parameter `" + std::string(path) + "` is `" + *text + "`; expected a number");
        }
        return value;
    }

    /** Returns where the plugin is attached: its link, pose, topic and rate. [main] */
    bh_attachment attachment() const
    {
        bh_attachment out{};
        out.struct_size = BH_SIZE(bh_attachment);
        check(require<bh_host_model>(BH_EXT_MODEL)->attachment(raw_, &out), "reading the attachment");
        return out;
    }

    /** Returns a joint of the model by its name. [main] */
    bh_joint_info joint(std::string_view name) const
    {
        const auto *table = require<bh_host_model>(BH_EXT_MODEL);
        for (uint32_t at = 0;; at++) {
            bh_joint_info out{};
            out.struct_size = BH_SIZE(bh_joint_info);
            if (table->joint(raw_, at, &out) < 0) {
                throw Error("the model has no joint `" + std::string(name) + "`");
            }
            if (view(out.name) == name) {
                return out;
            }
        }
    }

private:
    const bh_host *raw_;
};

/** Quality of service: reliable or not, latched or not, and the length of queues. */
inline bh_qos qos(bool reliable, bool latched, uint32_t depth)
{
    bh_qos out{};
    out.struct_size = BH_SIZE(bh_qos);
    out.reliability = reliable ? BH_RELIABILITY_RELIABLE : BH_RELIABILITY_BEST_EFFORT;
    out.durability = latched ? BH_DURABILITY_LATCHED : BH_DURABILITY_VOLATILE;
    out.depth = depth;
    return out;
}

/** A topic that the plugin publishes on. It ends with the instance. */
class Publisher {
public:
    Publisher() = default;
    /** Opens the topic; the host puts the name of the vehicle in front, unless it begins with `/`. [main] */
    Publisher(Host host, std::string_view topic, std::string_view type, const bh_qos &quality)
        : bus_(host.require<bh_host_bus>(BH_EXT_BUS))
    {
        check(bus_->advertise(host.raw(), str(topic), str(type), &quality, &raw_), "advertising a topic");
    }

    /** Returns true if somebody listens: nothing has to be computed otherwise. [any] */
    bool has_listeners() const { return bus_->listeners(raw_) > 0; }

    /** Publishes an encoded message. [any] */
    void publish(int64_t stamp_ns, const void *data, std::size_t len) const
    {
        bh_loan loan{};
        loan.struct_size = BH_SIZE(bh_loan);
        check(bus_->loan(raw_, len, &loan), "borrowing memory for a message");
        if (len > 0) {
            std::memcpy(loan.data, data, len);
        }
        check(bus_->commit(raw_, stamp_ns, &loan, len), "publishing a message");
    }

private:
    const bh_host_bus *bus_ = nullptr;
    void *raw_ = nullptr;
};

/** A topic that the plugin receives. It ends with the instance. */
class Subscription {
public:
    Subscription() = default;
    /** Opens the topic. [main] */
    Subscription(Host host, std::string_view topic, std::string_view type, const bh_qos &quality)
        : bus_(host.require<bh_host_bus>(BH_EXT_BUS))
    {
        check(bus_->subscribe(host.raw(), str(topic), str(type), &quality, &raw_), "subscribing to a topic");
    }

    /** Takes the next message, which stays valid until the next call. Returns null if there is none. [sim] */
    const bh_message *take()
    {
        message_ = bh_message{};
        message_.struct_size = BH_SIZE(bh_message);
        return bus_->take(raw_, &message_) == BH_STATUS_OK ? &message_ : nullptr;
    }

private:
    const bh_host_bus *bus_ = nullptr;
    void *raw_ = nullptr;
    bh_message message_{};
};

namespace detail {

/** Runs a call of the host, and turns exceptions into statuses. */
template <class Body> bh_status guard(const bh_host *host, Body &&body) noexcept
{
    try {
        body();
        return BH_STATUS_OK;
    } catch (const Error &error) {
        host->explain(host, bh_str_from(error.what()));
        return error.status();
    } catch (const std::exception &error) {
        host->explain(host, bh_str_from(error.what()));
    } catch (...) {
        host->explain(host, bh_str_lit("an exception that is not a std::exception"));
    }
    return BH_STATUS_PANIC;
}

inline const void *no_extension(void *, bh_str) noexcept
{
    return nullptr;
}

} // namespace detail

/** Writes what a snapshot keeps of a plugin. */
class StateWriter {
public:
    explicit StateWriter(const bh_state_writer *raw) : raw_(raw) {}
    void write(const void *data, std::size_t len) const
    {
        check(raw_->write(raw_, bh_bytes_of(data, len)), "writing the state");
    }

private:
    const bh_state_writer *raw_;
};

/** A sensor, a controller or a plugin of the world. Functions that are not overridden are not called. */
class ModelPlugin {
public:
    explicit ModelPlugin(Host host) : host(host) {}
    virtual ~ModelPlugin() = default;
    ModelPlugin(const ModelPlugin &) = delete;
    ModelPlugin &operator=(const ModelPlugin &) = delete;

    /** Reads parameters and opens topics. The constructor must not call the host. [main] */
    virtual void awake() {}
    /** Prepares a run. [main] */
    virtual void start() {}
    /** Restores the state after `start`; time may run backwards. Called once before the first step. [sim] */
    virtual void reset(uint32_t scope) = 0;
    /** After each step. [sim] */
    virtual void sample(const bh_step_info &) {}
    /** After the samples of each step. [sim] */
    virtual void control(const bh_step_info &) {}
    /** Ends a run. [main] */
    virtual void stop() {}
    /** Writes what a snapshot needs; define BH_PLUGIN_STATE as "saved". [sim] */
    virtual void save(const StateWriter &) {}
    /** Restores it after the first `reset` of a restored run. [sim] */
    virtual void load(const uint8_t *, std::size_t) {}

protected:
    const Host host;

    template <class Plugin> friend bh_status create_model(const bh_host *, bh_model_instance *) noexcept;
};

/** Fills the table of functions for a new instance; used by BRIDGEHEAD_EXPORT_MODEL. */
template <class Plugin> bh_status create_model(const bh_host *host, bh_model_instance *out) noexcept
{
    static_assert(std::is_base_of_v<ModelPlugin, Plugin>, "derive from bridgehead::ModelPlugin");
    return detail::guard(host, [&] {
        auto owned = std::make_unique<Plugin>(Host(host));
        bh_model_instance table{};
        table.struct_size = BH_SIZE(bh_model_instance);
        table.ctx = static_cast<ModelPlugin *>(owned.get());
        table.awake = [](void *ctx) noexcept {
            auto *self = static_cast<ModelPlugin *>(ctx);
            return detail::guard(self->host.raw(), [&] { self->awake(); });
        };
        table.start = [](void *ctx) noexcept {
            auto *self = static_cast<ModelPlugin *>(ctx);
            return detail::guard(self->host.raw(), [&] { self->start(); });
        };
        table.reset = [](void *ctx, uint32_t scope) noexcept {
            auto *self = static_cast<ModelPlugin *>(ctx);
            return detail::guard(self->host.raw(), [&] { self->reset(scope); });
        };
        if constexpr (!std::is_same_v<decltype(&Plugin::sample), decltype(&ModelPlugin::sample)>) {
            table.sample = [](void *ctx, const bh_step_info *step) noexcept {
                auto *self = static_cast<ModelPlugin *>(ctx);
                return detail::guard(self->host.raw(), [&] { self->sample(*step); });
            };
        }
        if constexpr (!std::is_same_v<decltype(&Plugin::control), decltype(&ModelPlugin::control)>) {
            table.control = [](void *ctx, const bh_step_info *step) noexcept {
                auto *self = static_cast<ModelPlugin *>(ctx);
                return detail::guard(self->host.raw(), [&] { self->control(*step); });
            };
        }
        table.stop = [](void *ctx) noexcept {
            auto *self = static_cast<ModelPlugin *>(ctx);
            return detail::guard(self->host.raw(), [&] { self->stop(); });
        };
        if constexpr (!std::is_same_v<decltype(&Plugin::save), decltype(&ModelPlugin::save)>) {
            table.save = [](void *ctx, const bh_state_writer *writer) noexcept {
                auto *self = static_cast<ModelPlugin *>(ctx);
                return detail::guard(self->host.raw(), [&] { self->save(StateWriter(writer)); });
            };
            table.load = [](void *ctx, bh_bytes state) noexcept {
                auto *self = static_cast<ModelPlugin *>(ctx);
                return detail::guard(self->host.raw(), [&] { self->load(state.ptr, state.len); });
            };
        }
        table.get_extension = detail::no_extension;
        table.destroy = [](void *ctx) noexcept { delete static_cast<ModelPlugin *>(ctx); };
        *out = table;
        owned.release();
    });
}

/** A payload of the plugin: the host retains it while needed, and the last release frees it. */
class Payload {
public:
    explicit Payload(std::vector<uint8_t> bytes) : held_(new Held(std::move(bytes))) {}
    ~Payload() { held_->buffer.release(&held_->buffer); }
    Payload(const Payload &) = delete;
    Payload &operator=(const Payload &) = delete;
    const bh_buffer *raw() const { return &held_->buffer; }

private:
    struct Held {
        explicit Held(std::vector<uint8_t> &&content) : bytes(std::move(content))
        {
            buffer.struct_size = BH_SIZE(bh_buffer);
            buffer.data = bytes.data();
            buffer.len = bytes.size();
            buffer.ctx = this;
            buffer.retain = [](const bh_buffer *of) noexcept { static_cast<Held *>(of->ctx)->references++; };
            buffer.release = [](const bh_buffer *of) noexcept {
                auto *held = static_cast<Held *>(of->ctx);
                if (held->references.fetch_sub(1) == 1) {
                    delete held;
                }
            };
        }
        std::vector<uint8_t> bytes;
        std::atomic<unsigned> references{1};
        bh_buffer buffer{};
    };
    Held *held_;
};

/** The messages that go out, for `Bridge::transmit`. */
class Tx {
public:
    explicit Tx(const bh_tx_context *raw) : raw_(raw) {}
    /** Waits for the next message, which stays valid until the next call. Returns null when the loop shall end. [tx] */
    const bh_message *next()
    {
        out_ = bh_tx_message{};
        out_.struct_size = BH_SIZE(bh_tx_message);
        const bh_status status = raw_->next(raw_, -1, &out_);
        if (status != BH_STATUS_INTERRUPTED) {
            check(status, "waiting for a message");
        }
        return status == BH_STATUS_OK ? &out_.message : nullptr;
    }
    /** Counts the last message as dropped. [tx] */
    void reject() const { raw_->reject(raw_); }

private:
    const bh_tx_context *raw_;
    bh_tx_message out_{};
};

/** The loop that receives, for `Bridge::receive`. */
class Rx {
public:
    explicit Rx(const bh_rx_context *raw) : raw_(raw) {}
    /** Returns true when the loop shall end. [rx] */
    bool is_interrupted() const { return raw_->interrupted(raw_) != 0; }

private:
    const bh_rx_context *raw_;
};

/** A bridge for all types. One instance per vehicle; several threads call it at once. */
class Bridge {
public:
    explicit Bridge(Host host) : host(host) {}
    virtual ~Bridge() = default;
    Bridge(const Bridge &) = delete;
    Bridge &operator=(const Bridge &) = delete;

    /** Connects; `connection` is what the user wrote. [main] */
    virtual void connect(std::string_view connection) = 0;
    /** Disconnects. [main] */
    virtual void disconnect() = 0;
    /** One of BH_BRIDGE_STATUS_CONNECTED and the like. [any] */
    virtual uint32_t status() const = 0;
    /** Sends messages until `next` returns null. [tx] */
    virtual void transmit(Tx &) = 0;
    /** Receives messages and delivers them until it is interrupted. [rx] */
    virtual void receive(Rx &) = 0;
    /** Wakes loops that wait for something outside of the host. [any] */
    virtual void interrupt() {}

protected:
    const Host host;

    /** Delivers an encoded message. Returns false if nobody takes messages of this topic. [rx] */
    bool deliver(const std::string &topic, std::vector<uint8_t> bytes)
    {
        const Payload payload(std::move(bytes));
        bh_incoming incoming{};
        incoming.struct_size = BH_SIZE(bh_incoming);
        incoming.at_step = BH_NEXT_STEP;
        incoming.stamp_ns = BH_STAMP_NOW;
        incoming.payload = payload.raw();
        // An endpoint cannot be destroyed under a delivery, which never waits.
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = sinks_.find(topic);
        if (found == sinks_.end()) {
            return false;
        }
        found->second->deliver(found->second, &incoming);
        return true;
    }

private:
    struct Incoming {
        Bridge *bridge;
        std::string topic;
    };
    std::mutex mutex_;
    std::map<std::string, const bh_sink *> sinks_;

    static bh_status create_publisher(void *, void *instance, const bh_channel *, bh_endpoint *out) noexcept
    {
        out->ctx = instance;
        out->destroy = [](void *) noexcept {};
        return BH_STATUS_OK;
    }
    static bh_status create_subscriber(
        void *, void *instance, const bh_channel *channel, const bh_sink *sink, bh_endpoint *out) noexcept
    {
        auto *self = static_cast<Bridge *>(instance);
        return detail::guard(self->host.raw(), [&] {
            auto incoming = std::make_unique<Incoming>(Incoming{self, std::string(view(channel->topic))});
            const std::lock_guard<std::mutex> lock(self->mutex_);
            self->sinks_[incoming->topic] = sink;
            out->ctx = incoming.release();
            out->destroy = [](void *ctx) noexcept {
                const std::unique_ptr<Incoming> ended(static_cast<Incoming *>(ctx));
                const std::lock_guard<std::mutex> turn(ended->bridge->mutex_);
                ended->bridge->sinks_.erase(ended->topic);
            };
        });
    }

    template <class Plugin> friend bh_status create_bridge(const bh_host *, bh_bridge_instance *) noexcept;
    friend bh_status register_bridge(const bh_registrar *) noexcept;
};

/** Registers that a bridge carries all types, in both directions; used by BRIDGEHEAD_EXPORT_BRIDGE. */
inline bh_status register_bridge(const bh_registrar *registrar) noexcept
{
    static const bh_publisher_creator publisher = {nullptr, Bridge::create_publisher};
    static const bh_subscriber_creator subscriber = {nullptr, Bridge::create_subscriber};
    const bh_status status = registrar->add_publisher(registrar, bh_str_lit(BH_ANY_TYPE), &publisher);
    return status < 0 ? status : registrar->add_subscriber(registrar, bh_str_lit(BH_ANY_TYPE), &subscriber);
}

/** Calls `static void validate(std::string_view)` of the class, which throws; used by BRIDGEHEAD_EXPORT_BRIDGE. */
template <class Plugin> bh_status validate_bridge(const bh_host *host, bh_str connection) noexcept
{
    return detail::guard(host, [&] { Plugin::validate(view(connection)); });
}

/** Fills the table of functions for a new instance; used by BRIDGEHEAD_EXPORT_BRIDGE. */
template <class Plugin> bh_status create_bridge(const bh_host *host, bh_bridge_instance *out) noexcept
{
    static_assert(std::is_base_of_v<Bridge, Plugin>, "derive from bridgehead::Bridge");
    return detail::guard(host, [&] {
        auto owned = std::make_unique<Plugin>(Host(host));
        bh_bridge_instance table{};
        table.struct_size = BH_SIZE(bh_bridge_instance);
        table.ctx = static_cast<Bridge *>(owned.get());
        table.connect = [](void *ctx, bh_str connection) noexcept {
            auto *self = static_cast<Bridge *>(ctx);
            return detail::guard(self->host.raw(), [&] { self->connect(view(connection)); });
        };
        table.disconnect = [](void *ctx) noexcept {
            auto *self = static_cast<Bridge *>(ctx);
            return detail::guard(self->host.raw(), [&] { self->disconnect(); });
        };
        table.status = [](void *ctx) noexcept {
            auto *self = static_cast<Bridge *>(ctx);
            uint32_t status = BH_BRIDGE_STATUS_UNEXPECTEDLY_DISCONNECTED;
            detail::guard(self->host.raw(), [&] { status = self->status(); });
            return status;
        };
        table.tx_run = [](void *ctx, const bh_tx_context *tx) noexcept {
            auto *self = static_cast<Bridge *>(ctx);
            return detail::guard(self->host.raw(), [&] {
                Tx loop(tx);
                self->transmit(loop);
            });
        };
        table.rx_run = [](void *ctx, const bh_rx_context *rx) noexcept {
            auto *self = static_cast<Bridge *>(ctx);
            return detail::guard(self->host.raw(), [&] {
                Rx loop(rx);
                self->receive(loop);
            });
        };
        table.interrupt = [](void *ctx) noexcept {
            auto *self = static_cast<Bridge *>(ctx);
            detail::guard(self->host.raw(), [&] { self->interrupt(); });
        };
        table.get_extension = detail::no_extension;
        table.destroy = [](void *ctx) noexcept { delete static_cast<Bridge *>(ctx); };
        *out = table;
        owned.release();
    });
}

} // namespace bridgehead

/** Exports a class derived from bridgehead::ModelPlugin; `requires_` is as for BH_EXPORT_PLUGIN. Once per library. */
#define BRIDGEHEAD_EXPORT_MODEL(type, id, name, version, vendor, license, requires_) \
    static bh_status bh_register_model(const bh_host *) noexcept { return BH_STATUS_OK; } \
    static const bh_model_factory bh_the_factory = { \
        BH_SIZE(bh_model_factory), 0, bh_register_model, bridgehead::create_model<type> }; \
    BH_EXPORT_PLUGIN(MODEL, id, name, version, vendor, license, requires_, &bh_the_factory)

/** Exports a class derived from bridgehead::Bridge. Once per library. */
#define BRIDGEHEAD_EXPORT_BRIDGE(type, id, name, version, vendor, license) \
    static const bh_bridge_factory bh_the_factory = { \
        BH_SIZE(bh_bridge_factory), 0, bridgehead::register_bridge, bridgehead::validate_bridge<type>, \
        bridgehead::create_bridge<type> }; \
    BH_EXPORT_PLUGIN(BRIDGE, id, name, version, vendor, license, "", &bh_the_factory)

#endif /* BRIDGEHEAD_HPP */
