package dev.millrace.adapter.http.pubsub;

import dev.millrace.adapter.common.decode.ColumnNames;
import dev.millrace.adapter.common.source.Deadline;
import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.common.source.RowBatch;
import dev.millrace.adapter.http.api.InboundMessageConverter;
import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.api.event.EventType;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.lifecycle.ResumableBean;
import dev.millrace.api.lifecycle.RunnableBean;
import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Source of the messages of a channel. PUBSUB.md describes its properties.
 *
 * <p>Threads: rows are decoded and sent by the thread that calls {@link #run}; threads of the client, or those that
 * publish to a local channel, fill its queue. Failure: deployment fails if a property is wrong or does not match the
 * event type, but not if a remote server is unavailable: it is tried again.
 */
public final class ChannelSource extends ChannelStage implements EventBatchSource, InitializingBean, ActivatableBean,
    RunnableBean, ResumableBean, DisposableBean, StatisticsSource
{
    private static final int POLL_MS = 20;
    private static final int MIN_BYTES = 16;
    private static final int MAX_BYTES = 1 << 30;

    private final ChannelServerPool pool;
    private final SourceCounters counters = new SourceCounters();
    private String eventTypeName;
    private Object converterBean;
    private String columns;
    private String missing = "reject";
    private int maxMessageBytes = 1 << 20;
    private int maxQueueBytes = 4 << 20;
    private ConnectionSettings settings;
    private boolean isMissingNull;
    private List<String> columnNames;
    private EventBatchSender sender;
    private ReceivedQueue queue;
    private RowBatch rows;
    private MessageReader reader;
    private Outage outage;
    private ChannelServerPool.Use use;
    private Deadline firstResponse = Deadline.afterMillis(0);
    private Deadline nextFailure = Deadline.afterMillis(0);
    private volatile boolean isStopping;

    /**
     * Creates a source.
     *
     * @param secrets of the server
     * @param pool    running servers of channels
     */
    public ChannelSource(final NamedSecrets secrets, final ChannelServerPool pool)
    {
        super(secrets);
        this.pool = pool;
    }

    /** The event type. Optional: the channel after the adapter specifies it too, and both must be equal. */
    public void setEventTypeName(final String name)
    {
        eventTypeName = name;
    }

    /** A bean that implements {@link InboundMessageConverter}; default none. */
    public void setConverterBean(final Object bean)
    {
        converterBean = bean;
    }

    /** The properties that are read, separated by commas; default all. */
    public void setColumns(final String names)
    {
        columns = names;
    }

    /** {@code reject} or {@code null}: what a missing member means; default reject. */
    public void setMissing(final String meaning)
    {
        missing = meaning;
    }

    /** The maximum size of a message; default 1048576. */
    public void setMaxMessageBytes(final int bytes)
    {
        maxMessageBytes = bytes;
    }

    /** The maximum size of the messages that wait for the source; default 4194304. */
    public void setMaxQueueBytes(final int bytes)
    {
        maxQueueBytes = bytes;
    }

    @Override
    public void setBatchSender(final EventBatchSender given)
    {
        sender = given;
    }

    @Override
    public void afterPropertiesSet()
    {
        settings = connection(true);
        settings.check().range("maxMessageBytes", maxMessageBytes, MIN_BYTES, MAX_BYTES);
        settings.check().range("maxQueueBytes", maxQueueBytes, MIN_BYTES, MAX_BYTES);
        isMissingNull = settings.check().is("missing", missing, "null", "reject");
        columnNames = settings.check().names("columns", columns, "list properties, separated by commas");
        settings.check().require("converterBean", String.valueOf(converterBean),
            converterBean == null || converterBean instanceof InboundMessageConverter,
            "refer to a bean that implements " + InboundMessageConverter.class.getName());
        if (!settings.isRemote())
        {
            pool.check(settings.check(), settings.contextPath());
        }
    }

    /** Compares the properties with the event type of the channel, and starts the local server of channels. */
    @Override
    public void afterConfigurationActive() throws IOException
    {
        if (sender == null)
        {
            return;
        }
        final EventType type = sender.schema().type();
        if (eventTypeName != null && !eventTypeName.equals(type.name()))
        {
            throw new IllegalArgumentException(HttpErrorCode.TYPE.message("the event type of the source is not that " +
                "of the channel, stage=" + settings.stageName() + " eventTypeName=" + eventTypeName + " type=" +
                type.name(), "correct eventTypeName, or leave it out"));
        }
        rows = new RowBatch(sender, counters::sent);
        queue = new ReceivedQueue(maxQueueBytes);
        outage = new Outage(conditions(), counters::trouble, settings.maxRetryMillis());
        reader = new MessageReader(rows, type, columns(type), isMissingNull, maxMessageBytes,
            converterBean == null ? null : context().objects(sender.schema()), (InboundMessageConverter)converterBean,
            counters, context() == null ? Clock.SYSTEM : context().clock());
        if (!settings.isRemote())
        {
            use = pool.use(settings.check(), settings.contextPath(), settings.channel());
        }
    }

    private int[] columns(final EventType type)
    {
        try
        {
            return converterBean != null ? new int[0] : ColumnNames.of(type, columnNames);
        }
        catch (final IllegalArgumentException e)
        {
            throw settings.check().wrong("columns", e.getMessage(),
                "list properties of the event type that can be read, or set converterBean");
        }
    }

    @Override
    public void run()
    {
        if (reader == null)
        {
            throw new IllegalStateException(HttpErrorCode.NO_LISTENER.message("the source has no listener, stage=" +
                settings.stageName(), "add one, usually a channel"));
        }
        queue.open(true);
        firstResponse = Deadline.afterMillis(settings.timeoutMillis());
        final MessageFeed feed = use == null ? new RemoteFeed(settings, queue, counters) :
            new LocalFeed(use.hub(), settings.channel(), queue, counters);
        try
        {
            feed.open();
            receive(feed);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        finally
        {
            queue.open(false);
            counters.connected(false);
            feed.close();
            rest();
        }
    }

    private void receive(final MessageFeed feed) throws InterruptedException
    {
        while (!isStopping)
        {
            check(feed);
            byte[] message = queue.poll(POLL_MS);
            while (message != null && !isStopping)
            {
                reader.read(message);
                message = queue.poll(0);
            }
            if (message != null)
            {
                reader.read(message);
            }
            rows.flush();
        }
    }

    private void check(final MessageFeed feed)
    {
        if (!nextFailure.hasPassed())
        {
            return;
        }
        final String trouble = feed.check();
        counters.connected(trouble == null);
        if (trouble == null)
        {
            outage.ended();
        }
        else if (!trouble.equals(RemoteServer.PENDING) || firstResponse.hasPassed())
        {
            nextFailure = Deadline.afterMillis(outage.failed(HttpErrorCode.CHANNELS_AWAY,
                HttpErrorCode.CHANNELS_AWAY.message("the server of channels is unavailable, stage=" +
                settings.stageName() + " url=" + settings.serverUrl() + " channel=" + settings.channel() + " reason=" +
                trouble, "start or correct it; messages that it publishes in the meantime are lost")));
        }
    }

    /** Sends the messages that were received before the source ended. */
    private void rest()
    {
        try
        {
            for (byte[] message = queue.poll(0); message != null; message = queue.poll(0))
            {
                reader.read(message);
            }
            rows.flush();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void suspend()
    {
        isStopping = true;
        if (queue != null)
        {
            queue.open(false);
        }
    }

    @Override
    public void beforeResume()
    {
        isStopping = false;
    }

    @Override
    public void destroy()
    {
        suspend();
        if (use != null)
        {
            use.close();
        }
    }

    @Override
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = counters.snapshot();
        if (queue != null)
        {
            figures.put("waitingMessages", queue.size());
        }
        return figures;
    }
}
