//! The liveliness tokens by which endpoints make themselves known:
//! `@ros2_lv/DOMAIN/SESSION/NODE/ID/KIND/ENCLAVE/NAMESPACE/NODE NAME`, and of an endpoint `/NAME/TYPE/HASH/QOS`. Within a part,
//! `/` is written as `%`.

use bridgehead_ros2_node::names::NodeName;

use super::key::TypePart;

/// What all tokens begin with.
const PREFIX: &str = "@ros2_lv";
/// The enclave without security, which is `/`.
const ENCLAVE: &str = "%";

/// What a token ends with in Rolling and Lyrical, after the quality of service, if its endpoint takes bytes in memory of the
/// processor at a key of their own.
pub(crate) const BYTES_IN_MEMORY: &str = "/backends:cpu:";

/// What kind of endpoint a token belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Publisher,
    Subscription,
    Server,
    Client,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Publisher, Kind::Subscription, Kind::Server, Kind::Client];

    fn code(self) -> &'static str {
        match self {
            Kind::Publisher => "MP",
            Kind::Subscription => "MS",
            Kind::Server => "SS",
            Kind::Client => "SC",
        }
    }
}

/// A node of this process, whose tokens begin alike.
#[derive(Clone, Debug)]
pub(crate) struct Issuer {
    domain: u16,
    /// The session, in hexadecimal digits.
    session: String,
    name: NodeName,
}

/// The number of the node: the first of the numbers of a session, which has one node.
const NODE: u32 = 0;

impl Issuer {
    pub(crate) fn new(domain: u16, session: String, name: NodeName) -> Self {
        Issuer { domain, session, name }
    }

    fn begin(&self, id: u32, code: &str) -> String {
        let Issuer { domain, session, name: NodeName { namespace, name } } = self;
        let namespace = mangled(namespace);
        format!("{PREFIX}/{domain}/{session}/{NODE}/{id}/{code}/{ENCLAVE}/{namespace}/{name}")
    }

    /// Returns the token of the node.
    pub(crate) fn node(&self) -> String {
        self.begin(NODE, "NN")
    }

    /// Returns the token of an endpoint of the node. `id` is a number that nothing else of the session has; `name` is the
    /// absolute name of its topic or service, and `qos` that of [`super::qos`].
    pub(crate) fn endpoint(
        &self,
        id: u32,
        kind: Kind,
        name: &str,
        type_part: &TypePart,
        qos: &str,
    ) -> String {
        let (begin, name) = (self.begin(id, kind.code()), mangled(name));
        format!("{begin}/{name}/{}/{}/{qos}", type_part.name, type_part.hash)
    }
}

/// Returns the key of the tokens of all nodes of a domain.
pub(crate) fn all(domain: u16) -> String {
    format!("{PREFIX}/{domain}/**")
}

/// What the token of another node's endpoint says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Endpoint {
    /// The session, in hexadecimal digits.
    pub(crate) session: String,
    pub(crate) kind: Kind,
    /// The absolute name of its topic or service.
    pub(crate) name: String,
}

impl Endpoint {
    /// Reads a token; `None` if it is none of an endpoint. What follows its name is not looked at.
    pub(crate) fn read(token: &str) -> Option<Self> {
        let mut parts = token.split('/');
        let mut next = || parts.next().filter(|part| !part.is_empty());
        let (_prefix, _domain, session) = (next().filter(|part| *part == PREFIX)?, next()?, next()?);
        let (_node, _id, code) = (next()?, next()?, next()?);
        let (_enclave, _namespace, _node_name, name) = (next()?, next()?, next()?, next()?);
        let kind = Kind::ALL.into_iter().find(|kind| kind.code() == code)?;
        Some(Endpoint { session: session.to_owned(), kind, name: name.replace('%', "/") })
    }
}

fn mangled(name: &str) -> String {
    name.replace('/', "%")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: &str = "aac3178e146ba6f1fc6e6a4085e77f21";

    fn issuer(namespace: &str) -> Issuer {
        let name = NodeName { namespace: namespace.to_owned(), name: "listener".to_owned() };
        Issuer::new(2, SESSION.to_owned(), name)
    }

    fn string() -> TypePart {
        TypePart { name: "std_msgs::msg::dds_::String_".to_owned(), hash: "RIHS01_df66".to_owned() }
    }

    /// The examples of the design document of `rmw_zenoh`.
    #[test]
    fn tokens_are_those_of_rmw_zenoh() {
        assert_eq!(issuer("/").node(), "@ros2_lv/2/aac3178e146ba6f1fc6e6a4085e77f21/0/0/NN/%/%/listener");
        assert_eq!(
            issuer("/").endpoint(10, Kind::Subscription, "/chatter", &string(), "::,10:,:,:,,"),
            "@ros2_lv/2/aac3178e146ba6f1fc6e6a4085e77f21/0/10/MS/%/%/listener/%chatter/std_msgs::msg::dds_::String_/\
             RIHS01_df66/::,10:,:,:,,"
        );
        assert!(issuer("/robot/arm").node().ends_with("/NN/%/%robot%arm/listener"));
    }

    #[test]
    fn tokens_of_others_are_read() {
        for kind in Kind::ALL {
            let token = issuer("/").endpoint(3, kind, "/robot/chatter", &string(), "::,10:,:,:,,");
            let read = Endpoint::read(&token).expect("an endpoint");
            assert_eq!(read, Endpoint { session: SESSION.into(), kind, name: "/robot/chatter".into() });
        }
        let token = issuer("/").endpoint(3, Kind::Client, "/a", &string(), "");
        for other in [
            "",
            "@ros2_lv",
            &issuer("/").node(),
            &token.replace("@ros2_lv", "@other"),
            &token.replace("/SC/", "/XX/"),
            &token.replace("/%/%/", "//%/"),
        ] {
            assert_eq!(Endpoint::read(other), None, "{other}");
        }
    }
}
