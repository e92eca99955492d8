//! Counts the vertices of the largest component.

use super::Components;
use crate::{Exchange, Result, collective};
use std::collections::BTreeMap;
use warpgraph_graph::Vertex;

impl Components {
    /// Returns the size of the largest component; collective. A component without trees in `crossing`, a list of roots, is
    /// counted by its part; of the others, the parts send the number of their vertices to one part per label.
    pub(super) fn largest(&self, crossing: &[Vertex], exchange: &mut dyn Exchange) -> Result<u64> {
        let parts = exchange.parts() as u64;
        let n = self.part.whole().vertices as u64;
        let mut sizes = vec![0u32; self.part.places()];
        self.parents[self.part.own()].iter().for_each(|&root| sizes[root as usize] += 1);
        let mut by_label: BTreeMap<Vertex, u64> = BTreeMap::new();
        for &root in crossing {
            let size = std::mem::take(&mut sizes[root as usize]);
            if size > 0 {
                *by_label.entry(self.labels[root as usize]).or_default() += u64::from(size);
            }
        }
        let mut largest = sizes.into_iter().max().map_or(0, u64::from);
        let home = |label: Vertex| (u64::from(label) * parts / n) as usize;
        let mut mail: Vec<Vec<u8>> = vec![Vec::new(); parts as usize];
        for (label, size) in by_label {
            let bytes = &mut mail[home(label)];
            bytes.extend_from_slice(&label.to_le_bytes());
            bytes.extend_from_slice(&(size as u32).to_le_bytes());
        }
        for (to, bytes) in mail.into_iter().enumerate().filter(|(_, bytes)| !bytes.is_empty()) {
            exchange.send(to, bytes)?;
        }
        let (mut all, here): (BTreeMap<Vertex, u64>, _) = (BTreeMap::new(), self.part.number());
        exchange.flush(&mut |_, bytes| {
            if !bytes.len().is_multiple_of(8) {
                return Err(format!("{} bytes, expected sizes of components of 8", bytes.len()));
            }
            for pair in bytes.chunks_exact(8) {
                let [label, size] = bytemuck::pod_read_unaligned::<[u32; 2]>(pair);
                if u64::from(label) >= n || home(label) != here {
                    return Err(format!("the size of component {label}, which is not counted here"));
                }
                *all.entry(label).or_default() += u64::from(size);
            }
            Ok(())
        })?;
        largest = all.into_values().fold(largest, u64::max);
        Ok(collective::greatest(exchange, Some(largest))?.unwrap_or(0))
    }
}
