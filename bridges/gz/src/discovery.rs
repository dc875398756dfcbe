//! The datagrams by which the processes of gz-transport find each other's topics and services.
//!
//! A datagram is the length of the rest in two bytes, little-endian, and a protobuf message. Versions 8 to 15 of the
//! library exchange the same bytes (`gz-transport`, `Discovery.hh`, wire version 10).

use prost::Message;

/// The version of the datagrams.
pub(crate) const VERSION: u32 = 10;
/// Largest datagram, in bytes.
pub(crate) const MAX_DATAGRAM: usize = 65_535;
/// Bytes of the length in front.
const PREFIX: usize = 2;
/// What the rate of a publisher is without a limit.
const UNLIMITED: u64 = u64::MAX;

/// What a datagram says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub(crate) enum Kind {
    Uninitialized = 0,
    /// A process has a publisher or a service.
    Advertise = 1,
    /// A process looks for a topic or service.
    Subscribe = 2,
    /// A process no longer has it.
    Unadvertise = 3,
    /// A process lives.
    Heartbeat = 4,
    /// A process ends.
    Bye = 5,
    /// A process has connected to a publisher.
    NewConnection = 6,
    /// It no longer receives from that publisher.
    EndConnection = 7,
    /// Asks every process for its subscriptions.
    SubscribersRequest = 8,
    /// One subscription.
    SubscribersReply = 9,
}

/// One datagram.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Datagram {
    #[prost(uint32, tag = "2")]
    pub(crate) version: u32,
    /// UUID of the sender.
    #[prost(string, tag = "3")]
    pub(crate) process: String,
    #[prost(enumeration = "Kind", tag = "4")]
    pub(crate) kind: i32,
    #[prost(message, optional, tag = "6")]
    pub(crate) subscriber: Option<Subscriber>,
    /// Newer senders fill it for every kind.
    #[prost(message, optional, tag = "7")]
    pub(crate) publisher: Option<Publisher>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Subscriber {
    /// Fully qualified.
    #[prost(string, tag = "1")]
    pub(crate) topic: String,
}

/// Who else may see a publisher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub(crate) enum Scope {
    Process = 0,
    Host = 1,
    All = 2,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Publisher {
    /// Fully qualified.
    #[prost(string, tag = "1")]
    pub(crate) topic: String,
    /// Where it sends or takes requests, such as `tcp://127.0.0.1:35777`.
    #[prost(string, tag = "2")]
    pub(crate) address: String,
    #[prost(string, tag = "3")]
    pub(crate) process: String,
    #[prost(string, tag = "4")]
    pub(crate) node: String,
    #[prost(enumeration = "Scope", tag = "5")]
    pub(crate) scope: i32,
    #[prost(message, optional, tag = "6")]
    pub(crate) topic_details: Option<TopicDetails>,
    #[prost(message, optional, tag = "7")]
    pub(crate) service_details: Option<ServiceDetails>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct TopicDetails {
    /// Of a connection, the process of the publisher.
    #[prost(string, tag = "1")]
    pub(crate) control: String,
    #[prost(string, tag = "2")]
    pub(crate) type_name: String,
    #[prost(bool, tag = "3")]
    pub(crate) is_throttled: bool,
    #[prost(uint64, tag = "4")]
    pub(crate) rate: u64,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ServiceDetails {
    /// Identity of the socket for requests.
    #[prost(string, tag = "1")]
    pub(crate) socket: String,
    #[prost(string, tag = "2")]
    pub(crate) request: String,
    #[prost(string, tag = "3")]
    pub(crate) response: String,
}

impl TopicDetails {
    pub(crate) fn new(control: &str, type_name: &str) -> Self {
        TopicDetails {
            control: control.to_owned(),
            type_name: type_name.to_owned(),
            is_throttled: false,
            rate: UNLIMITED,
        }
    }
}

/// Why a datagram is none of this protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is not as long as it says.
    Length,
    /// It is no protobuf message of this kind.
    Malformed,
    /// It has another version, such as 110 of processes that measure topics.
    Version(u32),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Length => f.write_str("it is not as long as it says"),
            Fault::Malformed => f.write_str("it is no message of discovery"),
            Fault::Version(version) => write!(f, "its version is {version}, not {VERSION}"),
        }
    }
}

