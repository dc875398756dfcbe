// A peer of gz-transport: a program with Debian's libraries ignition-transport and ignition-msgs, unmodified, which
// shares no code with this project.
//
// Executes commands: a line of JSON for each, with its name in the member `do`, and a line of JSON with its result. A
// command that fails has the result {"error": "..."}. Messages are in the text format of protobuf; types are full
// names, such as ignition.msgs.IMU. The main thread executes commands, threads of the library deliver messages and
// answer calls, and one thread repeats messages.

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>
#include <ignition/msgs.hh>
#include <ignition/transport.hh>

namespace msgs = ignition::msgs;
namespace transport = ignition::transport;
using google::protobuf::Message;
using google::protobuf::Struct;
using google::protobuf::TextFormat;
using Clock = std::chrono::steady_clock;

// How long a command waits for what it needs.
constexpr auto PATIENCE = std::chrono::seconds(60);
// Time between two of a repeated message.
constexpr auto PERIOD = std::chrono::milliseconds(20);

// A message that was received, or why there is none.
struct Received
{
  std::string text;
  std::string error;
};

// What was received of numbered point clouds: the number is their width.
struct Counted
{
  double received = 0;
  double last = 0;
  // Numbers that are missing between two clouds, and clouds whose number is not greater than the one before.
  double lost = 0;
  double unordered = 0;
  // Clouds with other contents than their number.
  double wrong = 0;
  double bytes = 0;
};

struct Repeated
{
  transport::Node::Publisher publisher;
  std::unique_ptr<Message> message;
};

// What threads share, behind the mutex.
std::mutex mutex;
std::condition_variable arrived;
std::map<std::string, std::deque<Received>> inboxes;
std::map<std::string, Counted> counts;
std::map<std::string, Repeated> repeated;

std::unique_ptr<Message> parse(const std::string &type, const std::string &text)
{
  auto message = msgs::Factory::New(type);
  if (!message)
    throw std::runtime_error("the library has no type " + type);
  if (!TextFormat::ParseFromString(text, message.get()))
    throw std::runtime_error("no " + type + ": " + text);
  return message;
}

std::string print(const Message &message)
{
  TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  std::string text;
  printer.PrintToString(message, &text);
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  return text;
}

const google::protobuf::Value &member(const Struct &command, const std::string &name)
{
  const auto found = command.fields().find(name);
  if (found == command.fields().end())
    throw std::runtime_error("the command has no member " + name);
  return found->second;
}

std::string text(const Struct &command, const std::string &name)
{
  return member(command, name).string_value();
}

void put(Struct &result, const std::string &name, const std::string &value)
{
  (*result.mutable_fields())[name].set_string_value(value);
}

void put(Struct &result, const std::string &name, double value)
{
  (*result.mutable_fields())[name].set_number_value(value);
}

// The text of a message as this program prints it.
void canonical(transport::Node &, const Struct &command, Struct &result)
{
  put(result, "text", print(*parse(text(command, "type"), text(command, "text"))));
}

// Keeps the messages of a topic for `next`.
void subscribe(transport::Node &node, const Struct &command, Struct &)
{
  const auto topic = text(command, "topic");
  const auto type = text(command, "type");
  const auto keep = [topic, type](const char *data, size_t size, const transport::MessageInfo &)
  {
    auto message = msgs::Factory::New(type);
    Received received;
    if (message && message->ParseFromArray(data, static_cast<int>(size)))
      received.text = print(*message);
    else
      received.error = std::to_string(size) + " bytes are no " + type;
    const std::lock_guard<std::mutex> lock(mutex);
    inboxes[topic].push_back(received);
    arrived.notify_all();
  };
  if (!node.SubscribeRaw(topic, keep, type))
    throw std::runtime_error("cannot subscribe to " + topic);
}

// The next message of a topic.
void next(transport::Node &, const Struct &command, Struct &result)
{
  const auto topic = text(command, "topic");
  std::unique_lock<std::mutex> lock(mutex);
  auto &inbox = inboxes[topic];
  if (!arrived.wait_for(lock, PATIENCE, [&inbox] { return !inbox.empty(); }))
    throw std::runtime_error("no message on " + topic);
  const auto received = inbox.front();
  inbox.pop_front();
  if (!received.error.empty())
    throw std::runtime_error(topic + ": " + received.error);
  put(result, "text", received.text);
}

// Publishes a message again and again, until `stop`: the library says when a subscriber is known, not when it is
// connected.
void repeat(transport::Node &node, const Struct &command, Struct &)
{
  const auto topic = text(command, "topic");
  const auto type = text(command, "type");
  auto message = parse(type, text(command, "text"));
  auto publisher = node.Advertise(topic, type);
  if (!publisher)
    throw std::runtime_error("cannot advertise " + topic);
  const std::lock_guard<std::mutex> lock(mutex);
  repeated[topic] = Repeated{publisher, std::move(message)};
}

void stop(transport::Node &, const Struct &command, Struct &)
{
  const std::lock_guard<std::mutex> lock(mutex);
  if (repeated.erase(text(command, "topic")) == 0)
    throw std::runtime_error("nothing is repeated on " + text(command, "topic"));
}

