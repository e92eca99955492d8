//! Tests of the rules: every plan, device and order, and the words of every refusal.

use super::*;

/// The directions that each algorithm refuses on the CPU, and why.
const CPU: [(&str, &str, &str); 12] = [
    ("bfs", "", ""),
    ("sssp", "pull", "delta-stepping relaxes outgoing arcs"),
    ("pagerank", "push", "ranks are summed over incoming arcs without atomics"),
    ("adsorption", "push", "values are summed over incoming arcs without atomics"),
    ("label-propagation", "push", "a vertex needs the labels of all its neighbours at once"),
    ("wcc", "push pull", "it hooks trees along arcs of either direction"),
    ("scc", "push pull", "it searches along arcs of both directions"),
    ("mst", "push pull", "it hooks trees along the lightest arc of each"),
    ("bc", "push pull", "it goes forward and back, each way in its own direction"),
    ("closeness", "push pull", "a batch of searches chooses its direction by the level"),
    ("triangles", "push pull", "it intersects lists of neighbours"),
    ("kcore", "push pull", "it peels vertices by degree"),
];

/// The algorithms with a GPU form: whether it adds floating-point numbers, and why it accepts no direction.
const GPU: [(&str, bool, &str); 12] = [
    ("bfs", false, ""),
    ("sssp", false, ""),
    ("wcc", false, ""),
    ("pagerank", true, ""),
    ("adsorption", true, ""),
    ("bc", true, "it goes forward and back, each way in its own direction"),
    ("mst", false, "it hooks trees along the lightest arc of each"),
    ("triangles", false, "it intersects lists of neighbours"),
    ("closeness", false, "a batch of searches chooses its direction by the level"),
    ("scc", false, "it searches along arcs of both directions"),
    ("kcore", false, "it peels vertices by degree"),
    ("label-propagation", false, "a vertex needs the labels of all its neighbours at once"),
];

/// Those of them that accept no balance either, for the same reason.
const KERNELS: [&str; 2] = ["mst", "triangles"];

#[test]
fn a_frontier_with_repeats_is_for_values_that_only_improve() {
    let plan: Plan = "push+edge(condensing=off)".parse().unwrap();
    for (algorithm, is_sum, why) in GPU {
        let refused = match (is_sum, why) {
            (_, why) if !why.is_empty() => format!("`push`: {why}"),
            (true, _) => format!("`edge(condensing=off)`: {REPEATED}"),
            _ => String::new(),
        };
        let expected = if refused.is_empty() {
            String::new()
        } else {
            format!("{algorithm} on simt cannot run with {refused}")
        };
        assert_eq!(words(plan, algorithm, "simt", false), expected);
    }
}

#[test]
fn an_approximation_is_for_answers_that_can_be_compared() {
    let words = |algorithm: &str, approximation: &str, plan: &str, order: Order| {
        let approximation = approximation.parse().unwrap();
        let options = Options { plan: plan.parse().unwrap(), order, approximation, ..Options::default() };
        rules(algorithm).check(Device::Cpu, &options).err().map_or(String::new(), |e| e.to_string())
    };
    let sssp = |approximation, plan, order| words("sssp", approximation, plan, order);
    let starts = "sssp cannot run with --approx";
    assert_eq!(sssp("coalesce", "push", Order::Natural), "");
    assert_eq!(sssp("latency", "auto", Order::Degree), "");
    assert_eq!(
        sssp("coalesce", "auto", Order::Degree),
        format!("{starts} coalesce(threshold=0.6): order degree: {RENUMBERS}")
    );
    assert_eq!(
        sssp("latency", "paths", Order::Natural),
        format!("{starts} latency(threshold=0.5): plan paths: {OTHER_EDGES}")
    );
    assert!(sssp("latency", "auto", Order::Sampled).contains(OTHER_TILES));
    for (algorithm, ..) in CPU {
        let is_taken = ["sssp", "pagerank", "mst", "scc", "bc"].contains(&algorithm);
        let refusal = format!("{algorithm} cannot run with --approx divergence(share=0.5): {NOT_COMPARED}");
        let expected = if is_taken { String::new() } else { refusal };
        assert_eq!(words(algorithm, "divergence", "auto", Order::Natural), expected);
    }
}

#[test]
fn filters_take_every_vertex_once() {
    let plan: Plan = "edge(condensing=off)".parse().unwrap();
    for algorithm in ["bc", "closeness", "scc", "kcore", "label-propagation"] {
        let expected = format!("{algorithm} on simt cannot run with `edge(condensing=off)`: {REPEATED}");
        assert_eq!(words(plan, algorithm, "simt", false), expected);
    }
}

/// Returns the rules that an algorithm declares.
fn rules(algorithm: &str) -> Rules {
    macro_rules! all {
        ($($module:ident: $config:ident -> $answer:ident;)*) => {
            [$(<crate::$module::$config as crate::Algorithm>::RULES),*]
        };
    }
    crate::for_each_algorithm!(all).into_iter().find(|rules| rules.name == algorithm).unwrap()
}

