//! Runs of warpgraph in several processes and on several machines.
//!
//! Each process has one part of the graph. A [`Meeting`] connects them, and a [`Member`] is the
//! [`Exchange`](warpgraph_parts::Exchange) between them: values travel through Timely Dataflow, and a watch of our own
//! notices within ten seconds when a process is lost.
//!
//! No process trusts another's bytes. A connection that does not speak the protocol, belongs to another run or does not
//! know the secret is refused; lengths, parts and rounds of everything that arrives are checked before it is used.

pub mod checkpoint;
mod connect;
mod error;
mod hosts;
pub mod local;
mod member;
mod secret;
mod timely;
mod trouble;
mod watch;

pub use connect::{Meeting, listen};
pub use error::Error;
pub use hosts::{Hosts, PORT};
pub use member::Member;
pub use secret::{Secret, fingerprint};

#[cfg(test)]
mod liars;
