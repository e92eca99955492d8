//! Determinism: whoever asks for the same bits run after run gets them, on any number of threads.

use crate::{Backend, Cpu, fixtures, fixtures::Fixture};
use warpgraph::{
    Adsorption, Answer, Bc, Bfs, Closeness, Device, Dispatch, Kcore, LabelPropagation, Mst, Order, PageRank,
    Scc, Sssp, TableFormat, Triangles, Wcc,
};

/// Every algorithm twice on this backend, and once on one thread of the processor.
pub fn two_runs_give_the_same_bits(backend: &impl Backend) {
    for fixture in backend.fixtures().into_iter().filter(|f| f.graph.vertices() > 0) {
        let source = fixture.graph.ids().id(0);
        same(backend, fixture, &Bfs::from(source.clone()));
        if fixture.graph.weight_range().is_none_or(|(least, _)| least >= 0.0) {
            same(backend, fixture, &Sssp::from(source));
        }
        same(backend, fixture, &PageRank::default().tolerance(1e-9));
        same(backend, fixture, &Wcc {});
        same(backend, fixture, &Scc {});
        same(backend, fixture, &Mst {});
        let weighted = fixture.graph.weight_range().is_some_and(|(least, _)| least >= 0.0);
        same(backend, fixture, &LabelPropagation { weighted, ..LabelPropagation::default() });
        same(backend, fixture, &Adsorption::default());
        same(backend, fixture, &Triangles::local());
        same(backend, fixture, &Kcore {});
        let few = fixture.graph.vertices().min(9) as u64;
        same(backend, fixture, &Bc::default().sources(few));
        same(backend, fixture, &Closeness::default().sources(few));
    }
}

fn same<A: Dispatch>(backend: &impl Backend, fixture: &Fixture, config: &A) {
    if !backend.has::<A>() {
        return;
    }
    let first = bytes(backend, fixture, config);
    let at = format!("{}, {}, {}", backend.name(), fixture.name, A::NAME);
    assert!(first == bytes(backend, fixture, config), "{at}: another run gives other bits");
    // Another engine adds up in another order, so only itself is what it must agree with to the last bit.
    if backend.engine().device() == Device::Cpu {
        assert!(first == bytes(&Cpu::threads(1), fixture, config), "{at}: one thread gives other bits");
    }
}

/// The whole answer as a file.
fn bytes<A: Dispatch>(backend: &impl Backend, fixture: &Fixture, config: &A) -> Vec<u8> {
    let loaded = backend.engine().load(&fixture.graph, Order::Natural).expect("a small graph");
    let answer = loaded.job(config.clone()).deterministic(true).run().expect("an answer");
    answer.verify(&fixture.graph).expect("a right answer");
    let mut bytes = Vec::new();
    let control = warpgraph::Control::new();
    answer.table().write(TableFormat::Npy, &mut bytes, "memory", &control).expect("written");
    bytes
}
