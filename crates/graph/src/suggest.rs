//! Suggests the known word nearest to a mistyped one ("did you mean").

/// Returns the nearest of `known` within two edits, if there is one; the first on ties.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let near = |k: &str| distance(word, k);
    let best = known.iter().copied().min_by_key(|k| near(k))?;
    (near(best) <= 2 && near(best) < best.chars().count()).then_some(best)
}

/// Returns `rest`, preceded by a suggestion if a known word is near.
pub fn did_you_mean(word: &str, known: &[&str], rest: &str) -> String {
    nearest(word, known).map_or_else(|| rest.to_owned(), |k| format!("did you mean {k}? {rest}"))
}

/// Returns the number of edits between two words: insertions, deletions, replacements, and swaps of adjacent
/// characters. Compares only the first 64 characters of `a`, since no known word is near a longer one.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swaps_and_slips_find_their_word_and_strangers_do_not() {
        let known = ["kron", "uniform", "grid", "powerlaw", "community"];
        assert_eq!(nearest("korn", &known), Some("kron"));
        assert_eq!(nearest("power-law", &known), Some("powerlaw"));
        assert_eq!(nearest("gird", &known), Some("grid"));
        assert_eq!(nearest("road", &known), None);
        assert_eq!(nearest("", &known), None);
    }
}
