package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stage below that fails takes nothing from other queries, nor from what the flow remembers. */
@Timeout(60)
class OutputFailureTest
{
    private static final EventType COUNT = EventType.tuple("Count", new EventProperty("n", CqlType.BIGINT));

    private final Dictionary dictionary = new Dictionary("test");
    private final BatchSchema schema = BatchSchema.sharing(FlowHarness.TYPE, dictionary);
    private final List<Long> counts = new ArrayList<>();
    private int failures;

    private OutputOperator output(
        final String id, final FlowOperator input, final EventType type, final EventBatchSink sink)
    {
        return new OutputOperator(input, new QueryOutput(
            id, true, BatchSchema.sharing(type, dictionary), sink, (rows, why, how) ->
            {
            }));
    }

    private FlowEngine engine()
    {
        final FlowSource channel = new FlowSource("S", FlowSource.TimeKind.APPLICATION, false);
        final SourceOperator source =
            new SourceOperator(channel, FlowHarness.store(), false, new int[0], -1, 1 << 16);
        final OutputOperator failing = output("failing", source, FlowHarness.TYPE, batch ->
        {
            failures++;
            throw new IllegalStateException("the stage below fails");
        });
        final RangeWindow all = new RangeWindow(source, FlowOperator.NEVER);
        final GroupOperator group = new GroupOperator(all, new int[0],
            new Accumulator[]{new CountAccumulator(-1)}, FlowHarness.store(CqlType.BIGINT), 1);
        final StreamOperator stream = new StreamOperator(group, true, new int[0]);
        final OutputOperator counting = output("counting", stream, COUNT, batch ->
        {
            for (int row = 0; row < batch.size(); row++)
            {
                counts.add(batch.longs(0)[row]);
            }
        });
        return new FlowEngine(List.of(channel),
            List.of(new FlowRegion(List.of(source, failing, all, group, stream, counting))), (rows, why, how) ->
            {
            });
    }

    private EventBatch rows(final long timeNs, final int count)
    {
        final EventBatch batch = new EventBatch(schema);
        for (int row = 0; row < count; row++)
        {
            batch.ints(0)[row] = row;
            batch.useTimestampPerRow()[row] = timeNs;
        }
        batch.size(count);
        return batch;
    }

    @Test
    void shouldGoThroughTheInstantAndServeOtherQueriesWhenAStageBelowFails()
    {
        final FlowEngine engine = engine();
        engine.onBatch(0, rows(1, EventBatch.CAPACITY));
        engine.onBatch(0, rows(1, 100));
        assertThatThrownBy(() -> engine.onBatch(0, rows(2, 1))).hasMessage("the stage below fails");
        assertThat(failures).isEqualTo(2);
        assertThat(counts).containsExactly(0L, EventBatch.CAPACITY + 100L);
        assertThatThrownBy(() -> engine.onBatch(0, rows(3, 1))).hasMessage("the stage below fails");
        assertThat(counts).containsExactly(0L, EventBatch.CAPACITY + 100L, EventBatch.CAPACITY + 101L);
    }
}
