//! Where the model is computed: the CPU, or a GPU if this build can use one and one is there.

use super::error::ModelError;
use crate::message::{Message, msg};
use candle_core::{DType, Device};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// A GPU if there is one that this build can use, else the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// The first NVIDIA GPU.
    Cuda,
    /// The first Apple GPU.
    Metal,
}

/// The number format that weights and KV cache are kept in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DTypeChoice {
    /// f32 on the CPU, which is what references are held against; the file's own format on a GPU.
    #[default]
    Auto,
    /// 4 bytes.
    F32,
    /// 2 bytes; on the CPU the arithmetic stays in f32.
    F16,
    /// 2 bytes, GPUs only: the CPU is slow at it.
    Bf16,
}

pub(super) fn open(choice: DeviceChoice) -> Result<Device, ModelError> {
    match choice {
        DeviceChoice::Cpu => Ok(Device::Cpu),
        DeviceChoice::Cuda if !cfg!(feature = "cuda") => Err(ModelError::NotBuilt { device: "CUDA", feature: "cuda" }),
        DeviceChoice::Cuda => guarded("CUDA", || Device::new_cuda(0)),
        DeviceChoice::Metal if !candle_core::utils::metal_is_available() => {
            Err(ModelError::NoDevice { device: "Metal", problem: msg!("device-macos") })
        }
        DeviceChoice::Metal => guarded("Metal", || Device::new_metal(0)),
        DeviceChoice::Auto => {
            Ok(open(DeviceChoice::Cuda).or_else(|_| open(DeviceChoice::Metal)).unwrap_or(Device::Cpu))
        }
    }
}

/// Drivers that are missing make some bindings panic instead of returning an error.
fn guarded(device: &'static str, open: impl FnOnce() -> candle_core::Result<Device>) -> Result<Device, ModelError> {
    match catch_unwind(AssertUnwindSafe(open)) {
        Ok(Ok(opened)) => Ok(opened),
        Ok(Err(error)) => Err(ModelError::NoDevice { device, problem: Message::verbatim(error) }),
        Err(_) => Err(ModelError::NoDevice { device, problem: msg!("device-no-driver") }),
    }
}

/// `cpu`, `cuda` or `metal`.
pub(super) fn name(device: &Device) -> &'static str {
    match device {
        Device::Cpu => "cpu",
        Device::Cuda(_) => "cuda",
        Device::Metal(_) => "metal",
    }
}

/// The format that weights and cache are kept in, where the file's own is `in_file`.
pub(super) fn storage_dtype(choice: DTypeChoice, device: &Device, in_file: DType) -> Result<DType, ModelError> {
    match choice {
        DTypeChoice::Auto if device.is_cpu() => Ok(DType::F32),
        DTypeChoice::Auto => Ok(in_file),
        DTypeChoice::F32 => Ok(DType::F32),
        DTypeChoice::F16 => Ok(DType::F16),
        DTypeChoice::Bf16 if device.is_cpu() => Err(ModelError::UnsupportedDType { dtype: "bf16" }),
        DTypeChoice::Bf16 => Ok(DType::BF16),
    }
}

/// The format of the arithmetic: always f32 on the CPU, where smaller formats save memory only.
pub(super) fn compute_dtype(device: &Device, storage: DType) -> DType {
    if device.is_cpu() { DType::F32 } else { storage }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_is_always_there() {
        assert!(open(DeviceChoice::Auto).is_ok());
    }

    #[test]
    #[cfg(not(feature = "cuda"))]
    fn a_build_without_cuda_says_how_to_get_it() {
        let message = open(DeviceChoice::Cuda).unwrap_err().to_string();
        assert!(message.contains("built without CUDA") && message.contains("--features cuda"), "{message}");
    }

    #[test]
    fn bf16_is_never_computed_on_the_cpu() {
        assert!(storage_dtype(DTypeChoice::Bf16, &Device::Cpu, DType::BF16).is_err());
        assert_eq!(storage_dtype(DTypeChoice::Auto, &Device::Cpu, DType::BF16).unwrap(), DType::F32);
        assert_eq!(compute_dtype(&Device::Cpu, DType::F16), DType::F32);
    }
}
