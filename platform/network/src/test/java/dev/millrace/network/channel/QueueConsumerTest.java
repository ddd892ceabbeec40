package dev.millrace.network.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.time.Clock;
import dev.millrace.network.channel.step.BatchStep;
import dev.millrace.network.lane.Outlet;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.lane.StageMeter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread of a channel survives any exception of the lane below. */
@Timeout(60)
class QueueConsumerTest
{
    private static final int NUMBERS = 10;
    private static final BatchSchema SCHEMA =
        new BatchSchema(EventType.tuple("Row", new EventProperty("number", CqlType.INT)));

    private final StageMeter meter = new StageMeter("app/channel", Clock.SYSTEM);
    private final ChannelQueue queue = new ChannelQueue(SCHEMA, 1, 1, false, MemoryAccount.NONE);
    private final List<String> passed = new CopyOnWriteArrayList<>();

    /** A step of a channel that finds no memory for odd numbers and for heartbeats. */
    private void accept(final EventBatch batch)
    {
        if (batch.size() == 0 || batch.ints(0)[0] % 2 != 0)
        {
            throw new OutOfMemoryError("for a test");
        }
        passed.add("" + batch.ints(0)[0]);
    }

    @Test
    void shouldRejectTheRowsAndGoOnWhenTheLaneBelowThrowsAnError() throws Exception
    {
        final Outlet outlet = new Outlet(SCHEMA, null, null, meter.openOut());
        outlet.add(this::accept);
        final Thread consumer = new Thread(new QueueConsumer(queue, outlet, meter.rejections(), true), "consumer");
        final Thread producer = new Thread(this::produce, "producer");
        consumer.start();
        producer.start();
        producer.join(60_000);
        final boolean couldPutAll = !producer.isAlive();
        queue.close(false);
        producer.join();
        consumer.join();

        assertThat(couldPutAll).isTrue();
        assertThat(passed).containsExactly("0", "2", "4", "6", "8");
        // Five rows, and the heartbeat at the end.
        assertThat(meter.rejections().byReason()).isEqualTo(Map.of(RejectReason.STAGE_FAILED, 6L));
    }

    private void produce()
    {
        final EventBatch batch = new EventBatch(SCHEMA);
        for (int i = 0; i < NUMBERS; i++)
        {
            batch.clear();
            batch.ints(0)[0] = i;
            batch.size(1);
            queue.put(new BatchStep[0], batch);
        }
        batch.clear();
        batch.baseTimestampNs(NUMBERS);
        queue.put(new BatchStep[0], batch);
    }
}
