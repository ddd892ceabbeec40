package dev.millrace.cql.compiler.pattern.attempt.template;

/** Templates ({@link Template}) for deadlines that repeat, or that differ per attempt. */
public final class TickTemplates
{
    /** The earliest first row of attempts. */
    public static final String OLDEST = """
            long oldest = NEVER;
            for (int id = head; id >= 0; id = (int) attempts.chunk(id)[attempts.at(id)]) {
              oldest = Math.min(oldest, attempts.chunk(id)[attempts.at(id) + <startAt>]);
            }
            for (int id = other; id >= 0; id = (int) attempts.chunk(id)[attempts.at(id)]) {
              oldest = Math.min(oldest, attempts.chunk(id)[attempts.at(id) + <startAt>]);
            }
            return oldest;
        """;

    /** With DURATION by a column or MULTIPLES OF, or ALL MATCHES: processes the instants that are due. */
    public static final String REPORT_TICKS = """
            final long[] r = partitions.chunk(p);
            final int o = partitions.at(p);
            long time = earliest(r, o, p, (int) (r[o] >> 32));
            while (time <= now) {
              tick(r, o, p, time);
              time = earliest(r, o, p, (int) (r[o] >> 32));
            }
            return (int) (r[o] >> 32);
        """;

    /** An instant: reports attempts that are complete, unless an older attempt continues. */
    public static final String TICK = """
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

    /** Stores a report until no older attempt continues. */
    public static final String ADD_REPORT = """
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

    /** Emits the reports of starts that no older attempt blocks; starts that they cover are discarded. */
    public static final String SETTLE_REPORTS = """
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
    public static final String WITHOUT = """
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

    private TickTemplates()
    {
    }
}
