//! Numbers and words in CSV cells that need no quotes, written straight into a buffer: each match of a run may
//! have a row.

use itoa::Buffer;

/// Writes to the end of a buffer.
pub struct Cells<'a> {
    out: &'a mut Vec<u8>,
    digits: Buffer,
}

impl<'a> Cells<'a> {
    /// Behind what is in the buffer.
    pub fn new(out: &'a mut Vec<u8>) -> Cells<'a> {
        Cells { out, digits: Buffer::new() }
    }

    /// Bytes as they are: words, separators, cells in quotes.
    pub fn text(&mut self, text: &[u8]) -> &mut Self {
        self.out.extend_from_slice(text);
        self
    }

    /// A number in decimal.
    pub fn number(&mut self, number: u64) -> &mut Self {
        self.out.extend_from_slice(self.digits.format(number).as_bytes());
        self
    }

    /// Sixteen hexadecimal digits.
    pub fn hex(&mut self, number: u64) -> &mut Self {
        let digit = |place: usize| b"0123456789abcdef"[(number >> (60 - 4 * place) & 15) as usize];
        self.text(&std::array::from_fn::<u8, 16, _>(digit))
    }

    /// Half of a whole number.
    pub fn half(&mut self, doubled: u8) -> &mut Self {
        self.number((doubled / 2).into()).text(if doubled % 2 == 1 { b".5" } else { b"" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_written_as_the_standard_library_formats_them() {
        for number in [0, 1, 9, 10, 255, 0xab, 1 << 40, u64::MAX] {
            let mut out = b"before ".to_vec();
            Cells::new(&mut out).number(number).text(b",").hex(number);
            assert_eq!(out, format!("before {number},{number:016x}").into_bytes());
        }
        for doubled in [0, 1, 2, 5, 12] {
            let mut out = Vec::new();
            Cells::new(&mut out).half(doubled);
            assert_eq!(out, (f64::from(doubled) / 2.0).to_string().into_bytes());
        }
    }
}
