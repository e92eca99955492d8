//! [`Scheme`]: which kernels expand a frontier.

use super::{Balancing, host};
use std::fmt;
use warpgraph_core::Balance;

/// A file of `kernels/advance`: a balance whatever its options, which kernels get as arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scheme(&'static str);

impl Scheme {
    /// Returns the scheme of a balance.
    pub(crate) const fn of(balance: Balance) -> Self {
        Self(balance.name())
    }

    /// Returns every scheme.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Balance::ALL.into_iter().map(Self::of)
    }

    /// Returns the schemes that programs pull by: these share rows, the others deal out a frontier.
    pub(crate) fn pulling() -> impl Iterator<Item = Self> {
        Self::all().filter(Self::pulls)
    }

    /// True if programs pull by it.
    pub(crate) fn pulls(&self) -> bool {
        !self.balance().only_pushes()
    }

    /// Returns the host side of its balance, options at their defaults.
    pub(crate) fn host(self) -> Box<dyn Balancing> {
        host(self.balance())
    }

    /// Returns its name.
    pub(crate) const fn name(self) -> &'static str {
        self.0
    }

    /// Returns its balance, options at their defaults.
    pub(super) fn balance(self) -> Balance {
        let known = Balance::ALL.into_iter().find(|balance| balance.name() == self.0);
        known.unwrap_or_else(|| unreachable!("a scheme is made of a balance"))
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use std::collections::BTreeSet;

    /// Headers that several balances share.
    const SHARED: [&str; 3] = ["given", "stretch", "tiles"];

    #[test]
    fn every_balance_has_its_kernel_file_and_its_own_arguments() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/advance");
        for scheme in Scheme::all() {
            let host = scheme.host();
            let path = folder.join(format!("{scheme}.cuh"));
            let text = std::fs::read_to_string(&path).unwrap();
            for function in ["void advance(", "void gather("] {
                assert!(text.contains(function), "{} has no {function}", path.display());
            }
            assert!(host.own().contains("#define OWN_BYTES "), "{scheme} has no arguments of its own");
            assert_eq!(host.schemes()[0], scheme, "a balance starts its own kernels first");
            assert_eq!(
                host.shares().is_some(),
                scheme.balance().has_tiles(),
                "{scheme}: core and host disagree on tiles"
            );
        }
    }

    #[test]
    fn every_kernel_file_is_that_of_a_balance() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/advance");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let files: BTreeSet<String> =
            files.map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
        let known = Scheme::all().map(Scheme::name).chain(SHARED);
        assert_eq!(files, known.map(str::to_owned).collect());
    }

    #[test]
    fn a_price_is_measured_by_shapes_that_it_asks_for() {
        let priced = super::super::model::priced();
        for (scheme, price) in &priced {
            assert!(price.many.iter().all(|shape| price.shapes.contains(shape)), "{scheme}");
            let shows = |other: &super::super::model::Price| other.shapes.contains(&price.step);
            assert!(priced.iter().any(|(_, other)| shows(other)), "nothing shows a step of {scheme}");
        }
        for balance in super::super::open::CANDIDATES.into_iter().chain([Balance::RESIDENT]) {
            let scheme = Scheme::of(balance);
            assert!(priced.iter().any(|(known, _)| *known == scheme), "{scheme} has no price");
        }
    }
}
