use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = arbitro::host::run_if_called() {
        return code;
    }
    ExitCode::SUCCESS
}
