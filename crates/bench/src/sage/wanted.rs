//! What is to be measured: the parts that were chosen, as cells. A cell of several parts is one.

use super::{Held, Part, Question};
use std::collections::BTreeMap;
use warpgraph::{Balance, Order, Plan};

/// Rounds after which figure 6 looks at `sampled`, beside the last.
const STAGES: [u32; 3] = [1, 2, 5];
const GORDER: &str = "gorder";

/// What was chosen. What is empty is as in the paper.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Only these parts.
    pub parts: Vec<Part>,
    /// Only these algorithms.
    pub questions: Vec<Question>,
    /// Steps of the ablation: plans, the last of which also meets every order.
    pub plans: Vec<Plan>,
    /// Orders; steps of the ablation after the first one.
    pub orders: Vec<Order>,
    /// Rounds of `sampled`.
    pub rounds: u32,
}

/// A cell before it is measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The order.
    pub order: Held,
    /// The algorithm.
    pub question: Question,
    /// The plan.
    pub plan: Plan,
    /// The parts it is of, and the place it has in each.
    pub parts: BTreeMap<Part, usize>,
}

impl Choice {
    /// Is a part wanted?
    pub fn has(&self, part: Part) -> bool {
        self.parts.is_empty() || self.parts.contains(&part)
    }

    /// The algorithms of figures.
    pub fn questions(&self) -> Vec<Question> {
        match self.questions.is_empty() {
            true => Question::OF_THE_PAPER.to_vec(),
            false => self.questions.clone(),
        }
    }

    /// The plans of the ablation, before they are fitted to an algorithm.
    pub fn plans(&self) -> Vec<Plan> {
        let default = [Balance::Node, Balance::TILED, Balance::RESIDENT];
        match self.plans.is_empty() {
            true => default.map(|balance| Plan::bsp(None).by(Some(balance))).to_vec(),
            false => self.plans.clone(),
        }
    }

    /// Those of [`Choice::plans`] that go by a kind of balance, or that balance by default.
    pub(super) fn plans_like(&self, is_like: impl Fn(&Balance) -> bool, default: Balance) -> Vec<Plan> {
        let like: Vec<Plan> =
            self.plans().into_iter().filter(|plan| plan.balance().as_ref().is_some_and(&is_like)).collect();
        match like.is_empty() {
            true => vec![Plan::bsp(None).by(Some(default))],
            false => like,
        }
    }

    /// The last step of the ablation's plans, which meets every order.
    pub(super) fn last_plan(&self) -> Plan {
        self.plans().last().copied().unwrap_or_default()
    }

    fn held(&self, order: Order) -> Held {
        if order == Order::Sampled { Held::Sampled(self.rounds) } else { Held::Order(order) }
    }

    /// The orders of figure 6 and table 2.
    pub(super) fn orders(&self, is_planted: bool) -> Vec<Held> {
        let orders = match self.orders.is_empty() {
            true => vec![Order::Natural, Order::Sampled, Order::Rcm, Order::Llp, gorder()],
            false => self.orders.clone(),
        };
        let stages = || STAGES.into_iter().filter(|&rounds| rounds < self.rounds).chain([self.rounds]);
        let all = orders.into_iter().flat_map(|order| match order {
            Order::Sampled => stages().map(Held::Sampled).collect(),
            order => vec![Held::Order(order)],
        });
        all.chain(is_planted.then_some(Held::Planted)).collect()
    }

    /// The orders of table 2: `sampled` once.
    pub(super) fn orders_made(&self) -> Vec<Held> {
        let is_last = |order: &Held| !matches!(order, Held::Sampled(rounds) if *rounds < self.rounds);
        self.orders(false).into_iter().filter(is_last).collect()
    }

    /// The steps of the ablation: plans in the first order, then the last plan in the others.
    fn steps(&self) -> Vec<(Held, Plan)> {
        let orders = match self.orders.is_empty() {
            true => vec![Order::Natural, Order::Sampled],
            false => self.orders.clone(),
        };
        let (first, rest) =
            orders.split_first().map_or((Order::Natural, &[][..]), |(first, rest)| (*first, rest));
        let plans = self.plans().into_iter().map(|plan| (self.held(first), plan));
        plans.chain(rest.iter().map(|&order| (self.held(order), self.last_plan()))).collect()
    }

