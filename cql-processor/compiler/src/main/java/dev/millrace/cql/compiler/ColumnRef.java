package dev.millrace.cql.compiler;

import dev.millrace.api.event.CqlType;

/**
 * Where a column's values lie while a batch is worked on. All columns of a stage are indexed by the row of the input
 * batch, so that filtering moves no values, only row numbers.
 */
sealed interface ColumnRef
{
    CqlType type();

    /** Name of a local that holds the array. */
    String array(MethodScope scope);

    /** Condition that the value is null; {@code null} when it never is. */
    String nullFlag(MethodScope scope, String row);

    default String value(final MethodScope scope, final String row)
    {
        return JavaTypes.load(type(), array(scope) + '[' + row + ']');
    }

    /** A column of the batch that came in. */
    record Source(int column, CqlType type, boolean exact) implements ColumnRef
    {
        @Override
        public String array(final MethodScope scope)
        {
            return scope.local("c" + column, JavaTypes.element(type) + "[]",
                "in." + JavaTypes.accessor(type) + '(' + column + ')');
        }

        @Override
        public String nullFlag(final MethodScope scope, final String row)
        {
            switch (type.storage())
            {
                case DICTIONARY:
                    return array(scope) + '[' + row + "] == 0";
                case REFERENCE:
                    return array(scope) + '[' + row + "] == null";
                default:
                    if (!exact)
                    {
                        return null;
                    }
                    final String bits = scope.local("b" + column, "long[]",
                        "in.hasNulls(" + column + ") ? in.nullBits(" + column + ") : NO_NULLS");
                    return '(' + bits + '[' + row + " >> 6] >>> " + row + " & 1L) != 0L";
            }
        }
    }

    /** A column that a stage has computed. */
    record Scratch(String name, CqlType type, boolean nullable) implements ColumnRef
    {
        @Override
        public String array(final MethodScope scope)
        {
            return scope.local("x" + name, JavaTypes.element(type) + "[]", "this.x" + name);
        }

        String nulls(final MethodScope scope)
        {
            return scope.local("z" + name, "boolean[]", "this.z" + name);
        }

        @Override
        public String nullFlag(final MethodScope scope, final String row)
        {
            return switch (type.storage())
            {
                case DICTIONARY -> array(scope) + '[' + row + "] == 0";
                case REFERENCE -> array(scope) + '[' + row + "] == null";
                default -> nullable ? nulls(scope) + '[' + row + ']' : null;
            };
        }
    }
}
