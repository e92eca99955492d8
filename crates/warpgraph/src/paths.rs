//! The paths of a loaded graph, for the model `paths`: the first run that walks along them makes them, and later ones find
//! them here.

use crate::{Loaded, view::View};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};
use warpgraph_core::{DEFAULT_SEED, Error, Options, PathPlan, Result, Run};
use warpgraph_graph::{Control, Paths, par, timeline::Phase};
use warpgraph_transform::Means;

/// The paths of one view of a graph; clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kept(Arc<Mutex<Option<Arc<Paths>>>>);

impl Kept {
    fn lock(&self) -> MutexGuard<'_, Option<Arc<Paths>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Loaded {
    /// Makes the paths for a plan of the model `paths`, unless such paths are kept already, and keeps them for runs on this
    /// graph. A run makes them itself if it must; call this to make them ahead, or to give vertices an importance of your own.
    ///
    /// `importance` is a name and a number per vertex, in the order of the graph's ids: the vertices with the greatest
    /// numbers become hubs.
    ///
    /// ```
    /// use warpgraph::{Bfs, Engine, Graph, Order, PathPlan, Plan};
    ///
    /// # fn main() -> Result<(), warpgraph::Error> {
    /// let graph = Graph::from_edges(4, &[(0, 1), (1, 2), (1, 3)], false)?;
    /// let loaded = Engine::auto()?.load(&graph, Order::Natural)?;
    /// let plan = PathPlan::DEFAULT;
    /// let paths = loaded.make_paths(plan, Some(("influence", &[0.0, 1.0, 0.0, 0.0])), &Default::default())?;
    /// assert_eq!(paths.found().edges(), 3);
    /// let answer = loaded.bfs(Bfs::from(0)).plan(Plan::PATHS).run()?;
    /// assert_eq!(answer.distance(3), Some(2));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the importance has another length or holds NaN, when memory is short, or when the control stops the work.
    pub fn make_paths(
        &self,
        plan: PathPlan,
        importance: Option<(&str, &[f64])>,
        control: &Control,
    ) -> Result<Arc<Paths>> {
        let view = self.view();
        if importance.is_none()
            && let Some(paths) = self.kept_paths(&view, plan)
        {
            return Ok(paths);
        }
        let mut recipe = plan.recipe(view.graph());
        let mut inner = None;
        if let Some((name, values)) = importance {
            name.clone_into(&mut recipe.importance);
            let n = self.graph().vertices();
            if values.len() != n {
                let what = format!("{} numbers of importance for {n} vertices", values.len());
                return Err(Error::Refused { what, help: "give one number per vertex".to_owned() });
            }
            let original = |v: usize| view.renumbered().map_or(v, |(_, map)| map.original(v as u32) as usize);
            inner = Some(par::map(n, |v| values[original(v)]));
        }
        let make = || {
            let means = Means::on_cpu(DEFAULT_SEED, control);
            warpgraph_transform::paths(view.graph(), &recipe, inner.as_deref(), &means)
        };
        let paths = Arc::new(self.engine().install(make)?);
        *view.paths().lock() = Some(Arc::clone(&paths));
        Ok(paths)
    }

    /// Returns the paths that are kept: made by a run or by [`Loaded::make_paths`], or read with the graph.
    pub fn paths(&self) -> Option<Arc<Paths>> {
        let view = self.view();
        let kept = view.paths().lock().clone();
        kept.or_else(|| view.graph().paths().cloned())
    }

    /// Returns kept paths that will do for a plan.
    fn kept_paths(&self, view: &View, plan: PathPlan) -> Option<Arc<Paths>> {
        let will_do = |paths: &Arc<Paths>| plan.takes(paths.recipe(), view.graph());
        let kept = view.paths().lock().clone().filter(will_do);
        kept.or_else(|| view.graph().paths().filter(|paths| will_do(paths)).cloned())
    }

    /// Gives the options of a run its paths, if its plan walks along paths. Returns the seconds that making them took.
    pub(crate) fn with_paths(&self, options: &mut Options) -> Result<Option<f64>> {
        let Some(plan) = options.plan.paths() else { return Ok(None) };
        let start = Instant::now();
        let is_kept = self.kept_paths(&self.view(), plan).is_some();
        let _span = options.control.span(Phase::Preparing);
        options.paths = Some(self.make_paths(plan, None, &options.control)?);
        Ok(Some(if is_kept { 0.0 } else { start.elapsed().as_secs_f64() }))
    }
}

/// Adds to the report what making paths took.
pub(crate) fn record(run: &mut Run, making_seconds: Option<f64>) {
    let Some(seconds) = making_seconds else { return };
    run.prepare_seconds += seconds;
    if let Some(paths) = &mut run.paths {
        paths.making_seconds = seconds;
    }
}
