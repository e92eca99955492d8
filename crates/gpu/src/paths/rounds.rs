//! The launches of a run along paths, and what ends it.

use super::{LOG_ENTRY, LOGGED, WORDS, stage::Stage, word};
use crate::{error::lift, machine::Grid};
use warpgraph_core::{
    Halted, Model, PathUse, Plan, Recorder, Result, Run, Work,
    program::{self, AlongPaths, Pace, Watch},
};
use warpgraph_device::Address;

/// Rounds per launch at most: then the host reports progress and looks whether a sum comes nearer to its end.
const ROUNDS: u64 = 64;

/// How a run ended.
pub(super) struct Ended {
    pub(super) residual: Option<f64>,
    pub(super) run: Run,
}

/// Runs until no chunk is awake, or until the rule of a sum ends it.
pub(super) fn run(stage: &mut Stage<'_>, along: &AlongPaths<'_>) -> Result<Ended> {
    let mut recorder = stage.machine.recorder(0.0);
    let mut launches = Launches::new(stage, along);
    launches.begin(stage)?;
    let (residual, halted) =
        if stage.is_sum { launches.sum(stage)? } else { (None, launches.improve(stage)?) };
    if let Some((_, end)) = &stage.kernels.sums {
        // SAFETY: values and totals have an entry per vertex, and live until the run has ended.
        unsafe { stage.machine.start(end, Grid::For(stage.vertices() as u64), &stage.args)? };
    }
    stage.machine.wait()?;
    recorder.stop();
    launches.report(stage, along, &mut recorder)?;
    let plan = Plan { model: Some(Model::Paths(along.plan)), residency: None };
    let run = recorder.finish(plan, halted, stage.arrays.bytes());
    Ok(Ended { residual, run })
}

/// The launches of a run.
struct Launches {
    workers: u64,
    /// The control words after the last launch, and sums over all launches of those that count.
    words: [u64; WORDS.len()],
    total: [u64; WORDS.len()],
    rounds: u64,
    /// The changes that the last launch sent.
    sent: f64,
}

/// The words that count; a launch begins with all of them at 0.
const COUNTED: [usize; 7] = [
    word("UPDATES"),
    word("MERGES"),
    word("EDGES"),
    word("HANDLED"),
    word("STOLEN"),
    word("IDLE"),
    word("SPENT"),
];

impl Launches {
    fn new(stage: &mut Stage<'_>, along: &AlongPaths<'_>) -> Self {
        let most = stage.args.chunks.div_ceil(u64::from(super::BLOCK / 32)).max(1);
        let blocks = u64::from(stage.kernels.walk.coresident()).min(most);
        let workers = blocks * u64::from(stage.kernels.walk.block() / 32);
        stage.args.hub_workers = along.plan.hub_workers(along.paths, workers as usize) as u32;
        let none = [0; WORDS.len()];
        Self { workers, words: none, total: none, rounds: 0, sent: 0.0 }
    }

    /// Computes the first values, and wakes the chunks of seeds.
    fn begin(&mut self, stage: &mut Stage<'_>) -> Result<()> {
        let (slots, machine) = (stage.args.chunks * 1024, &stage.machine);
        // The first vertex that starts with NaN is noted in a word that is not used yet.
        stage.args.program.not_a_number = word_at(stage, "WOKEN");
        // SAFETY: the arrays have an entry per vertex, slot or chunk, and live until the run has ended.
        unsafe {
            machine.start(&stage.kernels.begin, Grid::For(stage.vertices() as u64), &stage.args)?;
            machine.start(&stage.kernels.line_up, Grid::For(slots), &stage.args)?;
        }
        self.read(stage)?;
        match self.words[word("WOKEN")] {
            0 => Ok(()),
            first => Err(stage.starts_with_nan((u64::MAX - first) as u32)),
        }
    }

    /// Waits, and reads the control words.
    fn read(&mut self, stage: &Stage<'_>) -> Result<()> {
        stage.machine.wait()?;
        stage.arrays.control.read(&mut self.words).map_err(lift)
    }

    /// Collects the chunks that are awake, and returns how many there are.
    fn collect(&mut self, stage: &mut Stage<'_>) -> Result<u64> {
        stage.arrays.control.fill_bytes(0).map_err(lift)?;
        for queue in &mut stage.arrays.queues {
            queue.fill_bytes(0xff).map_err(lift)?;
        }
        // SAFETY: every chunk has a state, and is collected once; queues have a place per chunk at least.
        unsafe { stage.machine.start(&stage.kernels.collect, Grid::For(stage.args.chunks), &stage.args)? };
        self.read(stage)?;
        Ok(self.words[word("HOT_TAIL")] + self.words[word("COLD_TAIL")])
    }

