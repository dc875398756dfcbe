//! How requests carry their identity: ROS 2 has two ways, and each client uses one of them.
//!
//! Both use the same topics and types, so only the client itself tells them apart.

use crate::dds::Vendor;

/// How a client relates a reply to its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// 16 bytes before the message, as in `rmw_cyclonedds`.
    Header,
    /// Inline QoS of the sample, as in `rmw_fastrtps`.
    InlineQos,
}

/// Which clients are served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mapping {
    /// Both kinds, each in its own way.
    #[default]
    Auto,
    /// All clients are treated as `rmw_cyclonedds`.
    Cyclone,
    /// All clients are treated as `rmw_fastrtps`.
    FastDds,
}

impl Mapping {
    /// Parses `auto`, `cyclone` or `fastdds`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text {
            "auto" => Some(Mapping::Auto),
            "cyclone" => Some(Mapping::Cyclone),
            "fastdds" => Some(Mapping::FastDds),
            _ => None,
        }
    }

    /// Returns how the client that wrote a request expects its reply.
    pub(crate) fn kind_of(self, client: &Traits<'_>) -> Kind {
        match self {
            Mapping::Cyclone => Kind::Header,
            Mapping::FastDds => Kind::InlineQos,
            // Cyclone's clients announce a clientid and never use inline QoS. A client that does neither is
            // recognized by its vendor.
            Mapping::Auto if client.says_clientid() => Kind::Header,
            Mapping::Auto if client.has_related_identity => Kind::InlineQos,
            Mapping::Auto if client.vendor == Vendor::Cyclone => Kind::Header,
            Mapping::Auto => Kind::InlineQos,
        }
    }
}

/// What is known about the writer of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traits<'a> {
    /// Its DDS implementation.
    pub(crate) vendor: Vendor,
    /// The user data that it announced; empty if unknown.
    pub(crate) user_data: &'a [u8],
    /// Whether the request has a related sample identity.
    pub(crate) has_related_identity: bool,
}

impl Traits<'_> {
    fn says_clientid(&self) -> bool {
        clientid(self.user_data).is_some()
    }
}

/// Returns the value of `clientid=…;` in user data. Cyclone's request writer and reply reader have the same value.
pub(crate) fn clientid(user_data: &[u8]) -> Option<&[u8]> {
    let pairs = user_data.split(|byte| *byte == b';');
    pairs.into_iter().find_map(|pair| pair.strip_prefix(b"clientid=")).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CYCLONE: &[u8] = b"clientid=01.10.2d.4a.00.00.00.00.00.00.00.00.00.00.00.07;typehash=RIHS01_ab;";

    fn traits(vendor: Vendor, user_data: &[u8], has_related_identity: bool) -> Traits<'_> {
        Traits { vendor, user_data, has_related_identity }
    }

    #[test]
    fn clients_are_recognized_by_their_announcements_then_by_vendor() {
        let other = Vendor::Other([1, 1]);
        for (client, kind) in [
            (traits(Vendor::Cyclone, CYCLONE, false), Kind::Header),
            (traits(Vendor::Cyclone, b"", false), Kind::Header),
            (traits(Vendor::FastDds, b"typehash=RIHS01_ab;", true), Kind::InlineQos),
            (traits(Vendor::FastDds, b"", false), Kind::InlineQos),
            (traits(Vendor::RustDds, b"", true), Kind::InlineQos),
            // Another vendor's client that follows Cyclone's conventions.
            (traits(other, CYCLONE, false), Kind::Header),
            (traits(other, b"", false), Kind::InlineQos),
        ] {
            assert_eq!(Mapping::Auto.kind_of(&client), kind, "{client:?}");
        }
    }

    #[test]
    fn an_explicit_mapping_applies_to_every_client() {
        for client in [traits(Vendor::Cyclone, CYCLONE, false), traits(Vendor::FastDds, b"", true)] {
            assert_eq!(Mapping::Cyclone.kind_of(&client), Kind::Header);
            assert_eq!(Mapping::FastDds.kind_of(&client), Kind::InlineQos);
        }
    }

    #[test]
    fn mappings_are_parsed() {
        let found = ["auto", "cyclone", "fastdds", "Auto", ""].map(Mapping::parse);
        assert_eq!(found, [Some(Mapping::Auto), Some(Mapping::Cyclone), Some(Mapping::FastDds), None, None]);
    }

    #[test]
    fn the_clientid_is_one_of_several_pairs() {
        assert_eq!(clientid(b"typehash=x;clientid=1.2;"), Some(&b"1.2"[..]));
        assert_eq!(clientid(b"clientid=1.2"), Some(&b"1.2"[..]));
        for without in [&b""[..], b"serviceid=1.2;", b"clientid=;", b"xclientid=1;"] {
            assert_eq!(clientid(without), None);
        }
    }
}
