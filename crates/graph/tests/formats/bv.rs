//! A writer of BV files for tests: every part of the format, in any of its codes, from lists to bits.

use super::Files;

/// How to write; a code is one of the names in `compressionflags`.
#[derive(Debug, Clone)]
pub(super) struct How {
    pub(super) window: usize,
    /// 0: no intervals.
    pub(super) shortest_interval: usize,
    pub(super) zeta: u32,
    pub(super) degrees: &'static str,
    pub(super) references: &'static str,
    pub(super) block_counts: &'static str,
    pub(super) blocks: &'static str,
    pub(super) residuals: &'static str,
    pub(super) offsets: &'static str,
}

impl Default for How {
    fn default() -> Self {
        Self {
            window: 7,
            shortest_interval: 4,
            zeta: 3,
            degrees: "GAMMA",
            references: "UNARY",
            block_counts: "GAMMA",
            blocks: "GAMMA",
            residuals: "ZETA",
            offsets: "GAMMA",
        }
    }
}

/// Bits, most significant first.
#[derive(Debug, Default)]
pub(super) struct Bits(Vec<bool>);

impl Bits {
    pub(super) fn bytes(&self) -> Vec<u8> {
        let byte =
            |bits: &[bool]| bits.iter().enumerate().fold(0, |all, (i, &bit)| all | u8::from(bit) << (7 - i));
        self.0.chunks(8).map(byte).collect()
    }

    fn binary(&mut self, value: u64, count: u32) {
        self.0.extend((0..count).rev().map(|i| value >> i & 1 == 1));
    }

    fn unary(&mut self, value: u64) {
        self.0.extend((0..value).map(|_| false));
        self.0.push(true);
    }

    pub(super) fn gamma(&mut self, value: u64) {
        let length = (value + 1).ilog2();
        self.unary(length.into());
        self.binary(value + 1, length);
    }

    fn zeta(&mut self, value: u64, k: u32) {
        let group = (value + 1).ilog2() / k;
        self.unary(group.into());
        let (first, count) = (1 << (group * k), group * k + k - 1);
        match value + 1 - first {
            rest if rest < first => self.binary(rest, count),
            rest => self.binary(rest + first, count + 1),
        }
    }

    fn nibble(&mut self, value: u64) {
        let groups = value.checked_ilog2().unwrap_or(0) / 3;
        for group in (0..=groups).rev() {
            self.0.push(group == 0);
            self.binary(value >> (3 * group), 3);
        }
    }

    fn put(&mut self, value: u64, code: &str, zeta: u32) {
        match code {
            "UNARY" => self.unary(value),
            "GAMMA" => self.gamma(value),
            "DELTA" => {
                let length = (value + 1).ilog2();
                self.gamma(length.into());
                self.binary(value + 1, length);
            }
            "ZETA" => self.zeta(value, zeta),
            "NIBBLE" => self.nibble(value),
            _ => panic!("no code {code}"),
        }
    }
}

/// Writes lists; `refer` chooses how far back each refers.
pub(super) fn write(lists: &[Vec<u32>], how: &How, refer: impl Fn(usize) -> usize) -> Files {
    let (mut bits, mut offsets) = (Bits::default(), Bits::default());
    offsets.put(0, how.offsets, how.zeta);
    for (x, list) in lists.iter().enumerate() {
        let start = bits.0.len();
        bits.put(list.len() as u64, how.degrees, how.zeta);
        if !list.is_empty() {
            let back = refer(x).min(how.window).min(x);
            if how.window > 0 {
                bits.put(back as u64, how.references, how.zeta);
            }
            let reference = (back > 0).then(|| lists[x - back].as_slice());
            put_list(&mut bits, x, list, reference, how);
        }
        offsets.put((bits.0.len() - start) as u64, how.offsets, how.zeta);
    }
    Files { properties: properties(lists, how), graph: bits.bytes(), offsets: offsets.bytes() }
}

fn properties(lists: &[Vec<u32>], how: &How) -> String {
    let arcs: usize = lists.iter().map(Vec::len).sum();
    format!(
        "#BVGraph properties\nversion=0\ngraphclass=it.unimi.dsi.webgraph.BVGraph\nnodes={}\narcs={arcs}\n\
         windowsize={}\nmaxrefcount=-1\nminintervallength={}\nzetak={}\ncompressionflags=OUTDEGREES_{} | \
         REFERENCES_{} | BLOCK_COUNT_{} | BLOCKS_{} | RESIDUALS_{} | OFFSETS_{}\n",
        lists.len(),
        how.window,
        how.shortest_interval,
        how.zeta,
        how.degrees,
        how.references,
        how.block_counts,
        how.blocks,
        how.residuals,
        how.offsets,
    )
}

fn put_list(bits: &mut Bits, x: usize, list: &[u32], reference: Option<&[u32]>, how: &How) {
    let mut extras = list.to_vec();
    if let Some(reference) = reference {
        let blocks = blocks(list, reference);
        bits.put(blocks.len() as u64, how.block_counts, how.zeta);
        for (i, &block) in blocks.iter().enumerate() {
            bits.put(block - u64::from(i > 0), how.blocks, how.zeta);
        }
        extras.retain(|node| !reference.contains(node));
    }
    if extras.is_empty() {
        return;
    }
    if how.shortest_interval > 0 {
        let intervals = intervals(&extras, how.shortest_interval);
        put_intervals(bits, x, &intervals, how);
        extras.retain(|node| {
            !intervals.iter().any(|&(start, len)| (start..start + len).contains(&u64::from(*node)))
        });
    }
    let mut next = None;
    for &node in &extras {
        bits.put(gap(x, next, node.into()), how.residuals, how.zeta);
        next = Some(u64::from(node) + 1);
    }
}

fn put_intervals(bits: &mut Bits, x: usize, intervals: &[(u64, u64)], how: &How) {
    bits.gamma(intervals.len() as u64);
    let mut next = None;
    for &(start, len) in intervals {
        bits.gamma(gap(x, next, start));
        bits.gamma(len - how.shortest_interval as u64);
        next = Some(start + len + 1);
    }
}

/// How far behind `next`; the first is relative to `x`, with its sign in the lowest bit.
fn gap(x: usize, next: Option<u64>, node: u64) -> u64 {
    match (next, node as i64 - x as i64) {
        (Some(next), _) => node - next,
        (None, above @ 0..) => 2 * above as u64,
        (None, below) => 2 * below.unsigned_abs() - 1,
    }
}

/// Lengths of the runs of `reference` that are by turns in the list and not; the last is understood.
fn blocks(list: &[u32], reference: &[u32]) -> Vec<u64> {
    let mut runs = vec![0];
    for node in reference {
        let is_copying = runs.len() % 2 == 1;
        if list.contains(node) != is_copying {
            runs.push(0);
        }
        *runs.last_mut().unwrap() += 1;
    }
    runs.pop();
    runs
}

/// Start and length of the runs of consecutive nodes, of `shortest` or more.
fn intervals(nodes: &[u32], shortest: usize) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &node in nodes {
        match runs.last_mut() {
            Some((start, len)) if *start + *len == u64::from(node) => *len += 1,
            _ => runs.push((node.into(), 1)),
        }
    }
    runs.retain(|run| run.1 >= shortest as u64);
    runs
}