    /// All cells of a graph. `is_planted`: the order before the vertices were shuffled is known.
    pub fn wanted(&self, is_planted: bool) -> Vec<Wanted> {
        let mut all = Vec::new();
        for question in self.questions() {
            self.figures(question, is_planted, &mut all);
        }
        let judged = Question::PROGRAMS.into_iter();
        let judged = judged.filter(|q| self.questions.is_empty() || self.questions.contains(q));
        for question in judged.filter(|_| self.has(Part::Auto)) {
            for plan in balances(question) {
                add(&mut all, Part::Auto, (Held::NATURAL, question, plan));
            }
        }
        all
    }

    fn figures(&self, question: Question, is_planted: bool, all: &mut Vec<Wanted>) {
        let mut add = |part: Part, order: Held, plan: Plan| {
            if self.has(part) {
                add(all, part, (order, question, question.plan(plan)));
            }
        };
        self.steps().into_iter().for_each(|(order, plan)| add(Part::Fig10, order, plan));
        self.orders(is_planted).into_iter().for_each(|order| add(Part::Fig6, order, self.last_plan()));
        for order in [Held::NATURAL, Held::Order(gorder())] {
            balances(question).for_each(|plan| add(Part::Fig7, order, plan));
        }
    }
}

/// The order that figure 7 holds balances in a second time.
pub(super) fn gorder() -> Order {
    Order::ALL.into_iter().find(|order| order.name() == GORDER).unwrap_or_default()
}

/// Every balance, and the engine's choice of them.
fn balances(question: Question) -> impl Iterator<Item = Plan> {
    Balance::ALL.map(Some).into_iter().chain([None]).map(move |balance| question.balanced(balance))
}

fn add(all: &mut Vec<Wanted>, part: Part, (order, question, plan): (Held, Question, Plan)) {
    let place = all.iter().filter(|cell| cell.question == question && cell.parts.contains_key(&part)).count();
    let is_same = |cell: &&mut Wanted| (cell.order, cell.question, cell.plan) == (order, question, plan);
    match all.iter_mut().find(is_same) {
        Some(cell) => {
            cell.parts.entry(part).or_insert(place);
        }
        None => all.push(Wanted { order, question, plan, parts: BTreeMap::from([(part, place)]) }),
    }
}

