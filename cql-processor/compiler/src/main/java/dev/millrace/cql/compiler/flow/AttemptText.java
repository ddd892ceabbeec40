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
        ?forgets      if (<nothingStarts>) return;
              p = addPartition();
              if (p < 0) return;
              r = partitions.chunk(p);
              o = partitions.at(p);
              r[o] |= <blankFlags>;
        ?record      r[o + <link>] = NOTHING;
            }
            arrival++;
        """;

    private static final String END = """
            remember(r, o, p);
            touch(p);
        """;

    /** One attempt a partition. */
    static final String RECORD = FIND + """
            long link = p < 0 ? NOTHING : r[o + <link>];
            int at = (int) (link >>> POSITION_SHIFT) & 255;
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
            at = (int) (link >>> POSITION_SHIFT) & 255;
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
        !table      final int at = (int) (a[q] >>> POSITION_SHIFT) & 255;
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
              final int at = (int) (link >>> POSITION_SHIFT) & 255;
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
              if (head < 0) isDecided = ((int) (link >>> POSITION_SHIFT) & 255) == DONE;
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
        !table      final int at = (int) (a[q] >>> POSITION_SHIFT) & 255;
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
            for (int id = (int) (r[o] >> 32); id >= 0; ) {
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              final int next = (int) a[q];
              final int at = (int) (a[q] >>> POSITION_SHIFT) & 255;
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
              if ((starts & 1L << FIRST[i]) == 0L) continue;
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
        ?deadlines    if (chainHead >= 0 && (r[o] & ARMED) == 0L) arm(p, r, o, earliest(r, o, p, chainHead));
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
        !table      final int at = (int) (a[q] >>> POSITION_SHIFT) & 255;
        !table      final boolean isOver = at == DONE || a[q + <startAt>] == taken;
        !table      final long set = isOver ? 0L : step(r, o, p, a, q, id, a[q]<bits>);
        !table      if ((set & WINNING) != 0L) taken = a[q + <startAt>];
        !table      moves[moved++] = set;
        !table      id = (int) a[q];
        !table    }
        !table    moved = 0;
        !table    final long starts = <isTaken> ? 0L : <start>;
        ?table    final long starts = <start>;
            boolean isStarved = false;
        """ + ADD + """
            chainHead = NONE;
            chainTail = NONE;
            live = 0;
            dropped = 0;
            decided = NONE;
            long group = NONE;
            groupHead = NONE;
            groupSet = 0L;
            for (int id = (int) (r[o] >> 32); id >= 0; ) {
        ?skipsPast      if (decided >= 0L) { drop(id); break; }
              final long[] a = attempts.chunk(id);
              final int q = attempts.at(id);
              final int next = (int) a[q];
              final int at = (int) (a[q] >>> POSITION_SHIFT) & 255;
              final long start = a[q + <startAt>];
              if (<isOther>) { group = start; groupHead = NONE; groupSet = 0L; }
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
            if (<isApart>) { groupHead = NONE; groupSet = 0L; }
            for (int i = 0; i < FIRST.length<goesOnAfter>; i++) {
              if (decided == arrival) break;
              if ((starts & 1L << FIRST[i]) == 0L) continue;
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
            final int head = settle(p, chainHead);
            r[o] = (long) head << 32 | r[o] & LOW;
        ?deadlines    if (head >= 0 && (r[o] & ARMED) == 0L) arm(p, r, o, earliest(r, o, p, head));
        ?forgets    if (head < 0<unarmed><unnumbered>) remove(p);
        """;

    /** Lets an attempt take a row that fits some positions, by copies; whether memory was short for some. */
    static final String ADVANCE = """
            final int[] follow = FOLLOW[at];
            int forked = 0;
            int first = DEAD;
            boolean isStarved = false;
            for (int i = 0; i < follow.length; i++) {
              if ((set & 1L << follow[i]) == 0L) continue;
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
              if (follow[i] == first || (set & 1L << follow[i]) == 0L) continue;
              extend(r, o, p, forks[fork++], follow[i]);
            }
            return isStarved;
        """;

    /** With several labellings: keeps one that is new, and what it has completed behind it. */
    static final String KEEP_LABELLING = """
            if ((groupSet & 1L << to) != 0L<known> || live >= maxAttempts) {
              if (live >= maxAttempts) dropped++;
              attempts.free(id);
              return;
            }
            groupSet |= 1L << to;
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
              if (((int) (b[c] >>> POSITION_SHIFT) & 255) == to<same>) return true;
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
              if (ACCEPTS[(int) (a[q] >>> POSITION_SHIFT) & 255]) {
                report(p, id, <dueEnd>);
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
        ?forgets    if (head < 0<unnumbered>) { remove(p); return NEVER; }
        !forgets    if (head < 0 && <isBlank>) { remove(p); return NEVER; }
            if (head < 0) {
              r[o] &= ~ARMED;
              return NEVER;
            }
            return attempts.chunk(head)[attempts.at(head) + <expiresAt>];
        """;

    /** What ends several attempts without a row. */
    static final String FIRE = """
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
              if (((int) (link >>> POSITION_SHIFT) & 255) != DONE) {
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
              a[q] = link | LOW;
              if (head < 0) head = id; else chain(last, id);
              last = id;
              id = next;
            }
            head = settle(p, head);
            r[o] = (long) head << 32 | r[o] & LOW;
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
              if (((int) (a[q] >>> POSITION_SHIFT) & 255) != DONE && (a[q] & COMPLETE) == 0L) {
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
              if (((int) (a[q] >>> POSITION_SHIFT) & 255) != DONE) break;
              final int next = (int) a[q];
        ?skips      final long to = skip(a, q);
              report(p, first, a[q + <end>]);
              attempts.free(first);
              first = next;
        ?skips      first = dropBefore(first, to);
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
        ?ordered      if ((a[q] & COMPLETE) != 0L) output.cancel((int) a[q + <end>]);
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
        ?ordered      if ((a[q] & COMPLETE) != 0L) output.cancel((int) a[q + <end>]);
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
              if (((int) (a[q] >>> POSITION_SHIFT) & 255) != DONE) end = Math.min(end, due(r, o, p, a, q, id, a[q]));
              id = (int) a[q];
            }
            return end;
        """;

    /** With ALL MATCHES: reports an attempt that is complete, and keeps it when it can go on and has room. */
    static final String KEEP = """
            final long[] a = attempts.chunk(id);
            final int q = attempts.at(id);
            if (ACCEPTS[to]) report(p, id, <allEnd>);
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
