package dev.millrace.adapter.kafka.inbound;

import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.common.source.RejectedRows;
import dev.millrace.api.stage.EventBatchSender;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Decodes records and adds their rows to the batch. Confined to one thread of the source. Failure: records that cannot
 * be decoded are rejected, counted and, if there is a topic for them, written to it.
 */
final class RecordReader
{
    private static final String NO_VALUE = "KAF-0121";
    private static final String LONG_VALUE = "KAF-0122";
    private static final String WRONG_KEY = "KAF-0123";

    private final ValueDecoder decoder;
    private final RowWriter writer;
    private final RecordColumns columns;
    private final PartitionBatch rows;
    private final EventBatchSender sender;
    private final SourceCounters counters;
    private final RejectedRows rejected;
    private final DeadLetters deadLetters;
    private final int maxValueBytes;
    private final String stageName;

    RecordReader(final SourceSettings settings, final ValueDecoder decoder, final RowWriter writer,
        final RecordColumns columns, final PartitionBatch rows, final EventBatchSender sender,
        final SourceCounters counters, final RejectedRows rejected, final DeadLetters deadLetters)
    {
        this.decoder = decoder;
        this.writer = writer;
        this.columns = columns;
        this.rows = rows;
        this.sender = sender;
        this.counters = counters;
        this.rejected = rejected;
        this.deadLetters = deadLetters;
        maxValueBytes = settings.maxValueBytes();
        stageName = settings.stageName();
    }

    /** Reads records of a partition until the source stops. */
    void read(final PartitionCursor cursor, final List<ConsumerRecord<ByteBuffer, ByteBuffer>> records,
        final long nowNs, final BooleanSupplier isStopping)
    {
        for (int i = 0; i < records.size() && !isStopping.getAsBoolean(); i++)
        {
            final ConsumerRecord<ByteBuffer, ByteBuffer> record = records.get(i);
            final boolean isRow = decode(record);
            cursor.read(record.offset(), isRow, rows.flushes());
            if (isRow)
            {
                rows.add(cursor.producerId, record.offset() + 1, nowNs);
            }
        }
    }

    private boolean decode(final ConsumerRecord<ByteBuffer, ByteBuffer> record)
    {
        final ByteBuffer value = record.value();
        if (value == null)
        {
            return reject(record, NO_VALUE, "no-value", "the record has no value, as those that delete a key");
        }
        if (value.remaining() > maxValueBytes)
        {
            return reject(record, LONG_VALUE, "value-too-long", "valueBytes=" + value.remaining() + " maxValueBytes=" +
                maxValueBytes);
        }
        final int from = value.arrayOffset() + value.position();
        if (!decoder.decode(record.topic(), value.array(), from, from + value.remaining(), rows.rows()))
        {
            final ValueDecoder.Rejection rejection = decoder.rejection();
            return reject(record, rejection.code(), rejection.reason(), rejection.detail());
        }
        final String wrong = columns.fill(record, rows.rows());
        return wrong == null || reject(record, WRONG_KEY, "wrong-key", "the key or a header is not of the type of " +
            "its property, column=" + wrong);
    }

    /** Returns false: the record is not a row. */
    private boolean reject(final ConsumerRecord<ByteBuffer, ByteBuffer> record, final String code, final String reason,
        final String detail)
    {
        writer.abandon(rows.rows());
        counters.rejected();
        rejected.add(Map.of("topic", record.topic(), "partition", record.partition(), "offset", record.offset()),
            reason, detail);
        deadLetters.add(record, reason, detail);
        sender.reject(1, reason, code + " a record was rejected, stage=" + stageName + " topic=" + record.topic() +
            " partition=" + record.partition() + " offset=" + record.offset() + ' ' + detail);
        return false;
    }
}
