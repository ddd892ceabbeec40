package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.functions.Aggregates;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.function.GroupAggregateFactory;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** State that engines write and read, state that they refuse, and what remains after a refusal. */
@Timeout(60)
class StateDoorTest
{
    private static final EventType ROW = EventType.tuple("S", new EventProperty("c", CqlType.CHAR),
        new EventProperty("v", CqlType.INT));
    private static final int MOST = 1 << 20;
    private static final String SUMS =
        "select s.c, sum(s.v) as n from S [range 100 nanoseconds] as s group by s.c";

    private final List<String> lines = new ArrayList<>();

    /** A user-defined aggregate whose state cannot be written. */
    private static final class Last implements GroupAggregate
    {
        private Object last;

        @Override
        public void reset()
        {
            last = null;
        }

        @Override
        public void plus(final Object[] arguments)
        {
            last = ((Number)arguments[0]).doubleValue();
        }

        @Override
        public void minus(final Object[] arguments)
        {
            // Keeps the last one.
        }

        @Override
        public boolean isIncremental()
        {
            return true;
        }

        @Override
        public Object value()
        {
            return last;
        }
    }

    private static CompiledFlow flow(final String query) throws Exception
    {
        final Catalog catalog = Catalog.builder().add(new Catalog.ChannelSource("S", ROW, false,
            FlowNode.TimeKind.APPLICATION_TOTAL_ORDER, false, List.of())).build();
        return new FlowCompiler().compile(new RulePlanner().flowsOnly().plan("test",
            List.of(new RuleText("q", false, query, List.of(), null, null)), catalog).flows().get(0));
    }

    private FlowBindings bindings(final CompiledFlow flow, final GroupAggregateFactory own)
    {
        final FlowPlan.Output output = flow.plan().outputs().get(0);
        final Map<String, GroupAggregateFactory> aggregates = new HashMap<>(Aggregates.factories());
        if (own != null)
        {
            aggregates.put("variance", own);
        }
        return new FlowBindings(Map.of(output.queryId(), new BatchSchema(output.type())),
            Map.of(output.queryId(), this::collect), Map.of(), aggregates,
            (rows, reason, detail) -> lines.add(reason), 1000);
    }

    private void collect(final EventBatch out)
    {
        for (int row = 0; row < out.size(); row++)
        {
            final StringBuilder line = new StringBuilder(out.timestampNs(row) +
                (out.kind(row) == EventBatch.DELETE ? " -" : " +"));
            for (int column = 0; column < out.schema().columnCount(); column++)
            {
                line.append(' ').append(out.value(column, row));
            }
            lines.add(line.toString());
        }
    }

