package dev.millrace.cql.planner.expression;

import dev.millrace.cql.plan.expression.Expression;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexVisitorImpl;

/** Columns that expressions read. */
public final class ColumnReferences
{
    private ColumnReferences()
    {
    }

    /** The columns that an expression reads. */
    public static Set<Integer> of(final RexNode node)
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

    /** The expression with its column indexes mapped. */
    public static RexNode shifted(final RexNode node, final IntUnaryOperator position)
    {
        return node.accept(new RexShuttle()
        {
            @Override
            public RexNode visitInputRef(final RexInputRef column)
            {
                return new RexInputRef(position.applyAsInt(column.getIndex()), column.getType());
            }
        });
    }

    /** Whether an expression reads only columns of one row, all with indexes below a limit. */
    public static boolean allBelow(final Expression expression, final int limit)
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
