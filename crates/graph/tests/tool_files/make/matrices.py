"""What NumPy and SciPy write."""

import numpy as np
import scipy.io
import scipy.sparse as sp
from record import Graph, call


def held(matrix, base=0, directed=True):
    coo = matrix.tocoo()
    entries = zip(coo.row.tolist(), coo.col.tolist(), coo.data.tolist())
    edges = [(u + base, v + base, w) for u, v, w in entries if directed or u >= v]
    return Graph(edges, directed, range(base, base + coo.shape[0]))


def bare(graph):
    return Graph([edge[:2] for edge in graph.edges], graph.directed, graph.vertices)


def make():
    general = sp.csr_matrix(([2.5, -1.0, 1e300, 4.0], ([0, 1, 3, 2], [1, 3, 0, 2])), shape=(5, 5))
    whole = sp.coo_matrix(([3, 1, 4], ([0, 1, 2], [1, 2, 0])), shape=(3, 3))
    even = sp.csr_matrix(np.array([[0, 1.5, 0], [1.5, 0, 2], [0, 2, 0]]))
    market(general, whole, even)
    archives(general, whole)
    arrays()


def market(general, whole, even):
    using = {"mmwrite": scipy.io.mmwrite, "general": general, "whole": whole, "even": even}

    def scipy_file(file, code, graph=None, **about):
        call(file, "SciPy", code, graph, using=using, **about)

    scipy_file("scipy.mtx", "mmwrite(path, general)", held(general, 1))
    scipy_file("scipy-integer.mtx", "mmwrite(path, whole, comment='made by a test')", held(whole, 1))
    scipy_file("scipy-pattern.mtx", "mmwrite(path, whole, field='pattern')", bare(held(whole, 1)))
    scipy_file("scipy-symmetric.mtx", "mmwrite(path, even)", held(even, 1, directed=False))
    scipy_file("scipy-precision.mtx", "mmwrite(path, even, precision=17)", held(even, 1, directed=False))
    scipy_file("scipy-complex.mtx", "mmwrite(path, general * 1j)", error=["complex"])
    scipy_file("scipy-dense.mtx", "mmwrite(path, even.toarray())", error=["array|dense"])
    scipy_file("scipy-rectangle.mtx", "mmwrite(path, general[:, :3])", error=["square"])
    scipy_file("scipy.rb", "__import__('scipy.io').io.hb_write(path, even.tocsc())", error=["harwell|boeing|columns"],
               why="a Harwell-Boeing file is text, but no edge list")
    scipy_file("scipy.mat", "__import__('scipy.io').io.savemat(path, {'a': even})", error=["matlab|binary"])


def archives(general, whole):
    using = {"save_npz": sp.save_npz, "general": general, "whole": whole, "np": np}

    def npz(file, code, graph=None, **about):
        call(file, "SciPy", code, graph, using=using, **about)

    npz("scipy-csr.npz", "save_npz(path, general)", held(general))
    npz("scipy-csc.npz", "save_npz(path, general.tocsc(), compressed=False)", held(general))
    npz("scipy-coo.npz", "save_npz(path, whole.astype(np.int16))", held(whole))
    npz("scipy-float32.npz", "save_npz(path, (whole * 0.5).astype(np.float32))", held(whole * 0.5))
    npz("scipy-bool.npz", "save_npz(path, whole.astype(bool))", bare(held(whole)))
    npz("scipy-bsr.npz", "save_npz(path, general.tobsr())", held(general), error=["bsr"],
        why="read, or refused by its name")
    npz("scipy-array.npz", "save_npz(path, general.tocsr().__class__(general))", held(general))
    npz("scipy-complex.npz", "save_npz(path, general * 1j)", error=["complex"])
    npz("numpy.npz", "np.savez(path, edges=np.array([[0, 1], [1, 2]]))", error=["scipy|npz"])


def arrays():
    edges = np.array([[0, 1], [1, 2], [2, 0]])
    weighted = np.array([[0, 1, 0.5], [1, 2, 2.5]])
    using = {"np": np, "edges": edges, "weighted": weighted}
    listed = Graph(edges.tolist())

    def numpy(file, code, graph=None, **about):
        call(file, "NumPy", code, graph, using=using, **about)

    numpy("numpy.txt", "np.savetxt(path, edges, fmt='%d')", listed)
    numpy("numpy-header.csv", "np.savetxt(path, edges, fmt='%d', delimiter=',', header='source,target')", listed,
          why="the header is a comment")
    numpy("numpy-weights.txt", "np.savetxt(path, weighted, fmt=['%d', '%d', '%g'])",
          Graph([(int(u), int(v), w) for u, v, w in weighted.tolist()]))
    numpy("numpy-floats.txt", "np.savetxt(path, edges)", Graph([(f"{u:.18e}", f"{v:.18e}") for u, v in edges.tolist()]),
          error=["id"], why="ids as floats: texts as they stand, or refused")
    numpy("numpy.npy", "np.save(path, edges)", error=["numpy|npy|binary"])
