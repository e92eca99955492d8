//! What does not go together: the only place that refuses.

use super::{Balance, Direction, Plan};
use crate::{
    error::Error,
    program::{Combine, VertexProgram},
};

/// The directions an algorithm can be held to, and why not the others.
struct Directions {
    algorithm: &'static str,
    allowed: &'static [Direction],
    why: &'static str,
}

const fn row(algorithm: &'static str, allowed: &'static [Direction], why: &'static str) -> Directions {
    Directions { algorithm, allowed, why }
}

/// On the processor: algorithms that take one direction at most; all others take both.
const ON_CPU: [Directions; 11] = [
    row("sssp", &[Direction::Push], "delta-stepping relaxes outgoing arcs"),
    row("pagerank", &[Direction::Pull], "ranks are summed over incoming arcs without atomics"),
    row("adsorption", &[Direction::Pull], "values are summed over incoming arcs without atomics"),
    row("label-propagation", &[Direction::Pull], "a vertex needs the labels of all its neighbours at once"),
    row("wcc", &[], "it hooks trees along arcs of either direction"),
    row("scc", &[], "it searches along arcs of both directions"),
    row("mst", &[], "it hooks trees along the lightest arc of each"),
    row("bc", &[], BC_DIRECTIONS),
    row("closeness", &[], "a batch of searches chooses its direction by the level"),
    row("triangles", &[], "it intersects lists of neighbours"),
    row("kcore", &[], "it peels vertices by degree"),
];

const BC_DIRECTIONS: &str = "it goes forward and back, each way in its own direction";

/// The algorithms that have a form for GPUs. All of them are programs and take any direction, but for bc.
const ON_GPU: [&str; 6] = ["bfs", "sssp", "pagerank", "adsorption", "bc", "wcc"];

/// Those of them whose decimals are added up.
const SUMS: [&str; 3] = ["pagerank", "adsorption", "bc"];

const PUSHED_SUM: &str = "pushed sums are added up in any order, and the same bits were asked for";
const SHARED_SUM: &str =
    "threads that share a row add up their parts in any order, and the same bits were asked for";

impl Plan {
    /// [`Plan::check`] for a program of the user's own: any direction, but for sums that cannot be pushed.
    ///
    /// # Errors
    /// [`Error::Refused`] naming the pair and why.
    pub fn check_program<P: VertexProgram>(&self, deterministic: bool, device: &str) -> Result<(), Error> {
        self.check_balance(P::NAME, device)?;
        if P::COMBINE != Combine::Sum {
            return Ok(());
        }
        if self.direction() == Some(Direction::Push) && !P::DISTRIBUTES {
            let why = "a sum that does not declare DISTRIBUTES needs all messages of a superstep at once";
            return Err(refused(P::NAME, device, "push", why, "pull"));
        }
        self.check_sum(P::NAME, device, deterministic)
    }

    /// Refuses what does not go together.
    ///
    /// # Errors
    /// [`Error::Refused`] naming the pair and why.
    pub fn check(&self, algorithm: &str, device: &str, deterministic: bool) -> Result<(), Error> {
        self.check_balance(algorithm, device)?;
        if device == "cpu" {
            let row = ON_CPU.iter().find(|row| row.algorithm == algorithm);
            return row.map_or(Ok(()), |row| self.check_direction(row, device));
        }
        if !ON_GPU.contains(&algorithm) {
            return Err(Error::Refused {
                what: format!("{algorithm} on {device} cannot run: it has no form for GPUs"),
                help: "use --device cpu, or leave --device out".to_owned(),
            });
        }
        if algorithm == "bc" {
            self.check_direction(&row("bc", &[], BC_DIRECTIONS), device)?;
        }
        match SUMS.contains(&algorithm) {
            true => self.check_sum(algorithm, device, deterministic),
            false => Ok(()),
        }
    }

    fn check_direction(&self, row: &Directions, device: &str) -> Result<(), Error> {
        match self.direction() {
            Some(direction) if !row.allowed.contains(&direction) => {
                let other = row.allowed.first().map_or_else(|| "auto".to_owned(), ToString::to_string);
                Err(refused(row.algorithm, device, &direction.to_string(), row.why, &other))
            }
            _ => Ok(()),
        }
    }

