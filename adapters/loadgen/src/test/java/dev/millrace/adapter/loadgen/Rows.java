package dev.millrace.adapter.loadgen;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.SequencedSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects the rows of batches as text, and rejections by reason. Thread-safe. */
final class Rows implements EventBatchSender
{
    static final EventType TICK = EventType.tuple("StockTick",
        new EventProperty("symbol", CqlType.CHAR, 16), new EventProperty("lastPrice", CqlType.DOUBLE));

    static final EventType ALL = EventType.tuple("All",
        new EventProperty("text", CqlType.CHAR), new EventProperty("whole", CqlType.INT),
        new EventProperty("big", CqlType.BIGINT), new EventProperty("small", CqlType.FLOAT),
        new EventProperty("number", CqlType.DOUBLE), new EventProperty("flag", CqlType.BOOLEAN),
        new EventProperty("moment", CqlType.TIMESTAMP));

    private final BatchSchema schema;
    private final List<String> rows = new ArrayList<>();
    private final List<Integer> batchSizes = new ArrayList<>();
    private final Map<String, Integer> rejected = new TreeMap<>();
    private final List<String> details = new ArrayList<>();
    private final List<Long> origins = new ArrayList<>();
    private final List<Long> sequences = new ArrayList<>();
    private boolean isForgetful;
    private volatile long stored = SequencedSink.NOT_STORED;

    Rows(final EventType type)
    {
        schema = new BatchSchema(type);
    }

    static int[] inOrder(final EventType type)
    {
        return BatchAssembler.columnsOf(type, null);
    }

    @Override
    public BatchSchema schema()
    {
        return schema;
    }

    @Override
    public synchronized void send(final EventBatch batch)
    {
        if (isForgetful)
        {
            return;
        }
        batchSizes.add(batch.size());
        for (int row = 0; row < batch.size(); row++)
        {
            final StringBuilder text = new StringBuilder();
            for (int column = 0; column < schema.columnCount(); column++)
            {
                text.append(column == 0 ? "" : ",").append(batch.value(column, row));
            }
            rows.add(text.toString());
            origins.add(batch.originsNs()[row]);
            sequences.add(batch.hasSequences() ? batch.sequences()[row] : RowSequence.NONE);
        }
    }

    @Override
    public synchronized void reject(final int count, final String reason, final String detail)
    {
        rejected.merge(reason, count, Integer::sum);
        details.add(detail);
    }

    /** Sets what a stage below has stored of each producer. */
    void stored(final long number)
    {
        stored = number;
    }

    @Override
    public long receivedFrom(final String producer)
    {
        return stored;
    }

    /** Producers and numbers of the rows, as text. */
    synchronized List<String> sequences()
    {
        return sequences.stream().map(each -> each == RowSequence.NONE ? "none" :
            Producers.name(RowSequence.producer(each)) + ' ' + RowSequence.number(each)).toList();
    }

    @Override
    public EventBatchSender another()
    {
        return this;
    }

    /** Stores no more rows, so that the memory of the adapter can be measured. */
    synchronized void forgetRows()
    {
        isForgetful = true;
    }

    synchronized List<String> rows()
    {
        return List.copyOf(rows);
    }

    synchronized int count()
    {
        return rows.size();
    }

    synchronized List<Integer> batchSizes()
    {
        return List.copyOf(batchSizes);
    }

    synchronized List<Long> origins()
    {
        return List.copyOf(origins);
    }

    synchronized Map<String, Integer> rejected()
    {
        return Map.copyOf(rejected);
    }

    synchronized List<String> details()
    {
        return List.copyOf(details);
    }
}
