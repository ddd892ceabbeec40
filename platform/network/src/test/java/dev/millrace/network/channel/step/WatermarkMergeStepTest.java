package dev.millrace.network.channel.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WatermarkMergeStepTest
{
    private final EventBatch batch = new EventBatch(
        new BatchSchema(EventType.tuple("T", new EventProperty("a", CqlType.INT))));
    private final LaneWatermarks times = new LaneWatermarks();
    private final WatermarkMergeStep first = new WatermarkMergeStep(times, new EventBatch(batch.schema()));
    private final WatermarkMergeStep second = new WatermarkMergeStep(times, new EventBatch(batch.schema()));

    private EventBatch heartbeat(final WatermarkMergeStep lane, final long timeNs)
    {
        batch.clear();
        batch.baseTimestampNs(timeNs);
        return lane.apply(batch);
    }

    @Test
    void shouldPromiseOnlyWhatAllLanesPromise()
    {
        assertThat(heartbeat(first, 100)).isNull();
        assertThat(heartbeat(second, 50).baseTimestampNs()).isEqualTo(50);
        assertThat(heartbeat(second, 200).baseTimestampNs()).isEqualTo(100);
        batch.clear();
        batch.size(3);
        batch.baseTimestampNs(150);
        assertThat(first.apply(batch)).isSameAs(batch);
        assertThat(batch.size()).isEqualTo(3);
        assertThat(heartbeat(second, 300).baseTimestampNs()).isEqualTo(152);
    }

    @Test
    void shouldNotWaitForALaneThatIsGoneOrHasJustCome()
    {
        assertThat(heartbeat(first, 100)).isNull();
        assertThat(heartbeat(second, 50).baseTimestampNs()).isEqualTo(50);
        final WatermarkMergeStep third = new WatermarkMergeStep(times, new EventBatch(batch.schema()));
        assertThat(heartbeat(second, 70).baseTimestampNs()).as("a late lane starts at the minimum of the others")
            .isEqualTo(50);
        assertThat(heartbeat(third, 90).baseTimestampNs()).isEqualTo(70);
        second.close();
        assertThat(heartbeat(third, 95).baseTimestampNs()).isEqualTo(95);
    }
}
