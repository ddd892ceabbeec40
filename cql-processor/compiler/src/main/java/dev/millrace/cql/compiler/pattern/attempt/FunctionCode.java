package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.expression.TermMethods;
import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.plan.expression.Expression;
import java.util.List;

/** Writes the arguments of aggregates that are computed over all rows of a match. */
final class FunctionCode
{
    /** Far more than any aggregate has. */
    private static final int MAX_ARGUMENTS = 100;

    private final TermMethods rowTerms = new TermMethods("rowTerms", "private",
        "final int variable", "variable");
    private final TermMethods recordTerms = new TermMethods("recordTerms", "private",
        AttemptLeafResolver.PARAMETERS + ", final int variable", AttemptLeafResolver.ARGUMENTS + ", variable");
    private final AttemptClass to;
    private final AttemptLayout layout;

    FunctionCode(final AttemptClass to)
    {
        this.to = to;
        layout = to.layout;
    }

    void write()
    {
        final StringBuilder cases = new StringBuilder();
        for (int i = 0; i < layout.functions().size(); i++)
        {
            final List<Expression> arguments = layout.functions().get(i).arguments();
            for (int j = 0; j < arguments.size(); j++)
            {
                final String name = "argument" + i + '_' + j;
                argument(name + "OfRow", "final int variable", arguments.get(j), false);
                argument(name, "final int p, final int id, final int variable", arguments.get(j), true);
                cases.append("      case ").append(i * MAX_ARGUMENTS + j).append(": return row < 0 ? ").append(name)
                    .append("OfRow(variable) : ").append(name).append("(partition, row, variable);\n");
            }
        }
        to.method("public Object argument(final int aggregate, final int index, final int partition, final int row, " +
            "final int variable)", "    switch (aggregate * " + MAX_ARGUMENTS + " + index) {\n" + cases +
            "      default: throw new IllegalStateException();\n    }\n");
        to.text(rowTerms.text());
        to.text(recordTerms.text());
    }

    private void argument(
        final String name, final String parameters, final Expression argument, final boolean isOfRecord)
    {
        final AttemptLeafResolver leaves = to.leaves("");
        final ExpressionCode code = new ExpressionCode(to.constants,
            (leaf, writer) -> leaves.ofArgument(leaf, isOfRecord, writer), isOfRecord ? recordTerms : rowTerms);
        final Operand value = leaves.ofArguments(argument, isOfRecord, code);
        code.line("return " + (value.canBeNull() ? value.isNull() + " ? null : " : "") + "(Object) (" + value.value() +
            ");");
        to.method("private Object " + name + '(' + parameters + ')', (isOfRecord ?
            "    final long[] r = partitions.chunk(p);\n    final int o = partitions.at(p);\n" +
            "    final long[] a = attempts.chunk(id);\n    final int q = attempts.at(id);\n" +
            "    final long link = a[q];\n" : "") + code.text());
    }
}
