/*
 * The controller `@name@`: turns a joint of its model with the speed that the last command says, std_msgs Float64, rad/s.
 */
#include <cmath>

// What the plugin keeps from step to step is saved in snapshots of a run.
#define BH_PLUGIN_STATE "saved"
#include "bridgehead.hpp"

#include "@name@.hpp"

namespace {

class @Type@ : public bridgehead::ModelPlugin {
public:
    using ModelPlugin::ModelPlugin;

    void awake() override
    {
        const auto joint = host.param("joint");
        if (!joint) {
            throw bridgehead::Error("write <joint>, the name of a joint of the model");
        }
        command_ = host.require<bh_host_command>(BH_EXT_COMMAND);
        joint_ = host.joint(*joint).joint;
        max_effort_ = host.number("max_effort", 10.0);
        commands_ = bridgehead::Subscription(
            host, "@name@", "bridgehead.std_msgs.v1.Float64", bridgehead::qos(true, false, 10));
    }

    void reset(uint32_t) override { speed_ = 0.0; }

    void control(const bh_step_info &) override
    {
        while (const bh_message *message = commands_.take()) {
            const double speed = @name@::decode_float64(message->payload->data, message->payload->len);
            if (std::isfinite(speed)) {
                speed_ = speed;
            } else {
                host.log(BH_LOG_WARN, "ignored a command that is no number");
            }
        }
        bridgehead::check(
            command_->joint_velocity(host.raw(), joint_, speed_, max_effort_), "turning the joint");
    }

    void save(const bridgehead::StateWriter &writer) override { writer.write(&speed_, sizeof speed_); }

    void load(const uint8_t *state, std::size_t len) override
    {
        if (len != sizeof speed_) {
            throw bridgehead::Error("the snapshot is of another version of the plugin");
        }
        std::memcpy(&speed_, state, sizeof speed_);
    }

private:
    const bh_host_command *command_ = nullptr;
    uint32_t joint_ = 0;
    double max_effort_ = 0.0; // N m
    bridgehead::Subscription commands_;
    double speed_ = 0.0; // rad/s
};

} // namespace

BRIDGEHEAD_EXPORT_MODEL(@Type@, "@id@", "@name@", "0.1.0", "@vendor@", "MIT OR Apache-2.0",
                        BH_QUOTE(BH_EXT_BUS) "," BH_QUOTE(BH_EXT_COMMAND) "," BH_QUOTE(BH_EXT_MODEL))
