/* Tests of what the sensor does without a host. */
#include "../src/@name@.c"

#undef NDEBUG
#include <assert.h>

int main(void)
{
    uint8_t bytes[9];
    assert(encode_float64(bytes, 0.0) == 0);
    assert(encode_float64(bytes, 1.0) == 9 && bytes[0] == 9 && bytes[8] == 0x3f);

    const double quarter_turn_about_z[4] = { 0.0, 0.0, 0.70710678118654752, 0.70710678118654752 };
    double axis[3];
    x_axis(quarter_turn_about_z, axis);
    assert(axis[0] < 1e-9 && axis[1] > 1.0 - 1e-9 && axis[2] < 1e-9);

    double half_turn[4];
    multiply(quarter_turn_about_z, quarter_turn_about_z, half_turn);
    x_axis(half_turn, axis);
    assert(axis[0] < -1.0 + 1e-9 && axis[1] < 1e-9 && axis[2] < 1e-9);

    const int64_t ms = 1000000;
    bh_step_info step = { .struct_size = BH_SIZE(bh_step_info), .width_ns = ms, .time_ns = 100 * ms };
    assert(is_due(100 * ms, &step) && is_due(0, &step));
    step.time_ns = 101 * ms;
    assert(!is_due(100 * ms, &step));
    return 0;
}
