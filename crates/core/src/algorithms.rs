//! The one table of algorithms.
//!
//! Each line reads `module: Configuration -> Answer;`. Everything that enumerates algorithms follows from this table:
//! the modules of this crate, of the engines and of the conformance cases, the methods of a loaded graph, the
//! subcommands of the command line, what `bench`, `doctor` and `plans` iterate over, and the tables of the
//! documentation. Code that needs the list defines a macro that accepts the lines, and passes the name of that macro:
//!
//! ```
//! macro_rules! names {
//!     ($($module:ident: $config:ident -> $answer:ident;)*) => { [$(stringify!($module)),*] };
//! }
//! assert_eq!(warpgraph_core::for_each_algorithm!(names)[0], "bfs");
//! ```
//!
//! Because modules are declared by macros, rustfmt must be given all files by name: `cargo fmt` does not find them.

/// Calls the macro named `$callback` with every line of the table of algorithms, in the order of the documentation.
#[macro_export]
macro_rules! for_each_algorithm {
    ($callback:ident) => {
        $callback! {
            bfs: Bfs -> BfsAnswer;
            sssp: Sssp -> SsspAnswer;
            pagerank: PageRank -> PageRankAnswer;
            adsorption: Adsorption -> AdsorptionAnswer;
            bc: Bc -> BcAnswer;
            closeness: Closeness -> ClosenessAnswer;
            wcc: Wcc -> WccAnswer;
            scc: Scc -> SccAnswer;
            mst: Mst -> MstAnswer;
            triangles: Triangles -> TrianglesAnswer;
            kcore: Kcore -> KcoreAnswer;
            label_propagation: LabelPropagation -> LabelPropagationAnswer;
        }
    };
}
