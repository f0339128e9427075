//! Arbitro, a headless referee for bot battles.

#![forbid(unsafe_code)]
#[cfg(not(target_os = "linux"))]
compile_error!(
    "arbitro runs on Linux only: it contains player programs with Linux process features (pidfd, subreaper, Landlock)"
);

pub mod bots;
pub mod chance;
pub mod cli;
pub mod clock;
pub mod game;
pub mod games;
pub mod host;
pub mod protocol;
pub mod record;
pub mod referee;
pub mod seat;
pub mod table;
