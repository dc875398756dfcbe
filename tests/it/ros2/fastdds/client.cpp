// Clients of services over Fast DDS, as rmw_fastrtps creates them, and subscribers: one participant, controlled by
// lines of text. Types and messages are written in the words of values.hpp; no type is built in.
//
//   ID type NAME TYPE                                  answered with `ID ok`
//   ID call SERVICE REQUEST_TYPE REPLY_TYPE MESSAGE    answered with `ID reply MESSAGE`
//   ID send SERVICE REQUEST_TYPE REPLY_TYPE BODY       the same for any bytes, beginning with the encapsulation header
//                                                      of four bytes
//   ID encode TYPE MESSAGE                             answered with `ID body BODY`, as encoded by Fast DDS
//   ID subscribe TOPIC TYPE DURABILITY                 answered with `ID ok`, and with `message TOPIC MESSAGE` for each
//   ID stray                                           answered with `ID count N`: received replies to other clients
//
// Bodies are CDR in hexadecimal after an `x`. Failures are answered with `ID error WHY`. The program ends with its
// input. Its argument is the number of the domain.

#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

#include "values.hpp"

using namespace eprosima::fastdds::dds;
using eprosima::fastrtps::rtps::GUID_t;
using eprosima::fastrtps::rtps::Locator_t;
using eprosima::fastrtps::rtps::IPLocator;
using eprosima::fastrtps::rtps::SampleIdentity;
using eprosima::fastrtps::rtps::SequenceNumber_t;
using eprosima::fastrtps::rtps::WriteParams;

using Clock = std::chrono::steady_clock;

static const std::chrono::seconds PATIENCE(60);

static std::mutex output;

static void print_line(const std::string& line) {
    std::lock_guard<std::mutex> guard(output);
    std::cout << line << std::endl;
}

static void say_hash(eprosima::fastdds::dds::UserDataQosPolicy& of) {
    const std::string text = "typehash=RIHS01_0000000000000000000000000000000000000000000000000000000000000000;";
    of.setValue(std::vector<eprosima::fastrtps::rtps::octet>(text.begin(), text.end()));
}

class Node {
public:
    explicit Node(uint32_t domain) {
        DomainParticipantQos qos;
        qos.name("fastdds-client");
        // Loopback only; other participants are searched on the ports of this machine.
        auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
        udp->interfaceWhiteList.push_back("127.0.0.1");
        qos.transport().use_builtin_transports = false;
        qos.transport().user_transports.push_back(udp);
        for (uint32_t index = 0; index < 10; ++index) {
            Locator_t peer;
            IPLocator::setIPv4(peer, 127, 0, 0, 1);
            peer.port = 7410 + 250 * domain + 2 * index;
            qos.wire_protocol().builtin.initialPeersList.push_back(peer);
        }
        participant = DomainParticipantFactory::get_instance()->create_participant(domain, qos);
        if (participant == nullptr) {
            throw std::runtime_error("no participant");
        }
        publisher = participant->create_publisher(PUBLISHER_QOS_DEFAULT);
        subscriber = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
    }

    Topic* topic(const std::string& name, const std::string& type) {
        auto found = topics.find(name);
        if (found != topics.end()) {
            return found->second;
        }
        if (participant->find_type(type).empty()) {
            TypeSupport support(new Shape(types.type(type)));
            support.register_type(participant);
        }
        return topics[name] = participant->create_topic(name, type, TOPIC_QOS_DEFAULT);
    }

    DataWriter* writer(const std::string& name, const std::string& type) {
        DataWriterQos qos;
        qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
        qos.durability().kind = VOLATILE_DURABILITY_QOS;
        qos.history().depth = 10;
        qos.endpoint().history_memory_policy =
            eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
        qos.data_sharing().off();
        say_hash(qos.user_data());
        return publisher->create_datawriter(topic(name, type), qos);
    }

    DataReader* reader(const std::string& name, const std::string& type, bool is_kept, DataReaderListener* listener) {
        DataReaderQos qos;
        qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
        qos.durability().kind = is_kept ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
        qos.history().depth = 100;
        qos.endpoint().history_memory_policy =
            eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
        qos.data_sharing().off();
        say_hash(qos.user_data());
        return subscriber->create_datareader(topic(name, type), qos, listener);
    }

    Types types;
    DomainParticipant* participant;
    Publisher* publisher;
    Subscriber* subscriber;
    std::map<std::string, Topic*> topics;
};

// Takes the next message of a reader, if there is one, and writes it in words. If the bytes are not a message of the
// type, the words say so instead.
static bool take(DataReader* reader, const Types& types, const std::string& type, std::string& text, SampleInfo& info) {
    Message message(types.type(type));
    if (!(reader->take_next_sample(&message, &info) == ReturnCode_t::RETCODE_OK)) {
        return false;
    }
    std::ostringstream words;
    if (message.is_exact) {
        types.say(*message.value, type, words);
    }
    text = message.is_exact ? words.str() : " ! Fast DDS encodes it differently";
    return true;
}

