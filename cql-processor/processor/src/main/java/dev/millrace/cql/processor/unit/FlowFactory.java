package dev.millrace.cql.processor.unit;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.compiler.janino.ClassCompiler;
import dev.millrace.cql.compiler.unit.DiscardSupport;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.ordering.PartitionStateAnalysis;
import dev.millrace.cql.planner.ordering.TwoPhasePlanner;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.relation.RecordedLookup;
import dev.millrace.cql.processor.relation.RecordedReplica;
import dev.millrace.cql.processor.worker.ThreadWorker;
import dev.millrace.cql.processor.worker.Worker;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts flows from their plans.
 *
 * <p>Single use, by the deploying thread.
 */
final class FlowFactory
{
    private final ProcessorStage definition;
    private final ExecutionUnitOutputs wiring;
    private final Map<String, String> shared;
    private final StoredState stored;
    private final String version;

    /**
     * @param wiring environment of the flows
     * @param shared partitioned channels, and the property by which each is partitioned
     * @param stored  state with which the engines start
     * @param version as of {@link ExecutionUnit#stateName(String, String, String)}
     */
    FlowFactory(final ProcessorStage definition, final ExecutionUnitOutputs wiring, final Map<String, String> shared,
        final StoredState stored, final String version)
    {
        this.version = version;
        this.stored = stored;
        this.definition = definition;
        this.wiring = wiring;
        this.shared = shared;
    }

    /** Compiles a flow without starting it. */
    TwoPhaseFlow compile(final FlowPlan plan, final ClassCompiler classMaker) throws DeploymentException
    {
        final ClassLoader before = ContextClassLoaderScope.enter();
        try
        {
            final FlowCompiler compiler = new FlowCompiler(classMaker);
            // The rings between two steps are in no journal.
            final TwoPhasePlanner steps =
                wiring.workers() == 1 || wiring.storage() != null ? null : TwoPhasePlanner.of(plan);
            if (steps != null && !forgetsKeys(plan) && !isShared(plan))
            {
                return new TwoPhaseFlow(plan, compiler.compile(steps.apart()), steps,
                    compiler.compile(steps.merging(wiring.workers())));
            }
            final FlowPlan whole = steps == null ? plan : new FlowPlan(plan.name(), plan.sources(), plan.outputs());
            return new TwoPhaseFlow(plan, compiler.compile(
                whole, new DiscardSupport(new PartitionStateAnalysis(plan, shared).columns(), forgetsKeys(plan))), null,
                null);
        }
        catch (final RuntimeException failure)
        {
            throw new DeploymentException(List.of(new DeploymentException.Problem(ProcessorErrorCode.NOT_COMPILED,
                definition.position(), "a planned statement cannot be compiled, flow=" + plan.name() + " reason=" +
                failure.getMessage(), "rewrite the statement; if the reason mentions generated code, report it " +
                "with the rules and the log", "")), failure);
        }
        finally
        {
            ContextClassLoaderScope.leave(before);
        }
    }

    /** Whether partitions may move to other members: one engine discards them, instant by instant. */
    private boolean isShared(final FlowPlan plan)
    {
        return plan.sources().stream().anyMatch(source -> shared.containsKey(source.name()));
    }

    /** Whether idle keys are discarded: a key that is idle on one worker may be active on another. */
    private boolean forgetsKeys(final FlowPlan plan)
    {
        return new IdleStateSettings(definition).ns(plan.outputs().stream().map(FlowPlan.Output::queryId).toList()) > 0;
    }

    /**
     * Creates the state of a compiled flow.
     *
     * @param compiled flow
     * @param runners  workers, one per engine; a single {@code null} is the source's thread
     * @param merger   worker of the second step, if any
     */
    RunningFlow start(final TwoPhaseFlow compiled, final List<Worker> runners, final ThreadWorker merger)
    {
        final List<String> queries = compiled.plan().outputs().stream().map(FlowPlan.Output::queryId).toList();
        final FlowBinder binder = new FlowBinder(definition, wiring);
        boolean isStarted = false;
        try
        {
            final RunningFlow started = start(compiled, runners, merger, binder, queries);
            isStarted = true;
            return started;
        }
        finally
        {
            if (!isStarted)
            {
                binder.endings().forEach(Runnable::run);
            }
        }
    }

    private RunningFlow start(final TwoPhaseFlow compiled, final List<Worker> runners, final ThreadWorker merger,
        final FlowBinder binder, final List<String> queries)
    {
        final TwoPhasePlanner steps = compiled.steps();
        final MergePhase merge = steps == null ? null : merge(compiled, runners, merger, binder, queries);
        final List<FlowEngine> engines = new ArrayList<>();
        final List<List<RecordedReplica>> replicas = new ArrayList<>();
        final List<List<RecordedLookup>> lookups = new ArrayList<>();
        for (int runner = 0; runner < runners.size(); runner++)
        {
            final Map<String, EventBatchSink> parts = new LinkedHashMap<>();
            for (int part = 0; steps != null && part < steps.types().size(); part++)
            {
                parts.put(steps.types().get(part).name(), merge.sink(part * runners.size() + runner));
            }
            final FlowBindings bindings = binder.bind(compiled.first().plan(), wiring.openMemory(queries), parts);
            final StateInput state = stored.of(runners.get(runner), compiled.plan().sources().get(0).name(),
                ExecutionUnit.stateName("flow", compiled.plan().name(), version));
            final FlowEngine engine = state == null ? compiled.first().instantiate(bindings) :
                compiled.first().instantiate(bindings, state);
            if (merge != null)
            {
                engine.tellTime();
            }
            engines.add(engine);
            replicas.add(binder.takeReplicas());
            lookups.add(binder.takeLookups());
        }
        return new RunningFlow(compiled, engines, replicas, lookups, runners, merge, merger, wiring, binder.endings(),
            version);
    }

    private MergePhase merge(final TwoPhaseFlow compiled, final List<Worker> runners, final ThreadWorker merger,
        final FlowBinder binder, final List<String> queries)
    {
        final FlowEngine engine = compiled.merging().instantiate(
            binder.bind(compiled.merging().plan(), wiring.openMemory(queries), Map.of()));
        return new MergePhase(compiled.merging(), engine, merger, runners,
            source -> new BatchSchema(source.type()), wiring);
    }
}
