//! Bridges in Python.

use std::net::UdpSocket;
use std::time::Duration;

use super::{head, setup};
use crate::support::{receive_from, world};

const UDP: &str = r#"
import socket
from bridgehead.plugin import Bridge, Outgoing, PluginError

class Udp(Bridge):
    def validate(self, connection: str) -> None:
        if ":" not in connection:
            raise PluginError(f"`{connection}` is no HOST:PORT")

    def connect(self, connection: str) -> None:
        host, _, port = connection.rpartition(":")
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(0.05)
        self.socket.connect((host, int(port)))

    def transmit(self, message: Outgoing) -> None:
        assert message.channel.type == "std_msgs/msg/Float64", message.channel
        self.socket.send(f"{message.topic} {message.message.data}".encode())

    def receive(self) -> None:
        value = self.socket.recv(100)
        self.deliver("/car1/command", {"data": float(value)})
"#;

const ECHO: &str = r#"
from bridgehead.messages.std_msgs import Float64
from bridgehead.plugin import Controller, Step

class Echo(Controller):
    def awake(self) -> None:
        self.commands = self.subscribe(Float64, "command")
        self.echo = self.advertise(Float64, "echo")
        self.beat = self.advertise(Float64, "beat")

    def control(self, step: Step) -> None:
        for received in self.commands:
            self.echo.publish(Float64(data=2 * received.message.data))
        if step.number % 10 == 0:
            self.beat.publish(Float64(data=step.time))
"#;

#[test]
fn a_bridge_sends_and_receives() {
    let Some(setup) = setup("udp", &(head("bridge") + UDP)) else { return };
    std::fs::write(setup.plugin_folder().join("echo.py"), head("model") + ECHO).expect("a script");
    let peer = UdpSocket::bind("127.0.0.1:0").expect("a free port");
    peer.set_read_timeout(Some(Duration::from_secs(60))).expect("a deadline");
    let address = peer.local_addr().expect("an address");
    let sdf = world("<model name='car1'><link name='l'/><plugin name='e' filename='echo'/></model>");
    let running = setup.in_real_time().world(&sdf).bridge(format!("car1=udp:{address}")).start();
    let mut datagram = [0; 200];
    let mut receive = || {
        let (len, from) = receive_from(&peer, &mut datagram).expect("a datagram before the deadline");
        (String::from_utf8_lossy(&datagram[..len]).into_owned(), from)
    };
    let (first, host) = receive();
    assert!(first.starts_with("/car1/beat "), "{first}");
    peer.send_to(b"21.5", host).expect("the datagram is sent");
    let echo = (0..600).map(|_| receive().0).find(|text| text.starts_with("/car1/echo"));
    assert_eq!(echo.as_deref(), Some("/car1/echo 43.0"));
    running.signal(libc::SIGINT);
    running.finish().expect_code(0).expect_silence("BH-PLG");
}

#[test]
fn a_wrong_connection_is_refused_before_anything_starts() {
    let Some(setup) = setup("udp", &(head("bridge") + UDP)) else { return };
    let sdf = world("<model name='car1'><link name='l'/></model>");
    let finished = setup.world(&sdf).bridge("car1=udp:nowhere").args(["--duration", "0.1s"]).finish();
    finished.expect_message(&["`nowhere` is no HOST:PORT"]);
}

#[test]
fn an_exception_in_a_loop_names_its_line() {
    let faulty = UDP.replace("self.socket.send(f", "raise KeyError(f");
    let Some(setup) = setup("udp", &(head("bridge") + &faulty)) else { return };
    std::fs::write(setup.plugin_folder().join("echo.py"), head("model") + ECHO).expect("a script");
    let sdf = world("<model name='car1'><link name='l'/><plugin name='e' filename='echo'/></model>");
    let setup = setup.world(&sdf).bridge("car1=udp:127.0.0.1:9").args(["--duration", "1s"]);
    setup.finish().expect_message(&["udp.py:21", "KeyError"]);
}
