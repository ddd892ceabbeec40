package dev.millrace.cql.processor;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.compiler.ClassMaker;
import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.JaninoClassMaker;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.Operator.RelationSource;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.runtime.LookupRelation;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
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
final class UnitMaker
{
    private final ProcessorStage definition;
    private final ProcessorWiring network;
    private final OutputOpener opener;
    private final Workers workers;
    private final Feeds feeds;
    private final Map<String, String> shared;
    private final ClassMaker classMaker;
    private final PipelineCompiler compiler;

    /**
     * @param definition processor with the rules of the plans
     * @param network    environment of the processor
     * @param opener     opens the outputs of queries
     * @param workers    workers of the processor
     * @param feeds      feeds of the processor
     * @param plans      planner of the plans; {@code null} if they were created in another way
     */
    UnitMaker(final ProcessorStage definition, final ProcessorWiring network, final OutputOpener opener,
        final Workers workers, final Feeds feeds, final RulePlans plans)
    {
        shared = plans == null ? Map.of() : plans.shared();
        classMaker = plans == null ? new JaninoClassMaker() : plans.classMaker();
        compiler = new PipelineCompiler(classMaker);
        this.definition = definition;
        this.network = network;
        this.opener = opener;
        this.workers = workers;
        this.feeds = feeds;
    }

    CompiledPipeline compile(final PipelinePlan pipeline) throws DeploymentException
    {
        final ClassLoader before = BundleClasses.enter();
        try
        {
            return compiler.compile(pipeline);
        }
        catch (final RuntimeException failure)
        {
            throw new DeploymentException(List.of(new Problem(ProcessorErrors.NOT_COMPILED, position(pipeline),
                "a planned statement cannot be compiled, pipeline=" + pipeline.name() + " reason=" +
                failure.getMessage(), "rewrite the statement; if the reason mentions generated code, report it " +
                "with the rules and the log", "")), failure);
        }
        finally
        {
            BundleClasses.leave(before);
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

    CompiledSteps compile(final FlowPlan flow) throws DeploymentException
    {
        return new FlowStart(definition, wiring(), shared).compile(flow, classMaker);
    }

    private UnitWiring wiring()
    {
        return new UnitWiring(network, opener);
    }

    Unit make(final CompiledPipeline compiled)
    {
        final PipelinePlan plan = compiled.plan();
        final GroupKey key = new GroupKey(plan.sourceChannel(), plan.ordering(), plan.partitionColumn(),
            new BatchSchema(plan.sourceType()));
        final List<Worker> runners = workers.runners(key);
        final UnitWiring wiring = wiring();
        final List<PipelineInstance> instances = new ArrayList<>();
        final List<RelationCopy> copies = new ArrayList<>();
        for (int i = 0; i < runners.size(); i++)
        {
            instances.add(instance(compiled, key.schema(), wiring, copies));
        }
        return Unit.of(plan, key, runners, instances, copies, wiring);
    }

    private PipelineInstance instance(final CompiledPipeline compiled, final BatchSchema schema,
        final UnitWiring wiring, final List<RelationCopy> copies)
    {
        final PipelinePlan pipeline = compiled.plan();
        final Map<String, BatchSchema> outputSchemas = new LinkedHashMap<>();
        final Map<String, EventBatchSink> outputs = new LinkedHashMap<>();
        PlanParts.families(pipeline.roots()).forEach(family -> outputs.putAll(wiring.openOutputs(family)));
        for (final Operator.Output output : pipeline.outputs())
        {
            outputSchemas.put(output.queryId(), new BatchSchema(output.type()));
            outputs.computeIfAbsent(output.queryId(), wiring::openOutput);
        }
        final MemoryAccount memory =
            wiring.openMemory(pipeline.outputs().stream().map(Operator.Output::queryId).toList());
        final Codes strings = PipelineBindings.newStrings(memory);
        final Map<String, LookupRelation> relations = new LinkedHashMap<>();
        final List<RelationCopy> own = new ArrayList<>();
        for (final RelationSource source : relationsOf(pipeline))
        {
            final RelationCopy copy = feeds.newCopy(source, strings);
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

    Unit make(final CompiledSteps compiled)
    {
        final UnitWiring wiring = wiring();
        final StartedFlow flow = new FlowStart(definition, wiring, shared)
            .start(compiled, workers.runners(compiled.first().plan()),
                compiled.steps() == null ? null : workers.merger());
        return Unit.of(flow, flow.groups(), wiring);
    }
}
