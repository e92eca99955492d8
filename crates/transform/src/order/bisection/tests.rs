//! Checks sweeps and halves against the cost (5) itself and against sets, and whole orders on planted structures.

use super::{block::Block, *};
use proptest::{collection::vec, prelude::*};
use std::collections::{BTreeMap, BTreeSet};

type Sweep = fn(&mut Block<'_>, tables::Parts<'_>, &Work<'_>) -> Result<()>;

/// The queries of each vertex.
pub(super) type Lists = Vec<Vec<u32>>;

fn rows(lists: &Lists) -> Rows {
    let lengths: Vec<u32> = lists.iter().map(|list| list.len() as u32).collect();
    Rows { lengths: lengths.into(), queries: lists.concat().into() }
}

fn order_of(lists: &Lists) -> Vec<Vertex> {
    let queries = lists.iter().flatten().map(|&q| q as usize + 1).max().unwrap_or(0);
    order(rows(lists), queries, &Control::new()).unwrap().to_vec()
}

/// Draws rows of vertices that each have some of a few queries; an even number of vertices.
fn lists() -> impl Strategy<Value = Lists> {
    (1..40usize, 1..30u32).prop_flat_map(|(half, queries)| {
        let list = vec(0..queries, 0..8).prop_map(|list| Vec::from_iter(BTreeSet::from_iter(list)));
        vec(list, 2 * half)
    })
}

/// Computes equation (5) as written.
fn cost(lists: &Lists, sides: &[u8]) -> f64 {
    let sizes = [0, 1].map(|half| sides.iter().filter(|&&side| side == half).count() as f64);
    let mut degrees: BTreeMap<u32, [f64; 2]> = BTreeMap::new();
    for (list, &side) in lists.iter().zip(sides) {
        list.iter().for_each(|&q| degrees.entry(q).or_default()[side as usize] += 1.0);
    }
    let half = |i: usize, degree: f64| degree * f64::log2(sizes[i] / (degree + 1.0));
    degrees.values().map(|&[first, second]| half(0, first) + half(1, second)).sum()
}

/// The arrays that a block borrows.
pub(super) struct Arrays {
    vertices: Vec<Vertex>,
    lengths: Vec<u32>,
    rows: Vec<u32>,
    room: Vec<u32>,
    scratch: Vec<u32>,
    sides: Vec<u8>,
}

impl Arrays {
    pub(super) fn new(lists: &Lists) -> (Self, Pages<u32>) {
        let (n, mut rows) = (lists.len(), lists.concat());
        let mut lengths: Vec<u32> = lists.iter().map(|list| list.len() as u32).collect();
        let degrees = split::root(&mut lengths, &mut rows, 64, &Control::new()).unwrap();
        let vertices = (0..n as Vertex).collect();
        let (room, scratch, sides) = (vec![0; rows.len()], vec![0; n], vec![0; n]);
        (Self { vertices, lengths, rows, room, scratch, sides }, degrees)
    }

    pub(super) fn block(&mut self, degrees: Pages<u32>) -> Block<'_> {
        Block {
            vertices: &mut self.vertices,
            lengths: &mut self.lengths,
            rows: &mut self.rows,
            room: &mut self.room,
            scratch: &mut self.scratch,
            sides: &mut self.sides,
            degrees,
        }
    }
}

/// Returns the members of every query of a half that has neither one nor all of them, by position.
fn members(lists: &Lists, vertices: &[Vertex]) -> Vec<Vec<usize>> {
    let mut members: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (place, &v) in vertices.iter().enumerate() {
        lists[v as usize].iter().for_each(|&q| members.entry(q).or_default().push(place));
    }
    let mut members: Vec<_> =
        members.into_values().filter(|places| places.len() > 1 && places.len() < vertices.len()).collect();
    members.sort();
    members
}

/// Returns the same for a block.
fn members_of(block: &Block<'_>) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); block.degrees.len()];
    for cut in block::cuts(block.lengths) {
        cut.for_each(block.lengths, block.rows, |v, row| {
            row.iter().for_each(|&q| members[q as usize].push(v));
        });
    }
    assert!(
        members.iter().zip(block.degrees.iter()).all(|(places, &degree)| places.len() == degree as usize)
    );
    members.sort();
    members
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sweeps_never_raise_the_cost_and_halves_are_blocks_again(lists in lists()) {
        let (n, control) = (lists.len(), Control::new());
        let work = Work::new(n, &control);
        let before: Vec<u8> = (0..n).map(|v| u8::from(v >= n / 2)).collect();
        for sweep in [batch::sweep as Sweep, pairs::sweep] {
            let (mut arrays, degrees) = Arrays::new(&lists);
            let mut block = arrays.block(degrees);
            prop_assert_eq!(members_of(&block), members(&lists, &(0..n as Vertex).collect::<Vec<_>>()));
            let mut tables = work.shelf.take(block.degrees.len(), 2).unwrap();
            sweep(&mut block, tables.parts(2), &work).unwrap();
            let (old, new) = (cost(&lists, &before), cost(&lists, block.sides));
            prop_assert!(new <= old + 1e-6 * old.abs(), "from {old} to {new}");
            let of = |half: u8| (0..n as Vertex).filter(|&v| block.sides[v as usize] == half).collect::<Vec<_>>();
            let halves = [of(0), of(1)];
            prop_assert_eq!(halves[0].len(), n / 2);
            let (first, second) = split::split(block, tables.firsts(), &work).unwrap();
            for (block, half) in [first, second].iter().zip(halves) {
                prop_assert_eq!(&*block.vertices, &half[..]);
                prop_assert_eq!(members_of(block), members(&lists, &half));
            }
        }
    }

    #[test]
    fn an_order_holds_every_vertex_and_those_without_queries_last(lists in lists()) {
        let order = order_of(&lists);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        prop_assert!(sorted.into_iter().eq(0..lists.len() as Vertex));
        let with = lists.iter().filter(|list| !list.is_empty()).count();
        prop_assert!(order[..with].iter().all(|&v| !lists[v as usize].is_empty()));
        prop_assert!(order[with..].is_sorted());
    }
}

