package dev.millrace.cql.processor.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.cache.Cache;
import dev.millrace.cql.processor.FlowRun;
import dev.millrace.cql.processor.BreakableCache;
import dev.millrace.cql.processor.FlowRun.Step;
import dev.millrace.cql.processor.TestWiring;
import dev.millrace.network.definition.DeploymentException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A durable processor that joins a cache continues with the rows that it found, whatever the cache has by then. */
@Tag("slow")
@Timeout(120)
class DurableCacheTest
{
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(60);
    private static final String ORDER = "PARTITION_ORDERED";
    private static final String JOIN = "RStream(select S.sym as sym, S.q as q, C.name as name from S[now] as S, " +
        "C as C where S.sym = C.sym)";
    private static final String SUM = "IStream(select sym, name, sum(q) as s, count(*) as n from J group by sym, name)";
    private static final String PAIR = "select m.sym, m.name, m.x, m.y from J match_recognize (partition by sym " +
        "measures B.sym as sym, A.name as name, A.q as x, B.q as y all matches pattern (A B) define B as B.q > A.q) " +
        "as m";
    private static final int SYMBOLS = 6;
    private static final int NAMES = 3;

    @TempDir
    private Path directory;

    private final Cache cache = FlowRun.newCache();

    private FlowRun run(final boolean isPipeline, final int workers, final TestStorage storage)
    {
        final FlowRun run = new FlowRun(isPipeline ? PAIR : SUM, ORDER, "sym", workers, 1)
            .withView("J", JOIN, ORDER, "S.sym").withCache(cache).storedIn(storage);
        return isPipeline ? run.asPlanned() : run;
    }

    private static Step row(final int millisecond, final String symbol, final int quantity)
    {
        return new Step("S", millisecond * 1_000_000L, List.of(Arrays.asList(symbol, 1.0, quantity)),
            List.of((byte)0));
    }

    private static Step change(final String symbol, final String name)
    {
        return new Step("C", 0, List.of(Arrays.asList(symbol, name)), List.of((byte)0));
    }

    private static Step snapshot()
    {
        return step("snapshot", 0);
    }

    private static List<Step> steps(final Random random, final int count)
    {
        final List<Step> steps = new ArrayList<>();
        for (int i = 1; i <= count; i++)
        {
            final String symbol = random.nextInt(20) == 0 ? null : "s" + random.nextInt(SYMBOLS);
            steps.add(random.nextInt(4) > 0 || symbol == null ? row(i, symbol, random.nextInt(100)) :
                change(symbol, random.nextInt(3) == 0 ? null : "n" + random.nextInt(NAMES)));
        }
        return steps;
    }

    /** Model of the statements: a row has the name that the cache has for its symbol when it arrives. */
    private static final class Expectation
    {
        private final boolean isPair;
        private final Map<Object, Object> names = new HashMap<>();
        private final Map<List<Object>, int[]> sums = new HashMap<>();
        private final Map<Object, List<Object>> previous = new HashMap<>();
        private final Map<Object, List<List<Object>>> rows = new LinkedHashMap<>();

        Expectation(final boolean isPair)
        {
            this.isPair = isPair;
        }

        void step(final Step step)
        {
            final Object symbol = step.rows().get(0).get(0);
            if (step.channel().equals("C"))
            {
                names.put(symbol, step.rows().get(0).get(1));
            }
            else if (names.get(symbol) != null)
            {
                row(symbol, names.get(symbol), (Integer)step.rows().get(0).get(2));
            }
        }

        private void row(final Object symbol, final Object name, final int quantity)
        {
            final List<Object> before = previous.put(symbol, List.of(name, quantity));
            final int[] sum = sums.computeIfAbsent(List.of(symbol, name), key -> new int[2]);
            sum[0] += quantity;
            sum[1]++;
            if (!isPair)
            {
                add(List.of(symbol, name, sum[0], sum[1]));
            }
            else if (before != null && (Integer)before.get(1) < quantity)
            {
                add(List.of(symbol, before.get(0), before.get(1), quantity));
            }
        }

        private void add(final List<Object> row)
        {
            rows.computeIfAbsent(row.get(0), key -> new ArrayList<>()).add(row);
        }
    }

