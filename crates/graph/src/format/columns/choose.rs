//! Chooses the columns of sources, targets and weights from the names of all columns and what the caller says.

use super::{
    Column, Columns,
    words::{self, Role},
};
use crate::error::quote;

/// The columns of an edge list, counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::format) struct Chosen {
    /// The columns of sources and targets.
    pub(in crate::format) ids: [usize; 2],
    pub(in crate::format) weight: Option<usize>,
    /// True if the position of an id decided, because its name is unknown.
    pub(in crate::format) by_position: bool,
    /// The other columns.
    pub(in crate::format) ignored: Vec<usize>,
}

impl Chosen {
    /// Returns warnings about ids that were taken by position, and about ignored columns whose names are unknown.
    pub(in crate::format) fn warnings(&self, names: &[String], no_weights: bool) -> Vec<String> {
        let mut warnings = Vec::new();
        if names.is_empty() {
            return warnings;
        }
        if self.by_position {
            let [a, b] = self.ids.map(|column| quote(names[column].as_bytes()));
            warnings.push(format!("the columns {a} and {b} are taken as source and target, in this order"));
        }
        let unknown = self.ignored.iter().filter(|&&column| words::role(&names[column]) != Role::Other);
        let unknown: Vec<&str> = unknown.map(|&column| &*names[column]).collect();
        if let (Some(first), false) = (unknown.first(), no_weights) {
            let flag = match self.weight {
                None => format!("; --columns weight={first} would take it as the weight"),
                Some(_) => String::new(),
            };
            warnings.push(match unknown.len() {
                1 => format!("the column {} is ignored{flag}", quote(first.as_bytes())),
                n => format!("{n} columns are ignored, the first is {}{flag}", quote(first.as_bytes())),
            });
        }
        warnings
    }
}

/// The reason why the columns cannot be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::format) enum Unclear {
    /// The caller names a column that does not exist.
    Missing(Column),
    /// The caller gives one column two meanings.
    Twice(Column),
    /// Neither the names nor the caller say which columns have this meaning.
    Unknown(&'static str),
    /// Several columns may have this meaning.
    Several(&'static str, Vec<usize>),
}

impl Unclear {
    /// Returns the problem as a sentence. `names` are empty if the columns have none.
    pub(in crate::format) fn problem(&self, names: &[String], columns: usize) -> String {
        match self {
            Self::Missing(Column::Name(name)) if names.is_empty() => {
                format!("no line names the columns, so there is no column {}", quote(name.as_bytes()))
            }
            Self::Missing(Column::Name(name)) => {
                let all: Vec<String> = names.iter().map(|name| quote(name.as_bytes())).collect();
                format!("there is no column {}; the columns are {}", quote(name.as_bytes()), all.join(", "))
            }
            Self::Missing(Column::Position(position)) => {
                format!("there is no column {position}; there are {columns} columns")
            }
            Self::Twice(column) => format!("the column {column} is given two meanings"),
            Self::Unknown(what) if names.is_empty() => {
                format!("{columns} columns, and no line names them: which are the {what} is unknown")
            }
            Self::Unknown(what) => {
                format!("{columns} columns, and their names do not say which are the {what}")
            }
            Self::Several(what, which) => {
                let which: Vec<String> = which.iter().map(|&i| quote(names[i].as_bytes())).collect();
                format!("the columns {} may all be the {what}", which.join(", "))
            }
        }
    }
}

/// Returns true if the names include words for a source and a target.
pub(in crate::format) fn are_words(names: &[String]) -> bool {
    let has = |side| names.iter().any(|name| words::role(name) == Role::Id { side });
    has(0) && has(1)
}

/// Returns true if the names include a word for a source, a target or a weight.
pub(in crate::format) fn has_words(names: &[String]) -> bool {
    names.iter().any(|name| matches!(words::role(name), Role::Id { .. } | Role::Weight { .. }))
}

/// Returns true if the name is a word for a source or a target.
pub(in crate::format) fn is_id(name: &str) -> bool {
    matches!(words::role(name), Role::Id { .. })
}

/// Returns true if the name is a word for weights.
pub(in crate::format) fn is_weight(name: &str) -> bool {
    matches!(words::role(name), Role::Weight { .. })
}

/// Chooses among `count` columns with these names, or without names if the list is empty.
///
/// Columns without names are source, target and weight if there are two or three of them and the caller says nothing.
/// With `no_weights`, there is no weight, and the first two columns without names are the ids.
pub(in crate::format) fn choose(
    names: &[String],
    count: usize,
    asked: &Columns,
    no_weights: bool,
) -> Result<Chosen, Unclear> {
    let mut choice = Choice { names, count, taken: [None; 3] };
    choice.take_asked(asked)?;
    if names.is_empty() && asked.is_empty() && count >= 2 && (count <= 3 || no_weights) {
        choice.taken = [Some(0), Some(1), (count == 3).then_some(2)];
    }
    choice.take_ids()?;
    if !no_weights {
        choice.take_weight()?;
    }
    let by_position = choice.take_rest()? && !names.is_empty();
    let [Some(source), Some(target), weight] = choice.taken else {
        return Err(Unclear::Unknown("source and target"));
    };
    let weight = weight.filter(|_| !no_weights);
    let is_ignored = |column: &usize| ![Some(source), Some(target), weight].contains(&Some(*column));
    Ok(Chosen {
        ids: [source, target],
        weight,
        by_position,
        ignored: (0..count).filter(is_ignored).collect(),
    })
}

/// The choice so far.
struct Choice<'a> {
    names: &'a [String],
    count: usize,
    /// The columns of sources, targets and weights.
    taken: [Option<usize>; 3],
}

