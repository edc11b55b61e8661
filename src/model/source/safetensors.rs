//! Weights from safetensors, in files or embedded in the program, converted while they are read.
//!
//! Nothing in a file is believed: a file that is cut short, has an absurd header, or lacks a tensor is an error that
//! names the tensor and the file. Files are read in pieces rather than memory-mapped: every number is copied
//! into the format of the computation anyway, and a file that shrinks meanwhile is an error, not a crash.
//!
//! Source: <https://github.com/huggingface/safetensors#format>.

use super::number::{StoredNumber, append};
use super::{BytesRead, OnRead, WeightSource, free_memory};
use crate::files::{self, ReadError};
use crate::message::{Message, msg, quoted};
use crate::model::error::ModelError;
use candle_core::{DType, Device, Tensor};
use half::{bf16, f16};
use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The most bytes that a header may take, as in the reference implementation.
const LARGEST_HEADER: u64 = 100_000_000;

/// Bytes read at a time: enough for the disk, little enough for the processor's cache.
const PIECE_LEN: usize = 1 << 20;

/// How many tensors a message names of those that are not used.
const MOST_NAMED: usize = 3;

trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

struct WeightFile {
    reader: Box<dyn ReadSeek>,
    metadata: Metadata,
    data_start: u64,
    path: PathBuf,
}

/// All files of a model, read tensor by tensor onto a device.
pub(in crate::model) struct Weights<'a> {
    files: Vec<WeightFile>,
    device: Device,
    progress: BytesRead,
    on_read: &'a mut OnRead<'a>,
    n_parameters: u64,
    bytes_held: u64,
}

/// Where a tensor is, checked.
struct TensorPlace {
    file_idx: usize,
    dtype: Dtype,
    start: u64,
    n_bytes: usize,
}

impl<'a> Weights<'a> {
    /// Opens the files and reads their headers.
    pub(in crate::model) fn open(
        source: &WeightSource,
        device: Device,
        on_read: &'a mut OnRead<'a>,
    ) -> Result<Self, ModelError> {
        let files = match source {
            WeightSource::Files(paths) => paths
                .iter()
                .map(|path| {
                    let file = files::open(path).map_err(|source| read_error(source, path))?;
                    WeightFile::open(Box::new(file), path.clone())
                })
                .collect::<Result<Vec<_>, _>>()?,
            WeightSource::Embedded { bytes, name } => {
                vec![WeightFile::open(Box::new(Cursor::new(*bytes)), PathBuf::from(name))?]
            }
        };
        if files.is_empty() {
            return Err(ModelError::NoWeights);
        }
        let total = files.iter().map(|file| file.metadata.data_len() as u64).sum();
        let progress = BytesRead { done: 0, total };
        Ok(Self { files, device, progress, on_read, n_parameters: 0, bytes_held: 0 })
    }

    /// Refuses a model that this computer's memory cannot hold in this format.
    ///
    /// Linux grants memory that it does not have, and ends the program when it is filled; elsewhere, and on a GPU, a
    /// tensor that does not fit is refused by itself. A tensor that may never be read, `spare`, is not counted.
    pub(in crate::model) fn check_memory(&self, dtype: DType, spare: Option<&str>) -> Result<(), ModelError> {
        let Some(free) = free_memory().filter(|_| self.device.is_cpu()) else { return Ok(()) };
        let tensors = self.files.iter().flat_map(|file| file.metadata.tensors());
        let read = tensors.filter(|(name, _)| spare != Some(name.as_str()));
        let n_numbers: u64 = read.map(|(_, info)| info.shape.iter().map(|len| *len as u64).product::<u64>()).sum();
        let needed = n_numbers.saturating_mul(dtype.size_in_bytes() as u64);
        if needed <= free {
            return Ok(());
        }
        let half_fits = needed / (dtype.size_in_bytes() as u64) * 2 <= free;
        Err(ModelError::DoesNotFit { needed, dtype: dtype.as_str(), free, half_fits })
    }

    /// Numbers in all tensors read so far.
    pub(in crate::model) fn n_parameters(&self) -> u64 {
        self.n_parameters
    }

    /// Bytes of all tensors made so far.
    pub(in crate::model) fn bytes_held(&self) -> u64 {
        self.bytes_held
    }

    fn info(&self, name: &str) -> Option<&TensorInfo> {
        self.files.iter().find_map(|file| file.metadata.info(name))
    }

