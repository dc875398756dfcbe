//! Requests that the thread of the scene answers, because their answers need time: it reads the world for them.

use std::path::PathBuf;
use std::sync::Mutex;

use crate::lock::lock;
use crate::node::Answer;

/// Requests that may wait; more fail at once.
const MAX_WAITING: usize = 64;

/// What is asked.
#[derive(Debug)]
pub(crate) enum Question {
    /// The scene.
    Scene,
    /// The scene as a graph.
    Graph,
    /// The text of a world that was saved to this file, which is then deleted.
    Saved(PathBuf),
}

/// The requests that wait.
#[derive(Default)]
pub(crate) struct Questions(Mutex<Vec<(Question, Answer)>>);

impl Questions {
    /// Adds a request. It fails if too many wait.
    pub(crate) fn ask(&self, question: Question, answer: Answer) {
        let mut waiting = lock(&self.0);
        if waiting.len() < MAX_WAITING {
            waiting.push((question, answer));
        }
    }

    /// Returns the requests that wait.
    pub(crate) fn take(&self) -> Vec<(Question, Answer)> {
        std::mem::take(&mut *lock(&self.0))
    }
}
