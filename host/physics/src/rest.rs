//! Rest: which bodies may sleep.
//!
//! The engine puts bodies to sleep that were slower than a tenth of a metre per second for half a second. That would stop
//! slow bodies for good, and those that only begin to move. Here a body sleeps only if it has also stayed where it was
//! for that time. Motion that a force maintains adds up over this time; the vibration of a contact does not.

use bridgehead_sdf::pose::Pose;
use rapier3d_f64::dynamics::{RigidBody, RigidBodyActivation};

use super::body::from_rapier;
use super::settings::Settings;
use super::world::Physics;

/// Seconds between two checks of all bodies.
const PERIOD: f64 = 0.1;

/// A body that moves further than this in half a second does not rest: metres, and radians at a distance of one metre. A
/// ball that begins to roll on a slope of 0.01 rad moves 9 mm in that time.
const STILL: f64 = 1e-5;

/// The time for which a body must rest before it sleeps, seconds: at least some steps, so that a check comes first.
pub(super) fn time_until_sleep(settings: &Settings) -> f64 {
    RigidBodyActivation::default_time_until_sleep().max(4.0 * settings.step)
}

/// How far a body has moved: metres, and radians at a distance of one metre.
fn distance(from: &Pose, to: &Pose) -> f64 {
    // The vector part of the turn between both is half the angle, for small angles.
    let turn = from.rotation.conjugate() * to.rotation;
    from.position.distance(to.position) + 2.0 * turn.xyz().length()
}

/// Returns true if the engine is counting the time for which the body was slow.
fn is_slow(body: &RigidBody) -> bool {
    body.is_dynamic() && !body.is_sleeping() && body.activation().time_since_can_sleep > 0.0
}

impl Physics {
    /// Keeps bodies awake that are not where they last came to rest. Called before each step.
    pub(super) fn keep_moving_awake(&mut self) {
        if !self.settings.sleeping {
            return;
        }
        self.steps_since_look += 1;
        if f64::from(self.steps_since_look) * self.settings.step < PERIOD {
            return;
        }
        self.steps_since_look = 0;
        for link in self.links.values_mut() {
            let Some(body) = self.rapier.bodies.get(link.body).filter(|body| is_slow(body)) else { continue };
            let here = from_rapier(body.position());
            if distance(&link.rest, &here) > STILL {
                link.rest = here;
                // Restarts the time until sleep.
                self.rapier.wake_up(link.body, true);
            }
        }
    }
}
