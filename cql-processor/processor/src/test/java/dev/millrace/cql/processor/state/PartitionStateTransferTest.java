package dev.millrace.cql.processor.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.processor.FlowRun;
import dev.millrace.cql.processor.TestWiring;
import dev.millrace.network.partition.PartitionHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Partitions that move to another processor and back with their state, compared with a processor that always has all of
 * them.
 */
@Timeout(120)
class PartitionStateTransferTest
{
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int STEPS = 400;
    private static final int SYMBOLS = 7;
    private static final Map<String, String> SHARED = Map.of("S", "sym");
    private static final String SUMS = "IStream(select sym, sum(q) as s, count(*) as n from S group by sym)";
    private static final String PAIRS = "select m.sym, m.x, m.y from S match_recognize (partition by sym measures " +
        "B.sym as sym, A.price as x, B.price as y pattern (A B) define B as B.price > A.price) as m";

    /** A running processor. */
    private static final class Member
    {
        final FlowRun run;
        final EventBatchSink input;
        final EventBatch batch;

        Member(final String statement, final int workers) throws Exception
        {
            run = new FlowRun(statement, workers == 1 ? null : "PARTITION_ORDERED", workers == 1 ? null : "sym",
                workers, 1).asPlanned().sharedBy(SHARED);
            run.start();
            input = run.running().openInput("S");
            batch = run.batch("S");
            assertThat((Collection<?>)run.running().statistics().get("pipelines")).as("pipelines").isNotEmpty();
        }

        void send(final long timeNs, final List<Object> row)
        {
            FlowRun.deliver(input, run.fill(batch, new FlowRun.Step("S", timeNs, row == null ? List.of() : List.of(row),
                row == null ? List.of() : List.of(EventBatch.INSERT)), each -> true));
        }

        List<TestWiring.Row> end()
        {
            assertThat(run.running().drain(WAIT_NS)).isTrue();
            run.running().stop();
            assertThat(run.wiring().rejected()).as("rejected").isZero();
            return run.wiring().rows("q");
        }
    }

    private static int partition(final Object symbol)
    {
        return symbol == null ? PartitionHash.ofNull() :
            PartitionHash.partition(PartitionHash.hash(symbol.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static void move(final Member from, final Member to, final BitSet partitions)
    {
        final List<byte[]> states = new ArrayList<>();
        assertThat(from.run.running().forget("S", partitions, WAIT_NS, states::add)).isTrue();
        assertThat(states).hasSize(1);
        assertThat(to.run.running().takeOver("S", partitions, states.get(0), WAIT_NS)).isTrue();
    }

    private static List<String> sorted(final List<TestWiring.Row> rows)
    {
        return rows.stream().map(TestWiring.Row::toString).sorted().toList();
    }

    private static List<Object> row(final Random random)
    {
        final int symbol = random.nextInt(SYMBOLS + 1);
        return Arrays.asList(symbol == SYMBOLS ? null : "s" + symbol, (double)random.nextInt(10), random.nextInt(4));
    }

    @ParameterizedTest
    @ValueSource(strings = {SUMS,
        "IStream(select sym, sum(q) as s, avg(price) as a from S group by sym having count(*) > 1)",
        "IStream(select sym, sum(q) as s, count(*) as n, avg(price) as a from S[range 9 milliseconds] group by sym)",
        PAIRS,
        "select m.sym, m.x, m.y from S match_recognize (partition by sym measures B.sym as sym, A.price as x, " +
            "B.price as y all matches pattern (A X* B) within 20 milliseconds define B as B.price > A.price + 3, " +
            "X as not (X.price > A.price + 3)) as m"})
    void shouldGoOnWithTheStateThatHasComeAlong(final String statement) throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_128L);
        System.out.println("seed=" + seed + " statement=" + statement);
        final Random random = new Random(seed);
        final Member whole = new Member(statement, 1);
        final Member[] members = {new Member(statement, 1), new Member(statement, 1)};
        final BitSet second = new BitSet();
        for (int step = 1; step <= STEPS; step++)
        {
            if (random.nextInt(20) == 0)
            {
                final BitSet there = (BitSet)second.clone();
                final BitSet moving = new BitSet();
                for (int symbol = 0; symbol <= SYMBOLS; symbol++)
                {
                    moving.set(partition(symbol == SYMBOLS ? null : "s" + symbol), random.nextBoolean());
                }
                final BitSet back = (BitSet)moving.clone();
                back.and(there);
                moving.andNot(there);
                move(members[0], members[1], moving);
                move(members[1], members[0], back);
                second.or(moving);
                second.andNot(back);
            }
            final List<Object> row = row(random);
            final int owner = second.get(partition(row.get(0))) ? 1 : 0;
            whole.send(step * STEP_NS, row);
            members[owner].send(step * STEP_NS, row);
            members[1 - owner].send(step * STEP_NS, null);
        }
        final long endNs = (STEPS + 100) * STEP_NS;
        final List<TestWiring.Row> rows = new ArrayList<>();
        for (final Member each : members)
        {
            each.send(endNs, null);
            rows.addAll(each.end());
        }
        whole.send(endNs, null);
        final List<TestWiring.Row> expected = whole.end();
        assertThat(expected).hasSizeGreaterThan(STEPS / 10);
        assertThat(sorted(rows)).as("seed=%d", seed).isEqualTo(sorted(expected));
    }

    @Test
    void shouldBeginEmptyWhereTheStateIsOfOtherRules() throws Exception
    {
        final Member from = new Member(SUMS, 1);
        final Member to = new Member("IStream(select sym, sum(q) as s, sum(price) as n from S group by sym)", 1);
        from.send(STEP_NS, List.of("s1", 1.0, 1));
        final BitSet partitions = new BitSet();
        partitions.set(partition("s1"));
        move(from, to, partitions);
        to.send(2 * STEP_NS, List.of("s1", 1.0, 5));
        assertThat(to.end()).extracting(TestWiring.Row::values).containsExactly(List.of("s1", 5, 1.0));
        from.end();
    }

    @Test
    void shouldBeginEmptyInAProcessorOfSeveralWorkers() throws Exception
    {
        final Member from = new Member(PAIRS, 1);
        final Member to = new Member(PAIRS, 2);
        from.send(STEP_NS, List.of("s1", 1.0, 1));
        final BitSet partitions = new BitSet();
        partitions.set(partition("s1"));
        move(from, to, partitions);
        to.send(2 * STEP_NS, List.of("s1", 5.0, 1));
        to.send(3 * STEP_NS, List.of("s1", 6.0, 1));
        assertThat(to.end()).extracting(TestWiring.Row::values).containsExactly(List.of("s1", 5.0, 6.0));
        from.end();
    }
}
