//! Graphs changed by an approximation: every form on the GPU answers as the processor does on the merged graph.

use warpgraph::{
    Answer as _, Control, Device, Engine, Graph, Inaccuracy, Loaded, Options, Order, Source, Sssp, Word,
    algorithms, graph::generate::Spec, program::library::ShortestPaths,
};

const CHANGED: [&str; 3] =
    ["latency(threshold=0.1)+coalesce(threshold=0.1)", "latency(threshold=0.1)", "divergence(share=0.9)"];

fn graph() -> Graph {
    "kron:6,w=1..20".parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
}

fn load(device: Device, approximation: &str) -> Loaded {
    let engine = Engine::on(device, Some(1)).unwrap();
    let approximation = approximation.parse().unwrap();
    engine.load_approximate(&graph(), Order::Natural, approximation, 3, &Control::new()).unwrap()
}

/// Fast forms run on the merged graph, and programs on the one with copies; both have the answer of the processor.
pub(crate) fn fast_and_general_forms_answer_alike_on_a_changed_graph() {
    for approximation in CHANGED {
        let (gpu, cpu) = (load(Device::Simt, approximation), load(Device::Cpu, approximation));
        assert_eq!(
            gpu.exactness().map(|all| (all.added, all.dropped, all.replicas)),
            cpu.exactness().map(|all| (all.added, all.dropped, all.replicas))
        );
        for entry in algorithms().iter().filter(|entry| entry.rules.approximates) {
            let question = entry.usual();
            let (expected, _) = cpu.ask(&*question, &Options::default()).unwrap();
            for plan in ["auto", "node"] {
                let options = Options { plan: plan.parse().unwrap(), ..Options::default() };
                if entry.rules.check(Device::Simt, &options).is_err() {
                    continue;
                }
                let (answer, _) = gpu.ask(&*question, &options).unwrap();
                let at = format!("{} by {plan} with {approximation}, {:?}", entry.name, answer.run().form);
                answer.verify(gpu.answered()).unwrap_or_else(|violation| panic!("{at}: {violation}"));
                let off = Inaccuracy::of(&answer.judged().unwrap(), &expected.judged().unwrap()).unwrap();
                assert!(off.worst < 1e-4 && off.unmatched == 0, "{at}: {off:?}");
            }
        }
        let [found, expected] =
            [&gpu, &cpu].map(|loaded| loaded.program(ShortestPaths::<f64>::from(1)).run().unwrap());
        assert_eq!(found.values(), expected.values(), "{approximation}");
    }
}

/// The first run chooses an approximation or none, by times that no test can know. Whatever it chooses, answers are about the
/// graph that the report names, and right for it.
pub(crate) fn sssp_within_an_error_says_how_it_is_known() {
    let loaded = Engine::on(Device::Simt, Some(1)).unwrap().load(&graph(), Order::Natural).unwrap();
    let question = Sssp { source: Source::Random, max_error: Some(0.5), ..Sssp::default() };
    for run in 0..3 {
        let answer = loaded.sssp(question.clone()).seed(3, run).run().unwrap();
        let accuracy = answer.run().accuracy.as_ref().unwrap();
        assert!(matches!(accuracy.word, Word::Measured | Word::Exact), "{accuracy:?}");
        assert!(accuracy.achieved <= 0.5 && accuracy.asked == 0.5, "{accuracy:?}");
        assert_eq!(accuracy.word == Word::Measured, answer.run().exactness.is_some(), "{accuracy:?}");
        assert_eq!(answer.run().device, Device::Simt);
        answer.verify(&loaded.answered_by(answer.run())).unwrap();
    }
}
