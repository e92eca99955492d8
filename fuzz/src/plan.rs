//! The text form of plans: what is read prints as text that reads the same.

use warpgraph_core::Plan;

/// A plan.
pub fn plan(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match text.parse::<Plan>() {
        Err(error) => {
            assert!(error.help().is_some_and(|help| !help.is_empty()), "no help: {error}");
        }
        Ok(plan) => {
            let printed = plan.to_string();
            assert!(printed.parse::<Plan>().is_ok_and(|again| again == plan), "{printed}");
        }
    }
}
