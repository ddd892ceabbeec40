package dev.millrace.cql.compiler.unit.code;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.ArrayList;
import java.util.List;

/**
 * How the partition of an operator's rows is identified, so that it can discard those of some partitions.
 *
 * @param column of the rows that it reads
 * @param inputs Java condition for whether its rows come from {@code input}
 */
public record PartitionColumn(int column, CqlType type, String inputs)
{
    /** Parameters of methods that find rows of some partitions. */
    public static final String PARAMETERS = "final PartitionPredicate partitions";

    /**
     * Filters and projections, with the partition among their output columns.
     *
     * @param calcs     in the order of rows
     * @param partition of their output rows
     */
    public record Carried(List<FlowNode.Calc> calcs, PartitionColumn partition)
    {
    }

    /** Carries the partition through filters and projections. */
    public Carried through(final List<FlowNode.Calc> calcs)
    {
        final List<FlowNode.Calc> carrying = new ArrayList<>();
        int at = column;
        for (final FlowNode.Calc calc : calcs)
        {
            if (calc.fields() == null)
            {
                carrying.add(calc);
                continue;
            }
            final List<Field> fields = new ArrayList<>(calc.fields());
            final int from = at;
            at = 0;
            while (at < fields.size() && !(fields.get(at).expression() instanceof Expression.Column same &&
                same.column() == from))
            {
                at++;
            }
            if (at == fields.size())
            {
                fields.add(new Field("partition", new Expression.Column(from, type, true)));
            }
            carrying.add(new FlowNode.Calc(calc.input(), calc.condition(), fields));
        }
        return new Carried(carrying, new PartitionColumn(at, type, inputs));
    }

    /**
     * Writes the call of a method with {@link #PARAMETERS}, for the inputs from which rows come.
     *
     * @param partition {@code null} for an operator that never discards rows of partitions: nothing is called
     */
    public static void call(final PartitionColumn partition, final ExpressionCode code, final String method)
    {
        if (partition != null)
        {
            code.line((partition.inputs.isEmpty() ? "" : "if (" + partition.inputs + ") ") + method + "(partitions);");
        }
    }

    /** Java condition for whether a row is discarded. */
    public String test(final Operand value)
    {
        return ask("partitions", "", value);
    }

    /**
     * Java expression that tests the partition of a row.
     *
     * @param whom  object with the methods of {@code PartitionPredicate}
     * @param first argument before the value; empty without
     * @param value of the row
     */
    public String ask(final String whom, final String first, final Operand value)
    {
        final String of = switch (type)
        {
            case CHAR -> "String(" + first + ", " + value.value();
            case FLOAT -> "Float(" + first + ", " + value.value();
            case DOUBLE -> "Double(" + first + ", " + value.value();
            case BOOLEAN -> "Long(" + first + ", " + value.value() + " ? 1L : 0L";
            default -> "Long(" + first + ", (long) " + value.value();
        };
        final String ask = whom + ".of" + of.replace("(, ", "(") + ')';
        return !value.canBeNull() ? ask : '(' + value.isNull() + " ? " + whom + ".ofNull(" + first + ") : " + ask + ')';
    }
}
