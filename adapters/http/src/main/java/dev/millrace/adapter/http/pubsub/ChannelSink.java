package dev.millrace.adapter.http.pubsub;

import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.adapter.common.encode.FormatProperties;
import dev.millrace.adapter.common.encode.FormatSettings;
import dev.millrace.adapter.common.encode.JsonFormat;
import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.http.api.OutboundMessageConverter;
import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.stage.BatchRejectedException;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StatisticsSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Sink that publishes rows to a channel. PUBSUB.md describes its properties.
 *
 * <p>Threads: the channel's thread publishes; it waits for a remote server but never for subscribers. Failure:
 * deployment fails if a property is wrong or a port of a local server cannot be opened, but not if a remote server is
 * unavailable; rows without a representation are rejected.
 */
public final class ChannelSink extends ChannelStage implements EventBatchSink, InitializingBean, ActivatableBean,
    DisposableBean, StatisticsSource
{
    private final ChannelServerPool pool;
    private final FormatProperties format = new FormatProperties();
    private final SinkCounters counters = new SinkCounters();
    private String eventTypeName;
    private Object converterBean;
    private String messages = "row";
    private boolean isArray;
    private ConnectionSettings settings;
    private FormatSettings formatSettings;
    private MessageWriter writer;
    private volatile MessagePublisher publisher;
    private String refusal;

    /**
     * Creates a sink.
     *
     * @param secrets of the server
     * @param pool    running servers of channels
     */
    public ChannelSink(final NamedSecrets secrets, final ChannelServerPool pool)
    {
        super(secrets);
        this.pool = pool;
    }

    /** The event type. Optional: if set, deployment checks {@code columns}. */
    public void setEventTypeName(final String name)
    {
        eventTypeName = name;
    }

    /** A bean that implements {@link OutboundMessageConverter}; default none. */
    public void setConverterBean(final Object bean)
    {
        converterBean = bean;
    }

    /** {@code row} or {@code array}: a message per row, or one per batch; default row. */
    public void setMessages(final String unit)
    {
        messages = unit;
    }

    /** The properties to write, separated by commas; default all. */
    public void setColumns(final String names)
    {
        format.columns = names;
    }

    /** The name of a further member for the time of rows; default none. */
    public void setTimeColumn(final String name)
    {
        format.timeColumn = name;
    }

    /** The name of a further member for INSERT, DELETE or UPDATE; required for relations. */
    public void setKindColumn(final String name)
    {
        format.kindColumn = name;
    }

    @Override
    public void afterPropertiesSet()
    {
        settings = connection(false);
        isArray = settings.check().is("messages", messages, "array", "row");
        settings.check().require("converterBean", String.valueOf(converterBean),
            converterBean == null || converterBean instanceof OutboundMessageConverter,
            "refer to a bean that implements " + OutboundMessageConverter.class.getName());
        formatSettings = format.check(settings.check());
        if (!settings.isRemote())
        {
            pool.check(settings.check(), settings.contextPath());
        }
    }

    /** Starts the local server of channels, or connects to the remote one unless it is unavailable. */
    @Override
    public void afterConfigurationActive() throws IOException
    {
        final EventFormatter formatter =
            new EventFormatter(new JsonFormat(), formatSettings, settings.check(), HttpErrorCode.EVENTS);
        formatter.check(context(), eventTypeName);
        writer = new MessageWriter(settings.stageName(), formatter, (OutboundMessageConverter)converterBean,
            schema -> context().objects(schema));
        publisher = publisher();
    }

    private MessagePublisher publisher() throws IOException
    {
        return settings.isRemote() ? new RemotePublisher(settings, counters,
            new Outage(conditions(), counters::trouble, settings.maxRetryMillis())) :
            new LocalPublisher(pool.use(settings.check(), settings.contextPath(), settings.channel()),
            settings.channel());
    }

    @Override
    public void onBatch(final EventBatch batch) throws EventRejectedException
    {
        if (batch.size() == 0)
        {
            return;
        }
        writer.map(batch);
        final List<String> values = new ArrayList<>();
        final List<Object> rejected = new ArrayList<>();
        for (int row = 0; row < batch.size(); row++)
        {
            write(batch, row, values, rejected);
        }
        if (!values.isEmpty())
        {
            final List<String> published = isArray ? List.of('[' + String.join(",", values) + ']') : values;
            publisher.publish(published);
            counters.messages(published.size());
        }
        counters.rows(batch.size() - rejected.size());
        if (!rejected.isEmpty())
        {
            throw new BatchRejectedException(refusal, rejected);
        }
    }

    private void write(final EventBatch batch, final int row, final List<String> values, final List<Object> rejected)
    {
        try
        {
            values.addAll(writer.write(batch, row));
        }
        catch (final EventRejectedException e)
        {
            refusal = e.getMessage();
            rejected.add(refusal);
            counters.rejected("no-message", refusal);
        }
    }

    /** The port of the local server, in the order of its description. */
    int port(final int index)
    {
        return ((LocalPublisher)publisher).port(index);
    }

    @Override
    public void destroy()
    {
        final MessagePublisher open = publisher;
        if (open != null)
        {
            open.close();
        }
    }

    @Override
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = counters.snapshot();
        final MessagePublisher open = publisher;
        if (open != null)
        {
            figures.putAll(open.statistics());
        }
        return figures;
    }
}