fn check(plan: Plan, algorithm: &str, device: &str, order: Order, deterministic: bool) -> Result<()> {
    let options = Options { plan, order, deterministic, ..Options::default() };
    rules(algorithm).check(device.parse().unwrap(), &options)
}

fn words(plan: Plan, algorithm: &str, device: &str, deterministic: bool) -> String {
    check(plan, algorithm, device, Order::Natural, deterministic)
        .map_or_else(|e| e.to_string(), |()| String::new())
}

#[test]
fn auto_refuses_only_what_neither_device_takes() {
    let accept = |algorithm, plan: &str| {
        let options = Options { plan: plan.parse().unwrap(), ..Options::default() };
        rules(algorithm).accept(Device::Auto, &options)
    };
    accept("kcore", "auto").unwrap();
    assert!(accept("sssp", "pull").unwrap().cpu_refusal.is_some());
    assert!(accept("bfs", "workload").unwrap().gpu_refusal.is_none());
    let refusal = accept("kcore", "push").unwrap_err().to_string();
    assert_eq!(refusal, "kcore on cpu cannot run with `push`: it peels vertices by degree");
}

#[test]
fn the_sampled_order_takes_plans_with_tiles_on_a_gpu() {
    let said = |plan: Plan, algorithm, device| match check(plan, algorithm, device, Order::Sampled, false) {
        Err(error) => (error.to_string(), error.help().unwrap_or_default()),
        Ok(()) => Default::default(),
    };
    for plan in Plan::ALL {
        let (what, help) = said(plan, "bfs", "cuda:0");
        match (check(plan, "bfs", "cuda:0", Order::Natural, false), plan.balance()) {
            (Err(other), _) => assert_eq!(what, other.to_string()),
            (Ok(()), Some(balance)) if balance.has_tiles() => assert_eq!(what, ""),
            _ if plan.residency.is_some_and(|residency| !residency.is_on_device()) => {
                assert!(what.contains(SORTED_THERE), "{what}");
            }
            _ => {
                let why = "it learns from the accesses of tiles";
                assert_eq!(
                    what,
                    format!("bfs on cuda:0 cannot run in order `sampled` with plan {plan}: {why}")
                );
                assert_eq!(help, "use --plan tiled or --plan resident, or another order");
            }
        }
    }
    let (what, help) = said(Plan::AUTO, "bfs", "cpu");
    assert_eq!(what, "bfs on cpu cannot run in order `sampled`: it is found by runs on a GPU");
    assert_eq!(help, "use --device cuda:0 and --plan tiled, or another order");
    let (what, help) = said(Plan::AUTO, "mst", "simt");
    assert_eq!(
        what,
        "mst on simt cannot run in order `sampled`: it hooks trees along the lightest arc of each"
    );
    assert_eq!(help, "use another order");
}

#[test]
fn edges_off_the_device_refuse_what_needs_them_there() {
    let said = |plan: &str, order| match check(plan.parse().unwrap(), "bfs", "cuda:0", order, false) {
        Err(error) => (error.to_string(), error.help().unwrap_or_default()),
        Ok(()) => Default::default(),
    };
    for residency in ["zero-copy", "unified", "streamed"] {
        let (what, help) = said(&format!("edge+{residency}"), Order::Natural);
        assert_eq!(what, format!("bfs on cuda:0 cannot run with `edge+{residency}`: {ALL_ARCS}"));
        assert_eq!(help, format!("use --plan tiled+{residency}, or leave --plan out"));
    }
    for balance in Balance::ALL {
        let (what, _) = said(&format!("{}+streamed", balance.name()), Order::Natural);
        let refused = balance.keeps_places() && balance.name() != "edge";
        let expected = format!("bfs on cuda:0 cannot run with `{}+streamed`: {PLACES}", balance.name());
        assert_eq!(what == expected, refused, "{what}");
        assert_eq!(what.is_empty(), !balance.keeps_places());
    }
    assert_eq!(said("edge+device(code=ef)", Order::Natural), Default::default());
    for residency in ["device(code=ef)", "zero-copy", "unified", "streamed"] {
        let (what, help) = said(&format!("tiled+{residency}"), Order::Sampled);
        let why = format!("{SORTED_THERE}, and the plan says `{residency}`");
        assert_eq!(what, format!("bfs on cuda:0 cannot run in order `sampled`: {why}"));
        assert_eq!(help, "use another order");
    }
    assert_eq!(said("tiled+device", Order::Sampled), Default::default());
}

#[test]
fn partitions_are_copied_ahead_for_frontiers_that_push_alone() {
    let said = |algorithm: &str, plan: &str| {
        let checked = check(plan.parse().unwrap(), algorithm, "simt", Order::Natural, false);
        checked.err().map(|error| error.to_string()).unwrap_or_default()
    };
    for plan in ["zero-copy(ahead=auto)", "push+tiled+zero-copy(hot=off,ahead=all)"] {
        assert_eq!(said("bfs", plan), "");
    }
    let pulls = said("bfs", "pull+zero-copy(ahead=all)");
    assert_eq!(pulls, format!("bfs on simt cannot run with `pull+zero-copy(ahead=all)`: {PULLS_IN_ORDER}"));
    let no_rows = said("mst", "zero-copy(ahead=auto)");
    assert_eq!(no_rows, format!("mst on simt cannot run with `zero-copy(ahead=auto)`: {NO_PARTITIONS}"));
}

