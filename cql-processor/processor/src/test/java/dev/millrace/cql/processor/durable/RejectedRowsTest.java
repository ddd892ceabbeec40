package dev.millrace.cql.processor.durable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.cql.processor.FlowRun;
import dev.millrace.cql.processor.Receiver;
import dev.millrace.cql.processor.RunningCqlProcessor;
import dev.millrace.journal.SyncMode;
import dev.millrace.network.spi.DurabilitySettings;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows that a durable processor has rejected are not received, so that their source sends them again. */
@Timeout(60)
class RejectedRowsTest
{
    private static final String PRODUCER = "RejectedRowsTest";
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);

    @TempDir
    private Path directory;

    private static FlowRun run(final TestStorage storage)
    {
        return new FlowRun("select sym, q from S", "PARTITION_ORDERED", "sym", 1, 1).asPlanned().storedIn(storage);
    }

    private static void send(final FlowRun run, final EventBatchSink input, final int number)
    {
        final EventBatch batch = run.batch("S");
        batch.texts(0).set(0, "s1");
        batch.doubles(1)[0] = 1.0;
        batch.ints(2)[0] = number;
        batch.useTimestampPerRow()[0] = number * 1_000_000L;
        batch.useSequences()[0] = RowSequence.of(Producers.id(PRODUCER), number);
        batch.size(1);
        FlowRun.deliver(input, batch);
    }

    @Test
    void shouldAskForRowsThatWereRejectedWhenTheProcessorStoppedWhileTheyWaitedForSpace() throws Exception
    {
        final FlowRun first = run(new TestStorage(directory, new DurabilitySettings(SyncMode.NONE, 1,
            Long.MAX_VALUE / 2, Long.MAX_VALUE, 1 << 16, 3 << 16, 0, true, 0)));
        first.start();
        final int[] last = {0};
        final long[] received = {0};
        final Thread source = new Thread(() ->
        {
            final EventBatchSink input = first.running().openInput("S");
            while (first.wiring().rejected() == 0)
            {
                send(first, input, ++last[0]);
            }
            received[0] = ((SequencedSink)input).receivedFrom(PRODUCER);
        });
        source.start();
        while (first.wiring().raised().isEmpty())
        {
            source.join(1);
        }
        ((RunningCqlProcessor)first.running()).stopWaiting();
        source.join();
        assertThat(received[0]).isEqualTo(last[0] - 1);
        first.running().stop();

        final FlowRun second = run(new TestStorage(directory));
        second.start();
        final EventBatchSink input = second.running().openInput("S");
        assertThat(((SequencedSink)input).receivedFrom(PRODUCER)).isEqualTo(last[0] - 1);
        send(second, input, last[0]);
        assertThat(second.running().drain(DRAIN_NS)).isTrue();
        assertThat(second.wiring().rows("q")).hasSize(1);
        second.running().stop();
    }

    /** Otherwise nothing would free the space for which sources wait. */
    @Test
    void shouldWriteTheStateOfTheStandbyWhenTheReceiverHasStoredTheOutputLater() throws Exception
    {
        final Receiver receiver = new Receiver();
        final FlowRun run = run(new TestStorage(directory).followed(true)).receivedBy(receiver);
        run.start();
        send(run, run.running().openInput("S"), 1);
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        assertThat(((RunningCqlProcessor)run.running()).snapshot(SHORT_NS)).isFalse();
        receiver.commit();
        assertThat(((RunningCqlProcessor)run.running()).snapshot(DRAIN_NS)).isTrue();
        assertThat(run.running().statistics().get("snapshots").toString()).contains("written=1", "usesStandby=true");
        run.running().stop();
    }
}
