package dev.millrace.adapter.kafka.inbound;

import dev.millrace.adapter.common.source.Deadline;
import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.SequencedSink;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer with its partitions and their positions, from the connection to its loss. Confined to one thread of the
 * source. Failure: {@link KafkaException} and {@link SourceException}, after which the session is closed.
 */
final class ConsumerSession implements ConsumerRebalanceListener, AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(ConsumerSession.class);
    private static final Duration CLOSE = Duration.ofSeconds(2);
    /** Maximum time that a partition waits for its rows to be stored before another member reads it. */
    private static final long HAND_OVER_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long HAND_OVER_STEP_MS = 2;
    private static final Duration REBALANCE_STEP = Duration.ofMillis(20);

    private final SourceSettings settings;
    private final Consumer<ByteBuffer, ByteBuffer> consumer;
    private final EventBatchSender sender;
    private final PartitionBatch rows;
    private final SourceCounters counters;
    private final SessionMemory memory;
    /** Of the partitions whose position is known. */
    private final Map<TopicPartition, PartitionCursor> cursors = new HashMap<>();
    private boolean isClosed;

    /**
     * @param consumer is closed with the session
     * @param memory   kept by the thread, so that a new session continues where this one stops
     */
    ConsumerSession(final SourceSettings settings, final Consumer<ByteBuffer, ByteBuffer> consumer,
        final EventBatchSender sender, final PartitionBatch rows, final SourceCounters counters,
        final SessionMemory memory)
    {
        this.settings = settings;
        this.consumer = consumer;
        this.sender = sender;
        this.rows = rows;
        this.counters = counters;
        this.memory = memory;
    }

    /**
     * Subscribes to the topics or assigns partitions.
     *
     * @param share of the assigned partitions; {@code null} if the group assigns partitions
     */
    void open(final List<Integer> share)
    {
        final List<TopicPartition> assigned = new ArrayList<>();
        final Set<TopicPartition> found = new HashSet<>();
        for (final String topic : settings.topics())
        {
            final Set<Integer> existing = new HashSet<>();
            for (final PartitionInfo partition : consumer.partitionsFor(topic, settings.answer()))
            {
                existing.add(partition.partition());
                found.add(new TopicPartition(topic, partition.partition()));
            }
            if (existing.isEmpty() || share != null && !existing.containsAll(share))
            {
                throw new SourceException(KafkaErrorCode.TOPIC, "a topic or partition does not exist, stage=" +
                    settings.stageName() + " topic=" + topic + " partitions=" + existing,
                    "create it, or correct topics and partitions: the source waits");
            }
            if (share != null)
            {
                share.forEach(number -> assigned.add(new TopicPartition(topic, number)));
            }
        }
        list(found);
        if (share != null)
        {
            consumer.assign(assigned);
            begin(assigned);
        }
        else if (settings.topicPattern() != null)
        {
            consumer.subscribe(settings.topicPattern(), this);
        }
        else
        {
            consumer.subscribe(settings.topics(), this);
        }
    }

    /** Remembers which partitions exist at the first connection. */
    private void list(final Set<TopicPartition> found)
    {
        if (memory.hasListed)
        {
            return;
        }
        if (settings.topicPattern() != null)
        {
            consumer.listTopics(settings.answer()).forEach((topic, partitions) ->
            {
                if (settings.topicPattern().matcher(topic).matches())
                {
                    partitions.forEach(each -> found.add(new TopicPartition(topic, each.partition())));
                }
            });
        }
        memory.existing.addAll(found);
        memory.hasListed = true;
    }

    ConsumerRecords<ByteBuffer, ByteBuffer> poll(final Duration timeout)
    {
        return consumer.poll(timeout);
    }

    /** {@code null} if the partition was revoked since the poll. */
    PartitionCursor cursor(final TopicPartition partition)
    {
        return cursors.get(partition);
    }

    @Override
    public void onPartitionsAssigned(final Collection<TopicPartition> partitions)
    {
        counters.rebalanced();
        begin(partitions);
    }

    /** Finds the first record to read in each partition. */
    private void begin(final Collection<TopicPartition> partitions)
    {
        final Set<TopicPartition> all = Set.copyOf(partitions);
        final Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(all, settings.answer());
        final Map<TopicPartition, Long> offsets = new HashMap<>();
        final Map<TopicPartition, PartitionCursor> begun = new HashMap<>();
        for (final TopicPartition partition : all)
        {
            final long received =
                sender.receivedFrom(PartitionCursor.producer(settings.stageName(), partition));
            final boolean isNumbered = received != SequencedSink.NOT_STORED;
            final PartitionCursor cursor = new PartitionCursor(partition, settings.stageName(), isNumbered);
            final OffsetAndMetadata known = committed.get(partition);
            cursor.committed(known == null ? -1 : known.offset());
            final long offset = Math.max(cursor.committed(),
                isNumbered ? received == 0 ? -1 : received : memory.sent.getOrDefault(partition, -1L));
            if (offset >= 0)
            {
                offsets.put(partition, offset);
            }
            begun.put(partition, cursor);
        }
        offsets.putAll(existing(offsets));
        final Set<TopicPartition> fresh = new HashSet<>(all);
        fresh.removeAll(offsets.keySet());
        final Map<TopicPartition, Long> starts =
            settings.start().offsets(consumer, fresh, memory.existing, settings.answer());
        offsets.putAll(starts);
        offsets.forEach((partition, offset) ->
        {
            begun.get(partition).begin(offset);
            consumer.seek(partition, offset);
        });
        cursors.putAll(begun);
        // Otherwise a source that starts at the end would skip what is written until it has received a first row.
        commit(starts);
    }

    /** Compares positions with the records that the partitions contain. */
    private Map<TopicPartition, Long> existing(final Map<TopicPartition, Long> offsets)
    {
        final Map<TopicPartition, Long> moved = new HashMap<>();
        if (offsets.isEmpty())
        {
            return moved;
        }
        final Map<TopicPartition, Long> first = consumer.beginningOffsets(offsets.keySet(), settings.answer());
        final Map<TopicPartition, Long> end = consumer.endOffsets(offsets.keySet(), settings.answer());
        offsets.forEach((partition, offset) ->
        {
            if (offset > end.get(partition))
            {
                throw new SourceException(KafkaErrorCode.POSITION, "the partition ends before the position of the " +
                    "source, stage=" + settings.stageName() + " partition=" + partition + " position=" + offset +
                    " end=" + end.get(partition), "if the topic was created again, use another id for the adapter " +
                    "and another group, or uninstall and install the application: the source waits");
            }
            if (offset < first.get(partition))
            {
                counters.lost(first.get(partition) - offset);
                LOG.warn(KafkaErrorCode.LOST.message("records were deleted before they were read, stage=" +
                    settings.stageName() + " partition=" + partition + " position=" + offset + " first=" +
                    first.get(partition), "let the topic keep records longer"));
                moved.put(partition, first.get(partition));
            }
        });
        return moved;
    }

    @Override
    public void onPartitionsRevoked(final Collection<TopicPartition> partitions)
    {
        if (isClosed)
        {
            return;
        }
        rows.flush();
        try
        {
            handOver(partitions.stream().map(cursors::get).filter(cursor -> cursor != null).toList(),
                Deadline.afterNs(HAND_OVER_NS));
        }
        catch (final CommitFailedException e)
        {
            LOG.warn(KafkaErrorCode.COMMIT.message("positions were not committed, stage=" + settings.stageName() +
                " partitions=" + partitions + " reason=" + e.getMessage(),
                "other members of the group read the last records again"));
        }
        forget(partitions);
    }

    /** Commits what was received, so that another member or another start continues with the next record. */
    private void handOver(final Collection<PartitionCursor> released, final Deadline deadline)
    {
        awaitReceived(released, deadline);
        final Map<TopicPartition, Long> offsets = new HashMap<>();
        for (final PartitionCursor cursor : released)
        {
            final long offset = cursor.received(sender);
            if (offset > cursor.committed())
            {
                offsets.put(cursor.partition, offset);
            }
        }
        commit(offsets);
    }

    /** Waits until a member that continues with a partition receives no row that this one stores, too. */
    private void awaitReceived(final Collection<PartitionCursor> revoked, final Deadline deadline)
    {
        while (!deadline.hasPassed() && !revoked.stream().allMatch(cursor -> cursor.isReceived(sender)))
        {
            try
            {
                TimeUnit.MILLISECONDS.sleep(HAND_OVER_STEP_MS);
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    @Override
    public void onPartitionsLost(final Collection<TopicPartition> partitions)
    {
        if (isClosed)
        {
            return;
        }
        rows.flush();
        LOG.warn(KafkaErrorCode.COMMIT.message("the group has given partitions to other members, stage=" +
            settings.stageName() + " partitions=" + partitions, "they read the last records again; if stages below " +
            "take long, increase max.poll.interval.ms"));
        forget(partitions);
    }

    private void forget(final Collection<TopicPartition> partitions)
    {
        partitions.forEach(partition ->
        {
            cursors.remove(partition);
            memory.sent.remove(partition);
        });
    }

    /** Commits what was received since the last call but one. The batch is empty. */
    void commitAsync()
    {
        final Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        remember();
        for (final PartitionCursor cursor : cursors.values())
        {
            final long offset = cursor.toCommit(sender);
            if (offset >= 0)
            {
                offsets.put(cursor.partition, new OffsetAndMetadata(offset));
            }
        }
        if (!offsets.isEmpty())
        {
            consumer.commitAsync(offsets, this::committed);
        }
        describe();
    }

    private void committed(final Map<TopicPartition, OffsetAndMetadata> offsets, final Exception failure)
    {
        if (failure != null)
        {
            // The next commit contains the same partitions; a rebalance commits before it.
            LOG.debug("positions were not committed, stage={} reason={}", settings.stageName(), failure.toString());
            return;
        }
        counters.committed();
        offsets.forEach((partition, offset) ->
        {
            final PartitionCursor cursor = cursors.get(partition);
            if (cursor != null)
            {
                cursor.committed(offset.offset());
            }
        });
    }

    private void commit(final Map<TopicPartition, Long> offsets)
    {
        if (offsets.isEmpty())
        {
            return;
        }
        final Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        offsets.forEach((partition, offset) -> positions.put(partition, new OffsetAndMetadata(offset)));
        consumer.commitSync(positions, settings.answer());
        committed(positions, null);
    }

    private void describe()
    {
        final Map<String, Map<String, Object>> figures = new TreeMap<>();
        for (final PartitionCursor cursor : cursors.values())
        {
            final Map<String, Object> figure = new LinkedHashMap<>();
            figure.put("position", cursor.next());
            figure.put("committed", cursor.committed());
            figure.put("lag", consumer.currentLag(cursor.partition).orElse(-1));
            figures.put(cursor.partition.toString(), figure);
        }
        counters.partitions = figures;
    }

    /** Asks the brokers for something that all of them must answer for the partitions of this consumer. */
    void probe()
    {
        if (cursors.isEmpty())
        {
            final String topic = settings.topics().isEmpty() ? null : settings.topics().get(0);
            if (topic == null)
            {
                consumer.listTopics(settings.answer());
            }
            else
            {
                consumer.committed(Set.of(new TopicPartition(topic, 0)), settings.answer());
            }
        }
        else
        {
            consumer.endOffsets(cursors.keySet(), settings.answer());
        }
    }

    /** Sends the last rows and commits what was received. */
    void end()
    {
        rows.flush();
        remember();
        final Deadline deadline = Deadline.afterNs(HAND_OVER_NS);
        boolean isCommitted = false;
        while (!isCommitted)
        {
            isCommitted = tryEnd(deadline);
        }
        memory.sent.clear();
    }

    private boolean tryEnd(final Deadline deadline)
    {
        try
        {
            handOver(cursors.values(), deadline);
            return true;
        }
        catch (final RebalanceInProgressException e)
        {
            if (deadline.hasPassed())
            {
                throw e;
            }
            // Commits are refused until polls have completed the rebalance. Records that they return are not sent, and
            // the position that is committed is before them.
            consumer.pause(consumer.assignment());
            consumer.poll(REBALANCE_STEP);
            return false;
        }
    }

    /** Drops the rows that were not sent, after a failure: another session of the thread continues with them. */
    void abandon()
    {
        remember();
        rows.discard();
    }

    private void remember()
    {
        cursors.values().forEach(cursor -> memory.sent.put(cursor.partition, cursor.sent(rows.flushes())));
    }

    @Override
    public void close()
    {
        // All that the brokers must know was committed, or cannot be.
        cursors.clear();
        isClosed = true;
        consumer.close(CloseOptions.timeout(CLOSE));
    }
}
