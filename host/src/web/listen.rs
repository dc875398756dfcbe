//! Accepts connections up to the limit, and serves each until it ends or the server stops.

use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use super::client_stream::ClientStream;
use super::connection_limit::ConnectionLimit;

/// Longest time to send the head of a request; idle connections are also closed after it.
const HEAD: Duration = Duration::from_secs(15);
/// Longest time for pending responses when the server stops.
const GRACE: Duration = Duration::from_secs(2);
/// Most bytes that wait in the operating system to be sent to a client, so that a slow client gets recent messages.
const UNSENT: u32 = 256 << 10;
/// Pause after the operating system failed to accept a connection.
const PAUSE: Duration = Duration::from_millis(50);
/// Clients that may be connected, in multiples of the connections that are served: the others wait.
const WAITING: usize = 4;

/// Response if all connections are in use.
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\n\
    Connection: close\r\nContent-Length: 74\r\n\r\n\
    {\"code\":\"BH-WEB-013\",\"message\":\"all connections of the server are in use\"}";

/// Serves until `stop` is true, then sends pending responses and ends.
pub(super) async fn serve(
    listener: TcpListener,
    app: Router,
    connections: usize,
    mut stop: watch::Receiver<bool>,
) {
    let limit = Arc::new(ConnectionLimit::new(connections));
    let door = Arc::new(Semaphore::new(WAITING * connections));
    loop {
        let accepted = tokio::select! {
            () = told_to_stop(&mut stop) => break,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            // The process may have no descriptors left.
            limit.dismiss(1);
            sleep(PAUSE).await;
            continue;
        };
        let Ok(inside) = Arc::clone(&door).try_acquire_owned() else {
            drop(stream.try_write(FULL));
            continue;
        };
        let connection = connection(stream, app.clone(), Arc::clone(&limit), stop.clone());
        tokio::spawn(async move {
            connection.await;
            drop(inside);
        });
    }
    drop(listener);
    if timeout(GRACE, limit.empty()).await.is_err() {
        log::debug!("the HTTP server ends with connections open");
    }
}

async fn connection(
    stream: TcpStream,
    app: Router,
    limit: Arc<ConnectionLimit>,
    mut stop: watch::Receiver<bool>,
) {
    if let Err(error) = SockRef::from(&stream).set_tcp_notsent_lowat(UNSENT) {
        log::debug!("a slow client may get old messages: {error}");
    }
    let Some((slot, dismissed)) = limit.enter().await else { return refuse(&stream).await };
    // Answers are small and waited for.
    drop(stream.set_nodelay(true));
    let service = TowerToHyperService::new(app.layer(Extension(Arc::clone(&slot))));
    let stream = ClientStream::new(stream, slot, dismissed);
    let mut protocol = http1::Builder::new();
    protocol.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let connection = protocol.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = told_to_stop(&mut stop) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        log::trace!("a connection ended: {error}");
    }
}

/// Waits until the server must stop.
pub(super) async fn told_to_stop(stop: &mut watch::Receiver<bool>) {
    // An error says that the server is gone.
    drop(stop.wait_for(|stop| *stop).await);
}

/// Reports that all connections are in use. A response that cannot be sent at once is dropped.
async fn refuse(stream: &TcpStream) {
    drop(stream.try_write(FULL));
    // A connection that is closed with something unread takes the answer with it.
    drop(timeout(PAUSE, stream.readable()).await);
    drop(stream.try_read(&mut [0; 4096]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_is_as_long_as_it_says() {
        let text = std::str::from_utf8(FULL).expect("text");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.ends_with(&format!("Content-Length: {}", body.len())), "{}", body.len());
    }
}
