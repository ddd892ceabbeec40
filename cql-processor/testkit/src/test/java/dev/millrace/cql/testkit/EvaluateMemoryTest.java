package dev.millrace.cql.testkit;

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
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.RuleText;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows of a stream that wait for EVALUATE EVERY take memory from the budget. */
@Timeout(60)
class EvaluateMemoryTest
{
    private static final int ROWS = 5_000;
    private static final long HOUR_NS = 3_600_000_000_000L;
    private static final EventType ROW =
        EventType.tuple("S", new EventProperty("id", CqlType.INT), new EventProperty("x", CqlType.DOUBLE));

    private final MemoryBudget budget = new MemoryBudget(1 << 20, new ManualClock(0));
    private final MemoryAccount memory = budget.open(new MemoryHolder("app", "proc", "q", "state"));
    private final MemoryAccount other = budget.open(new MemoryHolder("app", "proc", "other", "state"));
    private final Map<String, Integer> rejected = new TreeMap<>();
    private final EventBatch batch = new EventBatch(new BatchSchema(ROW));
    private FlowEngine engine;
    private long timeNs;
    private int rowsOut;

    private void start() throws Exception
    {
        final Catalog catalog = Catalog.builder().add(new Catalog.ChannelSource("S", ROW, false,
            FlowNode.TimeKind.APPLICATION_TOTAL_ORDER, false, List.of())).build();
        final List<RuleText> rules = List.of(RuleText.query("q", "select id, x from S evaluate every 1 hour"));
        final FlowPlan plan = new RulePlanner().flowsOnly().plan("p", rules, catalog).flows().get(0);
        engine = new FlowCompiler().compile(plan).instantiate(new FlowBindings(
            Map.of("q", new BatchSchema(plan.outputs().get(0).type())),
            Map.of("q", rows -> rowsOut += rows.size()), Map.of(), Map.of(), Map.of(),
            (count, reason, detail) -> rejected.merge(reason, count, Integer::sum), FlowBindings.DEFAULT_MAX_ROWS,
            memory, 0));
    }

    private void send(final int rows)
    {
        for (int i = 0; i < rows; i++)
        {
            batch.clear();
            batch.ints(0)[0] = i;
            batch.doubles(1)[0] = i;
            batch.useTimestampPerRow()[0] = timeNs++;
            batch.size(1);
            engine.onBatch(0, batch);
        }
    }

    @Test
    void shouldRejectRowsThatWaitWhileMemoryIsFullAndTakeThemAgainLater() throws Exception
    {
        start();
        send(ROWS);
        assertThat(memory.bytes()).as("bytes of rows that wait").isGreaterThan(ROWS * 2L * Long.BYTES);
        other.charge(budget.limitBytes() - budget.takenBytes());
        send(ROWS);
        final int lost = rejected.getOrDefault(MemoryAccount.MEMORY_FULL, 0);
        assertThat(lost).as("rows that need memory").isBetween(1, ROWS);
        other.release(other.bytes());
        send(ROWS);
        assertThat(rejected).as("rejected").isEqualTo(Map.of(MemoryAccount.MEMORY_FULL, lost));

        batch.clear();
        batch.baseTimestampNs(HOUR_NS);
        engine.onBatch(0, batch);
        assertThat(rowsOut).as("rows after an hour").isEqualTo(3 * ROWS - lost);
    }
}
