//! Clients that are many, slow or busy, and what others notice of them.

use super::*;

/// Counts down in parts.
struct Steps;

impl Protocol for Steps {
    type Client = (Link, Mutex<u32>);

    fn opened(&self, link: &Link) -> Self::Client {
        (link.clone(), Mutex::new(0))
    }
    fn text(&self, client: &Self::Client, text: &str) {
        *lock(&client.1) = text.parse().expect("a number");
    }
    fn proceed(&self, client: &Self::Client) -> bool {
        let mut left = lock(&client.1);
        if *left == 0 {
            client.0.reply(Frame::text("done".to_owned()));
            return false;
        }
        *left -= 1;
        // Wall time: the work of a busy client.
        std::thread::sleep(Duration::from_millis(1));
        true
    }
    fn binary(&self, _: &Self::Client, _: Bytes) {}
}

#[test]
fn the_work_of_one_client_leaves_time_for_others() {
    let server = Server::start(options(), Steps).expect("a server");
    let [mut busy, mut other] = [connect(server.address()), connect(server.address())];
    busy.send(Message::text("1000")).expect("sent");
    for _ in 0..10 {
        other.send(Message::text("1")).expect("sent");
        assert_eq!(other.read().expect("an answer"), Message::text("done"));
    }
    busy.get_mut().set_nonblocking(true).expect("an option");
    assert!(busy.read().is_err(), "it is not done yet");
    busy.get_mut().set_nonblocking(false).expect("an option");
    assert_eq!(busy.read().expect("an answer"), Message::text("done"));
}

#[test]
fn clients_that_come_at_once_are_all_served() {
    let server = server(|options| options.max_clients = 200);
    let address = server.address();
    let streams: Vec<TcpStream> =
        (0..200).map(|_| TcpStream::connect(address).expect("a connection")).collect();
    // Each shakes hands only now.
    let clients: Vec<_> = streams
        .into_iter()
        .rev()
        .take(100)
        .map(|stream| tungstenite::client(format!("ws://{address}/"), stream).expect("a handshake").0)
        .collect();
    wait_until("all clients", || server.clients() == clients.len());
}

#[test]
fn silent_connections_make_room_for_clients() {
    let server = server(|_| ());
    // More than the places for handshakes, and less than the queue of the operating system.
    let silent: Vec<TcpStream> =
        (0..200).map(|_| TcpStream::connect(server.address()).expect("a connection")).collect();
    let begin = Instant::now();
    echo(&mut connect(server.address()), "hello");
    // They have ten seconds for their handshakes.
    // Wall time: a client that waits for the silent ones is served too, but late.
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
    drop(silent);
}

#[test]
fn a_client_that_reads_slowly_is_asked_too() {
    let server = server(|options| {
        options.backlog = Backlog { frames: 4, bytes: 8 << 20 };
        // A client that does not answer is disconnected after three intervals; this one reads much data before each ping.
        options.ping_interval = Duration::from_secs(1);
    });
    let mut client = connect(server.address());
    wait_until("the client", || server.clients() == 1);
    let frame = Frame::binary(vec![1; 1 << 20]);
    let begin = Instant::now();
    let mut pings = 0;
    // Data waits all the time, for longer than a silent client stays connected.
    while pings <= 3 {
        assert!(begin.elapsed() < Duration::from_secs(60), "{pings} pings");
        (0..4).for_each(|_| server.protocol().send_to_all(&frame));
        pings += usize::from(client.read().expect("a message").is_ping());
        std::thread::sleep(Duration::from_millis(5));
    }
    client.send(Message::text("hello")).expect("sent");
    while client.read().expect("a message") != Message::text("hello") {}
}
