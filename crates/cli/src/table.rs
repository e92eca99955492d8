//! Tables on the terminal: columns as wide as their widest cell.

use crate::console::LABEL;
use anstream::adapter::strip_str;

pub(crate) use warpgraph_bench::sheet::Side;

/// A table under construction.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<(String, Side)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Returns a table without rows.
    pub(crate) fn new(columns: impl IntoIterator<Item = (impl Into<String>, Side)>) -> Self {
        let columns = columns.into_iter().map(|(title, side)| (title.into(), side)).collect();
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row. If it is shorter than the table, its last cell is a remark of any width.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Returns the table as lines.
    pub(crate) fn text(&self) -> String {
        let widths: Vec<usize> = (0..self.columns.len()).map(|i| self.width(i)).collect();
        let titles = self.columns.iter().map(|(title, _)| title.clone()).collect::<Vec<_>>();
        let head = format!("{LABEL}{}{LABEL:#}\n", self.line(&titles, &widths));
        self.rows.iter().fold(head, |text, row| text + &self.line(row, &widths) + "\n")
    }

    fn width(&self, column: usize) -> usize {
        let is_cell = |row: &&Vec<String>| column + 1 < row.len() || row.len() == self.columns.len();
        let cells = self.rows.iter().filter(is_cell).filter_map(|row| row.get(column));
        cells.map(|cell| shown(cell)).max().unwrap_or(0).max(self.columns[column].0.chars().count())
    }

    fn line(&self, row: &[String], widths: &[usize]) -> String {
        let cell = |(i, cell): (usize, &String)| {
            let gap = " ".repeat(widths[i].saturating_sub(shown(cell)));
            let is_remark = i + 1 == row.len() && row.len() < widths.len();
            match self.columns[i].1 {
                Side::Right if !is_remark => format!("{gap}{cell}"),
                _ => format!("{cell}{gap}"),
            }
        };
        let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
        cells.join("  ").trim_end().to_owned()
    }
}

/// Returns the width of a text in characters, without colours.
fn shown(text: &str) -> usize {
    strip_str(text).to_string().chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_remarks_widen_none() {
        let mut table = Table::new([("graph", Side::Left), ("time", Side::Right)]);
        table.row(["a".to_owned(), "1 s".to_owned()]);
        table.row(["bb".to_owned(), "\u{1b}[32m10 ms\u{1b}[0m".to_owned()]);
        table.row(["a remark that is long".to_owned()]);
        let text = strip_str(&table.text()).to_string();
        assert_eq!(text, "graph   time\na        1 s\nbb     10 ms\na remark that is long\n");
    }
}
