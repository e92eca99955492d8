//! Members that reach one another over loopback, as processes do: the same answers as on one machine, on time and late.

use crate::{
    agree::One,
    common::{Parted, Whole, cuts, question},
    late::Late,
};
use serde_json::json;
use std::{net::TcpListener, sync::Arc, thread, time::Duration};
use warpgraph::{
    VertexProgram,
    graph::Control,
    program::{Ways, library},
};
use warpgraph_cluster::{Meeting, Member, Secret, listen};
use warpgraph_conformance::fixtures;
use warpgraph_parts::{Exchange, Part, PartRun, Result, drive, start, start_program};

type Start<'a> = &'a (dyn Fn(&Arc<Part>, &mut dyn Exchange) -> Result<Box<dyn PartRun>> + Sync);

/// Runs all parts, each as a member with connections of its own.
fn over_loopback(parted: &Parted, is_late: bool, start: Start<'_>) -> Result<Whole> {
    let listeners: Vec<TcpListener> = parted.parts.iter().map(|_| listen("127.0.0.1:0").unwrap()).collect();
    let hosts: Vec<String> = listeners.iter().map(|l| l.local_addr().unwrap().to_string()).collect();
    let one = |part: &Arc<Part>, listener| {
        let meeting = Meeting {
            part: part.number(),
            hosts: hosts.clone(),
            run: "test".to_owned(),
            question: parted.name.clone(),
            secret: Secret::default(),
            wait: Duration::from_secs(60),
        };
        let member = Member::join(&meeting, listener).unwrap();
        let mut late = Late::new(member);
        let exchange: &mut dyn Exchange = if is_late { &mut late } else { late.inner_mut() };
        let run = start(part, exchange)?;
        let answer = drive(run, exchange, &Control::new(), &mut |_, _| Ok(()))?;
        late.inner().leave()?;
        Ok(answer)
    };
    let one = &one;
    let answers = thread::scope(|scope| {
        let running: Vec<_> = parted
            .parts
            .iter()
            .zip(listeners)
            .map(|(part, listener)| scope.spawn(move || one(part, listener)))
            .collect();
        running.into_iter().map(|member| member.join().unwrap()).collect::<Result<Vec<_>>>()
    });
    Whole::of(answers?)
}

/// Runs a program over loopback.
fn program<P: VertexProgram>(parted: &Parted, is_late: bool, program: &Arc<P>) -> Result<Whole> {
    over_loopback(parted, is_late, &|part, exchange| {
        start_program(program, part, Ways::Out, exchange, &Control::new())
    })
}

pub(crate) fn answers_over_loopback_equal_those_of_one_machine() {
    for name in ["weighted random 2000, undirected", "random 4097, directed"] {
        let fixture = fixtures::named(name);
        let one = One::of(&fixture.graph);
        // Two and four even parts, and three in a random order.
        for (at, parted) in cuts(fixture).into_iter().enumerate().filter(|(at, _)| [1, 3, 6].contains(at)) {
            let is_late = at != 1;
            let at = format!("{} over loopback, late: {is_late}", parted.name);
            one.algorithms(&at, |algorithm| {
                let asked = question(algorithm, json!(null));
                over_loopback(&parted, is_late, &|part, exchange| {
                    start(&asked, part, exchange, &Control::new())
                })
            });
            one.program(&at, library::Hops::from(0), |asked| program(&parted, is_late, asked));
            one.program(&at, library::ShortestPaths::<f64>::from(0), |asked| {
                program(&parted, is_late, asked)
            });
            one.program(&at, library::WidestPaths::<f64>::from(0), |asked| program(&parted, is_late, asked));
            one.program(&at, library::Components {}, |asked| program(&parted, is_late, asked));
            one.sum(&at, |asked| program(&parted, is_late, asked));
        }
    }
}
