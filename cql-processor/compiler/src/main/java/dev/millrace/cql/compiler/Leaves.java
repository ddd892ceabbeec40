package dev.millrace.cql.compiler;

import dev.millrace.cql.plan.Expression;

/** Source of the values of columns, keys and aggregates for a {@link Kernel}. */
interface Leaves
{
    /** Code of the value. */
    String value(Expression leaf);

    /** Code of the condition that it is null; {@code null} when it never is. */
    String nullFlag(Expression leaf);

    /** Code of a char value for comparison with a literal, see {@link ColumnRef#known}. */
    default String known(final Expression leaf)
    {
        return value(leaf);
    }

    /**
     * Code of the object that stores the string of a char value of the current row; {@code null} when there are only
     * codes.
     */
    default String texts(final Expression leaf)
    {
        return null;
    }

    /** Leaves for the columns of some rows. */
    static Leaves columns(final MethodScope scope, final Rows rows, final String row)
    {
        return new Leaves()
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
