//! stderr, as the log writes to it: directly, or by way of whoever keeps it while a tournament runs.

use std::io::{self, Write};
use std::sync::{Arc, OnceLock};

/// Takes a line.
type Say = Box<dyn Fn(String) + Send + Sync>;

/// What the log is written to.
#[derive(Clone, Default)]
pub struct Stderr(Arc<OnceLock<Say>>);

impl Stderr {
    /// Gives somebody all lines from now on, who does not wait until they can be written.
    pub fn leave_to(&self, say: impl Fn(String) + Send + Sync + 'static) {
        let _ = self.0.set(Box::new(say));
    }
}

/// The log writes whole lines.
impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(say) = self.0.get() else { return io::stderr().write(bytes) };
        say(String::from_utf8_lossy(bytes).trim_end().to_owned());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
