//! The thread on which Timely runs: one dataflow, in which parcels go from an input through a channel to the part that
//! they are for.
//!
//! A round is a time of Timely. It has ended when Timely's progress tracking says that no part can send a parcel of that
//! time any more, and none is on its way.

use super::{
    frame::{PARCELS, PROGRESS},
    guard::Shared,
    parcel::{Body, Kind, Parcel, Post},
};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
    sync::{
        atomic::Ordering,
        mpsc::{Receiver, Sender, TryRecvError},
    },
    time::{Duration, Instant},
};
use timely::{
    WorkerConfig,
    communication::{Allocator, Pull, Push, allocator::zero_copy::allocator::TcpBuilder},
    container::NoopBuilder,
    dataflow::{
        InputHandle,
        channels::{
            Message,
            pact::{DistributorPact, LogPuller, LogPusher, ParallelizationContract},
            pushers,
        },
        operators::{Input, generic::Operator},
    },
    logging::TimelyLogger,
    worker::Worker,
};
use warpgraph_parts::exchange::ExchangeError;

/// How long the thread sleeps unless it is woken.
const NAP: Duration = Duration::from_secs(1);
/// How long a round may go on after a part has closed its connections.
const GRACE: Duration = Duration::from_secs(4);

/// What the thread is told.
pub(super) enum Order {
    /// Send this in the present round.
    Send(Parcel),
    /// End the present round, and answer with what arrived in it.
    End,
}

/// The sender of a parcel, what it is, and its bytes.
pub(super) type Arrived = (usize, Kind, Body);

/// What the dataflow has delivered so far.
struct Delivered {
    rounds: RefCell<BTreeMap<u64, Vec<Arrived>>>,
    /// The first round of which more can come.
    open: Cell<u64>,
}

/// Does what it is told until the orders end, or the run fails.
pub(super) fn work(
    builder: TcpBuilder,
    orders: &Receiver<Order>,
    answers: &Sender<Vec<Arrived>>,
    shared: &Shared,
) {
    // Without a clock, Timely never sleeps.
    let mut worker =
        Worker::new(WorkerConfig::default(), Allocator::Tcp(builder.build()), Some(Instant::now()));
    let delivered = Rc::new(Delivered { rounds: RefCell::default(), open: Cell::new(0) });
    let mut input = InputHandle::<u64, NoopBuilder<Parcel>>::new_with_builder();
    if !build(&mut worker, &mut input, &delivered) {
        fail(shared, "Timely numbers its channels in another way than expected");
        return;
    }
    let mut left = None;
    while shared.trouble.get().is_none() {
        let round = *input.time();
        let Some((idle, ends)) = obey(orders, &mut input, shared) else { break };
        if ends {
            left = None;
            shared.now.store(round + 1, Ordering::Release);
            input.advance_to(round + 1);
        }
        worker.step_or_park(Some(if idle { NAP } else { Duration::ZERO }));
        let ended = shared.ended.load(Ordering::Acquire);
        let now = *input.time();
        if ended < now && delivered.open.get() >= now {
            shared.ended.store(now, Ordering::Release);
            let arrived = delivered.rounds.borrow_mut().remove(&ended).unwrap_or_default();
            if answers.send(arrived).is_err() {
                break;
            }
        } else if ended < now {
            check_left(shared, &mut left);
        }
    }
    for dataflow in worker.installed_dataflows() {
        worker.drop_dataflow(dataflow);
    }
}

/// The pact by which parcels travel; it notes the number of its channel.
struct Pact(Rc<Cell<usize>>);

impl ParallelizationContract<u64, Parcel> for Pact {
    type Pusher = pushers::Exchange<u64, LogPusher<Box<dyn Push<Message<u64, Parcel>>>>, Post>;
    type Puller = LogPuller<Box<dyn Pull<Message<u64, Parcel>>>>;

    fn connect(
        self,
        worker: &Worker,
        channel: usize,
        address: Rc<[usize]>,
        logging: Option<TimelyLogger>,
    ) -> (Self::Pusher, Self::Puller) {
        self.0.set(channel);
        DistributorPact(|_| Post).connect(worker, channel, address, logging)
    }
}

/// Builds the dataflow. Returns false if its channels have other numbers than the guards expect.
fn build(
    worker: &mut Worker,
    input: &mut InputHandle<u64, NoopBuilder<Parcel>>,
    delivered: &Rc<Delivered>,
) -> bool {
    let (delivered, channel) = (delivered.clone(), Rc::new(Cell::new(0)));
    let pact = Pact(channel.clone());
    worker.dataflow(|scope| {
        scope.input_from(input).sink(pact, "parts", move |(input, frontier)| {
            input.for_each(|time, parcel| {
                if let Some(arrived) = std::mem::take(parcel).open() {
                    delivered.rounds.borrow_mut().entry(*time.time()).or_default().push(arrived);
                }
            });
            let open = frontier.frontier().first().copied();
            delivered.open.set(open.unwrap_or(u64::MAX));
        });
    });
    // The channel of progress is made last.
    (channel.get(), worker.peek_identifier()) == (PARCELS, PROGRESS + 1)
}

/// Follows all orders up to the end of a round. Returns whether there were none, and whether the round ends; `None` when
/// no more orders can come.
fn obey(
    orders: &Receiver<Order>,
    input: &mut InputHandle<u64, NoopBuilder<Parcel>>,
    shared: &Shared,
) -> Option<(bool, bool)> {
    let mut idle = true;
    // While a round ends, no order comes.
    loop {
        match orders.try_recv() {
            Ok(Order::Send(mut parcel)) => input.send_batch(&mut parcel),
            Ok(Order::End) => return Some((false, true)),
            Err(TryRecvError::Empty) => return Some((idle, false)),
            Err(TryRecvError::Disconnected) => return None,
        }
        idle = false;
        if shared.trouble.get().is_some() {
            return None;
        }
    }
}

/// Fails if a part has closed its connections for a while, and still the round does not end.
fn check_left(shared: &Shared, left: &mut Option<Instant>) {
    let Some(part) = shared.left.load(Ordering::Acquire).checked_sub(1) else { return };
    if left.get_or_insert_with(Instant::now).elapsed() > GRACE {
        let what = "it left before the run ended".to_owned();
        shared.trouble.raise(ExchangeError::Lost { part, name: shared.names[part].clone(), what });
    }
}

/// Reports an error of this member.
pub(super) fn fail(shared: &Shared, what: &str) {
    let (part, name) = (shared.own, shared.names[shared.own].clone());
    shared.trouble.raise(ExchangeError::Failed { part, name, what: what.to_owned() });
}
