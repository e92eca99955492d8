//! Checks which text the parser accepts, how a description prints, and the messages of errors.

use super::super::Spec;
use crate::{Control, Error};
use proptest::prelude::*;

fn refused(text: &str) -> String {
    let error = Spec::parse(text).expect_err(text);
    format!("{error}\nhelp: {}", error.help().unwrap_or_default())
}

#[test]
fn specs_print_canonically() {
    for (text, canonical) in [
        ("kron:20", "kron:20"),
        ("kron:020,degree=16,seed=1,directed=false", "kron:20"),
        ("kron:20,directed,w=1..255,seed=7,degree=8", "kron:20,degree=8,seed=7,w=1..255,directed"),
        ("uniform:20,directed=true", "uniform:20,directed"),
        ("grid:1024x0512,drop=0.10,shuffle=true", "grid:1024x512,drop=0.1,shuffle"),
        ("powerlaw:1000000,alpha=2.10,directed=false", "powerlaw:1000000,alpha=2.1,directed=false"),
        ("powerlaw:5,alpha=2.0,directed", "powerlaw:5"),
        ("community:20,size=1000,mix=0.2", "community:20"),
        ("community:20,size=50,degree=25", "community:20,size=50"),
        ("community:5,w=-3..3", "community:5,w=-3..3"),
    ] {
        assert_eq!(Spec::parse(text).unwrap().to_string(), canonical, "{text}");
    }
}

#[test]
fn a_generator_is_told_by_its_name_and_colon() {
    for text in ["kron:20", "kron:", "grid:nonsense", "community:1,x"] {
        assert!(Spec::is_spec(text), "{text}");
    }
    for text in ["korn:20", "kron", "kron.mtx", "dir/kron:20", "C:\\kron", "", ":", "Kron:20"] {
        assert!(!Spec::is_spec(text), "{text}");
    }
}

#[test]
fn an_unknown_generator_gets_a_suggestion() {
    let list = "generators are kron, uniform, grid, powerlaw, community, such as kron:20";
    assert_eq!(
        refused("korn:20"),
        format!("korn:20: there is no generator \"korn\"\nhelp: did you mean kron? {list}")
    );
    assert_eq!(refused("road:20"), format!("road:20: there is no generator \"road\"\nhelp: {list}"));
    assert_eq!(refused("x.mtx"), format!("\"x.mtx\": expected a generator, name:size\nhelp: {list}"));
}

#[test]
fn an_unknown_key_gets_the_known_ones() {
    assert_eq!(
        refused("kron:20,sed=3"),
        "kron:20,sed=3: kron has no key \"sed\"\n\
         help: did you mean seed? its keys are degree, seed, w, directed"
    );
    assert_eq!(
        refused("grid:4x4,alpha=2"),
        "grid:4x4,alpha=2: grid has no key \"alpha\"\n\
         help: its keys are drop, shuffle, seed, w, directed"
    );
    assert_eq!(
        refused("powerlaw:9,"),
        "powerlaw:9,: powerlaw has no key \"\"\nhelp: its keys are alpha, seed, w, directed"
    );
    assert_eq!(
        refused("kron:20,seed=1,seed=2"),
        "kron:20,seed=1,seed=2: seed is given twice\nhelp: leave one seed out"
    );
}

#[test]
fn a_bad_size_says_what_a_size_is() {
    let help = "help: a generator is name:size, such as kron:20, grid:1024x1024 or powerlaw:1000000";
    for (text, expected, got) in [
        ("kron:", "a scale from 0 to 31 (the graph has 2^scale vertices)", ""),
        ("kron:-1", "a scale from 0 to 31 (the graph has 2^scale vertices)", "-1"),
        ("community:0", "a scale from 1 to 31 (the graph has 2^scale vertices)", "0"),
        ("uniform:1e3", "a scale from 0 to 31 (the graph has 2^scale vertices)", "1e3"),
        ("grid:4", "a width and a height, such as 1024x1024", "4"),
        ("grid:0x4", "a width and a height, such as 1024x1024", "0x4"),
        ("grid:4x4x4", "a width and a height, such as 1024x1024", "4x4x4"),
        ("powerlaw:0", "a number of vertices, at least 1", "0"),
        ("powerlaw:many", "a number of vertices, at least 1", "many"),
    ] {
        assert_eq!(refused(text), format!("{text}: expected {expected}, got \"{got}\"\n{help}"));
    }
}

