package dev.millrace.adapter.jdbc.polling;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Types of position columns, whose values are represented by longs in the same order. Times are nanoseconds since 1970.
 * A time without a time zone is taken as if its zone were UTC, so that positions increase when clocks are set back.
 */
enum PositionType
{
    /** Integers of at most 64 bits. */
    INTEGER
    {
        @Override
        long read(final ResultSet rows, final int column) throws SQLException
        {
            return rows.getLong(column);
        }

        @Override
        void bind(final PreparedStatement statement, final int parameter, final long value) throws SQLException
        {
            statement.setLong(parameter, value);
        }

        @Override
        String text(final long value)
        {
            return Long.toString(value);
        }

        @Override
        long parse(final String text)
        {
            return Long.parseLong(text);
        }
    },
    /** Decimals without a fraction. */
    DECIMAL
    {
        @Override
        long read(final ResultSet rows, final int column) throws SQLException, RowRejectedException
        {
            final BigDecimal value = rows.getBigDecimal(column);
            try
            {
                return value == null ? 0 : value.setScale(0, RoundingMode.UNNECESSARY).longValueExact();
            }
            catch (final ArithmeticException e)
            {
                throw bad(value);
            }
        }

        @Override
        void bind(final PreparedStatement statement, final int parameter, final long value) throws SQLException
        {
            statement.setBigDecimal(parameter, BigDecimal.valueOf(value));
        }

        @Override
        String text(final long value)
        {
            return Long.toString(value);
        }

        @Override
        long parse(final String text)
        {
            return Long.parseLong(text);
        }
    },
    /** Timestamps without a time zone. */
    LOCAL_TIME
    {
        @Override
        long read(final ResultSet rows, final int column) throws SQLException, RowRejectedException
        {
            final LocalDateTime value = rows.getObject(column, LocalDateTime.class);
            return value == null ? 0 : nanos(value.toInstant(ZoneOffset.UTC));
        }

        @Override
        void bind(final PreparedStatement statement, final int parameter, final long value) throws SQLException
        {
            statement.setObject(parameter, LocalDateTime.ofInstant(instant(value), ZoneOffset.UTC));
        }

        @Override
        String text(final long value)
        {
            return LocalDateTime.ofInstant(instant(value), ZoneOffset.UTC).toString();
        }

        @Override
        long parse(final String text)
        {
            return exact(LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC));
        }
    },
    /** Timestamps with a time zone. */
    INSTANT
    {
        @Override
        long read(final ResultSet rows, final int column) throws SQLException, RowRejectedException
        {
            final OffsetDateTime value = rows.getObject(column, OffsetDateTime.class);
            return value == null ? 0 : nanos(value.toInstant());
        }

        @Override
        void bind(final PreparedStatement statement, final int parameter, final long value) throws SQLException
        {
            statement.setObject(parameter, instant(value).atOffset(ZoneOffset.UTC));
        }

        @Override
        String text(final long value)
        {
            return instant(value).toString();
        }

        @Override
        long parse(final String text)
        {
            return exact(OffsetDateTime.parse(text.replace(' ', 'T')).toInstant());
        }
    };

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    /** Decimals of so many digits are longs. */
    private static final int LONG_DIGITS = 18;

    /**
     * Reads a position. The caller asks the result set whether it was null.
     *
     * @throws RowRejectedException if no long represents it
     */
    abstract long read(ResultSet rows, int column) throws SQLException, RowRejectedException;

    abstract void bind(PreparedStatement statement, int parameter, long value) throws SQLException;

    abstract String text(long value);

    /**
     * Reads a position of an instance property.
     *
     * @throws NumberFormatException if it is no number
     * @throws DateTimeException     if it is no time
     */
    abstract long parse(String text);

    boolean isTime()
    {
        return this == LOCAL_TIME || this == INSTANT;
    }

    /** The type for a column of a result; {@code null} if its values are no positions. */
    static PositionType of(final ResultSetMetaData columns, final int column) throws SQLException
    {
        return switch (columns.getColumnType(column))
        {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> INTEGER;
            case Types.NUMERIC, Types.DECIMAL -> columns.getScale(column) > 0 ? null :
                columns.getPrecision(column) > 0 && columns.getPrecision(column) <= LONG_DIGITS &&
                columns.getScale(column) == 0 ? INTEGER : DECIMAL;
            // PostgreSQL reports one type for both kinds of timestamps.
            case Types.TIMESTAMP -> columns.getColumnTypeName(column).toLowerCase(Locale.ROOT).equals("timestamptz") ?
                INSTANT : LOCAL_TIME;
            case Types.TIMESTAMP_WITH_TIMEZONE -> INSTANT;
            default -> null;
        };
    }

    private static long nanos(final Instant time) throws RowRejectedException
    {
        try
        {
            return exact(time);
        }
        catch (final ArithmeticException e)
        {
            throw bad(time);
        }
    }

    private static long exact(final Instant time)
    {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), SECOND_NS), time.getNano());
    }

    private static Instant instant(final long timeNs)
    {
        return Instant.ofEpochSecond(Math.floorDiv(timeNs, SECOND_NS), Math.floorMod(timeNs, SECOND_NS));
    }

    private static RowRejectedException bad(final Object value)
    {
        return new RowRejectedException(RowRejectedException.BAD_POSITION, "value=" + value);
    }
}
