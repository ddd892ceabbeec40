package dev.millrace.cql.processor;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.functions.Aggregates;
import dev.millrace.cql.plan.OrderingConstraint;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.flow.PullSource;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

    /** Compiles a flow and gives it its state. */
    Started start(final FlowPlan plan) throws DeploymentException
    {
        final ClassLoader before = BundleClasses.enter();
        try
        {
            final CompiledFlow compiled = compiler.compile(plan);
            return new Started(plan, compiled.instantiate(bindings(plan)));
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

    private FlowBindings bindings(final FlowPlan plan)
    {
        final Map<String, BatchSchema> schemas = new LinkedHashMap<>();
        final Map<String, EventBatchSink> outputs = new LinkedHashMap<>();
        final Map<String, PullSource> pulls = new LinkedHashMap<>();
        for (final FlowPlan.Output output : plan.outputs())
        {
            schemas.put(output.queryId(), wiring.domains().schema(output.type()));
            outputs.put(output.queryId(), wiring.openOutput(output.queryId()));
            for (final FlowNode node : FlowNode.upstream(output.input()))
            {
                if (node instanceof FlowNode.Pull pull && pull.kind() == FlowNode.PullKind.CACHE)
                {
                    pulls.computeIfAbsent(pull.source(), this::cachePull);
                }
            }
        }
        return new FlowBindings(schemas, outputs, pulls, Aggregates.factories(), wiring::reject, FlowBindings.DEFAULT_MAX_ROWS);
    }

    private PullSource cachePull(final String name)
    {
        for (final Map.Entry<String, ProcessorStage.CacheSource> entry : definition.cacheSources().entrySet())
        {
            if (entry.getKey().equalsIgnoreCase(name))
            {
                final Cache cache = entry.getValue().cache();
                final EventType type = entry.getValue().settings().valueType();
                return new CachePull(cache, wiring.domains().schema(type));
            }
        }
        throw new IllegalStateException("our bug, please report it with the rules: the plan reads a cache that the " +
            "processor does not have, processor=" + definition.id() + " cache=" + name);
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
