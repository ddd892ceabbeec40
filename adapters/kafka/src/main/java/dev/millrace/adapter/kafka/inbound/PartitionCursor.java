package dev.millrace.adapter.kafka.inbound;

import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import dev.millrace.api.event.Producers;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.SequencedSink;
import org.apache.kafka.common.TopicPartition;

/**
 * The position of a source in a partition. The partition is a producer whose rows have the numbers offset + 1, so the
 * number of the last row that was received is the offset of the record after it. Confined to the source's thread.
 */
final class PartitionCursor
{
    final TopicPartition partition;
    /** Unique in the process, and the same after a restart. */
    final String producer;
    /** 0 if no stage stores numbers. */
    final int producerId;
    /** The offset of the next record to read. */
    private long next;
    /** The offset of the first record that was read since the flush with {@link #flush} as its number. */
    private long unsent;
    private long flush = -1;
    /** The number of the last row that was added to the batch. */
    private long lastNumber;
    /** The offset that was received at the last commit but one; -1 if not known yet. */
    private long settled = -1;
    private long committed = -1;

    /**
     * @param isNumbered whether stages store numbers
     * @throws IllegalStateException if there are too many producers
     */
    PartitionCursor(final TopicPartition partition, final String stageName, final boolean isNumbered)
    {
        this.partition = partition;
        producer = producer(stageName, partition);
        producerId = isNumbered ? Producers.id(producer) : 0;
        if (isNumbered && producerId == 0)
        {
            throw new IllegalStateException(KafkaErrorCode.PRODUCERS.message("more than " + Producers.MAX +
                " producers since the start, stage=" + stageName + " partition=" + partition, "restart the server"));
        }
    }

    /** The name of the producer of a partition. */
    static String producer(final String stageName, final TopicPartition partition)
    {
        return stageName + '/' + partition;
    }

    /** Continues at an offset. */
    void begin(final long offset)
    {
        next = offset;
        lastNumber = 0;
    }

    /**
     * Records that a record was read, and whether it became a row of the batch.
     *
     * @param flushes of the batch before it
     */
    void read(final long offset, final boolean isRow, final long flushes)
    {
        if (flush != flushes)
        {
            flush = flushes;
            unsent = next;
        }
        next = offset + 1;
        if (isRow)
        {
            lastNumber = next;
        }
    }

    /** The offset after the last record that was passed on, after a number of flushes of the batch. */
    long sent(final long flushes)
    {
        return flush == flushes ? unsent : next;
    }

    long next()
    {
        return next;
    }

    /** Whether all rows were received, and stored if stages store numbers. The batch is empty. */
    boolean isReceived(final EventBatchSender sender)
    {
        return producerId == 0 || lastNumber == 0 || sender.receivedFrom(producer) >= lastNumber;
    }

    /** The offset up to which all records were received or rejected. The batch is empty. */
    long received(final EventBatchSender sender)
    {
        if (isReceived(sender))
        {
            return next;
        }
        final long received = sender.receivedFrom(producer);
        return received == SequencedSink.NOT_STORED ? committed : received;
    }

    /**
     * The offset to commit. Stored numbers are committed one period later, when the disk contains them even if the
     * machine stops.
     *
     * @return -1 if there is nothing to commit
     */
    long toCommit(final EventBatchSender sender)
    {
        final long received = received(sender);
        final long offset = producerId == 0 ? received : settled;
        settled = received;
        return offset > committed ? offset : -1;
    }

    void committed(final long offset)
    {
        committed = Math.max(committed, offset);
    }

    long committed()
    {
        return committed;
    }
}
