//! Why something in a datagram is refused or changed.

/// Why something was refused or shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    NotRtps,
    Malformed,
    Number,
    Advance,
    Announced,
    FragmentSize,
    FragmentConflict,
    Incomplete,
    RequestedFragment,
    Participants,
    Announcements,
}

impl Reason {
    /// Returns what the datagram did, for the log.
    pub(super) fn text(self) -> &'static str {
        match self {
            Reason::NotRtps => "is not RTPS 2",
            Reason::Malformed => "contains a malformed submessage",
            Reason::Number => "contains a sequence number above 2^53",
            Reason::Advance => {
                "skips more than 65,536 samples of a writer, or samples that it has not announced"
            }
            Reason::Announced => "announces more than 262,144 samples",
            Reason::FragmentSize => {
                "announces a fragmented sample of more than 16 MiB or with too many fragments"
            }
            Reason::FragmentConflict => "contradicts earlier fragments of its writer",
            Reason::Incomplete => "begins a sample while incomplete samples use 64 MiB",
            Reason::RequestedFragment => "requests fragments that no sample has, or too many",
            Reason::Participants => "comes from a new participant, of which there are too many",
            Reason::Announcements => "announces endpoints at a rate above the limit",
        }
    }
}

/// What happens with a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Pass,
    /// Passes with changes.
    Changed(Reason),
    Drop(Reason),
}
