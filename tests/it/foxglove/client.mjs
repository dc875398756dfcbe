// A client of the older subprotocol, with the library that viewers of that time use and their readers of messages: it
// executes the commands that it reads as lines of JSON, and writes a line for each. Arguments: the address of the
// server, the folder of the npm packages.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [address, packages] = process.argv.slice(2);
const require = createRequire(`${packages}/`);
const { FoxgloveClient, StatusLevel } = require("@foxglove/ws-protocol");
const { parse } = require("@foxglove/rosmsg");
const { MessageReader, MessageWriter } = require("@foxglove/rosmsg2-serialization");
const protobuf = require("protobufjs");
const descriptor = require("protobufjs/ext/descriptor");
const WebSocket = require("ws");

const TIMEOUT = 60_000;
const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** Returns a message as JSON has it. */
function plain(value) {
  if (ArrayBuffer.isView(value) || Array.isArray(value)) {
    return Array.from(value, plain);
  }
  if (typeof value === "bigint") {
    return Number(value);
  }
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
  }
  return value;
}

/** Returns the codec of a type. */
function codec({ encoding, schemaName, schema }) {
  if (encoding === "cdr") {
    const definitions = parse(schema, { ros2: true });
    const [reader, writer] = [new MessageReader(definitions), new MessageWriter(definitions)];
    return {
      decode: (data) => plain(reader.readMessage(data)),
      encode: (value) => writer.writeMessage(value),
    };
  }
  if (encoding === "protobuf") {
    const files = descriptor.FileDescriptorSet.decode(Buffer.from(schema, "base64"));
    const type = protobuf.Root.fromDescriptor(files).lookupType(schemaName);
    const options = { defaults: true, longs: Number, enums: Number };
    return {
      decode: (data) => snake(type.toObject(type.decode(bytes(data)), options)),
      encode: (value) => type.encode(type.fromObject(value)).finish(),
    };
  }
  return {
    decode: (data) => JSON.parse(new TextDecoder().decode(data)),
    encode: (value) => new TextEncoder().encode(JSON.stringify(value)),
  };
}

/** Names of members as in the schema, whatever the library makes of them. */
function snake(value) {
  if (Array.isArray(value)) {
    return value.map(snake);
  }
  if (value !== null && typeof value === "object" && !ArrayBuffer.isView(value)) {
    const name = (text) => text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [name(key), snake(member)]));
  }
  return plain(value);
}

const bytes = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** What was received. */
const seen = {
  info: undefined,
  channels: new Map(),
  services: new Map(),
  statuses: [],
  times: [],
  messages: new Map(),
  graph: { published: {}, subscribed: {}, services: {} },
  parameters: {},
  answers: new Map(),
};
const codecs = new Map();
let nextId = 1;

async function wait(condition) {
  for (let waited = 0; waited < TIMEOUT; waited += 5) {
    const found = condition();
    if (found !== undefined) {
      return found;
    }
    await sleep(5);
  }
  throw new Error(`nothing for ${TIMEOUT} ms: ${JSON.stringify(seen.statuses)}`);
}

function codecOf(of) {
  const key = `${of.encoding} ${of.schemaName} ${of.schema}`;
  if (!codecs.has(key)) {
    codecs.set(key, codec(of));
  }
  return codecs.get(key);
}

const named = (map, key, name) => wait(() => [...map.values()].find((one) => one[key] === name));

const client = new FoxgloveClient({ ws: new WebSocket(address, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]) });
client.on("error", (error) => seen.statuses.push({ level: 9, message: String(error) }));
client.on("close", (event) => seen.statuses.push({ level: 9, message: `closed: ${event?.reason}` }));
client.on("serverInfo", ({ op, ...info }) => (seen.info = info));
client.on("advertise", (channels) => channels.forEach((channel) => seen.channels.set(channel.id, channel)));
client.on("unadvertise", (ids) => ids.forEach((id) => seen.channels.delete(id)));
client.on("advertiseServices", (services) => services.forEach((one) => seen.services.set(one.id, one)));
client.on("unadvertiseServices", (ids) => ids.forEach((id) => seen.services.delete(id)));
client.on("status", ({ op, ...status }) => seen.statuses.push(status));
client.on("time", ({ timestamp }) => seen.times.push(Number(timestamp)));
client.on("message", ({ subscriptionId, timestamp, data }) => {
  const received = seen.messages.get(subscriptionId) ?? [];
  received.push([Number(timestamp), data]);
  seen.messages.set(subscriptionId, received);
});
client.on("serviceCallResponse", (response) => seen.answers.set(`call ${response.callId}`, response));
client.on("serviceCallFailure", ({ callId, message }) => seen.answers.set(`call ${callId}`, { failure: message }));
client.on("fetchAssetResponse", (response) => seen.answers.set(`asset ${response.requestId}`, response));
client.on("parameterValues", ({ parameters, id }) => {
  const values = Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
  Object.assign(seen.parameters, values);
  seen.answers.set(`parameters ${id}`, values);
});
client.on("connectionGraphUpdate", (event) => {
  const { published, subscribed, services } = seen.graph;
  event.publishedTopics.forEach(({ name, publisherIds }) => (published[name] = publisherIds));
  event.subscribedTopics.forEach(({ name, subscriberIds }) => (subscribed[name] = subscriberIds));
  event.advertisedServices.forEach(({ name, providerIds }) => (services[name] = providerIds));
  event.removedTopics.forEach((name) => (delete published[name], delete subscribed[name]));
  event.removedServices.forEach((name) => delete services[name]);
});

