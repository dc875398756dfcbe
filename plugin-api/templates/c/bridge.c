/*
 * The bridge `@name@`: carries every topic over UDP, one datagram per message: the topic, a line feed, and the payload,
 * which is protobuf.
 *
 * Connection string: `ADDRESS:PORT` of the peer, e.g. `127.0.0.1:9000`. On connect the bridge sends an empty datagram,
 * from which the peer learns its address. The tag at the end of each comment is the thread that calls the function.
 */
#define _POSIX_C_SOURCE 200809L

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bridgehead.h"

enum { MAX_DATAGRAM = 65507, MAX_SUBSCRIPTIONS = 64, MAX_TOPIC = 255 };

struct subscription {
    struct @name@ *bridge;
    const bh_sink *sink; /* null while the entry is free */
    size_t topic_len;
    uint8_t topic[MAX_TOPIC]; /* a copy: the channel's text is borrowed for the call */
};

struct @name@ {
    const bh_host *host;
    const bh_host_log *log;             /* null if the host offers none */
    const bh_host_lifecycle *lifecycle; /* likewise */
    uint32_t status;                    /* read by any thread: only through set_status and status */
    int socket;                         /* -1 without one */
    int wake[2];                        /* pipe that ends the wait of the receive loop */
    pthread_mutex_t lock;               /* guards `subscriptions`: the receive loop reads, [main] writes */
    struct subscription subscriptions[MAX_SUBSCRIPTIONS];
};

/* ---- error reporting --------------------------------------------------------------------------- */

/* Sets the reason of the failure that the present call returns. */
static bh_status refuse(const bh_host *host, bh_status status, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    host->explain(host, bh_str_from(text));
    return status;
}

static void log_line(const struct @name@ *bridge, uint32_t level, const char *text)
{
    if (bridge->log == NULL || !bridge->log->enabled(bridge->host, level)) {
        return;
    }
    bh_log_record record = { .struct_size = BH_SIZE(bh_log_record), .level = level };
    record.text = bh_str_from(text);
    bridge->log->write(bridge->host, &record);
}

/* ---- connection -------------------------------------------------------------------------------- */

static int parse_address(bh_str connection, struct sockaddr_in *out)
{
    char text[32], address[16];
    unsigned port = 0;
    int end = 0;
    bh_str peer, wrong;
    if (bh_connection_read(connection, &peer, NULL, 0, &wrong) != 0) {
        return 0;
    }
    int shown = peer.len < sizeof text ? (int)peer.len : (int)sizeof text;
    snprintf(text, sizeof text, "%.*s", shown, (const char *)peer.ptr);
    if (sscanf(text, "%15[0-9.]:%5u%n", address, &port, &end) != 2 || (size_t)end != peer.len) {
        return 0;
    }
    memset(out, 0, sizeof *out);
    out->sin_family = AF_INET;
    out->sin_port = htons((uint16_t)port);
    return port > 0 && port <= 65535 && inet_pton(AF_INET, address, &out->sin_addr) == 1;
}

/* Checks a connection string before anything is started. [any] */
static bh_status validate(const bh_host *host, bh_str connection)
{
    struct sockaddr_in address;
    if (parse_address(connection, &address)) {
        return BH_STATUS_OK;
    }
    return refuse(host, BH_STATUS_INVALID_ARG,
                  "`%.*s` is not a peer's address; write ADDRESS:PORT, for example 127.0.0.1:9000",
                  (int)(connection.len < 100 ? connection.len : 100), (const char *)connection.ptr);
}

static void set_status(struct @name@ *bridge, uint32_t status)
{
    __atomic_store_n(&bridge->status, status, __ATOMIC_RELEASE);
}

/* Both loops have ended when this is called: before a new connection, or in `destroy`. */
static void close_all(struct @name@ *bridge)
{
    int *files[] = { &bridge->socket, &bridge->wake[0], &bridge->wake[1] };
    for (size_t at = 0; at < 3; at++) {
        if (*files[at] >= 0) {
            close(*files[at]);
            *files[at] = -1;
        }
    }
}

/* Opens the socket. Nothing here waits for the peer, so the bridge is connected on return. [main] */
static bh_status connect_to(void *ctx, bh_str connection)
{
    struct @name@ *bridge = ctx;
    bridge->log = bridge->host->get_extension(bridge->host, bh_str_lit(BH_EXT_LOG));
    bridge->lifecycle = bridge->host->get_extension(bridge->host, bh_str_lit(BH_EXT_LIFECYCLE));

    struct sockaddr_in address;
    bh_status valid = validate(bridge->host, connection);
    if (valid != BH_STATUS_OK || !parse_address(connection, &address)) {
        return valid;
    }
    close_all(bridge);
    bridge->socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (bridge->socket < 0 || pipe(bridge->wake) != 0
        || connect(bridge->socket, (const struct sockaddr *)&address, sizeof address) != 0) {
        bh_status refused = refuse(bridge->host, BH_STATUS_IO, "cannot open a socket: %s", strerror(errno));
        close_all(bridge);
        return refused;
    }
    (void)send(bridge->socket, "", 0, 0); /* gives the peer our address if it already listens */
    set_status(bridge, BH_BRIDGE_STATUS_CONNECTED);
    log_line(bridge, BH_LOG_INFO, "socket open");
    return BH_STATUS_OK;
}

