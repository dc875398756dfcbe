//! Fuzz targets of this crate; see `tests/fuzz`.

pub use crate::dds::guard::fuzz::datagrams;

#[cfg(test)]
mod tests {
    use bridgehead_fuzz::short_run;

    #[test]
    fn any_datagram_is_harmless_behind_the_guard() {
        short_run("rtps", 5000, super::datagrams);
    }
}
