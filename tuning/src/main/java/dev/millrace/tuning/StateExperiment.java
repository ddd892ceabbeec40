package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.state.PartitionSelection;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.Experiment;
import dev.millrace.tuning.harness.ResultSink;
import dev.millrace.tuning.harness.Samples;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * State that is written and read: a rule that stores state per event, the bytes that it takes, and the time to write it
 * and to read it into a new instance. The new instance must write state of the same length.
 */
final class StateExperiment implements Experiment
{
    private static final int EVENTS = 1_000_000;
    private static final int SHORT_EVENTS = 50_000;
    private static final int MOST_BYTES = 1 << 30;
    private static final int SYMBOLS = 1_000;
    private static final EventType EVENT = EventType.tuple("Market", new EventProperty("id", CqlType.CHAR),
        new EventProperty("symbol", CqlType.CHAR), new EventProperty("price", CqlType.DOUBLE),
        new EventProperty("volume", CqlType.BIGINT));
    private static final Map<String, String> RULES = Map.of(
        "groups", "select id, sum(volume) as total, avg(price) as mean from Market group by id",
        "window", "IStream(select symbol, sum(volume) as total, avg(price) as mean from Market [range 1 hour] " +
            "group by symbol)",
        "window-max", "IStream(select symbol, max(price) as highest from Market [range 1 hour] group by symbol)",
        "prev", "select M.id, M.change from Market match_recognize (partition by id measures b.id as id, " +
            "b.price - a.price as change pattern (a b) define b as b.price > a.price) as M");

    /** The owner of the state. */
    private interface Keeper
    {
        void take(EventBatch batch);

        void write(StateOutput to);

        Keeper read(StateInput from);
    }

    @Override
    public void run(final String variant, final BenchContext setting, final ResultSink results) throws IOException
    {
        final int events = setting.isShort() ? SHORT_EVENTS : EVENTS;
        final Keeper keeper = keeper(RULES.get(variant));
        feed(events, keeper::take);
        final int rounds = setting.rounds();
        final double[] writeS = new double[rounds];
        final double[] readS = new double[rounds];
        byte[] state = null;
        for (int round = 0; round < rounds; round++)
        {
            final long startNs = System.nanoTime();
            state = written(keeper);
            writeS[round] = (System.nanoTime() - startNs) / 1e9;
            final long readNs = System.nanoTime();
            final Keeper other = keeper.read(new StateInput(state));
            readS[round] = (System.nanoTime() - readNs) / 1e9;
            if (round == 0 && written(other).length != state.length)
            {
                throw new IllegalStateException("the state read differs from the state written, variant=" + variant);
            }
        }
        results.line(new BenchResult("state", variant).events(events)
            .with("bytesPerRow", (double)state.length / events).with("writeS", Samples.median(writeS))
            .with("readS", Samples.median(readS)));
    }

    private static byte[] written(final Keeper keeper)
    {
        final StateOutput to = new StateOutput(MOST_BYTES);
        keeper.write(to);
        return to.toBytes();
    }

    private static void feed(final int events, final Consumer<EventBatch> to)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(EVENT));
        for (int sent = 0; sent < events;)
        {
            batch.clear();
            for (int row = 0; row < EventBatch.CAPACITY && sent < events; row++, sent++)
            {
                batch.texts(0).set(row, "order " + sent);
                batch.texts(1).set(row, "S" + sent % SYMBOLS);
                batch.doubles(2)[row] = sent % 997 / 4.0;
                batch.longs(3)[row] = sent % 100;
                batch.useTimestampPerRow()[row] = sent * 1_000L;
                batch.size(row + 1);
            }
            to.accept(batch);
        }
    }

    private static Keeper keeper(final String rule)
    {
        try
        {
            final ProcessorPlan plan = new RulePlanner().plan("state", List.of(RuleText.query("q", rule)),
                Catalog.builder().stream("Market", EVENT).build());
            return plan.pipelines().isEmpty() ? new OfFlow(new FlowCompiler().compile(plan.flows().get(0)), null) :
                new OfPipeline(new PipelineCompiler().compile(plan.pipelines().get(0)));
        }
        catch (final CqlException refused)
        {
            throw new IllegalStateException("a rule of the bench is refused, rule=" + rule, refused);
        }
    }

    private static BatchSchema schema(final EventType type)
    {
        return new BatchSchema(type);
    }

    private static void reject(final int rows, final String reason, final String detail)
    {
        throw new IllegalStateException("a row is rejected, reason=" + reason + ' ' + detail);
    }

    private static void drop(final EventBatch rows)
    {
        // Output is not measured.
    }

    private static final class OfPipeline implements Keeper
    {
        private final CompiledPipeline compiled;
        private final Pipeline pipeline;

        OfPipeline(final CompiledPipeline compiled)
        {
            this.compiled = compiled;
            pipeline = compiled.instantiate(new PipelineBindings(schema(EVENT),
                Map.of("q", schema(compiled.plan().outputs().get(0).type())), Map.of("q", StateExperiment::drop),
                Map.of(), StateExperiment::reject));
        }

        @Override
        public void take(final EventBatch batch)
        {
            pipeline.onBatch(batch);
        }

        @Override
        public void write(final StateOutput to)
        {
            pipeline.write(to, PartitionSelection.ALL);
        }

        @Override
        public Keeper read(final StateInput from)
        {
            final OfPipeline other = new OfPipeline(compiled);
            other.pipeline.read(from);
            return other;
        }
    }

    private static final class OfFlow implements Keeper
    {
        private final CompiledFlow compiled;
        private final FlowEngine engine;

        OfFlow(final CompiledFlow compiled, final StateInput from)
        {
            this.compiled = compiled;
            final FlowBindings bindings = new FlowBindings(
                Map.of("q", schema(compiled.plan().outputs().get(0).type())), Map.of("q", StateExperiment::drop),
                Map.of(), Map.of(), StateExperiment::reject, 1 << 22);
            engine = from == null ? compiled.instantiate(bindings) : compiled.instantiate(bindings, from);
        }

        @Override
        public void take(final EventBatch batch)
        {
            engine.onBatch(0, batch);
        }

        @Override
        public void write(final StateOutput to)
        {
            engine.write(to);
        }

        @Override
        public Keeper read(final StateInput from)
        {
            return new OfFlow(compiled, from);
        }
    }
}