/* Wakes the receive loop; the transmit loop waits only in the host, which wakes it itself. [any] */
static void interrupt(void *ctx)
{
    struct @name@ *bridge = ctx;
    ssize_t written = write(bridge->wake[1], "", 1);
    (void)written; /* a full pipe wakes just as well */
}

/* Files stay open, since a loop may still be in its last wait. [main] */
static bh_status disconnect(void *ctx)
{
    interrupt(ctx);
    set_status(ctx, BH_BRIDGE_STATUS_DISCONNECTED);
    return BH_STATUS_OK;
}

/* [any] */
static uint32_t status_of(void *ctx)
{
    struct @name@ *bridge = ctx;
    return __atomic_load_n(&bridge->status, __ATOMIC_ACQUIRE);
}

/* ---- out --------------------------------------------------------------------------------------- */

/* Sends the datagram without copying the payload. */
static int send_message(const struct @name@ *bridge, const bh_message *message)
{
    struct iovec parts[3] = {
        { .iov_base = (void *)message->topic.ptr, .iov_len = message->topic.len },
        { .iov_base = (char[]){ '\n' }, .iov_len = 1 },
        { .iov_base = (void *)message->payload->data, .iov_len = message->payload->len },
    };
    struct msghdr datagram = { .msg_iov = parts, .msg_iovlen = 3 };
    return sendmsg(bridge->socket, &datagram, 0) >= 0;
}

/* Sends messages of the host until it ends the loop. Messages that cannot be sent count as dropped. [tx] */
static bh_status tx_run(void *ctx, const bh_tx_context *tx)
{
    struct @name@ *bridge = ctx;
    bh_tx_message out = { .struct_size = BH_SIZE(bh_tx_message) };
    bh_status status;
    while ((status = tx->next(tx, -1, &out)) == BH_STATUS_OK) {
        if (!send_message(bridge, &out.message)) {
            log_line(bridge, BH_LOG_DEBUG, strerror(errno));
            tx->reject(tx);
        }
    }
    return status == BH_STATUS_INTERRUPTED ? BH_STATUS_OK : status;
}

/* ---- in ---------------------------------------------------------------------------------------- */

/* A payload of this bridge: the host retains it while needed, and the last release frees it. */
struct payload {
    bh_buffer buffer;
    unsigned references;
    uint8_t bytes[];
};

/* [any] */
static void retain(const bh_buffer *buffer)
{
    struct payload *payload = buffer->ctx;
    __atomic_add_fetch(&payload->references, 1, __ATOMIC_RELAXED);
}

/* [any] */
static void release(const bh_buffer *buffer)
{
    struct payload *payload = buffer->ctx;
    if (__atomic_sub_fetch(&payload->references, 1, __ATOMIC_ACQ_REL) == 0) {
        free(payload);
    }
}

static void deliver(const bh_sink *sink, const uint8_t *bytes, size_t len)
{
    struct payload *payload = malloc(sizeof *payload + len);
    if (payload == NULL) {
        return;
    }
    memcpy(payload->bytes, bytes, len);
    payload->references = 1;
    payload->buffer = (bh_buffer){ BH_SIZE(bh_buffer), 0, payload->bytes, len, payload, retain, release };
    bh_incoming incoming = { BH_SIZE(bh_incoming), 0, BH_NEXT_STEP, BH_STAMP_NOW, &payload->buffer };
    sink->deliver(sink, &incoming); /* counts what it refuses and says why in the host's log */
    release(&payload->buffer);
}

/* Hands a datagram to the subscriptions of its topic. The lock is held meanwhile, so that an endpoint
 * cannot be destroyed under a delivery; `deliver` never waits. */
static void receive(struct @name@ *bridge, const uint8_t *datagram, size_t len)
{
    const uint8_t *end = memchr(datagram, '\n', len);
    if (end == NULL) {
        return;
    }
    size_t topic_len = (size_t)(end - datagram);
    pthread_mutex_lock(&bridge->lock);
    for (size_t at = 0; at < MAX_SUBSCRIPTIONS; at++) {
        const struct subscription *entry = &bridge->subscriptions[at];
        if (entry->sink != NULL && entry->topic_len == topic_len
            && memcmp(entry->topic, datagram, topic_len) == 0) {
            deliver(entry->sink, end + 1, len - topic_len - 1);
        }
    }
    pthread_mutex_unlock(&bridge->lock);
}

