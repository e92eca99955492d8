//! Device memory that is full: an error that says what would do, nothing that stays behind, and an engine that goes on.

use crate::common::{QUESTIONS, Question, engine, engine_with, generated, held, load};
use warpgraph::{
    Control, Device, Engine, Error, Graph, Halt, Loaded, Options, Order, Plan, Result, Rules, Run, Settings,
    VertexProgram,
    devices::simt::Faults,
    find,
    program::library::{Hops, Ranks, Reach, ShortestPaths},
};

/// Asks with all edges on the device, whatever else would fit.
fn ask_there(question: &Question, loaded: &Loaded) -> Result<Run> {
    question.ask_by("device".parse()?, loaded, &Control::new())
}

/// A run that nothing disturbs: the bytes it leaves on the device, and the most it held, where there is no more memory than it asks
/// for: what is free beyond that some use too.
fn undisturbed(question: &Question) -> (u64, u64) {
    let error = ask_there(question, &load(&with_budget(1))).unwrap_err();
    let engine = with_budget(what_would_do(&error, question));
    let loaded = load(&engine);
    ask_there(question, &loaded).unwrap();
    (held(&engine), engine.gpu().unwrap().memory().unwrap().peak)
}

fn with_budget(bytes: u64) -> Engine {
    engine_with(&Settings { memory_budget: Some(bytes), ..Settings::default() }, Faults::default())
}

/// The bytes that an error says would do if edges may be anywhere.
fn least(error: &Error, question: &Question) -> u64 {
    let (text, help) = (error.to_string(), error.help().unwrap());
    let rest = help.strip_prefix("allow it at least ").unwrap_or_else(|| panic!("{help}"));
    let (bytes, rest) = rest.split_once(' ').unwrap();
    assert_eq!(rest, "bytes with --gpu-memory, or use --device cpu");
    let end = format!(" on this graph needs {bytes} there even with all edges off the device");
    let free = format!("simt has 1 bytes free, and {}{end}", question.name);
    assert_eq!((error.kind(), text), ("device-memory", free));
    bytes.parse().unwrap()
}

/// The bytes that an error says would do. It names what found no room, how large that is, and what is free.
fn what_would_do(error: &Error, question: &Question) -> u64 {
    assert_eq!(error.kind(), "device-memory", "{error}");
    let text = error.to_string();
    let rest = text.strip_prefix("simt has no room for ").unwrap_or_else(|| panic!("{text}"));
    let (what, rest) = rest.split_once(" bytes: ").unwrap_or_else(|| panic!("{text}"));
    let (name, asked) = what.rsplit_once(" of ").unwrap_or_else(|| panic!("{text}"));
    assert!(!name.is_empty() && name != "an allocation", "it is named: {text}");
    assert!(asked.parse::<u64>().unwrap() > 0, "{text}");
    let (free, total) = rest.strip_suffix(" bytes are free").unwrap().split_once(" of ").unwrap();
    assert!(free.parse::<u64>().unwrap() <= total.parse::<u64>().unwrap(), "{text}");
    let help = error.help().unwrap();
    let start = format!("{} on this graph takes about ", question.name);
    let rest = help.strip_prefix(&start).unwrap_or_else(|| panic!("{help}"));
    let (needed, rest) = rest.split_once(' ').unwrap();
    let (needed, total): (u64, u64) = (needed.parse().unwrap(), total.parse().unwrap());
    let expected = match needed <= total {
        true => {
            format!("of the {total} bytes of simt: let go of what else is there, or leave the residency open")
        }
        false => {
            "bytes of simt: allow it that much with --gpu-memory, or leave the residency open".to_owned()
        }
    };
    assert_eq!(rest, expected, "{needed} of {total}");
    needed
}

#[test]
fn whichever_allocation_fails_the_next_run_is_right_and_nothing_stays_behind() {
    for question in &QUESTIONS {
        let (device_graph, _) = undisturbed(question);
        for n in 1.. {
            let engine = engine(Faults { allocation: Some(n), ..Faults::default() });
            let loaded = load(&engine);
            let Err(error) = ask_there(question, &loaded) else {
                assert!(n > 4, "{} made {n} allocations only", question.name);
                break;
            };
            what_would_do(&error, question);
            assert!(held(&engine) <= device_graph, "{}, allocation {n}: state stays behind", question.name);
            ask_there(question, &loaded).unwrap();
            assert_eq!(held(&engine), device_graph, "{}, allocation {n}", question.name);
            drop(loaded);
            assert_eq!(held(&engine), 0, "{}, allocation {n}", question.name);
        }
    }
}

