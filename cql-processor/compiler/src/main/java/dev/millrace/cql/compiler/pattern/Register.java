package dev.millrace.cql.compiler.pattern;

import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.PatternExpression;
import java.util.Objects;

/**
 * A register of an attempt: a value that each row updates.
 *
 * @param kind      its content
 * @param variables mask of the variables whose rows it reads
 * @param offset    rows counted from the first or last of them
 * @param back      rows of the partition before each of them
 * @param maxAgeNs  how much older that row may be; negative for no limit
 * @param value     of the row: an expression of its columns, or a classifier for the number of its variable;
 *                  {@code null} for the number of the row in the stream, and for {@link Kind#COUNT_ROWS}
 * @param type      type of the register
 * @param index     index of its first word, or of its object
 * @param flag      flag that is set when it has a value; -1 when it always has one
 * @param taken     flag that is set when the row counted from the first has arrived; -1 without
 */
public record Register(Kind kind, long variables, int offset, int back, long maxAgeNs, Expression value,
    CqlType type, int index, int flag, int taken)
{
    /** Content of a register. */
    public enum Kind
    {
        /** The value of the first row, or of one counted from it. */
        FIRST,
        /** The value of the last row, or of one counted from it. */
        LAST,
        /** The value of the row for which a result row is emitted; an empty match also has one. */
        ROW,
        /** The number of rows. */
        COUNT_ROWS,
        /** The number of values. */
        COUNT,
        /** The sum of integers. */
        SUM_LONG,
        /** The sum of floating-point numbers. */
        SUM_DOUBLE,
        /** The minimum. */
        MIN,
        /** The maximum. */
        MAX
    }

    /** A register without assigned storage. */
    Register(final Kind kind, final long variables, final int offset, final int back, final long maxAgeNs,
        final Expression value, final CqlType type)
    {
        this(kind, variables, offset, back, maxAgeNs, value, type, -1, -1, -1);
    }

    boolean isSame(final Register other)
    {
        return kind == other.kind && variables == other.variables && offset == other.offset &&
            back == other.back && maxAgeNs == other.maxAgeNs && Objects.equals(value, other.value);
    }

    /** The register of the row that is counted before this one's. */
    Register lower()
    {
        return new Register(kind, variables, offset - 1, back, maxAgeNs, value, type);
    }

    /** Whether it stores the variable of an earlier row. */
    public boolean isOfEarlierLabel()
    {
        return back > 0 && value instanceof PatternExpression.Classifier;
    }

    /** Whether it stores an object. */
    public boolean isReference()
    {
        return isReference(type);
    }

    static boolean isReference(final CqlType type)
    {
        return type == CqlType.CHAR || type.storage() == ColumnStorage.REFERENCE;
    }

    /** Number of words. */
    public int words()
    {
        return kind == Kind.SUM_DOUBLE ? 2 : isReference() ? 0 : 1;
    }
}