    /// Refuses files with tensors that are not `used`: what they are for would be missing from the result.
    pub(in crate::model) fn refuse_unused(&self, used: impl Fn(&str) -> bool) -> Result<(), ModelError> {
        let names = |file: &WeightFile| file.metadata.tensors().into_keys().collect::<Vec<_>>();
        let all = self.files.iter().flat_map(|file| names(file).into_iter().map(move |name| (name, &file.path)));
        let mut unused: Vec<_> = all.filter(|(name, _)| !used(name)).collect();
        unused.sort();
        let Some((_, path)) = unused.first() else { return Ok(()) };
        let (n, path) = (unused.len(), (*path).clone());
        let names = unused.into_iter().take(MOST_NAMED).map(|(name, _)| quoted(name)).collect();
        Err(ModelError::UnusedTensors { names, n, path })
    }

    /// Whether there is a tensor of this name.
    pub(in crate::model) fn has(&self, name: &str) -> bool {
        self.info(name).is_some()
    }

    /// The number format of a tensor in its file, F32 where it is none that is read.
    pub(in crate::model) fn dtype_in_file(&self, name: &str) -> DType {
        match self.info(name).map(|info| info.dtype) {
            Some(Dtype::F16) => DType::F16,
            Some(Dtype::BF16) => DType::BF16,
            _ => DType::F32,
        }
    }

    /// Whether both tensors are there and hold different numbers.
    ///
    /// Of what is read in common, the bytes of `a` count as done, since nothing more is made of them.
    pub(in crate::model) fn differ(&mut self, a: &str, b: &str) -> Result<bool, ModelError> {
        let shape = |name: &str| self.info(name).map(|info| info.shape.clone());
        let (Some(shape_a), Some(shape_b)) = (shape(a), shape(b)) else { return Ok(false) };
        let (a, b) = (self.find(a, &shape_a)?, self.find(b, &shape_b)?);
        if (a.dtype, a.n_bytes) != (b.dtype, b.n_bytes) {
            return Ok(true);
        }
        let mut pieces = [vec![0; PIECE_LEN.min(a.n_bytes)], vec![0; PIECE_LEN.min(a.n_bytes)]];
        for at in (0..a.n_bytes).step_by(PIECE_LEN) {
            let len = PIECE_LEN.min(a.n_bytes - at);
            for (found, piece) in [&a, &b].into_iter().zip(&mut pieces) {
                let WeightFile { reader, path, .. } = &mut self.files[found.file_idx];
                let read = reader.seek(SeekFrom::Start(found.start + at as u64));
                read.and_then(|_| reader.read_exact(&mut piece[..len])).map_err(|source| read_error(source, path))?;
            }
            if pieces[0][..len] != pieces[1][..len] {
                self.progress.done -= at as u64;
                return Ok(true);
            }
            self.progress.advance(len, self.on_read)?;
        }
        Ok(false)
    }

    pub(in crate::model) fn vector(&mut self, name: &str, len: usize, dtype: DType) -> Result<Tensor, ModelError> {
        self.tensor(&[(name.to_owned(), vec![len])], &[len], dtype)
    }

    /// Reads several vectors into one, one after the other.
    pub(in crate::model) fn joined_vectors(
        &mut self,
        parts: &[(String, usize)],
        dtype: DType,
    ) -> Result<Tensor, ModelError> {
        let len = parts.iter().map(|(_, len)| len).sum();
        let parts: Vec<_> = parts.iter().map(|(name, len)| (name.clone(), vec![*len])).collect();
        self.tensor(&parts, &[len], dtype)
    }

    /// Reads several matrices of equal width (name, rows) into one, one below the other.
    pub(in crate::model) fn stacked_matrices(
        &mut self,
        parts: &[(String, usize)],
        n_cols: usize,
        dtype: DType,
    ) -> Result<Tensor, ModelError> {
        let n_rows = parts.iter().map(|(_, n_rows)| n_rows).sum();
        let parts: Vec<_> = parts.iter().map(|(name, n_rows)| (name.clone(), vec![*n_rows, n_cols])).collect();
        self.tensor(&parts, &[n_rows, n_cols], dtype)
    }

    fn tensor(&mut self, parts: &[(String, Vec<usize>)], shape: &[usize], dtype: DType) -> Result<Tensor, ModelError> {
        let tensor = match dtype {
            DType::F16 => self.tensor_of::<f16>(parts, shape)?,
            DType::BF16 => self.tensor_of::<bf16>(parts, shape)?,
            _ => self.tensor_of::<f32>(parts, shape)?,
        };
        self.n_parameters += tensor.elem_count() as u64;
        self.bytes_held += (tensor.elem_count() * dtype.size_in_bytes()) as u64;
        Ok(tensor)
    }

