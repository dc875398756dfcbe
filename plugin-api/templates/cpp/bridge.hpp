/* What the bridge `@name@` does without a host, so that it can be tested. */
#pragma once

#include <optional>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace @name@ {

/** Reads `ADDRESS:PORT`. */
inline std::optional<sockaddr_in> parse_address(const std::string &text)
{
    const auto colon = text.rfind(':');
    if (colon == std::string::npos || text.size() - colon < 2 || text.size() - colon > 6
        || text.find_first_not_of("0123456789", colon + 1) != std::string::npos) {
        return std::nullopt;
    }
    const int port = std::stoi(text.substr(colon + 1));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    const bool is_address = ::inet_pton(AF_INET, text.substr(0, colon).c_str(), &address.sin_addr) == 1;
    return is_address && port > 0 && port <= 65535 ? std::optional<sockaddr_in>(address) : std::nullopt;
}

} // namespace @name@
