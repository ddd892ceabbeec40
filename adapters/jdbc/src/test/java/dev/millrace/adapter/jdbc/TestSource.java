package dev.millrace.adapter.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** A source with a connection pool like the server's, and a stage below it that keeps what it receives. */
final class TestSource implements AutoCloseable, DataSources, StageContext, EventBatchSender
{
    private static final int POOL_TIMEOUT_MS = 1_000;
    private static final int WAIT_S = 60;

    final JdbcSource source = new JdbcSource(this);
    /** Rows as values separated by commas. */
    final List<String> received = new CopyOnWriteArrayList<>();
    /** Their numbers; 0 for none. */
    final List<Long> numbers = new CopyOnWriteArrayList<>();
    final List<Long> timesNs = new CopyOnWriteArrayList<>();
    /** Reasons and details. */
    final List<String> rejected = new CopyOnWriteArrayList<>();
    final Map<String, String> raised = new ConcurrentSkipListMap<>();
    /** Batches that the stage below accepts. */
    final Semaphore room = new Semaphore(Integer.MAX_VALUE);
    /** What the stage below has stored. */
    volatile long stored = SequencedSink.NOT_STORED;
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
    private final BatchSchema schema;
    private final HikariDataSource pool;
    private Thread thread;

    TestSource(final EventType type, final String url, final String user, final String password, final Path positions)
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
        source.setStageContext(this);
        source.setBatchSender(this);
        source.setDataSource("db");
        source.setPositionDirectory(positions.toString());
        source.setPollMillis(5);
        source.setLagMillis(0);
        source.setRetryMillis(20);
        // Longer than the half second in which the pool does not check whether a connection still works.
        source.setMaxRetryMillis(600);
    }

    static TestSource of(final EventType type, final Store store, final Path positions)
    {
        return new TestSource(type, store.url(), store.user, store.password, positions);
    }

    TestSource set(final Consumer<JdbcSource> setting)
    {
        setting.accept(source);
        return this;
    }

    /** The number that the stage below has stored. */
    TestSource stored(final long number)
    {
        stored = number;
        return this;
    }

    TestSource start() throws Exception
    {
        try
        {
            source.afterPropertiesSet();
            source.afterConfigurationActive();
        }
        catch (final Exception e)
        {
            pool.close();
            throw e;
        }
        run();
        return this;
    }

    private void run()
    {
        thread = new Thread(source, "source");
        thread.setDaemon(true);
        thread.start();
    }

    void suspend() throws InterruptedException
    {
        source.suspend();
        awaitEnd();
    }

    void resume() throws Exception
    {
        source.beforeResume();
        run();
    }

    void awaitEnd() throws InterruptedException
    {
        thread.join(TimeUnit.SECONDS.toMillis(WAIT_S));
        if (thread.isAlive())
        {
            throw new AssertionError("the source still runs");
        }
    }

    TestSource await(final int rows)
    {
        await("rows=" + rows, () -> received.size() >= rows);
        return this;
    }

    void await(final String what, final BooleanSupplier condition)
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() > endNs)
            {
                throw new AssertionError(what + " did not happen: " + source.statistics() + " received=" +
                    received.size() + " rejected=" + rejected);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Waits until the source has queried so often after now that it has seen everything. */
    void awaitPolls(final int count)
    {
        final long before = figure("polls");
        await(count + " more queries", () -> figure("polls") >= before + count);
    }

    long figure(final String name)
    {
        return ((Number)source.statistics().get(name)).longValue();
    }

    @Override
    public void send(final EventBatch batch)
    {
        room.acquireUninterruptibly();
        for (int row = 0; row < batch.size(); row++)
        {
            final int index = row;
            numbers.add(batch.hasSequences() ? RowSequence.number(batch.sequences()[row]) : 0L);
            if (batch.hasSequences() &&
                !Producers.name(RowSequence.producer(batch.sequences()[row])).equals("app/in/rows"))
            {
                throw new AssertionError("another producer");
            }
            timesNs.add(batch.timestampNs(row));
            received.add(IntStream.range(0, schema.columnCount()).mapToObj(column ->
                text(batch.value(column, index))).collect(Collectors.joining(",")));
        }
    }

    private static String text(final Object value)
    {
        return value instanceof final byte[] bytes ? new String(bytes, StandardCharsets.US_ASCII) :
            String.valueOf(value);
    }

    @Override
    public void reject(final int rows, final String reason, final String detail)
    {
        rejected.add(reason + ": " + detail);
    }

    @Override
    public long receivedFrom(final String producer)
    {
        return stored;
    }

    @Override
    public BatchSchema schema()
    {
        return schema;
    }

    @Override
    public EventBatchSender another()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() throws IOException
    {
        try
        {
            source.destroy();
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
        return "in";
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
                return new ArrayList<>(List.of(type));
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
}
