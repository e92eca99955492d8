//! What does not go together: the only place that refuses.

use super::{Balance, Direction, Plan};
use crate::{
    Order,
    error::Error,
    program::{Combine, VertexProgram},
};

/// The directions an algorithm can be held to, and why not the others.
struct Directions<'n> {
    algorithm: &'n str,
    allowed: &'static [Direction],
    why: &'static str,
}

const fn row(
    algorithm: &'static str,
    allowed: &'static [Direction],
    why: &'static str,
) -> Directions<'static> {
    Directions { algorithm, allowed, why }
}

/// On the processor: algorithms that take one direction at most; all others take both.
const ON_CPU: [Directions<'static>; 11] = [
    row("sssp", &[Direction::Push], "delta-stepping relaxes outgoing arcs"),
    row("pagerank", &[Direction::Pull], "ranks are summed over incoming arcs without atomics"),
    row("adsorption", &[Direction::Pull], "values are summed over incoming arcs without atomics"),
    row("label-propagation", &[Direction::Pull], LABEL_DIRECTIONS),
    row("wcc", &[], "it hooks trees along arcs of either direction"),
    row("scc", &[], SCC_DIRECTIONS),
    row("mst", &[], MST),
    row("bc", &[], BC_DIRECTIONS),
    row("closeness", &[], CLOSENESS_DIRECTIONS),
    row("triangles", &[], TRIANGLES),
    row("kcore", &[], KCORE_DIRECTIONS),
];

const BC_DIRECTIONS: &str = "it goes forward and back, each way in its own direction";
const MST: &str = "it hooks trees along the lightest arc of each";
const TRIANGLES: &str = "it intersects lists of neighbours";
const CLOSENESS_DIRECTIONS: &str = "a batch of searches chooses its direction by the level";
const LABEL_DIRECTIONS: &str = "a vertex needs the labels of all its neighbours at once";
const SCC_DIRECTIONS: &str = "it searches along arcs of both directions";
const KCORE_DIRECTIONS: &str = "it peels vertices by degree";

