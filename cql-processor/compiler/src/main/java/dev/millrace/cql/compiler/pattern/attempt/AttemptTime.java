package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.cql.compiler.pattern.PatternStrategySelector;
import dev.millrace.cql.compiler.pattern.Register;
import dev.millrace.cql.compiler.pattern.TimeBound;
import dev.millrace.cql.plan.flow.PatternSpec;
import java.util.List;

/**
 * Source text for events that end attempts without a row: WITHIN, DURATION, and conditions that can no longer hold
 * after some instant.
 *
 * <p>Not thread-safe; used for one class.
 */
final class AttemptTime
{
    /** For DURATION by a column: later deadlines are checked more often. */
    private static final int USUAL_UNITS = 256;

    private final PatternSpec spec;
    private final PatternStrategySelector choice;
    private final Registers registers;
    private final AttemptRecordLayout words;

    /**
     * @param choice    matching strategy
     * @param registers of an attempt
     * @param words     of its records
     */
    AttemptTime(final PatternSpec spec, final PatternStrategySelector choice, final Registers registers,
        final AttemptRecordLayout words)
    {
        this.registers = registers;
        this.spec = spec;
        this.choice = choice;
        this.words = words;
    }

    /** How long after its first row an attempt ends by WITHIN or DURATION, 0 without. */
    long limitNs()
    {
        return spec.durationNs() > 0 ? spec.durationNs() :
            spec.withinNs() > 0 ? spec.withinNs() + (spec.withinInclusive() ? 1 : 0) : 0;
    }

    /** The longest time to a deadline, 0 without deadlines. */
    long rangeNs()
    {
        if (spec.durationColumn() >= 0)
        {
            return spec.durationNs() > Long.MAX_VALUE / USUAL_UNITS ? Long.MAX_VALUE : spec.durationNs() * USUAL_UNITS;
        }
        return Math.max(limitNs(), choice.greatestSpanNs());
    }

    /** The body that returns the deadline of an attempt. */
    String due()
    {
        final StringBuilder due = new StringBuilder("    long end = ").append(words.expiresAt < 0 ? "NEVER" :
            "a[q + " + words.expiresAt + ']').append(";\n    switch ((int) (link >>> POSITION_SHIFT) & POSITIONS) {\n");
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

    /** When to check a partition again, as long as {@code end} is its current deadline. */
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
            return "plus(r[o + " + words.lastTimeAt + "], " + bound.spanNs() + "L)";
        }
        final Register register = choice.layout().registers().register(bound.from(), -1);
        return "(!(" + registers.has(register) + ") ? NEVER : plus(" + registers.word(register) + ", " +
            bound.spanNs() + "L))";
    }
}
