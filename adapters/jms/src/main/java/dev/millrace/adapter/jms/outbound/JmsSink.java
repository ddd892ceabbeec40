package dev.millrace.adapter.jms.outbound;

import dev.millrace.adapter.common.encode.CsvFormat;
import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.adapter.common.encode.JsonFormat;
import dev.millrace.adapter.common.source.ConnectionWatch;
import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.jms.api.OutboundMessageConverter;
import dev.millrace.adapter.jms.connect.AllowedNames;
import dev.millrace.adapter.jms.connect.Connector;
import dev.millrace.adapter.jms.connect.JmsErrorCode;
import dev.millrace.adapter.jms.connect.JmsStage;
import dev.millrace.adapter.jms.connect.ProviderClasses;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StatisticsSource;
import java.util.Map;

/**
 * Sink that sends each row as a message to a queue or topic. The module's README.md describes its properties.
 *
 * <p>Threads: the channel's thread sends, and waits while the broker is unavailable; another one checks the connection
 * between batches. Failure: deployment fails if a property is wrong, but not if the broker is unavailable; rows without
 * a representation are rejected.
 */
public final class JmsSink extends JmsStage implements EventBatchSink, InitializingBean, ActivatableBean,
    DisposableBean, StatisticsSource
{
    private final SinkProperties properties;
    private final NamedSecrets secrets;
    private final ProviderClasses classes;
    private final SinkCounters counters = new SinkCounters();
    private String eventTypeName;
    private Object converterBean;
    private SinkSettings settings;
    private BatchTransmitter transmitter;
    private ConnectionWatch watch;

    /**
     * Creates a sink.
     *
     * @param secrets of the server
     * @param classes finds the classes of the provider
     */
    public JmsSink(final NamedSecrets secrets, final ProviderClasses classes)
    {
        this(new SinkProperties(), secrets, classes);
    }

    private JmsSink(final SinkProperties properties, final NamedSecrets secrets, final ProviderClasses classes)
    {
        super(properties.connection);
        this.properties = properties;
        this.secrets = secrets;
        this.classes = classes;
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

    /** Whether each batch is a transaction; default true. */
    public void setSessionTransacted(final boolean transacted)
    {
        properties.sessionTransacted = transacted;
    }

    /** {@code persistent} or {@code nonpersistent}; default persistent. */
    public void setDeliveryMode(final String mode)
    {
        properties.deliveryMode = mode;
    }

    /** The priority of messages, 0 to 9; default 4. */
    public void setPriority(final int priority)
    {
        properties.priority = priority;
    }

    /** How long the broker keeps messages; default 0 = without limit. */
    public void setTimeToLiveMillis(final long millis)
    {
        properties.timeToLiveMillis = millis;
    }

    /** {@code text}, {@code bytes} or {@code map}; default text. */
    public void setMessageType(final String type)
    {
        properties.messageType = type;
    }

    /** {@code json} or {@code csv}: the format of text and bytes messages; default json. */
    public void setFormat(final String name)
    {
        properties.formatName = name;
    }

    /** The properties to write, separated by commas; default all. */
    public void setColumns(final String names)
    {
        properties.format.columns = names;
    }

    /** Whether each message of CSV begins with the names of the columns; default false. */
    public void setHeader(final boolean header)
    {
        properties.format.header = header;
    }

    /** The separator of CSV: a character or {@code tab}; default a comma. */
    public void setSeparator(final String separator)
    {
        properties.format.separator = separator;
    }

    /** The name of a further column for the time of rows; default none. */
    public void setTimeColumn(final String name)
    {
        properties.format.timeColumn = name;
    }

    /** The name of a further column for INSERT, DELETE or UPDATE; required for relations. */
    public void setKindColumn(final String name)
    {
        properties.format.kindColumn = name;
    }

    /** The maximum time between two attempts to connect; default 10000. */
    public void setMaxRetryMillis(final int millis)
    {
        properties.maxRetryMillis = millis;
    }

    @Override
    public void afterPropertiesSet()
    {
        settings = properties.check(applicationName(), stageId("sink"),
            new AllowedNames(System.getProperty(AllowedNames.PROPERTY)), secrets);
        check(settings.stageName()).require("converterBean", String.valueOf(converterBean),
            converterBean == null || converterBean instanceof OutboundMessageConverter,
            "refer to a bean that implements " + OutboundMessageConverter.class.getName());
    }

    /** Connects, unless the broker is unavailable. */
    @Override
    public void afterConfigurationActive()
    {
        final EventFormatter formatter = new EventFormatter(settings.isCsv() ? new CsvFormat() : new JsonFormat(),
            settings.format(), check(settings.stageName()), JmsErrorCode.EVENTS);
        formatter.check(context(), eventTypeName);
        final BatchTransmitter created = new BatchTransmitter(settings,
            new Connector(settings.stageName(), settings.connection(), classes),
            new MessageWriter(settings, formatter, (OutboundMessageConverter)converterBean,
            batch -> objects(batch.schema())), counters,
            new Outage(conditions(), counters::trouble, settings.maxRetryMillis()));
        transmitter = created;
        created.checkConnection();
        watch = new ConnectionWatch(settings.stageName(), created::checkConnection);
    }

    @Override
    public void onBatch(final EventBatch batch) throws EventRejectedException
    {
        if (batch.size() > 0)
        {
            transmitter.send(batch);
        }
    }

    @Override
    public void destroy()
    {
        final BatchTransmitter open = transmitter;
        if (open != null)
        {
            watch.close();
            open.end();
            open.abort();
            open.close();
        }
    }

    @Override
    public Map<String, Object> statistics()
    {
        return counters.snapshot();
    }
}
