//! Real graphs: answers equal those of independent programs.
//!
//! The environment variable `WARPGRAPH_DATA` names the folder that holds the files; without it the tests are ignored. Counts,
//! components and levels were computed with scipy's csgraph, triangles and cores with NetworkX. Vertices are inner numbers.

use warpgraph::{
    Algorithm, Answer, Bc, Bfs, Closeness, Graph, Kcore, LabelPropagation, Mst, PageRank, Plan, Scc, Sssp,
    Triangles, Wcc,
    graph::{ReadOptions, Vertex},
};
use warpgraph_conformance::{Backend, cases, fixtures::Fixture};
use warpgraph_testing::{Suite, Test, needs, tests};

/// What is known of a graph.
struct Known {
    file: &'static str,
    directed: bool,
    vertices: usize,
    edges: u64,
    self_loops: u64,
    /// Components, and vertices of the largest.
    wcc: (u64, u64),
    /// The vertex of largest out-degree.
    source: Vertex,
    /// Vertices reached from there, the depth, and the sum of all levels.
    bfs: (u64, u32, u64),
}

fn open(file: &str, directed: Option<bool>) -> Graph {
    let options = ReadOptions { directed, ..ReadOptions::default() };
    let read = Graph::open_with(needs::data_path(file), &options, &warpgraph::Control::new());
    read.unwrap_or_else(|e| panic!("{e}"))
}

impl Known {
    /// Holds the file to what is known, on two threads, by every plan, and every answer to its verifier.
    fn check(&self) {
        // The file's own word decides on the direction; it must be the right one.
        let graph = open(self.file, None);
        let name = self.file;
        assert_eq!(graph.is_directed(), self.directed, "{name}");
        assert_eq!((graph.vertices(), graph.edges()), (self.vertices, self.edges), "{name}");
        assert_eq!(graph.counts().self_loops, self.self_loops, "{name}");
        assert_eq!(graph.counts().max_degree_vertex, self.source, "{name}");
        let backend = Backend::cpu(2);
        self.check_wcc(&backend, &graph);
        for plan in backend.plans::<Bfs>(&Fixture::new(name, graph.clone())) {
            self.check_bfs(&backend, &graph, plan);
        }
        let ranks = backend.ask(&graph, &PageRank::default(), Plan::AUTO).expect("an answer");
        ranks.verify(&graph).unwrap_or_else(|violation| panic!("{name}: {violation}"));
    }

    fn check_wcc(&self, backend: &Backend, graph: &Graph) {
        let answer = backend.ask(graph, &Wcc {}, Plan::AUTO).expect("an answer");
        let figures = answer.figures();
        assert_eq!((figures.components, figures.largest), self.wcc, "{}", self.file);
        answer.verify(graph).unwrap_or_else(|violation| panic!("{}: {violation}", self.file));
    }

    fn check_bfs(&self, backend: &Backend, graph: &Graph, plan: Plan) {
        let answer = backend.ask(graph, &Bfs::default(), plan).expect("an answer");
        let figures = answer.figures();
        assert_eq!(figures.source, graph.ids().id(self.source), "{}", self.file);
        assert_eq!((figures.reached, figures.depth, figures.sum), self.bfs, "{} by {plan}", self.file);
        answer.verify(graph).unwrap_or_else(|violation| panic!("{} by {plan}: {violation}", self.file));
    }
}

macro_rules! known {
    ($($test:ident: $file:literal, $directed:expr, $vertices:expr, $edges:expr, loops $loops:expr, wcc $wcc:expr,
        bfs from $source:expr, $bfs:expr;)+) => {
        /// The graphs, by the names of their tests.
        const KNOWN: &[(&str, Known)] = &[$((stringify!($test), Known {
            file: $file,
            directed: $directed,
            vertices: $vertices,
            edges: $edges,
            self_loops: $loops,
            wcc: $wcc,
            source: $source,
            bfs: $bfs,
        })),+];
    };
}