    private static void send(final FlowEngine engine, final long timeNs, final String c, final int v)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(ROW));
        batch.texts(0).set(0, c);
        batch.ints(1)[0] = v;
        batch.useTimestampPerRow()[0] = timeNs;
        batch.size(1);
        engine.onBatch(0, batch);
    }

    private static byte[] written(final FlowEngine engine)
    {
        final StateOutput to = new StateOutput(MOST);
        engine.write(to);
        return to.toBytes();
    }

    private List<String> taken()
    {
        final List<String> taken = List.copyOf(lines);
        lines.clear();
        return taken;
    }

    @Test
    void shouldGoOnInAnotherEngineWithStringsByValue() throws Exception
    {
        final CompiledFlow flow = flow(SUMS);
        final FlowEngine first = flow.instantiate(bindings(flow, null));
        send(first, 10, "x", 1);
        send(first, 20, "y", 2);
        send(first, 30, "x", 4);
        assertThat(taken()).containsExactly("10 + x 1", "20 + y 2", "30 - x 1", "30 + x 5");
        final byte[] state = written(first);
        final FlowEngine second = flow.instantiate(bindings(flow, null), new StateInput(state));
        send(second, 40, "y", 8);
        send(second, 125, "z", 16);
        assertThat(taken()).containsExactly("40 - y 2", "40 + y 10", "110 - x 5", "110 + x 4", "120 - y 10",
            "120 + y 8", "125 + z 16");
        // Writing has changed nothing.
        send(first, 40, "y", 8);
        assertThat(taken()).containsExactly("40 - y 2", "40 + y 10");
        // A copy writes what it has read.
        final FlowEngine third = flow.instantiate(bindings(flow, null), new StateInput(state));
        assertThat(written(third)).isEqualTo(state);
    }

    @Test
    void shouldWriteWhatWaitsAtTheBeginningToItsSinksOnce() throws Exception
    {
        final CompiledFlow flow = flow("select count(*) as n from S [range 100 nanoseconds] as s");
        final FlowEngine first = flow.instantiate(bindings(flow, null));
        final byte[] state = written(first);
        assertThat(taken()).hasSize(1);
        final FlowEngine second = flow.instantiate(bindings(flow, null), new StateInput(state));
        send(second, 10, "x", 1);
        assertThat(taken()).containsExactly("10 - 0", "10 + 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"select s.c, sum(s.v) as n from S [range 101 nanoseconds] as s group by s.c",
        "select s.c, sum(s.v + 1) as n from S [range 100 nanoseconds] as s group by s.c",
        "select s.c, max(s.v) as n from S [range 100 nanoseconds] as s group by s.c",
        "select s.c, s.v from S [range 100 nanoseconds] as s where s.v > 3"})
    void shouldRefuseStateOfAnotherPlan(final String query) throws Exception
    {
        final CompiledFlow flow = flow(SUMS);
        final FlowEngine engine = flow.instantiate(bindings(flow, null));
        send(engine, 10, "x", 1);
        final byte[] state = written(engine);
        final CompiledFlow other = flow(query);
        assertThatThrownBy(() -> other.instantiate(bindings(other, null), new StateInput(state)))
            .isInstanceOf(StateException.class).hasMessageContaining("another plan");
    }

    @Test
    void shouldNameWhatCannotBeWrittenAndGoOn() throws Exception
    {
        final CompiledFlow flow = flow("select s.c, variance(s.v) as n from S as s group by s.c");
        final FlowEngine engine = flow.instantiate(bindings(flow, Last::new));
        send(engine, 10, "x", 1);
        assertThatThrownBy(() -> written(engine)).isInstanceOf(StateException.class)
            .hasMessageContaining("function=variance").hasMessageContaining("query=q")
            .hasMessageContaining("class=" + Last.class.getName());
        taken();
        send(engine, 20, "x", 3);
        assertThat(taken()).containsExactly("20 - x 1.0", "20 + x 3.0");
    }

    @Test
    void shouldRefuseMoreThanItMayWrite() throws Exception
    {
        final CompiledFlow flow = flow(SUMS);
        final FlowEngine engine = flow.instantiate(bindings(flow, null));
        for (int i = 0; i < 90; i++)
        {
            send(engine, i, "key" + i, 1);
        }
        final StateOutput few = new StateOutput(500);
        assertThatThrownBy(() -> engine.write(few)).isInstanceOf(StateException.class)
            .hasMessageContaining("maxBytes=500");
        assertThat(written(engine).length).isLessThan(90 * 80);
    }

    /** The checksum is corrected, so that the changed bytes reach the engine. */
    @Test
    void shouldEndInAMessageWhateverTheBytesSay() throws Exception
    {
        final CompiledFlow flow = flow("select s.c, count(distinct s.v) as n, max(s.v) as m, last(s.c) as l from S " +
            "[partition by c rows 3] as s group by s.c");
        final FlowEngine engine = flow.instantiate(bindings(flow, null));
        for (int i = 0; i < 20; i++)
        {
            send(engine, i, "key" + i % 5, i % 3);
        }
        final byte[] state = written(engine);
        int refused = 0;
        for (int at = 8; at < state.length - 4; at++)
        {
            final byte[] changed = state.clone();
            changed[at] ^= (byte)(1 << at % 8);
            sum(changed);
            refused += isRefused(flow, changed) ? 1 : 0;
            final byte[] shorter = Arrays.copyOf(state, at + 4);
            sum(shorter);
            assertThat(isRefused(flow, shorter)).as("bytes %d", at).isTrue();
        }
        // Most bytes are values, for which corruption cannot be detected.
        assertThat(refused).isGreaterThan(state.length / 20);
    }

    private static void sum(final byte[] bytes)
    {
        final java.util.zip.CRC32C checksum = new java.util.zip.CRC32C();
        checksum.update(bytes, 0, bytes.length - 4);
        java.nio.ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.LITTLE_ENDIAN)
            .putInt(bytes.length - 4, (int)checksum.getValue());
    }

    private boolean isRefused(final CompiledFlow flow, final byte[] state)
    {
        try
        {
            final StateInput from = new StateInput(state);
            flow.instantiate(bindings(flow, null), from);
            from.end();
            return false;
        }
        catch (final StateException refused)
        {
            return true;
        }
    }

    @Test
    void shouldChargeWhatItReads() throws Exception
    {
        final CompiledFlow flow = flow(SUMS);
        final MemoryAccount[] accounts = {MemoryAccount.unlimited(), MemoryAccount.unlimited()};
        final FlowEngine engine = flow.instantiate(charged(flow, accounts[0]));
        for (int i = 0; i < 90; i++)
        {
            send(engine, i, "key" + i, 1);
        }
        flow.instantiate(charged(flow, accounts[1]), new StateInput(written(engine)));
        assertThat(accounts[1].bytes()).isBetween(accounts[0].bytes() / 2, accounts[0].bytes() * 2);
    }

    private FlowBindings charged(final CompiledFlow flow, final MemoryAccount account)
    {
        final FlowBindings plain = bindings(flow, null);
        return new FlowBindings(plain.outputSchemas(), plain.outputs(), plain.pulls(), plain.aggregates(),
            plain.windows(), plain.rejection(), plain.maxRows(), account, 0);
    }
}
