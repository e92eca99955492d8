//! How fast a file is read, and how much memory that takes:
//! `cargo run --release -p warpgraph-graph --example load -- FILE [--undirected] [--no-weights]`.

use std::{path::Path, time::Instant};
use warpgraph_graph::{Control, Input, ReadOptions, format, memory::human_bytes};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let file =
        args.iter().find(|a| !a.starts_with("--")).ok_or("usage: load FILE [--undirected] [--no-weights]")?;
    let has = |flag: &str| args.iter().any(|a| a == flag);
    let options = ReadOptions {
        directed: has("--undirected").then_some(false),
        no_weights: has("--no-weights"),
        ..ReadOptions::default()
    };
    let start = Instant::now();
    let input = Input::open(Path::new(file), &Control::new())?;
    let bytes = input.len();
    let graph = format::read(input, &options, &Control::new())?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{} vertices, {} arcs, {}", graph.vertices(), graph.arcs(), human_bytes(graph.bytes()));
    println!("{seconds:.3} s, {:.0} MB/s", bytes as f64 / 1e6 / seconds);
    println!("peak memory {}, of it {} the file", peak(), human_bytes(bytes as u64));
    for warning in &graph.origin().warnings {
        println!("warning: {warning}");
    }
    if graph.is_directed() {
        let start = Instant::now();
        graph.incoming()?;
        println!("transpose {:.3} s, peak memory {}", start.elapsed().as_secs_f64(), peak());
    }
    Ok(())
}

/// The most memory the process has had, the mapped file included; where the system tells.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kib = line.and_then(|l| l.split_ascii_whitespace().next()).and_then(|n| n.parse::<u64>().ok());
    kib.map_or_else(|| "unknown".to_owned(), |kib| human_bytes(kib * 1024))
}
