package dev.millrace.cql.processor;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.plan.OrderingConstraint;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes running flows of their plans. A flow is one unit of state: all its channels run on one thread.
 *
 * <p>Used once, by the deploying thread.
 */
final class FlowStart
{
    private final ProcessorStage definition;
    private final ProcessorWiring wiring;
    private final FlowCompiler compiler = new FlowCompiler();

    /**
     * A flow that is ready.
     *
     * @param plan   what it runs
     * @param engine runs it
     */
    record Started(FlowPlan plan, FlowEngine engine)
    {
    }

    FlowStart(final ProcessorStage definition, final ProcessorWiring wiring)
    {
        this.definition = definition;
        this.wiring = wiring;
    }

    /** Compiles a flow; nothing runs yet. */
    CompiledFlow compile(final FlowPlan plan) throws DeploymentException
    {
        final ClassLoader before = BundleClasses.enter();
        try
        {
            return compiler.compile(plan);
        }
        catch (final RuntimeException failure)
        {
            throw new DeploymentException(List.of(new DeploymentException.Problem(ProcessorErrors.NOT_COMPILED,
                definition.position(), "a planned statement cannot be compiled, flow=" + plan.name() + " reason=" +
                failure.getMessage(), "rewrite the statement; if the reason speaks of generated code, report it " +
                "with the rules and the log", "")), failure);
        }
        finally
        {
            BundleClasses.leave(before);
        }
    }

    /** Gives a compiled flow its state. */
    Started start(final CompiledFlow compiled)
    {
        return new Started(
            compiled.plan(), compiled.instantiate(new FlowBinder(definition, wiring).bind(compiled.plan())));
    }

    /**
     * Gives a compiled flow its state.
     *
     * @param compiled the flow
     * @param runners  who runs an engine each; a single {@code null} is the source's thread
     */
    StartedFlow start(final CompiledFlow compiled, final List<Worker> runners)
    {
        final List<FlowEngine> engines = new ArrayList<>();
        final FlowBinder binder = new FlowBinder(definition, wiring);
        runners.forEach(runner -> engines.add(compiled.instantiate(binder.bind(compiled.plan()))));
        return new StartedFlow(compiled, engines, runners, wiring, binder.tables());
    }

    /** How rows of a flow's channel reach it: in order, to the one thread that runs the flow. */
    PipelineGroup group(final Started flow, final int source, final Worker worker)
    {
        final BatchSchema schema = wiring.domains().schema(flow.plan().sources().get(source).type());
        final PipelineInstance instance = new PipelineInstance(flow.plan().name(),
            new FlowInlet(schema, flow.engine(), source, wiring::reject), List.of(), wiring::reject);
        if (worker != null)
        {
            worker.add(instance);
        }
        return new PipelineGroup(OrderingConstraint.ORDERED, -1, true, schema,
            List.of(new PipelineGroup.Member(worker, new PipelineInstance[]{instance})));
    }
}
