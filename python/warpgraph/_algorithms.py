"""The algorithms, as methods of graphs and as functions. tools/python-api writes this file from the engine's table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Union

from ._options import Progress, Vertex

if TYPE_CHECKING:
    from ._answer import Answer

Seeds = Union[Iterable[Vertex], Mapping[Vertex, float]]
"""Ids of vertices, or a dict with a number for each."""


class Algorithms:
    """What can be asked of a graph."""

    def run(self, algorithm: str, **arguments: Any) -> Answer:
        """Asks an algorithm by name."""
        raise NotImplementedError

    def _ask(self, algorithm: str, arguments: dict[str, Any]) -> Answer:
        return self.run(algorithm, **{name: value for name, value in arguments.items() if name != "self"})

    def bfs(
        self,
        source: Vertex = "max-degree",
        *,
        max_depth: int | None = None,
        device: str = "auto",
        plan: str = "auto",
        order: str | None = None,
        approx: str = "none",
        threads: int | None = None,
        seed: int | None = None,
        deterministic: bool = False,
        trace: bool = False,
        gpu_memory: int | str | None = None,
        progress: Progress = False,
        time_limit: float | None = None,
    ) -> Answer:
        """Breadth-first search.

        Answers: the fewest hops from a source to every vertex, and a shortest path.

        Columns: vertex, distance (hops; empty if unreached), parent (the vertex before it on a shortest way; the
        source is its own).

        Args:
            source: Where to start: an id of the file, `random`, or `max-degree`.
            max_depth: Stop after this many hops.
            device: Where to run: `auto`, `cpu`, `cuda`, `cuda:1`; `simt` is a simulated GPU.
            plan: How to run, such as `push` or `tiled+zero-copy`.
            order: Renumber the vertices first, such as `degree`. Ids in answers stay.
            approx: Change the graph for speed: `coalesce`, `latency` or `divergence`.
            threads: The number of threads; by default all cores.
            seed: The seed of whatever is drawn at random.
            deterministic: Give the same bits in every run.
            trace: Record every superstep in `answer.run`.
            gpu_memory: Use at most this much GPU memory: bytes, or a text such as `4G`.
            progress: True for a bar of tqdm, or a function `f(stage, done, total)`.
            time_limit: Stop with `DeadlineError` after this many seconds.

        ``answer.verify()`` checks the rules of Graph500 for distances and parents.
        """
        return self._ask("bfs", locals())

    def sssp(
        self,
        source: Vertex = "max-degree",
        *,
        delta: float | None = None,
        max_error: float | None = None,
        device: str = "auto",
        plan: str = "auto",
        order: str | None = None,
        approx: str = "none",
        threads: int | None = None,
        seed: int | None = None,
        deterministic: bool = False,
        trace: bool = False,
        gpu_memory: int | str | None = None,
        progress: Progress = False,
        time_limit: float | None = None,
    ) -> Answer:
        """Shortest paths.

        Answers: the least sum of weights from a source to every vertex, and a shortest path; weights may be negative.

        Edges without weights count 1. Negative weights are allowed; a negative cycle within reach is an error that
        names it, and so is a distance too large for its type. Columns: vertex, distance (empty if unreached), parent.

        Args:
            source: Where to start: an id of the file, `random`, or `max-degree`.
            delta: Width of a distance bucket; chosen from the weights and degrees if left out.
            max_error: Allow this mean relative error of distances, measured on other sources.
            device: Where to run: `auto`, `cpu`, `cuda`, `cuda:1`; `simt` is a simulated GPU.
            plan: How to run, such as `push` or `tiled+zero-copy`.
            order: Renumber the vertices first, such as `degree`. Ids in answers stay.
            approx: Change the graph for speed: `coalesce`, `latency` or `divergence`.
            threads: The number of threads; by default all cores.
            seed: The seed of whatever is drawn at random.
            deterministic: Give the same bits in every run.
            trace: Record every superstep in `answer.run`.
            gpu_memory: Use at most this much GPU memory: bytes, or a text such as `4G`.
            progress: True for a bar of tqdm, or a function `f(stage, done, total)`.
            time_limit: Stop with `DeadlineError` after this many seconds.

        ``answer.verify()`` checks the triangle inequality for every arc, and a path of tight arcs to every reached
        vertex.
        """
        return self._ask("sssp", locals())

    def pagerank(
        self,
        *,
        damping: float = 0.85,
        tolerance: float = 1e-06,
        max_error: float | None = None,
        max_iterations: int = 100,
        weighted: bool = False,
        personalize: Seeds = (),
        device: str = "auto",
        plan: str = "auto",
        order: str | None = None,
        approx: str = "none",
        threads: int | None = None,
        seed: int | None = None,
        deterministic: bool = False,
        trace: bool = False,
        gpu_memory: int | str | None = None,
        progress: Progress = False,
        time_limit: float | None = None,
    ) -> Answer:
        """PageRank.

        Answers: how often a random walk visits each vertex; also weighted and personalised.

        Ranks sum to 1; vertices without outgoing arcs send their rank where teleports go, as NetworkX does. max_error=
        E bounds the sum of all errors. Columns: vertex, rank.

        Args:
            damping: Share of steps that follow an arc, from 0 to below 1; the others teleport.
            tolerance: Stop when the total change of a sweep is below this.
            max_error: Instead, stop when the sum of the errors of all ranks is proved to be at most E.
            max_iterations: Stop after this many sweeps at the latest.
            weighted: Follow arcs in proportion to their weights.
            personalize: Teleport to these vertices only: ids, each with its share if not equal, e.g. `17,42=2`.
            device: Where to run: `auto`, `cpu`, `cuda`, `cuda:1`; `simt` is a simulated GPU.
            plan: How to run, such as `push` or `tiled+zero-copy`.
            order: Renumber the vertices first, such as `degree`. Ids in answers stay.
            approx: Change the graph for speed: `coalesce`, `latency` or `divergence`.
            threads: The number of threads; by default all cores.
            seed: The seed of whatever is drawn at random.
            deterministic: Give the same bits in every run.
            trace: Record every superstep in `answer.run`.
            gpu_memory: Use at most this much GPU memory: bytes, or a text such as `4G`.
            progress: True for a bar of tqdm, or a function `f(stage, done, total)`.
            time_limit: Stop with `DeadlineError` after this many seconds.

        ``answer.verify()`` checks the residual of one exact sweep.
        """
        return self._ask("pagerank", locals())

    def adsorption(
        self,
        *,
        inject: Seeds = (),
        p_inject: float = 0.2,
        p_continue: float = 0.8,
        tolerance: float = 1e-06,
        max_iterations: int = 200,
        weighted: bool = False,
        device: str = "auto",
        plan: str = "auto",
        order: str | None = None,
        approx: str = "none",
        threads: int | None = None,
        seed: int | None = None,
        deterministic: bool = False,
        trace: bool = False,
        gpu_memory: int | str | None = None,
        progress: Progress = False,
        time_limit: float | None = None,
    ) -> Answer:
        """Adsorption.

        Answers: how much of a label, injected at some vertices, arrives at each vertex.

        A vertex takes what is injected with one probability, and goes on with the mean of what arrives with another.
        Columns: vertex, value.

        Args:
            inject: Inject labels here: ids, each with its value if not 1, e.g. `17,42=-1`; default: 1 at the vertex of
                largest degree.
            p_inject: Probability of taking the injected label.
            p_continue: Probability of taking the mean of what arrives, below 1; the rest up to 1 is the probability to
                give up.
            tolerance: Stop when another sweep would change less than this in total.
            max_iterations: Stop after this many sweeps at the latest.
            weighted: Mix what arrives in proportion to the weights of arcs.
            device: Where to run: `auto`, `cpu`, `cuda`, `cuda:1`; `simt` is a simulated GPU.
            plan: How to run, such as `push` or `tiled+zero-copy`.
            order: Renumber the vertices first, such as `degree`. Ids in answers stay.
            approx: Change the graph for speed: `coalesce`, `latency` or `divergence`.
            threads: The number of threads; by default all cores.
            seed: The seed of whatever is drawn at random.
            deterministic: Give the same bits in every run.
            trace: Record every superstep in `answer.run`.
            gpu_memory: Use at most this much GPU memory: bytes, or a text such as `4G`.
            progress: True for a bar of tqdm, or a function `f(stage, done, total)`.
            time_limit: Stop with `DeadlineError` after this many seconds.

        ``answer.verify()`` checks the residual of one exact sweep.
        """
        return self._ask("adsorption", locals())

    def bc(
        self,
        *,
        sources: int | str = "all",
        source: Iterable[Vertex] = (),
        weighted: bool = False,
        normalized: bool = False,
        endpoints: bool = False,
        max_error: float | None = None,
        confidence: float = 0.9,
        top: int | None = None,
        device: str = "auto",
        plan: str = "auto",
        order: str | None = None,
        approx: str = "none",
        threads: int | None = None,
        seed: int | None = None,
        deterministic: bool = False,
        trace: bool = False,
        gpu_memory: int | str | None = None,
        progress: Progress = False,
        time_limit: float | None = None,
    ) -> Answer:
        """Betweenness centrality.

        Answers: how many shortest paths pass through each vertex, from all sources or a sample; also weighted.

        Exact from all vertices, or estimated from sources= K drawn from seed= (a new draw per run), scaled as NetworkX
        does. max_error= E and top= K sample paths instead, with a proved bound. Columns: vertex, score (empty for the
        only source, where there is nothing to estimate from).

        Args:
            sources: Count paths from all vertices, or from this many drawn from the seed.
            source: Count paths from these vertices only.
            weighted: Measure paths by the sum of weights, not by hops.
            normalized: Scale scores to shares of all pairs, from 0 to 1.
            endpoints: Count a path for its two ends as well.
            max_error: Allow an error of E in each normalised score: sample shortest paths until it is proved.
            confidence: The probability with which max_error= and top= hold.
            top: Stop sampling as soon as the order of the K highest scores is settled.
            device: Where to run: `auto`, `cpu`, `cuda`, `cuda:1`; `simt` is a simulated GPU.
            plan: How to run, such as `push` or `tiled+zero-copy`.
            order: Renumber the vertices first, such as `degree`. Ids in answers stay.
            approx: Change the graph for speed: `coalesce`, `latency` or `divergence`.
            threads: The number of threads; by default all cores.
            seed: The seed of whatever is drawn at random.
            deterministic: Give the same bits in every run.
            trace: Record every superstep in `answer.run`.
            gpu_memory: Use at most this much GPU memory: bytes, or a text such as `4G`.
            progress: True for a bar of tqdm, or a function `f(stage, done, total)`.
            time_limit: Stop with `DeadlineError` after this many seconds.

        ``answer.verify()`` checks a forward count of paths at some vertices, and sums of path lengths.
        """
        return self._ask("bc", locals())

    def closeness(
        self,
        *,
        sources: int | str = "all",
        source: Iterable[Vertex] = (),
        max_error: float | None = None,
        confidence: float = 0.9,
        device: str = "auto",
        plan: str = "auto",
        order: str | None = None,
        approx: str = "none",
        threads: int | None = None,
        seed: int | None = None,
        deterministic: bool = False,
        trace: bool = False,
        gpu_memory: int | str | None = None,
        progress: Progress = False,
        time_limit: float | None = None,
    ) -> Answer:
        """Closeness and harmonic centrality, and eccentricity.

        Answers: how close each vertex is to those that reach it.

        For all vertices, which is a search from each of them and takes long on large graphs, or for sources= K drawn
        from seed=. Distances are hops towards the vertex, as in NetworkX. max_error= E estimates all values from
        searches from some vertices. Columns: vertex, closeness, harmonic, eccentricity (empty for vertices not asked
        about).

        Args:
            sources: Ask about all vertices, or about this many drawn from the seed.
            source: Ask about these vertices only.
            max_error: Allow an error of E in harmonic / (n - 1), in the share of vertices that reach v, and in mean
                distance / diameter.
            confidence: The probability with which max_error= holds.
            device: Where to run: `auto`, `cpu`, `cuda`, `cuda:1`; `simt` is a simulated GPU.
            plan: How to run, such as `push` or `tiled+zero-copy`.
            order: Renumber the vertices first, such as `degree`. Ids in answers stay.
            approx: Change the graph for speed: `coalesce`, `latency` or `divergence`.
            threads: The number of threads; by default all cores.
            seed: The seed of whatever is drawn at random.
            deterministic: Give the same bits in every run.
            trace: Record every superstep in `answer.run`.
            gpu_memory: Use at most this much GPU memory: bytes, or a text such as `4G`.
            progress: True for a bar of tqdm, or a function `f(stage, done, total)`.
            time_limit: Stop with `DeadlineError` after this many seconds.

        ``answer.verify()`` checks bounds on the sums, differences between neighbours, and some searches with a plain
        queue.
        """
        return self._ask("closeness", locals())

    def wcc(
        self,
        *,
        device: str = "auto",
        plan: str = "auto",
        order: str | None = None,
        approx: str = "none",
        threads: int | None = None,
        seed: int | None = None,
        deterministic: bool = False,
        trace: bool = False,
        gpu_memory: int | str | None = None,
        progress: Progress = False,
        time_limit: float | None = None,
    ) -> Answer:
        """Weakly connected components.

        Answers: which vertices hang together when directions are ignored.

        Columns: vertex, component (the smallest vertex of its component).

        Args:
            device: Where to run: `auto`, `cpu`, `cuda`, `cuda:1`; `simt` is a simulated GPU.
            plan: How to run, such as `push` or `tiled+zero-copy`.
            order: Renumber the vertices first, such as `degree`. Ids in answers stay.
            approx: Change the graph for speed: `coalesce`, `latency` or `divergence`.
            threads: The number of threads; by default all cores.
            seed: The seed of whatever is drawn at random.
            deterministic: Give the same bits in every run.
            trace: Record every superstep in `answer.run`.
            gpu_memory: Use at most this much GPU memory: bytes, or a text such as `4G`.
            progress: True for a bar of tqdm, or a function `f(stage, done, total)`.
            time_limit: Stop with `DeadlineError` after this many seconds.

        ``answer.verify()`` checks a serial union-find.
        """
        return self._ask("wcc", locals())

    def scc(
        self,
        *,
        max_error: float | None = None,
        device: str = "auto",
        plan: str = "auto",
        order: str | None = None,
        approx: str = "none",
        threads: int | None = None,
        seed: int | None = None,
        deterministic: bool = False,
        trace: bool = False,
        gpu_memory: int | str | None = None,
        progress: Progress = False,
        time_limit: float | None = None,
    ) -> Answer:
        """Strongly connected components.

        Answers: which vertices can reach each other along arcs.

        On an undirected graph the same as wcc. Columns: vertex, component (the smallest vertex of its component).

        Args:
            max_error: Allow this error; the answer is exact all the same, because nothing faster has a bound.
            device: Where to run: `auto`, `cpu`, `cuda`, `cuda:1`; `simt` is a simulated GPU.
            plan: How to run, such as `push` or `tiled+zero-copy`.
            order: Renumber the vertices first, such as `degree`. Ids in answers stay.
            approx: Change the graph for speed: `coalesce`, `latency` or `divergence`.
            threads: The number of threads; by default all cores.
            seed: The seed of whatever is drawn at random.
            deterministic: Give the same bits in every run.
            trace: Record every superstep in `answer.run`.
            gpu_memory: Use at most this much GPU memory: bytes, or a text such as `4G`.
            progress: True for a bar of tqdm, or a function `f(stage, done, total)`.
            time_limit: Stop with `DeadlineError` after this many seconds.

        ``answer.verify()`` checks searches in both directions inside each component, and an order of the components
        without a cycle.
        """
        return self._ask("scc", locals())

    def mst(
        self,
        *,
        max_error: float | None = None,
        device: str = "auto",
        plan: str = "auto",
        order: str | None = None,
        approx: str = "none",
        threads: int | None = None,
        seed: int | None = None,
        deterministic: bool = False,
        trace: bool = False,
        gpu_memory: int | str | None = None,
        progress: Progress = False,
        time_limit: float | None = None,
    ) -> Answer:
        """Minimum spanning forest.

        Answers: the lightest edges that connect everything, ignoring directions; unique even where weights tie.

        Directions are ignored: of all arcs between two vertices, either way, the lightest counts. Edges without
        weights count 1; ties go to the smaller ends, so the forest is unique. Columns of out=, one row per edge:
        source (its smaller end), target, weight.

        Args:
            max_error: Allow this error; the answer is exact all the same, because nothing faster has a bound.
            device: Where to run: `auto`, `cpu`, `cuda`, `cuda:1`; `simt` is a simulated GPU.
            plan: How to run, such as `push` or `tiled+zero-copy`.
            order: Renumber the vertices first, such as `degree`. Ids in answers stay.
            approx: Change the graph for speed: `coalesce`, `latency` or `divergence`.
            threads: The number of threads; by default all cores.
            seed: The seed of whatever is drawn at random.
            deterministic: Give the same bits in every run.
            trace: Record every superstep in `answer.run`.
            gpu_memory: Use at most this much GPU memory: bytes, or a text such as `4G`.
            progress: True for a bar of tqdm, or a function `f(stage, done, total)`.
            time_limit: Stop with `DeadlineError` after this many seconds.

        ``answer.verify()`` checks the cycle property for every edge.
        """
        return self._ask("mst", locals())

    def triangles(
        self,
        *,
        local: bool = False,
        max_error: float | None = None,
        confidence: float = 0.9,
        device: str = "auto",
        plan: str = "auto",
        order: str | None = None,
        approx: str = "none",
        threads: int | None = None,
        seed: int | None = None,
        deterministic: bool = False,
        trace: bool = False,
        gpu_memory: int | str | None = None,
        progress: Progress = False,
        time_limit: float | None = None,
    ) -> Answer:
        """Triangles.

        Answers: triples of vertices that are all joined, in total or per vertex with clustering; ignores directions.

        Directions and self-loops are ignored, parallel edges are one. Columns: vertex, triangles (at it), clustering
        (the share of its pairs of neighbours that are joined; 0 below two neighbours).

        Args:
            local: Count at every vertex too, with clustering coefficients.
            max_error: Allow an error of E in the transitivity, and so of E times a third of all pairs of neighbours in
                the total.
            confidence: The probability with which max_error= holds.
            device: Where to run: `auto`, `cpu`, `cuda`, `cuda:1`; `simt` is a simulated GPU.
            plan: How to run, such as `push` or `tiled+zero-copy`.
            order: Renumber the vertices first, such as `degree`. Ids in answers stay.
            approx: Change the graph for speed: `coalesce`, `latency` or `divergence`.
            threads: The number of threads; by default all cores.
            seed: The seed of whatever is drawn at random.
            deterministic: Give the same bits in every run.
            trace: Record every superstep in `answer.run`.
            gpu_memory: Use at most this much GPU memory: bytes, or a text such as `4G`.
            progress: True for a bar of tqdm, or a function `f(stage, done, total)`.
            time_limit: Stop with `DeadlineError` after this many seconds.

        ``answer.verify()`` checks bounds, sums, and a recount with another method.
        """
        return self._ask("triangles", locals())

    def kcore(
        self,
        *,
        device: str = "auto",
        plan: str = "auto",
        order: str | None = None,
        approx: str = "none",
        threads: int | None = None,
        seed: int | None = None,
        deterministic: bool = False,
        trace: bool = False,
        gpu_memory: int | str | None = None,
        progress: Progress = False,
        time_limit: float | None = None,
    ) -> Answer:
        """Cores.

        Answers: the core number of each vertex, and the degeneracy.

        A directed graph counts arcs in and out, as NetworkX does; read it with undirected= to count neighbours.
        Self-loops do not count. Columns: vertex, core.

        Args:
            device: Where to run: `auto`, `cpu`, `cuda`, `cuda:1`; `simt` is a simulated GPU.
            plan: How to run, such as `push` or `tiled+zero-copy`.
            order: Renumber the vertices first, such as `degree`. Ids in answers stay.
            approx: Change the graph for speed: `coalesce`, `latency` or `divergence`.
            threads: The number of threads; by default all cores.
            seed: The seed of whatever is drawn at random.
            deterministic: Give the same bits in every run.
            trace: Record every superstep in `answer.run`.
            gpu_memory: Use at most this much GPU memory: bytes, or a text such as `4G`.
            progress: True for a bar of tqdm, or a function `f(stage, done, total)`.
            time_limit: Stop with `DeadlineError` after this many seconds.

        ``answer.verify()`` checks enough arcs inside every core, and a serial peeling that finds no deeper one.
        """
        return self._ask("kcore", locals())

    def label_propagation(
        self,
        *,
        max_iterations: int = 10,
        weighted: bool = False,
        device: str = "auto",
        plan: str = "auto",
        order: str | None = None,
        approx: str = "none",
        threads: int | None = None,
        seed: int | None = None,
        deterministic: bool = False,
        trace: bool = False,
        gpu_memory: int | str | None = None,
        progress: Progress = False,
        time_limit: float | None = None,
    ) -> Answer:
        """Label propagation.

        Answers: communities, all vertices updated at once (CDLP of LDBC Graphalytics); also weighted.

        All vertices change at once, ties go to the smallest label, arcs count both ways: the CDLP of LDBC
        Graphalytics. Columns: vertex, label (a vertex).

        Args:
            max_iterations: Stop after this many rounds at the latest.
            weighted: Count neighbours by the weights of their arcs.
            device: Where to run: `auto`, `cpu`, `cuda`, `cuda:1`; `simt` is a simulated GPU.
            plan: How to run, such as `push` or `tiled+zero-copy`.
            order: Renumber the vertices first, such as `degree`. Ids in answers stay.
            approx: Change the graph for speed: `coalesce`, `latency` or `divergence`.
            threads: The number of threads; by default all cores.
            seed: The seed of whatever is drawn at random.
            deterministic: Give the same bits in every run.
            trace: Record every superstep in `answer.run`.
            gpu_memory: Use at most this much GPU memory: bytes, or a text such as `4G`.
            progress: True for a bar of tqdm, or a function `f(stage, done, total)`.
            time_limit: Stop with `DeadlineError` after this many seconds.

        ``answer.verify()`` checks the definition, computed again by sorting.
        """
        return self._ask("label-propagation", locals())


bfs = Algorithms.bfs
sssp = Algorithms.sssp
pagerank = Algorithms.pagerank
adsorption = Algorithms.adsorption
bc = Algorithms.bc
closeness = Algorithms.closeness
wcc = Algorithms.wcc
scc = Algorithms.scc
mst = Algorithms.mst
triangles = Algorithms.triangles
kcore = Algorithms.kcore
label_propagation = Algorithms.label_propagation

__all__ = [
    "bfs",
    "sssp",
    "pagerank",
    "adsorption",
    "bc",
    "closeness",
    "wcc",
    "scc",
    "mst",
    "triangles",
    "kcore",
    "label_propagation",
]
