//! One process of a run: meets the others, loads its part, runs, writes its rows, and leaves with the others.

use super::{Cluster, Keeping, check_parts, out, report, share};
use crate::{
    console,
    failure::{Failure, Result},
    run::InParts,
    session::{Session, Working},
};
use share::Share;
use std::{
    num::NonZero,
    thread,
    time::{Duration, Instant},
};
use warpgraph::Control;
use warpgraph_cluster::{Hosts, Meeting, Member, Secret, checkpoint::Checkpoints, listen, local::Started};
use warpgraph_parts::{Exchange, Part, PartAnswer, PartRun, Question, drive, start};

/// When another process is lost, this one ends by itself within this time, even in the middle of a superstep.
const END: Duration = Duration::from_secs(3);
/// What another process may send to this one between two rounds: so many bytes per vertex that this one has something about,
/// so many per vertex of a mean part, whose components it counts at the end, and so many for all that does not grow with the
/// graph: edges between trees, ids in batches, frames.
const PER_PLACE: u64 = 16;
const PER_COMPONENT: u64 = 8;
const BESIDE: u64 = 4 << 20;

/// Takes part in a run that `--local` started.
pub(super) fn started(cluster: &Cluster, part: usize) -> Result<u8> {
    let control = Control::new();
    let orphaned = control.clone();
    let started = Started::here(move || orphaned.cancel())?;
    let meeting = Meeting {
        part,
        run: started.run,
        question: question(cluster)?,
        secret: started.secret,
        wait: cluster.wait(),
        hosts: started.hosts,
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get) / meeting.hosts.len().max(1);
    let mut working = cluster.what().working().clone();
    working.threads = working.threads.or(Some(threads.max(1)));
    // The process that started this one reports for all.
    let json = working.json;
    working.quiet |= part > 0;
    let result = take_part(cluster, &working, &meeting, started.listener, &control);
    match result {
        Err(failure) if !json => {
            // As JSON, so that the launcher can tell whose fault it is.
            Ok(failure.report(true))
        }
        other => other,
    }
}

/// Takes part in a run of the hosts in a file.
pub(super) fn named(cluster: &Cluster) -> Result<u8> {
    let (Some(path), Some(part)) = (&cluster.place.hosts, cluster.place.process) else {
        return Err(Failure::new("usage", "a run needs --local, or --hosts and --process", ""));
    };
    let hosts = Hosts::read(path)?.addresses().to_vec();
    check_parts(hosts.len())?;
    if part >= hosts.len() {
        let what = format!("--process {part}, but {} lists {} hosts", path.display(), hosts.len());
        return Err(Failure::new("invalid", what, "number processes from 0, as their lines"));
    }
    cluster.check(Some(hosts.len()))?;
    let secret = cluster.place.secret_file.as_deref().map(Secret::read).transpose()?.unwrap_or_default();
    let listener = listen(cluster.place.listen.as_ref().unwrap_or(&hosts[part]))?;
    let (run, question) = (cluster.place.run_id.clone(), question(cluster)?);
    let meeting = Meeting { part, run, question, secret, wait: cluster.wait(), hosts };
    take_part(cluster, cluster.what().working(), &meeting, listener, &Control::new())
}

/// Says what all processes must be asked alike.
fn question(cluster: &Cluster) -> Result<String> {
    let asked = cluster.what().in_parts()?;
    let (name, config) = (asked.question.entry().name, asked.question.config());
    let Keeping { checkpoint, every, resume } = &cluster.keeping;
    let InParts { graph, reading, seed, runs, warmup, out, .. } = &asked;
    let (kept, written) = (checkpoint.is_some(), out.is_some());
    let version = env!("CARGO_PKG_VERSION");
    Ok(format!(
        "{version} {name} {config} {graph} {reading:?} {seed} {runs} {warmup} {written} {kept} {every} {resume}"
    ))
}

/// Says what a checkpoint belongs to.
fn kept_for(asked: &InParts<'_>, share: &Share) -> String {
    let (name, config) = (asked.question.entry().name, asked.question.config());
    format!("{name} {config} {} {}", asked.seed, share.identity)
}

