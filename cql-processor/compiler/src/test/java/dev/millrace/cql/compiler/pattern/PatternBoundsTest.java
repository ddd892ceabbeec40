package dev.millrace.cql.compiler.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.time.ManualClock;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.PatternExpression.Aggregate;
import dev.millrace.cql.plan.expression.PatternExpression.End;
import dev.millrace.cql.plan.expression.PatternExpression.Navigation;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.pattern.attempt.AttemptPattern;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns respect their memory limit. */
@Tag("slow")
@Timeout(180)
class PatternBoundsTest
{
    private static final int PARTITIONS = 1_000_000;
    private static final int MAX_BYTES = 64;
    private static final int AMBIGUOUS_ROWS = 30;
    private static final int MANY = 50_000;
    private static final long MEMORY_BYTES = 1 << 20;
    private static final EventType TYPE = EventType.tuple("Row", new EventProperty("k", CqlType.INT),
        new EventProperty("price", CqlType.INT));
    private static final RowType ROWS = new RowType(List.of("k", "price"), List.of(CqlType.INT, CqlType.INT));

    private final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
    private final Map<String, Integer> rejected = new TreeMap<>();
    private long rowsOut;
    private int maxAttempts = FlowBindings.DEFAULT_MAX_ATTEMPTS;

    private FlowEngine engine(final List<Expression> conditions, final PatternSpec.Term pattern)
    {
        return engine(conditions, pattern, true, 0, MemoryAccount.NONE, 0);
    }

    private FlowEngine engine(final List<Expression> conditions, final PatternSpec.Term pattern,
        final boolean allMatches, final long withinNs, final MemoryAccount memory, final long idleNs)
    {
        final List<Field> measures = List.of(new Field("first", price(1)));
        final PatternSpec spec = new PatternSpec(List.of(0), List.of("A", "B"), conditions, pattern, measures,
            allMatches, withinNs, false, 0, -1, false, PatternSpec.Skip.PAST_LAST_ROW, 0,
            PatternSpec.RowsPerMatch.ONE_WITHOUT_EMPTY);
        final FlowNode.Source source = new FlowNode.Source("S", TYPE, ROWS, false, List.of(),
            FlowNode.TimeKind.APPLICATION_TOTAL_ORDER, false, false);
        final EventType type = EventType.tuple("Out", new EventProperty("first", CqlType.INT));
        return new FlowCompiler()
            .compile(new FlowPlan("test", List.of(source),
                List.of(new FlowPlan.Output("q", new FlowNode.Match(source, spec), true, type))))
            .instantiate(new FlowBindings(Map.of("q", new BatchSchema(type)),
                Map.of("q", out -> rowsOut += out.size()), Map.of(), Map.of(), Map.of(),
                (count, reason, detail) -> rejected.merge(reason, count, Integer::sum),
                FlowBindings.DEFAULT_MAX_ROWS, memory, idleNs).withMaxAttempts(maxAttempts));
    }

    private static Expression rises()
    {
        return new Expression.Call(Operation.GREATER, List.of(price(2), price(1)), CqlType.BOOLEAN, true);
    }

    private static PatternSpec.Term pair()
    {
        return new PatternSpec.Sequence(List.of(new PatternSpec.Variable(0), new PatternSpec.Variable(1)));
    }

    private static Expression price(final long variables)
    {
        return new Navigation(variables, End.LAST, 0, 0, -1, true, 1, CqlType.INT);
    }

    private void send(final FlowEngine engine, final long timeNs, final int key, final int price)
    {
        batch.clear();
        batch.ints(0)[0] = key;
        batch.ints(1)[0] = price;
        batch.useTimestampPerRow()[0] = timeNs;
        batch.size(1);
        engine.onBatch(0, batch);
    }

