/* Tests of what the sensor does without a host. */
#include "../src/@name@.hpp"

#undef NDEBUG
#include <cassert>
#include <cmath>

int main()
{
    assert(@name@::encode_float64(0.0).empty());
    const auto one = @name@::encode_float64(1.0);
    assert(one.size() == 9 && one[0] == 9 && one[8] == 0x3f);

    const double quarter_turn_about_z[4] = {0.0, 0.0, std::sqrt(0.5), std::sqrt(0.5)};
    const auto half = @name@::x_axis(@name@::product(quarter_turn_about_z, quarter_turn_about_z));
    assert(std::abs(half[0] + 1.0) < 1e-9 && std::abs(half[1]) < 1e-9 && std::abs(half[2]) < 1e-9);

    bh_step_info step{};
    step.width_ns = 1000000;
    step.time_ns = 100 * step.width_ns;
    assert(@name@::is_due(100 * step.width_ns, step) && @name@::is_due(0, step));
    step.time_ns = 101 * step.width_ns;
    assert(!@name@::is_due(100 * step.width_ns, step));
    return 0;
}