#[test]
fn a_value_out_of_range_names_the_range() {
    let w = "a range least..most of whole numbers in 0..4294967295, or -2147483648..2147483647 if some are negative";
    for (text, problem, help) in [
        (
            "kron:5,degree=0",
            "degree must be from 1 to 1048576, got \"0\"",
            "leave degree out for its default, 16",
        ),
        (
            "kron:5,seed=-1",
            "seed must be from 0 to 18446744073709551615, got \"-1\"",
            "leave seed out for its default, 1",
        ),
        ("grid:4x4,drop=1.5", "drop must be from 0 to 1, got \"1.5\"", "leave drop out for its default, 0"),
        ("grid:4x4,drop=NaN", "drop must be from 0 to 1, got \"NaN\"", "leave drop out for its default, 0"),
        ("grid:4x4,drop", "drop must be from 0 to 1, got \"\"", "leave drop out for its default, 0"),
        (
            "powerlaw:9,alpha=1",
            "alpha must be from 1.01 to 10, got \"1\"",
            "leave alpha out for its default, 2",
        ),
        (
            "community:9,alpha=2",
            "alpha must be from 2.05 to 10, got \"2\"",
            "leave alpha out for its default, 2.5",
        ),
        (
            "community:9,size=513",
            "size must be from 2 to 512, got \"513\"",
            "leave size out for its default, 512",
        ),
        (
            "community:9,size=20,degree=11",
            "degree must be from 1 to 10, got \"11\"",
            "leave degree out for its default, 10",
        ),
        (
            "community:9,mix=-0.1",
            "mix must be from 0 to 1, got \"-0.1\"",
            "leave mix out for its default, 0.2",
        ),
        (
            "kron:5,directed=yes",
            "directed must be true or false, got \"yes\"",
            "write directed, directed=true or directed=false",
        ),
        ("kron:5,w=5", &format!("w must be {w}, got \"5\""), "write w=1..255"),
        ("kron:5,w=5..4", &format!("w must be {w}, got \"5..4\""), "write w=1..255"),
        ("kron:5,w=-1..2147483648", &format!("w must be {w}, got \"-1..2147483648\""), "write w=1..255"),
        ("kron:5,w=0..4294967296", &format!("w must be {w}, got \"0..4294967296\""), "write w=1..255"),
    ] {
        assert_eq!(refused(text), format!("{text}: {problem}\nhelp: {help}"));
    }
}

#[test]
fn too_many_vertices_are_refused_by_the_text_alone() {
    let help = "help: choose a smaller graph; the largest scale is 31";
    for (text, vertices) in [
        ("kron:32", "2^32"),
        ("kron:64", "2^64"),
        ("uniform:99999999999999999999999", "2^99999999999999999999999"),
        ("community:4294967296", "2^4294967296"),
        ("grid:100000x100000", "10000000000"),
        ("grid:1x18446744073709551616", "18446744073709551616"),
        ("powerlaw:4294967296", "4294967296"),
    ] {
        assert_eq!(
            refused(text),
            format!("{text} needs {vertices} vertices, the limit is 4294967295\n{help}")
        );
        assert!(matches!(Spec::parse(text), Err(Error::TooLarge { .. })));
    }
}

#[test]
fn more_than_the_memory_is_refused_before_allocating() {
    for text in
        ["kron:31,degree=1048576", "uniform:31,degree=1048576,w=1..2", "powerlaw:4294967295,alpha=1.01"]
    {
        let error = Spec::parse(text).unwrap().generate(&Control::new()).expect_err(text);
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
        assert!(error.to_string().starts_with(&format!("{text} needs about ")), "{error}");
        assert_eq!(
            error.help().as_deref(),
            Some("choose a smaller size or degree, or a machine with more memory")
        );
    }
}

fn any_spec() -> impl Strategy<Value = String> {
    let common = (any::<u64>(), any::<bool>(), prop::option::of((-100i64..100, 0i64..1000)));
    let model = prop_oneof![
        (0u32..=31, 1u32..2000).prop_map(|(s, d)| format!("kron:{s},degree={d}")),
        (0u32..=31, 1u32..2000).prop_map(|(s, d)| format!("uniform:{s},degree={d}")),
        (1u32..9999, 1u32..9999, 0.0..=1.0, any::<bool>())
            .prop_map(|(w, h, d, s)| format!("grid:{w}x{h},drop={d},shuffle={s}")),
        (1u32.., 1.01..10.0).prop_map(|(n, a)| format!("powerlaw:{n},alpha={a}")),
        (1u32..=31, 0.0..=1.0, 2.05..10.0, any::<bool>())
            .prop_map(|(s, m, a, f)| format!("community:{s},mix={m},alpha={a},shuffle={f}")),
        (7u32..=31, 2u64..=128, 1u64..=64)
            .prop_map(|(s, size, d)| format!("community:{s},size={size},degree={}", d.min(size / 2))),
    ];
    (model, common).prop_map(|(model, (seed, directed, weights))| {
        let w = weights.map(|(a, span)| format!(",w={a}..{}", a + span)).unwrap_or_default();
        format!("{model},seed={seed},directed={directed}{w}")
    })
}

proptest! {
    #[test]
    fn what_is_printed_reads_back_as_the_same(text in any_spec()) {
        let spec = Spec::parse(&text).unwrap();
        let printed = spec.to_string();
        prop_assert_eq!(&Spec::parse(&printed).unwrap(), &spec);
        prop_assert_eq!(Spec::parse(&printed).unwrap().to_string(), printed);
        let estimate = spec.estimate();
        prop_assert!(estimate.vertices >= 1 && estimate.bytes >= estimate.edges);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(kron|uniform|grid|powerlaw|community|x)?:?[0-9x,=.a-z-]{0,30}") {
        let _ = Spec::parse(&text).map(|s| s.estimate());
    }
}
