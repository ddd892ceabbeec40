package dev.millrace.adapter.jdbc.polling;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.concurrent.TimeUnit;

/** Readers for the types of properties and columns. Numbers, booleans and times are read without an object per row. */
final class ColumnReaders
{
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long SECOND_MS = TimeUnit.SECONDS.toMillis(1);

    /** Kinds of columns whose values are read by the same method. */
    private enum Kind
    {
        INTEGER, FLOATING, DECIMAL, TEXT, FLAG, BYTES, TIME, XML, OTHER;

        static Kind of(final int sqlType)
        {
            return switch (sqlType)
            {
                case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> INTEGER;
                case Types.FLOAT, Types.REAL, Types.DOUBLE -> FLOATING;
                case Types.NUMERIC, Types.DECIMAL -> DECIMAL;
                case Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NCHAR, Types.NVARCHAR, Types.LONGNVARCHAR,
                    Types.CLOB, Types.NCLOB -> TEXT;
                case Types.BOOLEAN, Types.BIT -> FLAG;
                case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> BYTES;
                case Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE, Types.DATE -> TIME;
                case Types.SQLXML -> XML;
                default -> OTHER;
            };
        }

        boolean isNumber()
        {
            return ordinal() <= DECIMAL.ordinal();
        }
    }

    private ColumnReaders()
    {
    }

    /** The reader for a property and a column; {@code null} if the property cannot have the values of the column. */
    static ColumnReader of(final EventProperty property, final int sqlType)
    {
        final Kind kind = Kind.of(sqlType);
        final CqlType type = property.type();
        return switch (type)
        {
            case INT -> kind == Kind.INTEGER || kind == Kind.DECIMAL ? integer(kind) : null;
            case BIGINT, INTERVAL -> whole(kind);
            case FLOAT -> kind.isNumber() ?
                (rows, from, batch, to, row) -> batch.floats(to)[row] = rows.getFloat(from) : null;
            case DOUBLE -> kind.isNumber() ?
                (rows, from, batch, to, row) -> batch.doubles(to)[row] = rows.getDouble(from) : null;
            case BIGDECIMAL -> kind.isNumber() ?
                (rows, from, batch, to, row) -> batch.references(to)[row] = rows.getBigDecimal(from) : null;
            case BOOLEAN -> kind == Kind.FLAG || kind == Kind.INTEGER ? flag(kind) : null;
            case CHAR -> kind == Kind.TEXT || kind == Kind.OTHER || kind == Kind.XML ?
                text(property.lengthChars()) : null;
            case XMLTYPE -> kind == Kind.TEXT || kind == Kind.XML ?
                (rows, from, batch, to, row) -> batch.references(to)[row] = rows.getString(from) : null;
            case BYTE -> kind == Kind.BYTES ?
                (rows, from, batch, to, row) -> batch.references(to)[row] = rows.getBytes(from) : null;
            case TIMESTAMP -> kind == Kind.TIME ?
                (rows, from, batch, to, row) -> batch.longs(to)[row] = timeNs(rows, from) : whole(kind);
            case OBJECT -> (rows, from, batch, to, row) -> batch.references(to)[row] = rows.getObject(from);
        };
    }

    /** Whether a column can be the time of events. */
    static boolean isTime(final int sqlType)
    {
        return Kind.of(sqlType) == Kind.TIME || sqlType == Types.BIGINT;
    }

    /**
     * Reads the time of an event.
     *
     * @return nanoseconds since 1970
     * @throws RowRejectedException if it is null
     */
    static long time(final ResultSet rows, final int column, final int sqlType) throws SQLException,
        RowRejectedException
    {
        final long timeNs = sqlType == Types.BIGINT ? rows.getLong(column) : timeNs(rows, column);
        if (rows.wasNull())
        {
            throw new RowRejectedException(RowRejectedException.NULL_TIME, "");
        }
        return timeNs;
    }

    private static long timeNs(final ResultSet rows, final int column) throws SQLException, RowRejectedException
    {
        final Timestamp time = rows.getTimestamp(column);
        try
        {
            return time == null ? 0 : Math.addExact(
                Math.multiplyExact(Math.floorDiv(time.getTime(), SECOND_MS), SECOND_NS), time.getNanos());
        }
        catch (final ArithmeticException e)
        {
            throw outOfRange(time);
        }
    }

    private static ColumnReader integer(final Kind kind)
    {
        return (rows, from, batch, to, row) ->
        {
            final long value = kind == Kind.INTEGER ? rows.getLong(from) : decimal(rows, from);
            if (value != (int)value)
            {
                throw outOfRange(value);
            }
            batch.ints(to)[row] = (int)value;
        };
    }

    private static ColumnReader whole(final Kind kind)
    {
        return switch (kind)
        {
            case INTEGER -> (rows, from, batch, to, row) -> batch.longs(to)[row] = rows.getLong(from);
            case DECIMAL -> (rows, from, batch, to, row) -> batch.longs(to)[row] = decimal(rows, from);
            default -> null;
        };
    }

    private static long decimal(final ResultSet rows, final int from) throws SQLException, RowRejectedException
    {
        final BigDecimal value = rows.getBigDecimal(from);
        try
        {
            return value == null ? 0 : value.setScale(0, RoundingMode.UNNECESSARY).longValueExact();
        }
        catch (final ArithmeticException e)
        {
            throw outOfRange(value);
        }
    }

    private static ColumnReader flag(final Kind kind)
    {
        return kind == Kind.FLAG ?
            (rows, from, batch, to, row) -> batch.bits(to)[row] = (byte)(rows.getBoolean(from) ? 1 : 0) :
            (rows, from, batch, to, row) ->
            {
                final long value = rows.getLong(from);
                if (value != 0 && value != 1)
                {
                    throw outOfRange(value);
                }
                batch.bits(to)[row] = (byte)value;
            };
    }

    private static ColumnReader text(final int lengthChars)
    {
        return (rows, from, batch, to, row) ->
        {
            final String value = rows.getString(from);
            if (value != null && value.length() > lengthChars)
            {
                throw new RowRejectedException(RowRejectedException.TEXT_TOO_LONG,
                    "lengthChars=" + lengthChars + " length=" + value.length());
            }
            batch.texts(to).set(row, value);
        };
    }

    private static RowRejectedException outOfRange(final Object value)
    {
        return new RowRejectedException(RowRejectedException.OUT_OF_RANGE, "value=" + value);
    }
}
