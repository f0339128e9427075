use std::process::ExitCode;

fn main() -> ExitCode {
    arbitro::host::run_if_called().unwrap_or_else(arbitro::cli::run)
}
