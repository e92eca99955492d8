// Sweeps in the order of the edge array, for edges in host memory or in code: warps take one page of arcs after the other,
// so every line crosses the bus once, and in order.
//
// A row that lies within a page is settled by the warp of the page. Of a row that crosses pages, each page leaves a part:
// parts[2 p] of a row that began before page p, parts[2 p + 1] of a row that begins in page p and goes on behind it. A
// second kernel adds these up in the order of pages. So sums have the same bits in every run. A vertex without incoming
// arcs belongs to the page in which its row would begin.

// Loads that a lane has in flight.
#define PAGE_WINDOWS 8u

DEVICE u64 page_begin(u64 page) { return page << PAGE_BITS; }
DEVICE u64 pages_of(u64 arcs) { return arcs > 0 ? (arcs + PAGE_ARCS - 1) >> PAGE_BITS : 1; }

// Returns the last row in [low, high] that begins at or before an arc; the first one does.
DEVICE u32 row_with(const Offset* offsets, u32 low, u32 high, u64 arc) {
    while (low < high) {
        const u32 middle = low + (high - low + 1) / 2;
        if (offsets[middle] <= arc) low = middle; else high = middle - 1;
    }
    return low;
}

// Computes the first guess, as `pagerank_begin` does, and the first row that begins in each page or behind it.
KERNEL(pagerank_first, PullArgs) {
    SHARED(u64, kept_warps[32]);
    SHARED(u64, sunk_warps[32]);
    SHARED(u64, changed_warps[32]);
    const Offset* offsets = static_cast<const Offset*>(args.offsets);
    const u64 n = args.vertices, pages = pages_of(offsets[n]);
    Sums sums = Sums{0, 0, 0};
    for (u64 v = thread_in_grid(); v < n; v += grid_threads()) {
        const u64 degree = out_degree(args, v);
        store_rank(args, sums, v, degree, args.guess * teleport(args, v) + (degree > 0 ? args.guess_with_arcs : 0) + args.guess_an_arc * static_cast<f64>(degree));
    }
    for (u64 page = thread_in_grid(); page <= pages; page += grid_threads()) {
        u32 low = 0, high = static_cast<u32>(n);
        while (page < pages && low < high) {
            const u32 middle = low + (high - low) / 2;
            if (offsets[middle] < page_begin(page)) low = middle + 1; else high = middle;
        }
        args.first_rows[page] = page < pages ? low : static_cast<u32>(n);
    }
    add_up(args, sums, kept_warps, sunk_warps, changed_warps, false);
}

// A page, and the row that a warp is in. `mine` is this lane's part of the sum of that row.
struct Page {
    u64 number, begin, end;
    u32 low, high;
    u32 row;
    u64 row_end;
    f64 mine;
};

// Settles a row, or leaves the part of a row that began before the page. One lane calls.
DEVICE void finish_row(Sweep& sweep, const Page& page, const Offset* offsets, u32 row, f64 sum) {
    if (offsets[row] < page.begin) {
        sweep.args.parts[2 * page.number] = sum;
    } else {
        settle(sweep, row, offsets[row + 1] - offsets[row], sum);
    }
}

// Adds 32 shares, one per lane, to the rows that they belong to.
DEVICE void add_window(Sweep& sweep, Page& page, const Offset* offsets, u64 first, f64 share) {
    const u64 last = page.end - first < 32 ? page.end : first + 32, arc = first + lane_in_warp();
    if (page.row_end > last) {
        page.mine += share;
        return;
    }
    // The row that the window begins in ends in it.
    page.mine += arc < page.row_end ? share : 0;
    f64 sum = page.mine;
    for (u32 by = 16; by > 0; by /= 2) sum += warp_shuffle_xor(FULL_WARP, sum, by);
    if (lane_in_warp() == 0) finish_row(sweep, page, offsets, page.row, sum);
    page.mine = 0;
    if (page.row_end >= last) {
        if (last < page.end) {
            page.row = row_with(offsets, page.row, page.high, last);
            page.row_end = offsets[page.row + 1];
        } else {
            page.row_end = 0;
        }
        return;
    }
    // Other rows begin in it: a sum over the lanes of each row, which its last lane has.
    const bool is = arc >= page.row_end && arc < last;
    const u32 row = is ? row_with(offsets, page.row, page.high, arc) : 0xffffffffu;
    f64 part = is ? share : 0;
    for (u32 by = 1; by < 32; by *= 2) {
        const f64 before = warp_shuffle(FULL_WARP, part, (lane_in_warp() - by) & 31);
        const u32 its = warp_shuffle(FULL_WARP, row, (lane_in_warp() - by) & 31);
        if (lane_in_warp() >= by && its == row) part += before;
    }
    if (is && offsets[row + 1] == arc + 1) settle(sweep, row, offsets[row + 1] - offsets[row], part);
    // The row of the last arc goes on, or ended there.
    const u32 open = warp_shuffle(FULL_WARP, row, static_cast<u32>(last - first - 1));
    if (offsets[open + 1] > last) {
        page.row = open;
        page.row_end = offsets[open + 1];
        page.mine = is && row == open ? share : 0;
    } else if (last < page.end) {
        page.row = row_with(offsets, open, page.high, last);
        page.row_end = offsets[page.row + 1];
    } else {
        page.row_end = 0;
    }
}