known! {
    wiki_vote: "wiki-Vote.txt.zst", true, 7_115, 103_689, loops 0, wcc (24, 7_066),
        bfs from 2356, (2_316, 4, 4_050);
    slashdot: "soc-Slashdot0902.txt.zst", true, 82_168, 948_464, loops 78_303, wcc (1, 82_168),
        bfs from 2494, (82_168, 8, 223_594);
    astro_physics: "ca-AstroPh-lcc.txt.zst", false, 17_903, 197_031, loops 59, wcc (1, 17_903),
        bfs from 2594, (17_903, 9, 51_342);
    enron: "email-Enron.txt.zst", false, 36_692, 183_831, loops 0, wcc (1_065, 33_696),
        bfs from 5038, (33_696, 8, 107_294);
    facebook: "facebook_combined.txt.zst", false, 4_039, 88_234, loops 0, wcc (1, 4_039),
        bfs from 107, (4_039, 5, 8_784);
    cnr_2000: "cnr-2000/cnr-2000.graph", true, 325_557, 3_216_152, loops 87_442, wcc (1, 325_557),
        bfs from 217_849, (325_557, 35, 5_426_851);
    dblp_2010: "dblp-2010/dblp-2010.graph", true, 326_186, 1_615_400, loops 0, wcc (48_493, 226_413),
        bfs from 185_172, (226_413, 15, 1_251_284);
    florida: "USA-road-FLA.pace.gr.xz", false, 1_070_376, 1_343_951, loops 0, wcc (1, 1_070_376),
        bfs from 316_606, (1_070_376, 1_444, 469_154_557);
    new_york: "USA-road-d.NY.gr.zst", true, 264_346, 730_100, loops 0, wcc (1, 264_346),
        bfs from 140_960, (264_346, 415, 56_509_180);
    wave: "wave.graph.zst", false, 156_317, 1_059_331, loops 0, wcc (1, 156_317),
        bfs from 153_980, (156_317, 36, 3_251_142);
}

/// What is known of the triangles and cores of a graph.
struct Dense {
    name: &'static str,
    file: &'static str,
    triangles: u64,
    /// The mean of the clustering coefficients.
    clustering: f64,
    /// The degeneracy, how many vertices have it, and the sum of all core numbers.
    cores: (u32, u64, u64),
}

const DENSE: [Dense; 9] = [
    Dense {
        name: "karate",
        file: "formats/karate.mtx",
        triangles: 45,
        clustering: 0.570_638_478_207_682_3,
        cores: (4, 10, 99),
    },
    Dense {
        name: "facebook",
        file: "facebook_combined.txt.zst",
        triangles: 1_612_010,
        clustering: 0.605_546_718_620_087_6,
        cores: (115, 158, 108_567),
    },
    Dense {
        name: "enron",
        file: "email-Enron.txt.zst",
        triangles: 727_044,
        clustering: 0.496_982_559_599_502_66,
        cores: (43, 275, 198_694),
    },
    Dense {
        name: "astro_physics",
        file: "ca-AstroPh-lcc.txt.zst",
        triangles: 1_350_014,
        clustering: 0.632_823_209_151_858_9,
        cores: (56, 57, 234_723),
    },
    Dense {
        name: "wiki_vote",
        file: "wiki-Vote.txt.zst",
        triangles: 608_389,
        clustering: 0.140_897_845_893_087_38,
        cores: (56, 313, 107_577),
    },
    Dense {
        name: "slashdot",
        file: "soc-Slashdot0902.txt.zst",
        triangles: 602_592,
        clustering: 0.060_344_859_575_835_73,
        cores: (106, 116, 887_339),
    },
    Dense {
        name: "wave",
        file: "wave.graph.zst",
        triangles: 1_813_283,
        clustering: 0.423_493_726_510_504_7,
        cores: (8, 119_747, 1_212_329),
    },
    Dense {
        name: "new_york",
        file: "USA-road-d.NY.gr.zst",
        triangles: 6_529,
        clustering: 0.020_779_881_562_150_593,
        cores: (6, 58, 954_848),
    },
    Dense {
        name: "florida",
        file: "USA-road-FLA.pace.gr.xz",
        triangles: 22_327,
        clustering: 0.020_628_545_483_077_857,
        cores: (3, 302, 1_843_333),
    },
];

impl Dense {
    /// Holds the file to what is known.
    fn check(&self) {
        let Dense { file, triangles, clustering, cores: (degeneracy, innermost, sum), .. } = *self;
        let graph = open(file, None);
        let backend = Backend::cpu(2);
        let total = backend.ask(&graph, &Triangles::default(), Plan::AUTO).expect("an answer");
        assert_eq!(total.triangles(), triangles, "{file}");
        let local = backend.ask(&graph, &Triangles::local(), Plan::AUTO).expect("an answer");
        local.verify(&graph).unwrap_or_else(|violation| panic!("{file}: {violation}"));
        let figures = local.figures();
        assert_eq!(figures.triangles, triangles, "{file}");
        // The last digits depend on the order of the sum.
        let off = (figures.average_clustering.unwrap() - clustering).abs();
        assert!(off < 1e-12, "{file}: {figures:?}");
        let cores = backend.ask(&graph, &Kcore {}, Plan::AUTO).expect("an answer");
        cores.verify(&graph).unwrap_or_else(|violation| panic!("{file}: {violation}"));
        let figures = cores.figures();
        assert_eq!((figures.degeneracy, figures.innermost), (degeneracy, innermost), "{file}");
        assert_eq!(cores.cores().iter().map(|&c| u64::from(c)).sum::<u64>(), sum, "{file}");
    }
}

