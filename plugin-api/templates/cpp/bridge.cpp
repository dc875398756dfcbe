/*
 * The bridge `@name@`: carries every topic over UDP, one datagram per message: the topic, a line feed, and the payload,
 * which is protobuf.
 *
 * Connection string: `ADDRESS:PORT` of the peer, e.g. `127.0.0.1:9000`. On connect the bridge sends an empty datagram,
 * from which the peer learns its address.
 */
#include <atomic>
#include <cerrno>
#include <vector>

#include <poll.h>
#include <unistd.h>

#include "bridgehead.hpp"

#include "@name@.hpp"

namespace {

class @Type@ : public bridgehead::Bridge {
public:
    using Bridge::Bridge;
    ~@Type@() override { close_all(); }

    /** Checks a connection string before anything is started. */
    static void validate(std::string_view connection) { parsed(connection); }

    void connect(std::string_view connection) override
    {
        const sockaddr_in address = parsed(connection);
        close_all(); // both loops of an earlier connection have ended
        socket_ = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (socket_ < 0 || ::pipe(wake_) != 0
            || ::connect(socket_, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0) {
            const std::string reason = std::strerror(errno);
            close_all();
            throw bridgehead::Error("cannot open a socket: " + reason, BH_STATUS_IO);
        }
        (void)::send(socket_, "", 0, 0);
        status_ = BH_BRIDGE_STATUS_CONNECTED;
    }

    void disconnect() override
    {
        interrupt();
        status_ = BH_BRIDGE_STATUS_DISCONNECTED;
    }

    uint32_t status() const override { return status_; }

    void transmit(bridgehead::Tx &tx) override
    {
        std::string datagram;
        while (const bh_message *message = tx.next()) {
            datagram.assign(bridgehead::view(message->topic));
            datagram += '\n';
            datagram.append(reinterpret_cast<const char *>(message->payload->data), message->payload->len);
            // Too large, or the peer does not run: the message counts as dropped.
            if (::send(socket_, datagram.data(), datagram.size(), 0) < 0) {
                tx.reject();
            }
        }
    }

    void receive(bridgehead::Rx &rx) override
    {
        std::vector<uint8_t> datagram(65536);
        pollfd files[2] = {{socket_, POLLIN, 0}, {wake_[0], POLLIN, 0}};
        while (!rx.is_interrupted()) {
            if (::poll(files, 2, -1) < 0 && errno != EINTR) {
                throw bridgehead::Error(std::string("cannot wait: ") + std::strerror(errno), BH_STATUS_IO);
            }
            if (files[1].revents != 0) {
                return;
            }
            const ssize_t len = ::recv(socket_, datagram.data(), datagram.size(), MSG_DONTWAIT);
            if (len > 0) { // below 0: nothing there, or the peer does not listen at the moment
                take(std::string(datagram.begin(), datagram.begin() + len));
            }
        }
    }

    void interrupt() override
    {
        // A full pipe wakes just as well.
        [[maybe_unused]] const ssize_t written = ::write(wake_[1], "", 1);
    }

private:
    int socket_ = -1;
    int wake_[2] = {-1, -1}; // a pipe that ends the wait of the loop that receives
    std::atomic<uint32_t> status_{BH_BRIDGE_STATUS_DISCONNECTED};

    static sockaddr_in parsed(std::string_view connection)
    {
        const auto address = @name@::parse_address(std::string(bridgehead::Connection(connection).target()));
        if (!address) {
            throw bridgehead::Error(
                "`" + std::string(connection.substr(0, 100)) + "` is no address; write ADDRESS:PORT, such as 127.0.0.1:9000");
        }
        return *address;
    }

    void take(const std::string &datagram)
    {
        const auto end = datagram.find('\n');
        if (end != std::string::npos) {
            deliver(datagram.substr(0, end), {datagram.begin() + end + 1, datagram.end()});
        }
    }

    void close_all()
    {
        for (int *file : {&socket_, &wake_[0], &wake_[1]}) {
            if (*file >= 0) {
                ::close(*file);
                *file = -1;
            }
        }
    }
};

} // namespace

BRIDGEHEAD_EXPORT_BRIDGE(@Type@, "@id@", "@name@", "0.1.0", "@vendor@", "MIT OR Apache-2.0")
