//! What is computed here, compared with programs of others that compute the same. They come from PyPI, in the versions
//! of `requirements.txt`:
//!
//! ```sh
//! python3 -m venv target/peers
//! target/peers/bin/pip install --requirement tests/peers/requirements.txt
//! ```
//!
//! Without them the tests say that they were skipped, and fail where `CI` is `true`.

mod berger;
mod peer;
mod ratings;
mod swiss;
