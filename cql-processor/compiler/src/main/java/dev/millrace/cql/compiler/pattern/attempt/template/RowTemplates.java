package dev.millrace.cql.compiler.pattern.attempt.template;

/** Templates ({@link Template}) for the loop of a row over the attempts of its partition. */
public final class RowTemplates
{
    /** Starts to process a row: finds the partition. Nothing changes until it is added. */
    private static final String FIND = """
        ?computes    arguments();
            int p = known;
            if (p < 0) p = find();
            long[] r = blank;
            int o = 0;
            if (p >= 0) { r = partitions.chunk(p); o = partitions.at(p); }
        ?duration    if (p >= 0) reportDue(p, nowNs);
        ?table    final int bits = bitsOfRow(r, o, p);
        !table    tested = 0L;
        """;

    private static final String ADD = """
            if (p < 0) {
        ?passes      if (<nothingStarts>) return;
              p = addPartition();
              if (p < 0) return;
              r = partitions.chunk(p);
              o = partitions.at(p);
              r[o] |= <blankFlags>;
        ?record      r[o + <link>] = NOTHING;
            }
            arrival++;
        ?queues    enqueue(r, o);
        """;

    private static final String END = """
            remember(r, o, p);
            touch(p);
        """;

    /** One attempt per partition. */
    public static final String RECORD = FIND + """
            long link = p < 0 ? NOTHING : r[o + <link>];
            int at = (int) (link >>> POSITION_SHIFT) & POSITIONS;
            final int to = at == DEAD ? DEAD : step(r, o, p, r, o + <link>, NONE, link<bits>);
            final int start = to == DEAD ? <start> : DEAD;
        """ + ADD + """
            final int q = o + <link>;
            if (to == DEAD) {
              if ((link & COMPLETE) != 0L) report(p, NONE, r[q + <end>]);
              link = NOTHING;
              if (start != DEAD) link = begin(r, o, p, r, q, NONE, start);
            } else {
              link = go(r, o, p, r, q, NONE, link, to);
            }
            at = (int) (link >>> POSITION_SHIFT) & POSITIONS;
            r[q] = link;
            if (at == DONE) {
              report(p, NONE, r[q + <end>]);
              link = NOTHING;
              r[q] = link;
            }
        """ + END + """
        ?deadlines    if (link != NOTHING && (r[o] & ARMED) == 0L) arm(p, r, o, due(r, o, p, r, q, NONE, link));
        ?forgets    if (link == NOTHING<unarmed><unnumbered>) remove(p);
        """;

    /**
     * All attempts of a partition at once: bit i of the high half of its first word is set when one has reached
     * position i; at the last position it is complete with the current row.
     */
    public static final String FIXED_LENGTH = FIND + """
            final int live = (int) (r[o] >>> 32);
        ?table    int next = (live << 1 | 1) & FITS[bits];
        !table    int next = fitting(r, o, p, live);
        """ + ADD + """
            if ((next & <lastBit>) != 0) {
              report(p, NONE, <fixedEnd>);
        ?skipsPast      next = 0;
        !skipsPast      next &= ~<lastBit>;
            }
            if (Integer.bitCount(next) > maxAttempts) {
              next &= ~1;
              rejectAttempts(1);
            }
        """ + END + """
            r[o] = (long) next << 32 | r[o] & LOW;
        ?forgets    if (next == 0) remove(p);
        """;

