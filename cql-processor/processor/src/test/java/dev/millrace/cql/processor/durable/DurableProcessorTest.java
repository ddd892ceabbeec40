package dev.millrace.cql.processor.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.cql.processor.FlowRun.Step;
import dev.millrace.cql.processor.FlowRun;
import dev.millrace.cql.processor.Receiver;
import dev.millrace.cql.processor.RunningCqlProcessor;
import dev.millrace.cql.processor.TestWiring;
import dev.millrace.journal.JournalReader;
import dev.millrace.journal.Journals;
import dev.millrace.journal.SyncMode;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.durable.RecordDecoder;
import dev.millrace.network.durable.RecordKind;
import dev.millrace.network.spi.DurabilitySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A processor that stops and starts at any moment emits the rows of one that runs without interruption. */
@Tag("slow")
@Timeout(120)
class DurableProcessorTest
{
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int SYMBOLS = 6;
    private static final int NUMBERED_ROWS = 2_000;
    private static final String ORDER = "PARTITION_ORDERED";
    private static final List<String> SUM = List.of("sym", "select sym, sum(q) as s from S group by sym");

    @TempDir
    private Path directory;

    /** Statements whose first column is the partition value, and their partition expressions. */
    static Stream<List<String>> statements()
    {
        return Stream.of(
            List.of("sym", "select sym, sum(q) as s from S group by sym"),
            List.of("sym", "select sym, sum(q) as s, count(*) as n, max(price) as m from S[range 7 milliseconds] " +
                "group by sym"),
            List.of("sym", "select sym, avg(price) as a from S[range 9 milliseconds slide 4 milliseconds] " +
                "group by sym having count(*) > 1"),
            List.of("q", "select q, sym, price from S[partition by q rows 2]"),
            List.of("sym", "IStream(select sym, q from S[partition by sym rows 3 range 6 milliseconds])"),
            List.of("sym", "DStream(select sym, price from S[range 5 milliseconds])"),
            List.of("sym", "select distinct sym, q from S[range 5 milliseconds]"),
            List.of("sym", "select m.sym, m.x, m.n from S match_recognize (partition by sym measures A.sym as sym, " +
                "last(U.price) as x, count(*) as n pattern (A D+ U+ D2+ U2+) define D as D.price < prev(D.price), " +
                "U as U.price > prev(U.price), D2 as D2.price < prev(D2.price), U2 as U2.price > prev(U2.price)) as m"),
            List.of("sym", "select m.sym, m.x, m.y from S match_recognize (partition by sym measures A.sym as sym, " +
                "A.q as x, C.q as y pattern (A B* C) within 6 milliseconds define C as C.q > A.q) as m"),
            List.of("sym", "select S.sym, S.q, T.rate from S[range 4 milliseconds], T[range 6 milliseconds] " +
                "where S.sym = T.sym"),
            List.of("S.q", "select S.q, S.sym, R.name from S[range 4 milliseconds], R where S.sym = R.sym"),
            List.of("sym", "select sym, q from S[range 6 milliseconds] except select sym, b from T[range 9 " +
                "milliseconds]"));
    }

