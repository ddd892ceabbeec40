package dev.millrace.adapter.kafka.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.common.source.Deadline;
import dev.millrace.adapter.kafka.TestBroker;
import dev.millrace.adapter.kafka.TestStage;
import dev.millrace.adapter.kafka.TestTopic;
import dev.millrace.api.stage.EventRejectedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker that stops and starts again while rows are written or transactions are open. A broker that is shut down
 * while it completes a transaction may leave it open (README.md); KilledKafkaIT kills brokers at any time.
 */
@Tag("slow")
@Timeout(300)
class SinkOutageTest
{
    private static final String TOPIC = "out";

    @TempDir
    private Path directory;
    private TestBroker broker;
    private final TestStage stage = new TestStage(TestStage.TICK);
    private KafkaSink sink;

    @BeforeEach
    void startBroker() throws Exception
    {
        broker = new TestBroker(directory, Map.of());
        broker.createTopic(TOPIC, 2, Map.of());
    }

    @AfterEach
    void stopBroker()
    {
        broker.close();
    }

    private void open(final int commitMillis, final int commitRows)
    {
        open(true, commitMillis, commitRows);
    }

    private void open(final boolean exactlyOnce, final int commitMillis, final int commitRows)
    {
        sink = new KafkaSink(name -> null);
        sink.setStageContext(stage);
        sink.setServers(broker.servers());
        sink.setTopic(TOPIC);
        sink.setExactlyOnce(exactlyOnce);
        sink.setAnswerMillis(1000);
        sink.setMaxRetryMillis(100);
        sink.setCommitMillis(commitMillis);
        sink.setCommitRows(commitRows);
        sink.afterPropertiesSet();
        sink.afterConfigurationActive();
    }

    private void write(final long first, final int count) throws EventRejectedException
    {
        sink.onBatch(TestStage.numbered(TestStage.ticks(first, count), "p", first));
    }

    private static void await(final BooleanSupplier condition) throws InterruptedException
    {
        while (!condition.getAsBoolean())
        {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private void assertThatTheTopicContains(final int count)
    {
        final List<ConsumerRecord<String, String>> records = TestTopic.read(broker, TOPIC, count);
        assertThat(records.stream().map(record -> Long.parseLong(record.value().replaceAll("\\D*(\\d+).*", "$1"))))
            .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, count).boxed().toList());
    }

    @Test
    void shouldWriteARowOfAnOpenTransactionOnceWhenTheBrokerIsStartedAgain() throws Exception
    {
        open(30_000, 150);
        write(1, 100);
        assertThat(sink.receivedFrom("p")).isZero();
        broker.stop();
        broker.start();
        write(101, 100);
        await(() -> sink.receivedFrom("p") == 200);
        sink.destroy();
        assertThatTheTopicContains(200);
        assertThat(sink.statistics()).containsEntry("written", 200L).containsEntry("rejected", 0L);
        assertThat(stage.raised).isEmpty();
    }

    /** The client waits for a second without metadata of the topic: all records must not wait after each other. */
    @Test
    @Timeout(80)
    void shouldLetTheChannelWaitWhileTheBrokerOfAnOpenTransactionIsAway() throws Exception
    {
        open(30_000, 150);
        write(1, 100);
        broker.stop();
        final Queue<Exception> failures = new ConcurrentLinkedQueue<>();
        final Thread channel = new Thread(() ->
        {
            try
            {
                write(101, 100);
            }
            catch (final EventRejectedException e)
            {
                failures.add(e);
            }
        });
        channel.start();
        await(() -> stage.raised.containsKey("KAF-0103"));
        assertThat(channel.isAlive()).isTrue();
        broker.start();
        channel.join();
        assertThat(failures).isEmpty();
        await(() -> sink.receivedFrom("p") == 200);
        sink.destroy();
        assertThatTheTopicContains(200);
        assertThat(stage.raised).isEmpty();
    }

    /** Without metadata of the topic the client waits for each record: the sink must not let it do so for all. */
    @Test
    void shouldReportBrokersThatAreAwayAtTheFirstBatchAfterTheTimeOfOneRecord() throws Exception
    {
        open(false, 100, 100);
        broker.stop();
        final Queue<Exception> failures = new ConcurrentLinkedQueue<>();
        final Thread channel = new Thread(() ->
        {
            try
            {
                write(1, 200);
            }
            catch (final EventRejectedException e)
            {
                failures.add(e);
            }
        });
        final Deadline deadline = Deadline.afterMillis(60_000);
        channel.start();
        await(() -> stage.raised.containsKey("KAF-0103") || deadline.hasPassed());
        assertThat(stage.raised).containsKey("KAF-0103");
        broker.start();
        channel.join();
        assertThat(failures).isEmpty();
        sink.destroy();
        assertThatTheTopicContains(200);
    }
}
