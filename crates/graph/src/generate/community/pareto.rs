//! The Pareto distribution cut off at its upper end: density ~ x^-alpha on [least, most].

/// A truncated Pareto distribution, by its inverse cumulative function.
pub(in crate::generate) struct Pareto {
    /// least^(1 - alpha) and most^(1 - alpha).
    ends: (f64, f64),
    exponent: f64,
}

impl Pareto {
    /// The one with this mean, upper end and `alpha` (above 2); `mean` is at most half of `most`.
    pub(super) fn with_mean(mean: f64, most: f64, alpha: f64) -> Self {
        let (mut low, mut high) = (0.0, most);
        // The mean grows with the lower end; 60 halvings leave less than a rounding error.
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if mean_from(middle, most, alpha) < mean { low = middle } else { high = middle }
        }
        Self { ends: (high.powf(1.0 - alpha), most.powf(1.0 - alpha)), exponent: 1.0 / (1.0 - alpha) }
    }

    /// The value at which the cumulative distribution passes `u`.
    pub(super) fn at(&self, u: f64) -> f64 {
        (self.ends.0 + u * (self.ends.1 - self.ends.0)).powf(self.exponent)
    }
}

fn mean_from(least: f64, most: f64, alpha: f64) -> f64 {
    let between = |power: f64| (most.powf(power) - least.powf(power)) / power;
    between(2.0 - alpha) / between(1.0 - alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_the_one_asked_for() {
        for (mean, most, alpha) in
            [(16.0, 500.0, 2.5), (0.5, 1.0, 2.05), (0.5, 500.0, 3.0), (250.0, 500.0, 10.0)]
        {
            let pareto = Pareto::with_mean(mean, most, alpha);
            let steps = 1_000_000;
            let sum: f64 = (0..steps).map(|i| pareto.at((f64::from(i) + 0.5) / f64::from(steps))).sum();
            assert!((sum / f64::from(steps) / mean - 1.0).abs() < 1e-3, "mean {mean}, got {sum}");
        }
    }
}
