package dev.millrace.adapter.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A sink with a connection pool like the server's, and batches for it. */
public final class TestSink implements AutoCloseable, DataSources, StageContext
{
    private static final int POOL_TIMEOUT_MS = 1_000;

    final JdbcSink sink = new JdbcSink(this);
    final Map<String, String> raised = new ConcurrentSkipListMap<>();
    private final StageConditions conditions = new StageConditions()
    {
        @Override
        public void raise(final String code, final String text)
        {
            raised.put(code, text);
        }

        @Override
        public void clear(final String code)
        {
            raised.remove(code);
        }
    };
    private final EventType type;
    private final HikariDataSource pool;
    private final BatchSchema schema;

    TestSink(final EventType type, final String url, final String user, final String password)
    {
        this.type = type;
        final HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(2);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(POOL_TIMEOUT_MS);
        config.setInitializationFailTimeout(-1);
        pool = new HikariDataSource(config);
        schema = new BatchSchema(type);
        sink.setStageContext(this);
        sink.setDataSource("db");
        sink.setWhenFull("block");
        sink.setRetryMillis(20);
        // Longer than the half second in which the pool does not check whether a connection still works.
        sink.setMaxRetryMillis(600);
    }

    static TestSink of(final EventType type, final Store store, final String table)
    {
        final TestSink made = new TestSink(type, store.url(), store.user, store.password);
        made.sink.setTable(table);
        made.sink.setDialect(store.dialect());
        return made;
    }

    TestSink set(final Consumer<JdbcSink> setting)
    {
        setting.accept(sink);
        return this;
    }

    TestSink start() throws Exception
    {
        try
        {
            sink.afterPropertiesSet();
            sink.afterConfigurationActive();
            return this;
        }
        catch (final Exception e)
        {
            pool.close();
            throw e;
        }
    }

    TestSink send(final Object[]... rows) throws EventRejectedException
    {
        return send(EventBatch.INSERT, rows);
    }

    /** Sends rows with the numbers that a producer gave them, counted from the first one. */
    TestSink sendNumbered(final String producer, final long first, final Object[]... rows)
        throws EventRejectedException
    {
        final EventBatch batch = batch(EventBatch.INSERT, rows);
        for (int row = 0; row < rows.length; row++)
        {
            batch.useSequences()[row] = RowSequence.of(Producers.id(producer), first + row);
        }
        sink.onBatch(batch);
        return this;
    }

    TestSink send(final byte kind, final Object[]... rows) throws EventRejectedException
    {
        sink.onBatch(batch(kind, rows));
        return this;
    }

    private EventBatch batch(final byte kind, final Object[]... rows)
    {
        final EventBatch batch = new EventBatch(schema);
        for (int row = 0; row < rows.length; row++)
        {
            for (int column = 0; column < rows[row].length; column++)
            {
                set(batch, column, row, rows[row][column]);
            }
            if (kind != EventBatch.INSERT)
            {
                batch.useKinds()[row] = kind;
            }
        }
        batch.size(rows.length);
        return batch;
    }

    private static void set(final EventBatch batch, final int column, final int row, final Object value)
    {
        final ColumnStorage storage = batch.schema().storage(column);
        if (value != null && storage == ColumnStorage.TEXT)
        {
            final byte[] bytes = value.toString().getBytes(StandardCharsets.UTF_8);
            batch.texts(column).set(row, bytes, 0, bytes.length);
        }
        else if (value instanceof final Number number && storage == ColumnStorage.INT64)
        {
            batch.setValue(column, row, number.longValue());
        }
        else
        {
            batch.setValue(column, row, value);
        }
    }

    /** Waits until no row waits. */
    TestSink await() throws InterruptedException
    {
        if (!sink.awaitWritten(30, TimeUnit.SECONDS))
        {
            throw new AssertionError("rows still wait: " + sink.statistics());
        }
        return this;
    }

    long figure(final String name)
    {
        return ((Number)sink.statistics().get(name)).longValue();
    }

    @Override
    public void close() throws IOException
    {
        try
        {
            sink.destroy();
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
        finally
        {
            pool.close();
        }
    }

    @Override
    public DataSource find(final String name)
    {
        return name.equals("db") ? pool : null;
    }

    @Override
    public Collection<String> names()
    {
        return List.of("db");
    }

    @Override
    public String applicationName()
    {
        return "app";
    }

    @Override
    public String stageId()
    {
        return "out";
    }

    @Override
    public EventTypeRepository eventTypes()
    {
        return new EventTypeRepository()
        {
            @Override
            public EventType eventType(final String name)
            {
                return name.equals(type.name()) ? type : null;
            }

            @Override
            public Collection<EventType> eventTypes()
            {
                return List.of(type);
            }
        };
    }

    @Override
    public StageConditions conditions()
    {
        return conditions;
    }

    @Override
    public Clock clock()
    {
        return Clock.SYSTEM;
    }

    public static EventType type(final Object... namesAndTypes)
    {
        final EventProperty[] properties = new EventProperty[namesAndTypes.length / 2];
        for (int i = 0; i < properties.length; i++)
        {
            properties[i] = new EventProperty((String)namesAndTypes[2 * i],
                (CqlType)namesAndTypes[2 * i + 1]);
        }
        return EventType.tuple("Row", properties);
    }

    static Object[] row(final Object... values)
    {
        return values;
    }
}