#if EDGES_ARE == EDGES_CODED
// The words of a page in code, at most: 32 blocks of 34 words, and what is read before them to begin at a line.
#define STAGED_WORDS (32u * 34u + 32u)

// Reads the words of a page into shared memory, line by line. Hot pages are near as a whole, so the words of all blocks of
// a page follow each other. Returns where the words of position 0 would be. Every lane of the warp must call.
DEVICE const u32* stage_page(const PullArgs& args, u64 number, u64 arcs, u32* staged) {
    const Edges& edges = args.targets;
    const u64* entries = reinterpret_cast<const u64*>(edges.slots);
    const u64 last_block = (arcs - 1) / 32, block = number * (PAGE_ARCS / 32) + PAGE_ARCS / 32 - 1;
    const u64 first = load_const(entries + number * (PAGE_ARCS / 32)), last = load_const(entries + (block < last_block ? block : last_block));
    const u32* words = static_cast<const u32*>(coded_is_near(first) ? edges.near : edges.far);
    const u32 in_last = block < last_block ? 32 : static_cast<u32>(arcs - 32 * last_block);
    const u64 begin = coded_position(first) & ~31ull, end = coded_position(last) + coded_words(last, in_last);
    warp_sync(FULL_WARP);
    for (u64 base = begin; base < end; base += 32 * PAGE_WINDOWS) {
        u32 read[PAGE_WINDOWS];
#pragma unroll
        for (u32 k = 0; k < PAGE_WINDOWS; ++k) {
            const u64 at = base + 32 * k + lane_in_warp();
            read[k] = at < end ? load_const(words + at) : 0;
#ifdef EDGES_COUNTED
            if (at < end && !coded_is_near(first)) note_far(edges, words + at, 4);
#endif
        }
#pragma unroll
        for (u32 k = 0; k < PAGE_WINDOWS; ++k) {
            const u64 at = base + 32 * k + lane_in_warp();
            if (at < end) staged[at - begin] = read[k];
        }
    }
    warp_sync(FULL_WARP);
    return staged - begin;
}
#endif