impl Datagram {
    /// A datagram without contents.
    pub(crate) fn new(process: &str, kind: Kind) -> Self {
        Datagram { version: VERSION, process: process.to_owned(), kind: kind.into(), ..Datagram::default() }
    }

    pub(crate) fn about(process: &str, kind: Kind, publisher: Publisher) -> Self {
        Datagram { publisher: Some(publisher), ..Datagram::new(process, kind) }
    }

    pub(crate) fn looking_for(process: &str, topic: &str) -> Self {
        let subscriber = Some(Subscriber { topic: topic.to_owned() });
        Datagram { subscriber, ..Datagram::new(process, Kind::Subscribe) }
    }

    /// Returns the bytes; `None` if there are too many.
    pub(crate) fn encode_datagram(&self) -> Option<Vec<u8>> {
        let length =
            u16::try_from(self.encoded_len()).ok().filter(|_| self.encoded_len() + PREFIX <= MAX_DATAGRAM)?;
        let mut bytes = length.to_le_bytes().to_vec();
        self.encode(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Reads a datagram.
    ///
    /// # Errors
    /// Returns what is wrong with it.
    pub(crate) fn decode_datagram(bytes: &[u8]) -> Result<Self, Fault> {
        let (length, body) = bytes.split_first_chunk::<PREFIX>().ok_or(Fault::Length)?;
        if usize::from(u16::from_le_bytes(*length)) != body.len() {
            return Err(Fault::Length);
        }
        let datagram = Datagram::decode(body).map_err(|_| Fault::Malformed)?;
        if datagram.version != VERSION {
            return Err(Fault::Version(datagram.version));
        }
        Ok(datagram)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROCESS: &str = "01234567-89ab-cdef-0123-456789abcdef";

    #[test]
    fn datagrams_have_the_bytes_that_the_library_sends() {
        let heartbeat = Datagram::new(PROCESS, Kind::Heartbeat).encode_datagram().expect("short");
        let expected = [&[0x2a, 0, 0x10, 10, 0x1a, 0x24][..], PROCESS.as_bytes(), &[0x20, 4]].concat();
        assert_eq!(heartbeat, expected);
        let subscribe = Datagram::looking_for(PROCESS, "@/test@/foo").encode_datagram().expect("short");
        assert_eq!(subscribe.len(), 59);
        assert!(subscribe.ends_with(b"\x20\x02\x32\x0d\x0a\x0b@/test@/foo"), "{subscribe:?}");
        let publisher = Publisher {
            topic: "@/test@/foo".to_owned(),
            address: "tcp://127.0.0.1:35777".to_owned(),
            process: PROCESS.to_owned(),
            node: PROCESS.to_owned(),
            scope: Scope::All.into(),
            topic_details: Some(TopicDetails::new("unused", "ignition.msgs.StringMsg")),
            service_details: None,
        };
        let advertise =
            Datagram::about(PROCESS, Kind::Advertise, publisher).encode_datagram().expect("short");
        assert_eq!((advertise.len(), advertise[0]), (207, 0xcd));
    }

    #[test]
    fn what_is_no_datagram_is_refused() {
        let good = Datagram::new(PROCESS, Kind::Bye).encode_datagram().expect("short");
        assert_eq!(Datagram::decode_datagram(&good).expect("good").kind(), Kind::Bye);
        for length in 0..good.len() {
            assert_eq!(Datagram::decode_datagram(&good[..length]), Err(Fault::Length));
        }
        assert_eq!(Datagram::decode_datagram(&[1, 0, 0xff]), Err(Fault::Malformed));
        assert_eq!(Datagram::decode_datagram(&[2, 0, 0x10, 110]), Err(Fault::Version(110)));
    }
}
