// Clients of services over Fast DDS, as rmw_fastrtps makes them, and subscribers beside them: one participant, told by
// lines what to do. Messages are bodies of CDR in hexadecimal; this program knows none.
//
//   ID call SERVICE REQUEST_TYPE REPLY_TYPE BODY    answered with `ID reply BODY` or `ID error WHY`
//   ID subscribe TOPIC TYPE DURABILITY              answered with `ID ok`, and with `message TOPIC BODY` for each
//   ID stray                                        answered with `ID count N`: replies that were for nobody here
//
// The program ends with its input. It is given the number of the domain.

#include <chrono>
#include <cstring>
#include <functional>
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
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

using namespace eprosima::fastdds::dds;
using eprosima::fastrtps::rtps::GUID_t;
using eprosima::fastrtps::rtps::Locator_t;
using eprosima::fastrtps::rtps::IPLocator;
using eprosima::fastrtps::rtps::SampleIdentity;
using eprosima::fastrtps::rtps::SequenceNumber_t;
using eprosima::fastrtps::rtps::SerializedPayload_t;
using eprosima::fastrtps::rtps::WriteParams;

using Body = std::vector<unsigned char>;
using Clock = std::chrono::steady_clock;

static const std::chrono::seconds PATIENCE(60);

static std::mutex output;

static void tell(const std::string& line) {
    std::lock_guard<std::mutex> guard(output);
    std::cout << line << std::endl;
}

static std::string hex(const Body& body) {
    static const char digits[] = "0123456789abcdef";
    std::string text;
    for (unsigned char byte : body) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text.empty() ? "-" : text;
}

static Body unhex(const std::string& text) {
    Body body;
    for (size_t at = 0; text != "-" && at + 1 < text.size(); at += 2) {
        body.push_back(static_cast<unsigned char>(std::stoul(text.substr(at, 2), nullptr, 16)));
    }
    return body;
}

// Bytes under any name. Four of them, before the body, say that it is little endian.
class Bytes : public TopicDataType {
public:
    explicit Bytes(const std::string& name) {
        setName(name.c_str());
        m_typeSize = 1024;
        m_isGetKeyDefined = false;
    }

    bool serialize(void* data, SerializedPayload_t* payload) override {
        const Body& body = *static_cast<Body*>(data);
        const unsigned char head[4] = {0, 1, 0, 0};
        std::memcpy(payload->data, head, 4);
        std::memcpy(payload->data + 4, body.data(), body.size());
        payload->length = static_cast<uint32_t>(4 + body.size());
        payload->encapsulation = CDR_LE;
        return true;
    }

    bool deserialize(SerializedPayload_t* payload, void* data) override {
        if (payload->length < 4) {
            return false;
        }
        static_cast<Body*>(data)->assign(payload->data + 4, payload->data + payload->length);
        return true;
    }

    std::function<uint32_t()> getSerializedSizeProvider(void* data) override {
        return [data]() { return static_cast<uint32_t>(4 + static_cast<Body*>(data)->size()); };
    }

    void* createData() override { return new Body; }
    void deleteData(void* data) override { delete static_cast<Body*>(data); }

    bool getKey(void*, eprosima::fastrtps::rtps::InstanceHandle_t*, bool) override { return false; }
};

static void say_hash(eprosima::fastdds::dds::UserDataQosPolicy& of) {
    const std::string text = "typehash=RIHS01_0000000000000000000000000000000000000000000000000000000000000000;";
    of.setValue(std::vector<eprosima::fastrtps::rtps::octet>(text.begin(), text.end()));
}

class Node {
public:
    explicit Node(uint32_t domain) {
        DomainParticipantQos qos;
        qos.name("fastdds-client");
        // Loopback only; the others are looked for where participants of this machine listen.
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
        TypeSupport support(new Bytes(type));
        support.register_type(participant);
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

    DomainParticipant* participant;
    Publisher* publisher;
    Subscriber* subscriber;
    std::map<std::string, Topic*> topics;
};

// One side of a service that asks.
class Client : public DataReaderListener {
public:
    Client(Node& node, const std::string& service, const std::string& request, const std::string& reply) {
        replies = node.reader("rr/" + service + "Reply", reply, false, this);
        requests = node.writer("rq/" + service + "Request", request);
    }

    void call(const std::string& id, Body body) {
        const auto deadline = Clock::now() + PATIENCE;
        while (!is_matched()) {
            if (Clock::now() > deadline) {
                return tell(id + " error no server");
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        // As rmw_fastrtps: the reader of the replies stands beside the request, without a number.
        WriteParams params;
        params.related_sample_identity().writer_guid() = replies->guid();
        std::lock_guard<std::mutex> guard(lock);
        if (!requests->write(&body, params)) {
            return tell(id + " error not written");
        }
        open[number(params.sample_identity().sequence_number())] = id;
    }

    void on_data_available(DataReader* reader) override {
        Body body;
        SampleInfo info;
        while (reader->take_next_sample(&body, &info) == ReturnCode_t::RETCODE_OK) {
            if (info.valid_data) {
                take(info.related_sample_identity, body);
            }
        }
    }

    int stray = 0;

private:
    static int64_t number(const SequenceNumber_t& of) { return static_cast<int64_t>(of.to64long()); }

    bool is_matched() {
        SubscriptionMatchedStatus replying;
        PublicationMatchedStatus asking;
        replies->get_subscription_matched_status(replying);
        requests->get_publication_matched_status(asking);
        return replying.current_count > 0 && replying.current_count == asking.current_count;
    }

    void take(const SampleIdentity& related, const Body& body) {
        std::lock_guard<std::mutex> guard(lock);
        const bool is_ours = related.writer_guid() == replies->guid() || related.writer_guid() == requests->guid();
        auto found = open.find(number(related.sequence_number()));
        if (!is_ours || found == open.end()) {
            ++stray;
            return;
        }
        tell(found->second + " reply " + hex(body));
        open.erase(found);
    }

    std::mutex lock;
    std::map<int64_t, std::string> open;
    DataReader* replies;
    DataWriter* requests;
};

// Tells every message of a topic.
class Listener : public DataReaderListener {
public:
    explicit Listener(const std::string& name) : name(name) {}

    void on_data_available(DataReader* reader) override {
        Body body;
        SampleInfo info;
        while (reader->take_next_sample(&body, &info) == ReturnCode_t::RETCODE_OK) {
            if (info.valid_data) {
                tell("message " + name + " " + hex(body));
            }
        }
    }

private:
    std::string name;
};

int main(int argc, char** argv) {
    if (argc != 2) {
        return 2;
    }
    Node node(static_cast<uint32_t>(std::stoul(argv[1])));
    std::map<std::string, std::unique_ptr<Client>> clients;
    std::vector<std::unique_ptr<Listener>> listeners;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string id, what, name, type, reply, rest;
        words >> id >> what >> name >> type >> reply >> rest;
        if (what == "call") {
            auto& client = clients[name];
            if (!client) {
                client = std::make_unique<Client>(node, name, type, reply);
            }
            client->call(id, unhex(rest));
        } else if (what == "subscribe") {
            listeners.push_back(std::make_unique<Listener>(name));
            node.reader(name, type, reply == "transient_local", listeners.back().get());
            tell(id + " ok");
        } else if (what == "stray") {
            int stray = 0;
            for (const auto& one : clients) {
                stray += one.second->stray;
            }
            tell(id + " count " + std::to_string(stray));
        } else {
            tell(id + " error unknown");
        }
    }
    node.participant->delete_contained_entities();
    DomainParticipantFactory::get_instance()->delete_participant(node.participant);
    return 0;
}
