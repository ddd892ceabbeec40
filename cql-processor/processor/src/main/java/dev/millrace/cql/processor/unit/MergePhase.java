package dev.millrace.cql.processor.unit;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.processor.worker.PipelineInstance;
import dev.millrace.cql.processor.worker.ThreadWorker;
import dev.millrace.cql.processor.worker.Worker;
import dev.millrace.cql.processor.worker.WorkerInput;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The second step of a flow: one engine that processes the output of the engines of the first step. Its sources are,
 * for each output of the first step, all engines in turn. Changes arrive through a ring, those of the engine on the
 * same worker by a call: a worker never waits for itself.
 *
 * <p>Threads: each sink is confined to the worker of its engine, the engine to its own worker.
 */
final class MergePhase
{
    private final FlowEngine engine;
    private final List<PipelineInstance> inlets = new ArrayList<>();
    private final List<WorkerInput> rings = new ArrayList<>();
    private final List<EventBatchSink> sinks = new ArrayList<>();
    private final List<Runnable> endings = new ArrayList<>();

    /**
     * @param compiled second step
     * @param engine   engine that runs it
     * @param feeders  workers of the first step, in order
     * @param schemas  schema of each source
     * @param wiring   environment of the flow
     */
    MergePhase(final CompiledFlow compiled, final FlowEngine engine, final ThreadWorker runner,
        final List<Worker> feeders, final Function<FlowNode.Source, BatchSchema> schemas, final ProcessorWiring wiring)
    {
        this.engine = engine;
        final List<FlowNode.Source> sources = compiled.plan().sources();
        for (int i = 0; i < sources.size(); i++)
        {
            final int source = i;
            final ThreadWorker feeder = (ThreadWorker)feeders.get(i % feeders.size());
            final BatchSchema schema = schemas.apply(sources.get(i));
            final PipelineInstance inlet = new PipelineInstance(compiled.plan().name(),
                new FlowInlet(schema, engine, i, wiring::reject), List.of(), wiring::reject);
            inlets.add(inlet);
            if (feeder == runner)
            {
                sinks.add(inlet::onBatch);
                continue;
            }
            final WorkerInput ring = new WorkerInput(schema, column -> compiled.reads(source, column),
                new PipelineInstance[] {inlet}, runner, wiring::reject, false,
                wiring.openMemory("", "rings between steps"));
            rings.add(ring);
            endings.add(() -> feeder.fillsNoMore(ring));
            sinks.add(ring::send);
            runner.add(ring, feeder);
        }
    }

    /**
     * The sink for the output of an engine of the first step.
     *
     * @param source index of a source
     * @return sink, for the thread of the engine
     */
    EventBatchSink sink(final int source)
    {
        return sinks.get(source);
    }

    FlowEngine engine()
    {
        return engine;
    }

    /** One inlet per source. */
    List<PipelineInstance> inlets()
    {
        return inlets;
    }

    /** Whether all output of the first step has been processed; called when the first step emits no more. */
    boolean isDone()
    {
        return rings.stream().allMatch(ring -> ring.done() >= ring.taken());
    }

    /** Removes the rings from the worker, when the first step emits no more. */
    void close()
    {
        endings.forEach(Runnable::run);
        rings.forEach(WorkerInput::leave);
    }
}
