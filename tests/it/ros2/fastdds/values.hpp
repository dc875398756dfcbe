// Types and messages of Fast DDS that are made at run time. The encoding is done by Fast DDS: this program only defines
// the fields and sets their values.
//
// Both are written in words. A type is a sequence of fields: name and kind, which is a primitive of ROS or a type that
// was defined before, with `[]` for a sequence and `[N]` for an array. A message has one word for a primitive, the
// words of the fields for a nested message, and the count before the elements of a sequence. A string is an `x` and its
// bytes in hexadecimal.

#pragma once

#include <cstdio>
#include <cstring>
#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fastrtps/types/DynamicData.h>
#include <fastrtps/types/DynamicDataFactory.h>
#include <fastrtps/types/DynamicPubSubType.h>
#include <fastrtps/types/DynamicType.h>
#include <fastrtps/types/DynamicTypeBuilder.h>
#include <fastrtps/types/DynamicTypeBuilderFactory.h>
#include <fastrtps/types/DynamicTypeBuilderPtr.h>
#include <fastrtps/types/DynamicTypePtr.h>

namespace types = eprosima::fastrtps::types;
using eprosima::fastrtps::rtps::SerializedPayload_t;
using types::DynamicData;
using types::DynamicType_ptr;
using types::DynamicTypeBuilder_ptr;
using types::MemberId;
using types::ReturnCode_t;

using Body = std::vector<unsigned char>;

// Fast DDS requires bounds for strings and sequences; no test comes near them.
static const uint32_t LONGEST = 1 << 20;
static const uint32_t MOST = 1 << 16;

