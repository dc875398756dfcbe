/* Tests of what the controller does without a host. */
#include "../src/@name@.c"

#undef NDEBUG
#include <assert.h>

int main(void)
{
    const uint8_t one[9] = { 9, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f };
    assert(decode_float64(one, 9) == 1.0);
    assert(decode_float64(one, 0) == 0.0);
    assert(isnan(decode_float64(one, 8)));

    struct @name@ self = { .speed = 3.0 };
    assert(reset(&self, BH_SCOPE_DEFAULT) == BH_STATUS_OK && self.speed == 0.0);
    return 0;
}
