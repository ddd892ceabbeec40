package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.pattern.PatternGraph;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.PatternSpec;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes how an attempt processes a row: conditions, and the next positions by their results. */
final class TransitionGenerator
{
    private final AttemptClass to;
    private final PatternSpec spec;
    private final PatternGraph paths;
    private final AttemptRecordLayout words;
    private final AttemptConditions conditions;

    TransitionGenerator(final AttemptClass to, final AttemptConditions conditions)
    {
        this.to = to;
        spec = to.spec;
        paths = to.paths;
        words = to.words;
        this.conditions = conditions;
    }

    void write()
    {
        final String result = words.forks ? "long" : "int";
        final String limit = words.expiresAt < 0 ? "" : "    if (nowNs >= a[q + " + words.expiresAt + "]) return " +
            (words.forks ? "0L" : "DEAD") + ";\n";
        final String at = "(int) (link >>> POSITION_SHIFT) & POSITIONS";
        if (conditions.isTable())
        {
            to.method("private int bitsOfRow(final long[] r, final int o, final int p)",
                conditions.bitsOfRow(to::code));
            if (words.isFixed)
            {
                return;
            }
            to.method("private int bitsOfAttempt(" + AttemptLeafResolver.PARAMETERS + ", final int bits)",
                conditions.readsAttempts() ? conditions.bitsOfAttempt(to::code) : "    return bits;\n");
            to.method("private " + result + " step(" + AttemptLeafResolver.PARAMETERS + ", final int bits)", limit +
                "    return NEXT[(" + at + ") << " + conditions.bitCount() + " | bitsOfAttempt(" +
                AttemptLeafResolver.ARGUMENTS + ", bits)];\n");
            return;
        }
        for (int i = 0; i < spec.conditions().size(); i++)
        {
            if (spec.conditions().get(i) != null)
            {
                condition(i, spec.conditions().get(i));
            }
        }
        if (words.isFixed)
        {
            to.method("private int fitting(final long[] r, final int o, final int p, final int live)",
                conditions.fitting());
            return;
        }
        // Positions of an unrolled repetition have equal code.
        final Map<String, StringBuilder> alike = new LinkedHashMap<>();
        for (int i = 0; i < paths.size(); i++)
        {
            alike.computeIfAbsent(conditions.steps(paths.follow(i), "FOLLOW[at]", AttemptLeafResolver.ARGUMENTS),
                text -> new StringBuilder()).append("      case ").append(i).append(":\n");
        }
        final StringBuilder cases = new StringBuilder();
        alike.forEach((text, positions) -> cases.append(positions).append("        ").append(text));
        to.method("private " + result + " step(" + AttemptLeafResolver.PARAMETERS + ')',
            limit + "    final int at = " + at +
            ";\n    switch (at) {\n" + cases + "      default: throw new IllegalStateException();\n    }\n");
        to.method("private " + result + " first(" + AttemptLeafResolver.PARAMETERS + ')',
            "    " + conditions.steps(paths.first(), "FIRST", AttemptLeafResolver.ARGUMENTS));
    }

    private void condition(final int variable, final Expression condition)
    {
        final ExpressionCode code = to.code(variable);
        code.line("return " + code.condition(condition) + ';');
        final String name = conditions.isRowLocal(variable) ? "computes" : "holds";
        to.method("private boolean " + name + variable + '(' + AttemptLeafResolver.PARAMETERS + ')', code.text());
        if (conditions.isRowLocal(variable))
        {
            final long known = 1L << variable;
            to.method("private boolean holds" + variable + '(' + AttemptLeafResolver.PARAMETERS + ')',
                "    if ((tested & " +
                known + "L) == 0L) {\n      truth = computes" + variable + '(' + AttemptLeafResolver.ARGUMENTS +
                ") ? truth | " + known + "L : truth & ~" + known + "L;\n      tested |= " + known +
                "L;\n    }\n    return (truth & " + known + "L) != 0L;\n");
        }
    }
}
