package dev.millrace.adapter.jdbc.polling;

import dev.millrace.adapter.jdbc.buffer.JdbcAdapterException;
import dev.millrace.adapter.jdbc.buffer.JdbcErrorCode;
import dev.millrace.adapter.jdbc.database.FailureClassifier;
import dev.millrace.adapter.jdbc.database.PooledConnection;
import dev.millrace.adapter.jdbc.polling.PositionQuery.Parameter;
import dev.millrace.api.event.EventType;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection with the statements of a source, kept while it works. Confined to one thread, except {@link #abort}.
 * Failure: {@code SQLException}; the caller then closes the session.
 */
public final class SourceSession implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(SourceSession.class);

    private final SourceSettings settings;
    private final Connection connection;
    private final String mark;
    private final ResultColumns columns;
    private final PositionQuery query;
    private final PreparedStatement select;
    private PreparedStatement greatest;
    private PositionQuery greatestQuery;

    private SourceSession(final SourceSettings settings, final EventType event, final Connection connection)
        throws SQLException, JdbcAdapterException
    {
        this.settings = settings;
        this.connection = connection;
        connection.setAutoCommit(false);
        pooled().limitAnswers(settings.answerMillis());
        mark = connection.getMetaData().getIdentifierQuoteString().strip();
        try
        {
            final ResultColumns described = describe(event);
            checkOrder(described);
            query = settings.table() == null ? PositionQuery.parse(settings.query()) : tableQuery(described);
            select = connection.prepareStatement(query.sql(), ResultSet.TYPE_FORWARD_ONLY,
                ResultSet.CONCUR_READ_ONLY);
            select.setFetchSize(settings.fetchSize());
            select.setMaxRows(settings.pollRows());
            // The query of a table selects only the columns that are needed.
            columns = settings.table() == null ? described :
                new ResultColumns(select.getMetaData(), settings, event);
            connection.commit();
        }
        catch (final SQLException e)
        {
            if (FailureClassifier.isMissing(e) && !FailureClassifier.isLogin(e))
            {
                throw new JdbcAdapterException(JdbcErrorCode.TABLE, "the rows cannot be selected, " +
                    settings.source() + " cause=" + FailureClassifier.reason(e),
                    "create the table, correct instance property table or query, or grant the privilege to read it",
                    e);
            }
            throw e;
        }
    }

    /**
     * Opens a session and checks the columns.
     *
     * @param event type of the events; {@code null} if it is not known yet
     * @throws SQLException         when there is no connection
     * @throws JdbcAdapterException when table or query do not match the settings
     */
    public static SourceSession open(final DataSource source, final SourceSettings settings, final EventType event)
        throws SQLException, JdbcAdapterException
    {
        final Connection connection = source.getConnection();
        try
        {
            return new SourceSession(settings, event, connection);
        }
        catch (final SQLException | JdbcAdapterException | RuntimeException e)
        {
            new PooledConnection(connection, settings.stage()).close();
            throw e;
        }
    }

    private ResultColumns describe(final EventType event) throws SQLException, JdbcAdapterException
    {
        final String sql = settings.table() == null ? PositionQuery.parse(settings.query()).sql() :
            "select * from " + settings.table();
        try (PreparedStatement described = connection.prepareStatement(sql))
        {
            final ResultSetMetaData found = described.getMetaData();
            if (found == null)
            {
                throw new JdbcAdapterException(JdbcErrorCode.TABLE, "the statement returns no rows, " +
                    settings.source(), "use a query that begins with select", null);
            }
            final ResultColumns result = new ResultColumns(found, settings, event);
            if (settings.table() != null && result.mayLackPosition())
            {
                LOG.warn(JdbcErrorCode.ORDER.message("rows without a position are not read, " + settings.source() +
                    " positionColumn=" + result.positionName(), "declare the column not null"));
            }
            return result;
        }
    }

    private PositionQuery tableQuery(final ResultColumns described)
    {
        return PositionQuery.ofTable(settings.table(),
            described.needed().stream().map(this::quoted).collect(Collectors.joining(", ")),
            quoted(described.positionName()), described.tieName() == null ? null : quoted(described.tieName()),
            settings.lagMillis() > 0);
    }

    private void checkOrder(final ResultColumns described) throws SQLException, JdbcAdapterException
    {
        final Set<String> order = new HashSet<>();
        order.add(described.positionName().toLowerCase(Locale.ROOT));
        if (described.tieName() != null)
        {
            order.add(described.tieName().toLowerCase(Locale.ROOT));
        }
        final boolean mayBeUnique = settings.table() == null ?
            described.tieName() != null || !described.type().isTime() :
            UniqueKeys.mayIdentify(connection, settings.table(), order);
        if (!mayBeUnique)
        {
            throw new JdbcAdapterException(JdbcErrorCode.ORDER, "several rows may have the same position, " +
                settings.source() + " columns=" + order, settings.table() == null ?
                "set tieColumn to a column that orders rows of one position" :
                "set tieColumn to a unique column, or create a unique index of position and tie; if the columns are " +
                "unique without an index, use a query", null);
        }
    }

    private String quoted(final String name)
    {
        return mark + name.replace(mark, mark.isEmpty() ? "" : mark + mark) + mark;
    }

    /** Describes the order of the rows: positions of another description mean something else. */
    public String description()
    {
        return "table=" + settings.table() + " positionColumn=" + columns.positionName() + " type=" + columns.type() +
            " tieColumn=" + columns.tieName();
    }

    /** The greatest visible position; {@link Horizon#NONE} if there are no rows after a position. */
    public long greatest(final long position, final long tie) throws SQLException, JdbcAdapterException
    {
        if (greatest == null)
        {
            final String column = quoted(columns.positionName());
            greatestQuery = PositionQuery.parse(settings.table() == null ?
                "select max(" + column + ") from (" + settings.query() + ") millrace_rows" :
                "select max(" + column + ") from " + settings.table());
            greatest = connection.prepareStatement(greatestQuery.sql());
        }
        bind(greatest, greatestQuery, position, tie, Horizon.ALL);
        try (ResultSet found = execute(greatest))
        {
            found.next();
            final long value = columns.type().read(found, 1);
            final boolean isEmpty = found.wasNull();
            connection.commit();
            return isEmpty ? Horizon.NONE : value;
        }
        catch (final RowRejectedException e)
        {
            throw new JdbcAdapterException(JdbcErrorCode.ORDER, "the greatest position cannot be used, " +
                settings.source() + ' ' + e.getMessage(), "correct the row", e);
        }
    }

    /**
     * The position before the first row, as the instance property specifies it.
     *
     * @throws JdbcAdapterException if it is not a position of the column
     */
    public long start() throws SQLException, JdbcAdapterException
    {
        final String startAt = settings.startAt().strip();
        if (startAt.equalsIgnoreCase(SourceSettings.BEGINNING))
        {
            return Horizon.NONE;
        }
        if (startAt.equalsIgnoreCase(SourceSettings.END))
        {
            return greatest(Horizon.NONE, Horizon.NONE);
        }
        return parse(startAt);
    }

    /** Checks the instance property {@code startAt}. */
    public void checkStart() throws JdbcAdapterException
    {
        final String startAt = settings.startAt().strip();
        if (!startAt.equalsIgnoreCase(SourceSettings.BEGINNING) && !startAt.equalsIgnoreCase(SourceSettings.END))
        {
            parse(startAt);
        }
    }

    private long parse(final String startAt) throws JdbcAdapterException
    {
        try
        {
            return columns.type().parse(startAt);
        }
        catch (final NumberFormatException | DateTimeException | ArithmeticException e)
        {
            throw new JdbcAdapterException(JdbcErrorCode.PROPERTY, "an instance property is invalid, stage=" +
                settings.stage() + " name=startAt value=" + startAt, "use beginning, end, or a position of the type " +
                columns.type().name().toLowerCase(Locale.ROOT) + ": a number, 2026-01-31T12:00:00, or " +
                "2026-01-31T12:00:00Z for a column with time zone", e);
        }
    }

    /**
     * Passes on the rows after the last one.
     *
     * @param horizon greatest position to read
     * @param isEnded ends the query early
     * @return whether there may be more rows now
     * @throws IOException if positions cannot be written
     */
    public boolean poll(final NumberedRows rows, final long horizon, final BooleanSupplier isEnded)
        throws SQLException, IOException
    {
        final long position = rows.position();
        final long tie = rows.tie();
        bind(select, query, position, tie, horizon);
        int count = 0;
        try (ResultSet found = execute(select))
        {
            boolean mayContinue = true;
            while (mayContinue && !isEnded.getAsBoolean() && next(found))
            {
                count++;
                mayContinue = pass(found, rows, horizon);
            }
        }
        finally
        {
            // The rows before a failure are complete.
            rows.flush();
        }
        connection.commit();
        // Without progress, the same rows would be read again at once.
        return count == settings.pollRows() && (rows.position() != position || rows.tie() != tie);
    }

    /** Passes the current row on. Returns false if it is too young. */
    private boolean pass(final ResultSet found, final NumberedRows rows, final long horizon) throws SQLException,
        IOException
    {
        try
        {
            final long position = columns.position(found);
            if (position > horizon)
            {
                return false;
            }
            if (rows.moveTo(position, columns.tie(found)))
            {
                columns.read(found, rows.batch(), rows.row(), rows.timesNs());
                rows.add();
            }
        }
        catch (final RowRejectedException e)
        {
            rows.reject(e);
        }
        return true;
    }

    private static ResultSet execute(final PreparedStatement statement) throws SQLException
    {
        try
        {
            return statement.executeQuery();
        }
        catch (final RuntimeException e)
        {
            throw new SQLException("the driver failed: " + e, e);
        }
    }

    private static boolean next(final ResultSet rows) throws SQLException
    {
        try
        {
            return rows.next();
        }
        catch (final RuntimeException e)
        {
            throw new SQLException("the driver failed: " + e, e);
        }
    }

    private void bind(final PreparedStatement statement, final PositionQuery of, final long position, final long tie,
        final long horizon) throws SQLException
    {
        for (int i = 0; i < of.parameters().size(); i++)
        {
            if (of.parameters().get(i) == Parameter.TIE)
            {
                columns.tieType().bind(statement, i + 1, tie);
            }
            else
            {
                columns.type().bind(statement, i + 1,
                    of.parameters().get(i) == Parameter.HORIZON ? horizon : position);
            }
        }
    }

    /** Passes the columns of this session to the rows that are sent from now on. */
    public void attach(final NumberedRows rows)
    {
        rows.open(columns);
    }

    private PooledConnection pooled()
    {
        return new PooledConnection(connection, settings.stage());
    }

    /** Aborts a database call that does not return. Thread-safe. */
    public void abort()
    {
        pooled().abort();
    }

    @Override
    public void close()
    {
        pooled().close();
    }
}
