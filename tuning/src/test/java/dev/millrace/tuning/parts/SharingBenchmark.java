package dev.millrace.tuning.parts;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.network.partition.PartitionHash;
import dev.millrace.network.partition.RowDecoder;
import dev.millrace.network.partition.RowEncoder;
import dev.millrace.network.partition.RowSplitter;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Cost of a row of a channel that is partitioned across members, without sockets. */
@State(Scope.Thread)
public class SharingBenchmark
{
    private static final int BATCHES = 64;
    private static final int SYMBOLS = 1470;
    private static final int MEMBERS = 10;
    private static final EventType TICK = EventType.tuple("Tick", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("price", CqlType.DOUBLE), new EventProperty("id", CqlType.BIGINT));

    /** The column by which rows are partitioned. */
    @Param({"symbol", "id"})
    private String by;

    private final BatchSchema schema = new BatchSchema(TICK);
    private final BatchSchema other = new BatchSchema(TICK);
    private final EventBatch[] batches = new EventBatch[BATCHES];
    private final short[] allMine = new short[PartitionHash.PARTITIONS];
    private final short[] shared = new short[PartitionHash.PARTITIONS];
    private RowSplitter splitter;
    private RowEncoder encoder;
    private RowDecoder decoder;
    private ByteBuffer bytes = ByteBuffer.allocate(1 << 16);

    /** Creates rows. */
    @Setup
    public void fill()
    {
        final SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < BATCHES; i++)
        {
            batches[i] = new EventBatch(schema);
            for (int row = 0; row < EventBatch.CAPACITY; row++)
            {
                batches[i].texts(0).set(row, "S" + random.nextInt(SYMBOLS));
                batches[i].doubles(1)[row] = random.nextDouble(10, 500);
                batches[i].longs(2)[row] = random.nextLong();
            }
            batches[i].size(EventBatch.CAPACITY);
        }
        for (int partition = 0; partition < shared.length; partition++)
        {
            shared[partition] = (short)((PartitionHash.mix(partition) >>> 1) % MEMBERS);
        }
        splitter = new RowSplitter(schema, TICK.indexOf(by));
        encoder = new RowEncoder(schema, false);
        decoder = new RowDecoder(other);
    }

    /** All rows belong to this member: the cost of the look-up. */
    @Benchmark
    @OperationsPerInvocation(BATCHES * EventBatch.CAPACITY)
    public int look()
    {
        int mine = 0;
        for (final EventBatch batch : batches)
        {
            mine += splitter.split(batch, allMine, MEMBERS, 0) ? batch.size() : 0;
        }
        return mine;
    }

    /** Ten members: the look-up, the lists, and a copy of the rows of this one. */
    @Benchmark
    @OperationsPerInvocation(BATCHES * EventBatch.CAPACITY)
    public int split()
    {
        int mine = 0;
        for (final EventBatch batch : batches)
        {
            mine += splitter.split(batch, shared, MEMBERS, 0) ? batch.size() : splitter.batch(batch, 0).size();
        }
        return mine;
    }

    /** Rows to bytes and back. */
    @Benchmark
    @OperationsPerInvocation(BATCHES * EventBatch.CAPACITY)
    public int travel()
    {
        int rows = 0;
        for (final EventBatch batch : batches)
        {
            bytes.clear();
            bytes = encoder.encode(batch, bytes);
            bytes.flip();
            rows += decoder.decode(bytes).size();
        }
        return rows;
    }
}