#[test]
fn a_budget_that_is_too_small_for_graph_state_or_a_byte_fails_alike_each_time() {
    for question in &QUESTIONS {
        let (device_graph, peak) = undisturbed(question);
        for budget in [0, 100, device_graph / 2, device_graph - 1, (device_graph + peak) / 2, peak - 1] {
            let engine = with_budget(budget);
            let loaded = load(&engine);
            let [first, second] = [(); 2].map(|()| ask_there(question, &loaded).unwrap_err());
            what_would_do(&first, question);
            what_would_do(&second, question);
            assert!(held(&engine) <= device_graph, "{} with {budget} bytes", question.name);
            drop(loaded);
            assert_eq!(held(&engine), 0, "{} with {budget} bytes", question.name);
        }
        ask_there(question, &load(&with_budget(peak))).unwrap();
        question.ask(&load(&with_budget(peak - 1))).unwrap();
    }
}

#[test]
fn what_an_error_says_would_do_does_for_any_graph_order_and_plan() {
    for spec in
        ["kron:7,directed,w=1..9", "kron:7", "grid:1x2", "grid:50x3,w=1..9", "uniform:6,degree=1,directed"]
    {
        for (plan, order) in
            [("auto", Order::Degree), ("push+workload", Order::Natural), ("pull+workload", Order::Degree)]
        {
            for question in &QUESTIONS {
                let plan: Plan = plan.parse().unwrap();
                let options = Options { plan, ..Options::default() };
                if find(question.name).unwrap().rules.check(Device::Simt, &options).is_err() {
                    continue;
                }
                let ask = |budget| {
                    let loaded = with_budget(budget).load(&generated(spec), order).unwrap();
                    question.ask_by(plan, &loaded, &Control::new())
                };
                let enough = least(&ask(1).unwrap_err(), question);
                let at = format!("{} on {spec} by {plan}, {enough} bytes", question.name);
                let peak = ask(enough).unwrap_or_else(|error| panic!("{at}: {error}")).device_bytes;
                assert!(enough <= 2 * peak + 1024, "{at}: {peak} do");
            }
        }
    }
}

#[test]
fn what_an_error_says_would_do_for_a_program_does() {
    fn enough<P: VertexProgram + Clone>(spec: &str, program: impl Fn(&Graph) -> P) {
        let rules = Rules::of_program(&program(&generated(spec)));
        let takes = |plan: &Plan| {
            let options = Options { plan: *plan, ..Options::default() };
            rules.check(Device::Simt, &options).is_ok()
        };
        for plan in Plan::ALL.into_iter().filter(takes) {
            let graph = generated(spec);
            let ask = |budget| {
                let loaded = with_budget(budget).load(&graph, Order::Degree).unwrap();
                loaded.program(program(&graph)).plan(plan).run()
            };
            let help = ask(1).unwrap_err().help().unwrap();
            let bytes =
                help.split(' ').find_map(|word| word.parse().ok()).unwrap_or_else(|| panic!("{help}"));
            ask(bytes).unwrap_or_else(|error| panic!("{} on {spec} by {plan}: {error}", P::NAME));
        }
    }
    for spec in ["kron:7,directed,w=1..9", "kron:7"] {
        enough(spec, |_| Hops::from(0));
        enough(spec, |_| ShortestPaths::<f64>::from(0));
        enough(spec, |graph| Ranks::<f32>::of(graph, 0.85, Halt::l1(1e-3)));
        enough(spec, |graph| Reach::from([0], graph.vertices()));
    }
}

#[test]
fn what_one_algorithm_left_on_the_device_makes_room_for_the_next() {
    let most = QUESTIONS.iter().map(|question| undisturbed(question).1).max().unwrap();
    let engine = with_budget(most);
    let loaded = load(&engine);
    for question in QUESTIONS.iter().chain(&QUESTIONS) {
        question.ask(&loaded).unwrap_or_else(|error| panic!("{}: {error}", question.name));
    }
}