    /// The processor takes no balance.
    fn check_balance(&self, algorithm: &str, device: &str) -> Result<(), Error> {
        match self.balance() {
            Some(balance) if device == "cpu" => {
                let why = "balances share arcs among the threads of a GPU";
                Err(refused(algorithm, device, &balance.to_string(), why, "auto"))
            }
            _ => Ok(()),
        }
    }

    /// The same bits for a sum need one order of adding.
    fn check_sum(&self, algorithm: &str, device: &str, deterministic: bool) -> Result<(), Error> {
        if !deterministic {
            return Ok(());
        }
        if self.direction() == Some(Direction::Push) {
            return Err(refused(algorithm, device, "push", PUSHED_SUM, "pull"));
        }
        if self.balance() == Some(Balance::Workload) {
            return Err(refused(algorithm, device, "workload", SHARED_SUM, "node"));
        }
        Ok(())
    }
}

fn refused(algorithm: &str, device: &str, name: &str, why: &str, other: &str) -> Error {
    Error::Refused {
        what: format!("{algorithm} on {device} cannot run with `{name}`: {why}"),
        help: format!("use --plan {other}, or leave --plan out"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which directions each algorithm refuses on the processor, and in which words.
    const CPU: [(&str, &str, &str); 12] = [
        ("bfs", "", ""),
        ("sssp", "pull", "delta-stepping relaxes outgoing arcs"),
        ("pagerank", "push", "ranks are summed over incoming arcs without atomics"),
        ("adsorption", "push", "values are summed over incoming arcs without atomics"),
        ("label-propagation", "push", "a vertex needs the labels of all its neighbours at once"),
        ("wcc", "push pull", "it hooks trees along arcs of either direction"),
        ("scc", "push pull", "it searches along arcs of both directions"),
        ("mst", "push pull", "it hooks trees along the lightest arc of each"),
        ("bc", "push pull", "it goes forward and back, each way in its own direction"),
        ("closeness", "push pull", "a batch of searches chooses its direction by the level"),
        ("triangles", "push pull", "it intersects lists of neighbours"),
        ("kcore", "push pull", "it peels vertices by degree"),
    ];

    fn words(plan: Plan, algorithm: &str, device: &str, deterministic: bool) -> String {
        plan.check(algorithm, device, deterministic).map_or_else(|e| e.to_string(), |()| String::new())
    }

    #[test]
    fn the_whole_product_on_the_processor_runs_or_gives_its_exact_refusal() {
        for (algorithm, directions, why) in CPU {
            for plan in Plan::ALL {
                let expected = match (plan.balance(), plan.direction()) {
                    (Some(balance), _) => format!(
                        "{algorithm} on cpu cannot run with `{balance}`: balances share arcs among the threads of a GPU"
                    ),
                    (None, Some(d)) if directions.contains(&d.to_string()) => {
                        format!("{algorithm} on cpu cannot run with `{d}`: {why}")
                    }
                    _ => String::new(),
                };
                assert_eq!(words(plan, algorithm, "cpu", false), expected, "{algorithm} {plan}");
                assert_eq!(words(plan, algorithm, "cpu", true), expected, "{algorithm} {plan}");
            }
        }
    }

    #[test]
    fn the_whole_product_on_a_gpu_runs_or_gives_its_exact_refusal() {
        for (algorithm, ..) in CPU {
            for plan in Plan::ALL {
                let there = ["bfs", "sssp", "pagerank", "adsorption", "bc", "wcc"].contains(&algorithm);
                let is_sum = ["pagerank", "adsorption", "bc"].contains(&algorithm);
                let refusal =
                    |name: &str, why: &str| format!("{algorithm} on simt cannot run with `{name}`: {why}");
                let plain = match plan.direction() {
                    _ if !there => format!("{algorithm} on simt cannot run: it has no form for GPUs"),
                    Some(d) if algorithm == "bc" => {
                        refusal(&d.to_string(), "it goes forward and back, each way in its own direction")
                    }
                    _ => String::new(),
                };
                assert_eq!(words(plan, algorithm, "simt", false), plain, "{algorithm} {plan}");
                let strict = match (plan.direction(), plan.balance()) {
                    _ if !plain.is_empty() || !is_sum => plain,
                    (Some(Direction::Push), _) => refusal("push", PUSHED_SUM),
                    (_, Some(Balance::Workload)) => refusal("workload", SHARED_SUM),
                    _ => String::new(),
                };
                assert_eq!(words(plan, algorithm, "simt", true), strict, "{algorithm} {plan}, deterministic");
            }
        }
    }
}
