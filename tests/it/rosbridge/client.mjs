// A client with roslib: executes commands, a line of JSON for each, and writes a line with the result of each.
//
// Usage: node client.mjs ADDRESS PACKAGES, where PACKAGES is the folder of installed packages.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [address, packages] = process.argv.slice(2);
const { Action, Param, Ros, Service, Topic } = await import(pathToFileURL(`${packages}/roslib/dist/RosLib.js`));

const DEADLINE_MS = 60_000;
const errors = [];
const ros = new Ros({});
ros.on("error", (error) => errors.push(String(error)));

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Typed arrays as lists, and what JSON cannot express as texts.
const plain = (value) =>
  JSON.parse(
    JSON.stringify(value, (_, each) => {
      if (ArrayBuffer.isView(each)) return { kind: each.constructor.name, length: each.length, values: [...each.slice(0, 64)].map(String) };
      return typeof each === "bigint" ? String(each) : each;
    }),
  );

const commands = {
  async collect({ topic, type, count = Infinity, seconds = DEADLINE_MS / 1000, ...options }) {
    const listener = new Topic({ ros, name: topic, messageType: type, ...options });
    const messages = [];
    const times = [];
    const enough = new Promise((resolve) => {
      listener.subscribe((message) => {
        messages.push(plain(message));
        times.push(performance.now() / 1000);
        if (messages.length >= count) resolve();
      });
    });
    await Promise.race([enough, sleep(seconds * 1000)]);
    listener.unsubscribe();
    return { messages, times };
  },
  async publish({ topic, type, message, count = 1, pause = 0 }) {
    const talker = new Topic({ ros, name: topic, messageType: type });
    for (let sent = 0; sent < count; sent += 1) {
      talker.publish(message);
      await sleep(pause * 1000);
    }
    return { connected: ros.isConnected };
  },
  call({ service, type, request }) {
    const client = new Service({ ros, name: service, serviceType: type });
    return new Promise((resolve) =>
      client.callService(request, (values) => resolve({ values }), (failure) => resolve({ failure: String(failure) })),
    );
  },
  goal({ action, type, goal, cancel_after: cancelAfter }) {
    const client = new Action({ ros, name: action, actionType: type });
    const feedback = [];
    return new Promise((resolve) => {
      const id = client.sendGoal(
        goal,
        (result) => resolve({ feedback, results: [result] }),
        (values) => {
          feedback.push(values);
          if (feedback.length === cancelAfter) client.cancelGoal(id);
        },
        (failure) => resolve({ feedback, failure: String(failure) }),
      );
    });
  },
  async listing() {
    const ask = (name, ...more) =>
      new Promise((resolve, reject) => ros[name](...more, (answer) => resolve(plain(answer)), (error) => reject(new Error(String(error)))));
    return {
      topics: await ask("getTopics"),
      type: await ask("getTopicType", "/car1/scan"),
      services: await ask("getServices"),
      service_type: await ask("getServiceType", "/get_simulation_state"),
      nodes: await ask("getNodes"),
      details: await ask("getMessageDetails", "geometry_msgs/Twist"),
      raw: await ask("getTopicsAndRawTypes"),
      parameter: await new Promise((resolve) => new Param({ ros, name: "no_such" }).get(resolve, (failure) => resolve({ failure }))),
    };
  },
  async answer({ service, type }) {
    new Service({ ros, name: service, serviceType: type }).advertise((request, response) => {
      response.got = request;
      return true;
    });
    return {};
  },
  async serve_action({ action, type }) {
    const server = new Action({ ros, name: action, actionType: type });
    server.advertise(
      (goal, id) => {
        server.sendFeedback(id, { partial: goal.order });
        server.setSucceeded(id, { total: goal.order * 2 });
      },
      () => {},
    );
    return {};
  },
  async errors() {
    return { errors };
  },
};

await new Promise((resolve, reject) => {
  ros.on("connection", resolve);
  ros.on("close", reject);
  ros.connect(address);
});
console.log(JSON.stringify({ ready: "roslib" }));
for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  console.log(JSON.stringify(await commands[command.do](command)));
}
process.exit(0);
