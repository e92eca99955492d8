//! Refuses plans that an algorithm, a device or an order does not accept. No other code refuses plans.

use super::{Ahead, Balance, Code, Direction, Directions, General, PathPlan, Plan, Residency, Rules};
use crate::{
    Approximation, Device, Options, Order, Result,
    error::Error,
    program::{Combine, Recorded, Traced, VertexProgram},
};
use std::sync::Arc;

const PUSHED_SUM: &str = "pushed sums are added up in any order, and the same bits were asked for";
const SHARED_SUM: &str =
    "threads that share a row add up their parts in any order, and the same bits were asked for";
const SHARED_ARCS: &str = "balances share arcs among the threads of a GPU";
const NO_RESIDENCY: &str = "a residency says where a GPU finds the edges";
const ALL_ARCS: &str = "its worklist needs a source for every arc in device memory";
const PLACES: &str = "it keeps the places of arcs in the edge array, and streamed rows change places";
const NO_FRONTIER: &str = "it reads edges without a frontier, and streamed sends the rows of a frontier";
const NO_PARTITIONS: &str = "it reads edges without a frontier, and ahead copies what a frontier reads";
const PULLS_IN_ORDER: &str =
    "a pull reads all rows in order, at the speed of the bus, so ahead gains nothing";
const SORTED_THERE: &str = "its rounds sort the edges in device memory";
const PULLED: &str = "it deals out the arcs of a frontier, which only pushing has";
const REPEATED: &str = "a vertex must be worked on once a superstep, and only condensing sees to that";
const ALL_AT_ONCE: &str = "a sum that does not declare DISTRIBUTES needs all messages of a superstep at once";
const FOUND: &str = "it is found by runs on a GPU";
const NO_PROGRAM: &str = "only programs run along paths, and it is none: one value per vertex, one monoid";
const APPLIED: &str = "it has an `apply` or `active` of its own, and mirrors only join what arrives";
const LIMITED: &str = "it ends after a number of supersteps, and walks along paths have none";
const IN_CHUNKS: &str = "chunks of paths are in device memory, instead of the edges";
const IN_STEPS: &str = "its functions are expressions, which run by supersteps";
const IN_BLOCKS: &str = "its functions are interpreted for blocks of the arcs of a frontier";
const SUMS_IN_ORDER: &str = "its functions are interpreted, and sums are added up in a fixed order";
const ANY_ORDER: &str = "walks along paths add up in any order, and the same bits were asked for";
const NOT_COMPARED: &str = "no measure of its error is defined";
const OTHER_EDGES: &str = "paths are made of the edges of the original graph";
const OTHER_TILES: &str = "it learns from runs on the original graph";
const RENUMBERS: &str = "it numbers the vertices itself";
const NOT_IN_PARTS: &str =
    "only programs run on several GPUs, and it is none: one value per vertex, one monoid";
const PULLED_IN_PARTS: &str =
    "on several GPUs, sums are pulled: each GPU reads the values of the others between sweeps";
const WHOLE_GRAPH: &str = "several GPUs share the graph as it is";
const OWN_MEMORY: &str = "on several GPUs, the edges of a part are in the memory of its GPU";
const ONCE_IN_PARTS: &str = "on several GPUs, a superstep may work on a vertex only once";
const BY_SUPERSTEPS: &str =
    "several GPUs exchange values between supersteps, and walks along paths have none";
const LEARNS: &str = "it learns from the accesses of tiles";

/// Which devices accept a question with its options. [`Rules::accept`] decides once; every later step reads it here.
#[derive(Debug, Clone, Default)]
pub struct Accepted {
    /// Why the CPU refuses; `None` if it accepts, or was not checked.
    pub cpu_refusal: Option<Arc<Error>>,
    /// Why GPUs refuse; `None` if they accept, or were not checked.
    pub gpu_refusal: Option<Arc<Error>>,
}

impl Rules {
    /// Returns the rules of a program: any direction, except for sums that cannot be pushed; along paths, if mirrors can join
    /// its messages in any order and as often as they arrive.
    pub fn of_program<P: VertexProgram>(program: &P) -> Self {
        let is_plain = || Traced::of(program).is_ok_and(|traced| traced.plain);
        let on_gpu = match (P::COMBINE, P::DISTRIBUTES) {
            (Combine::Sum, true) => General::Sum,
            (Combine::Sum, false) => General::SumAtOnce,
            _ if program.halt().limit().is_some() => General::Stepped(LIMITED),
            _ if !is_plain() => General::Stepped(APPLIED),
            _ => General::Program,
        };
        Self { name: P::NAME, on_cpu: Directions::AsGeneral, on_gpu, approximates: true, only_on_cpu: None }
    }

