"""A client that receives the IMU of a vehicle until the test ends it.

Arguments: the port of the service, the folder of .proto files, the vehicle, and the name of its IMU.
Reports `{"ready": true}` once it is connected, and then, after each line from the test, the stamps of the messages
received since, in nanoseconds of simulated time.
"""

import sys

import zmq

from cloisim import Messages, Service, Wire, payload, report, tag, wait_for_test

service, folder, vehicle, name = sys.argv[1:]
messages = Messages(folder)
devices = Service(service).devices_when(lambda found: vehicle in found)
mark = tag(f"{vehicle}{name}Data")
subscriber = Wire().subscriber(devices[vehicle]["IMU"][name]["Data"], mark)
poller = zmq.Poller()
poller.register(subscriber, zmq.POLLIN)
poller.register(sys.stdin.fileno(), zmq.POLLIN)
stamps = []
report(ready=True)
while True:
    ready = dict(poller.poll())
    if subscriber in ready:
        time = messages.read("IMU", payload(subscriber.recv(), mark)).header.stamp
        stamps.append(time.sec * 1_000_000_000 + time.nsec)
    if sys.stdin.fileno() in ready:
        wait_for_test()
        report(stamps=stamps)
        stamps = []