fn take_part(
    cluster: &Cluster,
    working: &Working,
    meeting: &Meeting,
    listener: std::net::TcpListener,
    control: &Control,
) -> Result<u8> {
    let asked = cluster.what().in_parts()?;
    let session = Session::watched(working, control.clone())?;
    let mut member = Member::join(meeting, listener)?;
    // Until the part is loaded, processes tell each other a few words only.
    member.limit(BESIDE);
    watch(&member, &session.control, working.json);
    let ended = session_of(cluster, &asked, &session, &mut member);
    match ended {
        Ok(text) => {
            member.leave().map_err(warpgraph_parts::Error::from)?;
            if meeting.part == 0 {
                report::print(&text)?;
            }
            Ok(0)
        }
        Err(failure) => {
            // What another process did to the run comes before that it was broken off here.
            if let Some(error) = member.trouble().filter(|_| failure.kind() == "interrupted") {
                return Err(warpgraph_parts::Error::from(error).into());
            }
            if !failure.kind().starts_with("member-") {
                member.fail(failure.message());
            }
            Err(failure)
        }
    }
}

/// Ends this process when another one is lost, even if it is busy.
fn watch(member: &Member, control: &Control, json: bool) {
    let control = control.clone();
    member.when_lost(move |error| {
        control.cancel();
        let failure: Failure = warpgraph_parts::Error::from(error.clone()).into();
        thread::spawn(move || {
            thread::sleep(END);
            std::process::exit(i32::from(failure.report(json || super::launch::part().is_some())));
        });
    });
}

/// Loads, runs and writes. Returns the report.
fn session_of(
    cluster: &Cluster,
    asked: &InParts<'_>,
    session: &Session,
    member: &mut Member,
) -> Result<report::Text> {
    let (part, parts) = (member.part(), member.parts());
    let share = share::load(session, asked, member)?;
    // No other process sends values before all have met at the barrier below.
    member.limit(most(&share.part));
    if part == 0 {
        report::introduce(session, &share, asked, parts);
    }
    let mut seconds = Vec::new();
    let mut last = None;
    for run in 0..asked.warmup + asked.runs {
        drop(last.take());
        member.barrier().map_err(warpgraph_parts::Error::from)?;
        let before = Instant::now();
        let sent = member.traffic().0;
        let answer = answer(cluster, asked, session, member, &share, run)?;
        let sent = member.traffic().0 - sent;
        if run >= asked.warmup {
            seconds.push(before.elapsed().as_secs_f64());
        }
        last = Some((answer, sent));
    }
    let (answer, sent) =
        last.ok_or_else(|| Failure::new("invalid", "there was no run", "leave --runs out"))?;
    session.clear();
    let written = asked.out.map(|folder| out::write(folder, asked.force, part, &answer, &session.control));
    let text = report::of(asked, session, member, &share, (&answer, &seconds, sent), written.transpose()?)?;
    // All have written, or none says that it has.
    member.barrier().map_err(warpgraph_parts::Error::from)?;
    Ok(text)
}

/// Returns how many bytes another process may send to this one in a round. A value is for a ghost of the part or for one of
/// its own vertices; it has 8 bytes at most, and a position of 4.
fn most(part: &Part) -> u64 {
    let mean = part.whole().vertices.div_ceil(part.cut().parts());
    PER_PLACE * part.places() as u64 + PER_COMPONENT * mean as u64 + BESIDE
}

/// Runs once, from the beginning or from a checkpoint.
fn answer(
    cluster: &Cluster,
    asked: &InParts<'_>,
    session: &Session,
    member: &mut Member,
    share: &Share,
    run: u64,
) -> Result<PartAnswer> {
    let question = Question {
        algorithm: asked.question.entry().name.to_owned(),
        config: asked.question.config(),
        seed: asked.seed,
        run: run.saturating_sub(asked.warmup),
    };
    let keeping = &cluster.keeping;
    let place = (member.part(), member.parts());
    let folder = keeping.checkpoint.as_deref();
    let checkpoints =
        folder.map(|folder| Checkpoints::new(folder, place, &kept_for(asked, share))).transpose()?;
    session.work(|control| {
        let mut run = start(&question, &share.part, member, control)?;
        if let (true, Some(checkpoints)) = (keeping.resume, &checkpoints) {
            let state = checkpoints.last_common(member)?;
            run.restore(&state)?;
            console::err(&resumed(place.0, state.superstep));
        }
        let mut between = |run: &dyn PartRun, _: &mut dyn Exchange| match &checkpoints {
            Some(checkpoints) if run.supersteps().is_multiple_of(keeping.every) => {
                Ok(checkpoints.write(&run.state())?)
            }
            _ => Ok(()),
        };
        Ok(drive(run, member, control, &mut between)?)
    })
}

