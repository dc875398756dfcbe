//! Services: calls from peers that a plugin or the host answers. Usable from any thread.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::abi::{Status, status};
use bridgehead_plugin_api::rules::full_name;

use super::{BusError, RegisteredType, kept};
use bridgehead_runtime::thread::lock;

/// Receives the answer of a call: a status, and a response if the status is OK. Called once.
pub type Answer = Box<dyn FnOnce(Status, Option<Payload>) + Send>;

/// Handles the calls of a service of the host. It is called on the caller's thread, must not block, and may answer
/// later.
pub type Handler = Box<dyn Fn(Payload, Answer) + Send + Sync>;

/// A call that was not taken yet.
pub struct PendingCall {
    /// Identifies the call in its answer.
    pub id: u64,
    /// The request message.
    pub request: Payload,
}

/// One advertised service.
pub struct ServicePoint {
    /// Full name.
    pub name: String,
    /// Vehicle it belongs to; empty for the world.
    pub vehicle: String,
    /// Type of the request.
    pub request: Arc<RegisteredType>,
    /// Type of the response.
    pub response: Arc<RegisteredType>,
    calls: Mutex<Calls>,
    next_id: AtomicU64,
    /// The handler, if the host serves it.
    handler: Option<Handler>,
    /// True if it ends when the world is unloaded.
    ends_with_world: bool,
}

#[derive(Default)]
struct Calls {
    waiting: VecDeque<PendingCall>,
    /// The call taken last, kept alive until the next one is taken.
    current: Option<PendingCall>,
    open: BTreeMap<u64, Answer>,
    is_closed: bool,
}

impl ServicePoint {
    fn calls(&self) -> MutexGuard<'_, Calls> {
        lock(&self.calls)
    }

    /// Starts a call. If the service is closed, the call is answered at once with INTERRUPTED.
    pub fn call(&self, request: Payload, answer: Answer) {
        if let Some(handler) = self.handler.as_ref().filter(|_| !self.is_closed()) {
            return handler(request, answer);
        }
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let mut calls = self.calls();
        if calls.is_closed {
            drop(calls);
            answer(status::INTERRUPTED, None);
            return;
        }
        calls.open.insert(id, answer);
        calls.waiting.push_back(PendingCall { id, request: kept(request) });
    }

    /// Takes the next call and passes it to `read`. It is kept alive until the next one is taken.
    pub fn take<T>(&self, read: impl FnOnce(&PendingCall) -> T) -> Option<T> {
        let mut calls = self.calls();
        calls.current = calls.waiting.pop_front();
        calls.current.as_ref().map(read)
    }

    /// Answers a call. Returns false if it is unknown or was answered before.
    pub fn answer(&self, id: u64, status: Status, response: Option<Payload>) -> bool {
        // The answer runs without the lock, because it may call back into this service.
        let Some(answer) = self.calls().open.remove(&id) else {
            return false;
        };
        answer(status, response);
        true
    }

    /// Returns true if calls are answered with INTERRUPTED because the plugin that offered the service was removed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.calls().is_closed
    }

    /// Answers every open call and all later calls with INTERRUPTED.
    pub fn close(&self) {
        let mut calls = self.calls();
        calls.is_closed = true;
        calls.waiting.clear();
        let open = std::mem::take(&mut calls.open);
        drop(calls);
        for answer in open.into_values() {
            answer(status::INTERRUPTED, None);
        }
    }
}

/// All services.
#[derive(Default)]
pub struct Services {
    points: RwLock<BTreeMap<(String, String), Arc<ServicePoint>>>,
}

impl Services {
    /// Registers a service of a plugin. Returns `None` if the name is in use.
    ///
    /// # Errors
    /// Returns an error if the name is malformed.
    pub fn advertise(
        &self,
        vehicle: &str,
        name: &str,
        request: Arc<RegisteredType>,
        response: Arc<RegisteredType>,
    ) -> Result<Option<Arc<ServicePoint>>, BusError> {
        self.add(vehicle, name, [request, response], (None, true))
    }

