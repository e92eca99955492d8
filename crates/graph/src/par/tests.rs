use super::*;
use std::sync::atomic::AtomicU32;

const LEN: usize = 10_007;

#[test]
fn ranges_cover_every_index_once() {
    for (len, least) in [(0, 1), (1, 1), (5, 100), (LEN, 1), (LEN, 64), (LEN, LEN)] {
        let visits: Vec<AtomicU32> = (0..len).map(|_| AtomicU32::new(0)).collect();
        ranges(len, least, |range| {
            assert!(range.len() >= least.min(len), "{range:?} of {len}");
            range.for_each(|i| _ = visits[i].fetch_add(1, Ordering::Relaxed));
        });
        assert!(visits.into_iter().all(|count| count.into_inner() == 1), "{len} {least}");
    }
}

#[test]
fn results_come_in_order() {
    assert!(map(LEN, |i| i * i).into_iter().eq((0..LEN).map(|i| i * i)));
    assert!(map_with(LEN, || 1, |one, i| i + *one).into_iter().eq(1..=LEN));
    let names: Vec<String> = (0..LEN).map(|i| i.to_string()).collect();
    assert_eq!(map_each(names.clone(), |i, name| format!("{i}{name}"))[37], "3737");
    let with = try_map_with(names.clone(), String::new, |_, name| name.parse::<usize>());
    assert_eq!(with, Ok((0..LEN).collect()));
    assert_eq!(try_map_each(names, |_, name| name.parse::<usize>()), Ok((0..LEN).collect()));
    let joined = reduce(
        LEN,
        10,
        |range| range.collect::<Vec<_>>(),
        |mut a, b| {
            a.extend(b);
            a
        },
    );
    assert_eq!(joined, Some((0..LEN).collect()));
    assert_eq!(sum(LEN, 10, |range| range.len() as u64), LEN as u64);
    assert_eq!(sum_f64(LEN, |i| i as f64), (LEN * (LEN - 1) / 2) as f64);
}

#[test]
fn one_of_the_errors_is_returned() {
    let odd = |i: usize| if i % 5000 == 4999 { Err(i) } else { Ok(()) };
    assert!([4999, 9999].contains(&try_each(LEN, odd).unwrap_err()));
    assert!([4999, 9999].contains(&try_map(LEN, odd).unwrap_err()));
    assert_eq!(try_each(4999, odd), Ok(()));
}

#[test]
fn the_first_index_is_found() {
    let from = |at: usize| move |mut range: Range<usize>| range.find(|&i| i >= at);
    for at in [0, 1, 4096, 9_999, LEN - 1] {
        assert_eq!(find_first(LEN, 1, from(at)), Some(at));
    }
    assert_eq!(find_first(LEN, 1, from(LEN)), None);
    assert!(all(LEN, 1, |range| range.end <= LEN) && !all(LEN, 1, |range| range.start < 9000));
}

#[test]
fn every_element_is_written_and_dropped_once() {
    let mut numbers = vec![0usize; LEN];
    parts_mut(&mut numbers, 1, |first, part| part.iter_mut().enumerate().for_each(|(i, n)| *n = first + i));
    assert!(numbers.iter().copied().eq(0..LEN));
    chunks_mut(&mut numbers, 100, |chunk, part| part.fill(chunk));
    assert!((0..LEN).all(|i| numbers[i] == i / 100));
    let shared = std::sync::Arc::new(());
    consume(vec![shared.clone(); LEN], |values, range| {
        assert_eq!(values.take(1).count(), range.len().min(1));
    });
    consume_each(vec![shared.clone(); LEN], |_, value| drop(value));
    assert_eq!(std::sync::Arc::strong_count(&shared), 1);
}

#[test]
fn both_closures_run() {
    let name = "b".to_owned();
    assert_eq!(join(|| 1, move || name), (1, "b".to_owned()));
}

#[test]
fn both_sorts_sort() {
    let number = |i: usize| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut numbers: Vec<u64> = (0..LEN).map(number).collect();
    let mut pairs: Vec<[u64; 2]> = (0..LEN).map(|i| [number(i) % 7, number(i)]).collect();
    sort_numbers(&mut numbers);
    sort_pairs(&mut pairs);
    assert!(numbers.is_sorted() && pairs.is_sorted());
}