fn new_york_by_distance() {
    let graph = open("USA-road-d.NY.gr.zst", None);
    for threads in [1, 2, 4] {
        let answer = Backend::cpu(threads).ask(&graph, &Sssp::from(1), Plan::AUTO).expect("an answer");
        let figures = serde_json::to_string(&answer.figures()).unwrap();
        let expected = r#"{"source":1,"reached":264346,"farthest":1440081,"sum":186686642878}"#;
        assert_eq!(figures, expected, "{threads} threads");
        answer.verify(&graph).unwrap_or_else(|violation| panic!("{violation}"));
        let farthest = (0..graph.vertices()).find(|&v| answer.distances().get(v) == 1_440_081.0).unwrap();
        let way = answer.path(farthest as Vertex).unwrap();
        assert_eq!(way.length.as_u64(), Some(1_440_081));
    }
}

fn bremen_has_zero_weights_and_ids_from_0() {
    let graph = open("bremen_dist.gr.zst", None);
    assert!(graph.is_directed());
    assert_eq!((graph.vertices(), graph.arcs()), (40_461, 85_277));
    assert_eq!((graph.origin().listed, graph.origin().merged), (86_475, 86_475 - 85_277));
    assert_eq!(graph.ids().describe(), "ids 0 to 40460");
    let zeros = (0..graph.arcs()).filter(|&i| graph.out().weights.get(i) == 0.0).count();
    assert_eq!(zeros, 21);
    let fixture = Fixture::new("bremen", graph);
    for source in fixture.sources() {
        cases::sssp::holds(&Backend::cpu(2), &fixture, source, None, Plan::AUTO);
    }
}

/// NetworkX 3.6.1's figures.
fn the_karate_club_has_two_centres() {
    let graph = open("formats/karate.mtx", None);
    let backend = Backend::cpu(2);
    let scores = backend.ask(&graph, &Bc::default().normalized(), Plan::AUTO).expect("an answer");
    scores.verify(&graph).unwrap_or_else(|violation| panic!("{violation}"));
    let known = [(1, 0.4376352813852815), (34, 0.30407497594997596), (33, 0.14524711399711404)];
    for (scored, (id, score)) in scores.figures().top.iter().zip(known) {
        assert!(scored.vertex == id.into() && (scored.score - score).abs() < 1e-12, "{scored:?}");
    }
    let near = backend.ask(&graph, &Closeness::default(), Plan::AUTO).expect("an answer");
    near.verify(&graph).unwrap_or_else(|violation| panic!("{violation}"));
    let figures = near.figures();
    assert_eq!((figures.sources, figures.diameter, figures.radius), (34, 5, 3));
    for (near, (id, closeness)) in figures.top.iter().zip([(1, 0.5689655172413793), (3, 0.559322033898305)]) {
        assert!(near.vertex == id.into() && (near.closeness - closeness).abs() < 1e-12, "{near:?}");
    }
}

/// Roads have thousands of levels, web and social graphs few; both ways of counting pass the verifier.
fn scores_of_real_graphs_are_verified() {
    for file in ["USA-road-d.NY.gr.zst", "email-Enron.txt.zst", "soc-Slashdot0902.txt.zst", "wave.graph.zst"]
    {
        let graph = open(file, None);
        for config in [Bc::default().sources(5), Bc::default().sources(2).weighted()] {
            if config.check(&graph).is_ok() {
                let answer = Backend::cpu(2).ask(&graph, &config, Plan::AUTO).expect("an answer");
                answer.verify(&graph).unwrap_or_else(|violation| panic!("{file}: {violation}"));
            }
        }
        let near =
            Backend::cpu(2).ask(&graph, &Closeness::default().sources(70), Plan::AUTO).expect("an answer");
        near.verify(&graph).unwrap_or_else(|violation| panic!("{file}: {violation}"));
    }
}

fn debian_packages_are_found_by_name() {
    let graph = open("debian-bookworm-depends.tsv.zst", None);
    assert!(graph.is_directed());
    assert_eq!((graph.vertices(), graph.edges()), (57_842, 247_686));
    assert_eq!(graph.ids().kind(), "names");
    let backend = Backend::cpu(2);
    let answer = backend.ask(&graph, &Bfs::from("0ad"), Plan::AUTO).expect("an answer");
    assert_eq!(answer.distance("0ad-data"), Some(1));
    assert_eq!(answer.path_to("libc6"), Some(vec!["0ad".into(), "libc6".into()]));
    answer.verify(&graph).unwrap_or_else(|violation| panic!("{violation}"));
    let fixture = Fixture::new("debian", graph);
    cases::wcc::holds(&backend, &fixture, Plan::AUTO);
    for plan in backend.plans::<Bfs>(&fixture) {
        fixture.sources().into_iter().for_each(|source| {
            cases::bfs::holds(&backend, &fixture, source, None, plan);
        });
    }
}