/// Returns the bits of all gaps between members of queries in an order.
fn bits(lists: &Lists, order: &[Vertex]) -> f64 {
    let mut places: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (place, &v) in order.iter().enumerate() {
        lists[v as usize].iter().for_each(|&q| places.entry(q).or_default().push(place));
    }
    let gaps = places.values().flat_map(|places| places.windows(2).map(|pair| (pair[1] - pair[0]) as f64));
    gaps.map(f64::log2).sum()
}

/// Bisection as defined, slowly: exchanges the pair that lowers the cost most, until no pair does.
fn slowly(lists: &Lists, vertices: &mut [Vertex]) {
    let n = vertices.len();
    if n <= LEAF {
        return vertices.sort_unstable();
    }
    let rows: Lists = vertices.iter().map(|&v| lists[v as usize].clone()).collect();
    let mut sides: Vec<u8> = (0..n).map(|v| u8::from(v >= n / 2)).collect();
    loop {
        let pairs = (0..n * n).map(|i| (i / n, i % n)).filter(|&(a, b)| sides[a] < sides[b]);
        let after = |(a, b)| {
            let mut sides = sides.clone();
            sides.swap(a, b);
            (cost(&rows, &sides), a, b)
        };
        let Some((best, a, b)) = pairs.map(after).min_by(|x, y| x.0.total_cmp(&y.0)) else { break };
        if best > cost(&rows, &sides) - 1e-3 {
            break;
        }
        sides.swap(a, b);
    }
    let mut halves: Vec<(u8, Vertex)> = sides.into_iter().zip(vertices.iter().copied()).collect();
    halves.sort_unstable();
    vertices.iter_mut().zip(halves).for_each(|(slot, (_, v))| *slot = v);
    let (first, second) = vertices.split_at_mut(n / 2);
    slowly(lists, first);
    slowly(lists, second);
}

/// Groups of eight vertices with four queries each and one query of the next group; the groups alternate.
pub(super) fn planted(groups: u32) -> Lists {
    let queries = |group: u32| (0..4).map(move |i| 4 * group + i);
    let row = |v: u32| queries(v % groups).chain([4 * ((v % groups + 1) % groups)]).collect();
    (0..8 * groups).map(row).collect()
}

#[test]
fn as_good_as_the_best_exchanges_one_by_one() {
    let lists = planted(6);
    let mut slow: Vec<Vertex> = (0..48).collect();
    slowly(&lists, &mut slow);
    let (fast, slow, before) =
        (bits(&lists, &order_of(&lists)), bits(&lists, &slow), bits(&lists, &Vec::from_iter(0..48)));
    assert!(fast <= 1.1 * slow && fast < 0.6 * before, "{before} bits before, {slow} slowly, {fast} fast");
}

#[test]
fn groups_that_alternate_come_apart_in_small_and_in_large_blocks() {
    for n in [40, 1000, 3 * LARGE as u32, 20_000] {
        let lists: Lists = (0..n).map(|v| (0..30).map(|i| 2 * i + v % 2).collect()).collect();
        let order = order_of(&lists);
        let changes = order.windows(2).filter(|pair| pair[0] % 2 != pair[1] % 2).count();
        assert_eq!(changes, 1, "{n} vertices");
    }
}

#[test]
fn a_good_order_stays() {
    // Neighbours on a path share a query: no exchange lowers the cost.
    let lists: Lists = (0..5000).map(|v| vec![v, v + 1]).collect();
    assert!(order_of(&lists).into_iter().eq(0..5000));
}

#[test]
fn alike_vertices_and_none_at_all_stay_by_number() {
    assert!(order_of(&vec![]).is_empty());
    assert_eq!(order_of(&vec![vec![3]]), [0]);
    assert!(order_of(&vec![vec![0, 2, 5]; 100]).into_iter().eq(0..100));
    assert_eq!(order_of(&vec![vec![], vec![1], vec![], vec![1]]), [1, 3, 0, 2]);
}

#[test]
fn the_work_tells_how_far_it_is_and_stops_when_asked() {
    let lists = planted(2000);
    let control = Control::new();
    let canceller = control.clone();
    let watched = control.with_progress(move |progress| {
        assert!(progress.stage == "bisecting" && progress.done <= progress.total.unwrap());
        canceller.cancel();
    });
    let error = order(rows(&lists), 8000, &watched).unwrap_err();
    assert_eq!(error.to_string(), "interrupted while ordering the vertices");
    let late = Control::new().with_time_limit(std::time::Duration::ZERO);
    assert_eq!(order(rows(&lists), 8000, &late).unwrap_err().kind(), "deadline");
}
