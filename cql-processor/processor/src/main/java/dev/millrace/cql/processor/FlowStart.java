package dev.millrace.cql.processor;

import dev.millrace.cql.compiler.ClassMaker;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.compiler.unit.Forgotten;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.SharedState;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes running flows of their plans.
 *
 * <p>Used once, by the deploying thread.
 */
final class FlowStart
{
    private final ProcessorStage definition;
    private final UnitWiring wiring;
    private final Map<String, String> shared;

    /**
     * Makes it.
     *
     * @param definition the processor
     * @param wiring     what surrounds it
     * @param shared     channels that are shared out among members, and the property by which
     */
    FlowStart(final ProcessorStage definition, final UnitWiring wiring, final Map<String, String> shared)
    {
        this.definition = definition;
        this.wiring = wiring;
        this.shared = shared;
    }

    /** Compiles a flow; nothing runs yet. */
    CompiledFlow compile(final FlowPlan plan, final ClassMaker classMaker) throws DeploymentException
    {
        final ClassLoader before = BundleClasses.enter();
        try
        {
            return new FlowCompiler(classMaker).compile(plan, new Forgotten(new SharedState(plan, shared).columns(),
                new IdleState(definition).ns(plan.outputs().stream().map(FlowPlan.Output::queryId).toList()) > 0));
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

    /**
     * Gives a compiled flow its state.
     *
     * @param compiled the flow
     * @param runners  who runs an engine each; a single {@code null} is the source's thread
     */
    StartedFlow start(final CompiledFlow compiled, final List<Worker> runners)
    {
        final List<FlowEngine> engines = new ArrayList<>();
        final List<String> queries = compiled.plan().outputs().stream().map(FlowPlan.Output::queryId).toList();
        final FlowBinder binder = new FlowBinder(definition, wiring);
        runners.forEach(runner -> engines.add(
            compiled.instantiate(binder.bind(compiled.plan(), wiring.openMemory(queries)))));
        return new StartedFlow(compiled, engines, runners, wiring, binder.tables());
    }
}
