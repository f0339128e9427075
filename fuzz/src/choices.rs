//! Bytes as choices.

/// Choices yet to be made; once the bytes are used up, each is the first one.
pub struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    /// The choices that these bytes make.
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices(bytes)
    }

    /// Whether no byte is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Any byte.
    pub fn byte(&mut self) -> u8 {
        let [byte] = self.take();
        byte
    }

    /// A number below `bound`, from two bytes; 0 if there is nothing to choose from.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::from(u16::from_le_bytes(self.take())).checked_rem(bound).unwrap_or(0)
    }

    /// One of the items, from one byte.
    pub fn of<'b, T>(&mut self, items: &'b [T]) -> &'b T {
        &items[usize::from(self.byte()) % items.len()]
    }

    /// The next `count` bytes, or as many as are left.
    pub fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (bytes, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        bytes
    }

    /// All bytes that are left.
    pub fn rest(self) -> &'a [u8] {
        self.0
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        let taken = self.bytes(N);
        bytes[..taken.len()].copy_from_slice(taken);
        bytes
    }
}
