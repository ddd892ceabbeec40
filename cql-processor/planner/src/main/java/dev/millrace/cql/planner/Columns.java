package dev.millrace.cql.planner;

import dev.millrace.cql.plan.Expression;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexVisitorImpl;

/** Which columns expressions read. */
final class Columns
{
    private Columns()
    {
    }

    /** Columns that an expression reads. */
    static Set<Integer> of(final RexNode node)
    {
        final Set<Integer> found = new HashSet<>();
        node.accept(new RexVisitorImpl<Void>(true)
        {
            @Override
            public Void visitInputRef(final RexInputRef column)
            {
                found.add(column.getIndex());
                return null;
            }
        });
        return found;
    }

    /** The expression over columns with other places. */
    static RexNode shifted(final RexNode node, final IntUnaryOperator place)
    {
        return node.accept(new RexShuttle()
        {
            @Override
            public RexNode visitInputRef(final RexInputRef column)
            {
                return new RexInputRef(place.applyAsInt(column.getIndex()), column.getType());
            }
        });
    }

    /** Whether an expression reads no column from a place on, and nothing but columns of one row. */
    static boolean allBelow(final Expression expression, final int limit)
    {
        if (expression instanceof Expression.Column column)
        {
            return column.column() < limit;
        }
        if (expression instanceof Expression.Call call)
        {
            return call.arguments().stream().allMatch(each -> allBelow(each, limit));
        }
        if (expression instanceof Expression.FunctionCall call)
        {
            return call.arguments().stream().allMatch(each -> allBelow(each, limit));
        }
        return expression instanceof Expression.Literal;
    }
}
