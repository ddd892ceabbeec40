package dev.millrace.cql.processor.durable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.processor.FlowRun;
import dev.millrace.cql.processor.FlowRun.Step;
import dev.millrace.cql.processor.Receiver;
import dev.millrace.cql.processor.RunningCqlProcessor;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A receiver has stored rows whose records the journal has lost, because the machine stopped. */
@Timeout(60)
class LostRecordsTest
{
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);

    @TempDir
    private Path directory;

    private final Receiver receiver = new Receiver();

    private FlowRun start(final TestStorage storage) throws Exception
    {
        final FlowRun run = new FlowRun("IStream(select sym, sum(q) as s from S group by sym)", "PARTITION_ORDERED",
            "sym", 1, 1).asPlanned().storedIn(storage).receivedBy(receiver);
        run.start();
        return run;
    }

    private static void send(final FlowRun run, final int... quantities)
    {
        for (final int quantity : quantities)
        {
            run.send(List.of(new Step("S", quantity * 1_000_000L, List.of(List.of("s1", 1.0, quantity)),
                List.of(EventBatch.INSERT))), false);
        }
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
    }

    private void kill(final FlowRun run)
    {
        receiver.kill();
        ((RunningCqlProcessor)run.running()).stop(SHORT_NS);
        receiver.kill();
    }

    /** The rows after the repeated ones had numbers that the receiver has already stored for others. */
    @Test
    void shouldEmitAllRowsWhenTheProcessIsKilledAfterThePowerWasLost() throws Exception
    {
        final TestStorage storage = new TestStorage(directory.resolve("first"));
        final FlowRun first = start(storage);
        send(first, 1, 2);
        final TestStorage withoutLast = storage.copyTo(directory.resolve("lost"));
        send(first, 4, 8);
        receiver.commit();
        kill(first);

        // The source sends again what is not in the journal.
        final FlowRun second = start(withoutLast);
        send(second, 4, 8);
        receiver.commit();
        send(second, 16, 32);
        final TestStorage killed = withoutLast.copyTo(directory.resolve("killed"));
        kill(second);

        final FlowRun third = start(killed);
        send(third, 64);
        receiver.commit();
        third.running().stop();
        assertThat(receiver.rows().stream().map(row -> ((Number)row.values().get(1)).intValue()))
            .containsExactly(1, 3, 7, 15, 7, 15, 31, 63, 127);
    }
}
