package dev.millrace.adapter.kafka.outbound;

import dev.millrace.adapter.common.encode.CsvFormat;
import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.adapter.common.encode.JsonFormat;
import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.kafka.property.ClientProperties;
import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import java.util.Map;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sink that writes events to a Kafka topic. The module's README.md describes its properties.
 *
 * <p>Threads: the channel's thread encodes rows and waits for the brokers; with {@code exactlyOnce} another thread
 * commits transactions. Failure: deployment fails if a property is wrong; rows wait while the brokers do not respond.
 */
public final class KafkaSink implements Adapter, SequencedSink, StageContextAware, InitializingBean, ActivatableBean,
    DisposableBean, StatisticsSource
{
    private static final Logger LOG = LoggerFactory.getLogger(KafkaSink.class);

    private final NamedSecrets secrets;
    private final SinkProperties properties = new SinkProperties();
    private final SinkCounters counters = new SinkCounters();
    private Properties clientProperties;
    private String eventTypeName;
    private StageContext context;
    private SinkSettings settings;
    private ProducerFactory clients;
    private EventFormatter formatter;
    private volatile RecordOutput output;

    /** @param secrets that client properties may name */
    public KafkaSink(final NamedSecrets secrets)
    {
        this.secrets = secrets;
    }

    /** Addresses of brokers, separated by commas. Required. */
    public void setServers(final String servers)
    {
        properties.servers = servers;
    }

    /** The topic. Required. */
    public void setTopic(final String topic)
    {
        properties.topic = topic;
    }

    /** The format of values: {@code json}, {@code csv}, {@code wire} or {@code avro}; default json. */
    public void setFormat(final String format)
    {
        properties.valueFormat = format;
    }

    /** The file with the schema of values of Avro, which then have no header. */
    public void setSchemaFile(final String file)
    {
        properties.schemaFile = file;
    }

    /** The address of a registry with the schema of values of Avro. */
    public void setSchemaRegistry(final String url)
    {
        properties.schemaRegistry = url;
    }

    /** The id of the schema in the registry, which values begin with. */
    public void setSchemaId(final int id)
    {
        properties.schemaId = id;
    }

    /** The properties to write, separated by commas; default: all. */
    public void setColumns(final String names)
    {
        properties.format.columns = names;
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

    /** The property that is the key of records; default none. */
    public void setKeyColumn(final String name)
    {
        properties.keyColumn = name;
    }

    /** The property that is the number of the partition; default: the client selects it, by the key if there is one. */
    public void setPartitionColumn(final String name)
    {
        properties.partitionColumn = name;
    }

    /** Headers and the properties that fill them, such as source=origin, trace. */
    public void setHeaderColumns(final String names)
    {
        properties.headerColumns = names;
    }

    /** Which brokers confirm a record: {@code all}, {@code 1} or {@code 0}; default all. */
    public void setAcks(final String acks)
    {
        properties.acks = acks;
    }

    /** Whether the channel waits until the brokers have confirmed its rows; default true. */
    public void setWaitForAcks(final boolean wait)
    {
        properties.waitForAcks = wait;
    }

    /** Whether rows of durable processors are written exactly once; default false. */
    public void setExactlyOnce(final boolean exactlyOnce)
    {
        properties.exactlyOnce = exactlyOnce;
    }

    /** The topic for numbers of rows; default millrace-positions. */
    public void setPositionTopic(final String topic)
    {
        properties.positionTopic = topic;
    }

    /** The id of the transactions, unique among all sinks of the brokers; default APPLICATION.STAGE. */
    public void setTransactionalId(final String id)
    {
        properties.transactionalId = id;
    }

    /** The time between two commits of transactions; default 100. */
    public void setCommitMillis(final int millis)
    {
        properties.commitMillis = millis;
    }

    /** The maximum number of rows of a transaction; default 10000. */
    public void setCommitRows(final int rows)
    {
        properties.commitRows = rows;
    }

    /** The time in which brokers must answer; default 5000. */
    public void setAnswerMillis(final int millis)
    {
        properties.answerMillis = millis;
    }

    /** The maximum time between two attempts; default 5000. */
    public void setMaxRetryMillis(final int millis)
    {
        properties.maxRetryMillis = millis;
    }

    /** Further properties of Kafka's producer, which may contain <code>${secret:NAME}</code>. */
    public void setClientProperties(final Properties given)
    {
        clientProperties = given;
    }

    /** The event type. Optional: if set, deployment checks {@code columns}. */
    public void setEventTypeName(final String name)
    {
        eventTypeName = name;
    }

    @Override
    public void setStageContext(final StageContext given)
    {
        context = given;
    }

    @Override
    public void afterPropertiesSet()
    {
        settings = properties.check(context == null ? "application" : context.applicationName(),
            context == null ? "sink" : context.stageId());
        clients = new ProducerFactory(settings, new ClientProperties(settings.check(), clientProperties)
            .resolve(settings.check(), secrets));
        formatter = new EventFormatter(properties.valueFormat.equals("csv") ? new CsvFormat() : new JsonFormat(),
            settings.format(), settings.check(), KafkaErrorCode.EVENTS);
    }

    /** Checks the columns and the properties of the client. */
    @Override
    public void afterConfigurationActive()
    {
        formatter.check(context, eventTypeName);
        clients.check();
        final StageConditions conditions = context == null ? StageConditions.NONE : context.conditions();
        final RecordEncoder encoder = new RecordEncoder(settings, switch (properties.valueFormat)
        {
            case "wire" -> new WireEncoder(settings, formatter);
            case "avro" -> new AvroEncoder(settings, formatter);
            default -> new TextEncoder(formatter);
        });
        final RecordCheck check = new RecordCheck(settings, clients.maxRequestBytes());
        final SinkOutage outage = new SinkOutage(settings,
            new Outage(conditions, text -> counters.trouble = text, settings.maxRetryMillis()));
        output = settings.exactlyOnce() ?
            new TransactionalOutput(settings, encoder, check, outage, counters, conditions, clients) :
            new ConfirmedOutput(settings, encoder, check, outage, counters, clients.producer());
    }

    @Override
    public void onBatch(final EventBatch batch) throws EventRejectedException
    {
        if (batch.size() > 0)
        {
            output.write(batch);
        }
    }

    @Override
    public long receivedFrom(final String producer)
    {
        return output.receivedFrom(producer);
    }

    @Override
    public void destroy()
    {
        if (output != null)
        {
            output.close();
            LOG.info("sink ended, stage={} {}", settings.stageName(), statistics());
        }
    }

    @Override
    public Map<String, Object> statistics()
    {
        return counters.snapshot();
    }
}
