package dev.millrace.cql.processor;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.Operator.OutputKind;
import dev.millrace.cql.plan.Operator.RelationSource;
import dev.millrace.cql.plan.OrderingConstraint;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.runtime.LookupRelation;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a running processor of a plan: compiles each pipeline once, gives each worker an instance, fills the copies
 * of relations and starts the workers. Used once, by the deploying thread.
 */
final class ProcessorStart
{
    private final ProcessorStage definition;
    private final ProcessorPlan plan;
    private final String planText;
    private final ProcessorWiring wiring;
    private final PipelineCompiler compiler = new PipelineCompiler();
    private final Map<String, RelationFeed> feeds = new LinkedHashMap<>();
    private final Map<String, List<PipelineGroup>> groups = new LinkedHashMap<>();
    private final List<Worker> workers = new ArrayList<>();
    private final List<RunningCqlProcessor.Placed> placed = new ArrayList<>();
    private int nextOrderedWorker;

    ProcessorStart(
        final ProcessorStage definition, final ProcessorPlan plan, final String planText, final ProcessorWiring wiring)
    {
        this.definition = definition;
        this.plan = plan;
        this.planText = planText;
        this.wiring = wiring;
    }

    /** What lets pipelines of a channel travel together. */
    private record GroupKey(String channel, OrderingConstraint ordering, int partitionColumn, BatchSchema schema)
    {
    }

    RunningCqlProcessor start() throws DeploymentException
    {
        checkWorkers();
        final Map<GroupKey, List<PipelinePlan>> byKey = new LinkedHashMap<>();
        final Map<String, BatchSchema> schemas = new LinkedHashMap<>();
        for (final PipelinePlan pipeline : plan.pipelines())
        {
            final BatchSchema schema = schemas.computeIfAbsent(
                pipeline.sourceChannel(), channel -> wiring.domains().schema(pipeline.sourceType()));
            byKey.computeIfAbsent(new GroupKey(pipeline.sourceChannel(), pipeline.ordering(),
                pipeline.partitionColumn(), schema), key -> new ArrayList<>()).add(pipeline);
        }
        for (final Map.Entry<GroupKey, List<PipelinePlan>> entry : byKey.entrySet())
        {
            groups.computeIfAbsent(entry.getKey().channel(), channel -> new ArrayList<>())
                .add(group(entry.getKey(), entry.getValue()));
        }
        final List<FlowStart.Started> flows = new ArrayList<>();
        for (final FlowPlan flow : plan.flows())
        {
            flows.add(start(flow));
        }
        openFeeds();
        workers.forEach(Worker::start);
        return new RunningCqlProcessor(definition.id(), planText, wiring, groups, workers, placed, flows,
            List.copyOf(feeds.values()));
    }

    private FlowStart.Started start(final FlowPlan plan) throws DeploymentException
    {
        final FlowStart start = new FlowStart(definition, wiring);
        final FlowStart.Started flow = start.start(plan);
        final int sourceThreads = plan.sources().stream()
            .mapToInt(source -> wiring.sourceThreads(source.name())).sum();
        final Worker worker = sourceThreads <= 1 && wiring.workers() == 1 ? null : nextWorker();
        for (int source = 0; source < plan.sources().size(); source++)
        {
            groups.computeIfAbsent(plan.sources().get(source).name(), channel -> new ArrayList<>())
                .add(start.group(flow, source, worker));
        }
        return flow;
    }

    private void checkWorkers() throws DeploymentException
    {
        if (wiring.workers() > RouteTable.MAX_WORKERS)
        {
            throw new DeploymentException(ProcessorErrors.TOO_MANY_WORKERS, definition.position(),
                "too many workers, processor=" + definition.id() + " workers=" + wiring.workers() + " limit=" +
                RouteTable.MAX_WORKERS, "lower max-threads of the channel in front, or the server's default");
        }
    }

