//! The words by which the columns of an edge list are known. This is the only list of them.
//!
//! A name is compared in lower case and without characters other than letters and digits; then without an ending such
//! as `id` or `node`. `From_Node_ID`, `:START_ID` and `source` are thus names of a source.

/// Pairs of words for the columns of sources and targets. The words of one row belong together, and an earlier row
/// wins if a table has columns of several.
const PAIRS: &[(&[&str], &[&str])] = &[
    (&["source", "sources"], &["target", "targets"]),
    (&["src"], &["dst", "dest"]),
    (&["from"], &["to"]),
    (&["u"], &["v"]),
    (&["source", "origin", "orig"], &["destination", "dest"]),
    (&["tail"], &["head"]),
    (&["start"], &["end"]),
    (&["follower"], &["followee", "followed"]),
    (&["citing"], &["cited"]),
    (&["caller"], &["callee"]),
    (&["sender"], &["receiver", "recipient"]),
    (&["parent"], &["child"]),
    (&["node1"], &["node2"]),
    (&["vertex1"], &["vertex2"]),
    (&["id1"], &["id2"]),
    (&["user1"], &["user2"]),
    (&["person1"], &["person2"]),
    (&["row"], &["col", "column"]),
    (&["i"], &["j"]),
];

/// Words for the column of weights that win over the other words.
const WEIGHT: &[&str] = &["weight", "weights", "w", "wt", "edgeweight"];

/// Other words for the column of weights.
const WEIGHTS: &[&str] = &[
    "amount",
    "capacity",
    "cost",
    "dist",
    "distance",
    "length",
    "probability",
    "rating",
    "score",
    "sign",
    "similarity",
    "strength",
    "val",
    "value",
];

/// Words for columns that are neither ids of vertices nor weights.
const OTHERS: &[&str] = &[
    "",
    "attr",
    "attributes",
    "category",
    "color",
    "colour",
    "comment",
    "created",
    "createdat",
    "creationdate",
    "date",
    "datetime",
    "description",
    "edge",
    "edgeid",
    "eid",
    "id",
    "idx",
    "index",
    "interval",
    "key",
    "kind",
    "label",
    "name",
    "note",
    "relation",
    "relationship",
    "rownames",
    "since",
    "time",
    "timeset",
    "timestamp",
    "title",
    "ts",
    "type",
    "unnamed0",
    "when",
    "year",
];

/// Endings that do not change the meaning of a word for ids.
const ENDINGS: &[&str] = &["id", "node", "vertex", "index", "key"];

/// The prefix of the columns in which pandas stores the index of its rows.
const PANDAS_INDEX: &str = "__index_level_";

/// The meaning of a column by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The row of [`PAIRS`] and the side of it, 0 for sources and 1 for targets.
    Id {
        side: usize,
    },
    /// A weight; `first` if the word wins over other words for weights.
    Weight {
        first: bool,
    },
    /// Neither an id nor a weight.
    Other,
    Unknown,
}

/// Returns the meaning of a column with this name.
pub(super) fn role(name: &str) -> Role {
    let word = plain(name);
    if OTHERS.contains(&&*word) || name.starts_with(PANDAS_INDEX) {
        Role::Other
    } else if WEIGHT.contains(&&*word) {
        Role::Weight { first: true }
    } else if WEIGHTS.contains(&&*word) {
        Role::Weight { first: false }
    } else if let Some(side) = (0..2).find(|&side| rows(&word, side).next().is_some()) {
        Role::Id { side }
    } else {
        Role::Unknown
    }
}

/// Returns the first row of the table in which `source` and `target` stand together.
pub(super) fn pair(source: &str, target: &str) -> Option<usize> {
    let (source, target) = (plain(source), plain(target));
    rows(&source, 0).find(|row| rows(&target, 1).any(|other| other == *row))
}

/// Returns the rows of the table whose words of one side include this word, as it stands or without its ending.
fn rows(word: &str, side: usize) -> impl Iterator<Item = usize> {
    let has = move |(sources, targets): &(&[&str], &[&str])| {
        let words = if side == 0 { sources } else { targets };
        words.contains(&word) || words.contains(&bare(word))
    };
    PAIRS.iter().enumerate().filter(move |(_, row)| has(row)).map(|(row, _)| row)
}

/// Returns the name in lower case, with letters and digits only.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns a word without its endings.
fn bare(word: &str) -> &str {
    match ENDINGS.iter().find_map(|ending| word.strip_suffix(ending)) {
        Some(rest) if !rest.is_empty() => bare(rest),
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_in_any_case_and_with_endings() {
        for name in ["source", "SRC", "FromNodeId", "from_node_id", "Source ID", ":START_ID", "u", "Follower"]
        {
            assert_eq!(role(name), Role::Id { side: 0 }, "{name}");
        }
        for name in ["target", "dst", "Dest", "ToNodeId", ":END_ID", "to", "v", "followee", "id_2", "head"] {
            assert_eq!(role(name), Role::Id { side: 1 }, "{name}");
        }
        for name in ["id", "Time", "Unnamed: 0", "", "Label", "__index_level_0__"] {
            assert_eq!(role(name), Role::Other, "{name}");
        }
        assert_eq!(role("Weight"), Role::Weight { first: true });
        assert_eq!(role("distance"), Role::Weight { first: false });
        assert_eq!(role("user"), Role::Unknown);
    }

    #[test]
    fn no_word_has_two_meanings() {
        let ids = PAIRS.iter().flat_map(|(a, b)| a.iter().map(|w| (w, 0)).chain(b.iter().map(|w| (w, 1))));
        for (word, side) in ids {
            assert_eq!(role(word), Role::Id { side }, "{word}");
        }
        assert!(WEIGHT.iter().chain(WEIGHTS).all(|word| matches!(role(word), Role::Weight { .. })));
    }

    #[test]
    fn words_of_one_row_belong_together() {
        assert_eq!(pair("source", "target"), Some(0));
        assert_eq!(pair("source_id", "Destination"), Some(4));
        assert_eq!(pair("source", "to"), None);
    }
}