    /**
     * The attempts of a partition one after another, oldest first; each moves to at most one position. When the
     * youngest fails, its record is reused for the attempt that begins with the row.
     */
    public static final String REGISTERS = FIND + """
        !table    int moved = 0;
        !table    boolean isTaken = false;
        !table    for (int id = (int) (r[o] >> 32); id >= 0 && !isTaken; ) {
        !table      final long[] a = attempts.chunk(id);
        !table      final int q = attempts.at(id);
        !table      final int at = (int) (a[q] >>> POSITION_SHIFT) & POSITIONS;
        !table      if (moved == moves.length) moves = java.util.Arrays.copyOf(moves, moved * 2);
        !table      final int to = at == DONE ? DONE : step(r, o, p, a, q, id, a[q]<bits>);
        !table      moves[moved++] = to;
        !table      isTaken = <isTaken>;
        !table      id = (int) a[q];
        !table    }
        !table    moved = 0;
        !table    final int start = isTaken ? DEAD : <start>;
        ?table    final int start = <start>;
        """ + ADD + """
            int head = NONE;
            int last = NONE;
            int lastNext = NONE;
            int live = 0;
        ?plain    int spare = NONE;
            boolean isDecided = false;
            boolean starts = start != DEAD;
            long[] b = r;
            int c = 0;
            for (int id = (int) (r[o] >> 32); id >= 0; ) {
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              long link = a[q];
              int next = (int) link;
              final int at = (int) (link >>> POSITION_SHIFT) & POSITIONS;
              if (at != DONE) {
        ?table        final int to = step(r, o, p, a, q, id, a[q]<bits>);
        !table        final int to = moves[moved];
                if (to != DEAD) {
                  link = go(r, o, p, a, q, id, link, to);
        ?skipsPast          if (ACCEPTS[to]) { drop(next); next = NONE; starts = false; }
                } else if ((link & COMPLETE) != 0L) {
                  link = link & ~POSITION | (long) DONE << POSITION_SHIFT;
                } else {
        ?plain          if (next < 0 && starts) spare = id; else attempts.free(id);
        !plain          attempts.free(id);
                  id = next;
        !table          moved++;
                  continue;
                }
              }
        !table      moved++;
              a[q] = link & ~LOW | next & LOW;
              if (head < 0) isDecided = ((int) (link >>> POSITION_SHIFT) & POSITIONS) == DONE;
              if (head < 0) head = id; else if (lastNext != id) b[c] = b[c] & ~LOW | id;
              b = a;
              c = q;
              last = id;
              lastNext = next;
              live++;
              id = next;
            }
            if (lastNext >= 0) b[c] |= LOW;
            if (starts && live >= maxAttempts) {
              rejectAttempts(1);
        ?plain      if (spare >= 0) attempts.free(spare);
        ?plain    } else if (starts && spare < 0 && !attempts.hasRoom()) {
        !plain    } else if (starts && !attempts.hasRoom()) {
              rejectForMemory();
            } else if (starts) {
        ?plain      final int id = spare >= 0 ? spare : attempts.add();
        !plain      final int id = attempts.add();
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              a[q] = begin(r, o, p, a, q, id, start) | LOW;
              if (head < 0) { head = id; isDecided = ENDS[start]; } else chain(last, id);
            }
        """ + END + """
            if (isDecided) head = settle(p, head);
            r[o] = (long) head << 32 | r[o] & LOW;
        ?deadlines    if (head >= 0 && (r[o] & ARMED) == 0L) arm(p, r, o, earliest(r, o, p, head));
        ?forgets    if (head < 0<unarmed><unnumbered>) remove(p);
        """;

    /** As before; a row that fits several positions adds further attempts after the one that it fits. */
    public static final String ALL_MATCHES = FIND + """
        !table    int moved = 0;
        !table    for (int id = (int) (r[o] >> 32); id >= 0; ) {
        !table      final long[] a = attempts.chunk(id);
        !table      final int q = attempts.at(id);
        !table      if (moved == moves.length) moves = java.util.Arrays.copyOf(moves, moved * 2);
        !table      final int at = (int) (a[q] >>> POSITION_SHIFT) & POSITIONS;
        !table      moves[moved++] = step(r, o, p, a, q, id, a[q]<bits>);
        !table      id = (int) a[q];
        !table    }
        !table    moved = 0;
            long starts = <start>;
            boolean isStarved = false;
        """ + ADD + """
            chainHead = NONE;
            chainTail = NONE;
            live = 0;
            dropped = 0;
        ?twice    labellings.begin();
            for (int id = (int) (r[o] >> 32); id >= 0; ) {
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              final int next = (int) a[q];
              final int at = (int) (a[q] >>> POSITION_SHIFT) & POSITIONS;
        ?table      final long set = step(r, o, p, a, q, id, a[q]<bits>);
        !table      final long set = moves[moved++];
              if (set == 0L) {
                attempts.free(id);
                id = next;
                continue;
              }
              isStarved |= advance(r, o, p, id, at, set);
              id = next;
            }
            for (int i = 0; i < FIRST.length; i++) {
              if ((starts & 1L << LABELS[FIRST[i]]) == 0L) continue;
              if (!attempts.hasRoom()) { isStarved = true; break; }
              final int id = attempts.add();
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              a[q] = begin(r, o, p, a, q, id, FIRST[i]);
              keep(p, id, FIRST[i]);
            }
            rejectAttempts(dropped);
            if (isStarved) rejectForMemory();
        """ + END + """
            r[o] = (long) chainHead << 32 | r[o] & LOW;
        ?waits    flushWaiting(r, o, p);
        ?trims    trim(r, o, p);
        ?deadlines    if ((chainHead >= 0<waiting>) && (r[o] & ARMED) == 0L) arm(p, r, o, earliest(r, o, p, chainHead));
        ?forgets    if (chainHead < 0<unarmed><unnumbered>) remove(p);
        """;

