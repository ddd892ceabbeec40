package dev.millrace.cql.compiler.flow;

import dev.millrace.cql.compiler.pattern.AttemptLayout.Register;
import dev.millrace.cql.compiler.pattern.PatternChoice;
import dev.millrace.cql.compiler.pattern.TimeBound;
import dev.millrace.cql.plan.flow.PatternSpec;
import java.util.List;

/**
 * What ends attempts without a row, as Java text: WITHIN, DURATION, and conditions that do not hold any more once time
 * has come to an instant.
 *
 * <p>Used by one thread, for one class.
 */
final class AttemptTime
{
    /** Of DURATION by a column: later deadlines are looked at more often. */
    private static final int USUAL_UNITS = 256;

    private final PatternSpec spec;
    private final PatternChoice choice;
    private final AttemptLeaves leaves;
    private final int expiresAt;
    private final int registersAt;
    private final int lastTimeAt;

    /**
     * Makes a writer.
     *
     * @param spec        of the pattern
     * @param choice      how it runs
     * @param leaves      reads registers
     * @param expiresAt   word of an attempt for the end of WITHIN or DURATION, -1 without
     * @param registersAt first word of its registers
     * @param lastTimeAt  word of a partition for the time of its last row, -1 without
     */
    AttemptTime(final PatternSpec spec, final PatternChoice choice, final AttemptLeaves leaves, final int expiresAt,
        final int registersAt, final int lastTimeAt)
    {
        this.leaves = leaves;
        this.spec = spec;
        this.choice = choice;
        this.expiresAt = expiresAt;
        this.registersAt = registersAt;
        this.lastTimeAt = lastTimeAt;
    }

    /** How long after its first row an attempt ends by WITHIN or DURATION, 0 without. */
    long limitNs()
    {
        return spec.durationNs() > 0 ? spec.durationNs() :
            spec.withinNs() > 0 ? spec.withinNs() + (spec.withinInclusive() ? 1 : 0) : 0;
    }

    /** The longest time to a deadline, 0 when there are none. */
    long rangeNs()
    {
        if (spec.durationColumn() >= 0)
        {
            return spec.durationNs() > Long.MAX_VALUE / USUAL_UNITS ? Long.MAX_VALUE : spec.durationNs() * USUAL_UNITS;
        }
        return Math.max(limitNs(), choice.greatestSpanNs());
    }

    /** The body that gives the deadline of an attempt. */
    String due()
    {
        final StringBuilder due = new StringBuilder("    long end = ").append(expiresAt < 0 ? "NEVER" :
            "a[q + " + expiresAt + ']').append(";\n    switch ((int) (link >>> POSITION_SHIFT) & POSITIONS) {\n");
        for (int i = 0; i < choice.paths().size(); i++)
        {
            final List<List<TimeBound>> deadlines = choice.deadlines(i);
            if (!deadlines.isEmpty())
            {
                due.append("      case ").append(i).append(": return Math.min(end, ").append(latest(deadlines))
                    .append(");\n");
            }
        }
        return due + "      default: return end;\n    }\n";
    }

    /** The body that sets the deadline of a partition. */
    String arm()
    {
        return "    if (due == NEVER) return;\n    r[o] |= ARMED;\n    deadlines.set(p, " +
            (choice.areDeadlinesAlike() ? "due" : "Math.min(due, plus(nowNs, " + choice.leastSpanNs() + "L))") +
            ");\n";
    }

    /** When a partition that was asked is to be asked again, as far as {@code end} is the deadline that it has now. */
    String horizon()
    {
        return choice.areDeadlinesAlike() ? "end" : "end == NEVER ? end : Math.min(end, plus(now, " +
            choice.leastSpanNs() + "L))";
    }

    /** The instant from which none of the variables that may follow can hold: the latest of the earliest bounds. */
    private String latest(final List<List<TimeBound>> deadlines)
    {
        String latest = null;
        for (final List<TimeBound> ofVariable : deadlines)
        {
            String earliest = null;
            for (final TimeBound bound : ofVariable)
            {
                earliest = earliest == null ? text(bound) : "Math.min(" + earliest + ", " + text(bound) + ')';
            }
            latest = latest == null ? earliest : "Math.max(" + latest + ", " + earliest + ')';
        }
        return latest;
    }

    private String text(final TimeBound bound)
    {
        if (bound.from() == null)
        {
            return "plus(r[o + " + lastTimeAt + "], " + bound.spanNs() + "L)";
        }
        final Register register = choice.layout().register(bound.from(), -1);
        return "(!(" + leaves.has(register) + ") ? NEVER : plus(a[q + " +
            (registersAt + register.place()) + "], " + bound.spanNs() + "L))";
    }
}
