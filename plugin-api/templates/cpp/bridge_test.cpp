/* Tests of what the bridge does without a host. */
#include "../src/@name@.hpp"

#undef NDEBUG
#include <cassert>

int main()
{
    const auto address = @name@::parse_address("127.0.0.1:9000");
    assert(address && ntohs(address->sin_port) == 9000 && ntohl(address->sin_addr.s_addr) == 0x7f000001);
    for (const char *wrong : {"", "9000", "127.0.0.1:", "127.0.0.1:70000", "127.0.0.1:9000 and more", "localhost:9000"}) {
        assert(!@name@::parse_address(wrong));
    }
    return 0;
}
