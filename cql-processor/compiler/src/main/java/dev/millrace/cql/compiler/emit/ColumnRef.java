package dev.millrace.cql.compiler.emit;

import dev.millrace.api.event.CqlType;

/**
 * Source of a column's values while a batch is processed. All columns of an operator are indexed by the row of the
 * input batch, so that filtering moves only row numbers, not values.
 */
public sealed interface ColumnRef
{
    CqlType type();

    /** Name of a local with the array. */
    String array(MethodScope scope);

    /** Condition that the value is null; {@code null} when it never is. */
    String nullFlag(MethodScope scope, String row);

    /** Code of the object that stores the strings of a char column by value; {@code null} when there are only codes. */
    default String texts()
    {
        return null;
    }

    /**
     * A char value for comparison with a literal or a look-up in a relation: its code, or a code that no string has.
     */
    default String known(final MethodScope scope, final String row)
    {
        return value(scope, row);
    }

    default String value(final MethodScope scope, final String row)
    {
        return JavaTypes.load(type(), array(scope) + '[' + row + ']');
    }

    /** A column of the input batch. */
    record Source(int column, CqlType type, boolean exact, ClassContext context) implements ColumnRef
    {
        @Override
        public String array(final MethodScope scope)
        {
            if (type == CqlType.CHAR)
            {
                return scope.local("c" + column, "int[]", context.coded(column) + ".codes()");
            }
            return scope.local("c" + column, JavaTypes.element(type) + "[]",
                "in." + JavaTypes.accessor(type) + '(' + column + ')');
        }

        @Override
        public String nullFlag(final MethodScope scope, final String row)
        {
            switch (type.storage())
            {
                case TEXT:
                    return known(scope, row) + " == 0";
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

        @Override
        public String texts()
        {
            return type == CqlType.CHAR ? "in.texts(" + column + ')' : null;
        }

        @Override
        public String known(final MethodScope scope, final String row)
        {
            return type == CqlType.CHAR ?
                scope.local("k" + column, "int[]", context.column(column) + ".known()") + '[' + row + ']' :
                value(scope, row);
        }
    }

    /** A column that an operator has computed. */
    record Scratch(String name, CqlType type, boolean nullable) implements ColumnRef
    {
        @Override
        public String array(final MethodScope scope)
        {
            return scope.local("x" + name, JavaTypes.element(type) + "[]", "this.x" + name);
        }

        public String nulls(final MethodScope scope)
        {
            return scope.local("z" + name, "boolean[]", "this.z" + name);
        }

        @Override
        public String nullFlag(final MethodScope scope, final String row)
        {
            return switch (type.storage())
            {
                case TEXT -> array(scope) + '[' + row + "] == 0";
                case REFERENCE -> array(scope) + '[' + row + "] == null";
                default -> nullable ? nulls(scope) + '[' + row + ']' : null;
            };
        }
    }
}
