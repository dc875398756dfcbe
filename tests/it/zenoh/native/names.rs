//! Keys, tokens, qualities of service, identities and attachments as `rmw_zenoh` has them: texts and bytes only.

use bridgehead_host::clock;
use xxhash_rust::xxh3::xxh3_128;

/// The kinds of endpoints in tokens.
pub(super) const PUBLISHER: &str = "MP";
pub(super) const SUBSCRIBER: &str = "MS";
pub(super) const SERVER: &str = "SS";
pub(super) const CLIENT: &str = "SC";

/// Bytes of an attachment: number, time, length of the identity, identity.
const ATTACHMENT: usize = 33;

/// What an endpoint promises or requires.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quality {
    pub(crate) is_reliable: bool,
    /// Whether late subscribers receive earlier messages: "transient local".
    pub(crate) is_latched: bool,
    pub(crate) depth: usize,
}

impl Quality {
    /// The one of services, and of most topics.
    pub(crate) const DEFAULT: Self = Quality { is_reliable: true, is_latched: false, depth: 10 };

    pub(crate) fn latched(depth: usize) -> Self {
        Quality { is_latched: true, depth, ..Self::DEFAULT }
    }

    /// Its text in tokens, in which defaults are left out; 42 is the default of the depth.
    pub(super) fn text(&self) -> String {
        let reliability = if self.is_reliable { "" } else { "2" };
        let durability = if self.is_latched { "1" } else { "" };
        let depth = if self.depth == 42 { String::new() } else { self.depth.to_string() };
        format!("{reliability}:{durability}:,{depth}:,:,:,,")
    }
}

/// `package::srv::dds_::Name_` of `package/srv/Name`.
pub(super) fn dds_name(ros_type: &str) -> String {
    let parts: Vec<&str> = ros_type.split('/').collect();
    format!("{}::{}::dds_::{}_", parts[0], parts[1], parts[2])
}

/// The key of the samples of a topic or of the queries of a service.
pub(super) fn data_key(domain: u16, name: &str, ros_type: &str, hash: &str) -> String {
    format!("{domain}/{}/{}/{hash}", name.trim_matches('/'), dds_name(ros_type))
}

/// A name as tokens contain it.
pub(super) fn mangled(name: &str) -> String {
    format!("%{}", name.trim_matches('/').replace('/', "%"))
}

/// The token of a node in the root namespace, which has the number 0.
pub(crate) fn node_token(domain: u16, zid: &str, name: &str) -> String {
    format!("@ros2_lv/{domain}/{zid}/0/0/NN/%/%/{name}")
}

/// The token of an endpoint: domain, session, number and name of the node; kind; name, type and hash.
pub(crate) fn endpoint_token(
    (domain, zid, number, node): (u16, &str, u32, &str),
    kind: &str,
    (name, ros_type, hash): (&str, &str, &str),
    quality: &Quality,
) -> String {
    let (name, ros_type, quality) = (mangled(name), dds_name(ros_type), quality.text());
    format!("@ros2_lv/{domain}/{zid}/0/{number}/{kind}/%/%/{node}/{name}/{ros_type}/{hash}/{quality}")
}

/// What comes with a sample, a request or a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attachment {
    pub(crate) number: i64,
    pub(crate) gid: [u8; 16],
}

impl Attachment {
    /// Its bytes, with the time now.
    pub(super) fn bytes(&self) -> Vec<u8> {
        // Wall time: the source timestamp, in nanoseconds since 1970.
        let now = i64::try_from(clock::since_1970().as_nanos()).expect("before the year 2262");
        [&self.number.to_le_bytes()[..], &now.to_le_bytes(), &[16], &self.gid].concat()
    }

    /// Reads an attachment, if there is one; otherwise says what is wrong with it.
    pub(super) fn read(bytes: Option<&zenoh::bytes::ZBytes>) -> Result<Self, String> {
        let bytes = bytes.ok_or("there is no attachment")?.to_bytes();
        let number = |at: usize| i64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        if bytes.len() != ATTACHMENT || bytes[16] != 16 || number(0) < 0 || number(8) < 0 {
            return Err(format!("the attachment {bytes:?} is malformed"));
        }
        Ok(Attachment { number: number(0), gid: bytes[17..].try_into().expect("sixteen bytes") })
    }
}

/// The identity of an endpoint with this token.
pub(crate) fn gid(token: &str) -> [u8; 16] {
    xxh3_128(token.as_bytes()).to_le_bytes()
}

/// Values that were read from a program of `rmw_zenoh`.
#[test]
fn identities_and_texts_are_those_of_rmw_zenoh() {
    let quality = Quality { depth: 7, ..Quality::DEFAULT };
    let hash = "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18";
    let node = (2, "8b20917502ee955ac4476e0266340d5c", 10, "talker");
    let token = endpoint_token(node, PUBLISHER, ("/chatter", "std_msgs/msg/String", hash), &quality);
    assert_eq!(
        token,
        format!(
            "@ros2_lv/2/8b20917502ee955ac4476e0266340d5c/0/10/MP/%/%/talker/%chatter/std_msgs::msg::dds_::String_/{hash}/\
             ::,7:,:,:,,"
        )
    );
    let expected = 0xac17_0f31_eadc_d9ff_0cd8_6d7a_1790_7d1c_u128;
    assert_eq!(gid(&token), expected.to_be_bytes());
    let key = data_key(2, "/robot/chatter", "std_msgs/msg/String", hash);
    assert_eq!(key, format!("2/robot/chatter/std_msgs::msg::dds_::String_/{hash}"));
    let sensor = Quality { is_reliable: false, depth: 5, ..Quality::DEFAULT };
    let texts = [Quality::DEFAULT, sensor, Quality::latched(1), Quality { depth: 42, ..Quality::DEFAULT }];
    let texts = texts.map(|quality| quality.text());
    assert_eq!(texts, ["::,10:,:,:,,", "2::,5:,:,:,,", ":1:,1:,:,:,,", "::,:,:,:,,"]);
    let bytes = Attachment { number: 1, gid: gid(&token) }.bytes();
    assert_eq!((bytes.len(), &bytes[..8], bytes[16]), (33, &[1, 0, 0, 0, 0, 0, 0, 0][..], 16));
}