/* Waits for a datagram or for `interrupt`. [rx] */
static bh_status rx_run(void *ctx, const bh_rx_context *rx)
{
    struct @name@ *bridge = ctx;
    uint8_t datagram[MAX_DATAGRAM];
    struct pollfd files[2] = { { bridge->socket, POLLIN, 0 }, { bridge->wake[0], POLLIN, 0 } };
    while (!rx->interrupted(rx)) {
        if (poll(files, 2, -1) < 0 && errno != EINTR) {
            set_status(bridge, BH_BRIDGE_STATUS_UNEXPECTEDLY_DISCONNECTED);
            if (bridge->lifecycle != NULL) {
                bridge->lifecycle->report_error(bridge->host, bh_str_lit("@name@-001"),
                                                bh_str_from(strerror(errno)));
            }
            return BH_STATUS_IO;
        }
        if (files[1].revents != 0) {
            break;
        }
        ssize_t len = recv(bridge->socket, datagram, sizeof datagram, MSG_DONTWAIT);
        if (len > 0) { /* below 0: nothing there, or the peer does not listen at the moment */
            receive(bridge, datagram, (size_t)len);
        }
    }
    return BH_STATUS_OK;
}

/* ---- endpoints --------------------------------------------------------------------------------- */

static void destroy_publisher(void *ctx)
{
    (void)ctx;
}

/* Each message includes its topic, so an outgoing endpoint needs no state. [main] */
static bh_status create_publisher(void *user, void *instance, const bh_channel *channel, bh_endpoint *out)
{
    (void)user;
    (void)channel;
    *out = (bh_endpoint){ instance, destroy_publisher };
    return BH_STATUS_OK;
}

/* The host frees the sink afterwards, so the receive loop must not use it any more. [main] */
static void destroy_subscription(void *ctx)
{
    struct subscription *entry = ctx;
    pthread_mutex_lock(&entry->bridge->lock);
    entry->sink = NULL;
    pthread_mutex_unlock(&entry->bridge->lock);
}

/* [main] */
static bh_status create_subscription(void *user, void *instance, const bh_channel *channel,
                                     const bh_sink *sink, bh_endpoint *out)
{
    (void)user;
    struct @name@ *bridge = instance;
    struct subscription *entry = bridge->subscriptions, *end = entry + MAX_SUBSCRIPTIONS;
    while (entry < end && entry->sink != NULL) { /* only [main] writes `sink`, so [main] may read it */
        entry++;
    }
    if (entry == end || channel->topic.len > MAX_TOPIC) {
        return refuse(bridge->host, BH_STATUS_UNSUPPORTED,
                      "no room: at most %d topics with names of %d bytes", MAX_SUBSCRIPTIONS, MAX_TOPIC);
    }
    pthread_mutex_lock(&bridge->lock);
    *entry = (struct subscription){ .bridge = bridge, .sink = sink, .topic_len = channel->topic.len };
    memcpy(entry->topic, channel->topic.ptr, channel->topic.len);
    pthread_mutex_unlock(&bridge->lock);
    *out = (bh_endpoint){ entry, destroy_subscription };
    return BH_STATUS_OK;
}

/* ---- factory ----------------------------------------------------------------------------------- */

/* Registers that every type can be sent and received. [main] */
static bh_status register_types(const bh_registrar *registrar)
{
    static const bh_publisher_creator publisher = { NULL, create_publisher };
    static const bh_subscriber_creator subscriber = { NULL, create_subscription };
    bh_status status = registrar->add_publisher(registrar, bh_str_lit(BH_ANY_TYPE), &publisher);
    return status < 0 ? status : registrar->add_subscriber(registrar, bh_str_lit(BH_ANY_TYPE), &subscriber);
}

/* This bridge has no extensions. [any] */
static const void *get_extension(void *ctx, bh_str id)
{
    (void)ctx;
    (void)id;
    return NULL;
}

/* The loops have ended and the endpoints are destroyed. [main] */
static void destroy(void *ctx)
{
    struct @name@ *bridge = ctx;
    close_all(bridge);
    pthread_mutex_destroy(&bridge->lock);
    free(bridge);
}

/* One instance per vehicle. The host must not be called here, not even to log. [main] */
static bh_status create(const bh_host *host, bh_bridge_instance *out)
{
    struct @name@ *bridge = calloc(1, sizeof *bridge);
    if (bridge == NULL) {
        return BH_STATUS_FATAL;
    }
    bridge->host = host;
    bridge->socket = bridge->wake[0] = bridge->wake[1] = -1;
    pthread_mutex_init(&bridge->lock, NULL);
    *out = (bh_bridge_instance){
        .struct_size = BH_SIZE(bh_bridge_instance),
        .ctx = bridge,
        .connect = connect_to,
        .disconnect = disconnect,
        .status = status_of,
        .tx_run = tx_run,
        .rx_run = rx_run,
        .interrupt = interrupt,
        .get_extension = get_extension,
        .destroy = destroy,
    };
    return BH_STATUS_OK;
}

static const bh_bridge_factory factory = { BH_SIZE(bh_bridge_factory), 0, register_types, validate, create };

BH_EXPORT_PLUGIN(BRIDGE, "@id@", "@name@", "0.1.0", "@vendor@", "MIT OR Apache-2.0", "", &factory)