/** The commands. */
const commands = {
  async state() {
    const { info, statuses, graph, parameters } = seen;
    const describe = ({ topic, encoding, schemaName, schemaEncoding }) => ({ topic, encoding, schemaName, schemaEncoding });
    const services = Object.fromEntries([...seen.services.values()].map(({ name, type }) => [name, type]));
    const channels = [...seen.channels.values()].map(describe);
    return { info, channels, services, statuses, times: seen.times.slice(-3), graph, parameters };
  },

  async collect({ topics, seconds }) {
    const subscriptions = [];
    const firstTime = seen.times.length;
    for (const topic of topics) {
      const channel = await named(seen.channels, "topic", topic);
      subscriptions.push([topic, channel, client.subscribe(channel.id)]);
    }
    await sleep(seconds * 1000);
    await wait(() => subscriptions.every(([, , id]) => seen.messages.get(id)?.length > 0) || undefined);
    const result = {};
    for (const [topic, channel, id] of subscriptions) {
      client.unsubscribe(id);
      const received = seen.messages.get(id) ?? [];
      seen.messages.delete(id);
      const shown = received.length > 0 ? [received[0], received[received.length - 1]] : [];
      result[topic] = {
        count: received.length,
        stamps: shown.map(([stamp]) => stamp),
        messages: shown.map(([, data]) => codecOf(channel).decode(data)),
      };
    }
    return { ...result, times: seen.times.slice(firstTime) };
  },

  async publish({ topic, type, encoding, message, seconds }) {
    const id = client.advertise({ topic, encoding, schemaName: type });
    const value = encoding === "json" ? message : message.value;
    const data = codecOf({ encoding, schemaName: type, schema: message.schema ?? "" }).encode(value);
    const end = Date.now() + seconds * 1000;
    do {
      client.sendMessage(id, data);
      await sleep(50);
    } while (Date.now() < end);
    client.unadvertise(id);
    return {};
  },

  async call({ service: name, request, encoding: requested }) {
    const service = await named(seen.services, "name", name);
    // The writer of CDR cuts texts that are not ASCII, because it counts letters instead of bytes.
    const isAscii = /^[\x00-\x7f]*$/.test(JSON.stringify(request));
    const encoding = requested ?? (isAscii ? service.request.encoding : "json");
    const side = (of) => (encoding === "cdr" ? codecOf(of) : codec({ encoding }));
    const callId = ++nextId;
    const data = side(service.request).encode(request);
    client.sendServiceCallRequest({ serviceId: service.id, callId, encoding, data: new DataView(data.buffer, data.byteOffset, data.byteLength) });
    const answer = await wait(() => seen.answers.get(`call ${callId}`));
    if (answer.failure !== undefined) {
      return answer;
    }
    if (answer.encoding !== encoding) {
      throw new Error(`the response has the encoding ${answer.encoding}`);
    }
    return side(service.response).decode(answer.data);
  },

  async asset({ uri }) {
    const id = ++nextId;
    client.fetchAsset(uri, id);
    const { status, error, data } = await wait(() => seen.answers.get(`asset ${id}`));
    const text = data ? Buffer.from(bytes(data)).subarray(0, 20).toString("latin1") : "";
    return { status, error: error ?? "", size: data?.byteLength ?? 0, text };
  },

  async parameters({ names }) {
    const id = String(++nextId);
    client.getParameters(names, id);
    return await wait(() => seen.answers.get(`parameters ${id}`));
  },

  async send({ text }) {
    // The library has no function for wrong texts, but one for everything that this test sends.
    const { op, ...request } = JSON.parse(text);
    const functions = {
      subscribeConnectionGraph: () => client.subscribeConnectionGraph(),
      subscribeParameterUpdates: () => client.subscribeParameterUpdates(request.parameterNames),
      setParameters: () => client.setParameters(request.parameters, request.id),
      subscribe: () => client.subscribe(request.subscriptions[0].channelId),
    };
    functions[op]();
    return {};
  },

  async status({ contains }) {
    return await wait(() => seen.statuses.find(({ message }) => message.includes(contains)));
  },
};

await wait(() => seen.info);
console.log(JSON.stringify({ ready: FoxgloveClient.SUPPORTED_SUBPROTOCOL, levels: StatusLevel.ERROR }));
for await (const line of createInterface({ input: process.stdin })) {
  const { do: name, ...command } = JSON.parse(line);
  console.log(JSON.stringify(await commands[name](command)));
}
process.exit(0);
