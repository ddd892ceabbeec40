package dev.millrace.tuning.parts;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.runtime.ring.SpscBatchRing;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A row into a ring and out again, on one thread: the work of both sides without the transfer between two cores. */
@State(Scope.Thread)
public class RingBenchmark
{
    private static final int CAPACITY = 4096;
    private static final EventType TICK = EventType.tuple(
        "Tick", new EventProperty("symbol", CqlType.CHAR), new EventProperty("price", CqlType.DOUBLE));

    private final int[] everyOther = new int[EventBatch.CAPACITY / 2];
    private EventBatch in;
    private EventBatch out;
    private SpscBatchRing ring;

    /** Creates a full batch. */
    @Setup
    public void fill()
    {
        final BatchSchema schema = new BatchSchema(TICK);
        in = new EventBatch(schema);
        out = new EventBatch(schema);
        ring = new SpscBatchRing(schema, CAPACITY);
        for (int i = 0; i < EventBatch.CAPACITY; i++)
        {
            in.texts(0).set(i, "S" + i);
            in.doubles(1)[i] = i * 1.5;
            everyOther[i / 2] = i;
        }
        in.size(EventBatch.CAPACITY);
    }

    /** A whole batch. */
    @Benchmark
    @OperationsPerInvocation(EventBatch.CAPACITY)
    public int batch()
    {
        ring.offer(in, 0);
        return ring.poll(out);
    }

    /** Every other row, as two workers get them. */
    @Benchmark
    @OperationsPerInvocation(EventBatch.CAPACITY / 2)
    public int selection()
    {
        ring.offer(in, everyOther, 0, everyOther.length);
        return ring.poll(out);
    }
}