/// Cells by the order they are held in, in the order they are first met, and in an order by algorithm; stages of `sampled` together, by
/// their rounds.
pub(super) fn by_order(cells: Vec<Wanted>) -> Vec<Vec<Wanted>> {
    let mut groups: Vec<Vec<Wanted>> = Vec::new();
    for cell in cells {
        match groups.iter_mut().find(|group| group[0].order.is_made_with(cell.order)) {
            Some(group) => group.push(cell),
            None => groups.push(vec![cell]),
        }
    }
    for group in &mut groups {
        let met: Vec<Question> = group.iter().map(|cell| cell.question).collect();
        group.sort_by_key(|cell| match cell.order {
            Held::Sampled(rounds) => Some(rounds as usize),
            _ => met.iter().position(|question| *question == cell.question),
        });
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(parts: &[Part]) -> Choice {
        Choice { parts: parts.to_vec(), rounds: 10, ..Choice::default() }
    }

    fn texts(cells: &[Wanted], part: Part, question: Question) -> Vec<String> {
        let mut of: Vec<&Wanted> =
            cells.iter().filter(|cell| cell.question == question && cell.parts.contains_key(&part)).collect();
        of.sort_by_key(|cell| cell.parts[&part]);
        of.iter().map(|cell| format!("{} {}", cell.order, cell.plan)).collect()
    }

    #[test]
    fn the_ablation_adds_one_technique_a_step() {
        let cells = choice(&[Part::Fig10]).wanted(false);
        let steps = texts(&cells, Part::Fig10, Question::Bfs);
        let expected = [
            "natural bsp+push+node",
            "natural bsp+push+tiled",
            "natural bsp+push+resident",
            "sampled(rounds=10) bsp+push+resident",
        ];
        assert_eq!(steps, expected);
        assert_eq!(texts(&cells, Part::Fig10, Question::PageRank)[0], "natural bsp+node");
        assert_eq!(cells.len(), 12);
    }

    #[test]
    fn switches_replace_steps() {
        let plans = ["tiled(align=off)", "tiled"].map(|text| text.parse().unwrap()).to_vec();
        let orders = vec![Order::Rcm, Order::Natural, Order::Sampled];
        let choice =
            Choice { plans, orders, questions: vec![Question::Bc], ..choice(&[Part::Fig10, Part::Fig6]) };
        let cells = choice.wanted(true);
        let steps = texts(&cells, Part::Fig10, Question::Bc);
        let expected = [
            "rcm bsp+tiled(align=off)",
            "rcm bsp+tiled",
            "natural bsp+tiled",
            "sampled(rounds=10) bsp+tiled",
        ];
        assert_eq!(steps, expected);
        let orders: Vec<String> =
            texts(&cells, Part::Fig6, Question::Bc).iter().map(|t| t.replace(" bsp+tiled", "")).collect();
        let sampled = [1, 2, 5, 10].map(|rounds| format!("sampled(rounds={rounds})"));
        let expected: Vec<String> =
            ["rcm", "natural"].map(str::to_owned).into_iter().chain(sampled).collect();
        assert_eq!(orders[..6], expected);
        assert_eq!(orders[6], "planted");
    }

    #[test]
    fn a_cell_of_several_parts_is_measured_once() {
        let all = choice(&[]).wanted(false);
        let device_graph = |cell: &&Wanted| {
            cell.order == Held::NATURAL
                && cell.plan.to_string() == "bsp+push+resident"
                && cell.question == Question::Bfs
        };
        let found: Vec<&Wanted> = all.iter().filter(device_graph).collect();
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].parts.keys().copied().collect::<Vec<_>>(),
            [Part::Fig10, Part::Fig6, Part::Fig7, Part::Auto]
        );
        assert_eq!(texts(&all, Part::Auto, Question::Sssp).len(), 8);
        assert!(texts(&all, Part::Fig7, Question::Sssp).is_empty(), "not of the paper");
        let only =
            Choice { questions: vec![Question::Wcc, Question::Scc], ..choice(&[Part::Auto]) }.wanted(false);
        assert!(only.len() == 8 && only.iter().all(|cell| cell.question == Question::Wcc));
    }

    #[test]
    fn stages_are_measured_in_the_order_of_their_rounds() {
        let groups = by_order(choice(&[Part::Fig10, Part::Fig6]).wanted(false));
        let firsts: Vec<String> = groups.iter().map(|group| group[0].order.to_string()).collect();
        assert_eq!(firsts, ["natural", "sampled(rounds=1)", "rcm", "llp", "gorder"]);
        let stages: Vec<Held> = groups[1].iter().map(|cell| cell.order).collect();
        let expected = [1, 2, 5, 10].map(|rounds| [Held::Sampled(rounds); 3]).concat();
        assert_eq!(stages, expected);
        let few = Choice { rounds: 2, ..choice(&[Part::Fig6]) };
        assert_eq!(few.orders(false)[1..3], [Held::Sampled(1), Held::Sampled(2)]);
    }

    #[test]
    fn cells_of_an_algorithm_in_an_order_are_together_whichever_part_they_are_of() {
        let groups = by_order(choice(&[Part::Fig10, Part::Auto]).wanted(false));
        let mut met: Vec<Question> = groups[0].iter().map(|cell| cell.question).collect();
        met.dedup();
        assert_eq!(met, [Question::Bfs, Question::Bc, Question::PageRank, Question::Sssp, Question::Wcc]);
        let plans: Vec<String> = groups[0][..4].iter().map(|cell| cell.plan.to_string()).collect();
        assert_eq!(
            plans,
            ["bsp+push+node", "bsp+push+tiled", "bsp+push+resident", "bsp+push+edge"],
            "parts one after the other"
        );
    }

    #[test]
    fn plans_of_a_kind_have_a_default() {
        let of = |texts: &[&str]| {
            let plans = texts.iter().map(|text| text.parse().unwrap()).collect();
            let choice = Choice { plans, ..choice(&[]) };
            let like = choice.plans_like(|balance| matches!(balance, Balance::Tiled(_)), Balance::TILED);
            like.iter().map(ToString::to_string).collect::<Vec<String>>()
        };
        assert_eq!(of(&["node", "tiled(min=8)"]), ["bsp+tiled(min=8)"]);
        assert_eq!(of(&["node"]), ["bsp+tiled"]);
    }
}
