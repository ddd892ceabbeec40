package dev.millrace.cql.processor.unit;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.compiler.janino.ClassCompiler;
import dev.millrace.cql.compiler.janino.JaninoClassCompiler;
import dev.millrace.cql.plan.Operator.RelationSource;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.relation.RelationFeeds;
import dev.millrace.cql.processor.relation.RelationReplica;
import dev.millrace.cql.processor.worker.GroupKey;
import dev.millrace.cql.processor.worker.PipelineInstance;
import dev.millrace.cql.processor.worker.Worker;
import dev.millrace.cql.processor.worker.Workers;
import dev.millrace.cql.runtime.LookupRelation;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Creates units from plans: compiles them, then creates their state and inputs. Confined to the thread that starts the
 * processor or changes its rules.
 */
public final class ExecutionUnitFactory
{
    private final ProcessorStage definition;
    private final ProcessorWiring network;
    private final OutputOpener opener;
    private final Workers workers;
    private final RelationFeeds feeds;
    private final StoredState stored;
    private final Map<String, String> shared;
    private final ClassCompiler classMaker;
    private final PipelineCompiler compiler;
    private final String version;

    /**
     * @param definition processor with the rules of the plans
     * @param network    environment of the processor
     * @param opener     opens the outputs of queries
     * @param workers    workers of the processor
     * @param feeds      feeds of the processor
     * @param plans      planner of the plans; {@code null} if they were created in another way
     * @param stored     state with which the units start
     */
    public ExecutionUnitFactory(final ProcessorStage definition, final ProcessorWiring network,
        final OutputOpener opener,
        final Workers workers, final RelationFeeds feeds, final ProcessorPlanner plans, final StoredState stored)
    {
        this(definition, network, opener, workers, feeds, plans, stored, 0);
    }

    /**
     * Creates units of rules that were changed while the processor ran.
     *
     * @param definition processor with the rules of the plans
     * @param network    environment of the processor
     * @param opener     opens the outputs of queries
     * @param workers    workers of the processor
     * @param feeds      feeds of the processor
     * @param plans      planner of the plans; {@code null} if they were created in another way
     * @param stored     state with which the units start
     * @param version    number of the change that starts the units; 0 for the first ones
     */
    public ExecutionUnitFactory(final ProcessorStage definition, final ProcessorWiring network,
        final OutputOpener opener, final Workers workers, final RelationFeeds feeds, final ProcessorPlanner plans,
        final StoredState stored, final int version)
    {
        this.version = version == 0 ? "" : " v" + version;
        this.stored = stored;
        shared = plans == null ? Map.of() : plans.shared();
        classMaker = plans == null ? new JaninoClassCompiler() : plans.classMaker();
        compiler = new PipelineCompiler(classMaker);
        this.definition = definition;
        this.network = network;
        this.opener = opener;
        this.workers = workers;
        this.feeds = feeds;
    }

    /** Compiles all pipelines and flows of rules and creates their units. */
    public List<ExecutionUnit> makeAll(final PlannedRules rules) throws DeploymentException
    {
        final List<ExecutionUnit> units = new ArrayList<>();
        for (final PipelinePlan pipeline : rules.plan().pipelines())
        {
            units.add(make(compile(pipeline)));
        }
        for (final FlowPlan flow : rules.plan().flows())
        {
            units.add(make(compile(flow)));
        }
        return units;
    }

    public CompiledPipeline compile(final PipelinePlan pipeline) throws DeploymentException
    {
        final ClassLoader before = ContextClassLoaderScope.enter();
        try
        {
            return compiler.compile(pipeline);
        }
        catch (final RuntimeException failure)
        {
            throw new DeploymentException(List.of(new Problem(ProcessorErrorCode.NOT_COMPILED, position(pipeline),
                "a planned statement cannot be compiled, pipeline=" + pipeline.name() + " reason=" +
                failure.getMessage(), "rewrite the statement; if the reason mentions generated code, report it " +
                "with the rules and the log", "")), failure);
        }
        finally
        {
            ContextClassLoaderScope.leave(before);
        }
    }

