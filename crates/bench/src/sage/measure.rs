//! All of one graph: it is brought into one order after the other, and every cell of an order is measured before the next; those of one
//! algorithm in turn, unless the order is learnt from one to the next. A cell that cannot run, or an order that cannot be made, says why; it ends
//! nothing but itself.

use super::{
    Choice, Held, Part, Question, Wanted, beside,
    cells::{Ran, Starts, Subject},
    report::Cell,
    rounds,
    seen::{First, Kept, Making, RoundSeen, Tiling},
    suite,
    turns::in_turn,
    wanted::by_order,
};
use crate::{halo, result::Failure, units};
use serde_json::Value;
use std::time::Duration;
use warpgraph::{Control, Engine, Error, Graph, Loaded, Order, Result};

/// How to measure.
#[derive(Clone, Copy)]
pub struct How<'a> {
    /// Timed runs, at least 1.
    pub runs: u64,
    /// Untimed runs before them, beside the one that is verified.
    pub warmup: u64,
    /// What sources and drawn orders are drawn from.
    pub seed: u64,
    /// Start no further run of a cell after this long, that of other cells aside; a run under way may take twice as long.
    pub case_limit: Duration,
    /// Give up an order after this long.
    pub order_limit: Duration,
    /// Cancel flag, deadline, progress.
    pub control: &'a Control,
    /// Is told what is being done, a line at a time.
    pub say: &'a (dyn Fn(&str) + Sync),
}

impl std::fmt::Debug for How<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("How").field("runs", &self.runs).field("warmup", &self.warmup).finish_non_exhaustive()
    }
}

/// What came of a graph. Which one it is, the caller knows.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    /// Orders that were made.
    pub orders: Vec<Making>,
    /// Its cells.
    pub cells: Vec<Cell>,
    /// What electing tiles costs.
    pub tilings: Vec<Tiling>,
    /// Tiles that are met again.
    pub tiles: Vec<Kept>,
    /// First runs.
    pub firsts: Vec<First>,
}

/// Measures all cells of a graph, and what stands beside them.
///
/// # Errors
/// Only when the whole measurement must stop: it was interrupted, its time is over, or the graph cannot be loaded.
pub fn measure(
    engine: &Engine,
    graph: &Graph,
    asked: &suite::Asked,
    choice: &Choice,
    how: &How<'_>,
) -> Result<Measured> {
    let natural = engine.load_as_stored(graph)?;
    let starts = Starts::find(graph, &natural, how)?;
    let mut bench = Bench {
        engine,
        graph,
        asked,
        choice,
        how,
        natural,
        starts,
        total: choice.wanted(asked.planted.is_some()).len(),
        done: Measured::default(),
    };
    for (order, cells) in bench.groups() {
        bench.order(order, cells)?;
    }
    let Bench { natural, starts, mut done, .. } = bench;
    let beside = beside::Beside { engine, graph, asked, choice, how, natural: &natural, starts: &starts };
    (done.tilings, done.tiles, done.firsts) = (beside.tilings()?, beside.tiles()?, beside.firsts()?);
    Ok(done)
}

struct Bench<'a> {
    engine: &'a Engine,
    graph: &'a Graph,
    asked: &'a suite::Asked,
    choice: &'a Choice,
    how: &'a How<'a>,
    natural: Loaded,
    starts: Starts<'a>,
    total: usize,
    done: Measured,
}

