/* What the controller `@name@` computes, without a host, so that it can be tested. */
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace @name@ {

/** Float64: field 1, wire type 64 bit, little-endian; an absent field is 0. Returns NaN for anything else. */
inline double decode_float64(const uint8_t *bytes, std::size_t len)
{
    if (len == 0) {
        return 0.0;
    }
    if (len != 9 || bytes[0] != ((1 << 3) | 1)) {
        return NAN;
    }
    uint64_t bits = 0;
    for (int at = 0; at < 8; at++) {
        bits |= static_cast<uint64_t>(bytes[1 + at]) << (8 * at);
    }
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

} // namespace @name@
