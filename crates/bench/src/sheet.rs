//! A table before it is written anywhere: the program writes it as text, this module as Markdown.

/// The side a column is flush with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Texts.
    Left,
    /// Figures.
    Right,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// What it shows.
    pub title: String,
    /// The titles of its columns.
    pub columns: Vec<(&'static str, Side)>,
    /// Its rows. In one that is shorter than the table the last cell is a remark, of any width.
    pub rows: Vec<Vec<String>>,
    /// What is said below it in Markdown.
    pub note: &'static str,
}

impl Sheet {
    /// Returns a table without rows.
    pub fn new<const N: usize>(title: impl Into<String>, columns: [(&'static str, Side); N]) -> Self {
        Self { title: title.into(), columns: columns.to_vec(), rows: Vec::new(), note: "" }
    }

    /// Returns the sheet with a note below it.
    pub fn note(self, note: &'static str) -> Self {
        Self { note, ..self }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Returns it as Markdown, without the title. A row that is only a remark, such as the name of a group, is bold.
    pub fn markdown(&self) -> String {
        let titles = self.columns.iter().map(|(title, _)| (*title).to_owned());
        let rule = self.columns.iter().map(|(_, side)| match side {
            Side::Left => "---".to_owned(),
            Side::Right => "---:".to_owned(),
        });
        let rows = self.rows.iter().map(|row| match &row[..] {
            [remark] => line(std::iter::once(format!("**{remark}**")), self.columns.len()),
            cells => line(cells.iter().cloned(), self.columns.len()),
        });
        let head = [line(titles, self.columns.len()), line(rule, self.columns.len())];
        head.into_iter().chain(rows).collect()
    }
}

/// Cells between bars, as many as there are columns; a bar within a cell is written so that it is none.
fn line(cells: impl Iterator<Item = String>, columns: usize) -> String {
    let mut cells: Vec<String> = cells.map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
    cells.resize(columns, String::new());
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_is_a_markdown_table_with_groups_and_remarks() {
        let mut sheet = Sheet::new("t", [("plan", Side::Left), ("time", Side::Right), ("a|b", Side::Left)]);
        sheet.row(["road".to_owned()]);
        sheet.row(["node", "1 s", "x"].map(str::to_owned));
        sheet.row(["edge".to_owned(), "refused: a | b\nc".to_owned()]);
        let expected = "| plan | time | a\\|b |\n| --- | ---: | --- |\n| **road** |  |  |\n\
                        | node | 1 s | x |\n| edge | refused: a \\| b c |  |\n";
        assert_eq!(sheet.markdown(), expected);
    }
}
