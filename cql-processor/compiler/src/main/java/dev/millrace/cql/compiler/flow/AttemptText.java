package dev.millrace.cql.compiler.flow;

import java.util.Map;

/**
 * The walk over the attempts of a partition, as Java text that generators complete: names in {@code <..>} stand for
 * text, lines that begin with {@code ?name} are there only where the name holds, and with {@code !name} only where it
 * does not.
 */
final class AttemptText
{
    /** Begins to take a row: finds the partition. Until it is added nothing has changed. */
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

    /** One attempt a partition. */
    static final String RECORD = FIND + """
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
     * The attempts of a partition one after the other, oldest first; each goes to one position at most. The record of
     * the youngest, when it fails, becomes that of the attempt which begins with the row.
     */
    static final String REGISTERS = FIND + """
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

    /** As before; a row that fits several positions makes further attempts behind the one that it fits. */
    static final String ALL_MATCHES = FIND + """
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
        ?waits    trim(r, o, p);
        ?deadlines    if ((chainHead >= 0<waiting>) && (r[o] & ARMED) == 0L) arm(p, r, o, earliest(r, o, p, chainHead));
        ?forgets    if (chainHead < 0<unarmed><unnumbered>) remove(p);
        """;

    /**
     * The labellings of each start, best first, one after the other: those of one start that go on alike are one, and
     * nothing is kept that is preferred less than a complete match. Where a younger start that goes on like an older
     * one can only be part of its match, all starts are one group.
     */
    static final String LABELLINGS = FIND + """
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

    /** Lets an attempt take a row that fits some positions, by copies; whether memory was short for some. */
    static final String ADVANCE = """
            final int[] follow = FOLLOW[at];
        ?history    boolean isShort = false;
        ?history    for (int i = 0; i < follow.length; i++) {
        ?history      if ((set & 1L << LABELS[follow[i]]) == 0L) continue;
        ?history      isShort = !attempts.hasRoom();
        ?history      if (isShort) break;
        ?history      extend(r, o, p, attempts.follow(id), follow[i]);
        ?history      if (WINS[follow[i]]) break;
        ?history    }
        ?history    attempts.free(id);
        ?history    if (true) return isShort;
            int forked = 0;
            int first = DEAD;
            boolean isStarved = false;
            for (int i = 0; i < follow.length; i++) {
              if ((set & 1L << LABELS[follow[i]]) == 0L) continue;
              if (first == DEAD) {
                first = follow[i];
              } else if (!attempts.hasRoom()) {
                isStarved = true;
                break;
              } else {
                if (forked == forks.length) forks = java.util.Arrays.copyOf(forks, forked * 2);
                forks[forked] = attempts.add();
                attempts.copy(id, forks[forked++]);
              }
              if (WINS[follow[i]]) break;
            }
            extend(r, o, p, id, first);
            int fork = 0;
            for (int i = 0; fork < forked; i++) {
              if (follow[i] == first || (set & 1L << LABELS[follow[i]]) == 0L) continue;
              extend(r, o, p, forks[fork++], follow[i]);
            }
            return isStarved;
        """;

    /** With several labellings: keeps one that is new, and what it has completed behind it. */
    static final String KEEP_LABELLING = """
        ?twice    final long[] w = attempts.chunk(id);
        ?twice    final int x = attempts.at(id) + <labelling>;
        ?twice    w[x] = labellings.number(w[x], LABELS[to] << 1 | (EXCLUDED[to] ? 1 : 0));
        ?twice    if (!labellings.isNew(w[x], -2 - to)) {
        ?twice      attempts.free(id);
        ?twice      return;
        ?twice    }
            if (seen[to] == stamp<known> || live >= maxAttempts) {
              if (live >= maxAttempts) dropped++;
              attempts.free(id);
              return;
            }
            seen[to] = stamp;
            if (!WINS[to] || FOLLOW[to].length > 0) append(id);
            if (WINS[to]) {
              int done = id;
              if (FOLLOW[to].length > 0) {
                done = attempts.add();
                attempts.copy(id, done);
              }
              final long[] a = attempts.chunk(done);
              final int q = attempts.at(done);
              a[q] = a[q] & ~POSITION | COMPLETE | (long) DONE << POSITION_SHIFT;
              a[q + <end>] = <allEnd>;
        ?skips      a[q + <last>] = arrival;
              decided = a[q + <startAt>];
              append(done);
            }
        """;

    /** Puts a labelling behind the others. */
    static final String APPEND = """
            final long[] a = attempts.chunk(id);
            a[attempts.at(id)] |= LOW;
            if (chainHead < 0) chainHead = id; else chain(chainTail, id);
            chainTail = id;
            if (groupHead < 0) groupHead = id;
            live++;
        """;

    /** Whether another labelling of the same start is at the same position and equal in what conditions read. */
    static final String KNOWN = """
            final long[] a = attempts.chunk(id);
            final int q = attempts.at(id);
            for (int other = groupHead; other >= 0; ) {
              final long[] b = attempts.chunk(other);
              final int c = attempts.at(other);
              if (((int) (b[c] >>> POSITION_SHIFT) & POSITIONS) == to<same>) return true;
              other = (int) b[c];
            }
            return false;
        """;

    /** What ends attempts without a row; a partition that remembers nothing of earlier rows is gone. */
    static final String FIRE_RECORD = """
            final long[] r = partitions.chunk(p);
            final int o = partitions.at(p);
            final int q = o + <link>;
            final long link = r[q];
            long end = NEVER;
            if (link != NOTHING) {
              end = due(r, o, p, r, q, NONE, link);
              if (end <= now) {
                if ((link & COMPLETE) != 0L) report(p, NONE, r[q + <end>]);
                r[q] = NOTHING;
                end = NEVER;
              }
            }
        ?forgets    if (r[q] == NOTHING<unnumbered>) { remove(p); return NEVER; }
        !forgets    if (r[q] == NOTHING && <isBlank>) { remove(p); return NEVER; }
            if (end == NEVER) r[o] &= ~ARMED;
            return <horizon>;
        """;

    /** With DURATION: reports the first start that has come to its time and is complete, which covers all others. */
    static final String REPORT_DUE = """
            final long[] r = partitions.chunk(p);
            final int o = partitions.at(p);
            int id = (int) (r[o] >> 32);
            while (id >= 0) {
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              if (a[q + <expiresAt>] > now) break;
              int next = (int) a[q];
              if (ACCEPTS[(int) (a[q] >>> POSITION_SHIFT) & POSITIONS]) {
                <report>(p, id, <dueEnd>);
                drop(next);
                next = NONE;
              }
              attempts.free(id);
              id = next;
            }
            r[o] = (long) id << 32 | r[o] & LOW;
            return id;
        """;

    /** The timer of DURATION. */
    static final String FIRE_DURATION = """
            final int head = reportDue(p, now);
            final long[] r = partitions.chunk(p);
            final int o = partitions.at(p);
        ?waits    flushWaiting(r, o, p);
        ?waits    trim(r, o, p);
        ?forgets    if (head < 0<unnumbered>) { remove(p); return NEVER; }
        !forgets    if (head < 0 && <isBlank>) { remove(p); return NEVER; }
            if (head < 0) {
              r[o] &= ~ARMED;
              return NEVER;
            }
        ?ticks    final long end = earliest(r, o, p, head);
        ?ticks    return <horizon>;
        !ticks    return attempts.chunk(head)[attempts.at(head) + <expiresAt>];
        """;

    /** What ends several attempts without a row. */
    static final String FIRE = """
        ?ahead    nowNs = Math.max(nowNs, now);
            final long[] r = partitions.chunk(p);
            final int o = partitions.at(p);
            int head = NONE;
            int last = NONE;
            long end = NEVER;
            for (int id = (int) (r[o] >> 32); id >= 0; ) {
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              long link = a[q];
              final int next = (int) link;
              if (((int) (link >>> POSITION_SHIFT) & POSITIONS) != DONE) {
                final long due = due(r, o, p, a, q, id, link);
                if (due > now) {
                  end = Math.min(end, due);
                } else if ((link & COMPLETE) != 0L) {
                  link = link & ~POSITION | (long) DONE << POSITION_SHIFT;
                } else {
                  attempts.free(id);
                  id = next;
                  continue;
                }
              }
        ?limited      else if (a[q + <expiresAt>] > now) end = Math.min(end, a[q + <expiresAt>]);
              a[q] = link | LOW;
              if (head < 0) head = id; else chain(last, id);
              last = id;
              id = next;
            }
            head = settle(p, head);
            r[o] = (long) head << 32 | r[o] & LOW;
        ?waits    flushWaiting(r, o, p);
        ?waits    trim(r, o, p);
        ?waits    end = Math.min(end, waitsUntil(r, o));
        ?forgets    if (head < 0<unnumbered>) { remove(p); return NEVER; }
        !forgets    if (head < 0 && <isBlank>) { remove(p); return NEVER; }
            if (end == NEVER) r[o] &= ~ARMED;
            return <horizon>;
        """;

    /** Lets the one attempt get no further rows. */
    static final String END_RECORD = """
            final long[] r = partitions.chunk(p);
            final int q = partitions.at(p) + <link>;
            if ((r[q] & COMPLETE) != 0L) report(p, NONE, r[q + <end>]);
            r[q] = NOTHING;
        """;

    /** The same for several attempts. */
    static final String END_REGISTERS = """
            final long[] r = partitions.chunk(p);
            final int o = partitions.at(p);
            int head = NONE;
            int last = NONE;
            for (int id = (int) (r[o] >> 32); id >= 0; ) {
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              final int next = (int) a[q];
              if (((int) (a[q] >>> POSITION_SHIFT) & POSITIONS) != DONE && (a[q] & COMPLETE) == 0L) {
                attempts.free(id);
              } else {
                a[q] = a[q] & ~POSITION | (long) DONE << POSITION_SHIFT | LOW;
                if (head < 0) head = id; else chain(last, id);
                last = id;
              }
              id = next;
            }
            head = settle(p, head);
            r[o] = (long) head << 32 | r[o] & LOW;
        """;

    /** Puts out the oldest attempts as long as they are decided; gives the first that is not. */
    static final String SETTLE = """
            int first = head;
            while (first >= 0) {
              final long[] a = attempts.chunk(first);
              final int q = attempts.at(first);
        ?passesOver      passOver(p, a[q + <startAt>]);
              if (((int) (a[q] >>> POSITION_SHIFT) & POSITIONS) != DONE) break;
        ?ahead      if (isMissing(p, first)) break;
              final int next = (int) a[q];
        ?skips      final long to = skip(a, q);
        ?unmatched      noteMatch(p, a[q + <last>]);
              report(p, first, a[q + <end>]);
              attempts.free(first);
              first = next;
        ?skips      first = dropBefore(first, to);
            }
        ?passesOver    if (first < 0) passOver(p, NEVER);
            return first;
        """;

    /** Notes the last row of a match that is decided: rows up to it are not without match. */
    static final String NOTE_MATCH = """
            final int at = partitions.at(p) + <matchedAt>;
            final long[] r = partitions.chunk(p);
            r[at] = Math.max(r[at], last);
        """;

    /** Lets the rows before one go: no match that is not decided has them, and nothing reads them. */
    static final String PASS_OVER = """
            final long[] r = partitions.chunk(p);
            final int o = partitions.at(p);
            long queue = r[o + <queueAt>];
            while (queue != 0L && queues.arrival(queues.first(queue)) < until) {
              final int row = queues.first(queue);
        ?unmatched      if (queues.arrival(row) > r[o + <matchedAt>]) reportUnmatched(row);
        ?placed      else output.cancel((int) queues.place(row));
              queue = queues.removeFirst(queue);
            }
            r[o + <queueAt>] = queue;
        """;

    /** Drops what a partition keeps; matches that are decided stay decided. */
    static final String CLEAR = """
            final long[] r = partitions.chunk(p);
            final int o = partitions.at(p);
        ?ahead    isLast = true;
        ?ahead    r[o] = (long) settle(p, (int) (r[o] >> 32)) << 32 | r[o] & LOW;
        ?waits    flushWaiting(r, o, p);
        ?ahead    isLast = false;
            drop((int) (r[o] >> 32));
        ?reports    drop((int) r[o + <reportsAt>] - 1);
        ?reports    r[o + <reportsAt>] = 0L;
        ?queues    while (r[o + <queueAt>] != 0L) {
        ?placed      output.cancel((int) queues.place(queues.first(r[o + <queueAt>])));
        ?queues      r[o + <queueAt>] = queues.removeFirst(r[o + <queueAt>]);
        ?queues    }
            r[o] = (long) NONE << 32 | r[o] & LOW | <earlierFlags>L;
        """;

    /** The rows of a match that are put out. */
    static final String ALL_ROWS = """
            if (attempts.chunk(id)[attempts.at(id) + <label>] < 0L) {
              if (!<omits>) addRow(p, id, id);
              return;
            }
            for (int i = findPath(id) - 1; i >= 0; i--) {
              final int row = path[i];
              if (!EXCLUDED[(int) attempts.chunk(row)[attempts.at(row) + <label>]]) addRow(p, row, id);
            }
        """;

    /** The variable of a row behind another one; negative when that is not in the match. */
    static final String LABEL_AFTER = """
            for (int row = of; row >= 0; row = attempts.previous(row)) {
              int back = row;
              for (int i = 0; i < count && back >= 0; i++) back = attempts.previous(back);
              if (back < 0) return NONE;
              if (attempts.chunk(back)[attempts.at(back) + <last>] == from) return variable(row);
            }
            return NONE;
        """;

    /** Adds a match without rows, which the labellings that began with the row are preferred to. */
    static final String ADD_EMPTY = """
            final int id = attempts.add();
            final long[] a = attempts.chunk(id);
            final int q = attempts.at(id);
            a[q] = empty(r, o, p, a, q, id, 0L) | COMPLETE | (long) DONE << POSITION_SHIFT;
            a[q + <end>] = <allEnd>;
            append(id);
        """;

    /** Brings a match out, or behind others that wait for rows behind them. */
    static final String DELIVER = """
            final int done = attempts.add();
            attempts.copy(id, done);
            final long[] a = attempts.chunk(done);
            final int q = attempts.at(done);
            a[q] = a[q] & ~POSITION | COMPLETE | (long) DONE << POSITION_SHIFT | LOW;
            a[q + <end>] = end;
            final int at = partitions.at(p) + <waitingAt>;
            final long[] r = partitions.chunk(p);
            if (r[at] == 0L) {
              r[at] = (long) (done + 1) << 32 | done + 1;
            } else {
              chain((int) r[at] - 1, done);
              r[at] = r[at] & ~LOW | done + 1;
            }
            flushWaiting(r, partitions.at(p), p);
        """;

    /** Brings those matches out that wait no longer, and lets rows go that nothing reads. */
    static final String FLUSH_WAITING = """
            while (r[o + <waitingAt>] != 0L) {
              final int id = (int) (r[o + <waitingAt>] >> 32) - 1;
              if (isMissing(p, id)) break;
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              final int next = (int) a[q];
              report(p, id, a[q + <end>]);
              attempts.free(id);
              r[o + <waitingAt>] = next < 0 ? 0L : (long) (next + 1) << 32 | r[o + <waitingAt>] & LOW;
            }
        """;

    /** Lets rows go that no attempt and no match that waits begins before. */
    static final String TRIM = """
            long oldest = oldest((int) (r[o] >> 32), (int) (r[o + <waitingAt>] >> 32) - 1);
        ?reports    oldest = Math.min(oldest, oldest((int) r[o + <reportsAt>] - 1, NONE));
            passOver(p, oldest);
        """;

    /** The earliest first row of attempts. */
    static final String OLDEST = """
            long oldest = NEVER;
            for (int id = head; id >= 0; id = (int) attempts.chunk(id)[attempts.at(id)]) {
              oldest = Math.min(oldest, attempts.chunk(id)[attempts.at(id) + <startAt>]);
            }
            for (int id = other; id >= 0; id = (int) attempts.chunk(id)[attempts.at(id)]) {
              oldest = Math.min(oldest, attempts.chunk(id)[attempts.at(id) + <startAt>]);
            }
            return oldest;
        """;

    /** With DURATION by a column or MULTIPLES OF, or ALL MATCHES: goes through the instants that are due. */
    static final String REPORT_TICKS = """
            final long[] r = partitions.chunk(p);
            final int o = partitions.at(p);
            long time = earliest(r, o, p, (int) (r[o] >> 32));
            while (time <= now) {
              tick(r, o, p, time);
              time = earliest(r, o, p, (int) (r[o] >> 32));
            }
            return (int) (r[o] >> 32);
        """;

    /** An instant: what is complete is reported, unless an older attempt goes on. */
    static final String TICK = """
        ?twice    labellings.begin();
            int head = NONE;
            int last = NONE;
            long reported = NONE;
            for (int id = (int) (r[o] >> 32); id >= 0; ) {
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              final int next = (int) a[q];
              if (a[q + <expiresAt>] == time) {
                if (ACCEPTS[(int) (a[q] >>> POSITION_SHIFT) & POSITIONS]<onceATick>) {
                  reported = a[q + <startAt>];
        ?all          <report>(p, id, <tickEnd>);
        !all          addReport(r, o, id, <tickEnd>);
                }
        ?repeats        // Records may have moved.
        ?repeats        attempts.chunk(id)[q + <expiresAt>] = plus(time, <period>);
        !repeats        attempts.free(id);
        !repeats        id = next;
        !repeats        if (true) continue;
              }
              attempts.chunk(id)[q] |= LOW;
              if (head < 0) head = id; else chain(last, id);
              last = id;
              id = next;
            }
            r[o] = (long) head << 32 | r[o] & LOW;
        !all    settleReports(r, o, p);
        """;

    /** Keeps a report until no older attempt goes on. */
    static final String ADD_REPORT = """
            final int done = attempts.add();
            attempts.copy(id, done);
            final long[] a = attempts.chunk(done);
            final int q = attempts.at(done);
            a[q] = a[q] & ~POSITION | COMPLETE | (long) DONE << POSITION_SHIFT | LOW;
            a[q + <end>] = end;
            a[q + <limitAt>] = arrival + 1L;
            int last = (int) r[o + <reportsAt>] - 1;
            if (last < 0) {
              r[o + <reportsAt>] = done + 1;
              return;
            }
            for (int next = last; next >= 0; next = (int) attempts.chunk(next)[attempts.at(next)]) last = next;
            chain(last, done);
        """;

    /** Puts out the reports of starts that no older attempt blocks; what they cover is not wanted. */
    static final String SETTLE_REPORTS = """
            while (r[o + <reportsAt>] != 0L) {
              final int head = (int) r[o + <reportsAt>] - 1;
              final long start = oldest(head, NONE);
              final int first = (int) (r[o] >> 32);
              if (first >= 0 && attempts.chunk(first)[attempts.at(first) + <startAt>] < start) return;
              long limit = 0L;
              for (int id = head; id >= 0; id = (int) attempts.chunk(id)[attempts.at(id)]) {
                final long[] a = attempts.chunk(id);
                final int q = attempts.at(id);
                if (a[q + <startAt>] == start) {
                  limit = a[q + <limitAt>];
                  a[q] &= ~COMPLETE;
                  <report>(p, id, a[q + <end>]);
                }
              }
              r[o] = (long) without((int) (r[o] >> 32), start + 1L, limit) << 32 | r[o] & LOW;
              r[o + <reportsAt>] = without(head, start, limit) + 1;
            }
        """;

    /** Frees those of several attempts that begin with some rows. */
    static final String WITHOUT = """
            int first = NONE;
            int last = NONE;
            for (int id = head; id >= 0; ) {
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              final int next = (int) a[q];
              a[q] |= LOW;
              if (a[q + <startAt>] >= from && a[q + <startAt>] < to) {
                drop(id);
              } else {
                if (first < 0) first = id; else chain(last, id);
                last = id;
              }
              id = next;
            }
            return first;
        """;

    /** Frees the attempts that begin before a row. */
    static final String DROP_BEFORE = """
            int id = head;
            while (id >= 0) {
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              if (a[q + <startAt>] >= to) break;
              final int next = (int) a[q];
        ?cancels      if ((a[q] & COMPLETE) != 0L) output.cancel((int) a[q + <end>]);
              attempts.free(id);
              id = next;
            }
            return id;
        """;

    /** Frees an attempt and those behind it. */
    static final String DROP = """
            int id = head;
            while (id >= 0) {
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              final int next = (int) a[q];
        ?cancels      if ((a[q] & COMPLETE) != 0L) output.cancel((int) a[q + <end>]);
              attempts.free(id);
              id = next;
            }
        """;

    /** The earliest deadline of several attempts. */
    static final String EARLIEST = """
            long end = NEVER;
            for (int id = head; id >= 0; ) {
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              if (((int) (a[q] >>> POSITION_SHIFT) & POSITIONS) != DONE)
                end = Math.min(end, due(r, o, p, a, q, id, a[q]));
        ?limited      else end = Math.min(end, a[q + <expiresAt>]);
              id = (int) a[q];
            }
        ?waits    end = Math.min(end, waitsUntil(r, o));
            return end;
        """;

    /** With ALL MATCHES: reports an attempt that is complete, and keeps it when it can go on and has room. */
    static final String KEEP = """
        ?twice    final long[] w = attempts.chunk(id);
        ?twice    final int x = attempts.at(id) + <labelling>;
        ?twice    w[x] = labellings.number(w[x], LABELS[to] << 1 | (EXCLUDED[to] ? 1 : 0));
        ?twice    if (!labellings.isNew(w[x], -2 - to)) {
        ?twice      attempts.free(id);
        ?twice      return;
        ?twice    }
        !waits    final long[] a = attempts.chunk(id);
            final int q = attempts.at(id);
        !waits    if (ACCEPTS[to]<once>) report(p, id, <allEnd>);
        ?waits    long[] a = attempts.chunk(id);
        ?waits    if (ACCEPTS[to]<once>) deliver(p, id, <allEnd>);
        ?waits    a = attempts.chunk(id);
            final boolean goesOn = FOLLOW[to].length > 0;
            if (!goesOn || live >= maxAttempts) {
              if (goesOn) dropped++;
              attempts.free(id);
              return;
            }
            live++;
            a[q] |= LOW;
            if (chainHead < 0) chainHead = id; else chain(chainTail, id);
            chainTail = id;
        """;

    private AttemptText()
    {
    }

    /**
     * Completes a text.
     *
     * @param text  one of the above
     * @param names what they stand for
     * @param holds which of the names hold, by name
     * @return Java statements
     */
    static String complete(final String text, final Map<String, String> names, final Map<String, Boolean> holds)
    {
        final StringBuilder lines = new StringBuilder();
        text.lines().forEach(line ->
        {
            final int blank = line.indexOf(' ');
            final boolean isConditional = line.startsWith("?") || line.startsWith("!");
            if (!isConditional || holds.get(line.substring(1, blank)) == line.startsWith("?"))
            {
                lines.append(isConditional ? line.substring(blank) : line).append('\n');
            }
        });
        String complete = lines.toString();
        for (final Map.Entry<String, String> name : names.entrySet())
        {
            complete = complete.replace('<' + name.getKey() + '>', name.getValue());
        }
        return complete;
    }
}