/// What an algorithm is on a GPU.
enum Form {
    /// A program: any direction, any balance.
    Program,
    /// A program whose decimals are added up.
    Sum,
    /// Filters: any balance, no direction, for a reason.
    Filter(&'static str),
    /// Filters that gather: any balance, no push, for a reason.
    Gather(&'static str),
    /// Filters that add decimals up.
    FilteredSum(&'static str),
    /// Kernels of its own, without frontiers: no direction and no balance, for a reason.
    Kernel(&'static str),
}

/// The algorithms that have a form for GPUs.
const ON_GPU: [(&str, Form); 12] = [
    ("bfs", Form::Program),
    ("sssp", Form::Program),
    ("wcc", Form::Program),
    ("pagerank", Form::Sum),
    ("adsorption", Form::Sum),
    ("bc", Form::FilteredSum(BC_DIRECTIONS)),
    ("mst", Form::Kernel(MST)),
    ("triangles", Form::Kernel(TRIANGLES)),
    ("closeness", Form::Filter(CLOSENESS_DIRECTIONS)),
    ("scc", Form::Filter(SCC_DIRECTIONS)),
    ("kcore", Form::Filter(KCORE_DIRECTIONS)),
    ("label-propagation", Form::Gather(LABEL_DIRECTIONS)),
];

const PUSHED_SUM: &str = "pushed sums are added up in any order, and the same bits were asked for";
const SHARED_SUM: &str =
    "threads that share a row add up their parts in any order, and the same bits were asked for";
const PULLED: &str = "it deals out the arcs of a frontier, which only pushing has";
const REPEATED: &str = "a vertex must be worked on once a superstep, and only condensing sees to that";
const ALL_AT_ONCE: &str = "a sum that does not declare DISTRIBUTES needs all messages of a superstep at once";
const FOUND: &str = "it is found by runs on a GPU";
const LEARNS: &str = "it learns from the accesses of tiles";

impl Plan {
    /// [`Plan::check`] for a program of the user's own: any direction, but for sums that cannot be pushed.
    ///
    /// # Errors
    /// [`Error::Refused`] naming the pair and why.
    pub fn check_program<P: VertexProgram>(
        &self,
        device: &str,
        order: Order,
        deterministic: bool,
    ) -> Result<(), Error> {
        self.check_balance(P::NAME, device)?;
        self.check_order(P::NAME, device, order)?;
        if P::COMBINE != Combine::Sum {
            return Ok(());
        }
        if self.fixed_direction() == Some(Direction::Push) && !P::DISTRIBUTES {
            let name = self.balance().filter(Balance::only_pushes).map_or("push", |balance| balance.name());
            return Err(refused(P::NAME, device, name, ALL_AT_ONCE, "pull"));
        }
        self.check_once(P::NAME, device)?;
        self.check_sum(P::NAME, device, deterministic)
    }

    /// Refuses what does not go together.
    ///
    /// # Errors
    /// [`Error::Refused`] naming the pair and why.
    pub fn check(
        &self,
        algorithm: &str,
        device: &str,
        order: Order,
        deterministic: bool,
    ) -> Result<(), Error> {
        self.check_balance(algorithm, device)?;
        if device == "cpu" {
            self.check_order(algorithm, device, order)?;
            let row = ON_CPU.iter().find(|row| row.algorithm == algorithm);
            return row.map_or(Ok(()), |row| self.check_direction(row, device));
        }
        let Some((_, form)) = ON_GPU.iter().find(|(name, _)| *name == algorithm) else {
            return Err(Error::Refused {
                what: format!("{algorithm} on {device} cannot run: it has no form for GPUs"),
                help: "use --device cpu, or leave --device out".to_owned(),
            });
        };
        if let Form::Filter(why) | Form::FilteredSum(why) | Form::Kernel(why) = form {
            self.check_direction(&Directions { algorithm, allowed: &[], why }, device)?;
        }
        if let Form::Gather(why) = form {
            self.check_direction(&Directions { algorithm, allowed: &[Direction::Pull], why }, device)?;
        }
        if let (Form::Kernel(why), Some(balance)) = (form, self.balance()) {
            return Err(refused(algorithm, device, balance.name(), why, "auto"));
        }
        match form {
            Form::Kernel(why) if order == Order::Sampled => {
                return Err(unordered(algorithm, device, why, ""));
            }
            _ => self.check_order(algorithm, device, order)?,
        }
        if !matches!(form, Form::Program) {
            self.check_once(algorithm, device)?;
        }
        match form {
            Form::Sum | Form::FilteredSum(_) => self.check_sum(algorithm, device, deterministic),
            _ => Ok(()),
        }
    }

    fn check_direction(&self, row: &Directions<'_>, device: &str) -> Result<(), Error> {
        match self.direction() {
            Some(direction) if !row.allowed.contains(&direction) => {
                let other = row.allowed.first().map_or_else(|| "auto".to_owned(), ToString::to_string);
                Err(refused(row.algorithm, device, &direction.to_string(), row.why, &other))
            }
            _ => Ok(()),
        }
    }

    /// The processor takes no balance, and some balances only push.
    fn check_balance(&self, algorithm: &str, device: &str) -> Result<(), Error> {
        let Some(balance) = self.balance() else { return Ok(()) };
        if device == "cpu" {
            let why = "balances share arcs among the threads of a GPU";
            return Err(refused(algorithm, device, balance.name(), why, "auto"));
        }
        if balance.only_pushes() && self.direction() == Some(Direction::Pull) {
            let name = format!("pull+{}", balance.name());
            return Err(refused(algorithm, device, &name, PULLED, &balance.to_string()));
        }
        Ok(())
    }

    /// An order that is found by runs needs those that it can learn from.
    fn check_order(&self, algorithm: &str, device: &str, order: Order) -> Result<(), Error> {
        if order != Order::Sampled {
            return Ok(());
        }
        if device == "cpu" {
            return Err(unordered(algorithm, device, FOUND, "--device cuda:0 and --plan tiled, or "));
        }
        match self.balance().filter(Balance::has_tiles) {
            Some(_) => Ok(()),
            None => {
                let what = format!(
                    "{algorithm} on {device} cannot run in order `sampled` with plan {self}: {LEARNS}"
                );
                let help = "use --plan tiled or --plan resident, or another order".to_owned();
                Err(Error::Refused { what, help })
            }
        }
    }

    /// Everything but values that only improve needs each vertex once a superstep.
    fn check_once(&self, algorithm: &str, device: &str) -> Result<(), Error> {
        match self.balance() {
            Some(balance) if balance.repeats() => {
                Err(refused(algorithm, device, &balance.to_string(), REPEATED, "edge"))
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
        match self.balance() {
            None | Some(Balance::Node) => Ok(()),
            Some(balance) => Err(refused(algorithm, device, balance.name(), SHARED_SUM, "node")),
        }
    }
}

fn refused(algorithm: &str, device: &str, name: &str, why: &str, other: &str) -> Error {
    Error::Refused {
        what: format!("{algorithm} on {device} cannot run with `{name}`: {why}"),
        help: format!("use --plan {other}, or leave --plan out"),
    }
}

fn unordered(algorithm: &str, device: &str, why: &str, instead: &str) -> Error {
    Error::Refused {
        what: format!("{algorithm} on {device} cannot run in order `sampled`: {why}"),
        help: format!("use {instead}another order"),
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

    /// What has a form for GPUs: does it add decimals up, and why does it take no direction.
    const GPU: [(&str, bool, &str); 12] = [
        ("bfs", false, ""),
        ("sssp", false, ""),
        ("wcc", false, ""),
        ("pagerank", true, ""),
        ("adsorption", true, ""),
        ("bc", true, "it goes forward and back, each way in its own direction"),
        ("mst", false, "it hooks trees along the lightest arc of each"),
        ("triangles", false, "it intersects lists of neighbours"),
        ("closeness", false, "a batch of searches chooses its direction by the level"),
        ("scc", false, "it searches along arcs of both directions"),
        ("kcore", false, "it peels vertices by degree"),
        ("label-propagation", false, "a vertex needs the labels of all its neighbours at once"),
    ];

    /// Those of them that take no balance either, for the same reason.
    const KERNELS: [&str; 2] = ["mst", "triangles"];

    #[test]
    fn a_frontier_with_repeats_is_for_values_that_only_improve() {
        let plan: Plan = "push+edge(condensing=off)".parse().unwrap();
        for (algorithm, is_sum, why) in GPU {
            let refused = match (is_sum, why) {
                (_, why) if !why.is_empty() => format!("`push`: {why}"),
                (true, _) => format!("`edge(condensing=off)`: {REPEATED}"),
                _ => String::new(),
            };
            let expected = if refused.is_empty() {
                String::new()
            } else {
                format!("{algorithm} on simt cannot run with {refused}")
            };
            assert_eq!(words(plan, algorithm, "simt", false), expected);
        }
    }

    #[test]
    fn an_algorithm_that_gpus_do_not_know_is_refused_there() {
        assert_eq!(words(Plan::Auto, "own", "cpu", false), "");
        assert_eq!(
            words(Plan::Auto, "own", "simt", false),
            "own on simt cannot run: it has no form for GPUs"
        );
    }

    #[test]
    fn filters_take_every_vertex_once() {
        let plan: Plan = "edge(condensing=off)".parse().unwrap();
        for algorithm in ["bc", "closeness", "scc", "kcore", "label-propagation"] {
            let expected = format!("{algorithm} on simt cannot run with `edge(condensing=off)`: {REPEATED}");
            assert_eq!(words(plan, algorithm, "simt", false), expected);
        }
    }

    fn words(plan: Plan, algorithm: &str, device: &str, deterministic: bool) -> String {
        plan.check(algorithm, device, Order::Natural, deterministic)
            .map_or_else(|e| e.to_string(), |()| String::new())
    }

    #[test]
    fn the_sampled_order_takes_plans_with_tiles_on_a_gpu() {
        let said = |plan: Plan, algorithm, device| match plan.check(algorithm, device, Order::Sampled, false)
        {
            Err(error) => (error.to_string(), error.help().unwrap_or_default()),
            Ok(()) => Default::default(),
        };
        for plan in Plan::ALL {
            let (what, help) = said(plan, "bfs", "cuda:0");
            match (plan.check("bfs", "cuda:0", Order::Natural, false), plan.balance()) {
                (Err(other), _) => assert_eq!(what, other.to_string()),
                (Ok(()), Some(balance)) if balance.has_tiles() => assert_eq!(what, ""),
                _ => {
                    let why = "it learns from the accesses of tiles";
                    assert_eq!(
                        what,
                        format!("bfs on cuda:0 cannot run in order `sampled` with plan {plan}: {why}")
                    );
                    assert_eq!(help, "use --plan tiled or --plan resident, or another order");
                }
            }
        }
        let (what, help) = said(Plan::Auto, "bfs", "cpu");
        assert_eq!(what, "bfs on cpu cannot run in order `sampled`: it is found by runs on a GPU");
        assert_eq!(help, "use --device cuda:0 and --plan tiled, or another order");
        let (what, help) = said(Plan::Auto, "mst", "simt");
        assert_eq!(
            what,
            "mst on simt cannot run in order `sampled`: it hooks trees along the lightest arc of each"
        );
        assert_eq!(help, "use another order");
    }

    #[test]
    fn the_whole_product_on_the_processor_runs_or_gives_its_exact_refusal() {
        for (algorithm, directions, why) in CPU {
            for plan in Plan::ALL {
                let expected = match (plan.balance(), plan.direction()) {
                    (Some(balance), _) => format!(
                        "{algorithm} on cpu cannot run with `{}`: balances share arcs among the threads of a GPU",
                        balance.name()
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
        for (algorithm, directions, _) in CPU {
            for plan in Plan::ALL {
                let (_, is_sum, why) = *GPU.iter().find(|(name, ..)| *name == algorithm).unwrap();
                let refusal =
                    |name: &str, why: &str| format!("{algorithm} on simt cannot run with `{name}`: {why}");
                let pushing = plan.balance().filter(Balance::only_pushes);
                let plain = match plan.direction() {
                    Some(Direction::Pull) if pushing.is_some() => {
                        let name = format!("pull+{}", pushing.unwrap());
                        refusal(&name, "it deals out the arcs of a frontier, which only pushing has")
                    }
                    Some(d) if !why.is_empty() && directions.contains(&d.to_string()) => {
                        refusal(&d.to_string(), why)
                    }
                    None if KERNELS.contains(&algorithm) => {
                        plan.balance().map_or_else(String::new, |balance| refusal(balance.name(), why))
                    }
                    _ => String::new(),
                };
                assert_eq!(words(plan, algorithm, "simt", false), plain, "{algorithm} {plan}");
                let strict = match (plan.direction(), plan.balance()) {
                    _ if !plain.is_empty() || !is_sum => plain,
                    (Some(Direction::Push), _) => refusal("push", PUSHED_SUM),
                    (_, None | Some(Balance::Node)) => String::new(),
                    (_, Some(balance)) => refusal(balance.name(), SHARED_SUM),
                };
                assert_eq!(words(plan, algorithm, "simt", true), strict, "{algorithm} {plan}, deterministic");
            }
        }
    }
}
