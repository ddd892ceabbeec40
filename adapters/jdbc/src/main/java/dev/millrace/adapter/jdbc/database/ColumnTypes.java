package dev.millrace.adapter.jdbc.database;

import dev.millrace.api.event.CqlType;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Timestamp;
import java.sql.Types;

/** Converts values of CQL types to database columns. Stateless. */
final class ColumnTypes
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long SECOND_MS = 1_000;

    private ColumnTypes()
    {
    }

    /** Whether a column can store values of a type without changing them. */
    static boolean suits(final CqlType type, final int sqlType)
    {
        return switch (sqlType)
        {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> type == CqlType.INT ||
                type == CqlType.BIGINT || type == CqlType.INTERVAL || type == CqlType.BOOLEAN ||
                type == CqlType.TIMESTAMP && sqlType == Types.BIGINT || type == CqlType.OBJECT;
            case Types.FLOAT, Types.REAL, Types.DOUBLE -> type.isNumeric() || type == CqlType.OBJECT;
            case Types.NUMERIC, Types.DECIMAL -> type.isNumeric() || type == CqlType.INTERVAL ||
                type == CqlType.TIMESTAMP || type == CqlType.BOOLEAN || type == CqlType.OBJECT;
            case Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NCHAR, Types.NVARCHAR, Types.LONGNVARCHAR,
                Types.CLOB, Types.NCLOB -> type == CqlType.CHAR || type == CqlType.XMLTYPE || type == CqlType.OBJECT;
            case Types.BOOLEAN, Types.BIT -> type == CqlType.BOOLEAN || type == CqlType.OBJECT;
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> type == CqlType.BYTE ||
                type == CqlType.OBJECT;
            case Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE, Types.DATE -> type == CqlType.TIMESTAMP ||
                type == CqlType.OBJECT;
            case Types.SQLXML -> type == CqlType.XMLTYPE || type == CqlType.CHAR || type == CqlType.OBJECT;
            // Product-specific types: only the driver knows which values it can convert.
            default -> true;
        };
    }

    /** Sets a parameter to a value that is not null. */
    @FunctionalInterface
    interface Setter
    {
        void set(PreparedStatement statement, int parameter, Object column, int row) throws SQLException;
    }

    /** Finds the setter for a type and a column; call once for many rows. */
    static Setter setter(final CqlType type, final int sqlType)
    {
        return switch (type)
        {
            case INT -> (statement, parameter, column, row) -> statement.setInt(parameter, ((int[])column)[row]);
            case BIGINT, INTERVAL -> ColumnTypes::setLong;
            case FLOAT -> (statement, parameter, column, row) -> statement.setFloat(parameter, ((float[])column)[row]);
            case DOUBLE ->
                (statement, parameter, column, row) -> statement.setDouble(parameter, ((double[])column)[row]);
            case BOOLEAN -> sqlType == Types.BOOLEAN || sqlType == Types.BIT ?
                (statement, parameter, column, row) -> statement.setBoolean(parameter, ((byte[])column)[row] != 0) :
                (statement, parameter, column, row) -> statement.setInt(parameter, ((byte[])column)[row] != 0 ? 1 : 0);
            case TIMESTAMP -> sqlType == Types.BIGINT || sqlType == Types.NUMERIC || sqlType == Types.DECIMAL ?
                ColumnTypes::setLong : ColumnTypes::setTime;
            case CHAR, XMLTYPE -> text(sqlType);
            case BIGDECIMAL -> (statement, parameter, column, row) ->
                statement.setBigDecimal(parameter, (BigDecimal)((Object[])column)[row]);
            case BYTE ->
                (statement, parameter, column, row) -> statement.setBytes(parameter, (byte[])((Object[])column)[row]);
            default -> (statement, parameter, column, row) -> statement.setObject(parameter, ((Object[])column)[row]);
        };
    }

    private static Setter text(final int sqlType)
    {
        return switch (sqlType)
        {
            case Types.OTHER -> (statement, parameter, column, row) ->
                statement.setObject(parameter, ((Object[])column)[row].toString(), Types.OTHER);
            case Types.SQLXML -> ColumnTypes::setXml;
            default -> (statement, parameter, column, row) ->
                statement.setString(parameter, ((Object[])column)[row].toString());
        };
    }

    private static void setLong(final PreparedStatement statement, final int parameter, final Object column,
        final int row) throws SQLException
    {
        statement.setLong(parameter, ((long[])column)[row]);
    }

    private static void setTime(final PreparedStatement statement, final int parameter, final Object column,
        final int row) throws SQLException
    {
        final long timeNs = ((long[])column)[row];
        final Timestamp time = new Timestamp(Math.floorDiv(timeNs, SECOND_NS) * SECOND_MS);
        time.setNanos((int)Math.floorMod(timeNs, SECOND_NS));
        statement.setTimestamp(parameter, time);
    }

    private static void setXml(final PreparedStatement statement, final int parameter, final Object column,
        final int row) throws SQLException
    {
        final SQLXML xml = statement.getConnection().createSQLXML();
        xml.setString(((Object[])column)[row].toString());
        statement.setSQLXML(parameter, xml);
    }
}
