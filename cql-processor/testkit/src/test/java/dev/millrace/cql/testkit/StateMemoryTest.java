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
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** State takes memory from a budget of 1 MiB, and gives it back. */
@Timeout(60)
class StateMemoryTest
{
    private static final int ROWS = 50_000;
    private static final int FEW_ROWS = 5_000;
    private static final long HOUR_NS = 3_600_000_000_000L;
    private static final EventType ROW =
        EventType.tuple("S", new EventProperty("id", CqlType.INT), new EventProperty("x", CqlType.DOUBLE));

    private final MemoryBudget budget = new MemoryBudget(1 << 20, new ManualClock(0));
    private final MemoryAccount memory = budget.open(new MemoryHolder("app", "proc", "q", "state"));
    private final MemoryAccount other = budget.open(new MemoryHolder("app", "proc", "other", "state"));
    private final Set<String> details = new TreeSet<>();
    private final Map<String, Integer> rejected = new TreeMap<>();
    private final EventBatch batch = new EventBatch(new BatchSchema(ROW));
    private FlowEngine engine;
    private long timeNs;
    private int rowsOut;

    private void start(final String query) throws Exception
    {
        final Catalog catalog = Catalog.builder().add(new Catalog.ChannelSource("S", ROW, false,
            FlowNode.TimeKind.APPLICATION_TOTAL_ORDER, false, List.of())).build();
        final List<RuleText> rules = List.of(RuleText.query("q", query));
        final FlowPlan plan = new RulePlanner().flowsOnly().plan("p", rules, catalog).flows().get(0);
        engine = new FlowCompiler().compile(plan).instantiate(new FlowBindings(
            Map.of("q", new BatchSchema(plan.outputs().get(0).type())),
            Map.of("q", rows -> rowsOut += rows.size()), Map.of(), Map.of(), Map.of(),
            this::reject, FlowBindings.DEFAULT_MAX_ROWS, memory, 0));
    }

    private void reject(final int rows, final String reason, final String detail)
    {
        rejected.merge(reason, rows, Integer::sum);
        details.add(detail);
    }

    private void send(final int id)
    {
        batch.clear();
        batch.ints(0)[0] = id;
        batch.doubles(1)[0] = 1;
        batch.useTimestampPerRow()[0] = timeNs++;
        batch.size(1);
        engine.onBatch(0, batch);
    }

    private void sendAll(final int rows)
    {
        for (int i = 0; i < rows; i++)
        {
            send(i);
        }
    }

    @Test
    void shouldNameMemoryAndNoBoundWhenTheTableOfGroupsCannotDouble() throws Exception
    {
        start("select id, sum(x) as s from S group by id");
        sendAll(ROWS);
        assertThat(budget.limitBytes() - budget.takenBytes()).as("more than a step is left").isPositive();
        assertThat(rejected.keySet()).containsExactly(MemoryAccount.MEMORY_FULL);
        assertThat(details).isNotEmpty().allMatch(detail -> detail.contains("limit"));

        final int out = rowsOut;
        send(0);
        assertThat(rowsOut).as("a known group changes: its old row leaves, its new one comes").isEqualTo(out + 2);
    }

    @Test
    void shouldRejectRowsThatWaitForEvaluateEveryWhileMemoryIsFullAndTakeThemAgainLater() throws Exception
    {
        start("select id, x from S evaluate every 1 hour");
        sendAll(FEW_ROWS);
        assertThat(memory.bytes()).as("bytes of rows that wait").isGreaterThan(FEW_ROWS * 2L * Long.BYTES);
        other.charge(budget.limitBytes() - budget.takenBytes());
        sendAll(FEW_ROWS);
        final int lost = rejected.getOrDefault(MemoryAccount.MEMORY_FULL, 0);
        assertThat(lost).as("rows that need memory").isBetween(1, FEW_ROWS);
        other.release(other.bytes());
        sendAll(FEW_ROWS);
        assertThat(rejected).as("rejected").isEqualTo(Map.of(MemoryAccount.MEMORY_FULL, lost));

        batch.clear();
        batch.baseTimestampNs(HOUR_NS);
        engine.onBatch(0, batch);
        assertThat(rowsOut).as("rows after an hour").isEqualTo(3 * FEW_ROWS - lost);
    }

    @Test
    void shouldForgetRowsOfAllMatchesAsSoonAsTheyAreDecided() throws Exception
    {
        start("select M.id from S match_recognize (measures A.x as x all rows per match with unmatched rows " +
            "all matches pattern (A B) define A as mod(A.id, 4) = 0, B as mod(B.id, 8) = 1) as M");
        sendAll(ROWS);
        assertThat(rejected).isEmpty();
        assertThat(rowsOut).as("each row once").isEqualTo(ROWS);
    }
}