    @ParameterizedTest
    @MethodSource("statements")
    void shouldEmitTheSameRowsWhenItStopsAndStartsAnywhere(final List<String> rule) throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_129L);
        System.out.println("seed=" + seed + " rule=" + rule);
        final Random random = new Random(seed);
        for (int workers = 1; workers <= 2; workers++)
        {
            final List<Step> steps = FlowRun.calmed(FlowRun.steps(random, 200, SYMBOLS), SYMBOLS);
            final List<TestWiring.Row> whole = run(rule, workers).run(steps);
            assertThat(partitions(interrupted(rule, workers, steps, random))).as("seed=%d workers=%d rule=%s", seed,
                workers, rule).isEqualTo(partitions(whole));
        }
    }

    /** Kills lose what the receiver has not committed; each row arrives once nevertheless. */
    @ParameterizedTest
    @MethodSource("statements")
    void shouldDeliverEachRowOnceToReceiverThatStoresNumbersWhenItIsKilledAnywhere(final List<String> rule)
        throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_129L);
        System.out.println("seed=" + seed + " rule=" + rule);
        final Random random = new Random(seed);
        for (int workers = 1; workers <= 2; workers++)
        {
            final List<Step> steps = FlowRun.calmed(FlowRun.steps(random, 150, SYMBOLS), SYMBOLS);
            final List<TestWiring.Row> whole = run(rule, workers).run(steps);
            assertThat(partitions(killed(rule, workers, steps, random))).as("seed=%d workers=%d rule=%s", seed,
                workers, rule).isEqualTo(partitions(whole));
        }
    }

    private List<TestWiring.Row> killed(final List<String> rule, final int workers, final List<Step> steps,
        final Random random) throws Exception
    {
        final Receiver receiver = new Receiver();
        TestStorage storage = new TestStorage(directory.resolve("killed-" + workers));
        int from = 0;
        for (int run = 0; from < steps.size(); run++)
        {
            final FlowRun each = run(rule, workers).storedIn(storage.followed(random.nextInt(4) == 0))
                .receivedBy(receiver);
            each.start();
            final int to = Math.min(steps.size(), from + 1 + random.nextInt(100));
            while (from < to)
            {
                final int next = Math.min(to, from + 1 + random.nextInt(40));
                each.send(steps.subList(from, next), next == steps.size());
                from = next;
                if (random.nextInt(3) == 0)
                {
                    receiver.commit();
                }
                if (random.nextInt(4) == 0)
                {
                    // Nothing is written while the receiver lags behind.
                    ((RunningCqlProcessor)each.running()).snapshot(SHORT_NS);
                }
            }
            assertThat(each.running().drain(DRAIN_NS)).isTrue();
            assertThat(each.wiring().rejected()).isZero();
            if (random.nextInt(4) == 0)
            {
                receiver.commit();
                each.running().stop();
            }
            else
            {
                storage = storage.copyTo(directory.resolve("killed-" + workers + '-' + run));
                receiver.kill();
                ((RunningCqlProcessor)each.running()).stop(SHORT_NS);
                receiver.kill();
            }
        }
        final FlowRun last = run(rule, workers).storedIn(storage).receivedBy(receiver);
        last.start();
        receiver.commit();
        last.running().stop();
        return receiver.rows();
    }

    /** A start that fails, because it cannot know what to emit, leaves the stored state as it is. */
    @Test
    void shouldKeepItsStateWhenTheReceiverIsUnavailableAtTheStart() throws Exception
    {
        final Receiver receiver = new Receiver();
        TestStorage storage = new TestStorage(directory.resolve("away"));
        final FlowRun first = run(SUM, 1).storedIn(storage).receivedBy(receiver);
        first.start();
        first.send(List.of(step(1, 1), step(2, 2), step(3, 3)), false);
        assertThat(first.running().drain(DRAIN_NS)).isTrue();
        storage = storage.copyTo(directory.resolve("away-copy"));
        receiver.kill();
        ((RunningCqlProcessor)first.running()).stop(SHORT_NS);
        receiver.kill();

        final FlowRun refused = run(SUM, 1).storedIn(storage).receivedBy(receiver);
        receiver.isUnavailable(true);
        assertThatThrownBy(refused::start).hasMessageContaining("the receiver cannot be reached");
        refused.running().stop();
        receiver.isUnavailable(false);

        final FlowRun last = run(SUM, 1).storedIn(storage).receivedBy(receiver);
        last.start();
        last.send(List.of(step(4, 4), step(5, 0)), false);
        assertThat(last.running().drain(DRAIN_NS)).isTrue();
        receiver.commit();
        assertThat(receiver.rows().stream().filter(row -> row.kind() == EventBatch.INSERT)
            .map(row -> ((Number)row.values().get(1)).longValue())).containsExactly(1L, 3L, 6L, 10L);
        last.running().stop();
    }

    private static FlowRun run(final List<String> rule, final int workers)
    {
        return new FlowRun(rule.get(1), ORDER, rule.get(0), workers, 1);
    }

    private List<TestWiring.Row> interrupted(final List<String> rule, final int workers, final List<Step> steps,
        final Random random) throws Exception
    {
        final TestStorage storage = new TestStorage(directory.resolve("run-" + workers));
        final List<TestWiring.Row> rows = new ArrayList<>();
        int from = 0;
        while (from < steps.size())
        {
            final int to = Math.min(steps.size(), from + 1 + random.nextInt(120));
            final FlowRun run = run(rule, workers).storedIn(storage.followed(random.nextInt(4) == 0));
            run.start();
            run.send(steps.subList(from, to), to == steps.size());
            if (random.nextBoolean())
            {
                assertThat(((RunningCqlProcessor)run.running()).snapshot(DRAIN_NS)).isTrue();
            }
            assertThat(run.running().drain(DRAIN_NS)).isTrue();
            run.running().stop();
            assertThat(run.wiring().rejected()).isZero();
            rows.addAll(run.wiring().rows("q"));
            from = to;
        }
        return rows;
    }

    private static Step step(final int millisecond, final int quantity)
    {
        return new Step("S", millisecond * 1_000_000L, List.of(List.of("s1", 1.0, quantity)), List.of((byte)0));
    }

    private static List<List<Object>> values(final FlowRun run) throws Exception
    {
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        return run.wiring().rows("q").stream().map(TestWiring.Row::values).toList();
    }

    private FlowRun started(final TestStorage storage) throws Exception
    {
        final FlowRun run = run(SUM, 1).storedIn(storage);
        run.start();
        return run;
    }

    @Test
    void shouldUseTheSnapshotBeforeADamagedOne() throws Exception
    {
        final TestStorage storage = new TestStorage(directory.resolve("damaged"));
        for (int i = 1; i <= 3; i++)
        {
            final FlowRun run = started(storage);
            run.send(List.of(step(i, i)), false);
            run.running().stop();
        }
        damage(storage.files(".state").get(1));
        final FlowRun run = started(storage);
        run.send(List.of(step(10, 10), step(11, 0)), false);
        assertThat(values(run)).last().isEqualTo(List.of("s1", 1 + 2 + 3 + 10));
        run.running().stop();
    }

    private static void damage(final Path file) throws IOException
    {
        final byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
    }

    @Test
    void shouldRefuseToStartWithAPartOfItsStateWhenAllSnapshotsAreDamaged() throws Exception
    {
        final TestStorage storage = new TestStorage(directory.resolve("lost"));
        for (int i = 1; i <= 4; i++)
        {
            final FlowRun run = started(storage);
            run.send(List.of(step(i, i)), false);
            run.running().stop();
        }
        for (final Path snapshot : storage.files(".state"))
        {
            damage(snapshot);
        }
        assertThatThrownBy(() -> started(storage)).isInstanceOf(DeploymentException.class)
            .hasMessageContaining("JNL-").hasMessageContaining("the state is lost");
    }

    @Test
    void shouldRefuseStateOfOtherRules() throws Exception
    {
        final TestStorage storage = new TestStorage(directory.resolve("other"));
        final FlowRun run = started(storage);
        run.send(List.of(step(1, 1)), false);
        run.running().stop();
        final FlowRun other = new FlowRun("select sym, max(q) as s from S group by sym", ORDER, "sym", 1, 1)
            .storedIn(storage);
        assertThatThrownBy(other::start).isInstanceOf(DeploymentException.class).hasMessageContaining("CQL-810");
        // The refused processor has released the journal.
        started(storage).running().stop();
    }

    private static Step change(final int millisecond, final byte kind, final String symbol, final String name)
    {
        return new Step("R", millisecond * 1_000_000L, List.of(List.of(symbol, name)), List.of(kind));
    }

    /** The channel does not check rows that a source sends again. */
    @Test
    void shouldRejectRowsOfARelationWithInvalidKeysAlsoAfterAKill() throws Exception
    {
        final TestStorage storage = new TestStorage(directory.resolve("keys"));
        final FlowRun first = new FlowRun("select sym, name from R", "ORDERED", null, 1, 1).storedIn(storage);
        first.start();
        first.send(List.of(change(1, EventBatch.INSERT, "a", "n1"), change(2, EventBatch.INSERT, "a", "n2"),
            change(3, EventBatch.DELETE, "b", "n1"), change(4, EventBatch.INSERT, "c", "n3")), true);
        assertThat(values(first)).containsExactly(List.of("a", "n1"), List.of("c", "n3"));
        assertThat(first.wiring().rejected("duplicate-key")).isEqualTo(1);
        assertThat(first.wiring().rejected("missing-key")).isEqualTo(1);
        final TestStorage left = storage.copyTo(directory.resolve("keys-left"));
        ((RunningCqlProcessor)first.running()).stop(SHORT_NS);

        final FlowRun second = new FlowRun("select sym, name from R", "ORDERED", null, 1, 1).storedIn(left);
        second.start();
        second.send(List.of(change(60, EventBatch.INSERT, "c", "n4"), change(61, EventBatch.UPDATE, "a", "n5"),
            change(62, EventBatch.INSERT, "b", "n6")), true);
        assertThat(values(second)).containsExactly(List.of("a", "n1"), List.of("a", "n5"), List.of("b", "n6"));
        assertThat(second.wiring().rejected("duplicate-key")).isEqualTo(1);
        assertThat(second.wiring().rejected()).isEqualTo(1);
        second.running().stop();
    }

    /** A source that sends its rows again from some earlier row, as after a lost connection, and stops anywhere. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldReceiveEachNumberedRowOnceWhenRowsAreSentAgain(final int workers) throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_129L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final TestStorage storage = new TestStorage(directory.resolve("again-" + workers));
        final String producer = "DurableProcessorTest/" + workers;
        final List<TestWiring.Row> rows = new ArrayList<>();
        long stored = 0;
        while (stored < NUMBERED_ROWS)
        {
            final FlowRun run = run(SUM, workers).storedIn(storage);
            run.start();
            final EventBatchSink input = run.running().openInput("S");
            stored = ((SequencedSink)input).receivedFrom(producer);
            for (int connection = random.nextInt(3); connection >= 0 && stored < NUMBERED_ROWS; connection--)
            {
                long next = Math.max(0, stored - random.nextInt(30)) + 1;
                for (int batches = random.nextInt(20); batches > 0 && next <= NUMBERED_ROWS; batches--)
                {
                    next = sendNumbered(run, input, next, 1 + random.nextInt(9), Producers.id(producer));
                }
                assertThat(run.running().drain(DRAIN_NS)).isTrue();
                stored = ((SequencedSink)input).receivedFrom(producer);
            }
            if (stored == NUMBERED_ROWS)
            {
                final EventBatch end = run.batch("S");
                end.baseTimestampNs(TimeUnit.HOURS.toNanos(1));
                FlowRun.deliver(input, end);
                assertThat(run.running().drain(DRAIN_NS)).isTrue();
            }
            run.running().stop();
            assertThat(run.wiring().rejected()).isZero();
            rows.addAll(run.wiring().rows("q"));
        }
        final Map<Object, Long> sums = new HashMap<>();
        final Map<Object, List<Object>> expected = new HashMap<>();
        for (long number = 1; number <= NUMBERED_ROWS; number++)
        {
            final Object symbol = "s" + number % SYMBOLS;
            expected.computeIfAbsent(symbol, key -> new ArrayList<>()).add(sums.merge(symbol, number, Long::sum));
        }
        final Map<Object, List<Object>> actual = new HashMap<>();
        rows.stream().filter(row -> row.kind() == EventBatch.INSERT).forEach(row ->
            actual.computeIfAbsent(row.values().get(0), key -> new ArrayList<>())
                .add(((Number)row.values().get(1)).longValue()));
        assertThat(actual).isEqualTo(expected);
    }

    private static long sendNumbered(final FlowRun run, final EventBatchSink input, final long first, final int most,
        final int producer)
    {
        final EventBatch batch = run.batch("S");
        long number = first;
        for (int row = 0; row < most && number <= NUMBERED_ROWS; row++, number++)
        {
            batch.texts(0).set(row, "s" + number % SYMBOLS);
            batch.doubles(1)[row] = 1.0;
            batch.ints(2)[row] = (int)number;
            batch.useTimestampPerRow()[row] = number * 1_000_000L;
            batch.useSequences()[row] = RowSequence.of(producer, number);
            batch.size(row + 1);
        }
        FlowRun.deliver(input, batch);
        return number;
    }

    @Test
    void shouldRefuseStateOfAnotherNumberOfWorkers() throws Exception
    {
        final TestStorage storage = new TestStorage(directory.resolve("threads"));
        final FlowRun two = run(SUM, 2).storedIn(storage);
        two.start();
        two.send(List.of(step(1, 1)), false);
        two.running().stop();
        assertThatThrownBy(run(SUM, 3).storedIn(storage)::start).isInstanceOf(DeploymentException.class)
            .hasMessageContaining("CQL-8108").hasMessageContaining("worker-1-of-2").hasMessageContaining("max-threads");
        final FlowRun again = run(SUM, 2).storedIn(storage);
        again.start();
        again.send(List.of(step(2, 2), step(3, 0)), false);
        assertThat(values(again)).last().isEqualTo(List.of("s1", 1 + 2));
        again.running().stop();
    }

    @Test
    void shouldRejectRowsUntilTheDiskHasSpace() throws Exception
    {
        final TestStorage storage = new TestStorage(directory.resolve("full"));
        storage.minFreeBytes(Long.MAX_VALUE >> 1);
        final FlowRun full = started(storage);
        full.send(List.of(step(1, 1)), false);
        assertThat(values(full)).isEmpty();
        assertThat(full.wiring().rejected("not-journaled")).isEqualTo(1);
        full.running().stop();
        storage.minFreeBytes(0);
        final FlowRun run = started(storage);
        run.send(List.of(step(2, 2), step(3, 3), step(4, 0)), false);
        assertThat(values(run)).last().isEqualTo(List.of("s1", 2 + 3));
        run.running().stop();
    }

    @Test
    void shouldWriteRecordsThatCanBeReadWithoutItsRules() throws Exception
    {
        final TestStorage storage = new TestStorage(directory.resolve("read"));
        final FlowRun run = started(storage);
        run.send(List.of(step(1, 5), step(2, 6)), true);
        run.running().stop();
        final List<String> rows = new ArrayList<>();
        try (JournalReader reader = Journals.openReader(directory.resolve("read").resolve(storage.units().get(0))))
        {
            final RecordDecoder decoder = new RecordDecoder();
            while (reader.next())
            {
                decoder.begin(reader.bytes(), reader.length());
                if (decoder.kind() == RecordKind.ROWS)
                {
                    final EventBatch batch = decoder.rows();
                    for (int row = 0; row < batch.size(); row++)
                    {
                        rows.add(batch.timestampNs(row) + " " + batch.value(0, row) + ' ' + batch.value(1, row));
                    }
                }
                else if (decoder.kind() == RecordKind.GROUP)
                {
                    assertThat(decoder.group().columns()).extracting(EventProperty::name).containsExactly("sym", "q");
                }
            }
        }
        assertThat(rows).contains("1000000 s1 5", "2000000 s1 6");
    }

    private static Map<Object, List<TestWiring.Row>> partitions(final List<TestWiring.Row> rows)
    {
        final Map<Object, List<TestWiring.Row>> found = new LinkedHashMap<>();
        rows.forEach(row -> found.computeIfAbsent(row.values().get(0), key -> new ArrayList<>()).add(row));
        return found;
    }

    private static TestStorage small(final Path directory, final boolean waits)
    {
        return new TestStorage(directory, new DurabilitySettings(SyncMode.NONE, 1, Long.MAX_VALUE / 2, Long.MAX_VALUE,
            1 << 16, 3 << 16, 0, waits, 0));
    }

    /** A snapshot frees space although the source waits in the middle of the processor. */
    @Test
    void shouldLetTheSourceWaitForSpaceAndLoseNothing() throws Exception
    {
        final FlowRun run = started(small(directory.resolve("waits"), true));
        final int rows = 6_000;
        final Thread source = new Thread(() ->
        {
            for (int i = 1; i <= rows; i++)
            {
                run.send(List.of(step(i, 1)), false);
            }
        });
        source.start();
        boolean hasWaited = false;
        while (source.isAlive())
        {
            if (!run.wiring().raised().isEmpty())
            {
                hasWaited = true;
                assertThat(run.wiring().raised().toString()).contains("CQL-8107", "sources wait for space", "JNL-");
                ((RunningCqlProcessor)run.running()).snapshot(DRAIN_NS);
            }
            source.join(1);
        }
        assertThat(hasWaited).isTrue();
        assertThat(run.wiring().raised()).isEmpty();
        assertThat(run.wiring().rejected()).isZero();
        assertThat(run.running().statistics().get("snapshots").toString()).contains("usesStandby=true");
        run.send(List.of(step(rows + 1, 1)), false);
        assertThat(values(run)).last().isEqualTo(List.of("s1", rows));
        run.running().stop();
    }

    @Test
    void shouldStopAndRejectRowsWhileTheSourceWaitsForSpace() throws Exception
    {
        final FlowRun run = started(small(directory.resolve("stopped"), true));
        final Thread source = new Thread(() ->
        {
            for (int i = 1; run.wiring().rejected() == 0; i++)
            {
                run.send(List.of(step(i, 1)), false);
            }
        });
        source.start();
        while (run.wiring().raised().isEmpty())
        {
            source.join(1);
        }
        run.running().stop();
        source.join();
        assertThat(run.wiring().raised()).isEmpty();
        assertThat(run.wiring().detail("not-journaled")).contains("CQL-8107", "maximum size");
    }
}
