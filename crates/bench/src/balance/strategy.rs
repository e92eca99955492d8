//! The strategies that are compared, as plans.

/// What is measured by default.
pub const PLANS: [&str; 7] = [
    "bsp+push+node",
    "bsp+push+edge",
    "bsp+push+edge(chunking=off)",
    "bsp+push+edge(condensing=off)",
    "bsp+push+workload",
    "bsp+push+split",
    "bsp+push+hierarchical",
];

/// The baseline.
pub const NODE: &str = "node";
/// The worklist holds arcs.
pub const EDGE: &str = "edge";
/// The same, an atomic for every arc.
pub const EDGE_WITHOUT_CHUNKING: &str = "edge(chunking=off)";
/// Equal shares of the frontier's arcs.
pub const WORKLOAD: &str = "workload";
/// Large vertices in several parts.
pub const SPLIT: &str = "split";
/// Sub-iterations over a shrinking list.
pub const HIERARCHICAL: &str = "hierarchical";

/// All but the baseline, as the paper has them: without variants.
pub const BALANCED: [&str; 4] = [EDGE, WORKLOAD, SPLIT, HIERARCHICAL];
/// Those that the paper calls node-based: their worklists hold vertices.
pub const NODE_BASED: [&str; 3] = [WORKLOAD, SPLIT, HIERARCHICAL];

/// A plan without what all of them have in common: `bsp+push+node` is `node`.
pub fn label(plan: &str) -> &str {
    plan.strip_prefix("bsp+push+").unwrap_or(plan)
}

/// What the paper calls a strategy; a dash for what it has no letters for.
pub fn in_the_paper(label: &str) -> &'static str {
    match label {
        NODE => "BS",
        EDGE => "EP",
        WORKLOAD => "WD",
        SPLIT => "NS",
        HIERARCHICAL => "HP",
        _ => "-",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_plan_has_the_label_that_it_is_looked_for_by() {
        let labels = PLANS.map(label);
        let named = [NODE, EDGE, EDGE_WITHOUT_CHUNKING, WORKLOAD, SPLIT, HIERARCHICAL];
        assert!(named.iter().all(|name| labels.contains(name)), "{labels:?}");
        assert_eq!(label("bsp+pull"), "bsp+pull");
        assert_eq!(labels.map(in_the_paper), ["BS", "EP", "-", "-", "WD", "NS", "HP"]);
    }
}
