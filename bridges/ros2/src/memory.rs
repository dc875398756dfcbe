//! Memory of the allocator.

/// Returns free pages to the system, wherever they are. What a participant leaves is scattered over the heap, since two
/// existed for a while, and the C library returns only the end of the heap by itself. Other threads that allocate
/// meanwhile wait for some milliseconds.
pub(crate) fn release() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let began = bridgehead_ros2_node::wall_clock::now();
        // SAFETY: it has no preconditions.
        let is_released = unsafe { libc::malloc_trim(0) } != 0;
        log::debug!("free memory was looked for in {:?}; some was returned: {is_released}", began.elapsed());
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;

    /// Bytes of memory that this process uses.
    fn resident() -> usize {
        let text = std::fs::read_to_string("/proc/self/statm").expect("a line");
        let pages = text.split(' ').nth(1).expect("the resident pages").parse::<usize>().expect("a number");
        pages << 12
    }

    #[test]
    fn pages_between_those_in_use_are_returned() {
        const BLOCK: usize = 16 << 10;
        let blocks: Vec<Vec<u8>> = (0..8192).map(|_| vec![1; BLOCK]).collect();
        let all = blocks.len() * BLOCK;
        let used: Vec<Vec<u8>> = blocks.into_iter().step_by(64).collect();
        let before = resident();
        release();
        let returned = before.saturating_sub(resident());
        assert!(returned > all / 2, "{returned} of {all} bytes; {} blocks are in use", used.len());
    }
}
