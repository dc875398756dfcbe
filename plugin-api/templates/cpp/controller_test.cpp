/* Tests of what the controller does without a host. */
#include "../src/@name@.hpp"

#undef NDEBUG
#include <cassert>

int main()
{
    const uint8_t one[9] = {9, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f};
    assert(@name@::decode_float64(one, 9) == 1.0);
    assert(@name@::decode_float64(one, 0) == 0.0);
    assert(std::isnan(@name@::decode_float64(one, 8)));
    return 0;
}
