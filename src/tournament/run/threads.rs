//! Threads where a system may refuse them: a limit on processes counts them, too.

use std::io;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Starts a thread that ends with its scope.
///
/// # Errors
/// When the system refuses another one, with what to do.
pub fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().spawn_scoped(scope, work).map_err(|error| {
        let words = "play fewer games at once (--concurrency), or raise the limit on processes (ulimit -u)";
        io::Error::new(error.kind(), format!("no further thread can be started ({error}): {words}"))
    })
}
