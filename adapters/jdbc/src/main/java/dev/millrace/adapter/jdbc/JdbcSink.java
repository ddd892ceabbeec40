package dev.millrace.adapter.jdbc;

import dev.millrace.adapter.jdbc.buffer.JdbcErrorCode;
import dev.millrace.adapter.jdbc.buffer.JdbcAdapterException;
import dev.millrace.adapter.jdbc.buffer.RowBuffer;
import dev.millrace.adapter.jdbc.buffer.RowLayout;
import dev.millrace.adapter.jdbc.buffer.SinkCounters;
import dev.millrace.adapter.jdbc.buffer.SinkSettings;
import dev.millrace.adapter.jdbc.buffer.Spill;
import dev.millrace.adapter.jdbc.database.DatabaseSession;
import dev.millrace.adapter.jdbc.database.FailureClassifier;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.ConcurrentSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sink that writes events to a database table. The module's README.md describes its properties.
 *
 * <p>Threads: channels call {@link #onBatch} from any thread; it copies columns, and waits for the database only if
 * {@code whenFull} is {@code block}. A dedicated thread writes. Failure: deployment fails if a setting is wrong or the
 * table does not match, but not if the database is unavailable: rows wait. {@link #destroy} writes the remaining rows,
 * or stores them in files.
 */
public final class JdbcSink implements Adapter, SequencedSink, ConcurrentSink, StageContextAware, InitializingBean,
    ActivatableBean, DisposableBean, StatisticsSource
{
    private static final Logger LOG = LoggerFactory.getLogger(JdbcSink.class);
    private static final long GIVE_UP_MS = 8_000;

    private final DataSources dataSources;
    private final SinkProperties properties = new SinkProperties();
    private final SinkCounters counters = new SinkCounters();
    private Object dataSource;
    private String eventTypeName;
    private StageContext context;
    private SinkSettings settings;
    private volatile RowBuffer buffer;
    private volatile RowWriter writer;
    /** {@code null} unless the numbers of rows are stored. */
    private volatile StoredNumbers numbers;
    private Outage outage;
    private Thread thread;

    public JdbcSink(final DataSources dataSources)
    {
        this.dataSources = dataSources;
    }

    /**
     * The source of connections. Required.
     *
     * @param dataSource name of a {@code data-source} of config.xml, or a {@link DataSource} of the application
     */
    public void setDataSource(final Object dataSource)
    {
        this.dataSource = dataSource;
    }

    /**
     * The table. Required.
     *
     * @param table name, with schema if needed
     */
    public void setTable(final String table)
    {
        properties.table = table;
    }

    /**
     * The operation for events.
     *
     * @param mode {@code insert}, {@code update}, {@code upsert} or {@code delete}; default insert
     */
    public void setMode(final String mode)
    {
        properties.mode = mode;
    }

    /**
     * The properties to write, and their columns.
     *
     * @param columns list of {@code property} or {@code property=column}; default: all properties, columns with the
     * same names
     */
    public void setColumns(final String columns)
    {
        properties.columns = columns;
    }

    /**
     * The properties whose columns identify a row of the table. Required unless rows are only inserted.
     *
     * @param keys comma-separated list
     */
    public void setKeys(final String keys)
    {
        properties.keys = keys;
    }

    /**
     * The event type. Optional: if set, deployment checks whether the table has its columns.
     *
     * @param eventTypeName name of an event type of the application
     */
    public void setEventTypeName(final String eventTypeName)
    {
        this.eventTypeName = eventTypeName;
    }

    /**
     * The SQL dialect. Optional: by default it follows from the product name that the driver returns.
     *
     * @param dialect {@code postgresql}, {@code mariadb}, {@code mysql}, {@code h2}, {@code oracle} or
     * {@code sqlserver}
     */
    public void setDialect(final String dialect)
    {
        properties.dialect = dialect;
    }

    /**
     * The maximum number of rows per transaction.
     *
     * @param batchRows at least 1; default 1024
     */
    public void setBatchRows(final int batchRows)
    {
        properties.batchRows = batchRows;
    }

    /**
     * The time that the first row of a transaction waits for more rows.
     *
     * @param batchMillis at least 0; default 0: rows are written immediately
     */
    public void setBatchMillis(final int batchMillis)
    {
        properties.batchMillis = batchMillis;
    }

    /**
     * The maximum number of rows that wait in memory.
     *
     * @param bufferRows at least 256; default 65536
     */
    public void setBufferRows(final int bufferRows)
    {
        properties.bufferRows = bufferRows;
    }

    /**
     * The table in which the numbers of written rows are stored, in the transaction of the rows. Optional: if set, rows
     * of durable processors are written exactly once.
     *
     * @param positionTable name, with schema if needed
     */
    public void setPositionTable(final String positionTable)
    {
        properties.positionTable = positionTable;
    }

    /**
     * The behavior when memory is full.
     *
     * @param whenFull {@code spill} to files, {@code block} the channel, or {@code reject} rows; default spill
     */
    public void setWhenFull(final String whenFull)
    {
        properties.whenFull = whenFull;
    }

    /**
     * The directory for rows that wait in files, including those not written when the application ends.
     *
     * @param spillDirectory directory used by this sink only; default {@code var/spill} of the domain
     */
    public void setSpillDirectory(final String spillDirectory)
    {
        properties.spillDirectory = spillDirectory;
    }

    /**
     * The maximum size of these files in bytes.
     *
     * @param spillMaxBytes at least 1024; default 1 GiB
     */
    public void setSpillMaxBytes(final long spillMaxBytes)
    {
        properties.spillMaxBytes = spillMaxBytes;
    }

    /**
     * The first pause after a failure of the database; each further pause is twice as long.
     *
     * @param retryMillis at least 1; default 100
     */
    public void setRetryMillis(final int retryMillis)
    {
        properties.retryMillis = retryMillis;
    }

    /**
     * The maximum pause after failures.
     *
     * @param maxRetryMillis at least retryMillis; default 5000
     */
    public void setMaxRetryMillis(final int maxRetryMillis)
    {
        properties.maxRetryMillis = maxRetryMillis;
    }

    /**
     * The response timeout of the database, after which the connection counts as broken.
     *
     * @param answerMillis at least 1; default 30000
     */
    public void setAnswerMillis(final int answerMillis)
    {
        properties.answerMillis = answerMillis;
    }

    /**
     * The time that the end of the application waits for rows to be written.
     *
     * @param shutdownMillis at least 0; default 10000
     */
    public void setShutdownMillis(final int shutdownMillis)
    {
        properties.shutdownMillis = shutdownMillis;
    }

    @Override
    public void setStageContext(final StageContext stageContext)
    {
        context = stageContext;
    }

    @Override
    public void afterPropertiesSet()
    {
        settings = properties.check(context == null ? "application" : context.applicationName(), stageId());
        if (dataSource == null || dataSource instanceof final String name && name.isBlank())
        {
            throw new IllegalArgumentException(
                JdbcErrorCode.PROPERTY.message("an instance property is missing, stage=" +
                settings.stage() + " name=dataSource", "name a data-source of the server's config.xml"));
        }
    }

    /** Checks the table, if the database is available, and starts the writer. */
    @Override
    public void afterConfigurationActive() throws Exception
    {
        final DataSource source = DataSources.resolve(dataSource, dataSources, settings.stage());
        outage = new Outage(counters::trouble, context == null ? StageConditions.NONE : context.conditions());
        final Spill spill =
            settings.spillDirectory() == null ? null : new Spill(settings.spillDirectory(), settings.spillMaxBytes());
        try
        {
            final RowLayout layout = layout(spill);
            look(source, layout);
            if (spill != null && spill.rows() > 0)
            {
                counters.restored.set(spill.rows());
                LOG.info("rows of an earlier run are written first, stage={} rows={} directory={}", settings.stage(),
                    spill.rows(), settings.spillDirectory());
            }
            buffer = new RowBuffer(settings, counters, spill, layout);
        }
        catch (final JdbcAdapterException e)
        {
            if (spill != null)
            {
                spill.close();
            }
            throw e;
        }
        numbers = settings.positionTable() == null ? null : new StoredNumbers(source, settings);
        writer = new RowWriter(settings, source, buffer, counters, outage, numbers);
        thread = new Thread(writer, "millrace-jdbc-" + settings.stage());
        thread.setDaemon(true);
        thread.start();
    }

    private RowLayout layout(final Spill spill) throws JdbcAdapterException
    {
        final RowLayout left = spill == null ? null : spill.restore();
        if (eventTypeName == null || context == null)
        {
            return left;
        }
        final EventType type = context.eventTypes().eventType(eventTypeName);
        if (type == null)
        {
            throw new JdbcAdapterException(JdbcErrorCode.EVENTS, "unknown event type, stage=" + settings.stage() +
                " eventTypeName=" + eventTypeName + " known=" +
                context.eventTypes().eventTypes().stream().map(EventType::name).toList(),
                "name one that the application declares", null);
        }
        final RowLayout layout = RowLayout.of(type, settings.columns());
        if (left != null && !left.sameColumns(layout))
        {
            throw new JdbcAdapterException(JdbcErrorCode.SPILL,
                "rows of an earlier run with different columns wait in files, " +
                "stage=" + settings.stage() + " directory=" + settings.spillDirectory() + " rows=" + spill.rows(),
                "deploy the earlier version until the rows are written, or move the files away", null);
        }
        return layout;
    }

    private void look(final DataSource source, final RowLayout layout) throws JdbcAdapterException
    {
        try (DatabaseSession session = DatabaseSession.open(source, settings, layout))
        {
            LOG.info("table found, stage={} table={} mode={} dialect={}", settings.stage(), settings.table(),
                settings.mode().text(), session.dialect().text());
        }
        catch (final SQLException e)
        {
            final String fact = ", stage=" + settings.stage() + " dataSource=" + dataSource + " cause=" +
                FailureClassifier.reason(e);
            if (FailureClassifier.isLogin(e))
            {
                throw new JdbcAdapterException(JdbcErrorCode.LOGIN, "the database rejects user or password" + fact,
                    "correct them in the data-source of config.xml and restart the server", e);
            }
            final String message = JdbcErrorCode.AWAY.message("cannot connect to the database" + fact,
                "start it, or correct the data-source of config.xml and restart the server; rows wait until then");
            outage.failed(message, "waiting=0");
        }
    }

    @Override
    public void onBatch(final EventBatch batch) throws EventRejectedException
    {
        final EventBatch rows = numbers == null || batch.size() == 0 ? batch : numbers.accept(batch);
        if (rows != null && rows.size() > 0)
        {
            buffer.add(rows);
        }
    }

    @Override
    public long receivedFrom(final String producer)
    {
        return numbers == null ? NOT_STORED : numbers.of(producer);
    }

    /**
     * Waits until all rows accepted so far have been written or have failed.
     *
     * @param time maximum time to wait
     * @param unit of the time
     * @return false after a timeout
     * @throws InterruptedException when the thread is interrupted
     */
    public boolean awaitWritten(final long time, final TimeUnit unit) throws InterruptedException
    {
        return buffer.awaitEmpty(time, unit);
    }

    @Override
    public void destroy() throws IOException, InterruptedException
    {
        if (writer == null)
        {
            return;
        }
        buffer.close();
        writer.close();
        thread.join(Math.max(1, settings.shutdownMillis()));
        if (thread.isAlive())
        {
            writer.giveUp();
            thread.join(GIVE_UP_MS);
        }
        if (thread.isAlive())
        {
            throw new IOException(JdbcErrorCode.REST.message("the database neither responds nor closes the connection, "
                + "stage=" +
                settings.stage() + " rows=" + buffer.waiting(), "check the database; the rows may be lost"));
        }
        LOG.info("sink ended, stage={} {}", settings.stage(), counters.snapshot());
    }

    @Override
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = counters.snapshot();
        final RowBuffer current = buffer;
        figures.put("waiting", current == null ? 0L : current.waiting());
        figures.put("waitingInFiles", current == null ? 0L : current.spilled());
        figures.put("dialect", writer == null ? "" : writer.dialect());
        return figures;
    }

    private String stageId()
    {
        return context == null ? "sink" : context.stageId();
    }
}
