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
use warpgraph_parts::{Exchange, PartAnswer, PartRun, Question, drive, start};

/// When another process is lost, this one ends by itself within this time, even in the middle of a superstep.
const END: Duration = Duration::from_secs(3);
/// What a process may be sent between two rounds: so many bytes per vertex and arc that it owns, and for the rest.
const PER_ITEM: u64 = 64;
const BESIDE: u64 = 64 << 20;

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
    member.limit(PER_ITEM * (share.part.whole().vertices as u64 + share.part.out().arcs() as u64) + BESIDE);
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
