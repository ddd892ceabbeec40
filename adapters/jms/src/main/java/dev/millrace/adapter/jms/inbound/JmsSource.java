package dev.millrace.adapter.jms.inbound;

import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.common.source.RowBatch;
import dev.millrace.adapter.common.source.SourceRunner;
import dev.millrace.adapter.jms.api.InboundMessageConverter;
import dev.millrace.adapter.jms.connect.AllowedNames;
import dev.millrace.adapter.jms.connect.Connector;
import dev.millrace.adapter.jms.connect.JmsErrorCode;
import dev.millrace.adapter.jms.connect.JmsStage;
import dev.millrace.adapter.jms.connect.ProviderClasses;
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
import dev.millrace.api.stage.EventObjects;
import dev.millrace.api.stage.StatisticsSource;
import java.io.IOException;
import java.util.Map;

/**
 * Source of the messages of a queue or topic. The module's README.md describes its properties.
 *
 * <p>Threads: {@link #run} makes all calls of the provider on its thread; life-cycle calls come from the managing
 * thread. Failure: deployment fails if a property is wrong or does not match the event type, but not if the broker is
 * unavailable: it is tried again.
 */
public final class JmsSource extends JmsStage implements EventBatchSource, InitializingBean, ActivatableBean,
    RunnableBean, ResumableBean, DisposableBean, StatisticsSource
{
    private final SourceProperties properties;
    private final NamedSecrets secrets;
    private final ProviderClasses classes;
    private final SourceCounters counters = new SourceCounters();
    private final SourceRunner runner = new SourceRunner();
    private String eventTypeName;
    private Object converterBean;
    private EventBatchSender sender;
    private SourceSettings settings;
    private ReceiveLoop loop;

    /**
     * Creates a source.
     *
     * @param secrets of the server
     * @param classes finds the classes of the provider
     */
    public JmsSource(final NamedSecrets secrets, final ProviderClasses classes)
    {
        this(new SourceProperties(), secrets, classes);
    }

    private JmsSource(
        final SourceProperties properties, final NamedSecrets secrets, final ProviderClasses classes)
    {
        super(properties.connection);
        this.properties = properties;
        this.secrets = secrets;
        this.classes = classes;
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

    /** Which messages are received; default all. */
    public void setMessageSelector(final String selector)
    {
        properties.messageSelector = selector;
    }

    /** The name of a durable subscription of a topic; default none. */
    public void setSubscriptionName(final String name)
    {
        properties.subscriptionName = name;
    }

    /** Whether several consumers share the subscription; default false. */
    public void setSubscriptionShared(final boolean shared)
    {
        properties.subscriptionShared = shared;
    }

    /** Whether messages are received in transactions; default true. */
    public void setSessionTransacted(final boolean transacted)
    {
        properties.sessionTransacted = transacted;
    }

    /** How messages are acknowledged without transactions; default AUTO_ACKNOWLEDGE. */
    public void setSessionAckModeName(final String name)
    {
        properties.sessionAckModeName = name;
    }

    /** The maximum number of messages in a transaction; default 1000. */
    public void setTransactionMessages(final int messages)
    {
        properties.transactionMessages = messages;
    }

    /** How long the stages below may take to store rows; default 30000. */
    public void setStoredMillis(final int millis)
    {
        properties.storedMillis = millis;
    }

    /** The queue or topic that receives rejected messages; default none. */
    public void setDeadLetterName(final String name)
    {
        properties.deadLetterName = name;
    }

    /** {@code QUEUE} or {@code TOPIC}; default QUEUE. */
    public void setDeadLetterType(final String type)
    {
        properties.deadLetterType = type;
    }

    /** {@code json}, {@code jsonlines} or {@code csv}: the format of text and bytes messages; default json. */
    public void setFormat(final String name)
    {
        properties.format = name;
    }

    /** The properties that are read; for CSV in the order of the fields. */
    public void setColumns(final String names)
    {
        properties.columns = names;
    }

    /** The property that receives the id of the message; default none. */
    public void setMessageIdColumn(final String name)
    {
        properties.messageIdColumn = name;
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

    /** The charset of bytes messages; default UTF-8. */
    public void setCharset(final String charset)
    {
        properties.charset = charset;
    }

    /** The maximum size of the body of a text or bytes message; default 1048576. */
    public void setMaxMessageBytes(final int bytes)
    {
        properties.maxMessageBytes = bytes;
    }

    /** The maximum time between two attempts to connect; default 10000. */
    public void setMaxRetryMillis(final int millis)
    {
        properties.maxRetryMillis = millis;
    }

    /** The file with the numbers of messages; default below the state of the application. */
    public void setNumberFile(final String file)
    {
        properties.numberFile = file;
    }

    @Override
    public void setBatchSender(final EventBatchSender given)
    {
        sender = given;
    }

    @Override
    public void afterPropertiesSet()
    {
        settings = properties.check(applicationName(), stageId("source"),
            new AllowedNames(System.getProperty(AllowedNames.PROPERTY)), secrets);
        check(settings.stageName()).require("converterBean", String.valueOf(converterBean),
            converterBean == null || converterBean instanceof InboundMessageConverter,
            "refer to a bean that implements " + InboundMessageConverter.class.getName());
        if (eventTypeName != null && eventTypes() != null && eventTypes().eventType(eventTypeName) == null)
        {
            throw wrongType(eventTypes().eventTypes().stream().map(EventType::name).toList().toString());
        }
    }

    private IllegalArgumentException wrongType(final String known)
    {
        return new IllegalArgumentException(JmsErrorCode.TYPE.message("the event type of the source is unknown or " +
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
        final String idColumn = settings.messageIdColumn();
        final int index = idColumn == null ? -1 : type.indexOf(idColumn);
        check(settings.stageName()).require("messageIdColumn", idColumn, idColumn == null ||
            index >= 0 && type.properties().get(index).type() == CqlType.CHAR, "name a property of type char");
        final RowBatch rows = new RowBatch(sender, counters::sent);
        loop = new ReceiveLoop(settings, new Connector(settings.stageName(), settings.connection(), classes),
            reader(rows, type), rows, sender, counters,
            new Outage(conditions(), counters::trouble, settings.maxRetryMillis()), clock());
    }

    private MessageReader reader(final RowBatch rows, final EventType type)
    {
        final EventObjects objects = objects(sender.schema());
        try
        {
            return new MessageReader(settings, rows, type, objects, (InboundMessageConverter)converterBean);
        }
        catch (final IllegalArgumentException e)
        {
            throw check(settings.stageName()).wrong("columns", e.getMessage(),
                "list properties of the event type that can be read, or set converterBean");
        }
    }

    @Override
    public void run()
    {
        if (loop == null)
        {
            throw new IllegalStateException(JmsErrorCode.NO_LISTENER.message("the source has no listener, stage=" +
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
            throw new IOException(JmsErrorCode.AWAY.message("the broker neither responds nor closes the connection, " +
                "or a stage below is blocked, stage=" + settings.stageName(), "check the broker and that stage"));
        }
    }

    @Override
    public Map<String, Object> statistics()
    {
        return counters.snapshot();
    }
}
