package dev.millrace.adapter.kafka.inbound;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/**
 * Where a source begins in a partition of which no position is known. Immutable.
 *
 * @param kind   of the position
 * @param timeMs of the first record to read, in milliseconds since the epoch, for {@link Kind#TIME}
 */
record StartPosition(Kind kind, long timeMs)
{
    /** The kinds of positions. */
    enum Kind
    {
        /** The first record that the partition contains. */
        EARLIEST,
        /** The next record that is written; of a partition that is created later, the first one. */
        LATEST,
        /** The first record that is not older than a time. */
        TIME
    }

    /**
     * Parses a position.
     *
     * @param text {@code earliest}, {@code latest} or an instant such as {@code 2026-11-30T08:00:00Z}
     * @return {@code null} if it is none of these
     */
    static StartPosition of(final String text)
    {
        try
        {
            return switch (text)
            {
                case "earliest" -> new StartPosition(Kind.EARLIEST, 0);
                case "latest" -> new StartPosition(Kind.LATEST, 0);
                default -> new StartPosition(Kind.TIME, Instant.parse(text).toEpochMilli());
            };
        }
        catch (final DateTimeParseException e)
        {
            return null;
        }
    }

    /**
     * The offsets at which to begin. Asks the brokers.
     *
     * @param existing partitions at the first start; all records of others were written after it
     */
    Map<TopicPartition, Long> offsets(final Consumer<?, ?> consumer, final Set<TopicPartition> partitions,
        final Set<TopicPartition> existing, final Duration timeout)
    {
        if (partitions.isEmpty())
        {
            return Map.of();
        }
        return switch (kind)
        {
            case EARLIEST -> consumer.beginningOffsets(partitions, timeout);
            case LATEST -> atEnd(consumer, partitions, existing, timeout);
            case TIME -> atTime(consumer, partitions, timeout);
        };
    }

    private static Map<TopicPartition, Long> atEnd(final Consumer<?, ?> consumer, final Set<TopicPartition> partitions,
        final Set<TopicPartition> existing, final Duration timeout)
    {
        final Map<Boolean, List<TopicPartition>> parts =
            partitions.stream().collect(Collectors.partitioningBy(existing::contains));
        final Map<TopicPartition, Long> offsets = new HashMap<>(consumer.endOffsets(parts.get(true), timeout));
        offsets.putAll(consumer.beginningOffsets(parts.get(false), timeout));
        return offsets;
    }

    private Map<TopicPartition, Long> atTime(
        final Consumer<?, ?> consumer, final Set<TopicPartition> partitions, final Duration timeout)
    {
        // Of partitions without a record of that time or later, the end.
        final Map<TopicPartition, Long> offsets = new HashMap<>(consumer.endOffsets(partitions, timeout));
        final Map<TopicPartition, Long> times = new HashMap<>();
        partitions.forEach(partition -> times.put(partition, timeMs));
        for (final Map.Entry<TopicPartition, OffsetAndTimestamp> found : consumer.offsetsForTimes(times, timeout)
            .entrySet())
        {
            if (found.getValue() != null)
            {
                offsets.put(found.getKey(), found.getValue().offset());
            }
        }
        return offsets;
    }
}
