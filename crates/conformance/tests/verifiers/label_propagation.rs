//! Damaged answers of label propagation.

use super::*;

/// Two triangles, a path of two between them that swaps labels, and 8 alone.
fn graph() -> Graph {
    Edges::new(9, [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (6, 7)]).build(false)
}

fn verdict(labels: &[Vertex], rounds: u64, halt: Halted, limit: u64) -> &'static str {
    let config = LabelPropagation::default().max_iterations(limit);
    let mut run = run(halt);
    run.rounds = rounds;
    let labels = Pages::from(labels.to_vec());
    broken(&LabelPropagationAnswer::new(&graph(), &config, labels, run), &graph())
}

#[test]
fn every_damage_is_named() {
    let vertex = "a label is a vertex that hangs together with those it labels";
    let defined = "the labels are those of the definition";
    let cut = |labels: &[Vertex]| verdict(labels, 1, Halted::MaxIterations, 1);
    assert_eq!(cut(&[1, 0, 0, 4, 3, 3, 7, 6, 8]), "");
    assert_eq!(cut(&[0, 0, 0, 4, 3, 3, 7, 6, 8]), defined, "a round too far");
    assert_eq!(cut(&[0, 1, 2, 3, 4, 5, 6, 7, 8]), defined, "where it started");
    assert_eq!(cut(&[1, 0, 0, 4, 3, 3, 7, 6, 0]), vertex, "8 is alone");
    assert_eq!(cut(&[1, 0, 0, 4, 3, 3, 7, 6, NO_VERTEX]), vertex);
    assert_eq!(cut(&[0]), "one value a vertex");
    let swapped = [0, 0, 0, 3, 3, 3, 6, 7, 8];
    assert_eq!(
        verdict(&swapped, 4, Halted::MaxIterations, 10),
        "",
        "after 4 rounds all but 6 and 7 have settled"
    );
    assert_eq!(verdict(&swapped, 4, Halted::MaxIterations, 11), defined, "an odd number");
    assert_eq!(verdict(&swapped, 1, Halted::MaxIterations, 10), defined, "one round does not tell");
    assert_eq!(verdict(&swapped, 4, Halted::MaxIterations, 3), "no more rounds than allowed");
    assert_eq!(verdict(&swapped, 4, Halted::Converged, 10), "every vertex has the label it would take");
}