    /// Returns the rules of a recorded program: supersteps that push, or pull for sums, on the processor; any balance on a GPU.
    pub fn of_recorded(program: &Recorded) -> Self {
        let is_sum = program.kind().combine == Combine::Sum;
        let on_gpu = if is_sum { General::SumAtOnce } else { General::Stepped(IN_STEPS) };
        let on_cpu = match is_sum {
            true => Directions::Only(Direction::Pull, SUMS_IN_ORDER),
            false => Directions::Only(Direction::Push, IN_BLOCKS),
        };
        Self { name: program.kind().name, on_cpu, on_gpu, approximates: false, only_on_cpu: None }
    }

    /// Returns which devices accept a question, before any work. For [`Device::Auto`] it checks the CPU and the first
    /// GPU; at least one of them must accept.
    ///
    /// # Errors
    /// [`Error::Refused`] naming the two choices and why; for [`Device::Auto`] with the CPU's reason.
    pub fn accept(&self, device: Device, options: &Options) -> Result<Accepted> {
        if device != Device::Auto {
            return self.check(device, options).map(|()| Accepted::default());
        }
        match (self.check(Device::Cpu, options), self.check(Device::FIRST_GPU, options)) {
            (Err(refusal), Err(_)) => Err(refusal),
            (cpu, gpu) => {
                Ok(Accepted { cpu_refusal: cpu.err().map(Arc::new), gpu_refusal: gpu.err().map(Arc::new) })
            }
        }
    }

    /// Refuses choices that cannot be combined on a device other than [`Device::Auto`].
    ///
    /// # Errors
    /// [`Error::Refused`] naming the two choices and why.
    pub fn check(&self, device: Device, options: &Options) -> Result<()> {
        let cell = Cell { rules: self, device, plan: options.plan };
        self.check_one(&cell, options)?;
        if device.several().is_some() { cell.check_several(options) } else { Ok(()) }
    }

    /// Refuses what one device refuses.
    fn check_one(&self, cell: &Cell<'_>, options: &Options) -> Result<()> {
        let device = cell.device;
        cell.check_question()?;
        cell.check_balance()?;
        let Options { order, deterministic, .. } = *options;
        cell.check_approximation(options.approximation, order)?;
        if options.plan.paths().is_some() {
            return cell.check_paths(order, deterministic);
        }
        if !device.is_gpu() {
            cell.check_residency()?;
            cell.check_order(order)?;
            return match self.on_cpu {
                Directions::Both => Ok(()),
                Directions::Only(direction, why) => cell.check_direction(&[direction], why),
                Directions::Neither(why) => cell.check_direction(&[], why),
                Directions::AsGeneral => cell.check_general(deterministic),
            };
        }
        cell.check_edges(order)?;
        match self.on_gpu {
            General::Filters(why) | General::FilteredSum(why) => cell.check_direction(&[], why)?,
            General::Gather(why) => cell.check_direction(&[Direction::Pull], why)?,
            General::Kernels(why) => cell.check_kernels(why, order)?,
            General::Program | General::Stepped(_) | General::Sum | General::SumAtOnce => {}
        }
        cell.check_order(order)?;
        cell.check_general(deterministic)
    }
}

impl Approximation {
    /// Refuses an order that the approximation cannot start from; `name` is what was to run.
    ///
    /// # Errors
    /// [`Error::Refused`] naming both and why.
    pub fn check_order(self, name: &str, order: Order) -> Result<()> {
        let (why, help) = match order {
            Order::Sampled if !self.is_none() => (OTHER_TILES, "use another order, or leave --approx out"),
            order if self.renumbers() && order != Order::Natural => {
                (RENUMBERS, "leave --order out, or use --approx latency")
            }
            _ => return Ok(()),
        };
        let what = format!("{name} cannot run with --approx {self}: order {order}: {why}");
        Err(Error::Refused { what, help: help.to_owned() })
    }
}

/// One cell of the table of plans: an algorithm, a device and a plan.
struct Cell<'a> {
    rules: &'a Rules,
    device: Device,
    plan: Plan,
}

