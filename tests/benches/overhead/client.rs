//! An HTTP client that costs as little as possible: it repeats one request and keeps the last answer.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::Outcome;

/// Deadline for an answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// More than the length of any answer.
const ROOM: usize = 4 << 20;
/// More than the length of the head of an answer.
const HEAD: usize = 4096;

/// One connection, kept open.
pub(crate) struct Client {
    stream: TcpStream,
    request: String,
    /// Head and body of the last answer.
    room: Vec<u8>,
    body: std::ops::Range<usize>,
}

impl Client {
    /// Connects to the server at `address`, for requests to one service.
    pub(crate) fn connect(address: &str, service: &str) -> Outcome<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        let request = format!(
            "POST /api/{service} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
             content-length: 2\r\n\r\n{{}}"
        );
        Ok(Client { stream, request, room: vec![0; ROOM], body: 0..0 })
    }

    /// Sends the request, and reads the whole answer.
    pub(crate) fn ask(&mut self) -> Outcome<&[u8]> {
        self.stream.write_all(self.request.as_bytes())?;
        let mut length = 0;
        self.body = loop {
            length += self.take(length)?;
            if let Some(body) = body_of(self.room.get(..length.min(HEAD)).unwrap_or_default())? {
                break body;
            }
        };
        while length < self.body.end {
            length += self.take(length)?;
        }
        Ok(self.answer())
    }

    /// The body of the last answer.
    pub(crate) fn answer(&self) -> &[u8] {
        self.room.get(self.body.clone()).unwrap_or_default()
    }

    fn take(&mut self, from: usize) -> Outcome<usize> {
        match self.stream.read(self.room.get_mut(from..).unwrap_or_default())? {
            0 => Err("the server closed the connection during an answer".into()),
            count => Ok(count),
        }
    }
}

/// Range of the body of an answer that begins with these bytes; `None` until its head is complete.
fn body_of(answer: &[u8]) -> Outcome<Option<std::ops::Range<usize>>> {
    let Some(end) = answer.windows(4).position(|window| window == b"\r\n\r\n") else { return Ok(None) };
    let head = std::str::from_utf8(answer.get(..end).unwrap_or_default())?;
    if !head.starts_with("HTTP/1.1 200 ") {
        return Err(format!("the answer is {head}").into());
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let begin = end + 4;
    Ok(Some(begin..begin + length.ok_or("the answer has no content-length")?))
}
