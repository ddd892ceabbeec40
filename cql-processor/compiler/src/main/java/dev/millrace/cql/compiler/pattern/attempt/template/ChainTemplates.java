package dev.millrace.cql.compiler.pattern.attempt.template;

/** Templates ({@link Template}) for the list of attempts of a partition. */
public final class ChainTemplates
{
    /** Emits the oldest attempts as long as they are decided; returns the first that is not. */
    public static final String SETTLE = """
            int first = head;
            while (first >= 0) {
              final long[] a = attempts.chunk(first);
              final int q = attempts.at(first);
        ?passesOver      passOver(p, a[q + <startAt>]);
              if (((int) (a[q] >>> POSITION_SHIFT) & POSITIONS) != DONE) break;
        ?ahead      if (isMissing(p, first)) break;
              final int next = (int) a[q];
        ?skips      final long to = skip(a, q);
        ?notes      noteMatch(p, a[q + <last>]);
              report(p, first, a[q + <end>]);
              attempts.free(first);
              first = next;
        ?skips      first = dropBefore(first, to);
            }
        ?passesOver    if (first < 0) passOver(p, NEVER);
            return first;
        """;

    /** Discards the state of a partition; matches that are decided stay decided. */
    public static final String CLEAR = """
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
        ?placed      final int row = queues.first(r[o + <queueAt>]);
        ?placed      if (!queues.isMatched(row)) output.cancel((int) queues.outputIndex(row));
        ?queues      r[o + <queueAt>] = queues.removeFirst(r[o + <queueAt>]);
        ?queues    }
            r[o] = (long) NONE << 32 | r[o] & LOW | <earlierFlags>L;
        """;

    /** The emitted rows of a match. */
    public static final String ALL_ROWS = """
            if (attempts.chunk(id)[attempts.at(id) + <label>] < 0L) {
              if (!<omits>) addRow(p, id, id);
              return;
            }
            for (int i = findPath(id) - 1; i >= 0; i--) {
              final int row = path[i];
              if (!EXCLUDED[(int) attempts.chunk(row)[attempts.at(row) + <label>]]) addRow(p, row, id);
            }
        """;

    /** Frees the attempts that begin before a row. */
    public static final String DROP_BEFORE = """
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

    /** Frees an attempt and those after it. */
    public static final String DROP = """
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

    private ChainTemplates()
    {
    }
}
