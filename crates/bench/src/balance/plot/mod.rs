//! The figures, drawn from a report.

mod chunking;
mod colors;
mod degrees;
mod ranks;
mod times;

use super::report::Report;
use crate::plot::Figure;

pub use crate::plot::Error;

/// The files, each with what the title of its table begins with.
pub const FILES: [(&str, &str); 5] = [
    ("figure7.svg", "Figure 7"),
    ("figure8.svg", "Figure 8"),
    ("figure9.svg", "Figure 9: ranks"),
    ("figure10.svg", "Figure 10"),
    ("figure11.svg", "Figure 11"),
];

/// All figures, in the order of [`FILES`].
pub fn figures(report: &Report) -> [Figure<'_>; FILES.len()] {
    [
        times::figure(report, "sssp", "Figure 7: sssp by strategy"),
        times::figure(report, "bfs", "Figure 8: bfs by strategy"),
        ranks::figure(report),
        degrees::figure(report),
        chunking::figure(report),
    ]
}

/// All figures: the name of the file and its text.
///
/// # Errors
/// When the drawing library refuses.
pub fn all(report: &Report) -> Result<Vec<(&'static str, String)>, Error> {
    let files = FILES.iter().map(|(file, _)| *file);
    files.zip(figures(report)).map(|(file, figure)| Ok((file, figure.svg()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::testing::{as_in_the_paper, report};

    /// The figure of that file for a report.
    fn figure(report: &Report, file: &str) -> String {
        all(report).unwrap().into_iter().find(|(name, _)| *name == file).unwrap().1
    }

    #[test]
    fn every_figure_is_drawn_and_names_what_it_shows() {
        let report = as_in_the_paper();
        for (file, svg) in all(&report).unwrap() {
            assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{file}: {svg}");
            assert!(svg.contains("Figure "), "{file}");
        }
        for file in ["figure7.svg", "figure8.svg"] {
            let svg = figure(&report, file);
            for word in ["hierarchical", "edge(chunking=off)", "road", "kernels", "overhead", "device-memory"]
            {
                assert!(svg.contains(word), "{file}: {word}");
            }
        }
        assert!(figure(&report, "figure10.svg").contains("MDT 118"));
        assert!(figure(&report, "figure11.svg").contains("1.82"));
    }

    #[test]
    fn a_bar_is_as_long_as_its_time() {
        let svg = figure(&as_in_the_paper(), "figure7.svg");
        let widths = |color: &str| -> Vec<f64> {
            let bars = svg.split("<rect ").filter(|tag| tag.contains(color));
            let width = |tag: &str| tag.split("width=\"").nth(1)?.split('"').next()?.parse().ok();
            bars.filter_map(width).collect()
        };
        // The first two bars are node's and edge's: 10 s and 3 s; the legend comes before them.
        let (kernels, overhead) = (widths(colors::KERNELS_HEX), widths(colors::OVERHEAD_HEX));
        let (node, edge) = (kernels[1] + overhead[1], kernels[2] + overhead[2]);
        assert!((edge / node - 0.3).abs() < 0.02, "{kernels:?} {overhead:?}");
        assert!((kernels[1] / node - 0.8).abs() < 0.02, "{kernels:?} {overhead:?}");
    }

    #[test]
    fn figures_of_nothing_are_drawn_too() {
        for (file, svg) in all(&report(vec![])).unwrap() {
            assert!(svg.contains("Figure "), "{file}");
        }
    }

    #[test]
    fn names_are_texts_and_no_markup() {
        let mut report = as_in_the_paper();
        let name = "<b>&.gr".to_owned();
        report
            .cells
            .iter_mut()
            .filter(|cell| cell.graph == "rmat")
            .for_each(|cell| cell.graph.clone_from(&name));
        report.graphs[0].name = name;
        let svg = figure(&report, "figure7.svg");
        assert!(svg.contains("&lt;b&gt;&amp;.gr") && !svg.contains("<b>"), "{svg}");
    }

    #[test]
    fn every_figure_has_a_png_too() {
        for (figure, (file, _)) in figures(&as_in_the_paper()).iter().zip(FILES) {
            assert!(figure.png().unwrap().starts_with(b"\x89PNG"), "{file}");
        }
    }
}
