package dev.millrace.cql.compiler.pattern.attempt.text;

/** Rows that are kept beside attempts, and matches that wait for rows, as templates ({@link Template}). */
public final class QueueText
{
    /** Notes the last row of a match that is decided: rows up to it are not without match. */
    public static final String NOTE_MATCH = """
            final int at = partitions.at(p) + <matchedAt>;
            final long[] r = partitions.chunk(p);
            r[at] = Math.max(r[at], last);
        """;

    /** Lets the rows before one go: no match that is not decided has them, and nothing reads them. */
    public static final String PASS_OVER = """
            final long[] r = partitions.chunk(p);
            final int o = partitions.at(p);
            long queue = r[o + <queueAt>];
            while (queue != 0L && queues.arrival(queues.first(queue)) < until) {
              final int row = queues.first(queue);
        ?notes      if (queues.arrival(row) > r[o + <matchedAt>]) reportUnmatched(row);
        ?cancelsRow      else output.cancel((int) queues.place(row));
        ?marks      if (!queues.isMatched(row)) reportUnmatched(row);
              queue = queues.removeFirst(queue);
            }
            r[o + <queueAt>] = queue;
        """;

    /** The variable of a row behind another one; negative when that is not in the match. */
    public static final String LABEL_AFTER = """
            for (int row = of; row >= 0; row = attempts.previous(row)) {
              int back = row;
              for (int i = 0; i < count && back >= 0; i++) back = attempts.previous(back);
              if (back < 0) return NONE;
              if (attempts.chunk(back)[attempts.at(back) + <last>] == from) return variable(row);
            }
            return NONE;
        """;

    /** Brings a match out, or behind others that wait for rows behind them. */
    public static final String DELIVER = """
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
    public static final String FLUSH_WAITING = """
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
    public static final String TRIM = """
        ?waits    long oldest = oldest((int) (r[o] >> 32), (int) (r[o + <waitingAt>] >> 32) - 1);
        !waits    long oldest = oldest((int) (r[o] >> 32), NONE);
        ?reports    oldest = Math.min(oldest, oldest((int) r[o + <reportsAt>] - 1, NONE));
            passOver(p, oldest);
        """;

    private QueueText()
    {
    }
}
