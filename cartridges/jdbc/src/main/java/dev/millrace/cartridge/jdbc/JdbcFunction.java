package dev.millrace.cartridge.jdbc;

import dev.millrace.api.cartridge.CartridgeFunction;
import dev.millrace.api.cartridge.StatementContext;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.time.Clock;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * A function that executes a statement with its arguments and returns the rows. If no connection can be opened, calls
 * fail at once for {@value #PAUSE_MS} ms, or four times as long as the attempt took, so that rows do not queue up for
 * an unavailable database.
 *
 * <p>Thread-safe; callers wait for the database, for the response at most {@value #QUERY_TIMEOUT_S} s. Failure: an
 * {@link IllegalStateException} with the reason, which rejects the row.
 */
public final class JdbcFunction
{
    private static final int QUERY_TIMEOUT_S = 5;
    private static final int MAX_ROWS = 10_000;
    private static final long PAUSE_MS = 1_000;
    private static final int PAUSE_FACTOR = 4;

    private final String name;
    private final DataSource dataSource;
    private final StatementContext.Definition definition;
    private final SqlText sql;
    private final RowType rowType;
    private final ResultCache cache;
    private final Clock clock;
    /** Time until which no connection is tried; 0 while the last attempt succeeded. */
    private final AtomicLong pausedUntilNs = new AtomicLong();

    /**
     * @param context name of the link, for messages
     * @throws IllegalArgumentException if the definition is invalid
     */
    JdbcFunction(final String context, final DataSource dataSource, final StatementContext.Definition definition,
        final Clock clock)
    {
        name = definition.name() + '@' + context;
        this.dataSource = dataSource;
        this.definition = definition;
        this.clock = clock;
        try
        {
            sql = SqlText.of(definition.statement(),
                definition.parameters().stream().map(StatementContext.Parameter::name).toList());
            rowType = new RowType(definition.component());
        }
        catch (final IllegalArgumentException invalid)
        {
            throw new IllegalArgumentException("function=" + definition.name() + ' ' + invalid.getMessage(), invalid);
        }
        cache = new ResultCache(definition.maxCached(), definition.cacheTimeMs(), clock);
    }

    /** The function for rules: the parameters as defined, and a collection of rows. */
    CartridgeFunction function()
    {
        try
        {
            final MethodHandle call = MethodHandles.publicLookup().findVirtual(JdbcFunction.class, "call",
                MethodType.methodType(List.class, Object[].class)).bindTo(this);
            final List<Class<?>> types = new ArrayList<>();
            definition.parameters().forEach(parameter -> types.add(parameter.type().javaClass()));
            return new CartridgeFunction(definition.name(), call.asFixedArity().asCollector(Object[].class,
                types.size()).asType(MethodType.methodType(List.class, types)), definition.component(), false);
        }
        catch (final NoSuchMethodException | IllegalAccessException missing)
        {
            throw new IllegalStateException("internal error: the method of a function is missing", missing);
        }
    }

    /**
     * Returns the rows for some arguments; rules call this through a method handle.
     *
     * @param arguments not null, in the order of the parameters
     * @return rows, unmodifiable
     */
    public List<Object> call(final Object[] arguments)
    {
        final List<Object> key = Arrays.asList(arguments.clone());
        final List<Object> known = cache.get(key);
        if (known != null)
        {
            return known;
        }
        try (Connection connection = connection())
        {
            final List<Object> rows = query(connection, arguments);
            cache.put(key, rows);
            return rows;
        }
        catch (final SQLException failure)
        {
            throw new IllegalStateException(name + " failed, reason=" + failure.getMessage(), failure);
        }
    }

    private Connection connection() throws SQLException
    {
        final long startNs = clock.epochNs();
        final long untilNs = pausedUntilNs.get();
        if (untilNs != 0 && startNs - untilNs < 0)
        {
            throw new SQLException("the data source returned no connection in the last attempt");
        }
        try
        {
            final Connection connection = dataSource.getConnection();
            pausedUntilNs.set(0);
            return connection;
        }
        catch (final SQLException | RuntimeException failure)
        {
            final long endNs = clock.epochNs();
            pausedUntilNs.set(endNs + Math.max(TimeUnit.MILLISECONDS.toNanos(PAUSE_MS),
                PAUSE_FACTOR * (endNs - startNs)) | 1);
            throw failure;
        }
    }

    private List<Object> query(final Connection connection, final Object[] arguments) throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(sql.text()))
        {
            statement.setQueryTimeout(QUERY_TIMEOUT_S);
            statement.setMaxRows(MAX_ROWS + 1);
            for (int i = 0; i < sql.values().size(); i++)
            {
                final int parameter = sql.values().get(i);
                statement.setObject(i + 1, value(definition.parameters().get(parameter).type(), arguments[parameter]));
            }
            final List<Object> rows = new ArrayList<>();
            try (ResultSet result = statement.executeQuery())
            {
                while (result.next())
                {
                    if (rows.size() == MAX_ROWS)
                    {
                        throw new SQLException("one call finds more than " + MAX_ROWS + " rows");
                    }
                    rows.add(rowType.read(result));
                }
            }
            return Collections.unmodifiableList(rows);
        }
    }

    /** Timestamps are nanoseconds in rules. */
    private static Object value(final CqlType type, final Object argument)
    {
        if (type != CqlType.TIMESTAMP)
        {
            return argument;
        }
        final long ns = (Long)argument;
        final Timestamp time = new Timestamp(Math.floorDiv(ns, TimeUnit.SECONDS.toNanos(1)) * 1_000);
        time.setNanos((int)Math.floorMod(ns, TimeUnit.SECONDS.toNanos(1)));
        return time;
    }
}
