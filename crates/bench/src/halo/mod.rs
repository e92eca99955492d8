//! What orders of the vertices are worth: HALO's figures, for the graphs at hand.

mod searches;

pub use searches::Searches;
