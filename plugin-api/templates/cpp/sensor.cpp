/*
 * The sensor `@name@`: publishes how fast its link moves along its own x axis, as std_msgs Float64, m/s.
 */
#include <array>

// What the plugin keeps from step to step: nothing that a snapshot of a run needs.
#define BH_PLUGIN_STATE "nothing"
#include "bridgehead.hpp"

#include "@name@.hpp"

namespace {

class @Type@ : public bridgehead::ModelPlugin {
public:
    using ModelPlugin::ModelPlugin;

    void awake() override
    {
        const bh_attachment attachment = host.attachment();
        if (attachment.parent_link == BH_NO_LINK) {
            throw bridgehead::Error("put the <sensor> element into a <link>");
        }
        world_ = host.require<bh_host_world>(BH_EXT_WORLD);
        link_ = attachment.parent_link;
        mount_ = attachment.pose;
        period_ns_ = attachment.update_period_ns;
        const auto topic = attachment.topic.len > 0 ? bridgehead::view(attachment.topic) : "@name@";
        publisher_ = bridgehead::Publisher(
            host, topic, "bridgehead.std_msgs.v1.Float64", bridgehead::qos(false, false, 5));
    }

    void reset(uint32_t) override {} // nothing changes during a run

    void sample(const bh_step_info &step) override
    {
        // Nothing is computed if nobody listens.
        if (!@name@::is_due(period_ns_, step) || !publisher_.has_listeners()) {
            return;
        }
        bh_link_state state{};
        state.struct_size = BH_SIZE(bh_link_state);
        bridgehead::check(world_->link_state(host.raw(), link_, &state), "reading the link");
        const auto axis = @name@::x_axis(@name@::product(state.pose.orientation, mount_.orientation));
        const double speed = axis[0] * state.linear[0] + axis[1] * state.linear[1] + axis[2] * state.linear[2];
        const auto bytes = @name@::encode_float64(speed);
        publisher_.publish(step.time_ns, bytes.data(), bytes.size());
    }

private:
    const bh_host_world *world_ = nullptr;
    uint32_t link_ = 0;
    bh_pose mount_{}; // pose of the sensor in its link
    int64_t period_ns_ = 0;
    bridgehead::Publisher publisher_;
};

} // namespace

BRIDGEHEAD_EXPORT_MODEL(@Type@, "@id@", "@name@", "0.1.0", "@vendor@", "MIT OR Apache-2.0",
                        BH_QUOTE(BH_EXT_BUS) "," BH_QUOTE(BH_EXT_MODEL) "," BH_QUOTE(BH_EXT_WORLD))
