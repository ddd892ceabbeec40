package dev.millrace.cql.replay.run;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The column with the time of a row. Immutable.
 *
 * @param column            index
 * @param type              of the column
 * @param isApplicationTime whether the channel reads it too, as nanoseconds; otherwise numbers are milliseconds
 */
record RowTime(int column, CqlType type, boolean isApplicationTime)
{
    private static final Set<CqlType> TYPES =
        EnumSet.of(CqlType.INT, CqlType.BIGINT, CqlType.FLOAT, CqlType.DOUBLE, CqlType.TIMESTAMP);
    private static final double NS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The column of a name; {@code null} if the type has no such column or it contains no times. */
    static RowTime of(final EventType type, final String name, final boolean isApplicationTime)
    {
        final int column = type.indexOf(name);
        return column < 0 || !TYPES.contains(type.properties().get(column).type()) ? null :
            new RowTime(column, type.properties().get(column).type(), isApplicationTime);
    }

    /** The time in nanoseconds since the epoch; {@code null} for a row without one. */
    Long of(final EventBatch batch, final int row)
    {
        if (batch.isNull(column, row))
        {
            return null;
        }
        final long whole = isApplicationTime ? 1 : TimeUnit.MILLISECONDS.toNanos(1);
        return switch (type)
        {
            case INT -> batch.ints(column)[row] * whole;
            case BIGINT -> Math.multiplyExact(batch.longs(column)[row], whole);
            case FLOAT -> Math.round(batch.floats(column)[row] * NS_PER_MS);
            case DOUBLE -> Math.round(batch.doubles(column)[row] * NS_PER_MS);
            default -> batch.longs(column)[row];
        };
    }
}
