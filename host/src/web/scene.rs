//! The scene for viewers: content by hash, and poses as binary frames.
//!
//! A frame has the poses of all nodes, or of those that have moved since the last frame. All numbers are little-endian;
//! `docs/http.md` has the layout.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::app::App;
use super::problem::Problem;
use crate::scene::PoseBlock;

/// Name of the subscription.
pub(super) const POSES: &str = "poses";
/// Default rate of poses.
pub(super) const PERIOD: Duration = Duration::from_millis(33);
/// Longest wait for a block: a step that takes longer is tried again.
const PATIENCE: Duration = Duration::from_millis(500);

/// The first bytes of a frame: `BHP1`.
const MAGIC: u32 = 0x3150_4842;
const ALL: u32 = 0;
const CHANGED: u32 = 1;

/// `/scene/assets/<hash>`
pub(super) async fn asset(
    State(app): State<Arc<App>>,
    Path(hash): Path<String>,
) -> Result<Response, Problem> {
    let Some(asset) = app.control.shared().scene.asset(&hash) else {
        return Err(no_asset());
    };
    // Not copied: the response shares the bytes with the scene.
    let mut response = Bytes::from_owner(asset.bytes).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.media_type));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable"));
    Ok(response)
}

/// The problem with a hash of no scene.
pub(super) fn no_asset() -> Problem {
    let message = "the scene has no content with this hash; `get_scene` returns the hashes";
    Problem::new(StatusCode::NOT_FOUND, "BH-WEB-029", message)
}

/// The poses that a client has.
#[derive(Default)]
pub(super) struct Poses {
    /// `None` before the first frame, which has all nodes.
    revision: Option<u64>,
    known: Vec<[f32; 7]>,
    /// Frames that were left out since the last one because the client did not read.
    lost: u32,
}

impl Poses {
    /// Notes frames that were left out.
    pub(super) fn lose(&mut self, frames: u32) {
        self.lost = self.lost.saturating_add(frames);
    }

    /// Waits for the next block and returns it as a frame; `None` if a step takes long.
    pub(super) async fn next(&mut self, app: &App) -> Option<Vec<u8>> {
        let shared = app.control.shared();
        let (sender, receiver) = oneshot::channel();
        shared.scene.poses.ask(move |block| drop(sender.send(Arc::clone(block))));
        shared.requests.wake();
        let block = timeout(PATIENCE, receiver).await.ok()?.ok()?;
        let lost = std::mem::take(&mut self.lost);
        Some(self.frame(&block, lost))
    }

    /// Returns the poses of a block that the client does not have.
    #[expect(clippy::cast_possible_truncation, reason = "viewers draw in f32")]
    pub(super) fn frame(&mut self, block: &PoseBlock, lost: u32) -> Vec<u8> {
        let is_new = self.revision != Some(block.revision) || self.known.len() != block.count;
        if is_new {
            self.revision = Some(block.revision);
            self.known.clear();
        }
        let mut indices: Vec<u32> = Vec::new();
        let mut poses: Vec<u8> = Vec::new();
        for (index, pose) in block.poses().enumerate() {
            let pose = pose.map(|number| number as f32);
            match self.known.get_mut(index) {
                Some(known) if *known == pose => continue,
                Some(known) => *known = pose,
                None => self.known.push(pose),
            }
            indices.push(u32::try_from(index).unwrap_or(u32::MAX));
            poses.extend(pose.iter().flat_map(|number| number.to_le_bytes()));
        }
        let count = u32::try_from(indices.len()).unwrap_or(u32::MAX);
        let kind = if is_new { ALL } else { CHANGED };
        let moment = block.moment;
        let mut frame = Vec::with_capacity(48 + 4 * indices.len() + poses.len());
        frame.extend([MAGIC, kind].iter().flat_map(|number| number.to_le_bytes()));
        frame.extend([block.revision, moment.step].iter().flat_map(|number| number.to_le_bytes()));
        frame.extend(moment.time_ns.to_le_bytes());
        frame.extend([moment.reset_epoch, count, lost, 0].iter().flat_map(|number| number.to_le_bytes()));
        if kind == CHANGED {
            frame.extend(indices.iter().flat_map(|index| index.to_le_bytes()));
        }
        frame.extend(poses);
        frame
    }
}
