package dev.millrace.cql.compiler.pattern.attempt.template;

/** Templates ({@link Template}) for deadlines that end attempts without a row. */
public final class TimerTemplates
{
    /** Ends attempts at a deadline; removes a partition that stores nothing about earlier rows. */
    public static final String FIRE_RECORD = """
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

    /** With DURATION: reports the first start that has reached its time and is complete, which covers all others. */
    public static final String REPORT_DUE = """
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
    public static final String FIRE_DURATION = """
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

    /** Ends several attempts at a deadline. */
    public static final String FIRE = """
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
        ?trims    trim(r, o, p);
        ?waits    end = Math.min(end, waitsUntil(r, o));
        ?forgets    if (head < 0<unnumbered>) { remove(p); return NEVER; }
        !forgets    if (head < 0 && <isBlank>) { remove(p); return NEVER; }
            if (end == NEVER) r[o] &= ~ARMED;
            return <horizon>;
        """;

    /** Discards the attempts, none of which is complete. */
    public static final String END_FIXED_LENGTH = """
            partitions.chunk(p)[partitions.at(p)] &= LOW;
        """;

    /** Ends the only attempt: it gets no further rows. */
    public static final String END_RECORD = """
            final long[] r = partitions.chunk(p);
            final int q = partitions.at(p) + <link>;
            if ((r[q] & COMPLETE) != 0L) report(p, NONE, r[q + <end>]);
            r[q] = NOTHING;
        """;

    /** The same for several attempts. */
    public static final String END_REGISTERS = """
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

    /** Ends the attempts of ALL MATCHES, none of which is complete, and emits the rows that no match has. */
    public static final String END_ALL_MATCHES = """
        ?flushes    isLast = true;
        ?flushes    flushWaiting(partitions.chunk(p), partitions.at(p), p);
        ?flushes    isLast = false;
        ?marks    passOver(p, NEVER);
        """;

    /** The earliest deadline of several attempts. */
    public static final String EARLIEST = """
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

    private TimerTemplates()
    {
    }
}