impl Choice<'_> {
    /// Takes the columns that the caller gives.
    fn take_asked(&mut self, asked: &Columns) -> Result<(), Unclear> {
        for (slot, column) in asked.all().into_iter().enumerate() {
            let Some(column) = column else { continue };
            let found = match column {
                Column::Position(position) => Some(position - 1).filter(|&index| index < self.count),
                Column::Name(wanted) => {
                    let is_it = |name: &String| name.trim().to_lowercase() == wanted.trim().to_lowercase();
                    self.names.iter().position(is_it)
                }
            };
            let index = found.ok_or_else(|| Unclear::Missing(column.clone()))?;
            if !self.is_free(index) {
                return Err(Unclear::Twice(column.clone()));
            }
            self.taken[slot] = Some(index);
        }
        Ok(())
    }

    /// Takes the source and the target whose names are known.
    fn take_ids(&mut self) -> Result<(), Unclear> {
        let sources = self.candidates(0);
        let targets = self.candidates(1);
        let names = self.names;
        let pairs = sources.iter().flat_map(|&s| targets.iter().map(move |&t| [s, t]));
        let best = pairs.filter_map(|[s, t]| Some((words::pair(&names[s], &names[t])?, [s, t]))).min();
        if let (Some((row, pair)), [None, None, _]) = (best, self.taken) {
            let is_rival = |side: usize, column: usize| {
                let mut other = pair;
                other[side] = column;
                column != pair[side] && words::pair(&names[other[0]], &names[other[1]]) == Some(row)
            };
            for (side, all) in [&sources, &targets].into_iter().enumerate() {
                let rivals: Vec<usize> =
                    all.iter().copied().filter(|&c| c == pair[side] || is_rival(side, c)).collect();
                self.one(side, &rivals)?;
            }
        }
        for (side, all) in [sources, targets].into_iter().enumerate() {
            if self.taken[side].is_none() {
                self.one(side, &all)?;
            }
        }
        Ok(())
    }

    /// Takes the only candidate for a meaning, if there is one. Several are an error.
    fn one(&mut self, slot: usize, candidates: &[usize]) -> Result<(), Unclear> {
        match candidates {
            [] => {}
            [column] => self.taken[slot] = Some(*column),
            several => return Err(Unclear::Several(["source", "target", "weight"][slot], several.to_vec())),
        }
        Ok(())
    }

    fn take_weight(&mut self) -> Result<(), Unclear> {
        if self.taken[2].is_some() {
            return Ok(());
        }
        let with = |first| self.with_role(move |role| role == Role::Weight { first });
        let [first, others] = [with(true), with(false)];
        self.one(2, if first.is_empty() { &others } else { &first })
    }

    /// Takes the columns of unknown names as the missing ids, and returns true if there are as many of them as missing
    /// ids.
    fn take_rest(&mut self) -> Result<bool, Unclear> {
        let missing: Vec<usize> = (0..2).filter(|&slot| self.taken[slot].is_none()).collect();
        let what = match missing[..] {
            [] => return Ok(false),
            [0] => "source",
            [_] => "target",
            _ => "source and target",
        };
        let rest = match self.names.is_empty() {
            true => (0..self.count).filter(|&column| self.is_free(column)).collect(),
            false => self.with_role(|role| role == Role::Unknown),
        };
        // One known id beside columns of other meanings does not make an unknown one the other id.
        let has_others = self.count > 2 + usize::from(self.taken[2].is_some());
        if rest.len() != missing.len() || (missing.len() == 1 && !self.names.is_empty() && has_others) {
            return Err(Unclear::Unknown(what));
        }
        missing.into_iter().zip(rest).for_each(|(slot, column)| self.taken[slot] = Some(column));
        Ok(true)
    }

    fn candidates(&self, side: usize) -> Vec<usize> {
        self.with_role(|role| role == Role::Id { side })
    }

    /// Returns the free columns whose names have this meaning.
    fn with_role(&self, is_it: impl Fn(Role) -> bool) -> Vec<usize> {
        let has_role = |&column: &usize| self.is_free(column) && is_it(words::role(&self.names[column]));
        (0..self.names.len()).filter(has_role).collect()
    }

    fn is_free(&self, column: usize) -> bool {
        !self.taken.contains(&Some(column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pick(names: &str, asked: &str) -> Result<([usize; 2], Option<usize>), Unclear> {
        let names: Vec<String> = names.split(',').map(str::to_owned).collect();
        let asked = if asked.is_empty() { Columns::default() } else { asked.parse().unwrap() };
        choose(&names, names.len(), &asked, false).map(|chosen| (chosen.ids, chosen.weight))
    }

    #[test]
    fn names_decide_in_any_order() {
        for (names, ids, weight) in [
            ("dst,src", [1, 0], None),
            ("id,source,target", [1, 2], None),
            ("weight,source,target", [1, 2], Some(0)),
            ("source,source_id,to,from", [3, 2], None),
            ("head,tail,km,cost", [1, 0], Some(3)),
            ("cost,weight,u,v", [2, 3], Some(1)),
            ("source,friend", [0, 1], None),
            ("source,friend,weight", [0, 1], Some(2)),
            ("friend,source", [1, 0], None),
            ("a,b", [0, 1], None),
            ("weight,a,b", [1, 2], Some(0)),
            ("a,when,b", [0, 2], None),
            ("node_1,node_2", [0, 1], None),
            (",Source,Target,Type,Id,Label,Weight", [1, 2], Some(6)),
        ] {
            assert_eq!(pick(names, ""), Ok((ids, weight)), "{names}");
        }
    }

    #[test]
    fn what_the_caller_says_wins() {
        assert_eq!(pick("src,dst,weight", "src=DST,dst=1"), Ok(([1, 0], Some(2))));
        assert_eq!(pick("a,b,c,d", "src=b,dst=d"), Ok(([1, 3], None)));
        assert_eq!(pick("a,b,c", "weight=a"), Ok(([1, 2], Some(0))));
        assert_eq!(pick("a,b", "src=x"), Err(Unclear::Missing(Column::Name("x".to_owned()))));
        assert_eq!(pick("a,b", "src=3"), Err(Unclear::Missing(Column::Position(3))));
        assert_eq!(pick("a,b", "src=a,dst=1"), Err(Unclear::Twice(Column::Position(1))));
    }

    #[test]
    fn unclear_columns_are_not_guessed() {
        assert_eq!(pick("a,b,c", ""), Err(Unclear::Unknown("source and target")));
        assert_eq!(pick("a,source,c", ""), Err(Unclear::Unknown("target")));
        assert_eq!(pick("id,source", ""), Err(Unclear::Unknown("target")));
        assert_eq!(pick("source,source,target", ""), Err(Unclear::Several("source", vec![0, 1])));
        assert_eq!(pick("source,source_id,target", ""), Err(Unclear::Several("source", vec![0, 1])));
        assert_eq!(pick("src,dst,cost,distance", ""), Err(Unclear::Several("weight", vec![2, 3])));
    }

    #[test]
    fn two_or_three_columns_without_names_are_source_target_and_weight() {
        let bare = |count, no_weights| {
            let chosen = choose(&[], count, &Columns::default(), no_weights);
            chosen.map(|c| (c.ids, c.weight, c.ignored.len()))
        };
        assert_eq!(bare(2, false), Ok(([0, 1], None, 0)));
        assert_eq!(bare(3, false), Ok(([0, 1], Some(2), 0)));
        assert_eq!(bare(5, true), Ok(([0, 1], None, 3)));
        assert_eq!(bare(4, false), Err(Unclear::Unknown("source and target")));
        let asked: Columns = "src=4,dst=2".parse().unwrap();
        assert_eq!(choose(&[], 4, &asked, false).map(|c| (c.ids, c.weight)), Ok(([3, 1], None)));
    }
}