// A client of a service.
class Client : public DataReaderListener {
public:
    Client(Node& node, const std::string& service, const std::string& request, const std::string& reply)
        : types(node.types), request(request), reply(reply) {
        replies = node.reader("rr/" + service + "Reply", reply, false, this);
        requests = node.writer("rq/" + service + "Request", request);
    }

    // Sends the message in the words, or the body if there is one.
    void call(const std::string& id, std::istream& words, std::unique_ptr<Body> body) {
        Message message(types.type(request));
        if (!body) {
            types.put(*message.value, request, words);
        }
        message.bytes = std::move(body);
        wait_for_server();
        // As rmw_fastrtps does: the guid of the reply reader is sent with the request, without a sequence number.
        WriteParams params;
        params.related_sample_identity().writer_guid() = replies->guid();
        std::lock_guard<std::mutex> guard(lock);
        if (!requests->write(&message, params)) {
            throw std::runtime_error("not written");
        }
        open[number(params.sample_identity().sequence_number())] = id;
    }

    void on_data_available(DataReader* reader) override {
        std::string text;
        SampleInfo info;
        while (take(reader, types, reply, text, info)) {
            if (info.valid_data) {
                pass(info.related_sample_identity, text);
            }
        }
    }

    int stray = 0;

private:
    static int64_t number(const SequenceNumber_t& of) { return static_cast<int64_t>(of.to64long()); }

    void wait_for_server() const {
        const auto deadline = Clock::now() + PATIENCE;
        while (!is_matched()) {
            if (Clock::now() > deadline) {
                throw std::runtime_error("no server");
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }

    bool is_matched() const {
        SubscriptionMatchedStatus replying;
        PublicationMatchedStatus asking;
        replies->get_subscription_matched_status(replying);
        requests->get_publication_matched_status(asking);
        return replying.current_count > 0 && replying.current_count == asking.current_count;
    }

    void pass(const SampleIdentity& related, const std::string& text) {
        std::lock_guard<std::mutex> guard(lock);
        const bool is_ours = related.writer_guid() == replies->guid() || related.writer_guid() == requests->guid();
        auto found = open.find(number(related.sequence_number()));
        if (!is_ours || found == open.end()) {
            ++stray;
            return;
        }
        print_line(found->second + " reply" + text);
        open.erase(found);
    }

    const Types& types;
    const std::string request, reply;
    std::mutex lock;
    std::map<int64_t, std::string> open;
    DataReader* replies;
    DataWriter* requests;
};

// Reports every message of a topic.
class Listener : public DataReaderListener {
public:
    Listener(Node& node, const std::string& name, const std::string& type, bool is_kept)
        : types(node.types), name(name), type(type) {
        node.reader(name, type, is_kept, this);
    }

    void on_data_available(DataReader* reader) override {
        std::string text;
        SampleInfo info;
        while (take(reader, types, type, text, info)) {
            if (info.valid_data) {
                print_line("message " + name + text);
            }
        }
    }

private:
    const Types& types;
    const std::string name, type;
};

// Executes the lines.
class Program {
public:
    explicit Program(uint32_t domain) : node(domain) {}

    void run(std::istream& lines) {
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line);
            const std::string id = next(words);
            try {
                run(id, next(words), words);
            } catch (const std::exception& error) {
                print_line(id + " error " + error.what());
            }
        }
        node.participant->delete_contained_entities();
        DomainParticipantFactory::get_instance()->delete_participant(node.participant);
    }

private:
    void run(const std::string& id, const std::string& what, std::istream& words) {
        const std::string name = what == "stray" ? "" : next(words);
        if (what == "type") {
            node.types.define(name, words);
            print_line(id + " ok");
        } else if (what == "call") {
            client(name, words).call(id, words, nullptr);
        } else if (what == "send") {
            Client& sender = client(name, words);
            sender.call(id, words, std::make_unique<Body>(unhex(next(words).substr(1))));
        } else if (what == "encode") {
            const auto type = node.types.type(name);
            Message message(type);
            node.types.put(*message.value, name, words);
            print_line(id + " body x" + hex(Shape(type).written(message)));
        } else if (what == "subscribe") {
            const std::string type = next(words);
            listeners.push_back(std::make_unique<Listener>(node, name, type, next(words) == "transient_local"));
            print_line(id + " ok");
        } else if (what == "stray") {
            print_line(id + " count " + std::to_string(stray()));
        } else {
            throw std::runtime_error("unknown");
        }
    }

    Client& client(const std::string& service, std::istream& words) {
        const std::string request = next(words), reply = next(words);
        auto& found = clients[service];
        if (!found) {
            found = std::make_unique<Client>(node, service, request, reply);
        }
        return *found;
    }

    int stray() const {
        int sum = 0;
        for (const auto& one : clients) {
            sum += one.second->stray;
        }
        return sum;
    }

    Node node;
    std::map<std::string, std::unique_ptr<Client>> clients;
    std::vector<std::unique_ptr<Listener>> listeners;
};

int main(int argc, char** argv) {
    if (argc != 2) {
        return 2;
    }
    Program(static_cast<uint32_t>(std::stoul(argv[1]))).run(std::cin);
    return 0;
}
