package dev.millrace.cql.processor.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.math.BigDecimal;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Equal partition values have one slot, different ones are distributed. */
@Timeout(60)
class WorkerRoutingTableTest
{
    private static EventBatch batch(final CqlType type, final int size)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(EventType.tuple("T", new EventProperty("key", type))));
        batch.clear();
        batch.size(size);
        return batch;
    }

    private static int[] slots(final EventBatch batch)
    {
        final int[] slots = new int[EventBatch.CAPACITY];
        WorkerRoutingTable.slots(batch, 0, slots);
        return slots;
    }

    @Test
    void shouldShareASlotWhenValuesAreEqualButWrittenDifferently()
    {
        final EventBatch doubles = batch(CqlType.DOUBLE, 2);
        doubles.doubles(0)[0] = 0.0;
        doubles.doubles(0)[1] = -0.0;
        final EventBatch floats = batch(CqlType.FLOAT, 2);
        floats.floats(0)[0] = 0.0f;
        floats.floats(0)[1] = -0.0f;
        final EventBatch decimals = batch(CqlType.BIGDECIMAL, 2);
        decimals.references(0)[0] = new BigDecimal("1.50");
        decimals.references(0)[1] = new BigDecimal("1.5");
        final EventBatch bytes = batch(CqlType.BYTE, 2);
        bytes.references(0)[0] = new byte[] {1, 2};
        bytes.references(0)[1] = new byte[] {1, 2};

        for (final EventBatch batch : new EventBatch[] {doubles, floats, decimals, bytes})
        {
            assertThat(slots(batch)[0]).isEqualTo(slots(batch)[1]);
        }
    }

    @ParameterizedTest
    @EnumSource(CqlType.class)
    void shouldKeepNullsTogetherWhenTheValueIsMissing(final CqlType type)
    {
        final EventBatch batch = batch(type, 3);
        for (int row = 0; row < 3; row++)
        {
            batch.setNull(0, row);
        }

        assertThat(slots(batch)[0]).isEqualTo(slots(batch)[1]).isEqualTo(slots(batch)[2]);
    }

    @Test
    void shouldSpreadValuesEvenlyWhenThereAreMany()
    {
        final WorkerRoutingTable table = new WorkerRoutingTable(4);
        final int[] rows = new int[4];
        for (int start = 0; start < 40_000; start += 250)
        {
            final EventBatch batch = batch(CqlType.BIGINT, 250);
            for (int row = 0; row < 250; row++)
            {
                batch.longs(0)[row] = (start + row) * 1_000L;
            }
            final int[] slots = slots(batch);
            for (int row = 0; row < 250; row++)
            {
                rows[table.worker(slots[row])]++;
            }
        }

        assertThat(Arrays.stream(rows).boxed()).allMatch(count -> count > 8_000 && count < 12_000);
    }
}
