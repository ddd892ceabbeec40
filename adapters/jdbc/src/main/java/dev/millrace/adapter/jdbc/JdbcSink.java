package dev.millrace.adapter.jdbc;

import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.ActivatableBean;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.ConcurrentSink;
import dev.millrace.api.stage.DisposableBean;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.InitializingBean;
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
 * Sink that writes events into a table of a database. README.md of the module describes its properties.
 *
 * <p>Threads: channels call {@link #onBatch} from any threads; it copies columns and waits for the database only when
 * {@code whenFull} is {@code block}. One thread of its own writes. Failure: a wrong setting or a table that does not
 * fit fails deployment; a database that is away does not: rows wait. {@link #destroy} writes what is left, or keeps it
 * in files.
 */
public final class JdbcSink implements Adapter, EventBatchSink, ConcurrentSink, StageContextAware, InitializingBean,
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
    private Outage outage;
    private Thread thread;

    /**
     * Makes a sink.
     *
     * @param dataSources finds the data sources of the server
     */
    public JdbcSink(final DataSources dataSources)
    {
        this.dataSources = dataSources;
    }

    /**
     * Where connections come from. Required.
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
     * @param table name, with schema if need be
     */
    public void setTable(final String table)
    {
        properties.table = table;
    }

    /**
     * What is done with events.
     *
     * @param mode {@code insert}, {@code update}, {@code upsert} or {@code delete}; default insert
     */
    public void setMode(final String mode)
    {
        properties.mode = mode;
    }

    /**
     * Which properties are written, and into which columns.
     *
     * @param columns list of {@code property} or {@code property=column}; default all properties, columns of the same
     *                names
     */
    public void setColumns(final String columns)
    {
        properties.columns = columns;
    }

    /**
     * The properties whose columns find a row of the table. Required unless rows are only inserted.
     *
     * @param keys comma list
     */
    public void setKeys(final String keys)
    {
        properties.keys = keys;
    }

    /**
     * The event type. Optional: when it is known, deployment already looks whether the table has its columns.
     *
     * @param eventTypeName name of an event type of the application
     */
    public void setEventTypeName(final String eventTypeName)
    {
        this.eventTypeName = eventTypeName;
    }

    /**
     * How the database wants statements. Optional: the driver says which product it is.
     *
     * @param dialect {@code postgresql}, {@code mariadb}, {@code mysql}, {@code h2}, {@code oracle} or {@code
     *                sqlserver}
     */
    public void setDialect(final String dialect)
    {
        properties.dialect = dialect;
    }

    /**
     * The most rows of a transaction.
     *
     * @param batchRows at least 1; default 1024
     */
    public void setBatchRows(final int batchRows)
    {
        properties.batchRows = batchRows;
    }

    /**
     * How long the first row of a transaction waits for more.
     *
     * @param batchMillis at least 0; default 0: what is there is written
     */
    public void setBatchMillis(final int batchMillis)
    {
        properties.batchMillis = batchMillis;
    }

    /**
     * The most rows that wait in memory.
     *
     * @param bufferRows at least 256; default 65536
     */
    public void setBufferRows(final int bufferRows)
    {
        properties.bufferRows = bufferRows;
    }

    /**
     * What happens when memory is full.
     *
     * @param whenFull {@code spill} into files, {@code block} the channel, or {@code reject} rows; default spill
     */
    public void setWhenFull(final String whenFull)
    {
        properties.whenFull = whenFull;
    }

    /**
     * Where rows wait in files, and are kept when the application ends before they are written.
     *
     * @param spillDirectory directory of this sink alone; default {@code var/spill} of the domain
     */
    public void setSpillDirectory(final String spillDirectory)
    {
        properties.spillDirectory = spillDirectory;
    }

    /**
     * The most bytes of these files.
     *
     * @param spillMaxBytes at least 1024; default 1 GiB
     */
    public void setSpillMaxBytes(final long spillMaxBytes)
    {
        properties.spillMaxBytes = spillMaxBytes;
    }

    /**
     * The first pause after a failure of the database; each further one is twice as long.
     *
     * @param retryMillis at least 1; default 100
     */
    public void setRetryMillis(final int retryMillis)
    {
        properties.retryMillis = retryMillis;
    }

    /**
     * The longest pause after failures.
     *
     * @param maxRetryMillis at least retryMillis; default 5000
     */
    public void setMaxRetryMillis(final int maxRetryMillis)
    {
        properties.maxRetryMillis = maxRetryMillis;
    }

    /**
     * How long an answer of the database may take before the connection counts as broken.
     *
     * @param answerMillis at least 1; default 30000
     */
    public void setAnswerMillis(final int answerMillis)
    {
        properties.answerMillis = answerMillis;
    }

    /**
     * How long the end of the application waits for rows to be written.
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
            throw new IllegalArgumentException(JdbcCode.PROPERTY.message("an instance property is missing, stage=" +
                settings.place() + " name=dataSource", "name a data-source of the server's config.xml"));
        }
    }

    /** Looks at the table, if the database is there, and starts the writer. */
    @Override
    public void afterConfigurationActive() throws Exception
    {
        final DataSource source = source();
        outage = new Outage(counters, context == null ? StageConditions.NONE : context.conditions());
        final Spill spill =
            settings.spillDirectory() == null ? null : new Spill(settings.spillDirectory(), settings.spillMaxBytes());
        try
        {
            final RowLayout layout = layout(spill);
            look(source, layout);
            if (spill != null && spill.rows() > 0)
            {
                counters.restored.set(spill.rows());
                LOG.info("rows of an earlier run are written first, stage={} rows={} directory={}", settings.place(),
                    spill.rows(), settings.spillDirectory());
            }
            buffer = new RowBuffer(settings, counters, spill, layout);
        }
        catch (final StoreException e)
        {
            if (spill != null)
            {
                spill.close();
            }
            throw e;
        }
        writer = new RowWriter(settings, source, buffer, counters, outage);
        thread = new Thread(writer, "millrace-jdbc-" + settings.place());
        thread.setDaemon(true);
        thread.start();
    }

    private DataSource source()
    {
        if (dataSource instanceof final DataSource given)
        {
            return given;
        }
        final String name = dataSource.toString().strip();
        final DataSource found = dataSources.find(name);
        if (found == null)
        {
            throw new IllegalArgumentException(JdbcCode.DATA_SOURCE.message("the server has no such data source, " +
                "stage=" + settings.place() + " dataSource=" + name + " known=" + dataSources.names(),
                "add a data-source element of this name to config.xml and restart the server, which reads the file " +
                "at its start only; or correct the name"));
        }
        return found;
    }

    private RowLayout layout(final Spill spill) throws StoreException
    {
        final RowLayout left = spill == null ? null : spill.restore();
        if (eventTypeName == null || context == null)
        {
            return left;
        }
        final EventType type = context.eventTypes().eventType(eventTypeName);
        if (type == null)
        {
            throw new StoreException(JdbcCode.EVENTS, "unknown event type, stage=" + settings.place() +
                " eventTypeName=" + eventTypeName + " known=" +
                context.eventTypes().eventTypes().stream().map(EventType::name).toList(),
                "name one that the application declares", null);
        }
        final RowLayout layout = RowLayout.of(type, settings.columns());
        if (left != null && !left.sameColumns(layout))
        {
            throw new StoreException(JdbcCode.SPILL, "rows of an earlier run wait in files, with other columns, " +
                "stage=" + settings.place() + " directory=" + settings.spillDirectory() + " rows=" + spill.rows(),
                "deploy the earlier version until they are written, or move the files away", null);
        }
        return layout;
    }

    private void look(final DataSource source, final RowLayout layout) throws StoreException
    {
        try (StoreSession session = StoreSession.open(source, settings, layout))
        {
            LOG.info("table found, stage={} table={} mode={} dialect={}", settings.place(), settings.table(),
                settings.mode().text(), session.dialect().text());
        }
        catch (final SQLException e)
        {
            final String fact = ", stage=" + settings.place() + " dataSource=" + dataSource + " cause=" +
                StoreFault.reason(e);
            if (StoreFault.isLogin(e))
            {
                throw new StoreException(JdbcCode.LOGIN, "the database refuses user or password" + fact,
                    "correct them in the data-source of config.xml and restart the server", e);
            }
            final String message = JdbcCode.AWAY.message("there is no connection to the database" + fact,
                "start it, or correct the data-source of config.xml and restart the server; rows wait meanwhile");
            outage.failed(message, 0);
        }
    }

    @Override
    public void onBatch(final EventBatch batch) throws EventRejectedException
    {
        if (batch.size() > 0)
        {
            buffer.add(batch);
        }
    }

    /**
     * Waits until all rows that were taken so far are written, or have failed.
     *
     * @param time at most
     * @param unit of it
     * @return whether none waits any more
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
            throw new IOException(JdbcCode.REST.message("the database neither answers nor lets go, stage=" +
                settings.place() + " rows=" + buffer.waiting(), "look at the database; the rows may be lost"));
        }
        LOG.info("sink ended, stage={} {}", settings.place(), counters.snapshot());
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
