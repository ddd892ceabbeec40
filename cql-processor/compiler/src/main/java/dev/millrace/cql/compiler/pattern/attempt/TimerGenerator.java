package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.cql.compiler.pattern.PatternStrategySelector;
import dev.millrace.cql.compiler.pattern.attempt.template.TickTemplates;
import dev.millrace.cql.compiler.pattern.attempt.template.TimerTemplates;
import dev.millrace.cql.plan.flow.PatternSpec;

/** Writes the deadlines that end attempts without a row. */
final class TimerGenerator
{
    private final AttemptClass to;
    private final PatternSpec spec;
    private final PatternStrategySelector choice;
    private final AttemptRecordLayout words;
    private final AttemptTime time;
    private final AttemptTemplateNames names;

    TimerGenerator(final AttemptClass to, final AttemptTime time, final AttemptTemplateNames names)
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
            words.isFixed ? TimerTemplates.END_FIXED_LENGTH : words.isRecord ? TimerTemplates.END_RECORD :
            spec.allMatches() ? TimerTemplates.END_ALL_MATCHES : TimerTemplates.END_REGISTERS));
        if (time.rangeNs() == 0)
        {
            to.method("public long fire(final int p, final long now)", "    throw new IllegalStateException();\n");
            return;
        }
        to.method("private long due(" + AttemptLeafResolver.PARAMETERS + ')', time.due());
        to.method("private void arm(final int p, final long[] r, final int o, final long due)", time.arm());
        to.method("public long fire(final int p, final long now)", names.complete(
            words.isRecord ? TimerTemplates.FIRE_RECORD : spec.durationNs() > 0 ? TimerTemplates.FIRE_DURATION :
            TimerTemplates.FIRE));
        if (spec.durationNs() > 0)
        {
            to.method("private int reportDue(final int p, final long now)",
                names.complete(choice.hasTicks() ? TickTemplates.REPORT_TICKS : TimerTemplates.REPORT_DUE));
        }
        if (choice.hasTicks())
        {
            ticks();
        }
        if (!words.isRecord)
        {
            to.method("private long earliest(final long[] r, final int o, final int p, final int head)",
                names.complete(TimerTemplates.EARLIEST));
        }
    }

    /** Deadlines that repeat, or that differ per attempt. */
    private void ticks()
    {
        to.method("private void tick(final long[] r, final int o, final int p, final long time)",
            names.complete(TickTemplates.TICK));
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
                names.complete(TickTemplates.ADD_REPORT));
            to.method("private void settleReports(final long[] r, final int o, final int p)",
                names.complete(TickTemplates.SETTLE_REPORTS));
            to.method("private int without(final int head, final long from, final long to)",
                names.complete(TickTemplates.WITHOUT));
        }
    }
}
