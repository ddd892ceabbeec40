package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.attempt.template.QueueTemplates;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.runtime.pattern.PatternProgram;

/** Writes the use of stored rows: rows that are undecided, or that measures read after the match. */
final class RowQueueGenerator
{
    private final AttemptClass to;
    private final PatternSpec spec;
    private final PatternProgram program;
    private final AttemptLayout layout;
    private final AttemptRecordLayout words;
    private final AttemptInput input;
    private final AttemptTemplateNames names;

    RowQueueGenerator(final AttemptClass to, final AttemptInput input, final AttemptTemplateNames names)
    {
        this.to = to;
        spec = to.spec;
        program = to.program;
        layout = to.layout;
        words = to.words;
        this.input = input;
        this.names = names;
    }

    void write()
    {
        to.method("private void enqueue(final long[] r, final int o)", input.enqueue(words.queueAt,
            words.showsUnmatched && words.isOrdered ? "output.reserve(nowNs, arrival)" : "0L"));
        to.method("private void passOver(final int p, final long until)", names.complete(QueueTemplates.PASS_OVER));
        if (words.matchedAt >= 0)
        {
            to.method("private void noteMatch(final int p, final long last)",
                names.complete(QueueTemplates.NOTE_MATCH));
        }
        if (words.waitsApart || words.marksRows)
        {
            to.method("private void trim(final long[] r, final int o, final int p)",
                names.complete(QueueTemplates.TRIM));
        }
        if (words.showsUnmatched)
        {
            writeUnmatched();
        }
        if (words.readsAhead)
        {
            writeAhead();
            if (words.waitsApart)
            {
                writeWaiting();
            }
        }
    }

    /** Writes the method for the result of a row that is in no match. */
    private void writeUnmatched()
    {
        final ExpressionCode code = new ExpressionCode(to.constants, (leaf, writer) ->
            AttemptLeafResolver.ofQueue(leaf, layout, writer), to.terms);
        for (int i = 0; i < spec.measures().size(); i++)
        {
            if (spec.measures().get(i).expression() instanceof PatternExpression.RowColumn column)
            {
                code.store("out", "to", i, AttemptLeafResolver.ofQueue(column, layout, code));
            }
        }
        to.method("protected void unmatched(final int row, final MatchRows out, final int to)", code.text());
    }

    /** Writes the methods that find rows after a match, and whether the match waits for some of them. */
    private void writeAhead()
    {
        final AttemptLeafResolver leaves = to.leaves("");
        final StringBuilder tests = new StringBuilder();
        layout.ahead().forEach(each -> tests.append("    if (").append(leaves.isAwaited(each, words.queueAt))
            .append(") return true;\n"));
        final String limit = spec.withinNs() == 0 ? "" :
            "    if (nowNs >= a[q + " + words.expiresAt + "]) return false;\n";
        to.method("private boolean isMissing(final int p, final int id)", "    if (isLast) return false;\n" +
            "    final long[] r = partitions.chunk(p);\n    final int o = partitions.at(p);\n" +
            "    final long[] a = attempts.chunk(id);\n    final int q = attempts.at(id);\n" +
            "    final long link = a[q];\n" + limit + tests + "    return false;\n");
        to.method("private int rowAfter(final long[] r, final int o, final long[] a, final int q, final long from, " +
            "final int count)", "    final int row = queues.after(r[o + " + words.queueAt + "], from, count);\n" +
            (spec.withinNs() == 0 ? "    return row;\n" : "    return row >= 0 && queues.timeNs(row) < a[q + " +
                words.expiresAt + "] ? row : NONE;\n"));
        if (program.readsLabelsAhead())
        {
            to.method("private int labelAfter(final int of, final long from, final int count)",
                names.complete(QueueTemplates.LABEL_AFTER));
        }
    }

    /** Writes the methods for matches that wait for later rows, apart from the attempts. */
    private void writeWaiting()
    {
        to.method("private void deliver(final int p, final int id, final long end)",
            names.complete(QueueTemplates.DELIVER));
        to.method("private void flushWaiting(final long[] r, final int o, final int p)",
            names.complete(QueueTemplates.FLUSH_WAITING));
        to.method("private long waitsUntil(final long[] r, final int o)", spec.withinNs() == 0 ?
            "    return NEVER;\n" :
            "    final int id = (int) (r[o + " + words.waitingAt + "] >> 32) - 1;\n    return id < 0 ? NEVER : " +
            "attempts.chunk(id)[attempts.at(id) + " + words.expiresAt + "];\n");
    }
}
