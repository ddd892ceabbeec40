package dev.millrace.cql.compiler.pattern.attempt.template;

/** Templates ({@link Template}) for attempts that a row fits in several ways. */
public final class LabellingTemplates
{
    /** Moves copies of an attempt to the positions that a row fits; returns whether memory was short for some. */
    public static final String ADVANCE = """
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

    /** With several labellings: stores a new one, followed by the match that it has completed. */
    public static final String KEEP_LABELLING = """
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

    /** Appends a labelling to the others. */
    public static final String APPEND = """
            final long[] a = attempts.chunk(id);
            a[attempts.at(id)] |= LOW;
            if (chainHead < 0) chainHead = id; else chain(chainTail, id);
            chainTail = id;
            if (groupHead < 0) groupHead = id;
            live++;
        """;

    /** Whether another labelling of the same start is at the same position and equal in what conditions read. */
    public static final String KNOWN = """
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

    /** Adds a match without rows, after the labellings that began with the row. */
    public static final String ADD_EMPTY = """
            final int id = attempts.add();
            final long[] a = attempts.chunk(id);
            final int q = attempts.at(id);
            a[q] = empty(r, o, p, a, q, id, 0L) | COMPLETE | (long) DONE << POSITION_SHIFT;
            a[q + <end>] = <allEnd>;
            append(id);
        """;

    /**
     * With ALL MATCHES: reports an attempt that is complete, and stores it when it can continue and capacity exists.
     */
    public static final String KEEP = """
        ?twice    final long[] w = attempts.chunk(id);
        ?twice    final int x = attempts.at(id) + <labelling>;
        ?twice    w[x] = labellings.number(w[x], LABELS[to] << 1 | (EXCLUDED[to] ? 1 : 0));
        ?twice    if (!labellings.isNew(w[x], -2 - to)) {
        ?twice      attempts.free(id);
        ?twice      return;
        ?twice    }
        !waits    final long[] a = attempts.chunk(id);
        ?waits    long[] a = attempts.chunk(id);
            final int q = attempts.at(id);
        ?marks    if (ACCEPTS[to]) noteMatch(partitions.chunk(p)[partitions.at(p) + <queueAt>], a[q + <startAt>]);
        !waits    if (ACCEPTS[to]<once>) report(p, id, <allEnd>);
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

    private LabellingTemplates()
    {
    }
}