impl Bench<'_> {
    /// Orders with their cells; those of table 2 alone have none.
    fn groups(&self) -> Vec<(Held, Vec<Wanted>)> {
        let is_planted = self.asked.planted.is_some();
        let groups = by_order(self.choice.wanted(is_planted));
        let mut groups: Vec<(Held, Vec<Wanted>)> =
            groups.into_iter().map(|cells| (cells[cells.len() - 1].order, cells)).collect();
        if self.choice.has(Part::Table2) {
            for order in self.choice.orders_made() {
                if !groups.iter().any(|(other, _)| other.is_made_with(order)) {
                    groups.push((order, Vec::new()));
                }
            }
        }
        groups
    }

    /// All cells of an order, the last stage of which is told.
    fn order(&mut self, order: Held, cells: Vec<Wanted>) -> Result<()> {
        let before = self.done.cells.len();
        let made = match order {
            Held::Order(Order::Natural) => self.natural(&cells),
            Held::Order(other) => self.made(other, &cells),
            Held::Sampled(rounds) => self.sampled(rounds, &cells),
            Held::Planted => self.planted(&cells),
        };
        match made {
            Ok(()) => Ok(()),
            Err(error) if self.how.control.should_stop() => Err(error),
            Err(error) => {
                let left = &cells[self.done.cells.len() - before..];
                self.failed(order, left, &halo::explained(&error, self.how.order_limit));
                Ok(())
            }
        }
    }

    /// The cells that are left cannot be measured.
    fn failed(&mut self, order: Held, cells: &[Wanted], failure: &Failure) {
        let name = match order {
            Held::Sampled(_) => Order::Sampled.to_string(),
            other => other.to_string(),
        };
        (self.how.say)(&format!("  {name}: {}", failure.message));
        self.done.orders.push(Making { order: name, error: Some(failure.clone()), ..self.making() });
        let blank = cells.iter().map(|wanted| Cell { error: Some(failure.clone()), ..self.blank(wanted) });
        let blank: Vec<Cell> = blank.collect();
        self.done.cells.extend(blank);
    }

    fn natural(&mut self, cells: &[Wanted]) -> Result<()> {
        let loaded = self.natural.clone();
        self.by_question(cells, &loaded, None)
    }

    fn made(&mut self, order: Order, cells: &[Wanted]) -> Result<()> {
        let how = self.how;
        (how.say)(&format!("{} into the order {order}", self.asked.name));
        let made = halo::ordered(self.engine, self.graph, order, (how.seed, how.order_limit), how.control)?;
        let loaded = self.engine.load_as_stored(&made.graph)?;
        let (seconds, renumber) = made.ordering.map(|o| (o.seconds, o.renumber)).unzip();
        let memory = made.ordering.and_then(|ordering| ordering.memory);
        self.done.orders.push(Making {
            order: order.to_string(),
            seconds,
            renumber,
            memory,
            ..self.making()
        });
        self.by_question(cells, &loaded, None)
    }

    /// Stage after stage on one handle, which learns between them and not while a cell is measured.
    fn sampled(&mut self, last: u32, cells: &[Wanted]) -> Result<()> {
        let loaded = self.engine.load_with(self.graph, Order::Sampled, self.how.seed, self.how.control)?;
        for (place, wanted) in cells.iter().enumerate() {
            let Held::Sampled(rounds) = wanted.order else { continue };
            if place == 0 || cells[place - 1].order != wanted.order {
                self.learn(&loaded, rounds)?;
            }
            self.cells(&cells[place..=place], &loaded, None)?;
        }
        if cells.is_empty() {
            self.learn(&loaded, last)?;
        }
        let made: Vec<RoundSeen> = rounds::made(&loaded).0.iter().map(RoundSeen::from).collect();
        let sum = |of: fn(&RoundSeen) -> f64| (!made.is_empty()).then(|| made.iter().map(of).sum());
        self.done.orders.push(Making {
            order: Order::Sampled.to_string(),
            seconds: sum(|round| round.sampling_seconds),
            renumber: sum(|round| round.renumbering_seconds),
            rounds: made,
            ..self.making()
        });
        Ok(())
    }

    /// Asks the first algorithm by the last plan until so many rounds are made.
    fn learn(&self, loaded: &Loaded, rounds: u32) -> Result<()> {
        let question = self.choice.questions().first().copied().unwrap_or(Question::Bfs);
        let plan = question.plan(self.choice.last_plan());
        (self.how.say)(&format!("{} by {rounds} rounds of sampled", self.asked.name));
        let subject = self.subject(loaded, question, plan);
        rounds::learn(loaded, rounds, self.how.order_limit, |number| {
            let refused = |failure: Failure| Error::Refused {
                what: failure.message,
                help: failure.help.unwrap_or_default(),
            };
            self.how.control.check("learning an order")?;
            subject.ask(number, false, self.how).map(|_| ()).map_err(refused)
        })?;
        Ok(())
    }

    fn planted(&mut self, cells: &[Wanted]) -> Result<()> {
        let Some(spec) = self.asked.planted.as_ref().filter(|_| !cells.is_empty()) else { return Ok(()) };
        (self.how.say)(&format!("generating {spec}"));
        let graph = spec.generate(self.how.control)?;
        let loaded = self.engine.load_as_stored(&graph)?;
        let starts = Starts::find(&graph, &loaded, self.how)?;
        self.by_question(cells, &loaded, Some(&starts))
    }

    fn subject<'b>(&'b self, loaded: &'b Loaded, question: Question, plan: warpgraph::Plan) -> Subject<'b> {
        Subject { loaded, starts: &self.starts, question, plan, prices: false, is_one_source: false }
    }

    /// Cells in which the graph stays as it is, those of one algorithm in turn.
    fn by_question(&mut self, cells: &[Wanted], loaded: &Loaded, starts: Option<&Starts<'_>>) -> Result<()> {
        let mut groups = cells.chunk_by(|one, next| one.question == next.question);
        groups.try_for_each(|group| self.cells(group, loaded, starts))
    }

    /// Cells that are timed in turn, from sources of their own where the graph is another one.
    fn cells(&mut self, cells: &[Wanted], loaded: &Loaded, starts: Option<&Starts<'_>>) -> Result<()> {
        let made = || rounds::made(loaded).0.len() as u32;
        let before = made();
        let ran = self.runs(cells, loaded, starts.unwrap_or(&self.starts))?;
        for (wanted, ran) in cells.iter().zip(ran) {
            let mut cell = self.cell(wanted, ran);
            cell.rounds_made = matches!(wanted.order, Held::Sampled(_)).then(|| (before, made()));
            self.done.cells.push(cell);
        }
        Ok(())
    }

    fn runs(
        &self,
        cells: &[Wanted],
        loaded: &Loaded,
        starts: &Starts<'_>,
    ) -> Result<Vec<Result<Ran, Failure>>> {
        let how = self.how;
        let asking = (self.done.cells.len() + 1..).zip(cells).map(|(number, wanted)| {
            self.announce(number, wanted);
            let subject = Subject { starts, ..self.subject(loaded, wanted.question, wanted.plan) };
            move |number, verify| subject.ask(number, verify, how)
        });
        in_turn(asking, how)
    }

    fn announce(&self, number: usize, wanted: &Wanted) {
        (self.how.say)(&format!(
            "[{number}/{}] {} on {} by {}, order {}",
            self.total, wanted.question, self.asked.name, wanted.plan, wanted.order
        ));
    }

    /// A cell of what its runs gave.
    fn cell(&self, wanted: &Wanted, ran: Result<Ran, Failure>) -> Cell {
        let mut cell = self.blank(wanted);
        match ran {
            Ok(ran) => cell.fill(ran),
            Err(failure) => cell.error = Some(failure),
        }
        if let (Some(median), Some(speed)) = (cell.median(), cell.speed) {
            let verified = cell.verify.as_deref().unwrap_or("not verified");
            let (plan, time) = (wanted.plan, units::seconds(median));
            let line =
                format!("  {plan}: {time} a {}, {speed:.2} billion arcs a second, {verified}", cell.per);
            (self.how.say)(&line);
        }
        cell
    }

    fn making(&self) -> Making {
        Making { graph: self.asked.name.clone(), ..Making::default() }
    }

    fn blank(&self, wanted: &Wanted) -> Cell {
        Cell {
            graph: self.asked.name.clone(),
            hash: String::new(),
            parts: wanted.parts.clone(),
            algorithm: wanted.question,
            config: Value::Null,
            order: wanted.order,
            rounds_made: None,
            plan_asked: wanted.plan.to_string(),
            plan: None,
            per: wanted.question.per().to_owned(),
            runs: Vec::new(),
            kernels: Vec::new(),
            seconds: None,
            arcs: None,
            speed: None,
            supersteps: None,
            outliers: 0,
            prepare: 0.0,
            verify: None,
            error: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::{Device, Plan};

    fn choice(parts: &[Part], orders: &[Order]) -> Choice {
        Choice {
            parts: parts.to_vec(),
            questions: vec![Question::Bfs, Question::PageRank],
            // What the processor takes too: what is measured here does not depend on the device.
            plans: vec![Plan::AUTO],
            orders: orders.to_vec(),
            rounds: 2,
        }
    }

    fn measured(text: &str, choice: &Choice, order_limit: u64) -> Measured {
        measured_aloud(text, choice, order_limit, &|_| ())
    }

    fn measured_aloud(
        text: &str,
        choice: &Choice,
        order_limit: u64,
        say: &(dyn Fn(&str) + Sync),
    ) -> Measured {
        measured_on(&Engine::on(Device::Cpu, Some(1)).unwrap(), text, choice, order_limit, say)
    }

    fn measured_on(
        engine: &Engine,
        text: &str,
        choice: &Choice,
        order_limit: u64,
        say: &(dyn Fn(&str) + Sync),
    ) -> Measured {
        let control = Control::new();
        let asked = suite::Asked::read(text);
        let graph = asked.source.parse::<warpgraph::graph::generate::Spec>().unwrap();
        let graph = graph.generate(&control).unwrap();
        let (case_limit, order_limit) = (Duration::from_secs(60), Duration::from_secs(order_limit));
        let how = How { runs: 3, warmup: 1, seed: 5, case_limit, order_limit, control: &control, say };
        measure(engine, &graph, &asked, choice, &how).unwrap()
    }

    #[test]
    fn every_order_has_its_cells_and_one_that_cannot_be_made_says_why() {
        let orders = [Order::Natural, Order::Rcm, Order::Sampled];
        let all = measured("community:8,shuffle", &choice(&[Part::Fig6], &orders), 60);
        let held: Vec<String> = all.cells.iter().map(|cell| cell.order.to_string()).collect();
        let expected = ["natural", "rcm", "sampled(rounds=1)", "sampled(rounds=2)", "planted"];
        assert_eq!(held, expected.map(|order| [order; 2]).concat());
        for cell in &all.cells {
            match cell.order {
                // The processor has no tiles to learn from.
                Held::Sampled(_) if cell.error.is_some() => assert!(cell.seconds.is_none(), "{cell:?}"),
                _ => {
                    assert_eq!((&cell.error, cell.verify.as_deref()), (&None, Some("passed")), "{cell:?}");
                    assert!(cell.runs.len() == 3 && cell.speed.unwrap() > 0.0, "{cell:?}");
                }
            }
        }
        let rank = all.cells.iter().find(|cell| cell.algorithm == Question::PageRank).unwrap();
        let sweeps = rank.supersteps.unwrap() as f64;
        assert!(
            (rank.seconds.unwrap().min * sweeps - rank.runs.iter().copied().fold(1e9, f64::min)).abs() < 1e-9
        );
        let made: Vec<&str> = all.orders.iter().map(|making| making.order.as_str()).collect();
        assert_eq!((made, &all.orders[0].error), (vec!["rcm", "sampled"], &None));
        let is_refused = |cell: &Cell| matches!(cell.order, Held::Sampled(_)) && cell.error.is_some();
        assert_eq!(all.orders[1].error.is_some(), all.cells.iter().any(is_refused));
    }

    #[test]
    fn all_plans_of_an_algorithm_are_begun_before_any_is_done_and_one_that_is_refused_is_alone() {
        let plans = ["auto", "node", "bsp"].map(|plan| plan.parse().unwrap()).to_vec();
        let choice = Choice { plans, ..choice(&[Part::Fig10], &[Order::Natural]) };
        let said = std::sync::Mutex::new(Vec::new());
        let all = measured_aloud("kron:6", &choice, 60, &|line| said.lock().unwrap().push(line.to_owned()));
        let kinds: Vec<Option<&str>> =
            all.cells.iter().map(|cell| cell.error.as_ref().map(|error| error.kind.as_str())).collect();
        assert_eq!(kinds, [[None, Some("refused"), None]; 2].concat());
        let said = said.into_inner().unwrap();
        let first = |line: &String| line.trim_start().split([' ', ':']).next().map(str::to_owned);
        let firsts: Vec<String> = said.iter().filter_map(first).collect();
        let bfs = ["[1/6]", "[2/6]", "[3/6]", "auto", "bsp+push"];
        assert_eq!(firsts, [bfs, ["[4/6]", "[5/6]", "[6/6]", "auto", "bsp"]].concat());
    }

    #[test]
    fn no_round_is_made_while_a_stage_is_timed() {
        let Ok(engine) = Engine::on(Device::Simt, Some(1)).inspect_err(|error| println!("skipped: {error}"))
        else {
            return;
        };
        let plans = vec!["resident".parse().unwrap()];
        let choice = Choice { plans, rounds: 3, ..choice(&[Part::Fig6], &[Order::Sampled]) };
        let all = measured_on(&engine, "community:9,size=32,mix=0.1,shuffle", &choice, 60, &|_| ());
        let made: Vec<Option<(u32, u32)>> = all.cells.iter().map(|cell| cell.rounds_made).collect();
        let stages = [1, 2, 3].map(|rounds| [Some((rounds, rounds)); 2]).concat();
        assert_eq!(made, [stages, vec![None; 2]].concat(), "by bfs and pagerank; the planted order has none");
        assert!(all.cells.iter().all(|cell| cell.error.is_none()), "{:?}", all.cells);
        assert_eq!((all.orders[0].rounds.len(), &all.orders[0].error), (3, &None));
    }

    #[test]
    fn table_2_alone_makes_orders_and_measures_nothing() {
        let all = measured("kron:7", &choice(&[Part::Table2], &[Order::Natural, Order::Rcm]), 60);
        assert!(all.cells.is_empty() && all.orders.len() == 1 && all.orders[0].seconds.is_some());
        let late = measured("kron:12", &choice(&[Part::Table2], &[Order::Rcm]), 0);
        assert_eq!(late.orders[0].error.as_ref().unwrap().message, "takes over 0 s");
    }

    #[test]
    fn what_stands_beside_is_measured_where_it_is_wanted() {
        let all = measured("grid:9x9", &choice(&[Part::First], &[]), 60);
        assert!(all.cells.is_empty() && all.tilings.is_empty() && all.tiles.is_empty());
        let [by_plan, by_choice] = &all.firsts[..] else { panic!("{:?}", all.firsts) };
        assert!(by_plan.first.unwrap() > 0.0 && by_plan.ratio().unwrap() > 0.0, "{by_plan:?}");
        assert_eq!((by_choice.plan.as_str(), by_choice.later.is_some()), ("bsp+push", true));
        let refused = measured("grid:9x9", &choice(&[Part::Tiles, Part::Table3], &[]), 60);
        let kinds =
            [&refused.tiles[0].error, &refused.tilings[0].error].map(|e| e.as_ref().unwrap().kind.as_str());
        assert_eq!(kinds, ["refused"; 2], "the processor has no tiles");
    }

    #[test]
    fn an_interrupt_ends_all() {
        let control = Control::new();
        control.cancel();
        let asked = suite::Asked::read("kron:5");
        let graph = "kron:5".parse::<warpgraph::graph::generate::Spec>().unwrap();
        let graph = graph.generate(&Control::new()).unwrap();
        let engine = Engine::on(Device::Cpu, Some(1)).unwrap();
        let limit = Duration::from_secs(60);
        let how = How {
            runs: 1,
            warmup: 0,
            seed: 1,
            case_limit: limit,
            order_limit: limit,
            control: &control,
            say: &|_| (),
        };
        assert!(measure(&engine, &graph, &asked, &choice(&[], &[]), &how).is_err());
    }
}
