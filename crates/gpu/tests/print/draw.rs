//! Numbers to test with: the ends of ranges, the places where casts turn, small ones, and any bits.

use warpgraph_core::{graph::hash, program::ScalarType};

/// Bits of a number of a type.
pub(crate) fn bits(kind: ScalarType, seed: u64) -> u64 {
    let random = hash::mix(seed, 0x5eed);
    let edges = edges(kind);
    let small = (random >> 8) % 40;
    let signed = if random >> 63 == 0 { small as i32 } else { -(small as i32) };
    match random % 4 {
        0 | 1 => edges[(random >> 8) as usize % edges.len()],
        2 => match kind {
            ScalarType::I32 => u64::from(signed as u32),
            ScalarType::F32 => u64::from((signed as f32 / 4.0).to_bits()),
            ScalarType::F64 => (f64::from(signed) / 4.0).to_bits(),
            _ => small,
        },
        _ => match kind {
            ScalarType::Bool => random >> 63,
            ScalarType::U64 | ScalarType::F64 => hash::mix(random, 1),
            _ => hash::mix(random, 1) >> 32,
        },
    }
}

fn edges(kind: ScalarType) -> Vec<u64> {
    match kind {
        ScalarType::Bool => vec![0, 1],
        ScalarType::U32 | ScalarType::I32 => {
            [0, 1, 2, u32::MAX, u32::MAX - 1, 1 << 31, (1 << 31) + 1, (1 << 31) - 1, (1 << 24) + 1]
                .map(u64::from)
                .to_vec()
        }
        ScalarType::U64 => {
            let mut edges = vec![0, 1, u64::MAX, u64::MAX - 1];
            for power in [24, 31, 32, 53, 63] {
                edges.extend([(1 << power) - 1, 1 << power, (1 << power) + 1]);
            }
            // Halfway between two decimals, and next to it.
            edges.extend([
                (1 << 63) + (1 << 39),
                (1 << 63) + (1 << 39) + 1,
                (1 << 63) + (1 << 10),
                u64::MAX << 10,
            ]);
            edges
        }
        ScalarType::F32 => turns()
            .flat_map(|x| around(u64::from((x as f32).to_bits())))
            .chain([f32::NAN, -f32::NAN, f32::MAX, f32::MIN].map(|x| u64::from(x.to_bits())))
            .collect(),
        ScalarType::F64 => turns()
            .flat_map(|x| around(x.to_bits()))
            // Beyond f32 and at its ends, so that narrowing rounds, overflows and vanishes.
            .chain([1e300, -1e300, 3.402_823_5e38, 3.402_823_6e38, 1e-45, 7e-46, 1e-40].map(f64::to_bits))
            .chain([f64::NAN, -f64::NAN, f64::MAX, f64::MIN].map(f64::to_bits))
            .collect(),
    }
}

/// Where a cast or a sign turns.
fn turns() -> impl Iterator<Item = f64> {
    let powers = [0, 24, 31, 32, 53, 63, 64].map(|power: i32| 2f64.powi(power));
    [0.0, 0.5, f64::INFINITY].into_iter().chain(powers).flat_map(|x| [x, -x])
}

/// A number by its bits, and those next to it; those of infinities are NaN on one side.
fn around(bits: u64) -> [u64; 3] {
    [bits, bits + 1, bits.max(1) - 1]
}
