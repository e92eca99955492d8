//! Generates `community:scale`: planted communities with skewed degrees, hubs and nested locality.
//!
//! The 2^scale vertices lie in communities, each of consecutive vertices in planted order. A community has `size`
//! vertices on average, and between 0.5 and 1.5 times as many. The number of edges that a vertex lists follows a Pareto
//! distribution with exponent `alpha`, mean degree / 2 and maximum size / 2. An edge leads
//!
//! - with probability 1 - mix to a member of the vertex's own community. In half of these cases the target is one of
//!   the next few members, where the number of the edge sets the distance, modulo one less than the vertex's number of
//!   edges rounded up to a power of two. In the other half the logarithm of the distance is uniform (buckets of
//!   doubling widths). So near members are joined more often than far ones at every scale, which makes triangles, as
//!   the nesting of hosts, folders and pages does in the web;
//! - with probability mix to any vertex, by popularity: rank r has weight r^(-1/(alpha-1)), so that in-degrees follow a
//!   power law with exponent alpha. A random permutation assigns ranks to vertices. The vertices of the lowest ranks
//!   are the hubs.
//!
//! The mean degree of the undirected graph is about `degree`: a few percent of the edges are parallel, and the builder
//! merges them. An edge takes O(1) time. The model follows the idea of the LFR benchmark [1], but closed forms replace
//! its rewiring, so that each piece can be generated on its own.
//!
//! [1] Lancichinetti, Fortunato, Radicchi: Benchmark graphs for testing community detection, PRE 2008.

mod pareto;
pub(super) mod planted;

use self::{pareto::Pareto, planted::Planted};
use super::{
    Edges,
    keys::Keys,
    random::{Draws, Permutation, Purpose, threshold, unit},
    rows::Rows,
};
use crate::{control::Control, csr::Vertex, error::Result};
use std::{
    fmt,
    ops::{Range, RangeInclusive},
};

const DEFAULT_SIZE: u64 = 1000;
const DEFAULT_DEGREE: u64 = 32;
const DEFAULT_MIX: f64 = 0.2;
const DEFAULT_ALPHA: f64 = 2.5;
const ALPHAS: RangeInclusive<f64> = 2.05..=10.0;

/// The parameters of the generator.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Community {
    scale: u32,
    size: u64,
    degree: u64,
    mix: f64,
    alpha: f64,
    shuffle: bool,
}

impl Community {
    pub(super) const KEYS: &[&str] = &["size", "mix", "degree", "alpha", "shuffle", "seed", "w", "directed"];

    pub(super) fn read(keys: &Keys<'_>) -> Result<Self> {
        let scale = keys.scale(1)?;
        let size = keys.number("size", default_size(scale), 2..=1 << scale)?;
        Ok(Self {
            scale,
            size,
            degree: keys.number("degree", default_degree(size), 1..=size / 2)?,
            mix: keys.number("mix", DEFAULT_MIX, 0.0..=1.0)?,
            alpha: keys.number("alpha", DEFAULT_ALPHA, ALPHAS)?,
            shuffle: keys.flag("shuffle", false)?,
        })
    }

    pub(super) fn vertices(&self) -> u64 {
        1 << self.scale
    }

    pub(super) fn expected_edges(&self) -> f64 {
        self.vertices() as f64 * self.degree as f64 / 2.0
    }

    pub(super) fn edges(&self, seed: u64, control: &Control) -> Result<CommunityEdges> {
        let vertices = self.vertices();
        let degrees = Degrees {
            draws: Draws::new(seed, Purpose::Degrees),
            pareto: Pareto::with_mean(self.degree as f64 / 2.0, self.size as f64 / 2.0, self.alpha),
        };
        let shuffle = Permutation::new(vertices, Draws::new(seed, Purpose::Order).at(0));
        Ok(CommunityEdges {
            rows: Rows::plan(vertices, |v| degrees.of(v), control)?,
            degrees,
            vertices,
            draws: Draws::new(seed, Purpose::Edges),
            planted: Planted::new(vertices, self.size, Draws::new(seed, Purpose::Bounds)),
            outside: threshold(self.mix),
            popularity: (self.alpha - 1.0) / (self.alpha - 2.0),
            popular: Permutation::new(vertices, Draws::new(seed, Purpose::Popularity).at(0)),
            shuffle: self.shuffle.then_some(shuffle),
        })
    }
}

fn default_size(scale: u32) -> u64 {
    DEFAULT_SIZE.min(1 << scale)
}

fn default_degree(size: u64) -> u64 {
    DEFAULT_DEGREE.min(size / 2)
}

impl fmt::Display for Community {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.scale)?;
        if self.size != default_size(self.scale) {
            write!(f, ",size={}", self.size)?;
        }
        if self.mix != DEFAULT_MIX {
            write!(f, ",mix={}", self.mix)?;
        }
        if self.degree != default_degree(self.size) {
            write!(f, ",degree={}", self.degree)?;
        }
        if self.alpha != DEFAULT_ALPHA {
            write!(f, ",alpha={}", self.alpha)?;
        }
        if self.shuffle { f.write_str(",shuffle") } else { Ok(()) }
    }
}

struct Degrees {
    draws: Draws,
    pareto: Pareto,
}

impl Degrees {
    /// Returns the number of edges that `v` lists: a Pareto draw, rounded up or down at random so that the mean stays.
    fn of(&self, v: Vertex) -> u64 {
        let v = u64::from(v);
        (self.pareto.at(unit(self.draws.at(2 * v))) + unit(self.draws.at(2 * v + 1))) as u64
    }
}

/// The prepared generator.
pub(super) struct CommunityEdges {
    rows: Rows,
    degrees: Degrees,
    vertices: u64,
    draws: Draws,
    planted: Planted,
    /// An edge whose first word is below this number leads to any vertex, by popularity.
    outside: u128,
    /// A uniform number in [0, 1) raised to this power is a popularity rank, as a share of all ranks.
    popularity: f64,
    popular: Permutation,
    shuffle: Option<Permutation>,
}

impl CommunityEdges {
    /// Draws any vertex, popular ones more often.
    fn anyone(&self, word: u64) -> u64 {
        let rank = unit(word).powf(self.popularity) * self.vertices as f64;
        self.popular.apply((rank as u64).min(self.vertices - 1))
    }

    fn id(&self, v: u64) -> Vertex {
        self.shuffle.map_or(v, |s| s.apply(v)) as Vertex
    }
}

impl Edges for CommunityEdges {
    fn items(&self) -> u64 {
        self.rows.total()
    }

    fn fill(&self, items: Range<u64>, pairs: &mut Vec<[Vertex; 2]>) {
        self.rows.walk(
            items,
            |v| self.degrees.of(v),
            |v, own, first| {
                let home = self.planted.home(v.into(), self.degrees.of(v));
                pairs.extend(own.map(|edge| {
                    let word = self.draws.at(2 * edge + 1);
                    let leaves = u128::from(self.draws.at(2 * edge)) < self.outside;
                    let other = if leaves { self.anyone(word) } else { home.member(word, edge - first) };
                    [self.id(v.into()), self.id(other)]
                }));
            },
        );
    }
}