// Counts the point clouds of a topic, whose numbers are their widths and whose bytes are the lowest byte of it.
void count(transport::Node &node, const Struct &command, Struct &)
{
  const auto topic = text(command, "topic");
  std::function<void(const msgs::PointCloudPacked &)> add = [topic](const msgs::PointCloudPacked &cloud)
  {
    const double number = cloud.width();
    const auto byte = static_cast<char>(cloud.width() & 0xff);
    const auto &data = cloud.data();
    // Each byte is the next one.
    const bool is_wrong =
      data.empty() || data[0] != byte || std::memcmp(data.data(), data.data() + 1, data.size() - 1) != 0;
    const std::lock_guard<std::mutex> lock(mutex);
    auto &counted = counts[topic];
    if (counted.received > 0 && number <= counted.last)
      counted.unordered += 1;
    else if (counted.received > 0)
      counted.lost += number - counted.last - 1;
    counted.received += 1;
    counted.last = number;
    counted.wrong += is_wrong ? 1 : 0;
    counted.bytes += static_cast<double>(data.size());
    arrived.notify_all();
  };
  if (!node.Subscribe(topic, add))
    throw std::runtime_error("cannot subscribe to " + topic);
}

// What was counted, as soon as a cloud with at least this number has arrived.
void counted(transport::Node &, const Struct &command, Struct &result)
{
  const auto topic = text(command, "topic");
  const double least = member(command, "least").number_value();
  std::unique_lock<std::mutex> lock(mutex);
  const auto &found = counts[topic];
  if (!arrived.wait_for(lock, PATIENCE, [&found, least] { return found.last >= least; }))
    throw std::runtime_error("the last cloud is " + std::to_string(found.last) + " of " + std::to_string(least));
  put(result, "received", found.received);
  put(result, "last", found.last);
  put(result, "lost", found.lost);
  put(result, "unordered", found.unordered);
  put(result, "wrong", found.wrong);
  put(result, "bytes", found.bytes);
}

// Offers a service as /gazebo/worlds is, with this answer, and one as /world/W/control is below it.
void serve(transport::Node &node, const Struct &command, Struct &)
{
  const auto service = text(command, "service");
  const auto answer = text(command, "answer");
  std::function<bool(msgs::StringMsg_V &)> reply = [answer](msgs::StringMsg_V &response)
  {
    response.add_data(answer);
    return true;
  };
  std::function<bool(const msgs::WorldControl &, msgs::Boolean &)> control = [](const auto &request, auto &response)
  {
    response.set_data(request.pause());
    return true;
  };
  if (!node.Advertise(service, reply) || !node.Advertise(service + "/control", control))
    throw std::runtime_error("cannot offer " + service);
}

// Calls a service, of which it knows two kinds by their names: it pauses a world, or asks for the names of worlds. Returns
// the time.
std::chrono::nanoseconds call(transport::Node &node, const std::string &service, std::string &answer)
{
  const auto is_control = service.size() > 8 && service.substr(service.size() - 8) == "/control";
  msgs::WorldControl pause;
  pause.set_pause(true);
  msgs::Boolean done;
  msgs::StringMsg_V names;
  bool result = false;
  const auto begin = Clock::now();
  const bool is_answered = is_control ? node.Request(service, pause, 5000U, done, result)
                                      : node.Request(service, 5000U, names, result);
  const auto took = Clock::now() - begin;
  if (!is_answered || !result)
    throw std::runtime_error(service + (is_answered ? " failed" : " does not answer"));
  answer = is_control ? print(done) : print(names);
  return took;
}

// Calls services in turn, each `count` times: the medians in microseconds, and what they answered.
void time_calls(transport::Node &node, const Struct &command, Struct &result)
{
  const auto &services = member(command, "services").list_value().values();
  const auto turns = static_cast<int>(member(command, "count").number_value());
  std::vector<std::vector<double>> times(static_cast<size_t>(services.size()));
  std::vector<std::string> answers(times.size());
  // The first ones, which find the service and connect, do not count.
  for (int turn = -10; turn < turns; ++turn)
  {
    for (size_t at = 0; at < times.size(); ++at)
    {
      const auto took = call(node, services[static_cast<int>(at)].string_value(), answers[at]);
      if (turn >= 0)
        times[at].push_back(std::chrono::duration<double, std::micro>(took).count());
    }
  }
  auto &fields = *result.mutable_fields();
  for (size_t at = 0; at < times.size(); ++at)
  {
    auto &sorted = times[at];
    std::sort(sorted.begin(), sorted.end());
    fields["medians_us"].mutable_list_value()->add_values()->set_number_value(sorted.at(sorted.size() / 2));
    fields["answers"].mutable_list_value()->add_values()->set_string_value(answers[at]);
  }
}

void publish_repeated()
{
  while (true)
  {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      for (auto &[topic, each] : repeated)
        each.publisher.Publish(*each.message);
    }
    std::this_thread::sleep_for(PERIOD);
  }
}

using Command = void (*)(transport::Node &, const Struct &, Struct &);

const std::map<std::string, Command> COMMANDS = {
  {"canonical", canonical},
  {"count", count},
  {"counted", counted},
  {"next", next},
  {"repeat", repeat},
  {"serve", serve},
  {"stop", stop},
  {"subscribe", subscribe},
  {"time_calls", time_calls},
};

void execute(transport::Node &node, const std::string &line, Struct &result)
{
  Struct command;
  if (!google::protobuf::util::JsonStringToMessage(line, &command).ok())
    throw std::runtime_error("no JSON: " + line);
  const auto found = COMMANDS.find(text(command, "do"));
  if (found == COMMANDS.end())
    throw std::runtime_error("unknown command: " + line);
  found->second(node, command, result);
}

int main()
{
  transport::Node node;
  std::thread(publish_repeated).detach();
  std::string line;
  while (std::getline(std::cin, line))
  {
    Struct result;
    try
    {
      execute(node, line, result);
    }
    catch (const std::exception &error)
    {
      put(result, "error", error.what());
    }
    std::string json;
    if (!google::protobuf::util::MessageToJsonString(result, &json).ok())
      json = "{\"error\": \"the result is no JSON\"}";
    std::cout << json << std::endl;
  }
  // The threads of the library and of this program have no end of their own.
  std::_Exit(0);
}