    private static void collect(final FlowRun run, final Map<Object, List<List<Object>>> rows)
    {
        run.wiring().rows("q").stream().map(TestWiring.Row::values).forEach(values -> rows
            .computeIfAbsent(values.get(0), key -> new ArrayList<>())
            .add(List.of(values.get(0), values.get(1), ((Number)values.get(2)).intValue(),
                ((Number)values.get(3)).intValue())));
    }

    @ParameterizedTest
    @CsvSource({"true, 1", "true, 2", "false, 1", "false, 2"})
    void shouldContinueWithWhatItFoundWhenItIsKilledOrStoppedAnywhere(final boolean isPipeline, final int workers)
        throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_129L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final List<Step> steps = steps(random, 400);
        final Expectation expected = new Expectation(isPipeline);
        final Map<Object, List<List<Object>>> found = new LinkedHashMap<>();
        TestStorage storage = new TestStorage(directory.resolve("0"));
        int from = 0;
        for (int start = 1; from < steps.size(); start++)
        {
            final int to = Math.min(steps.size(), from + 1 + random.nextInt(60));
            final FlowRun run = run(isPipeline, workers, storage.followed(random.nextInt(4) == 0));
            run.start();
            final List<Step> sent = new ArrayList<>(steps.subList(from, to));
            if (random.nextBoolean())
            {
                sent.add(random.nextInt(sent.size()), snapshot());
            }
            run.send(sent, to == steps.size());
            assertThat(((List<?>)run.running().statistics().get("flows")).isEmpty()).isEqualTo(isPipeline);
            assertThat(run.running().drain(DRAIN_NS)).isTrue();
            steps.subList(from, to).forEach(expected::step);
            if (random.nextBoolean())
            {
                storage = storage.copyTo(directory.resolve(Integer.toString(start)));
            }
            run.running().stop();
            assertThat(run.wiring().rejected()).isZero();
            collect(run, found);
            changeWhileStopped(random, expected);
            from = to;
        }
        assertThat(found).as("seed=%d", seed).isEqualTo(expected.rows);
    }

    private static List<List<Object>> values(final FlowRun run) throws Exception
    {
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        final Map<Object, List<List<Object>>> found = new LinkedHashMap<>();
        collect(run, found);
        return found.values().stream().flatMap(List::stream).toList();
    }

    private FlowRun started(final boolean isPipeline, final TestStorage storage) throws Exception
    {
        final FlowRun run = run(isPipeline, 1, storage);
        run.start();
        return run;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReplayAReloadAfterMoreChangesThanItsQueueHolds(final boolean isPipeline) throws Exception
    {
        final TestStorage storage = new TestStorage(directory.resolve("many"));
        final FlowRun killed = started(isPipeline, storage);
        final List<List<Object>> many = new ArrayList<>();
        for (int i = 0; i < 10_000; i++)
        {
            many.add(List.of("s" + i, "n" + i % 7));
        }
        many.add(Arrays.asList("s77", null));
        killed.send(List.of(row(1, "s1", 1), new Step("C", 0, many, List.of()), row(2, "s9999", 5), row(3, "s77", 5),
            row(4, "s9999", 6)), true);
        assertThat(values(killed)).last().isEqualTo(
            isPipeline ? List.of("s9999", "n3", 5, 6) : List.of("s9999", "n3", 11, 2));
        final TestStorage left = storage.copyTo(directory.resolve("left"));
        killed.running().stop();

        FlowRun.change(cache, "s9999", null);
        FlowRun.change(cache, "s77", "n0");
        final FlowRun run = started(isPipeline, left);
        run.send(List.of(row(100, "s9999", 2), change("s9999", "n4"), row(101, "s9999", 7), row(102, "s77", 1),
            row(103, "s77", 2), change("s9999", "n3"), row(104, "s9999", 1)), true);
        assertThat(values(run)).containsExactlyInAnyOrderElementsOf(isPipeline ?
            List.of(List.of("s9999", "n3", 6, 7), List.of("s77", "n0", 1, 2)) :
            List.of(List.of("s9999", "n4", 7, 1), List.of("s77", "n0", 1, 1), List.of("s77", "n0", 3, 2),
                List.of("s9999", "n3", 12, 3)));
        run.running().stop();
    }

    private static Step step(final String channel, final int millisecond)
    {
        return new Step(channel, millisecond * 1_000_000L, List.of(), List.of());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCountAnUnreadableValueOnceAndFindNothingForItsKey(final boolean isPipeline) throws Exception
    {
        FlowRun.change(cache, "s1", "n1");
        final TestStorage storage = new TestStorage(directory.resolve("unreadable"));
        final FlowRun run = started(isPipeline, storage);
        run.send(List.of(row(1, "s1", 1), row(2, "s1", 2), new Step("C", 0, List.of(List.of("s1", 5)), List.of()),
            row(3, "s1", 4), snapshot(), row(4, "s1", 8), row(5, "s2", 1)), true);
        assertThat(values(run)).last().isEqualTo(isPipeline ? List.of("s1", "n1", 1, 2) : List.of("s1", "n1", 3, 2));
        assertThat(run.wiring().rejected("unreadable-cache-value")).isEqualTo(1);
        assertThat(run.wiring().rejected()).isEqualTo(1);
        run.running().stop();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRejectRowsWhileTheContentOfTheCacheCannotBeRead(final boolean isPipeline) throws Exception
    {
        FlowRun.change(cache, "s1", "n1");
        final BreakableCache breakable = new BreakableCache(cache);
        final TestStorage storage = new TestStorage(directory.resolve("broken"));
        final FlowRun run = run(isPipeline, 2, storage).withCache(breakable);
        run.start();
        run.send(List.of(row(1, "s1", 1), snapshot()), false);
        breakable.broken(true);
        run.send(List.of(row(2, "s1", 2)), false);
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        assertThat(run.wiring().rejected("not-journaled")).isEqualTo(1);
        assertThat(run.wiring().detail("not-journaled")).contains("CQL-8107", "out of order");
        breakable.broken(false);
        run.send(List.of(row(3, "s1", 4)), true);
        assertThat(values(run)).last().isEqualTo(isPipeline ? List.of("s1", "n1", 1, 4) : List.of("s1", "n1", 5, 2));
        run.running().stop();
    }

    @Test
    void shouldRefuseAJournalWhoseChangesAreDamaged() throws Exception
    {
        FlowRun.change(cache, "s1", "a name to be damaged");
        final TestStorage storage = new TestStorage(directory.resolve("whole"));
        final FlowRun run = started(true, storage);
        run.send(List.of(row(1, "s1", 1), row(2, "s1", 2)), false);
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        final TestStorage damaged = storage.copyTo(directory.resolve("damaged"));
        run.running().stop();
        final Path file = damaged.files(".cq4").get(0);
        final byte[] bytes = Files.readAllBytes(file);
        final int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("name to be damaged");
        assertThat(at).isPositive();
        bytes[at] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(() -> started(true, damaged)).isInstanceOf(DeploymentException.class)
            .hasMessageContaining("JNL-");
    }

    @Test
    void shouldStoreTheContentOfTheCacheWhenTheDiskHasSpaceAgain() throws Exception
    {
        FlowRun.change(cache, "s1", "n1");
        final TestStorage storage = new TestStorage(directory.resolve("full"));
        storage.minFreeBytes(Long.MAX_VALUE >> 1);
        final FlowRun full = started(true, storage);
        full.send(List.of(row(1, "s1", 1)), false);
        assertThat(values(full)).isEmpty();
        assertThat(full.wiring().rejected("not-journaled")).isEqualTo(1);
        full.running().stop();
        storage.minFreeBytes(0);
        final FlowRun run = started(true, storage);
        run.send(List.of(row(2, "s1", 2), row(3, "s1", 3)), true);
        assertThat(values(run)).containsExactly(List.of("s1", "n1", 2, 3));
        run.running().stop();
    }

    private void changeWhileStopped(final Random random, final Expectation expected)
    {
        for (int i = 0; i < SYMBOLS; i++)
        {
            if (random.nextInt(3) == 0)
            {
                final Step change = change("s" + i, random.nextBoolean() ? null : "n" + random.nextInt(NAMES));
                FlowRun.change(cache, "s" + i, change.rows().get(0).get(1));
                expected.step(change);
            }
        }
    }
}
