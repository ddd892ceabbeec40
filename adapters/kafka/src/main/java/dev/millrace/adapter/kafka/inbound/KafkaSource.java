package dev.millrace.adapter.kafka.inbound;

import dev.millrace.adapter.common.decode.ColumnNames;
import dev.millrace.adapter.common.decode.CsvDecoder;
import dev.millrace.adapter.common.decode.JsonDecoder;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.common.source.RejectedRows;
import dev.millrace.adapter.kafka.property.ClientProperties;
import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.lifecycle.ResumableBean;
import dev.millrace.api.lifecycle.RunnableBean;
import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.api.time.Clock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;

/**
 * Source of the records of Kafka topics. SOURCE.md describes its properties.
 *
 * <p>Threads: reading is confined to the thread that calls {@link #run} and, with {@code threads}, to further ones that
 * it starts; life-cycle calls come from the managing thread and set a flag. Failure: deployment fails if a property is
 * wrong or does not match the event type, but not if the brokers are unavailable; records that cannot be decoded are
 * rejected.
 */
public final class KafkaSource implements Adapter, EventBatchSource, StageContextAware, InitializingBean,
    ActivatableBean, RunnableBean, ResumableBean, DisposableBean, StatisticsSource
{
    private final NamedSecrets secrets;
    private final SourceProperties properties = new SourceProperties();
    private final RejectedRows rejected = new RejectedRows();
    private final List<SourceCounters> counters = new ArrayList<>();
    private final List<ConsumerLoop> loops = new ArrayList<>();
    private Properties clientProperties;
    private String eventTypeName;
    private StageContext context;
    private EventBatchSender sender;
    private SourceSettings settings;
    private ValueFormat format;
    private ClientFactory clients;

    /** @param secrets that client properties may name */
    public KafkaSource(final NamedSecrets secrets)
    {
        this.secrets = secrets;
    }

    /** Addresses of brokers, separated by commas. Required. */
    public void setServers(final String servers)
    {
        properties.servers = servers;
    }

    /** The topics to read, separated by commas; required unless a pattern is set. */
    public void setTopics(final String topics)
    {
        properties.topics = topics;
    }

    /** A regular expression for the names of the topics to read. */
    public void setTopicPattern(final String pattern)
    {
        properties.topicPattern = pattern;
    }

    /** The partitions of each topic to read, such as 0-3, 7; default: the members of the group share them. */
    public void setPartitions(final String partitions)
    {
        properties.partitions = partitions;
    }

    /** The group in which positions are committed; default APPLICATION.STAGE. */
    public void setGroup(final String group)
    {
        properties.group = group;
    }

    /** Where to begin without a position: {@code earliest}, {@code latest} or an instant; default earliest. */
    public void setStart(final String start)
    {
        properties.start = start;
    }

    /** The format of values: {@code json}, {@code csv}, {@code wire} or {@code avro}; default json. */
    public void setFormat(final String format)
    {
        properties.format = format;
    }

    /** The file with the schema of values of Avro, which then have no header. */
    public void setSchemaFile(final String file)
    {
        properties.schemaFile = file;
    }

    /** The address of a registry with the schemas of values of Avro, which begin with the id of theirs. */
    public void setSchemaRegistry(final String url)
    {
        properties.schemaRegistry = url;
    }

    /** The properties that values contain; for CSV in the order of the fields; default all others. */
    public void setColumns(final String names)
    {
        properties.columns = names;
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

    /** {@code reject} or {@code null}: what a missing field means; default reject. */
    public void setMissing(final String meaning)
    {
        properties.missing = meaning;
    }

    /** The property that receives the time of the record. */
    public void setTimeColumn(final String name)
    {
        properties.timeColumn = name;
    }

    /** The property that receives the key. */
    public void setKeyColumn(final String name)
    {
        properties.keyColumn = name;
    }

    /** Headers and the properties that receive them, such as source=origin, trace. */
    public void setHeaderColumns(final String names)
    {
        properties.headerColumns = names;
    }

    /** The maximum number of bytes of a value; default 1048576. */
    public void setMaxValueBytes(final int bytes)
    {
        properties.maxValueBytes = bytes;
    }

    /** A topic for rejected records; default none. */
    public void setDeadLetterTopic(final String topic)
    {
        properties.deadLetterTopic = topic;
    }

    /** The number of threads, each with a consumer; default 1. */
    public void setThreads(final int count)
    {
        properties.threads = count;
    }

    /** The time between two commits of positions; default 1000. */
    public void setCommitMillis(final int millis)
    {
        properties.commitMillis = millis;
    }

    /** The time in which brokers must answer; default 5000. */
    public void setAnswerMillis(final int millis)
    {
        properties.answerMillis = millis;
    }

    /** The maximum time between two attempts; default 10000. */
    public void setMaxRetryMillis(final int millis)
    {
        properties.maxRetryMillis = millis;
    }

    /** Further properties of Kafka's consumer, which may contain <code>${secret:NAME}</code>. */
    public void setClientProperties(final Properties given)
    {
        clientProperties = given;
    }

    /** The event type. Optional: the channel after the adapter specifies it too, and both must be equal. */
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
    public void setBatchSender(final EventBatchSender given)
    {
        sender = given;
    }

    @Override
    public void afterPropertiesSet()
    {
        settings = properties.check(context == null ? "application" : context.applicationName(),
            context == null ? "source" : context.stageId());
        format = properties.format();
        clients = new ClientFactory(settings, new ClientProperties(settings.check(), clientProperties)
            .resolve(settings.check(), secrets));
        if (eventTypeName != null && context != null && context.eventTypes().eventType(eventTypeName) == null)
        {
            throw wrongType(context.eventTypes().eventTypes().stream().map(EventType::name).toList().toString());
        }
    }

    private IllegalArgumentException wrongType(final String known)
    {
        return new IllegalArgumentException(KafkaErrorCode.TYPE.message("the event type of the source is unknown or " +
            "not that of the channel, stage=" + settings.stageName() + " eventTypeName=" + eventTypeName + " known=" +
            known, "correct eventTypeName, or leave it out"));
    }

    /** Compares the columns with the event type of the channel, and checks the properties of the client. */
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
        clients.check();
        for (int index = 0; index < properties.threads; index++)
        {
            loops.add(loop(type, index));
        }
    }

    private int[] columns(final EventType type)
    {
        final List<String> names = RecordColumns.valueColumns(settings, type);
        try
        {
            return ColumnNames.of(type, names);
        }
        catch (final IllegalArgumentException e)
        {
            throw settings.check().wrong("columns", e.getMessage(),
                "list properties of the event type that can be read");
        }
    }

    private ConsumerLoop loop(final EventType type, final int index)
    {
        final Clock clock = context == null ? Clock.SYSTEM : context.clock();
        final StageConditions conditions = context == null ? StageConditions.NONE : context.conditions();
        final EventBatchSender own = index == 0 ? sender : sender.another();
        final SourceCounters figures = new SourceCounters();
        counters.add(figures);
        final DeadLetters deadLetters = new DeadLetters(settings, clients.producer(index), figures);
        final PartitionBatch rows = new PartitionBatch(own, figures, deadLetters);
        final int[] columns = columns(type);
        final RowWriter writer = new RowWriter(rows.batch, columns);
        final RecordReader reader = new RecordReader(settings, decoder(rows.batch, columns, writer), writer,
            new RecordColumns(settings, rows.batch, writer), rows, own, figures, rejected, deadLetters);
        final SessionMemory memory = new SessionMemory();
        return new ConsumerLoop(settings, () -> clients.consumer(index), consumer ->
            session(consumer, own, rows, figures, memory), share(index), reader, rows, deadLetters,
            new Outage(conditions, text -> figures.trouble = text, settings.maxRetryMillis()), clock);
    }

    private ConsumerSession session(final Consumer<ByteBuffer, ByteBuffer> consumer, final EventBatchSender own,
        final PartitionBatch rows, final SourceCounters figures, final SessionMemory memory)
    {
        return new ConsumerSession(settings, consumer, own, rows, figures, memory);
    }

    private ValueDecoder decoder(final EventBatch batch, final int[] columns, final RowWriter writer)
    {
        final EventType type = batch.schema().type();
        return switch (format)
        {
            case JSON -> new TextDecoder(new JsonDecoder(writer, type, settings.isMissingNull(), false));
            case CSV -> new TextDecoder(new CsvDecoder(writer, type, columns, false, false, settings.separator(),
                settings.nullText(), settings.isMissingNull()));
            case WIRE -> new WireDecoder(settings, batch, writer, columns);
            case AVRO -> new AvroDecoder(settings, batch, writer, columns,
                context == null ? Clock.SYSTEM : context.clock());
        };
    }

    /** Every n-th of the assigned partitions. */
    private List<Integer> share(final int index)
    {
        if (settings.partitions() == null)
        {
            return null;
        }
        final List<Integer> share = new ArrayList<>();
        for (int i = index; i < settings.partitions().size(); i += properties.threads)
        {
            share.add(settings.partitions().get(i));
        }
        return share;
    }

    @Override
    public void run()
    {
        if (loops.isEmpty())
        {
            throw new IllegalStateException(KafkaErrorCode.NO_LISTENER.message("the source has no listener, stage=" +
                settings.stageName(), "add one, usually a channel"));
        }
        final List<Thread> threads = new ArrayList<>();
        for (final ConsumerLoop loop : loops.subList(1, loops.size()))
        {
            final Thread thread = new Thread(loop::run, "millrace-kafka-" + settings.stageName() + '-' +
                (threads.size() + 1));
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        try
        {
            loops.get(0).run();
            for (final Thread thread : threads)
            {
                thread.join();
            }
        }
        catch (final InterruptedException e)
        {
            suspend();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void suspend()
    {
        loops.forEach(ConsumerLoop::stop);
    }

    @Override
    public void beforeResume()
    {
        loops.forEach(ConsumerLoop::allowRun);
    }

    @Override
    public void destroy()
    {
        suspend();
    }

    @Override
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rows", counters.stream().mapToLong(each -> each.rows).sum());
        figures.put("rejected", counters.stream().mapToLong(each -> each.rejected).sum());
        figures.put("deadLetters", counters.stream().mapToLong(each -> each.deadLetters).sum());
        figures.put("lostRecords", counters.stream().mapToLong(each -> each.lostRecords).sum());
        figures.put("rebalances", counters.stream().mapToLong(each -> each.rebalances).sum());
        figures.put("commits", counters.stream().mapToLong(each -> each.commits).sum());
        final Map<String, Object> partitions = new TreeMap<>();
        counters.forEach(each -> partitions.putAll(each.partitions));
        figures.put("partitions", partitions);
        figures.put("trouble", counters.stream().map(each -> each.trouble).filter(text -> !text.isEmpty()).findFirst()
            .orElse(""));
        figures.put("lastRejected", rejected.rows());
        return figures;
    }
}
