/* What the sensor `@name@` computes, without a host, so that it can be tested. */
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "bridgehead.h"

namespace @name@ {

/** Float64: field 1, wire type 64 bit, little-endian. 0.0 is the default and is omitted. */
inline std::vector<uint8_t> encode_float64(double value)
{
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    if (bits == 0) {
        return {};
    }
    std::vector<uint8_t> bytes{(1 << 3) | 1};
    for (int at = 0; at < 8; at++) {
        bytes.push_back(static_cast<uint8_t>(bits >> (8 * at)));
    }
    return bytes;
}

/** The product of two quaternions, each x, y, z, w. */
inline std::array<double, 4> product(const double a[4], const double b[4])
{
    return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
            a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
            a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

/** The x axis of a frame in the frame of its parent. */
inline std::array<double, 3> x_axis(const std::array<double, 4> &q)
{
    return {1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]), 2.0 * (q[0] * q[1] + q[3] * q[2]),
            2.0 * (q[0] * q[2] - q[3] * q[1])};
}

/** True in each step in which a sample is due. */
inline bool is_due(int64_t period_ns, const bh_step_info &step)
{
    const int64_t before = step.time_ns - step.width_ns;
    return period_ns <= step.width_ns || step.time_ns / period_ns != before / period_ns;
}

} // namespace @name@
