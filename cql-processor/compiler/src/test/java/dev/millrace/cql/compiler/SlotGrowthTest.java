package dev.millrace.cql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** State of many groups and partitions: output while arrays grow, and the maximum that a batch may copy. */
@Timeout(120)
class SlotGrowthTest
{
    private static final int BATCHES = 1500;
    private static final int LEAST_MOVE = 4096;
    private static final long LEAST_SUM = 40;

    private final EventBatch batch = new EventBatch(new BatchSchema(SignalPlans.TICK));
    private final Random random;
    private final StringTable strings = PipelineBindings.newStrings(MemoryAccount.NONE);
    private long rows;
    private long checksum;
    private long expectedRows;
    private long expectedChecksum;
    private int batchesWhileMoving;

    SlotGrowthTest()
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed=" + seed);
        random = new Random(seed);
    }

    private Pipeline instance(final PipelinePlan plan)
    {
        final Operator.Output output = plan.outputs().get(0);
        return new PipelineCompiler().compile(plan).instantiate(new PipelineBindings(batch.schema(),
            Map.of(output.queryId(), new BatchSchema(output.type())),
            Map.of(output.queryId(), this::count), Map.of(), (count, reason, detail) -> assertThat(count).isZero(),
            MemoryAccount.NONE, strings));
    }

    private void count(final EventBatch out)
    {
        for (int i = 0; i < out.size(); i++)
        {
            rows++;
            checksum += out.texts(0).code(i, strings) * 31L + number(out, i) * (1 + out.kind(i));
        }
    }

    private static long number(final EventBatch out, final int row)
    {
        return out.value(1, row) instanceof Long whole ? whole : Double.doubleToRawLongBits(out.doubles(1)[row]);
    }

    /** Half of the rows have new symbols; from time to time many symbols arrive from elsewhere at once. */
    private void fill(final int round)
    {
        if (round % 1000 == 500)
        {
            for (int i = 0; i < 50_000; i++)
            {
                strings.literal("E" + round + '.' + i);
            }
        }
        batch.clear();
        batch.texts(0).writeCodes(strings);
        final int size = round % 50 == 7 ? 5 : EventBatch.CAPACITY;
        for (int i = 0; i < size; i++)
        {
            final boolean fresh = strings.size() == 0 || random.nextBoolean();
            batch.texts(0).codes()[i] =
                fresh ? strings.literal("S" + strings.size()) : 1 + random.nextInt(strings.size());
            batch.doubles(1)[i] = 100 + random.nextInt(5);
            batch.longs(2)[i] = random.nextInt(-50, 51);
            if (random.nextInt(1000) == 0)
            {
                batch.setNull(2, i);
            }
        }
        batch.baseTimestampNs(round * 1000L);
        batch.size(size);
    }

    private void run(final Pipeline pipeline, final Runnable expectation) throws ReflectiveOperationException
    {
        int moved = 0;
        for (int round = 0; round < BATCHES; round++)
        {
            fill(round);
            expectation.run();
            pipeline.onBatch(batch);
            if ((boolean)field(pipeline, "moving"))
            {
                batchesWhileMoving++;
                final int now = (int)field(pipeline, "moved");
                assertThat(now - (now < moved ? 0 : moved)).as("slots copied by a batch")
                    .isLessThanOrEqualTo(Math.max(LEAST_MOVE, (int)field(pipeline, "capacity") / 256));
                moved = now;
            }
            else
            {
                moved = 0;
            }
        }
        assertThat(rows).isEqualTo(expectedRows).isPositive();
        assertThat(checksum).isEqualTo(expectedChecksum);
        assertThat(batchesWhileMoving).as("batches while state moved").isGreaterThan(20);
    }

    private static Object field(final Pipeline pipeline, final String prefix) throws ReflectiveOperationException
    {
        for (final Field field : pipeline.getClass().getDeclaredFields())
        {
            if (field.getName().matches(prefix + "\\d+"))
            {
                field.setAccessible(true);
                return field.get(pipeline);
            }
        }
        throw new NoSuchFieldException(prefix);
    }

    @Test
    void shouldSumEachGroupWhileItsStateMoves() throws ReflectiveOperationException
    {
        final long[] sums = new long[BATCHES * EventBatch.CAPACITY];
        run(instance(SignalPlans.sumPlan(LEAST_SUM)), () ->
        {
            for (int i = 0; i < batch.size(); i++)
            {
                final int id = batch.texts(0).codes()[i];
                final long before = sums[id];
                final long after = before + (batch.isNull(2, i) ? 0 : batch.longs(2)[i]);
                sums[id] = after;
                if (before != after)
                {
                    expect(id, before, before >= LEAST_SUM, EventBatch.DELETE);
                    expect(id, after, after >= LEAST_SUM, EventBatch.INSERT);
                }
            }
        });
    }

    private void expect(final int id, final long value, final boolean shown, final byte kind)
    {
        expectedRows += shown ? 1 : 0;
        expectedChecksum += shown ? id * 31L + value * (1 + kind) : 0;
    }

    @Test
    void shouldCompareEachRowWithTheOneBeforeWhileStateMoves() throws ReflectiveOperationException
    {
        final double[] last = new double[BATCHES * EventBatch.CAPACITY];
        final PipelinePlan plan =
            SignalPlans.plan("perc", SignalPlans.pair(List.of(SignalPlans.output("perc", SignalPlans.SIGNAL))));
        run(instance(plan), () ->
        {
            for (int i = 0; i < batch.size(); i++)
            {
                final int id = batch.texts(0).codes()[i];
                final double price = batch.doubles(1)[i];
                final boolean signal = last[id] != 0 && Math.abs(100 * (price - last[id]) / last[id]) > 2.0;
                expect(id, Double.doubleToRawLongBits(price), signal, EventBatch.INSERT);
                last[id] = price;
            }
        });
    }

    @Test
    void shouldKeepTheStateOfAGroupThatHasWholeBatches() throws ReflectiveOperationException
    {
        final Pipeline pipeline = instance(SignalPlans.sumPlan(LEAST_SUM));
        final long[] sums = new long[10];
        for (int round = 0; round < 300; round++)
        {
            batch.clear();
            batch.texts(0).writeCodes(strings);
            for (int i = 0; i < EventBatch.CAPACITY; i++)
            {
                batch.texts(0).codes()[i] =
                    strings.literal("S" + (round % 3 == 0 && i % 100 == 50 ? 1 : round / 10 % 2));
                batch.longs(2)[i] = random.nextInt(-50, 51);
                final int id = batch.texts(0).codes()[i];
                final long before = sums[id];
                sums[id] += batch.longs(2)[i];
                if (before != sums[id])
                {
                    expect(id, before, before >= LEAST_SUM, EventBatch.DELETE);
                    expect(id, sums[id], sums[id] >= LEAST_SUM, EventBatch.INSERT);
                }
            }
            batch.size(EventBatch.CAPACITY);
            pipeline.onBatch(batch);
        }
        assertThat(rows).isEqualTo(expectedRows).isPositive();
        assertThat(checksum).isEqualTo(expectedChecksum);
    }
}