    /// Walks chunks until none is awake, or until a round begins. Returns true if none is awake.
    fn walk(&mut self, stage: &mut Stage<'_>, until: u64) -> Result<bool> {
        stage.machine.check()?;
        let awake = self.collect(stage)?;
        if awake == 0 {
            return Ok(true);
        }
        self.words[word("HOT_MARK")] = self.words[word("HOT_TAIL")];
        self.words[word("COLD_MARK")] = self.words[word("COLD_TAIL")];
        self.words[word("PENDING")] = awake;
        self.words[word("ROUND")] = self.rounds;
        stage.arrays.control.write(&self.words).map_err(lift)?;
        stage.args.until = until;
        let blocks = (self.workers / u64::from(stage.kernels.walk.block() / 32)) as u32;
        // SAFETY: slots hold vertices of the graph and homes hold chunks, as the paths were checked to; all arrays have an
        // entry per vertex, slot or chunk, and live until the run has ended; places beyond a queue are not written.
        unsafe { stage.machine.start_coresident(&stage.kernels.walk, blocks, &stage.args)? };
        self.read(stage)?;
        for at in COUNTED {
            self.total[at] += self.words[at];
        }
        self.sent = f64::from_bits(self.words[word("SENT")]);
        // A launch that ends in the middle of a round has begun it.
        self.rounds =
            self.words[word("ROUND")].max(self.rounds + u64::from(self.words[word("STOPPED")] == 0));
        stage.options.control.report(stage.name, self.rounds, None);
        Ok(self.words[word("PENDING")] == 0 && self.words[word("STOPPED")] == 0)
    }

    /// Walks until nothing improves, the best values first if they have an order.
    fn improve(&mut self, stage: &mut Stage<'_>) -> Result<Halted> {
        // A lost wake-up would be found between two launches: tests that lose some have one limit.
        let start = if stage.args.lost == 0 { Pace::new } else { Pace::at_once };
        let mut pace = start(stage.args.chunks);
        loop {
            stage.args.least = pace.limit();
            let waits = self.awaited(stage)?;
            let before = self.done();
            while !self.walk(stage, self.rounds + ROUNDS)? {}
            let now = self.done();
            let done =
                program::Stage { handled: now.handled - before.handled, edges: now.edges - before.edges };
            if !pace.goes_on(done, waits) {
                return Ok(Halted::Converged);
            }
        }
    }

    /// Returns what all launches did so far.
    fn done(&self) -> program::Stage {
        program::Stage { handled: self.total[word("HANDLED")], edges: self.edges() }
    }

    /// Wakes the chunks in which a value is due. Returns the place of the best value that waits; `None` if none does.
    fn awaited(&mut self, stage: &mut Stage<'_>) -> Result<Option<f64>> {
        let Some(awaits) = &stage.kernels.awaits else { return Ok(None) };
        stage.arrays.control.fill_bytes(0).map_err(lift)?;
        // SAFETY: as for `walk`.
        unsafe { stage.machine.start(awaits, Grid::Shares(stage.args.chunks * 32), &stage.args)? };
        self.read(stage)?;
        // The sign bit of a number from 0 on was set, and all bits inverted, so that a better place is a greater number.
        let bits = match self.words[word("BEST")] {
            0 => return Ok(None),
            best if best >> 63 == 0 => !best & !(1 << 63),
            best => best,
        };
        Ok(Some(f64::from_bits(bits)))
    }

    /// Walks until what is not sent is below the tolerance. Returns what is not sent, and the rule that ended the run.
    fn sum(&mut self, stage: &mut Stage<'_>) -> Result<(Option<f64>, Halted)> {
        let tolerance = stage.halt.tolerance();
        // A limit of supersteps allows as many messages as so many supersteps over all arcs.
        let arcs = stage.arcs.max(1);
        let allowed = stage.halt.limit().map_or(u64::MAX, |limit| limit.saturating_mul(arcs));
        let mut watch = Watch::new(stage.name, stage.halt);
        stage.args.least = if tolerance.is_some() { f64::INFINITY } else { 0.0 };
        loop {
            let rest = self.lower(stage)?;
            watch.see(self.rounds, rest)?;
            if tolerance.is_some_and(|t| rest < t) {
                return Ok((Some(rest), Halted::Tolerance));
            }
            if rest == 0.0 {
                return Ok((Some(rest), Halted::Converged));
            }
            let left = |edges: u64| allowed.saturating_sub(edges).div_ceil(arcs);
            if left(self.edges()) == 0 {
                return Ok((Some(rest), Halted::MaxIterations));
            }
            while !self.walk(stage, self.rounds + left(self.edges()).clamp(1, ROUNDS))?
                && left(self.edges()) > 0
            {
                watch.see(self.rounds, self.sent)?;
            }
        }
    }

