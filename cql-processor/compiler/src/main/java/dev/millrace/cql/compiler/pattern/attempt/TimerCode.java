package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.cql.compiler.pattern.PatternChoice;
import dev.millrace.cql.compiler.pattern.attempt.text.TickText;
import dev.millrace.cql.compiler.pattern.attempt.text.TimerText;
import dev.millrace.cql.plan.flow.PatternSpec;

/** Writes the deadlines that end attempts without a row. */
final class TimerCode
{
    private final AttemptClass to;
    private final PatternSpec spec;
    private final PatternChoice choice;
    private final AttemptWords words;
    private final AttemptTime time;
    private final WalkNames names;

    TimerCode(final AttemptClass to, final AttemptTime time, final WalkNames names)
    {
        this.to = to;
        spec = to.spec;
        choice = to.choice;
        words = to.words;
        this.time = time;
        this.names = names;
    }

    void write()
    {
        to.method("protected void end(final int p)", names.complete(
            words.isFixed ? TimerText.END_FIXED_LENGTH : words.isRecord ? TimerText.END_RECORD :
            spec.allMatches() ? TimerText.END_ALL_MATCHES : TimerText.END_REGISTERS));
        if (time.rangeNs() == 0)
        {
            to.method("public long fire(final int p, final long now)", "    throw new IllegalStateException();\n");
            return;
        }
        to.method("private long due(" + AttemptLeaves.PARAMETERS + ')', time.due());
        to.method("private void arm(final int p, final long[] r, final int o, final long due)", time.arm());
        to.method("public long fire(final int p, final long now)", names.complete(
            words.isRecord ? TimerText.FIRE_RECORD : spec.durationNs() > 0 ? TimerText.FIRE_DURATION : TimerText.FIRE));
        if (spec.durationNs() > 0)
        {
            to.method("private int reportDue(final int p, final long now)",
                names.complete(choice.hasTicks() ? TickText.REPORT_TICKS : TimerText.REPORT_DUE));
        }
        if (choice.hasTicks())
        {
            ticks();
        }
        if (!words.isRecord)
        {
            to.method("private long earliest(final long[] r, final int o, final int p, final int head)",
                names.complete(TimerText.EARLIEST));
        }
    }

    /** Deadlines that repeat, or that differ per attempt. */
    private void ticks()
    {
        to.method("private void tick(final long[] r, final int o, final int p, final long time)",
            names.complete(TickText.TICK));
        if (spec.durationColumn() >= 0)
        {
            final String column = Integer.toString(spec.durationColumn());
            to.method("private long periodNs()", "    return z" + column + " || x" + column + " <= 0 ? 0L : x" +
                column + " > " + Long.MAX_VALUE / spec.durationNs() + "L ? Long.MAX_VALUE : x" + column + " * " +
                spec.durationNs() + "L;\n");
        }
        if (!spec.allMatches())
        {
            to.method("private void addReport(final long[] r, final int o, final int id, final long end)",
                names.complete(TickText.ADD_REPORT));
            to.method("private void settleReports(final long[] r, final int o, final int p)",
                names.complete(TickText.SETTLE_REPORTS));
            to.method("private int without(final int head, final long from, final long to)",
                names.complete(TickText.WITHOUT));
        }
    }
}