// Sweeps over one page.
DEVICE void take_page(Sweep& sweep, u64 number, u32* staged) {
    const PullArgs& args = sweep.args;
    const Offset* offsets = static_cast<const Offset*>(args.offsets);
    const u64 arcs = offsets[args.vertices];
    Page page;
    page.number = number;
    page.begin = page_begin(number);
    page.end = arcs - page.begin < PAGE_ARCS ? arcs : page.begin + PAGE_ARCS;
    const u32 first = args.first_rows[number];
    page.high = args.first_rows[number + 1];
    for (u64 v = first + lane_in_warp(); v < page.high; v += 32) {
        if (offsets[v] == offsets[v + 1]) settle(sweep, static_cast<u32>(v), 0, 0);
    }
    if (page.begin >= page.end) return;
    page.low = first > 0 && offsets[first] > page.begin ? first - 1 : first;
    // `high` begins behind the page, or is the number of vertices, whose offset is that of the end.
    page.row = row_with(offsets, page.low, page.high, page.begin);
    page.row_end = offsets[page.row + 1];
    page.mine = 0;
#if EDGES_ARE == EDGES_CODED
    const u32* words = stage_page(args, number, arcs, staged);
    const u64* entries = reinterpret_cast<const u64*>(args.targets.slots);
#endif
    for (u64 base = page.begin; base < page.end; base += 32 * PAGE_WINDOWS) {
        u32 from[PAGE_WINDOWS];
        Share share[PAGE_WINDOWS];
#pragma unroll
        for (u32 k = 0; k < PAGE_WINDOWS; ++k) {
            const u64 arc = base + 32 * k + lane_in_warp();
#if EDGES_ARE == EDGES_CODED
            const u64 entry = arc < page.end ? load_const(entries + arc / 32) : 0;
            const u32 shift = static_cast<u32>(args.targets.shift);
            const auto load = [](const u32* at) { return *at; };
            from[k] = arc < page.end ? coded_from(entry, words + coded_position(entry), shift, lane_in_warp(), load) : 0;
#else
            from[k] = arc < page.end ? target_at(args.targets, arc) : 0;
#endif
        }
#pragma unroll
        for (u32 k = 0; k < PAGE_WINDOWS; ++k) {
            const u64 arc = base + 32 * k + lane_in_warp();
            share[k] = arc < page.end ? sweep.shares.at(from[k]) : Share(0);
        }
        for (u32 k = 0; k < PAGE_WINDOWS && base + 32 * k < page.end; ++k) {
            add_window(sweep, page, offsets, base + 32 * k, share[k]);
        }
    }
    if (page.row_end <= page.end) return;
    f64 sum = page.mine;
    for (u32 by = 16; by > 0; by /= 2) sum += warp_shuffle_xor(FULL_WARP, sum, by);
    if (lane_in_warp() == 0) args.parts[2 * number + (offsets[page.row] < page.begin ? 0 : 1)] = sum;
}

DEVICE Sweep sweep_of(const PullArgs& args) {
    return Sweep{args, Shares{from_of(args), nullptr, 0}, f64_of(args.words[BASE]), Sums{0, 0, 0}};
}

KERNEL_OF(pagerank_pages, PullArgs, SWEEP_BLOCK, 4) {
    SHARED(u64, kept_warps[32]);
    SHARED(u64, sunk_warps[32]);
    SHARED(u64, changed_warps[32]);
#if EDGES_ARE == EDGES_CODED
    SHARED(u32, stages[SWEEP_BLOCK / 32 * STAGED_WORDS]);
    u32* staged = stages + warp_in_block() * STAGED_WORDS;
#else
    u32* staged = nullptr;
#endif
    if (args.words[DONE] != 0) return;
    Sweep sweep = sweep_of(args);
    const u64 pages = pages_of(static_cast<const Offset*>(args.offsets)[args.vertices]);
    u32 looked = 0;
    for (u64 page = thread_in_grid() / 32; page < pages; page += grid_threads() / 32) {
        take_page(sweep, page, staged);
        if (++looked % (PATIENCE / 16) == 0 && warp_any(FULL_WARP, is_cancelled(args.cancel))) break;
    }
    add_sums(args, sweep.sums, kept_warps, sunk_warps, changed_warps);
}

// Settles the rows that cross pages, each by the warp of the page that it begins in, and ends the sweep.
KERNEL_OF(pagerank_joins, PullArgs, SWEEP_BLOCK, 4) {
    SHARED(u64, kept_warps[32]);
    SHARED(u64, sunk_warps[32]);
    SHARED(u64, changed_warps[32]);
    if (args.words[DONE] != 0) return;
    Sweep sweep = sweep_of(args);
    const Offset* offsets = static_cast<const Offset*>(args.offsets);
    const u64 arcs = offsets[args.vertices], pages = pages_of(arcs);
    for (u64 page = thread_in_grid() / 32; page + 1 < pages; page += grid_threads() / 32) {
        // The last row that begins in the page.
        const u32 next = args.first_rows[page + 1];
        if (next == 0 || next == args.first_rows[page]) continue;
        const u32 row = next - 1;
        const u64 end = offsets[row + 1];
        if (end <= page_begin(page + 1)) continue;
        f64 sum = lane_in_warp() == 0 ? args.parts[2 * page + 1] : 0;
        for (u64 other = page + 1 + lane_in_warp(); page_begin(other) < end; other += 32) sum += args.parts[2 * other];
        for (u32 by = 16; by > 0; by /= 2) sum += warp_shuffle_xor(FULL_WARP, sum, by);
        if (lane_in_warp() == 0) settle(sweep, row, end - offsets[row], sum);
    }
    add_up(args, sweep.sums, kept_warps, sunk_warps, changed_warps, true);
}