fn resumed(part: usize, superstep: u64) -> String {
    match part {
        0 => format!("continuing after superstep {superstep}\n"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use warpgraph::graph::generate::Spec;
    use warpgraph_cluster::Error;
    use warpgraph_parts::{
        Cut, Reduce,
        exchange::{ExchangeError, Local},
        run, together,
    };

    /// What a member may be sent beside the values, in runs that are as small as those below.
    const FEW: u64 = 1 << 12;

    fn part(spec: &str, parts: usize, number: usize) -> Part {
        let (spec, control) = (spec.parse::<Spec>().unwrap(), Control::new());
        Part::generate(&spec, &Cut::of_spec(&spec, parts, &control).unwrap(), number, &control).unwrap()
    }

    /// An exchange that notes the most bytes that another member sent to this one in a round.
    struct Noting {
        inner: Local,
        most: u64,
    }

    impl Exchange for Noting {
        fn part(&self) -> usize {
            self.inner.part()
        }
        fn parts(&self) -> usize {
            self.inner.parts()
        }
        fn send(&mut self, to: usize, bytes: Vec<u8>) -> std::result::Result<(), ExchangeError> {
            self.inner.send(to, bytes)
        }
        fn flush(
            &mut self,
            receive: &mut dyn FnMut(usize, &[u8]) -> std::result::Result<(), String>,
        ) -> std::result::Result<(), ExchangeError> {
            let (own, mut sent) = (self.part(), vec![0; self.parts()]);
            let ended = self.inner.flush(&mut |from, bytes| {
                sent[from] += if from == own { 0 } else { bytes.len() as u64 };
                receive(from, bytes)
            });
            self.most = sent.into_iter().fold(self.most, u64::max);
            ended
        }
        fn all_reduce(
            &mut self,
            words: &mut [u64],
            reduce: Reduce,
        ) -> std::result::Result<(), ExchangeError> {
            self.inner.all_reduce(words, reduce)
        }
        fn fail(&mut self, what: &str) {
            self.inner.fail(what);
        }
        fn traffic(&self) -> (u64, u64) {
            self.inner.traffic()
        }
    }

    #[test]
    fn no_run_sends_more_than_the_limit_without_what_is_allowed_beside_values() {
        for spec in ["kron:11,w=1..9", "uniform:11,degree=1", "kron:9,directed,w=1..9"] {
            for (parts, algorithm) in [(2, "bfs"), (3, "sssp"), (2, "sssp"), (4, "pagerank"), (3, "wcc")] {
                let question = Question { algorithm: algorithm.to_owned(), ..Question::default() };
                let ends = together(parts, 1, |inner| {
                    let part = Arc::new(part(spec, parts, inner.part()));
                    let mut member = Noting { inner, most: 0 };
                    run(&question, &part, &mut member, &Control::new()).unwrap();
                    (member.most, most(&part) - BESIDE)
                });
                for (sent, most) in ends.unwrap() {
                    assert!(sent <= most + FEW, "{spec}, {algorithm}: {sent} bytes, {most} are allowed");
                    assert!(sent > 0, "{spec}, {algorithm}");
                }
            }
        }
    }

    #[test]
    fn a_process_that_sends_more_than_its_part_can_have_to_say_ends_the_run() {
        let most = most(&part("kron:10", 2, 0));
        assert!(most < BESIDE + (40 << 10), "{most} bytes for a part of at most 1,024 places");
        let listeners = [listen("127.0.0.1:0").unwrap(), listen("127.0.0.1:0").unwrap()];
        let hosts: Vec<_> = listeners.iter().map(|at| at.local_addr().unwrap().to_string()).collect();
        let members = listeners.into_iter().enumerate().map(|(part, listener)| {
            let meeting = Meeting {
                part,
                run: "liar".to_owned(),
                question: String::new(),
                secret: Secret::default(),
                wait: Duration::from_secs(20),
                hosts: hosts.clone(),
            };
            thread::spawn(move || -> std::result::Result<_, Error> {
                let mut member = Member::join(&meeting, listener)?;
                member.limit(most);
                let mut round = |bytes: u64| {
                    let lie = if part == 1 { member.send(0, vec![0; bytes as usize]) } else { Ok(()) };
                    lie.and_then(|()| member.flush(&mut |_, _| Ok(())))
                };
                let honest = round(most - (64 << 10));
                Ok((honest, round(most + 1).and_then(|()| round(0))))
            })
        });
        for member in members.collect::<Vec<_>>() {
            let (honest, lie) = member.join().unwrap().unwrap();
            honest.unwrap();
            let error = lie.unwrap_err();
            assert!(matches!(error, ExchangeError::Invalid { part: 1, .. }), "{error}");
            assert!(error.to_string().contains(&format!("more than {most} bytes")), "{error}");
        }
    }
}
