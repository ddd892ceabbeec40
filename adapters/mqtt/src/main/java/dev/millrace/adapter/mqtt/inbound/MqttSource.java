package dev.millrace.adapter.mqtt.inbound;

import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.common.source.RowBatch;
import dev.millrace.adapter.common.source.SourceRunner;
import dev.millrace.adapter.mqtt.connect.MqttErrorCode;
import dev.millrace.adapter.mqtt.connect.MqttStage;
import dev.millrace.api.event.CqlType;
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
import java.io.IOException;
import java.util.Map;

/**
 * Source of the messages of topics. The module's README.md describes its properties.
 *
 * <p>Threads: {@link #run} decodes on its thread, a thread of the connection hands messages over; life-cycle calls come
 * from the managing thread. Failure: deployment fails if a property is wrong or does not match the event type, but not
 * if the broker is unavailable: it is tried again.
 */
public final class MqttSource extends MqttStage implements EventBatchSource, InitializingBean, ActivatableBean,
    RunnableBean, ResumableBean, DisposableBean, StatisticsSource
{
    private final SourceProperties properties;
    private final NamedSecrets secrets;
    private final SourceCounters counters = new SourceCounters();
    private final SourceRunner runner = new SourceRunner();
    private String eventTypeName;
    private EventBatchSender sender;
    private PropertyCheck check;
    private SourceSettings settings;
    private ReceiveLoop loop;

    /** @param secrets of the server */
    public MqttSource(final NamedSecrets secrets)
    {
        this(new SourceProperties(), secrets);
    }

    private MqttSource(final SourceProperties properties, final NamedSecrets secrets)
    {
        super(properties.connection);
        this.properties = properties;
        this.secrets = secrets;
    }

    /** The event type. Optional: the channel after the adapter specifies it too, and both must be equal. */
    public void setEventTypeName(final String name)
    {
        eventTypeName = name;
    }

    /** The topic filters of the subscriptions, separated by commas. Required. */
    public void setTopics(final String filters)
    {
        properties.topics = filters;
    }

    /** The highest QoS of messages, 0 to 2; default 1. */
    public void setQos(final int qos)
    {
        properties.qos = qos;
    }

    /** The topic to which rejected messages are published; default none. */
    public void setDeadLetterTopic(final String topic)
    {
        properties.deadLetterTopic = topic;
    }

    /** How long the stages below may take to store rows; default 30000. */
    public void setStoredMillis(final int millis)
    {
        properties.storedMillis = millis;
    }

    /** {@code json}, {@code jsonlines} or {@code csv}: the format of payloads; default json. */
    public void setFormat(final String name)
    {
        properties.format = name;
    }

    /** The properties that are read; for CSV in the order of the fields. */
    public void setColumns(final String names)
    {
        properties.columns = names;
    }

    /** The property that receives the topic; default none. */
    public void setTopicColumn(final String name)
    {
        properties.topicColumn = name;
    }

    /** Whether CSV begins with the names of the columns; default false. */
    public void setHeader(final boolean header)
    {
        properties.header = header;
    }

    /** The separator of CSV: a character or {@code tab}; default a comma. */
    public void setSeparator(final String separator)
    {
        properties.separator = separator;
    }

    /** A further representation of null in CSV; default none. */
    public void setNullText(final String text)
    {
        properties.nullText = text;
    }

    /** {@code reject} or {@code null}: what a missing value means; default reject. */
    public void setMissing(final String meaning)
    {
        properties.missing = meaning;
    }

    /** The charset of payloads; default UTF-8. */
    public void setCharset(final String charset)
    {
        properties.charset = charset;
    }

    /** The maximum size of a payload; default 1048576. */
    public void setMaxMessageBytes(final int bytes)
    {
        properties.maxMessageBytes = bytes;
    }

    /** The maximum time between two attempts to connect; default 10000. */
    public void setMaxRetryMillis(final int millis)
    {
        properties.maxRetryMillis = millis;
    }

    @Override
    public void setBatchSender(final EventBatchSender given)
    {
        sender = given;
    }

    @Override
    public void afterPropertiesSet()
    {
        check = check("source");
        settings = properties.check(check, secrets);
        if (eventTypeName != null && context() != null && context().eventTypes().eventType(eventTypeName) == null)
        {
            throw wrongType(context().eventTypes().eventTypes().stream().map(EventType::name).toList().toString());
        }
    }

    private IllegalArgumentException wrongType(final String known)
    {
        return new IllegalArgumentException(MqttErrorCode.TYPE.message("the event type of the source is unknown or " +
            "not that of the channel, stage=" + settings.stageName() + " eventTypeName=" + eventTypeName + " known=" +
            known, "correct eventTypeName, or leave it out"));
    }

    /** Compares the properties with the event type of the channel. */
    @Override
    public void afterConfigurationActive()
    {
        if (sender == null)
        {
            return;
        }
        final EventType type = sender.schema().type();
        if (eventTypeName != null && !eventTypeName.equals(type.name()))
        {
            throw wrongType(type.name());
        }
        final String topicColumn = settings.topicColumn();
        final int index = topicColumn == null ? -1 : type.indexOf(topicColumn);
        check.require("topicColumn", topicColumn, topicColumn == null ||
            index >= 0 && type.properties().get(index).type() == CqlType.CHAR, "name a property of type char");
        final RowBatch rows = new RowBatch(sender, counters::sent);
        loop = new ReceiveLoop(settings, reader(rows, type), rows, sender, counters,
            new Outage(conditions(), counters::trouble, settings.maxRetryMillis()), clock());
    }

    private MessageReader reader(final RowBatch rows, final EventType type)
    {
        try
        {
            return new MessageReader(settings, rows, type);
        }
        catch (final IllegalArgumentException e)
        {
            throw check.wrong("columns", e.getMessage(), "list properties of the event type that can be read");
        }
    }

    @Override
    public void run()
    {
        if (loop == null)
        {
            throw new IllegalStateException(MqttErrorCode.NO_LISTENER.message("the source has no listener, stage=" +
                settings.stageName(), "add one, usually a channel"));
        }
        runner.run(loop);
    }

    @Override
    public void suspend() throws InterruptedException
    {
        runner.stop(loop);
    }

    @Override
    public void beforeResume()
    {
        if (loop != null)
        {
            loop.allowRun();
        }
    }

    @Override
    public void destroy() throws IOException, InterruptedException
    {
        suspend();
        if (!runner.awaitEnd())
        {
            throw new IOException(MqttErrorCode.AWAY.message("the broker does not respond, or a stage below is " +
                "blocked, stage=" + settings.stageName(), "check the broker and that stage"));
        }
    }

    @Override
    public Map<String, Object> statistics()
    {
        return counters.snapshot();
    }
}
