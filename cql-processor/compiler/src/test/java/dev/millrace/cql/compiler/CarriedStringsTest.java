package dev.millrace.cql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strings that fused patterns only copy from earlier rows to their matches: correct, and released with their rows. */
@Tag("slow")
@Timeout(120)
class CarriedStringsTest
{
    private static final EventType ORDER = EventType.tuple("Order", new EventProperty("account", CqlType.BIGINT),
        new EventProperty("id", CqlType.CHAR), new EventProperty("price", CqlType.DOUBLE));
    private static final EventType MATCH = EventType.tuple("Match", new EventProperty("first", CqlType.CHAR),
        new EventProperty("second", CqlType.CHAR), new EventProperty("last", CqlType.CHAR));
    private static final int RESTING = 16;

    private final BatchSchema schema = new BatchSchema(ORDER);
    private StringTable strings;
    private final List<List<String>> found = new ArrayList<>();
    private final List<List<String>> expected = new ArrayList<>();
    /** The last ids of an account, oldest first, since its last match when matches do not overlap. */
    private final Map<Long, List<String>> model = new HashMap<>();

    private static Expression id(final int offset)
    {
        return SignalPlans.prior(offset, 1, CqlType.CHAR);
    }

    /** Three orders of an account, the last of them of more than 50; the rows go through a projection. */
    private Pipeline pipeline(final boolean allMatches, final boolean compares)
    {
        final Operator output =
            new Operator.Output("matches", MATCH, Operator.OutputKind.STREAM);
        final Expression last = SignalPlans.more(SignalPlans.prior(0, 2, CqlType.DOUBLE), 50.0);
        final Expression other = SignalPlans.call(Operation.NOT_EQUAL, CqlType.BOOLEAN, id(0),
            new Expression.Literal("never", CqlType.CHAR));
        final Operator calc = new Operator.Calc(null, List.of(
            new Field("first", SignalPlans.column(0, CqlType.CHAR)),
            new Field("second", SignalPlans.column(1, CqlType.CHAR)),
            new Field("last", SignalPlans.column(2, CqlType.CHAR))), List.of(output));
        final Operator pattern = new Operator.FixedPattern(List.of(0),
            Arrays.asList(null, compares ? other : null, last), allMatches, List.of(new Field("first", id(2)),
            new Field("second", id(1)), new Field("last", id(0))), List.of(calc));
        return start(pattern);
    }

    private Pipeline start(final Operator root)
    {
        strings = StringTable.withDelayedReuse(StringTable.Lifetime.HELD, 1 << 20, RESTING);
        final PipelinePlan plan =
            new PipelinePlan("orders", "Orders", ORDER, OrderingConstraint.ORDERED, -1, List.of(root));
        return new PipelineCompiler().compile(plan).instantiate(new PipelineBindings(schema,
            Map.of("matches", new BatchSchema(MATCH)), Map.of("matches", this::take), Map.of(),
            (count, reason, detail) -> assertThat(reason).isNull(), MemoryAccount.NONE, strings));
    }

    private void take(final EventBatch out)
    {
        for (int row = 0; row < out.size(); row++)
        {
            found.add(Arrays.asList(
                out.texts(0).string(row), out.texts(1).string(row), out.texts(2).string(row)));
        }
    }

    private void play(final boolean allMatches, final boolean compares, final int accounts, final long seed)
    {
        final Random random = new Random(seed);
        final Pipeline pipeline = pipeline(allMatches, compares);
        final EventBatch rows = new EventBatch(schema);
        int number = 0;
        for (int batch = 0; batch < 400; batch++)
        {
            rows.clear();
            final int size = random.nextBoolean() ? 1 + random.nextInt(8) : EventBatch.CAPACITY;
            for (int row = 0; row < size; row++)
            {
                final long account = random.nextInt(accounts);
                final String id = random.nextInt(10) == 0 ? null :
                    (random.nextBoolean() ? "" : "an order with a long name ") + number++;
                final double price = random.nextInt(100);
                rows.longs(0)[row] = account;
                rows.texts(1).set(row, id);
                rows.doubles(2)[row] = price;
                expect(account, id, price, allMatches, compares);
            }
            rows.baseTimestampNs(batch * 1_000L);
            rows.size(size);
            pipeline.onBatch(rows);
            assertThat(found).as("seed=" + seed + " batch=" + batch).isEqualTo(expected);
            found.clear();
            expected.clear();
        }
    }

