package dev.millrace.adapter.jdbc;

import dev.millrace.adapter.common.source.SourceRunner;
import dev.millrace.adapter.jdbc.buffer.JdbcAdapterException;
import dev.millrace.adapter.jdbc.buffer.JdbcErrorCode;
import dev.millrace.adapter.jdbc.database.FailureClassifier;
import dev.millrace.adapter.jdbc.polling.SourceCounters;
import dev.millrace.adapter.jdbc.polling.SourceSession;
import dev.millrace.adapter.jdbc.polling.SourceSettings;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.lifecycle.ResumableBean;
import dev.millrace.api.lifecycle.RunnableBean;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Source that sends the rows of a database table or query in the order of an increasing column. The module's SOURCE.md
 * describes its properties.
 *
 * <p>Threads: {@link #run} makes all database calls on its thread; life-cycle calls come from the managing thread.
 * Failure: deployment fails if a setting is wrong or the columns do not match, but not if the database is unavailable:
 * it is tried again. A full channel blocks the thread, and thereby the queries.
 */
public final class JdbcSource implements Adapter, EventBatchSource, StageContextAware, InitializingBean,
    ActivatableBean, RunnableBean, ResumableBean, DisposableBean, StatisticsSource
{
    private static final Logger LOG = LoggerFactory.getLogger(JdbcSource.class);

    private final DataSources dataSources;
    private final SourceProperties properties = new SourceProperties();
    private final SourceCounters counters = new SourceCounters();
    private final SourceRunner runner = new SourceRunner();
    private Object dataSource;
    private String eventTypeName;
    private StageContext context;
    private EventBatchSender sender;
    private EventBatch batch;
    private SourceSettings settings;
    private Outage outage;
    private volatile boolean isSuspended;
    private volatile RowPoller poller;

    public JdbcSource(final DataSources dataSources)
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
     * The table. Either it or a query is required.
     *
     * @param table name, with schema if needed
     */
    public void setTable(final String table)
    {
        properties.table = table;
    }

    /**
     * The query.
     *
     * @param query contains the placeholder {@code ?} or {@code :position}, and {@code :tie} if there is a tie column
     */
    public void setQuery(final String query)
    {
        properties.query = query;
    }

    /**
     * The column whose values increase. Required.
     *
     * @param positionColumn integer, decimal without fraction or timestamp
     */
    public void setPositionColumn(final String positionColumn)
    {
        properties.positionColumn = positionColumn;
    }

    /**
     * The column that orders rows of one position.
     *
     * @param tieColumn integer or decimal without fraction
     */
    public void setTieColumn(final String tieColumn)
    {
        properties.tieColumn = tieColumn;
    }

    /**
     * The type of the events. Optional: the channel after the adapter specifies it too, and both must be equal.
     *
     * @param eventTypeName name of an event type of the application
     */
    public void setEventTypeName(final String eventTypeName)
    {
        this.eventTypeName = eventTypeName;
    }

    /**
     * The properties to fill, and their columns.
     *
     * @param columns list of {@code property} or {@code property=column}; default: all properties, columns with the
     * same names
     */
    public void setColumns(final String columns)
    {
        properties.columns = columns;
    }

    /**
     * The column with the time of the event, for channels with application timestamps.
     *
     * @param timeColumn timestamp, or bigint with nanoseconds since 1970
     */
    public void setTimeColumn(final String timeColumn)
    {
        properties.timeColumn = timeColumn;
    }

    /**
     * The position after which the first start reads.
     *
     * @param startAt {@code beginning}, {@code end} or a position; default beginning
     */
    public void setStartAt(final String startAt)
    {
        properties.startAt = startAt;
    }

    /**
     * The end of the source.
     *
     * @param mode {@code follow} for none, or {@code once} after the rows that exist at its start; default follow
     */
    public void setMode(final String mode)
    {
        properties.mode = mode;
    }

    /**
     * The pause after a query that has found all rows.
     *
     * @param pollMillis at least 1; default 1000
     */
    public void setPollMillis(final int pollMillis)
    {
        properties.pollMillis = pollMillis;
    }

    /**
     * The time for which a position is visible before rows up to it are read.
     *
     * @param lagMillis longer than a transaction that adds rows; default 1000
     */
    public void setLagMillis(final int lagMillis)
    {
        properties.lagMillis = lagMillis;
    }

    /**
     * The number of rows that the driver reads at once.
     *
     * @param fetchSize at least 1; default 1000
     */
    public void setFetchSize(final int fetchSize)
    {
        properties.fetchSize = fetchSize;
    }

    /**
     * The maximum number of rows of a query.
     *
     * @param pollRows at least 1; default 50000
     */
    public void setPollRows(final int pollRows)
    {
        properties.pollRows = pollRows;
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
     * The directory for the positions of rows that were sent.
     *
     * @param positionDirectory used by this source only; default {@code var/positions} of the domain
     */
    public void setPositionDirectory(final String positionDirectory)
    {
        properties.positionDirectory = positionDirectory;
    }

    @Override
    public void setStageContext(final StageContext stageContext)
    {
        context = stageContext;
    }

    @Override
    public void setBatchSender(final EventBatchSender batchSender)
    {
        sender = batchSender;
    }

    @Override
    public void afterPropertiesSet()
    {
        settings = properties.check(context == null ? "application" : context.applicationName(),
            context == null ? "source" : context.stageId());
        if (dataSource == null || dataSource instanceof final String name && name.isBlank())
        {
            throw new IllegalArgumentException(
                JdbcErrorCode.PROPERTY.message("an instance property is missing, stage=" + settings.stage() +
                " name=dataSource", "name a data-source of the server's config.xml"));
        }
    }

    /** Checks the columns, if the database is available. */
    @Override
    public void afterConfigurationActive() throws JdbcAdapterException
    {
        final DataSource source = DataSources.resolve(dataSource, dataSources, settings.stage());
        outage = new Outage(counters::trouble, context == null ? StageConditions.NONE : context.conditions());
        final EventType event = event();
        try (SourceSession session = SourceSession.open(source, settings, event))
        {
            session.checkStart();
        }
        catch (final SQLException e)
        {
            checkLater(e);
        }
        if (sender != null)
        {
            batch = new EventBatch(sender.schema());
        }
        poller = poller(source);
    }

    private void checkLater(final SQLException failure) throws JdbcAdapterException
    {
        final String fact = ", stage=" + settings.stage() + " dataSource=" + dataSource + " cause=" +
            FailureClassifier.reason(failure);
        if (FailureClassifier.isLogin(failure))
        {
            throw new JdbcAdapterException(JdbcErrorCode.LOGIN, "the database rejects user or password" + fact,
                "correct them in the data-source of config.xml and restart the server", failure);
        }
        outage.failed(JdbcErrorCode.AWAY.message("cannot connect to the database" + fact,
            "start it, or correct the data-source of config.xml and restart the server; rows wait until then"),
            "position=");
    }

    private RowPoller poller(final DataSource source) throws JdbcAdapterException
    {
        return new RowPoller(settings, source, event(), new SourceStart(settings, sender, batch, counters), counters,
            outage, context == null ? Clock.SYSTEM : context.clock());
    }

    /** The type of the events; {@code null} without a channel and without the property. */
    private EventType event() throws JdbcAdapterException
    {
        final EventType declared = eventTypeName == null || context == null ? null :
            context.eventTypes().eventType(eventTypeName);
        final EventType sent = sender == null ? declared : sender.schema().type();
        if (eventTypeName != null && (sent == null || !sent.name().equals(eventTypeName)))
        {
            throw new JdbcAdapterException(JdbcErrorCode.EVENTS, "the event type is unknown or not that of the " +
                "channel, stage=" + settings.stage() + " eventTypeName=" + eventTypeName + " channelType=" +
                (sent == null ? "unknown" : sent.name()), "correct eventTypeName, or leave it out", null);
        }
        return sent;
    }

    @Override
    public void run()
    {
        if (sender == null)
        {
            throw new IllegalStateException(JdbcErrorCode.EVENTS.message("the source has no listener, stage=" +
                settings.stage(), "add one, usually a channel"));
        }
        runner.run(this::poll);
    }

    private void poll()
    {
        if (!isSuspended)
        {
            poller.run();
        }
    }

    @Override
    public void suspend() throws InterruptedException
    {
        isSuspended = true;
        runner.stop(poller);
    }

    @Override
    public void beforeResume() throws JdbcAdapterException
    {
        poller = poller(DataSources.resolve(dataSource, dataSources, settings.stage()));
        isSuspended = false;
    }

    @Override
    public void destroy() throws IOException, InterruptedException
    {
        suspend();
        if (!runner.awaitEnd())
        {
            throw new IOException(JdbcErrorCode.AWAY.message("the database neither responds nor closes the connection, "
                + "or a stage below is blocked, stage=" + settings.stage(), "check the database and that stage"));
        }
        LOG.info("source ended, {}", counters.snapshot());
    }

    @Override
    public Map<String, Object> statistics()
    {
        return counters.snapshot();
    }
}