    /// Registers a service of the host, which stays when the world is unloaded. Returns `None` if the name is in use.
    ///
    /// # Errors
    /// Returns an error if the name is malformed.
    pub fn offer(
        &self,
        name: &str,
        types: [Arc<RegisteredType>; 2],
        handler: Handler,
    ) -> Result<Option<Arc<ServicePoint>>, BusError> {
        self.add("", name, types, (Some(handler), false))
    }

    /// Registers a service of the host that ends with the world. Returns `None` if the name is in use.
    ///
    /// # Errors
    /// Returns an error if the name is malformed.
    pub fn offer_for_world(
        &self,
        name: &str,
        types: [Arc<RegisteredType>; 2],
        handler: Handler,
    ) -> Result<Option<Arc<ServicePoint>>, BusError> {
        self.add("", name, types, (Some(handler), true))
    }

    fn add(
        &self,
        vehicle: &str,
        name: &str,
        [request, response]: [Arc<RegisteredType>; 2],
        (handler, ends_with_world): (Option<Handler>, bool),
    ) -> Result<Option<Arc<ServicePoint>>, BusError> {
        let name = full_name(vehicle, name)?;
        let mut points = self.points.write().unwrap_or_else(PoisonError::into_inner);
        let key = (vehicle.to_owned(), name.clone());
        if points.contains_key(&key) {
            return Ok(None);
        }
        let point = Arc::new(ServicePoint {
            name,
            vehicle: vehicle.to_owned(),
            request,
            response,
            calls: Mutex::default(),
            next_id: AtomicU64::new(1),
            handler,
            ends_with_world,
        });
        points.insert(key, Arc::clone(&point));
        Ok(Some(point))
    }

