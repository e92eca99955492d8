//! Filters of the command line: `libtest-mimic` takes one, `cargo test` any number.

use libtest_mimic::Arguments;

/// Options that are followed by a value.
const WITH_VALUE: [&str; 6] = ["--test-threads", "--logfile", "--skip", "--color", "--format", "-Z"];

/// Returns the arguments of the process, and all filters if there is more than one: then the arguments have none.
pub(crate) fn from_command_line() -> (Arguments, Vec<String>) {
    let (options, filters) = split(std::env::args().collect());
    if filters.len() > 1 {
        (Arguments::from_iter(options), filters)
    } else {
        (Arguments::from_iter(options.into_iter().chain(filters)), Vec::new())
    }
}

/// Splits arguments into options (with the name of the program) and filters.
fn split(arguments: Vec<String>) -> (Vec<String>, Vec<String>) {
    let (mut options, mut filters) = (Vec::new(), Vec::new());
    let mut is_value = true;
    for argument in arguments {
        let has_value = WITH_VALUE.contains(&argument.as_str());
        let to = if is_value || argument.starts_with('-') { &mut options } else { &mut filters };
        to.push(argument);
        is_value = has_value;
    }
    (options, filters)
}

/// Returns whether a name is wanted by one of the filters, or there are none.
pub(crate) fn match_any(filters: &[String], exact: bool, name: &str) -> bool {
    let matches = |filter: &String| if exact { name == filter } else { name.contains(filter.as_str()) };
    filters.is_empty() || filters.iter().any(matches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_options_are_no_filters() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let (options, filters) = split(words("program one --test-threads 4 --list two --skip three"));
        assert_eq!(options, words("program --test-threads 4 --list --skip three"));
        assert_eq!(filters, ["one", "two"]);
    }

    #[test]
    fn a_name_needs_one_of_the_filters() {
        let filters = ["bfs".to_owned(), "plans::each".to_owned()];
        assert!(match_any(&filters, false, "gpu::plans::each_pair"));
        assert!(!match_any(&filters, false, "gpu::sssp"));
        assert!(!match_any(&filters, true, "gpu::bfs"));
        assert!(match_any(&[], false, "gpu::sssp"));
    }
}
