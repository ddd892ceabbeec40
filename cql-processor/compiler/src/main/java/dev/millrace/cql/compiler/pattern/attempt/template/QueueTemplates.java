package dev.millrace.cql.compiler.pattern.attempt.template;

/** Templates ({@link Template}) for rows that are stored separately from attempts, and matches that wait for rows. */
public final class QueueTemplates
{
    /** Records the last row of a match that is decided: rows up to it do not count as unmatched. */
    public static final String NOTE_MATCH = """
            final int at = partitions.at(p) + <matchedAt>;
            final long[] r = partitions.chunk(p);
            r[at] = Math.max(r[at], last);
        """;

    /** Releases the rows before one: no undecided match contains them, and nothing reads them. */
    public static final String PASS_OVER = """
            final long[] r = partitions.chunk(p);
            final int o = partitions.at(p);
            long queue = r[o + <queueAt>];
            while (queue != 0L && queues.arrival(queues.first(queue)) < until) {
              final int row = queues.first(queue);
        ?notes      if (queues.arrival(row) > r[o + <matchedAt>]) reportUnmatched(row);
        ?cancelsRow      else output.cancel((int) queues.outputIndex(row));
        ?marks      if (!queues.isMatched(row)) reportUnmatched(row);
              queue = queues.removeFirst(queue);
            }
            r[o + <queueAt>] = queue;
        """;

    /** The variable of a row after another one; negative when that is not in the match. */
    public static final String LABEL_AFTER = """
            for (int row = of; row >= 0; row = attempts.previous(row)) {
              int back = row;
              for (int i = 0; i < count && back >= 0; i++) back = attempts.previous(back);
              if (back < 0) return NONE;
              if (attempts.chunk(back)[attempts.at(back) + <last>] == from) return variable(row);
            }
            return NONE;
        """;

    /** Emits a match, or appends it to others that wait for later rows. */
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

    /** Emits the matches that no longer wait, and releases rows that nothing reads. */
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

    /** Releases the rows before the first one of all attempts and waiting matches. */
    public static final String TRIM = """
        ?waits    long oldest = oldest((int) (r[o] >> 32), (int) (r[o + <waitingAt>] >> 32) - 1);
        !waits    long oldest = oldest((int) (r[o] >> 32), NONE);
        ?reports    oldest = Math.min(oldest, oldest((int) r[o + <reportsAt>] - 1, NONE));
            passOver(p, oldest);
        """;

    private QueueTemplates()
    {
    }
}
