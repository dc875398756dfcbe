//! A link to a host that carries few bytes per second and buffers little, as a bad network does.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::{Builder, sleep};
use std::time::Duration;

use socket2::{Domain, Socket, Type};

/// Bytes that wait in the link. What the operating system would buffer by default takes seconds over a slow link.
const BUFFER: usize = 32 << 10;
/// How often the link carries bytes.
const PERIOD: Duration = Duration::from_millis(20);

/// Passes on what the clients of the returned address exchange with `host`: towards clients at most this many bytes per
/// second. The link ends with the process.
pub(super) fn slow_link(host: SocketAddr, bytes_per_second: usize) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let piece = bytes_per_second / 50;
    let accept = move || {
        for client in listener.incoming().map_while(Result::ok) {
            // A client of a host that has ended is disconnected.
            drop(carry(client, host, piece));
        }
    };
    Builder::new().spawn(accept).expect("a thread");
    address
}

fn carry(client: TcpStream, host: SocketAddr, piece: usize) -> io::Result<()> {
    let socket = Socket::new(Domain::for_address(host), Type::STREAM, None)?;
    // Before the connection, because the window of the sender depends on it.
    socket.set_recv_buffer_size(BUFFER)?;
    socket.connect(&host.into())?;
    let server = TcpStream::from(socket);
    let (mut up, mut up_to) = (client.try_clone()?, server.try_clone()?);
    let upwards = move || {
        drop(io::copy(&mut up, &mut up_to));
        drop(up_to.shutdown(std::net::Shutdown::Both));
    };
    Builder::new().spawn(upwards)?;
    let downwards = move || {
        drop(trickle(&server, &client, piece));
        drop(client.shutdown(std::net::Shutdown::Both));
    };
    Builder::new().spawn(downwards)?;
    Ok(())
}

fn trickle(mut from: &TcpStream, mut to: &TcpStream, piece: usize) -> io::Result<()> {
    let mut bytes = vec![0; piece];
    loop {
        let count = from.read(&mut bytes)?;
        if count == 0 {
            return Ok(());
        }
        to.write_all(bytes.get(..count).unwrap_or_default())?;
        // Wall time: the bandwidth of the link.
        sleep(PERIOD);
    }
}
