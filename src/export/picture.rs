//! A picture as PNG.

use std::io::{self, Write};

/// Writes pixels, a byte each for red, green, blue and opacity, row by row; `size` is width and height.
pub fn png(out: &mut dyn Write, size: [usize; 2], pixels: &[u8]) -> io::Result<()> {
    let side = |n: usize| u32::try_from(n).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error));
    let mut encoder = png::Encoder::new(out, side(size[0])?, side(size[1])?);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    Ok(writer.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let pixels: Vec<u8> = (0..24).collect();
        let mut file = Vec::new();
        png(&mut file, [3, 2], &pixels).unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().unwrap();
        let mut read = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut read).unwrap();
        assert_eq!(([info.width, info.height], &read[..24]), ([3, 2], &pixels[..]));
        assert!(png(&mut Vec::new(), [3, 3], &pixels).is_err(), "too few pixels");
    }
}