    private static long usedBytes()
    {
        System.gc();
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    @Tag("large")
    void shouldKeepFewBytesAPartitionWhenThePatternHasTwoRows()
    {
        final FlowEngine engine = engine(Arrays.asList(null, rises()), pair());
        final long before = usedBytes();
        for (int i = 0; i < PARTITIONS; i++)
        {
            send(engine, i, i, i);
        }
        final double bytes = (double)(usedBytes() - before) / PARTITIONS;
        for (int i = 0; i < PARTITIONS; i++)
        {
            send(engine, PARTITIONS + i, i, i + i % 2);
        }
        assertThat(bytes).as("bytes a partition").isLessThan(MAX_BYTES);
        assertThat(rowsOut).as("pairs that rise").isEqualTo(PARTITIONS / 2);
        assertThat(rejected).as("rejected").isEmpty();
    }

    @Test
    void shouldCountAndGoOnWhenLabellingsGrowExponentially()
    {
        final FlowEngine engine = engine(Arrays.asList(null, null), new PatternSpec.Repeat(
            new PatternSpec.Alternation(List.of(new PatternSpec.Variable(0), new PatternSpec.Variable(1))), 1,
            Integer.MAX_VALUE, true));
        for (int i = 0; i < AMBIGUOUS_ROWS; i++)
        {
            send(engine, i, 1, i);
        }
        assertThat(rejected).as("rejected").containsOnlyKeys(AttemptPattern.TOO_MANY_RUNS);
        assertThat(rowsOut).as("matches").isGreaterThan(10_000L);
    }

    @Test
    void shouldFollowNoMoreAttemptsThanIsSetAndGoOnWithThem()
    {
        maxAttempts = 100;
        final FlowEngine engine = engine(Arrays.asList(null, rises()), new PatternSpec.Sequence(List.of(
            new PatternSpec.Repeat(new PatternSpec.Variable(0), 1, Integer.MAX_VALUE, true),
            new PatternSpec.Variable(1))));
        for (int i = 0; i < 500; i++)
        {
            send(engine, i, 1, 1000 - i);
        }
        assertThat(rejected).as("one a row").isEqualTo(Map.of(AttemptPattern.TOO_MANY_RUNS, 400));
        send(engine, 500, 2, 1);
        send(engine, 501, 2, 5);
        assertThat(rowsOut).as("matches of another partition").isEqualTo(1);
        send(engine, 502, 1, 2000);
        assertThat(rowsOut).as("matches of the attempts that are followed").isEqualTo(101);
    }

    @Test
    void shouldKeepOneOfManyStartsThatGoOnAlike()
    {
        final FlowEngine engine = engine(
            List.of(compare(Operation.LESS, price(1), 5), compare(Operation.GREATER, price(2), 3)),
            new PatternSpec.Sequence(List.of(new PatternSpec.Repeat(new PatternSpec.Variable(0), 1,
                Integer.MAX_VALUE, true), new PatternSpec.Variable(1))), false, 0, MemoryAccount.NONE, 0);
        for (int i = 0; i < MANY; i++)
        {
            send(engine, i, 1, 1);
        }
        send(engine, MANY, 1, 9);
        assertThat(rowsOut).as("matches").isEqualTo(1);
        assertThat(rejected).as("rejected").isEmpty();
    }

    private static Expression compare(final Operation operation, final Expression left, final int right)
    {
        return new Expression.Call(operation, List.of(left, new Expression.Literal(right, CqlType.INT)),
            CqlType.BOOLEAN, true);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRejectRowsOfNewPartitionsWhileMemoryIsFullAndTakeThemAgainLater(final boolean allMatches)
    {
        final MemoryBudget budget = new MemoryBudget(MEMORY_BYTES, new ManualClock(0));
        final MemoryAccount memory = budget.open(new MemoryHolder("app", "proc", "q", "state"));
        final long withinNs = 10L * MANY;
        final FlowEngine engine =
            engine(Arrays.asList(null, rises()), pair(), allMatches, withinNs, memory, 0);
        // A match, so that there is capacity for rows of matches.
        send(engine, -2, -1, 1);
        send(engine, -1, -1, 2);
        for (int i = 0; i < MANY; i++)
        {
            send(engine, i, i, 1);
        }
        final int full = rejected.getOrDefault(MemoryAccount.MEMORY_FULL, 0);
        assertThat(rejected).as("rejected").containsOnlyKeys(MemoryAccount.MEMORY_FULL);
        assertThat(full).as("rows without room").isBetween(MANY / 10, MANY - 1000);
        assertThat(memory.bytes()).as("bytes taken").isLessThan(MEMORY_BYTES * 5 / 4);
        // Existing attempts continue.
        send(engine, MANY, 0, 2);
        assertThat(rowsOut).as("matches, rejected=%s", rejected).isEqualTo(2);
        assertThat(rejected).containsEntry(MemoryAccount.MEMORY_FULL, full);
        rejected.clear();
        // The time limit ends all attempts, whose records are reused.
        send(engine, MANY + withinNs, -1, 1);
        for (int i = 0; i < 1000; i++)
        {
            send(engine, MANY + withinNs + 1 + i, MANY + i / 2, 1 + i % 2);
        }
        assertThat(rejected).as("rejected").isEmpty();
        assertThat(rowsOut).as("matches").isEqualTo(502);
    }

    /** By records of attempts, and by the rows of the match, which distinct values need. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldForgetPartitionsThatAreIdleAndReportTheirCompleteMatches(final boolean keepsRows)
    {
        final Expression areFew = new Expression.Call(Operation.LESS, List.of(new Aggregate(-1, "count",
            List.of(new Expression.Column(1, CqlType.INT, true)), true, true, CqlType.BIGINT),
            new Expression.Literal(1000L, CqlType.BIGINT)), CqlType.BOOLEAN, true);
        final Expression condition = keepsRows ?
            new Expression.Call(Operation.AND, List.of(rises(), areFew), CqlType.BOOLEAN, true) : rises();
        final PatternSpec.Term growing = new PatternSpec.Sequence(List.of(new PatternSpec.Variable(0),
            new PatternSpec.Repeat(new PatternSpec.Variable(1), 1, Integer.MAX_VALUE, true)));
        for (final long idleNs : new long[]{0, 100})
        {
            rowsOut = 0;
            final FlowEngine engine =
                engine(Arrays.asList(null, condition), growing, false, 0, MemoryAccount.NONE, idleNs);
            send(engine, 0, 1, 5);
            send(engine, 1, 2, 5);
            send(engine, 2, 2, 6);
            for (int i = 0; i < 300; i++)
            {
                send(engine, 3 + i, 3, 0);
            }
            // Partition 2 is complete since 2, which an idle time decides; otherwise all wait for it.
            assertThat(rowsOut).as("matches, idleNs=%s", idleNs).isEqualTo(idleNs == 0 ? 0 : 1);
            // Partition 1 has discarded its first row.
            send(engine, 400, 1, 6);
            send(engine, 401, 1, 0);
            assertThat(rowsOut).as("matches, idleNs=%s", idleNs).isEqualTo(idleNs == 0 ? 0 : 1);
            assertThat(engine.statistics()).containsEntry("idleKeysForgotten", idleNs == 0 ? 0L : 2L);
        }
        assertThat(rejected).isEmpty();
    }
}
