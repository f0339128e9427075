//! Sockets, all on this machine.

use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};

use rustix::net::{AddressFamily, SocketType, socket};

use super::Attempt;

/// Whom to connect to.
#[derive(Default)]
pub(super) struct Target {
    address: Option<String>,
    path: Option<String>,
    name: Option<String>,
}

impl Target {
    /// Reads `127.0.0.1:80,/path,@name`, of which any may be left out.
    pub(super) fn read(text: &str) -> Target {
        let mut target = Target::default();
        for part in text.split(',') {
            match part.strip_prefix('@') {
                Some(name) => target.name = Some(name.to_owned()),
                None if part.starts_with('/') => target.path = Some(part.to_owned()),
                None => target.address = Some(part.to_owned()),
            }
        }
        target
    }
}

pub(super) const ATTEMPTS: &[Attempt<Target>] = &[
    ("tcp-listen", |_| TcpListener::bind("127.0.0.1:0").map(drop)),
    ("tcp-connect", |target| TcpStream::connect(given(&target.address)?)?.write_all(b"tcp\n")),
    ("udp-send", |target| UdpSocket::bind("127.0.0.1:0")?.send_to(b"udp\n", given(&target.address)?).map(drop)),
    ("unix-connect", |target| UnixStream::connect(given(&target.path)?)?.write_all(b"unix\n")),
    ("abstract-listen", |_| {
        let name = format!("arbitro-faulty-{}", std::process::id());
        UnixListener::bind_addr(&SocketAddr::from_abstract_name(name)?).map(drop)
    }),
    ("abstract-connect", |target| {
        UnixStream::connect_addr(&SocketAddr::from_abstract_name(given(&target.name)?)?)?.write_all(b"abstract\n")
    }),
    ("netlink", |_| Ok(socket(AddressFamily::NETLINK, SocketType::RAW, None).map(drop)?)),
];

fn given(part: &Option<String>) -> io::Result<&str> {
    part.as_deref().ok_or_else(|| io::Error::other("at= names nobody to connect to"))
}
