//! Where the identity of a request is: the two ways that ROS 2 has, and which of them a client uses.
//!
//! Both use the same topics and types, so nothing but the client itself tells one from the other.

use crate::dds::Vendor;

/// How a client ties a reply to its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// 16 bytes in front of the message, as `rmw_cyclonedds` has them.
    Header,
    /// Inline QoS beside the message, as `rmw_fastrtps` has it.
    InlineQos,
}

/// Which clients are served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mapping {
    /// Both, each in its own way.
    #[default]
    Auto,
    /// Those of `rmw_cyclonedds`; all clients are taken for such.
    Cyclone,
    /// Those of `rmw_fastrtps`; all clients are taken for such.
    FastDds,
}

impl Mapping {
    /// From `auto`, `cyclone` or `fastdds`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text {
            "auto" => Some(Mapping::Auto),
            "cyclone" => Some(Mapping::Cyclone),
            "fastdds" => Some(Mapping::FastDds),
            _ => None,
        }
    }

    /// How the client that wrote a request wants it answered.
    pub(crate) fn kind_of(self, client: &Traits<'_>) -> Kind {
        match self {
            Mapping::Cyclone => Kind::Header,
            Mapping::FastDds => Kind::InlineQos,
            // Cyclone's clients say who they are, and never put anything beside a request. A client that does neither
            // is known by its implementation only.
            Mapping::Auto if client.says_clientid() => Kind::Header,
            Mapping::Auto if client.has_related_identity => Kind::InlineQos,
            Mapping::Auto if client.vendor == Vendor::Cyclone => Kind::Header,
            Mapping::Auto => Kind::InlineQos,
        }
    }
}

/// What is known of the writer of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traits<'a> {
    /// Whose implementation it is.
    pub(crate) vendor: Vendor,
    /// What it announced; empty where that is not known.
    pub(crate) user_data: &'a [u8],
    /// Whether the request came with an identity beside it.
    pub(crate) has_related_identity: bool,
}

impl Traits<'_> {
    fn says_clientid(&self) -> bool {
        clientid(self.user_data).is_some()
    }
}

/// The value of `clientid=…;` in user data: Cyclone's writer of requests and its reader of replies have the same.
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
    fn clients_are_told_apart_by_what_they_say_then_by_who_they_are() {
        let other = Vendor::Other([1, 1]);
        for (client, kind) in [
            (traits(Vendor::Cyclone, CYCLONE, false), Kind::Header),
            (traits(Vendor::Cyclone, b"", false), Kind::Header),
            (traits(Vendor::FastDds, b"typehash=RIHS01_ab;", true), Kind::InlineQos),
            (traits(Vendor::FastDds, b"", false), Kind::InlineQos),
            (traits(Vendor::RustDds, b"", true), Kind::InlineQos),
            // Somebody else's client that follows Cyclone's conventions.
            (traits(other, CYCLONE, false), Kind::Header),
            (traits(other, b"", false), Kind::InlineQos),
        ] {
            assert_eq!(Mapping::Auto.kind_of(&client), kind, "{client:?}");
        }
    }

    #[test]
    fn a_mapping_that_was_chosen_counts_for_everybody() {
        for client in [traits(Vendor::Cyclone, CYCLONE, false), traits(Vendor::FastDds, b"", true)] {
            assert_eq!(Mapping::Cyclone.kind_of(&client), Kind::Header);
            assert_eq!(Mapping::FastDds.kind_of(&client), Kind::InlineQos);
        }
    }

    #[test]
    fn mappings_have_names() {
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
