//! What a metered run would take over a link, if its members computed at another speed.
//!
//! The model: all members meet, as they do in the run. Until a meeting each computes for as long as it was measured to, over
//! the factor; the slowest one counts. Then a meeting costs the latency, and the bytes of the busiest member over the
//! bandwidth, where sending and receiving overlap. Nothing else overlaps. One part meets no other, so it waits for nothing.

use super::meter::Span;
use serde::{Deserialize, Serialize};

/// A link, and the speed of a member.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// Bytes per second that a member sends, and as many that it receives at the same time.
    pub bandwidth: f64,
    /// Seconds of a meeting without bytes.
    pub latency: f64,
    /// How many times as fast as here a member computes.
    pub faster: f64,
}

/// A run in this setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Modelled {
    #[serde(flatten)]
    pub setting: Setting,
    pub seconds: f64,
    /// Of these, seconds of meetings.
    pub exchange: f64,
    /// The time of one part over this one.
    pub times: Option<f64>,
}

/// Returns the seconds that members compute if all wait for the slowest one at each meeting.
pub fn waits(meetings: &[Vec<Span>]) -> f64 {
    let slowest = |spans: &Vec<Span>| spans.iter().map(|span| span.seconds).fold(0.0, f64::max);
    meetings.iter().map(slowest).sum()
}

/// Returns what a run would take; `one` is the run in one part.
pub fn modelled(setting: Setting, meetings: &[Vec<Span>], one: Option<&[Vec<Span>]>) -> Modelled {
    let busiest = |spans: &Vec<Span>| spans.iter().map(|span| span.sent.max(span.received)).max();
    let meeting = |spans: &Vec<Span>| {
        let bytes = busiest(spans).unwrap_or_default() as f64;
        if spans.len() > 1 { setting.latency + bytes / setting.bandwidth } else { 0.0 }
    };
    let exchange: f64 = meetings.iter().map(meeting).sum();
    let seconds = waits(meetings) / setting.faster + exchange;
    let times = one.map(|one| waits(one) / setting.faster / seconds);
    Modelled { setting, seconds, exchange, times }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_member_and_the_busiest_one_count_at_each_meeting() {
        let span = |seconds, sent, received| Span { seconds, sent, received };
        let meetings =
            [vec![span(1.0, 100, 0), span(3.0, 0, 100)], vec![span(2.0, 50, 400), span(1.0, 400, 50)]];
        let one = [vec![span(8.0, 0, 0)]];
        let setting = Setting { bandwidth: 100.0, latency: 0.5, faster: 2.0 };
        let run = modelled(setting, &meetings, Some(&one));
        // 3 + 2 s of computing at twice the speed, two meetings, 100 and 400 bytes.
        assert_eq!((run.seconds, run.exchange, run.times), (2.5 + 6.0, 6.0, Some(4.0 / 8.5)));
        assert_eq!(modelled(setting, &one, None).seconds, 4.0, "one part meets no other");
    }
}
