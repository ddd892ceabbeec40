package dev.millrace.cql.processor;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The second step of a flow: one engine that goes through what the engines of the first step put out. Its sources are,
 * for each thing that is put out, all engines in turn. Changes come through a ring, those of the engine on the same
 * worker by a call: a worker never waits for itself.
 *
 * <p>Threads: each sink belongs to the worker of its engine, the engine to its own worker.
 */
final class MergeStep
{
    private final FlowEngine engine;
    private final List<PipelineInstance> inlets = new ArrayList<>();
    private final List<WorkerInput> rings = new ArrayList<>();
    private final List<EventBatchSink> sinks = new ArrayList<>();
    private final List<Runnable> endings = new ArrayList<>();

    /**
     * Makes it.
     *
     * @param compiled the step
     * @param engine   runs it
     * @param runner   its worker
     * @param feeders  workers of the first step, in order
     * @param schemas  shape of the rows of a source
     * @param wiring   what surrounds it
     */
    MergeStep(final CompiledFlow compiled, final FlowEngine engine, final ThreadWorker runner,
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
     * Where an engine of the first step puts out.
     *
     * @param source index of a source
     * @return sink for the thread of the engine
     */
    EventBatchSink sink(final int source)
    {
        return sinks.get(source);
    }

    FlowEngine engine()
    {
        return engine;
    }

    /** One a source. */
    List<PipelineInstance> inlets()
    {
        return inlets;
    }

    /** Whether all that was put out has been gone through; nothing is put out any more. */
    boolean isDone()
    {
        return rings.stream().allMatch(ring -> ring.done() >= ring.taken());
    }

    /** Takes the rings away from the worker, when nothing is put out any more. */
    void close()
    {
        endings.forEach(Runnable::run);
        rings.forEach(WorkerInput::leave);
    }
}