    /// Returns the number of messages so far.
    fn edges(&self) -> u64 {
        self.total[word("EDGES")]
    }

    /// Halves the threshold; the largest change that is left, if that is less than the threshold was. Wakes the chunks in
    /// which something exceeds it, and returns the sum of all messages that were not sent.
    fn lower(&mut self, stage: &mut Stage<'_>) -> Result<f64> {
        let before = stage.args.least;
        stage.args.least /= 2.0;
        let rest = self.weigh(stage)?;
        let largest = f64::from_bits(self.words[word("LARGEST")]);
        if largest < before {
            stage.args.least = largest / 2.0;
            self.weigh(stage)?;
        }
        Ok(rest)
    }

    /// Returns the sum of all messages that were not sent. Sets the chunks awake in which something exceeds the threshold.
    fn weigh(&mut self, stage: &mut Stage<'_>) -> Result<f64> {
        let Some((weigh, _)) = &stage.kernels.sums else { return Ok(0.0) };
        stage.arrays.control.fill_bytes(0).map_err(lift)?;
        // SAFETY: as for `walk`; there is a sum per block of the largest grid.
        unsafe { stage.machine.start(weigh, Grid::Shares(stage.args.chunks * 32), &stage.args)? };
        self.read(stage)?;
        stage.total_of_blocks()
    }

    /// Adds to the report what was counted, and the rounds of a traced run.
    fn report(&mut self, stage: &Stage<'_>, along: &AlongPaths<'_>, recorder: &mut Recorder) -> Result<()> {
        let counted = |name| self.total[word(name)];
        recorder.work(Work {
            updates: counted("UPDATES"),
            merges: counted("MERGES"),
            edges: counted("EDGES"),
            bytes: counted("HANDLED") * stage.chunk_bytes,
        });
        let (found, spent) = (along.paths.found(), counted("SPENT").max(1));
        recorder.paths(PathUse {
            hubs: found.hubs,
            paths: found.paths(),
            hub_paths: found.hub_paths,
            chunks: stage.args.chunks,
            hub_chunks: stage.args.hub_chunks,
            handled: counted("HANDLED"),
            stolen: counted("STOLEN"),
            workers: self.workers,
            hub_workers: u64::from(stage.args.hub_workers),
            busy: 1.0 - counted("IDLE") as f64 / spent as f64,
            held_bytes: stage.held_bytes(),
            making_seconds: 0.0,
        });
        recorder.hold_on_device(stage.machine.gpu().peak());
        self.trace(stage, recorder)
    }

    fn trace(&self, stage: &Stage<'_>, recorder: &mut Recorder) -> Result<()> {
        let Some(log) = &stage.arrays.log else {
            recorder.walked(self.rounds);
            return Ok(());
        };
        let entries = log.to_vec().map_err(lift)?;
        let rounds = (self.rounds as usize).min(LOGGED);
        let mut updates = 0;
        // When the first launch began stands behind the rounds.
        let mut since = entries[LOGGED * LOG_ENTRY];
        for entry in entries.chunks_exact(LOG_ENTRY).take(rounds) {
            updates += entry[2];
            let (sent, until) = (f64::from_bits(entry[3]), entry[4].max(since));
            let note = match stage.is_sum {
                true => format!("{updates} updates so far, {sent:.3e} sent"),
                false => format!("{updates} updates so far"),
            };
            recorder.round(entry[0], entry[1], (until - since) as f64 * 1e-9, note);
            since = until;
        }
        recorder.walked(self.rounds - rounds as u64);
        Ok(())
    }
}

/// Returns the address of a control word.
fn word_at(stage: &Stage<'_>, name: &str) -> Address<u64> {
    Address::new(stage.arrays.control.address().raw() + 8 * word(name) as u64)
}