/// Holds the strong components of a file to their number and the size of the largest, on one and two threads.
fn check_scc(file: &str, components: u64, largest: u64) -> Vec<Vertex> {
    let graph = open(file, None);
    let mut names = Vec::new();
    for threads in [1, 2] {
        let answer = Backend::cpu(threads).ask(&graph, &Scc::default(), Plan::AUTO).expect("an answer");
        let figures = answer.figures();
        assert_eq!(
            (figures.components, figures.largest),
            (components, largest),
            "{file} on {threads} threads"
        );
        answer.verify(&graph).unwrap_or_else(|violation| panic!("{file}: {violation}"));
        names = answer.components().to_vec();
    }
    names
}

fn strong_components_are_as_many_as_known() {
    check_scc("wiki-Vote.txt.zst", 5_816, 1_300);
    check_scc("soc-Slashdot0902.txt.zst", 10_559, 71_307);
    check_scc("USA-road-d.NY.gr.zst", 1, 264_346);
}

fn strong_components_of_a_web_crawl_are_those_of_webgraph() {
    let names = check_scc("cnr-2000/cnr-2000.graph", 100_977, 112_023);
    let truth = std::fs::read(needs::data_path("cnr-2000/cnr-2000.scc")).unwrap();
    let truth: Vec<u32> = truth.chunks_exact(4).map(|b| u32::from_be_bytes(b.try_into().unwrap())).collect();
    assert_eq!(truth.len(), names.len());
    // The same partition: each number of theirs has one name of ours, and there are as many of both.
    let mut name_of = std::collections::BTreeMap::new();
    for (v, (number, name)) in truth.iter().zip(&names).enumerate() {
        assert_eq!(name_of.entry(number).or_insert(name), &name, "vertex {v}");
    }
    assert_eq!(name_of.len(), 100_977);
}

fn the_roads_of_new_york_span_a_tree_of_known_weight() {
    for directed in [None, Some(false)] {
        let graph = open("USA-road-d.NY.gr.zst", directed);
        for threads in [1, 2] {
            let answer = Backend::cpu(threads).ask(&graph, &Mst::default(), Plan::AUTO).expect("an answer");
            let figures = serde_json::to_string(&answer.figures()).unwrap();
            assert_eq!(figures, r#"{"edges":264345,"weight":261159288,"trees":1}"#, "{threads} threads");
            answer.verify(&graph).unwrap_or_else(|violation| panic!("{violation}"));
        }
    }
}

fn labels_of_real_graphs_are_those_of_the_definition() {
    for file in ["wiki-Vote.txt.zst", "facebook_combined.txt.zst", "email-Enron.txt.zst"] {
        let graph = open(file, None);
        let answer =
            Backend::cpu(2).ask(&graph, &LabelPropagation::default(), Plan::AUTO).expect("an answer");
        let expected = warpgraph_conformance::oracle::label_propagation(&graph, &LabelPropagation::default());
        assert!(answer.labels() == expected, "{file}");
        answer.verify(&graph).unwrap_or_else(|violation| panic!("{file}: {violation}"));
    }
}

/// Adds a test of every graph, and those below; all need the data folder.
pub(crate) fn add_to(suite: Suite) -> Suite {
    let known = KNOWN.iter().map(|(name, known)| {
        (*name, known.file, Test::new(format!("real_graphs::{name}"), || known.check()))
    });
    let dense = DENSE.iter().map(|dense| {
        (dense.name, dense.file, Test::new(format!("real_graphs::density::{}", dense.name), || dense.check()))
    });
    let suite = known
        .chain(dense)
        .fold(suite, |suite, (_, file, test)| suite.needing(&needs::data(file), vec![test]));
    suite.needing(
        &needs::data("the graphs of docs/testing.md"),
        tests![
            new_york_by_distance,
            bremen_has_zero_weights_and_ids_from_0,
            the_karate_club_has_two_centres,
            scores_of_real_graphs_are_verified,
            debian_packages_are_found_by_name,
            strong_components_are_as_many_as_known,
            strong_components_of_a_web_crawl_are_those_of_webgraph,
            the_roads_of_new_york_span_a_tree_of_known_weight,
            labels_of_real_graphs_are_those_of_the_definition,
        ],
    )
}