static std::string hex(const Body& body) {
    static const char digits[] = "0123456789abcdef";
    std::string text;
    for (unsigned char byte : body) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

static Body unhex(const std::string& text) {
    Body body;
    for (size_t at = 0; at + 1 < text.size(); at += 2) {
        body.push_back(static_cast<unsigned char>(std::stoul(text.substr(at, 2), nullptr, 16)));
    }
    return body;
}

static void need(ReturnCode_t code, const std::string& what) {
    if (!(code == ReturnCode_t::RETCODE_OK)) {
        throw std::runtime_error("Fast DDS does not take " + what);
    }
}

static std::string next(std::istream& words) {
    std::string word;
    if (!(words >> word)) {
        throw std::runtime_error("words are missing");
    }
    return word;
}

// The properties of a primitive type.
struct Primitive {
    types::TypeKind kind;
    std::function<ReturnCode_t(DynamicData&, MemberId, const std::string&)> set;
    std::function<std::string(DynamicData&, MemberId)> get;
};

#define PRIMITIVE(kind, name, parse, print) \
    {types::kind, \
     [](DynamicData& of, MemberId at, const std::string& word) { return of.set_##name##_value(parse(word), at); }, \
     [](DynamicData& of, MemberId at) { return print(of.get_##name##_value(at)); }}

static int64_t whole(const std::string& word) { return std::stoll(word); }
static uint64_t natural(const std::string& word) { return std::stoull(word); }
static double real(const std::string& word) { return std::stod(word); }
static std::string printed(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}
static std::string text(const std::string& word) {
    const Body bytes = unhex(word.substr(1));
    return std::string(bytes.begin(), bytes.end());
}
static std::string quoted(const std::string& text) { return "x" + hex(Body(text.begin(), text.end())); }

static const std::map<std::string, Primitive> PRIMITIVES = {
    {"bool", PRIMITIVE(TK_BOOLEAN, bool, natural, std::to_string)},
    {"byte", PRIMITIVE(TK_BYTE, byte, natural, std::to_string)},
    {"uint8", PRIMITIVE(TK_BYTE, byte, natural, std::to_string)},
    {"int8", PRIMITIVE(TK_BYTE, int8, whole, std::to_string)},
    {"int16", PRIMITIVE(TK_INT16, int16, whole, std::to_string)},
    {"uint16", PRIMITIVE(TK_UINT16, uint16, natural, std::to_string)},
    {"int32", PRIMITIVE(TK_INT32, int32, whole, std::to_string)},
    {"uint32", PRIMITIVE(TK_UINT32, uint32, natural, std::to_string)},
    {"int64", PRIMITIVE(TK_INT64, int64, whole, std::to_string)},
    {"uint64", PRIMITIVE(TK_UINT64, uint64, natural, std::to_string)},
    {"float32", PRIMITIVE(TK_FLOAT32, float32, real, printed)},
    {"float64", PRIMITIVE(TK_FLOAT64, float64, real, printed)},
    {"string", PRIMITIVE(TK_STRING8, string, text, quoted)},
};

// A nested message on loan from Fast DDS, which must be returned.
class Part {
public:
    Part(DynamicData& whole, MemberId at) : whole(whole), part(whole.loan_value(at)) {
        if (part == nullptr) {
            throw std::runtime_error("a message has no member " + std::to_string(at));
        }
    }
    ~Part() { whole.return_loaned_value(part); }
    Part(const Part&) = delete;
    DynamicData& operator*() { return *part; }
    DynamicData* operator->() { return part; }

private:
    DynamicData& whole;
    DynamicData* part;
};

struct Field {
    static constexpr int ONE = -1;
    static constexpr int ANY = 0;

    Field(const std::string& name, const std::string& kind) : name(name), element(kind), count(ONE) {
        const size_t bracket = kind.find('[');
        if (bracket != std::string::npos) {
            element = kind.substr(0, bracket);
            count = kind[bracket + 1] == ']' ? ANY : std::stoi(kind.substr(bracket + 1));
        }
    }

    std::string name, element;
    int count;
};

// The defined types. Threads of Fast DDS look them up too.
class Types {
public:
    void define(const std::string& name, std::istream& words) {
        Struct built;
        DynamicTypeBuilder_ptr builder(factory().create_struct_builder());
        need(builder->set_name(name), name);
        for (std::string field, kind; words >> field >> kind;) {
            built.fields.emplace_back(field, kind);
            const auto id = static_cast<MemberId>(built.fields.size() - 1);
            need(builder->add_member(id, field, type(built.fields.back())), name + "." + field);
        }
        built.type = builder->build();
        std::lock_guard<std::mutex> guard(lock);
        known[name] = built;
    }

    DynamicType_ptr type(const std::string& name) const { return made(name).type; }

    // Sets the fields of a message of this type from words.
    void put(DynamicData& into, const std::string& name, std::istream& words) const {
        const Struct whole = made(name);
        MemberId at = 0;
        for (const Field& field : whole.fields) {
            if (field.count == Field::ONE) {
                put_one(into, at, field.element, words);
            } else {
                Part list(into, at);
                put_all(*list, field, words);
            }
            ++at;
        }
    }

    // Writes a message of this type in words.
    void say(DynamicData& of, const std::string& name, std::ostream& words) const {
        const Struct whole = made(name);
        MemberId at = 0;
        for (const Field& field : whole.fields) {
            if (field.count == Field::ONE) {
                say_one(of, at, field.element, words);
            } else {
                Part list(of, at);
                say_all(*list, field, words);
            }
            ++at;
        }
    }

private:
    struct Struct {
        DynamicType_ptr type;
        std::vector<Field> fields;
    };

    Struct made(const std::string& name) const {
        std::lock_guard<std::mutex> guard(lock);
        const auto found = known.find(name);
        if (found == known.end()) {
            throw std::runtime_error("unknown type " + name);
        }
        return found->second;
    }

    static types::DynamicTypeBuilderFactory& factory() { return *types::DynamicTypeBuilderFactory::get_instance(); }

    DynamicType_ptr type(const Field& field) const {
        const DynamicType_ptr one = element(field.element);
        if (field.count == Field::ONE) {
            return one;
        }
        const auto count = static_cast<uint32_t>(field.count);
        DynamicTypeBuilder_ptr builder(field.count == Field::ANY ? factory().create_sequence_builder(one, MOST)
                                                                 : factory().create_array_builder(one, {count}));
        return builder->build();
    }

    DynamicType_ptr element(const std::string& name) const {
        if (name == "string") {
            DynamicTypeBuilder_ptr builder(factory().create_string_builder(LONGEST));
            return builder->build();
        }
        const auto primitive = PRIMITIVES.find(name);
        return primitive == PRIMITIVES.end() ? type(name) : factory().get_primitive_type(primitive->second.kind);
    }

    void put_all(DynamicData& into, const Field& field, std::istream& words) const {
        const bool is_any = field.count == Field::ANY;
        const uint64_t count = is_any ? natural(next(words)) : static_cast<uint64_t>(field.count);
        for (uint64_t index = 0; index < count; ++index) {
            MemberId at = static_cast<MemberId>(index);
            if (is_any) {
                need(into.insert_sequence_data(at), "one more of " + field.name);
            }
            put_one(into, at, field.element, words);
        }
    }

    void put_one(DynamicData& into, MemberId at, const std::string& element, std::istream& words) const {
        const auto primitive = PRIMITIVES.find(element);
        if (primitive == PRIMITIVES.end()) {
            Part part(into, at);
            return put(*part, element, words);
        }
        const std::string word = next(words);
        need(primitive->second.set(into, at, word), word + " as " + element);
    }

    void say_all(DynamicData& of, const Field& field, std::ostream& words) const {
        const bool is_any = field.count == Field::ANY;
        const uint32_t count = is_any ? of.get_item_count() : static_cast<uint32_t>(field.count);
        if (is_any) {
            words << ' ' << count;
        }
        for (uint32_t at = 0; at < count; ++at) {
            say_one(of, at, field.element, words);
        }
    }

    void say_one(DynamicData& of, MemberId at, const std::string& element, std::ostream& words) const {
        const auto primitive = PRIMITIVES.find(element);
        if (primitive == PRIMITIVES.end()) {
            Part part(of, at);
            return say(*part, element, words);
        }
        words << ' ' << primitive->second.get(of, at);
    }

    mutable std::mutex lock;
    std::map<std::string, Struct> known;
};

// A message, or bytes that are sent instead of one.
struct Message {
    explicit Message(const DynamicType_ptr& type) : value(types::DynamicDataFactory::get_instance()->create_data(type)) {}
    ~Message() { types::DynamicDataFactory::get_instance()->delete_data(value); }
    Message(const Message&) = delete;

    DynamicData* value;
    std::unique_ptr<Body> bytes;
    // Whether Fast DDS encodes the message to the same bytes.
    bool is_exact = true;
};

// A Fast DDS type for such messages.
class Shape : public types::DynamicPubSubType {
public:
    explicit Shape(const DynamicType_ptr& type) : DynamicPubSubType(type) {
        // Initial size: the base class would request the maximum size, which exceeds the memory.
        m_typeSize = 1024;
        // As rmw_fastrtps, which does not publish type descriptions.
        auto_fill_type_object(false);
        auto_fill_type_information(false);
    }

    bool serialize(void* data, SerializedPayload_t* payload) override {
        const Message& message = *static_cast<Message*>(data);
        if (!message.bytes) {
            return DynamicPubSubType::serialize(message.value, payload);
        }
        std::memcpy(payload->data, message.bytes->data(), message.bytes->size());
        payload->length = static_cast<uint32_t>(message.bytes->size());
        payload->encapsulation = payload->data[1];
        return true;
    }

    bool deserialize(SerializedPayload_t* payload, void* data) override {
        Message& message = *static_cast<Message*>(data);
        if (!DynamicPubSubType::deserialize(payload, message.value)) {
            return false;
        }
        const Body own = written(message);
        // Padding to a multiple of four belongs to the transport.
        const size_t size = payload->length - HEAD;
        message.is_exact = size >= own.size() && size < own.size() + 4 &&
                           std::memcmp(payload->data + HEAD, own.data(), own.size()) == 0;
        return true;
    }

    std::function<uint32_t()> getSerializedSizeProvider(void* data) override {
        Message* message = static_cast<Message*>(data);
        if (!message->bytes) {
            return DynamicPubSubType::getSerializedSizeProvider(message->value);
        }
        return [message]() { return static_cast<uint32_t>(message->bytes->size()); };
    }

    // The encoded message without the encapsulation header of four bytes.
    Body written(Message& message) {
        SerializedPayload_t payload(getSerializedSizeProvider(&message)());
        // Fast DDS does not write the padding between fields.
        std::memset(payload.data, 0, payload.max_size);
        if (!serialize(&message, &payload)) {
            throw std::runtime_error("Fast DDS does not write it");
        }
        return Body(payload.data + HEAD, payload.data + payload.length);
    }

    void* createData() override { return new Message(GetDynamicType()); }
    void deleteData(void* data) override { delete static_cast<Message*>(data); }

private:
    static const size_t HEAD = 4;
};