    private SourcePosition position(final PipelinePlan pipeline)
    {
        final List<String> queries = pipeline.outputs().stream().map(Operator.Output::queryId).toList();
        return definition.rules().stream()
            .filter(rule -> queries.contains(rule.id()))
            .map(ProcessorStage.Rule::position)
            .findFirst().orElse(definition.position());
    }

    public TwoPhaseFlow compile(final FlowPlan flow) throws DeploymentException
    {
        return new FlowFactory(definition, wiring(), shared, stored, version).compile(flow, classMaker);
    }

    private ExecutionUnitOutputs wiring()
    {
        return new ExecutionUnitOutputs(network, opener);
    }

    public ExecutionUnit make(final CompiledPipeline compiled)
    {
        final PipelinePlan plan = compiled.plan();
        final GroupKey key = new GroupKey(plan.sourceChannel(), plan.ordering(), plan.partitionColumn(),
            new BatchSchema(plan.sourceType()));
        final List<Worker> runners = workers.runners(key);
        final ExecutionUnitOutputs wiring = wiring();
        final List<PipelineInstance> instances = new ArrayList<>();
        final List<RelationReplica> copies = new ArrayList<>();
        for (int i = 0; i < runners.size(); i++)
        {
            instances.add(instance(compiled, key.schema(), wiring, copies));
        }
        final ExecutionUnit unit = ExecutionUnit.of(plan, key, runners, instances, copies, wiring, version);
        for (int i = 0; i < runners.size(); i++)
        {
            final StateInput state = stored.of(runners.get(i), plan.sourceChannel(), unit.stateName());
            if (state != null)
            {
                instances.get(i).read(state);
            }
        }
        return unit;
    }

    private PipelineInstance instance(final CompiledPipeline compiled, final BatchSchema schema,
        final ExecutionUnitOutputs wiring, final List<RelationReplica> copies)
    {
        final PipelinePlan pipeline = compiled.plan();
        final Map<String, BatchSchema> outputSchemas = new LinkedHashMap<>();
        final Map<String, EventBatchSink> outputs = new LinkedHashMap<>();
        PlanSplitter.families(pipeline.roots()).forEach(family -> outputs.putAll(wiring.openOutputs(family)));
        for (final Operator.Output output : pipeline.outputs())
        {
            outputSchemas.put(output.queryId(), new BatchSchema(output.type()));
            outputs.computeIfAbsent(output.queryId(), wiring::openOutput);
        }
        final MemoryAccount memory =
            wiring.openMemory(pipeline.outputs().stream().map(Operator.Output::queryId).toList());
        final StringTable strings = PipelineBindings.newStrings(memory);
        final Map<String, LookupRelation> relations = new LinkedHashMap<>();
        final List<RelationReplica> own = new ArrayList<>();
        for (final RelationSource source : relationsOf(pipeline))
        {
            final RelationReplica copy = feeds.newCopy(source, strings);
            own.add(copy);
            relations.put(source.id(), copy.relation());
        }
        copies.addAll(own);
        return new PipelineInstance(pipeline.name(), compiled.instantiate(
            new PipelineBindings(schema, outputSchemas, outputs, relations, network::reject,
                memory, strings)),
            compiled.filter(), own, network::reject);
    }

    private static List<RelationSource> relationsOf(final PipelinePlan pipeline)
    {
        final Map<String, RelationSource> found = new LinkedHashMap<>();
        pipeline.roots().forEach(root -> collect(root, found));
        return List.copyOf(found.values());
    }

    private static void collect(final Operator operator, final Map<String, RelationSource> found)
    {
        if (operator instanceof Operator.LookupJoin join)
        {
            found.putIfAbsent(join.relation().id(), join.relation());
        }
        operator.consumers().forEach(consumer -> collect(consumer, found));
    }

    public ExecutionUnit make(final TwoPhaseFlow compiled)
    {
        final ExecutionUnitOutputs wiring = wiring();
        final RunningFlow flow = new FlowFactory(definition, wiring, shared, stored, version)
            .start(compiled, workers.runners(compiled.first().plan(),
                ExecutionUnit.stateName("flow", compiled.plan().name(), version)),
                compiled.steps() == null ? null : workers.merger());
        return ExecutionUnit.of(flow, flow.groups(), wiring, version);
    }
}
