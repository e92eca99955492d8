//! Draws from the truncated Pareto distribution, whose density is proportional to x^-alpha on [least, most].

/// A truncated Pareto distribution, stored as its inverse cumulative distribution function.
pub(in crate::generate) struct Pareto {
    /// The values least^(1 - alpha) and most^(1 - alpha).
    ends: (f64, f64),
    exponent: f64,
}

impl Pareto {
    /// Returns the distribution with this mean, upper end and `alpha`. `alpha` is above 2, `mean` at most half of
    /// `most`.
    pub(super) fn with_mean(mean: f64, most: f64, alpha: f64) -> Self {
        let (mut low, mut high) = (0.0, most);
        // The mean grows with the lower end, so bisection finds it; after 60 halvings the rounding error dominates.
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if mean_from(middle, most, alpha) < mean { low = middle } else { high = middle }
        }
        Self { ends: (high.powf(1.0 - alpha), most.powf(1.0 - alpha)), exponent: 1.0 / (1.0 - alpha) }
    }

    /// Returns the value at which the cumulative distribution reaches `u`.
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
