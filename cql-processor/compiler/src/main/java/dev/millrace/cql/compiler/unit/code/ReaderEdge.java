package dev.millrace.cql.compiler.unit.code;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The connection of an operator to a reader.
 *
 * @param calcs    filters and projections between them, in the order of rows
 * @param consumer the reader
 */
public record ReaderEdge(List<FlowNode.Calc> calcs, RowConsumer consumer)
{
    /** Columns of the operator's rows that the filters, projections or the consumer read. */
    public Set<Integer> reads(final List<CqlType> types)
    {
        final Set<Integer> reads = new TreeSet<>();
        columns(types, consumer.reads(), reads).forEach(each -> ExpressionRewriter.columns(each, reads));
        return reads;
    }

    /** Columns of the operator's rows that are compared or computed with; the others are only carried on. */
    public Set<Integer> compares(final List<CqlType> types)
    {
        final Set<Integer> compares = new TreeSet<>();
        final Collection<Integer> compared = consumer.compares();
        final Iterator<Integer> read = consumer.reads().iterator();
        for (final Expression each : columns(types, consumer.reads(), compares))
        {
            if (compared.contains(read.next()) || !(each instanceof Expression.Column))
            {
                ExpressionRewriter.columns(each, compares);
            }
        }
        return compares;
    }

    /** Columns that the consumer reads; columns that are read on the way are added to others. */
    private List<Expression> columns(
        final List<CqlType> types, final List<Integer> ofConsumer, final Set<Integer> onTheWay)
    {
        List<Expression> row = new ArrayList<>();
        for (int i = 0; i < types.size(); i++)
        {
            row.add(new Expression.Column(i, types.get(i), true));
        }
        for (final FlowNode.Calc calc : calcs)
        {
            final List<Expression> before = row;
            if (calc.condition() != null)
            {
                ExpressionRewriter.columns(ExpressionRewriter.over(calc.condition(), before::get), onTheWay);
            }
            if (calc.fields() != null)
            {
                row = calc.fields().stream().map(field ->
                    ExpressionRewriter.over(field.expression(), before::get)).toList();
                row.stream().filter(Conditions::canFail).forEach(each -> ExpressionRewriter.columns(each, onTheWay));
            }
        }
        return ofConsumer.stream().map(row::get).toList();
    }
}
