//! Fuzz targets of this crate; see `tests/fuzz`.

/// Any bytes of a peer of a publisher: a greeting and frames, or a refusal.
#[must_use]
pub fn subscriber(bytes: &[u8]) -> bool {
    crate::publisher::is_understood(bytes)
}

#[cfg(test)]
mod tests {
    use bridgehead_fuzz::short_run;

    #[test]
    fn any_peer_is_a_subscriber_or_refused() {
        short_run("zmtp", 100_000, super::subscriber);
    }
}
