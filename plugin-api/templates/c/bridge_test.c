/* Tests of what the bridge does without a host. */
#include "../src/@name@.c"

#undef NDEBUG
#include <assert.h>

int main(void)
{
    struct sockaddr_in address;
    assert(parse_address(bh_str_lit("127.0.0.1:9000"), &address));
    assert(ntohs(address.sin_port) == 9000 && ntohl(address.sin_addr.s_addr) == 0x7f000001);
    assert(!parse_address(bh_str_lit("9000"), &address));
    assert(!parse_address(bh_str_lit("127.0.0.1:9000;speed=1"), &address));
    assert(!parse_address(bh_str_lit("127.0.0.1:70000"), &address));
    assert(!parse_address(bh_str_lit("127.0.0.1:9000 and more"), &address));
    return 0;
}
