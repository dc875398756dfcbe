//! Finding and opening a graphics adapter.

use std::sync::{Arc, Mutex, PoisonError};

use wgpu::{Adapter, Device, DeviceType, Instance, Queue};

use crate::choice::Choice;
use crate::error::RenderError;

/// Returns the order of preference of an adapter, lowest first; `None` for one that must not be used.
fn rank(choice: &Choice, kind: DeviceType, name: &str) -> Option<u32> {
    let rank = match kind {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    };
    let fits = match choice {
        Choice::Any | Choice::Gpu => kind != DeviceType::Cpu,
        Choice::Software => kind == DeviceType::Cpu,
        Choice::Named(part) => name.to_lowercase().contains(&part.to_lowercase()),
        Choice::Processor => false,
    };
    fits.then_some(rank)
}

/// The opened device, with the first error that it reported.
pub(crate) struct Gpu {
    pub(crate) device: Device,
    pub(crate) queue: Queue,
    pub(crate) name: String,
    pub(crate) is_software: bool,
    failure: Arc<Mutex<Option<String>>>,
}

impl Gpu {
    pub(crate) fn open(choice: &Choice) -> Result<Self, RenderError> {
        let adapters = adapters();
        let ranked = adapters.iter().filter_map(|adapter| {
            let info = adapter.get_info();
            rank(choice, info.device_type, &info.name).map(|rank| (rank, adapter))
        });
        let best = ranked.min_by_key(|(rank, _)| *rank).map(|(_, adapter)| adapter);
        let adapter = best.ok_or_else(|| RenderError::NoAdapter {
            wanted: choice.to_string(),
            found: match adapters.len() {
                0 => "none; install a Vulkan driver, such as mesa-vulkan-drivers of Debian".to_owned(),
                _ => adapters.iter().map(name_of).collect::<Vec<_>>().join(", "),
            },
        })?;
        Gpu::of(adapter)
    }

    fn of(adapter: &Adapter) -> Result<Self, RenderError> {
        let name = name_of(adapter);
        let limits = wgpu::Limits {
            max_texture_dimension_2d: adapter.limits().max_texture_dimension_2d,
            max_buffer_size: adapter.limits().max_buffer_size,
            max_storage_buffer_binding_size: adapter.limits().max_storage_buffer_binding_size,
            ..wgpu::Limits::downlevel_defaults()
        };
        let description = wgpu::DeviceDescriptor {
            label: Some("camera"),
            required_limits: limits.using_alignment(adapter.limits()),
            ..wgpu::DeviceDescriptor::default()
        };
        let opened = pollster::block_on(adapter.request_device(&description));
        let (device, queue) =
            opened.map_err(|error| RenderError::Device { adapter: name.clone(), why: error.to_string() })?;
        let failure: Arc<Mutex<Option<String>>> = Arc::default();
        let (on_error, on_loss) = (Arc::clone(&failure), Arc::clone(&failure));
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| note(&on_error, error.to_string())));
        device.set_device_lost_callback(move |_, why| note(&on_loss, format!("the device is lost: {why}")));
        let is_software = adapter.get_info().device_type == DeviceType::Cpu;
        Ok(Gpu { device, queue, name, is_software, failure })
    }

    /// Makes something that the device may refuse, such as large images, without consequences for what else it draws.
    pub(crate) fn scoped<T>(&self, make: impl FnOnce() -> T) -> Result<T, RenderError> {
        let kinds =
            [wgpu::ErrorFilter::Internal, wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory];
        let mut scopes: Vec<_> = kinds.map(|kind| self.device.push_error_scope(kind)).into();
        let made = make();
        let mut refusal = None;
        // The scope that was opened last is closed first.
        while let Some(scope) = scopes.pop() {
            refusal = refusal.or(pollster::block_on(scope.pop()));
        }
        match refusal {
            Some(why) => Err(RenderError::Device { adapter: self.name.clone(), why: why.to_string() }),
            None => Ok(made),
        }
    }

    /// Fails if the device reported an error since it was opened.
    pub(crate) fn check(&self) -> Result<(), RenderError> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        match &*failure {
            Some(why) => Err(RenderError::Device { adapter: self.name.clone(), why: why.clone() }),
            None => Ok(()),
        }
    }
}

/// Keeps the first error: those that follow are its consequences.
fn note(failure: &Mutex<Option<String>>, why: String) {
    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
}

/// Returns the names of all adapters of this machine, with the names of their drivers.
#[must_use]
pub fn adapter_names() -> Vec<String> {
    adapters().iter().map(name_of).collect()
}

fn adapters() -> Vec<Adapter> {
    let mut description = wgpu::InstanceDescriptor::new_without_display_handle();
    description.backends = wgpu::Backends::VULKAN;
    description.flags = wgpu::InstanceFlags::empty();
    pollster::block_on(Instance::new(description).enumerate_adapters(wgpu::Backends::VULKAN))
}

fn name_of(adapter: &Adapter) -> String {
    let info = adapter.get_info();
    match info.driver_info.as_str() {
        "" => info.name,
        driver => format!("{} ({driver})", info.name),
    }
}
