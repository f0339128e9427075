//! The smallest bot: says one line and ends when its input does. Built by the bench beside it, statically.

use std::io::{Read, Write};

fn main() {
    println!("ready");
    let _ = std::io::stdout().flush();
    let _ = std::io::stdin().read(&mut [0; 64]);
}
