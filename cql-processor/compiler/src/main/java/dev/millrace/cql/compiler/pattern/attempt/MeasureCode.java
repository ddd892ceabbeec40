package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.TermMethods;
import dev.millrace.cql.compiler.pattern.StoredColumn;
import dev.millrace.cql.compiler.pattern.attempt.template.ChainTemplates;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.runtime.pattern.PatternProgram;

/**
 * Writes the rows of a match.
 */
final class MeasureCode
{
    private final AttemptClass to;
    private final PatternSpec spec;
    private final PatternProgram program;
    private final AttemptRecordLayout words;
    private final AttemptInput input;
    private final AttemptTemplateNames names;

    MeasureCode(final AttemptClass to, final AttemptInput input, final AttemptTemplateNames names)
    {
        this.to = to;
        spec = to.spec;
        program = to.program;
        words = to.words;
        this.input = input;
        this.names = names;
    }

    void write()
    {
        final boolean allRows = program.rules().allRows();
        // Leaves relative to the current row, and leaves relative to the last row of the match.
        final AttemptLeafResolver running = to.leavesOfMatch("");
        final AttemptLeafResolver last = allRows ? to.leavesOfMatch("f") : running;
        final String parameters = AttemptLeafResolver.PARAMETERS + (allRows ?
            ", " + AttemptLeafResolver.LAST_PARAMETERS : "") +
            (words.hasHistory && !allRows ? ", final int fid" : "");
        final String arguments = AttemptLeafResolver.ARGUMENTS + (allRows ? ", " + AttemptLeafResolver.LAST_ARGUMENTS :
            "") +
            (words.hasHistory && !allRows ? ", fid" : "");
        final TermMethods measureTerms = new TermMethods("measureTerms", "private", parameters, arguments);
        final StringBuilder calls = new StringBuilder();
        for (int i = 0; i < spec.measures().size(); i++)
        {
            final ExpressionCode code = new ExpressionCode(to.constants,
                (leaf, writer) -> words.isFixed ? running.ofCondition(leaf, to.layout.lastVariable(), writer) :
                    (isRunning(leaf) ? running : last).ofMeasure(leaf, writer), measureTerms);
            final StoredColumn key = to.layout.codeOfMeasure(i);
            if (key == null)
            {
                code.store("out", "outRow", i, code.write(spec.measures().get(i).expression()));
            }
            else
            {
                code.line("out.setCode(outRow, " + i + ", (int) r[o + " + key.index() + "]);");
            }
            to.method("private void measure" + i + '(' + parameters + ", final MatchRows out, final int outRow)",
                code.text());
            calls.append("    measure").append(i).append('(').append(arguments).append(", out, outRow);\n");
        }
        to.method("protected void measures(final int p, final int id, final int fid, final MatchRows out, " +
            "final int outRow)", "    final long[] r = partitions.chunk(p);\n    final int o = partitions.at(p);\n" +
            (!words.hasRecords ? "    final long[] a = r;\n    final int q = o + " + Math.max(0, words.linkAt) + ";\n" :
                "    final long[] a = attempts.chunk(id);\n    final int q = attempts.at(id);\n") +
            "    final long link = a[q" + words.flagsOfMatch() + "];\n" + (allRows ?
            "    final long[] fa = attempts.chunk(fid);\n    final int fq = attempts.at(fid);\n" +
            "    final long flink = fa[fq];\n" : "") + calls);
        to.text(measureTerms.text());
        to.method("protected void match(final int p, final int id)",
            (words.numberAt < 0 ? "" : "    partitions.chunk(p)[partitions.at(p) + " + words.numberAt + "]++;\n") +
            (allRows ? names.complete(ChainTemplates.ALL_ROWS) : "    addRow(p, id, id);\n"));
        if (words.queueAt >= 0)
        {
            new RowQueueGenerator(to, input, names).write();
        }
    }

    private static boolean isRunning(final Expression leaf)
    {
        return leaf instanceof PatternExpression.Navigation navigation ? navigation.running() :
            leaf instanceof PatternExpression.Aggregate aggregate ? aggregate.running() :
            !(leaf instanceof PatternExpression.Classifier classifier) || classifier.running();
    }
}
