package dev.millrace.adapter.mqtt.outbound;

import dev.millrace.adapter.common.encode.CsvFormat;
import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.adapter.common.encode.FormatProperties;
import dev.millrace.adapter.common.encode.JsonFormat;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.common.source.ConnectionWatch;
import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.mqtt.connect.ConnectionProperties;
import dev.millrace.adapter.mqtt.connect.MqttErrorCode;
import dev.millrace.adapter.mqtt.connect.MqttStage;
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
 * Sink that publishes each row as a message. The module's README.md describes its properties.
 *
 * <p>Threads: the channel's thread publishes, and waits while the broker is unavailable; another one checks the
 * connection between batches. Failure: deployment fails if a property is wrong, but not if the broker is unavailable;
 * rows without a topic are rejected.
 */
public final class MqttSink extends MqttStage implements EventBatchSink, InitializingBean, ActivatableBean,
    DisposableBean, StatisticsSource
{
    private static final int MAX_MILLIS = 3_600_000;

    private final ConnectionProperties connection;
    private final FormatProperties format = new FormatProperties();
    private final NamedSecrets secrets;
    private final SinkCounters counters = new SinkCounters();
    private String eventTypeName;
    private String topic;
    private int qos = 1;
    private boolean retained;
    private String formatName = "json";
    private int maxRetryMillis = 10_000;
    private PropertyCheck check;
    private SinkSettings settings;
    private BatchPublisher publisher;
    private ConnectionWatch watch;

    /** @param secrets of the server */
    public MqttSink(final NamedSecrets secrets)
    {
        this(new ConnectionProperties(), secrets);
    }

    private MqttSink(final ConnectionProperties connection, final NamedSecrets secrets)
    {
        super(connection);
        this.connection = connection;
        this.secrets = secrets;
        connection.cleanStart = true;
        connection.sessionExpirySeconds = 0;
        format.header = false;
    }

    /** The event type. Optional: if set, deployment checks {@code columns}. */
    public void setEventTypeName(final String name)
    {
        eventTypeName = name;
    }

    /** The topic, which may contain properties in braces. Required. */
    public void setTopic(final String template)
    {
        topic = template;
    }

    /** The QoS of messages, 0 to 2; default 1. */
    public void setQos(final int level)
    {
        qos = level;
    }

    /** Whether the broker keeps the last message of each topic for later subscribers; default false. */
    public void setRetained(final boolean isRetained)
    {
        retained = isRetained;
    }

    /** {@code json} or {@code csv}: the format of payloads; default json. */
    public void setFormat(final String name)
    {
        formatName = name;
    }

    /** The properties to write, separated by commas; default all. */
    public void setColumns(final String names)
    {
        format.columns = names;
    }

    /** Whether each message of CSV begins with the names of the columns; default false. */
    public void setHeader(final boolean header)
    {
        format.header = header;
    }

    /** The separator of CSV: a character or {@code tab}; default a comma. */
    public void setSeparator(final String separator)
    {
        format.separator = separator;
    }

    /** The name of a further column for the time of rows; default none. */
    public void setTimeColumn(final String name)
    {
        format.timeColumn = name;
    }

    /** The name of a further column for INSERT, DELETE or UPDATE; required for relations. */
    public void setKindColumn(final String name)
    {
        format.kindColumn = name;
    }

    /** The maximum time between two attempts to connect; default 10000. */
    public void setMaxRetryMillis(final int millis)
    {
        maxRetryMillis = millis;
    }

    @Override
    public void afterPropertiesSet()
    {
        check = check("sink");
        check.range("qos", qos, 0, 2);
        check.range("maxRetryMillis", maxRetryMillis, 1, MAX_MILLIS);
        settings = new SinkSettings(connection.check(check, secrets), new TopicTemplate(check, topic), qos, retained,
            check.is("format", formatName, "csv", "json"), format.check(check), maxRetryMillis);
    }

    /** Connects, unless the broker is unavailable. */
    @Override
    public void afterConfigurationActive()
    {
        final EventFormatter formatter = new EventFormatter(settings.isCsv() ? new CsvFormat() : new JsonFormat(),
            settings.format(), check, MqttErrorCode.EVENTS);
        formatter.check(context(), eventTypeName);
        publisher = new BatchPublisher(settings, formatter, counters,
            new Outage(conditions(), counters::trouble, settings.maxRetryMillis()));
        publisher.checkConnection();
        watch = new ConnectionWatch(settings.connection().stageName(), publisher::checkConnection);
    }

    @Override
    public void onBatch(final EventBatch batch) throws EventRejectedException
    {
        if (batch.size() > 0)
        {
            publisher.publish(batch);
        }
    }

    @Override
    public void destroy()
    {
        if (publisher != null)
        {
            watch.close();
            publisher.end();
        }
    }

    @Override
    public Map<String, Object> statistics()
    {
        return counters.snapshot();
    }
}
