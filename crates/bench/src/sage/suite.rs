//! The graphs that are measured unless others are named, and how graphs are asked for.

use warpgraph::graph::generate::Spec;

/// Two Kronecker graphs, one of the most skewed degrees, one without skew, a road-like one, and communities whose order was
/// lost. Weights are for sssp.
pub const GRAPHS: [&str; 6] = [
    "kron:22,w=1..255",
    "kron:24,w=1..255",
    "powerlaw:4194304,alpha=1.8,w=1..255",
    "uniform:22,w=1..255",
    "grid:2048x2048,w=1..255",
    "community:22,degree=32,shuffle,w=1..255",
];

/// Graphs of these kinds that a simulator can be asked about.
pub const QUICK: [&str; 5] = [
    "kron:6,w=1..255",
    "powerlaw:64,alpha=1.8,w=1..255",
    "uniform:6,w=1..255",
    "grid:8x16,w=1..255",
    "community:6,degree=8,shuffle,w=1..255",
];

/// What the weights of the default graphs are left out of their names by.
const WEIGHTS: &str = ",w=1..255";

/// A graph that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// What it is called in tables.
    pub name: String,
    /// A generator's text, or a file.
    pub source: String,
    /// What makes the same graph before its vertices are shuffled, if its name is a generator's that shuffles.
    pub planted: Option<Spec>,
}

impl Asked {
    /// One of the default graphs: called without its weights.
    fn of_suite(source: &str) -> Self {
        let name = source.strip_suffix(WEIGHTS).unwrap_or(source).to_owned();
        Self { name, ..Self::read(source) }
    }

    /// A text: a generator, a file, or `NAME=FILE`, a file and what to call it. A name that is a generator's tells what it is.
    pub fn read(text: &str) -> Self {
        let is_spec = |text: &str| text.parse::<Spec>().is_ok();
        let (name, source) = match text.rsplit_once('=') {
            Some((name, file)) if !is_spec(text) && (is_spec(name) || !name.contains(',')) => (name, file),
            _ => (text, text),
        };
        Self { name: name.to_owned(), source: source.to_owned(), planted: planted(name) }
    }
}

/// The default graphs, or tiny ones, unless others are named; tiny ones before others that are named.
pub fn asked(texts: &[String], is_quick: bool) -> Vec<Asked> {
    let suite: &[&str] = match (is_quick, texts.is_empty()) {
        (true, _) => &QUICK,
        (false, true) => &GRAPHS,
        (false, false) => &[],
    };
    suite.iter().map(|text| Asked::of_suite(text)).chain(texts.iter().map(|text| Asked::read(text))).collect()
}

/// The same without `shuffle`; `None` if it does not shuffle, or is no generator's.
fn planted(text: &str) -> Option<Spec> {
    let shuffled: Spec = text.parse().ok()?;
    let pieces = text.split(',').filter(|piece| piece.split('=').next() != Some("shuffle"));
    let planted: Spec = pieces.collect::<Vec<&str>>().join(",").parse().ok()?;
    (planted != shuffled).then_some(planted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_graph_is_one_that_generators_take() {
        for name in GRAPHS.into_iter().chain(QUICK) {
            let spec: Spec = name.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(spec.weight_range().is_some(), "{name}");
        }
    }

    #[test]
    fn graphs_are_asked_for_by_generator_by_file_and_by_both() {
        let of = |text: &str| {
            let Asked { name, source, planted } = Asked::read(text);
            (name, source, planted.map(|spec| spec.to_string()))
        };
        let same = |text: &str| (text.to_owned(), text.to_owned(), None);
        assert_eq!(of("kron:20,w=1..9"), same("kron:20,w=1..9"));
        assert_eq!(of("a/road.gr"), same("a/road.gr"));
        assert_eq!(of("kron:22=k22.wg"), ("kron:22".to_owned(), "k22.wg".to_owned(), None));
        let (name, source, planted) = of("community:10,shuffle,w=1..9=c.wg");
        assert_eq!((name.as_str(), source.as_str()), ("community:10,shuffle,w=1..9", "c.wg"));
        assert_eq!(planted, Some("community:10,w=1..9".parse::<Spec>().unwrap().to_string()));
    }

    #[test]
    fn suites_are_named_without_their_weights_and_others_come_after() {
        let all = asked(&[], false);
        assert_eq!((all.len(), all[0].name.as_str(), all[0].source.as_str()), (6, "kron:22", GRAPHS[0]));
        assert!(all[5].planted.is_some() && all[4].planted.is_none());
        let texts = ["x.wg".to_owned()];
        assert_eq!(asked(&texts, false).len(), 1);
        assert_eq!(asked(&texts, true)[5].name, "x.wg");
    }
}