    private void expect(final long account, final String id, final double price, final boolean allMatches,
        final boolean compares)
    {
        final List<String> ids = model.computeIfAbsent(account, key -> new ArrayList<>());
        ids.add(id);
        final int size = ids.size();
        if (size >= 3 && price > 50 && (!compares || ids.get(size - 2) != null))
        {
            expected.add(new ArrayList<>(ids.subList(size - 3, size)));
            if (!allMatches)
            {
                ids.clear();
            }
        }
    }

    @Test
    void shouldCarryTextsAndForgetThem()
    {
        final int accounts = 40;
        play(true, false, accounts, 4711);
        assertThat(strings.size()).as("two of an account, and those of the last batch")
            .isLessThanOrEqualTo(2 * accounts + EventBatch.CAPACITY);
    }

    @Test
    void shouldCarryTextsWhereMatchesDoNotOverlapAndStateGrows()
    {
        play(false, false, 30_000, 4712);
    }

    /** An order waits for one of its account that is dearer by 20 within 3 us. */
    private Pipeline sequence(final Operator.Between between)
    {
        final Operator output = new Operator.Output("matches", MATCH, Operator.OutputKind.STREAM);
        final Expression price = SignalPlans.column(2, CqlType.DOUBLE);
        return start(new Operator.SequencePattern(List.of(0), null, price, Operation.GREATER,
            SignalPlans.call(Operation.ADD, CqlType.DOUBLE, price, SignalPlans.number(20)), between,
            new Operator.Within(3_000, false), null, List.of(new Field("first", id(1)), new Field("second", id(1)),
            new Field("last", id(0))), List.of(output)));
    }

    /**
     * Random orders compared with a list of all that wait.
     *
     * @param timeStepNs between two orders, so that few or many wait
     */
    private void playSequence(final Operator.Between between, final int accounts, final long timeStepNs,
        final long seed)
    {
        record Start(String id, double price, long timeNs)
        {
        }
        final Random random = new Random(seed);
        final Pipeline pipeline = sequence(between);
        final EventBatch rows = new EventBatch(schema);
        final Map<Long, List<Start>> waiting = new HashMap<>();
        long timeNs = 0;
        for (int batch = 0; batch < 300; batch++)
        {
            rows.clear();
            final int size = random.nextBoolean() ? 1 + random.nextInt(8) : EventBatch.CAPACITY;
            for (int row = 0; row < size; row++)
            {
                timeNs += timeStepNs;
                final long now = timeNs;
                final Start start = new Start(random.nextInt(10) == 0 ? null :
                    (random.nextBoolean() ? "" : "an order with a long name ") + timeNs, random.nextInt(100), timeNs);
                final long account = random.nextInt(accounts);
                rows.longs(0)[row] = account;
                rows.texts(1).set(row, start.id);
                rows.doubles(2)[row] = start.price;
                rows.useTimestampPerRow()[row] = timeNs;
                final List<Start> starts = waiting.computeIfAbsent(account, key -> new ArrayList<>());
                starts.removeIf(each -> each.timeNs <= now - 3_000);
                final List<Start> reached = starts.stream().filter(each -> start.price > each.price + 20).toList();
                reached.forEach(each -> expected.add(Arrays.asList(each.id, each.id, start.id)));
                if (between != Operator.Between.ANY)
                {
                    starts.removeAll(reached);
                }
                starts.add(start);
            }
            rows.size(size);
            pipeline.onBatch(rows);
            assertThat(found).as("seed=" + seed + " batch=" + batch).isEqualTo(expected);
            found.clear();
            expected.clear();
        }
    }

    @Test
    void shouldCarryTextsOfStartsThatMatchOnceOrAgainAndAgain()
    {
        long seed = 4714;
        for (final Operator.Between between : Operator.Between.values())
        {
            for (final long timeStepNs : new long[] {1, 20, 500})
            {
                playSequence(between, 5, timeStepNs, seed++);
                assertThat(strings.size()).as("no more than may wait, and those of the last batch")
                    .isLessThanOrEqualTo((int)(2 * 3_000 / timeStepNs) + 2 * EventBatch.CAPACITY);
            }
        }
    }

    @Test
    void shouldForgetStringsThatAreCompared()
    {
        final int accounts = 40;
        play(true, true, accounts, 4713);
        assertThat(strings.size()).as("two of an account, literals, and those of the last batch")
            .isLessThanOrEqualTo(2 * accounts + 2 + EventBatch.CAPACITY);
    }
}
