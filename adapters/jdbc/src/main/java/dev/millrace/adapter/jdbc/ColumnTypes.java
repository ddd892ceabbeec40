package dev.millrace.adapter.jdbc;

import dev.millrace.api.event.CqlType;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Timestamp;
import java.sql.Types;

/** How values of CQL types are handed to columns of a database. Stateless. */
final class ColumnTypes
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long SECOND_MS = 1_000;

    private ColumnTypes()
    {
    }

    /** Whether a column can take values of a type without changing them. */
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
            // Types of one product only: its driver knows what can be turned into them.
            default -> true;
        };
    }

    /** Sets a parameter. */
    static void set(final PreparedStatement statement, final int parameter, final CqlType type, final int sqlType,
        final Object column, final int row) throws SQLException
    {
        switch (type)
        {
            case INT -> statement.setInt(parameter, ((int[])column)[row]);
            case BIGINT, INTERVAL -> statement.setLong(parameter, ((long[])column)[row]);
            case FLOAT -> statement.setFloat(parameter, ((float[])column)[row]);
            case DOUBLE -> statement.setDouble(parameter, ((double[])column)[row]);
            case BOOLEAN -> setBoolean(statement, parameter, sqlType, ((byte[])column)[row] != 0);
            case TIMESTAMP -> setTime(statement, parameter, sqlType, ((long[])column)[row]);
            case CHAR, XMLTYPE -> setText(statement, parameter, sqlType, ((Object[])column)[row].toString());
            case BIGDECIMAL -> statement.setBigDecimal(parameter, (BigDecimal)((Object[])column)[row]);
            case BYTE -> statement.setBytes(parameter, (byte[])((Object[])column)[row]);
            default -> statement.setObject(parameter, ((Object[])column)[row]);
        }
    }

    private static void setBoolean(final PreparedStatement statement, final int parameter, final int sqlType,
        final boolean value) throws SQLException
    {
        if (sqlType == Types.BOOLEAN || sqlType == Types.BIT)
        {
            statement.setBoolean(parameter, value);
        }
        else
        {
            statement.setInt(parameter, value ? 1 : 0);
        }
    }

    private static void setTime(final PreparedStatement statement, final int parameter, final int sqlType,
        final long timeNs) throws SQLException
    {
        if (sqlType == Types.BIGINT || sqlType == Types.NUMERIC || sqlType == Types.DECIMAL)
        {
            statement.setLong(parameter, timeNs);
        }
        else
        {
            final Timestamp time = new Timestamp(Math.floorDiv(timeNs, SECOND_NS) * SECOND_MS);
            time.setNanos((int)Math.floorMod(timeNs, SECOND_NS));
            statement.setTimestamp(parameter, time);
        }
    }

    private static void setText(final PreparedStatement statement, final int parameter, final int sqlType,
        final String text) throws SQLException
    {
        if (sqlType == Types.OTHER)
        {
            statement.setObject(parameter, text, Types.OTHER);
        }
        else if (sqlType == Types.SQLXML)
        {
            final SQLXML xml = statement.getConnection().createSQLXML();
            xml.setString(text);
            statement.setSQLXML(parameter, xml);
        }
        else
        {
            statement.setString(parameter, text);
        }
    }
}
