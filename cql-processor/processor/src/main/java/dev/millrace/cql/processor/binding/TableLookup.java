package dev.millrace.cql.processor.binding;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.runtime.function.LookupSource;
import dev.millrace.cql.runtime.row.RowRejectedException;
import dev.millrace.network.definition.UserObjects;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up the rows of a database table that equal the values of an input row: one prepared statement, kept with its
 * connection while it works.
 *
 * <pre>
 *   select "K", "V" from T where "K" = ?  ──► rows
 *        └─ fails ─► connection and statement are closed; one immediate retry with new ones, since connections
 *           are dead after a restart of the database; then the row is rejected
 *        └─ no connection ─► rows are rejected immediately for {@value #PAUSE_MS} ms, or four times as long as the
 *           attempt took, so that rows do not queue up for an unavailable database; then the next row tries
 * </pre>
 *
 * <p>Confined to the thread of one flow, which waits for the database: for a connection as long as the data source
 * allows, for the response {@value #QUERY_TIMEOUT_S} s. Failure: the input row is rejected, the query continues.
 */
public final class TableLookup implements LookupSource, AutoCloseable
{
    /** Reason for rows for which the database returned no result. */
    static final String FAILED = "table-failed";
    /** Maximum number of rows that one input row may find. */
    static final int MAX_ROWS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(TableLookup.class);
    private static final int QUERY_TIMEOUT_S = 5;
    private static final long PAUSE_MS = 1_000;
    private static final int PAUSE_FACTOR = 4;
    private static final int FETCH_SIZE = 256;
    private static final long MS_NS = 1_000_000L;
    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$#]*|\"[^\"]+\"");

    private final UserObjects.Table table;
    private final List<Integer> keyColumns;
    private final LongSupplier clockNs;
    private Connection connection;
    private PreparedStatement statement;
    private boolean isDown;
    private long resumeNs;

    /**
     * Creates a source; the database is first queried when the first row arrives.
     *
     * @param table      table declaration
     * @param keyColumns properties of its type that must equal the keys
     * @param clockNs    monotonic nanoseconds
     */
    public TableLookup(final UserObjects.Table table, final List<Integer> keyColumns, final LongSupplier clockNs)
    {
        this.table = table;
        this.keyColumns = List.copyOf(keyColumns);
        this.clockNs = clockNs;
    }

    /**
     * Whether a string is a valid table name: it becomes part of a statement.
     *
     * @param name as declared
     * @return true for names separated by dots, each a word or in double quotes
     */
    static boolean isName(final String name)
    {
        for (final String part : name.split("\\.", -1))
        {
            if (!NAME.matcher(part).matches())
            {
                return false;
            }
        }
        return true;
    }

    @Override
    public synchronized void find(final Object[] keys, final Rows rows)
    {
        for (final Object key : keys)
        {
            if (key == null)
            {
                // Null equals nothing.
                return;
            }
        }
        for (final Object[] row : ask(keys))
        {
            rows.row(row);
        }
    }

    private List<Object[]> ask(final Object[] keys)
    {
        final boolean isFresh = statement == null;
        try
        {
            prepare();
            return read(keys);
        }
        catch (final RowRejectedException unfit)
        {
            // The rows found do not match: the connection works, and a retry would return the same.
            throw unfit;
        }
        catch (final SQLException | RuntimeException failure)
        {
            close();
            if (isFresh || isDown)
            {
                throw rejected(failure);
            }
        }
        return ask(keys);
    }

    private RowRejectedException rejected(final Exception failure)
    {
        return new RowRejectedException(FAILED, ProcessorErrorCode.TABLE_FAILED + " table=" + table.name() +
            " table-name=" + table.tableName() + " cause=" + reason(failure) +
            "; lookups resume when the database is available");
    }

    /** A pool reports only that it has no connection; the root cause contains the reason. */
    private static String reason(final Exception failure)
    {
        Throwable root = failure;
        while (root.getCause() != null)
        {
            root = root.getCause();
        }
        return root == failure ? failure.toString() : failure + " because " + root.getMessage();
    }

    private void prepare() throws SQLException
    {
        if (statement != null)
        {
            return;
        }
        final long startNs = clockNs.getAsLong();
        if (isDown && startNs - resumeNs < 0)
        {
            throw new SQLException("the data source returned no connection in the last attempt");
        }
        isDown = true;
        try
        {
            connection = table.dataSource().getConnection();
            isDown = false;
        }
        finally
        {
            final long endNs = clockNs.getAsLong();
            resumeNs = endNs + Math.max(PAUSE_MS * MS_NS, PAUSE_FACTOR * (endNs - startNs));
        }
        connection.setReadOnly(true);
        statement = connection.prepareStatement(text());
        statement.setQueryTimeout(QUERY_TIMEOUT_S);
        statement.setFetchSize(FETCH_SIZE);
        statement.setMaxRows(MAX_ROWS + 1);
    }

    /** Columns are named as the database spells them, so that case and reserved words cause no problems. */
    private String text() throws SQLException
    {
        final String mark = connection.getMetaData().getIdentifierQuoteString().strip();
        final List<String> columns = new ArrayList<>();
        try (Statement look = connection.createStatement();
            ResultSet nothing = look.executeQuery("select * from " + table.tableName() + " where 1 = 0"))
        {
            final ResultSetMetaData found = nothing.getMetaData();
            for (final EventProperty property : table.type().properties())
            {
                columns.add(mark + column(found, property.name()) + mark);
            }
        }
        final StringBuilder text = new StringBuilder("select ").append(String.join(", ", columns)).append(" from ")
            .append(table.tableName()).append(" where ");
        for (int i = 0; i < keyColumns.size(); i++)
        {
            text.append(i == 0 ? "" : " and ").append(columns.get(keyColumns.get(i))).append(" = ?");
        }
        return text.toString();
    }

    private static String column(final ResultSetMetaData found, final String property) throws SQLException
    {
        final List<String> names = new ArrayList<>();
        for (int i = 1; i <= found.getColumnCount(); i++)
        {
            if (found.getColumnName(i).equalsIgnoreCase(property))
            {
                return found.getColumnName(i);
            }
            names.add(found.getColumnName(i));
        }
        throw new SQLException("the table has no column for the property, property=" + property + " columns=" + names);
    }

    private List<Object[]> read(final Object[] keys) throws SQLException
    {
        final List<EventProperty> properties = table.type().properties();
        for (int i = 0; i < keys.length; i++)
        {
            final CqlType type = properties.get(keyColumns.get(i)).type();
            statement.setObject(i + 1, JavaTypeMapping.toUser(type, keys[i]));
        }
        final List<Object[]> rows = new ArrayList<>();
        try (ResultSet found = statement.executeQuery())
        {
            while (found.next())
            {
                if (rows.size() == MAX_ROWS)
                {
                    throw new RowRejectedException(FAILED, ProcessorErrorCode.TABLE_FAILED + " table=" + table.name() +
                        " cause=one row finds more than " + MAX_ROWS + " rows; compare more columns");
                }
                final Object[] row = new Object[properties.size()];
                for (int i = 0; i < row.length; i++)
                {
                    row[i] = value(found, i + 1, properties.get(i).type());
                }
                rows.add(row);
            }
        }
        return rows;
    }

    private static Object value(final ResultSet found, final int column, final CqlType type) throws SQLException
    {
        final Object value = switch (type)
        {
            case INT -> found.getInt(column);
            case BIGINT, INTERVAL -> found.getLong(column);
            case FLOAT -> found.getFloat(column);
            case DOUBLE -> found.getDouble(column);
            case BOOLEAN -> found.getBoolean(column);
            case BIGDECIMAL -> found.getBigDecimal(column);
            case BYTE -> found.getBytes(column);
            case TIMESTAMP -> JavaTypeMapping.toEngine(found.getTimestamp(column));
            case CHAR, XMLTYPE -> found.getString(column);
            case OBJECT -> found.getObject(column);
        };
        return found.wasNull() ? null : value;
    }

    /** Closes statement and connection; a later row opens new ones. */
    @Override
    public synchronized void close()
    {
        final Connection last = connection;
        connection = null;
        statement = null;
        if (last != null)
        {
            try
            {
                // Statements are closed with their connection.
                last.close();
            }
            catch (final SQLException | RuntimeException alreadyGone)
            {
                LOG.debug("connection could not be returned, table={}", table.name(), alreadyGone);
            }
        }
    }
}