    fn tensor_of<T: StoredNumber>(
        &mut self,
        parts: &[(String, Vec<usize>)],
        shape: &[usize],
    ) -> Result<Tensor, ModelError> {
        // Everything is checked against the files before memory is asked for.
        let found = parts.iter().map(|(name, shape)| self.find(name, shape)).collect::<Result<Vec<_>, _>>()?;
        let mut numbers: Vec<T> = Vec::new();
        numbers
            .try_reserve_exact(shape.iter().product())
            .map_err(|_refused| ModelError::OutOfMemory { what: msg!("memory-tensor", name = &*parts[0].0) })?;
        for found in &found {
            self.read(found, &mut numbers)?;
        }
        Ok(Tensor::from_vec(numbers, shape, &self.device)?)
    }

    /// Looks a tensor up in all files.
    fn find(&self, name: &str, expected: &[usize]) -> Result<TensorPlace, ModelError> {
        let found = self.files.iter().enumerate().find_map(|(idx, file)| Some((idx, file, file.metadata.info(name)?)));
        let Some((file_idx, file, info)) = found else {
            let path = self.files.last().map(|file| file.path.clone()).unwrap_or_default();
            return Err(ModelError::MissingTensor { name: name.to_owned(), path });
        };
        let (name, path) = (name.to_owned(), file.path.clone());
        // Packed numbers have another shape as well: it is the format that is wrong then.
        if !matches!(info.dtype, Dtype::F32 | Dtype::F16 | Dtype::BF16) {
            return Err(ModelError::WrongFormat { name, found: format!("{:?}", info.dtype), path });
        }
        if info.shape != expected {
            let (expected, found) = (expected.to_vec(), info.shape.clone());
            return Err(ModelError::WrongShape { name, expected, found, path });
        }
        let (start, end) = info.data_offsets;
        Ok(TensorPlace { file_idx, dtype: info.dtype, start: file.data_start + start as u64, n_bytes: end - start })
    }

    /// Appends a tensor's numbers, piece by piece.
    fn read<T: StoredNumber>(&mut self, found: &TensorPlace, numbers: &mut Vec<T>) -> Result<(), ModelError> {
        let WeightFile { reader, path, .. } = &mut self.files[found.file_idx];
        reader.seek(SeekFrom::Start(found.start)).map_err(|source| read_error(source, path))?;
        let mut piece = vec![0; PIECE_LEN.min(found.n_bytes)];
        let mut n_left = found.n_bytes;
        while n_left > 0 {
            let piece_len = PIECE_LEN.min(n_left);
            let piece = &mut piece[..piece_len];
            reader.read_exact(piece).map_err(|source| read_error(source, path))?;
            append(piece, found.dtype, numbers);
            n_left -= piece_len;
            self.progress.advance(piece_len, self.on_read)?;
        }
        Ok(())
    }
}

impl WeightFile {
    fn open(mut reader: Box<dyn ReadSeek>, path: PathBuf) -> Result<Self, ModelError> {
        let damaged = |problem: Message| ModelError::Damaged { problem, path: path.clone() };
        let io = |source| read_error(source, &path);
        let file_len = reader.seek(SeekFrom::End(0)).map_err(io)?;
        reader.seek(SeekFrom::Start(0)).map_err(io)?;
        let mut len_bytes = [0; 8];
        if file_len < 8 {
            return Err(damaged(msg!("weights-short", n = file_len)));
        }
        reader.read_exact(&mut len_bytes).map_err(io)?;
        let header_len = u64::from_le_bytes(len_bytes);
        if header_len > LARGEST_HEADER || header_len > file_len - 8 {
            // As text: what is no length at all may have more digits than a gap keeps of a number.
            return Err(damaged(msg!("weights-header-long", header = header_len.to_string(), file = file_len)));
        }
        let mut header = vec![0; header_len as usize];
        reader.read_exact(&mut header).map_err(io)?;
        let metadata: Metadata = serde_json::from_slice(&header)
            .map_err(|error| damaged(msg!("weights-header-invalid", error = Message::verbatim(error))))?;
        let data_start = 8 + header_len;
        let expected_len = data_start + metadata.data_len() as u64;
        if file_len != expected_len {
            return Err(damaged(msg!("weights-other-length", file = file_len, expected = expected_len)));
        }
        Ok(Self { reader, metadata, data_start, path })
    }
}

fn read_error(source: impl Into<ReadError>, path: &Path) -> ModelError {
    ModelError::Read { source: source.into(), path: path.to_owned() }
}
