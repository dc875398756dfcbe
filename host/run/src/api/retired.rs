//! Objects of destroyed instances, which late calls of their plugins may still use.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use crate::call;
use crate::thread::lock;

/// Contexts of destroyed instances, so that late calls of their plugins do not meet freed memory. After
/// [`Retired::MAX`] others were destroyed, a context is freed; with `--check-plugins`, none is.
#[derive(Default)]
pub struct Retired {
    contexts: Mutex<VecDeque<Arc<dyn Any + Send + Sync>>>,
    parts: Mutex<VecDeque<Arc<dyn Any + Send + Sync>>>,
}

impl Retired {
    pub(super) const MAX: usize = 64;

    pub(super) fn add(&self, context: Arc<dyn Any + Send + Sync>) {
        push(&self.contexts, context);
    }

    /// Keeps a smaller object that a plugin has a pointer to: the sink of an endpoint, the context of a loop.
    pub fn add_part(&self, part: Arc<dyn Any + Send + Sync>) {
        push(&self.parts, part);
    }

    /// Keeps all until the process ends, which is soon: destructors of threads and handlers of `atexit` of a plugin may
    /// still call, and must not meet other memory.
    pub fn keep_for_good(&self) {
        let contexts = std::mem::take(&mut *lock(&self.contexts));
        let parts = std::mem::take(&mut *lock(&self.parts));
        #[expect(clippy::mem_forget, reason = "the memory must outlive everything")]
        std::mem::forget((contexts, parts));
    }
}

/// Adds an object, and frees the oldest one if there are too many.
fn push<T>(objects: &Mutex<VecDeque<T>>, object: T) {
    let mut objects = lock(objects);
    objects.push_back(object);
    let freed = (objects.len() > Retired::MAX && !call::is_thorough()).then(|| objects.pop_front());
    // Freed without the lock: that may call a plugin.
    drop(objects);
    drop(freed);
}