impl Cell<'_> {
    /// Refuses what the model `paths` cannot do: anything but programs that send changes or improve, edges that are not on
    /// the device, the order that learns from tiles, and sums in a fixed order.
    fn check_paths(&self, order: Order, deterministic: bool) -> Result<()> {
        let name = PathPlan::NAME;
        match self.rules.on_gpu {
            General::Program | General::Sum => {}
            General::SumAtOnce => return Err(self.refused(name, ALL_AT_ONCE, "pull")),
            General::Stepped(why) => return Err(self.refused(name, why, "bsp")),
            _ => return Err(self.refused(name, NO_PROGRAM, "auto")),
        }
        match self.plan.residency {
            Some(_) if !self.device.is_gpu() => self.check_residency()?,
            Some(residency) if residency != Residency::DEVICE => {
                return Err(self.refused(&format!("{name}+{residency}"), IN_CHUNKS, name));
            }
            _ => {}
        }
        self.check_order(order)?;
        if deterministic && self.rules.on_gpu == General::Sum {
            return Err(self.refused(name, ANY_ORDER, "pull"));
        }
        Ok(())
    }

    /// Refuses what several GPUs cannot do: anything but programs by supersteps, pushed sums, edges elsewhere, and graphs that
    /// change.
    fn check_several(&self, options: &Options) -> Result<()> {
        let is_sum = matches!(self.rules.on_gpu, General::Sum | General::SumAtOnce);
        if !is_sum && !matches!(self.rules.on_gpu, General::Program | General::Stepped(_)) {
            return Err(Error::Refused {
                what: format!("{} on {} cannot run: {NOT_IN_PARTS}", self.rules.name, self.device),
                help: format!(
                    "use one GPU; bfs, sssp, wcc, pagerank, adsorption and programs take up to {}",
                    crate::Group::MOST
                ),
            });
        }
        match self.plan.residency {
            _ if self.plan.paths().is_some() => {
                return Err(self.refused(PathPlan::NAME, BY_SUPERSTEPS, "bsp"));
            }
            Some(residency) if residency != Residency::DEVICE => {
                return Err(self.refused(&residency.to_string(), OWN_MEMORY, "device"));
            }
            _ => {}
        }
        if options.order == Order::Sampled {
            return Err(self.unordered(WHOLE_GRAPH, ""));
        }
        if !options.approximation.is_none() {
            return Err(Error::Refused {
                what: format!(
                    "{} on {} cannot run with --approx {}: {WHOLE_GRAPH}",
                    self.rules.name, self.device, options.approximation
                ),
                help: "leave --approx out, or use one GPU".to_owned(),
            });
        }
        if is_sum && self.plan.fixed_direction() == Some(Direction::Push) {
            return Err(self.refused("push", PULLED_IN_PARTS, "pull"));
        }
        match self.plan.balance() {
            Some(balance) if balance.repeats() => {
                Err(self.refused(&balance.to_string(), ONCE_IN_PARTS, "edge"))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a GPU for a question that only the processor answers.
    fn check_question(&self) -> Result<()> {
        match self.rules.only_on_cpu {
            Some(why) if self.device.is_gpu() => Err(Error::Refused {
                what: format!("{} on {} cannot answer this question: {why}", self.rules.name, self.device),
                help: "use --device cpu or auto".to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// Refuses an approximation where errors have no measure, along paths, and together with another order.
    fn check_approximation(&self, approximation: Approximation, order: Order) -> Result<()> {
        let name = self.rules.name;
        let (why, help) = match () {
            () if approximation.is_none() => return Ok(()),
            () if !self.rules.approximates => (NOT_COMPARED.to_owned(), "leave --approx out"),
            () if self.plan.paths().is_some() => {
                (format!("plan {}: {OTHER_EDGES}", self.plan), "use --plan bsp, or leave --approx out")
            }
            () => return approximation.check_order(name, order),
        };
        let what = format!("{name} cannot run with --approx {approximation}: {why}");
        Err(Error::Refused { what, help: help.to_owned() })
    }

    /// Refuses directions, balances and the order that learns from tiles: kernels without frontiers have no use for
    /// them.
    fn check_kernels(&self, why: &str, order: Order) -> Result<()> {
        self.check_direction(&[], why)?;
        match self.plan.balance() {
            Some(balance) => Err(self.refused(balance.name(), why, "auto")),
            None if order == Order::Sampled => Err(self.unordered(why, "")),
            None => Ok(()),
        }
    }

    /// Refuses what the general form cannot do: repeated vertices, pushed sums, sums without a fixed order.
    fn check_general(&self, deterministic: bool) -> Result<()> {
        let general = self.rules.on_gpu;
        if general == General::SumAtOnce && self.plan.fixed_direction() == Some(Direction::Push) {
            let name = self.plan.balance().filter(Balance::only_pushes).map_or("push", |b| b.name());
            return Err(self.refused(name, ALL_AT_ONCE, "pull"));
        }
        if !matches!(general, General::Program | General::Stepped(_)) {
            self.check_once()?;
        }
        match general {
            General::Sum | General::SumAtOnce | General::FilteredSum(_) => self.check_sum(deterministic),
            _ => Ok(()),
        }
    }

    fn check_direction(&self, allowed: &[Direction], why: &str) -> Result<()> {
        match self.plan.direction() {
            Some(direction) if !allowed.contains(&direction) => {
                let other = allowed.first().map_or_else(|| "auto".to_owned(), ToString::to_string);
                Err(self.refused(&direction.to_string(), why, &other))
            }
            _ => Ok(()),
        }
    }

    /// Refuses balances on the CPU, and pulling with a balance that only pushes.
    fn check_balance(&self) -> Result<()> {
        let Some(balance) = self.plan.balance() else { return Ok(()) };
        if !self.device.is_gpu() {
            return Err(self.refused(balance.name(), SHARED_ARCS, "auto"));
        }
        if balance.only_pushes() && self.plan.direction() == Some(Direction::Pull) {
            let name = format!("pull+{}", balance.name());
            return Err(self.refused(&name, PULLED, &balance.to_string()));
        }
        Ok(())
    }

    /// Refuses residencies on the CPU, where the edges are always in host memory.
    fn check_residency(&self) -> Result<()> {
        match self.plan.residency {
            Some(residency) => Err(self.refused(residency.name(), NO_RESIDENCY, "auto")),
            None => Ok(()),
        }
    }

    /// Refuses what a residency on a GPU cannot do: worklists of arcs and sorting without edges on the device, and
    /// streaming without rows of a frontier.
    fn check_edges(&self, order: Order) -> Result<()> {
        let Some(residency) = self.plan.residency else { return Ok(()) };
        let name = residency.to_string();
        if order == Order::Sampled && !(residency.is_on_device() && residency.code() == Code::Plain) {
            return Err(self.unordered(&format!("{SORTED_THERE}, and the plan says `{name}`"), ""));
        }
        let is_streamed = residency == Residency::Streamed;
        if is_streamed && matches!(self.rules.on_gpu, General::Kernels(_)) {
            return Err(self.refused(&name, NO_FRONTIER, "zero-copy"));
        }
        if residency.ahead() != Ahead::Off {
            if matches!(self.rules.on_gpu, General::Kernels(_)) {
                return Err(self.refused(&name, NO_PARTITIONS, "zero-copy"));
            }
            if self.plan.direction() == Some(Direction::Pull) {
                return Err(self.refused(&format!("pull+{name}"), PULLS_IN_ORDER, "pull+zero-copy"));
            }
        }
        match self.plan.balance() {
            Some(balance @ Balance::Edge { .. }) if !residency.is_on_device() => {
                Err(self.refused(&format!("{}+{name}", balance.name()), ALL_ARCS, &format!("tiled+{name}")))
            }
            Some(balance) if is_streamed && balance.keeps_places() => {
                Err(self.refused(&format!("{}+{name}", balance.name()), PLACES, "tiled+streamed"))
            }
            _ => Ok(()),
        }
    }

    /// Refuses the order `sampled` for runs that it cannot learn from.
    fn check_order(&self, order: Order) -> Result<()> {
        if order != Order::Sampled {
            return Ok(());
        }
        if !self.device.is_gpu() {
            return Err(self.unordered(FOUND, "--device cuda:0 and --plan tiled, or "));
        }
        if self.plan.balance().is_some_and(|balance| balance.has_tiles()) {
            return Ok(());
        }
        let (name, device, plan) = (self.rules.name, self.device, self.plan);
        let what = format!("{name} on {device} cannot run in order `sampled` with plan {plan}: {LEARNS}");
        let help = "use --plan tiled or --plan resident, or another order".to_owned();
        Err(Error::Refused { what, help })
    }

    /// Refuses repeated vertices, which only programs whose values improve monotonically tolerate.
    fn check_once(&self) -> Result<()> {
        match self.plan.balance() {
            Some(balance) if balance.repeats() => Err(self.refused(&balance.to_string(), REPEATED, "edge")),
            _ => Ok(()),
        }
    }

    /// Refuses plans that add in no fixed order, if the run must return the same bits.
    fn check_sum(&self, deterministic: bool) -> Result<()> {
        if !deterministic {
            return Ok(());
        }
        if self.plan.direction() == Some(Direction::Push) {
            return Err(self.refused("push", PUSHED_SUM, "pull"));
        }
        match self.plan.balance() {
            None | Some(Balance::Node) => Ok(()),
            Some(balance) => Err(self.refused(balance.name(), SHARED_SUM, "node")),
        }
    }

    fn refused(&self, name: &str, why: &str, other: &str) -> Error {
        Error::Refused {
            what: format!("{} on {} cannot run with `{name}`: {why}", self.rules.name, self.device),
            help: format!("use --plan {other}, or leave --plan out"),
        }
    }

    fn unordered(&self, why: &str, instead: &str) -> Error {
        Error::Refused {
            what: format!("{} on {} cannot run in order `sampled`: {why}", self.rules.name, self.device),
            help: format!("use {instead}another order"),
        }
    }
}

#[cfg(test)]
mod tests;
