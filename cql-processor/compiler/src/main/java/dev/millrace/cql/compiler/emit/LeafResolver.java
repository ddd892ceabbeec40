package dev.millrace.cql.compiler.emit;

import dev.millrace.cql.plan.expression.Expression;

/** Source of the values of columns, keys and aggregates for a {@link ExpressionEmitter}. */
public interface LeafResolver
{
    /** Code of the value. */
    public String value(Expression leaf);

    /** Code of the condition that it is null; {@code null} when it never is. */
    public String nullFlag(Expression leaf);

    /** Code of a char value for comparison with a literal, see {@link ColumnRef#known}. */
    public default String known(final Expression leaf)
    {
        return value(leaf);
    }

    /**
     * Code of the object that stores the string of a char value of the current row; {@code null} when there are only
     * codes.
     */
    public default String texts(final Expression leaf)
    {
        return null;
    }

    /** Leaves for the columns of some rows. */
    static LeafResolver columns(final MethodScope scope, final RowSelection rows, final String row)
    {
        return new LeafResolver()
        {
            @Override
            public String value(final Expression leaf)
            {
                return rows.columns().get(index(leaf)).value(scope, row);
            }

            @Override
            public String nullFlag(final Expression leaf)
            {
                return rows.columns().get(index(leaf)).nullFlag(scope, row);
            }

            @Override
            public String known(final Expression leaf)
            {
                return rows.columns().get(index(leaf)).known(scope, row);
            }

            @Override
            public String texts(final Expression leaf)
            {
                return rows.columns().get(index(leaf)).texts();
            }

            private int index(final Expression leaf)
            {
                if (leaf instanceof Expression.Column column)
                {
                    return column.column();
                }
                throw new IllegalArgumentException("expression has no value here, please report this plan: " + leaf);
            }
        };
    }
}
