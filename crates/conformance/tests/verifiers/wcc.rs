//! Damaged answers of wcc.

use super::*;

#[test]
fn every_damage_is_named() {
    let verdict = |names: &[Vertex]| {
        let names = Pages::from(names.to_vec());
        broken(&WccAnswer::new(&graph(), names, run(Halted::Converged)), &graph())
    };
    let smallest = "a component is named by its smallest vertex";
    assert_eq!(verdict(&[0, 0, 0, 0, 0, 0, 6]), "");
    assert_eq!(verdict(&[0, 0, 0, 0, 0, 0, 0]), "a component hangs together", "6 is alone");
    assert_eq!(verdict(&[0, 0, 2, 2, 0, 0, 6]), "both ends of an arc are in one component");
    assert_eq!(verdict(&[0, 0, 0, 0, 0, 5, 6]), "both ends of an arc are in one component");
    assert_eq!(verdict(&[1, 1, 1, 1, 1, 1, 6]), smallest);
    assert_eq!(verdict(&[0, 0, 0, 0, 0, 0, 5]), smallest, "a name that is not its own");
    assert_eq!(verdict(&[0, 0, 0, 0, 0, 0, NO_VERTEX]), smallest);
    assert_eq!(verdict(&[0]), "one value a vertex");
}