/// Returns the refusal of `paths` for an algorithm; empty for those that are programs.
fn along_paths(algorithm: &str, device: &str) -> String {
    match algorithm {
        "bfs" | "sssp" | "wcc" | "pagerank" | "adsorption" => String::new(),
        _ => format!("{algorithm} on {device} cannot run with `paths`: {NO_PROGRAM}"),
    }
}

/// The same if the run must return the same bits.
fn in_order(algorithm: &str, device: &str) -> String {
    match algorithm {
        "pagerank" | "adsorption" => {
            format!("{algorithm} on {device} cannot run with `paths`: {ANY_ORDER}")
        }
        _ => along_paths(algorithm, device),
    }
}

#[test]
fn paths_refuse_edges_elsewhere_and_the_order_that_learns_from_tiles() {
    let said = |plan: &str, device, order| {
        let refusal = check(plan.parse().unwrap(), "bfs", device, order, false);
        refusal.map_or_else(|e| e.to_string(), |()| String::new())
    };
    assert_eq!(said("paths+device", "simt", Order::Natural), "");
    assert_eq!(said("paths", "cpu", Order::Degree), "");
    let residency = said("paths+zero-copy", "simt", Order::Natural);
    assert_eq!(residency, format!("bfs on simt cannot run with `paths+zero-copy`: {IN_CHUNKS}"));
    assert!(said("paths+device", "cpu", Order::Natural).contains(NO_RESIDENCY));
    assert!(said("paths", "cpu", Order::Sampled).contains(FOUND));
    assert!(said("paths", "simt", Order::Sampled).contains(LEARNS));
}

#[test]
fn the_whole_product_on_the_processor_runs_or_gives_its_exact_refusal() {
    for (algorithm, directions, why) in CPU {
        for plan in Plan::ALL {
            let expected = match (plan.balance(), plan.direction()) {
                _ if plan.paths().is_some() => along_paths(algorithm, "cpu"),
                (Some(balance), _) => format!(
                    "{algorithm} on cpu cannot run with `{}`: balances share arcs among the threads of a GPU",
                    balance.name()
                ),
                (None, None) if plan.residency.is_some() => format!(
                    "{algorithm} on cpu cannot run with `{}`: a residency says where a GPU finds the edges",
                    plan.residency.unwrap().name()
                ),
                (None, Some(d)) if directions.contains(&d.to_string()) => {
                    format!("{algorithm} on cpu cannot run with `{d}`: {why}")
                }
                _ => String::new(),
            };
            assert_eq!(words(plan, algorithm, "cpu", false), expected, "{algorithm} {plan}");
            let expected = if plan.paths().is_some() { in_order(algorithm, "cpu") } else { expected };
            assert_eq!(words(plan, algorithm, "cpu", true), expected, "{algorithm} {plan}");
        }
    }
}

#[test]
fn the_whole_product_on_a_gpu_runs_or_gives_its_exact_refusal() {
    for (algorithm, directions, _) in CPU {
        for plan in Plan::ALL {
            let (_, is_sum, why) = *GPU.iter().find(|(name, ..)| *name == algorithm).unwrap();
            let refusal =
                |name: &str, why: &str| format!("{algorithm} on simt cannot run with `{name}`: {why}");
            let pushing = plan.balance().filter(Balance::only_pushes);
            let plain = match plan.direction() {
                _ if plan.paths().is_some() => along_paths(algorithm, "simt"),
                Some(Direction::Pull) if pushing.is_some() => {
                    let name = format!("pull+{}", pushing.unwrap());
                    refusal(&name, "it deals out the arcs of a frontier, which only pushing has")
                }
                Some(d) if !why.is_empty() && directions.contains(&d.to_string()) => {
                    refusal(&d.to_string(), why)
                }
                None if KERNELS.contains(&algorithm) && plan.residency == Some(Residency::Streamed) => {
                    refusal("streamed", NO_FRONTIER)
                }
                None if KERNELS.contains(&algorithm) => {
                    plan.balance().map_or_else(String::new, |balance| refusal(balance.name(), why))
                }
                _ => String::new(),
            };
            assert_eq!(words(plan, algorithm, "simt", false), plain, "{algorithm} {plan}");
            let strict = match (plan.direction(), plan.balance()) {
                _ if plan.paths().is_some() => in_order(algorithm, "simt"),
                _ if !plain.is_empty() || !is_sum => plain,
                (Some(Direction::Push), _) => refusal("push", PUSHED_SUM),
                (_, None | Some(Balance::Node)) => String::new(),
                (_, Some(balance)) => refusal(balance.name(), SHARED_SUM),
            };
            assert_eq!(words(plan, algorithm, "simt", true), strict, "{algorithm} {plan}, deterministic");
        }
    }
}