    /// Returns the service with that full name; the first one if several vehicles have it.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Arc<ServicePoint>> {
        let points = self.points.read().unwrap_or_else(PoisonError::into_inner);
        points.values().find(|point| point.name == name).cloned()
    }

    /// All services, ordered by vehicle and name.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<ServicePoint>> {
        self.points.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Closes and removes the services of a removed vehicle.
    pub fn withdraw(&self, vehicle: &str) {
        let mut points = self.points.write().unwrap_or_else(PoisonError::into_inner);
        let all = std::mem::take(&mut *points);
        let (gone, staying) = all.into_iter().partition(|((owner, _), _)| owner == vehicle);
        *points = staying;
        drop(points);
        let gone: BTreeMap<_, Arc<ServicePoint>> = gone;
        gone.into_values().for_each(|point| point.close());
    }

    /// Closes and removes services of the host.
    pub fn retire(&self, retired: &[Arc<ServicePoint>]) {
        let mut points = self.points.write().unwrap_or_else(PoisonError::into_inner);
        points.retain(|_, point| !retired.iter().any(|one| Arc::ptr_eq(one, point)));
        drop(points);
        retired.iter().for_each(|point| point.close());
    }

    /// Closes and removes all services of plugins and of the world, when the world is unloaded.
    pub fn clear(&self) {
        let mut points = self.points.write().unwrap_or_else(PoisonError::into_inner);
        let mut closed = Vec::new();
        points.retain(|_, point| {
            if point.ends_with_world {
                closed.push(Arc::clone(point));
            }
            !point.ends_with_world
        });
        drop(points);
        closed.into_iter().for_each(|point| point.close());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use bridgehead_plugin_api::messages::{Message, std_msgs};

    use super::*;
    use crate::TypeRegistry;

    fn point() -> Arc<ServicePoint> {
        let types = TypeRegistry::default();
        let name = std_msgs::Bool::FULL_NAME;
        let bools = types.register(name, std_msgs::Bool::DESCRIPTOR_SET, "test").expect("registered");
        let services = Services::default();
        services.advertise("car1", "enable", Arc::clone(&bools), bools).expect("name").expect("free")
    }

    #[test]
    fn each_caller_gets_its_own_answer_whatever_the_order() {
        let point = point();
        let (sender, answers) = mpsc::channel();
        for caller in 0..3u8 {
            let sender = sender.clone();
            let answer: Answer = Box::new(move |status, response| {
                let byte = response.map(|response| response[0]);
                sender.send((caller, status, byte)).expect("sent");
            });
            point.call(Payload::from_vec(vec![caller]), answer);
        }
        let taken: Vec<_> = (0..3).filter_map(|_| point.take(|call| (call.id, call.request[0]))).collect();
        for (id, byte) in taken.iter().rev() {
            assert!(point.answer(*id, status::OK, Some(Payload::from_vec(vec![byte + 10]))));
        }
        assert!(!point.answer(taken[0].0, status::OK, None), "a call is answered once");
        let mut got: Vec<_> = answers.try_iter().collect();
        got.sort_unstable();
        assert_eq!(got, [(0, 0, Some(10)), (1, 0, Some(11)), (2, 0, Some(12))]);
    }

    #[test]
    fn services_of_a_vehicle_that_goes_are_closed_and_their_names_free() {
        let types = TypeRegistry::default();
        let name = std_msgs::Bool::FULL_NAME;
        let bools = types.register(name, std_msgs::Bool::DESCRIPTOR_SET, "test").expect("registered");
        let services = Services::default();
        let offer = |vehicle| {
            services.advertise(vehicle, "enable", Arc::clone(&bools), Arc::clone(&bools)).expect("name")
        };
        let (gone, stays) = (offer("car1").expect("free"), offer("car2").expect("free"));
        services.withdraw("car1");
        let answered = |point: &ServicePoint| {
            let (sender, answers) = mpsc::channel();
            let answer: Answer = Box::new(move |status, _| sender.send(status).expect("sent"));
            point.call(Payload::from_vec(vec![]), answer);
            answers.try_recv().ok()
        };
        assert_eq!((answered(&gone), answered(&stays)), (Some(status::INTERRUPTED), None));
        assert!(offer("car1").is_some() && offer("car2").is_none());
    }

    #[test]
    fn of_the_services_of_the_host_only_those_of_the_world_end_with_it() {
        let types = TypeRegistry::default();
        let name = std_msgs::Bool::FULL_NAME;
        let bools = types.register(name, std_msgs::Bool::DESCRIPTOR_SET, "test").expect("registered");
        let types = || [Arc::clone(&bools), Arc::clone(&bools)];
        let handler = || -> Handler { Box::new(|_, answer: Answer| answer(status::OK, None)) };
        let services = Services::default();
        let stays = services.offer("pause", types(), handler()).expect("name").expect("free");
        let ends =
            services.offer_for_world("world/w/control", types(), handler()).expect("name").expect("free");
        services.clear();
        let answered = |point: &ServicePoint| {
            let (sender, answers) = mpsc::channel();
            let answer: Answer = Box::new(move |status, _| sender.send(status).expect("sent"));
            point.call(Payload::from_vec(vec![]), answer);
            answers.try_recv().ok()
        };
        assert_eq!((answered(&stays), answered(&ends)), (Some(status::OK), Some(status::INTERRUPTED)));
        assert!(services.find("/pause").is_some() && services.find("/world/w/control").is_none());
        services.retire(&[stays]);
        assert!(services.all().is_empty());
    }

    #[test]
    fn closing_answers_open_and_later_calls() {
        let point = point();
        let (sender, answers) = mpsc::channel();
        let later = sender.clone();
        point.call(Payload::from_vec(vec![]), Box::new(move |status, _| sender.send(status).expect("sent")));
        point.close();
        point.call(Payload::from_vec(vec![]), Box::new(move |status, _| later.send(status).expect("sent")));
        assert_eq!(answers.try_iter().collect::<Vec<_>>(), [status::INTERRUPTED, status::INTERRUPTED]);
    }
}
