package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ends of time, and values without neighbors: nothing waits forever, nothing is closed too early. */
@Timeout(60)
class FlowTimeTest
{
    private static final String[] STREAMS = {"S", "R"};

    private final List<String> lines = new ArrayList<>();
    private final Map<String, Integer> rejected = new TreeMap<>();
    private FlowEngine engine;

    private static EventType type(final String name)
    {
        return EventType.tuple(name, new EventProperty("b", CqlType.BIGINT), new EventProperty("x", CqlType.DOUBLE));
    }

    private void start(final String text) throws Exception
    {
        start(FlowNode.TimeKind.APPLICATION, text);
    }

    private void start(final FlowNode.TimeKind time, final String text) throws Exception
    {
        final Catalog.Builder catalog = Catalog.builder();
        for (final String stream : STREAMS)
        {
            catalog.add(new Catalog.ChannelSource(stream, type(stream), false, time, false, List.of()));
        }
        final FlowPlan plan = new RulePlanner().flowsOnly()
            .plan("p", List.of(RuleText.query("q", text)), catalog.build()).flows().get(0);
        engine = new FlowCompiler().compile(plan).instantiate(new FlowBindings(
            Map.of("q", new BatchSchema(plan.outputs().get(0).type())), Map.of("q", this::take), Map.of(), Map.of(),
            (rows, reason, detail) -> rejected.merge(reason, rows, Integer::sum), 100));
    }

    private void take(final EventBatch batch)
    {
        for (int i = 0; i < batch.size(); i++)
        {
            final int row = i;
            lines.add(batch.timestampNs(row) + (batch.kind(row) == EventBatch.DELETE ? " - " : " + ") +
                IntStream.range(0, batch.schema().columnCount()).mapToObj(column -> batch.value(column, row)).toList());
        }
    }

    private void send(final String stream, final long timeNs, final int count, final long b, final double x)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(type(stream)));
        batch.longs(0)[0] = b;
        batch.doubles(1)[0] = x;
        batch.size(count);
        batch.baseTimestampNs(timeNs);
        engine.onBatch(engine.source(stream), batch);
    }

    private void row(final String stream, final long timeNs, final long b)
    {
        send(stream, timeNs, 1, b, b);
    }

    private void heartbeat(final String stream, final long timeNs)
    {
        send(stream, timeNs, 0, 0, 0);
    }

    @Test
    void shouldWaitForTheEndOfAnInstantAfterARowOfTheBeginningOfTime() throws Exception
    {
        start("IStream(select b from S [now])");
        row("S", Long.MIN_VALUE, 1);
        row("S", 5, 2);
        assertThat(lines).containsExactly(Long.MIN_VALUE + " + [1]");
        row("S", 6, 3);
        assertThat(lines).containsExactly(Long.MIN_VALUE + " + [1]", "5 + [2]");
        assertThat(rejected).isEmpty();
    }

    @Test
    void shouldTurnARowAwayWhenItsTimeIsTheEndOfAllTimeOrGoesBack() throws Exception
    {
        start("IStream(select b from S [range 1 nanoseconds])");
        row("S", 5, 1);
        row("S", Long.MAX_VALUE, 2);
        row("S", 6, 3);
        row("S", 4, 4);
        heartbeat("S", 7);
        assertThat(lines).containsExactly("5 + [1]", "6 + [3]");
        assertThat(rejected).isEqualTo(Map.of(FlowEngine.NO_TIME, 1, FlowEngine.TIME_GOES_BACKWARDS, 1));
    }

    @Test
    void shouldPutAllRowsOutWhenAllSourcesSayThatNothingComesAnyMore() throws Exception
    {
        start("IStream(select b from S [now] union all select b from R [now])");
        row("S", 5, 1);
        row("R", 6, 2);
        heartbeat("S", Long.MAX_VALUE);
        assertThat(lines).as("another row of 6 may come").containsExactly("5 + [1]");
        heartbeat("R", Long.MAX_VALUE);
        assertThat(lines).containsExactly("5 + [1]", "6 + [2]");
    }

    @Test
    void shouldGoOnAfterANumberThatIsNoneWhenTheWindowRangesOverValues() throws Exception
    {
        start(FlowNode.TimeKind.APPLICATION_TOTAL_ORDER, "select b from S [range 10 on x]");
        send("S", 1, 1, 1, 1);
        send("S", 2, 1, 2, Double.NaN);
        send("S", 3, 1, 3, 12);
        assertThat(lines).containsExactly("1 + [1]", "3 - [1]", "3 + [3]");
        assertThat(rejected).isEqualTo(Map.of(RejectionHandler.OUT_OF_ORDER, 1));
    }

    @Test
    void shouldTellNeighboursApartWhenWholeNumbersAreTooLargeForADouble() throws Exception
    {
        final long range = (1L << 53) + 4;
        start(FlowNode.TimeKind.APPLICATION_TOTAL_ORDER, "select b from S [range " + range + " on b]");
        row("S", 1, 0);
        row("S", 2, range - 1);
        assertThat(lines).as("the second row pushes nothing out").hasSize(2);
        row("S", 3, range);
        assertThat(lines).containsExactly("1 + [0]", "2 + [" + (range - 1) + ']', "3 - [0]", "3 + [" + range + ']');
    }
}