    /**
     * The labellings of each start, best first, one after another: labellings of one start with the same future are
     * merged, and none is stored that is preferred less than a complete match. When a younger start with the same
     * future as an older one can only be part of its match, all starts are one group.
     */
    public static final String LABELLINGS = FIND + """
        !table    int moved = 0;
        !table    long taken = NONE;
        !table    for (int id = (int) (r[o] >> 32); id >= 0<goesOn>; ) {
        !table      final long[] a = attempts.chunk(id);
        !table      final int q = attempts.at(id);
        !table      if (moved == moves.length) moves = java.util.Arrays.copyOf(moves, moved * 2);
        !table      final int at = (int) (a[q] >>> POSITION_SHIFT) & POSITIONS;
        !table      final boolean isOver = at == DONE || a[q + <startAt>] == taken;
        !table      final long set = isOver ? 0L : step(r, o, p, a, q, id, a[q]<bits>);
        !table      if (set != 0L && (set & WINNING[at]) != 0L) taken = a[q + <startAt>];
        !table      moves[moved++] = set;
        !table      id = (int) a[q];
        !table    }
        !table    moved = 0;
        !own    final long starts = <starts>;
        ?own    final boolean isPeriod = periodNs() > 0L;
        ?own    if (!isPeriod && (<starts>) != 0L) rejectDuration(z<own>, x<own>);
        ?own    final long starts = isPeriod ? <starts> : 0L;
            boolean isStarved = false;
        """ + ADD + """
            chainHead = NONE;
            chainTail = NONE;
            live = 0;
            dropped = 0;
        ?twice    labellings.begin();
            decided = NONE;
            long group = NONE;
            groupHead = NONE;
            stamp++;
            for (int id = (int) (r[o] >> 32); id >= 0; ) {
        ?skipsPast      if (decided >= 0L) { drop(id); break; }
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              final int next = (int) a[q];
              final int at = (int) (a[q] >>> POSITION_SHIFT) & POSITIONS;
              final long start = a[q + <startAt>];
              if (<isOther>) { group = start; groupHead = NONE; stamp++; }
              long set = 0L;
              if (start == decided) {
                a[q] |= LOW;
                drop(id);
              } else if (at == DONE) {
                append(id);
              } else {
        ?table        set = step(r, o, p, a, q, id, a[q]<bits>);
        !table        set = moves[moved];
                if (set == 0L) attempts.free(id); else isStarved |= advance(r, o, p, id, at, set);
              }
        !table      moved++;
              id = next;
            }
            if (<isApart>) { groupHead = NONE; stamp++; }
            for (int i = 0; i < FIRST.length<goesOnAfter>; i++) {
              if (decided == arrival) break;
              if ((starts & 1L << LABELS[FIRST[i]]) == 0L) continue;
              if (!attempts.hasRoom()) { isStarved = true; break; }
              final int id = attempts.add();
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              a[q] = begin(r, o, p, a, q, id, FIRST[i]);
              keep(p, id, FIRST[i]);
            }
        ?empty    if (<emptyGoes>) {
        ?empty      if (live >= maxAttempts || !attempts.hasRoom()) dropped++; else addEmpty(r, o, p);
        ?empty    }
            rejectAttempts(dropped);
            if (isStarved) rejectForMemory();
        """ + END + """
            r[o] = (long) settle(p, chainHead) << 32 | r[o] & LOW;
        ?reports    settleReports(r, o, p);
        ?waits    flushWaiting(r, o, p);
        ?waits    trim(r, o, p);
            final int head = (int) (r[o] >> 32);
        ?deadlines    if (head >= 0 && (r[o] & ARMED) == 0L) arm(p, r, o, earliest(r, o, p, head));
        ?forgets    if (head < 0<unarmed><unnumbered>) remove(p);
        """;

    private RowTemplates()
    {
    }
}