    private PipelineGroup group(final GroupKey key, final List<PipelinePlan> pipelines) throws DeploymentException
    {
        final List<Worker> runners = runners(key);
        final List<List<PipelineInstance>> instances = new ArrayList<>();
        runners.forEach(runner -> instances.add(new ArrayList<>()));
        boolean timeDriven = false;
        for (final PipelinePlan pipeline : pipelines)
        {
            timeDriven |= pipeline.outputs().stream().anyMatch(output -> output.kind() == OutputKind.NOW_RELATION);
            final CompiledPipeline compiled = compile(pipeline);
            for (int i = 0; i < runners.size(); i++)
            {
                final PipelineInstance instance = instance(compiled, key.schema());
                instances.get(i).add(instance);
                placed.add(new RunningCqlProcessor.Placed(instance, pipeline, runners.get(i)));
                if (runners.get(i) != null)
                {
                    runners.get(i).add(instance);
                }
            }
        }
        final List<PipelineGroup.Member> members = new ArrayList<>();
        for (int i = 0; i < runners.size(); i++)
        {
            members.add(new PipelineGroup.Member(runners.get(i), instances.get(i).toArray(new PipelineInstance[0])));
        }
        return new PipelineGroup(key.ordering(), key.partitionColumn(), timeDriven, key.schema(), members);
    }

    /** Who runs a group: the source's thread itself ({@code null}), one worker, or all. */
    private List<Worker> runners(final GroupKey key)
    {
        if (wiring.workers() == 1 && wiring.sourceThreads(key.channel()) <= 1)
        {
            return Collections.singletonList(null);
        }
        makeWorkers();
        return key.ordering() == OrderingConstraint.ORDERED ? List.of(nextWorker()) : List.copyOf(workers);
    }

    private void makeWorkers()
    {
        while (workers.size() < wiring.workers())
        {
            workers.add(new Worker(
                wiring.qualifiedName() + "/worker-" + (workers.size() + 1), wiring.threads()));
        }
    }

    /** Ordered work goes to the workers in turn. */
    private Worker nextWorker()
    {
        makeWorkers();
        return workers.get(nextOrderedWorker++ % workers.size());
    }

    private CompiledPipeline compile(final PipelinePlan pipeline) throws DeploymentException
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
                failure.getMessage(), "rewrite the statement; if the reason speaks of generated code, report it " +
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

    private PipelineInstance instance(final CompiledPipeline compiled, final BatchSchema schema)
    {
        final PipelinePlan pipeline = compiled.plan();
        final Map<String, BatchSchema> outputSchemas = new LinkedHashMap<>();
        final Map<String, EventBatchSink> outputs = new LinkedHashMap<>();
        for (final Operator.Output output : pipeline.outputs())
        {
            outputSchemas.put(output.queryId(), wiring.domains().schema(output.type()));
            outputs.put(output.queryId(), wiring.openOutput(output.queryId()));
        }
        final Map<String, LookupRelation> relations = new LinkedHashMap<>();
        final List<RelationCopy> copies = new ArrayList<>();
        for (final RelationSource source : relationsOf(pipeline))
        {
            final RelationCopy copy = feed(source).newCopy();
            copies.add(copy);
            relations.put(source.id(), copy.relation());
        }
        return new PipelineInstance(pipeline.name(), compiled.instantiate(
            new PipelineBindings(schema, outputSchemas, outputs, relations, wiring::reject)), copies, wiring::reject);
    }

    private RelationFeed feed(final RelationSource source)
    {
        return feeds.computeIfAbsent(source.id(), id -> new RelationFeed(source, cache(id), wiring));
    }

    /** Names in rules ignore case; the plan has the name as declared, or as the rule wrote it. */
    private Cache cache(final String id)
    {
        for (final Map.Entry<String, ProcessorStage.CacheSource> entry : definition.cacheSources().entrySet())
        {
            if (entry.getKey().equalsIgnoreCase(id))
            {
                return entry.getValue().cache();
            }
        }
        throw new IllegalStateException("our bug, please report it with the rules: the plan reads a cache that the " +
            "processor does not have, processor=" + definition.id() + " cache=" + id);
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

    private void openFeeds() throws DeploymentException
    {
        final List<RelationFeed> opened = new ArrayList<>();
        boolean isOpen = false;
        try
        {
            for (final RelationFeed feed : feeds.values())
            {
                feed.open(definition, () -> workers.forEach(Worker::wake));
                opened.add(feed);
            }
            isOpen = true;
        }
        finally
        {
            if (!isOpen)
            {
                opened.forEach(RelationFeed::close);
            }
        }
    }
}
