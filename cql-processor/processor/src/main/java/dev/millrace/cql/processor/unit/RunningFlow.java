package dev.millrace.cql.processor.unit;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowRoute;
import dev.millrace.cql.processor.relation.RecordedLookup;
import dev.millrace.cql.processor.relation.RecordedReplica;
import dev.millrace.cql.processor.worker.FlowRouter;
import dev.millrace.cql.processor.worker.PipelineGroup;
import dev.millrace.cql.processor.worker.PipelineInstance;
import dev.millrace.cql.processor.worker.ThreadWorker;
import dev.millrace.cql.processor.worker.Worker;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A started flow: one engine per worker, each with its own state and clock. All channels of an engine arrive on one
 * thread.
 *
 * <p>Threads: {@link #groups()} is called by the deploying thread, statistics are read by any thread.
 */
public final class RunningFlow
{
    private final FlowPlan plan;
    private final List<FlowEngine> engines;
    /** By engine; empty unless the flow is durable. */
    private final List<List<RecordedReplica>> replicas;
    private final List<List<RecordedLookup>> lookups;
    private final List<Worker> runners;
    private final List<Runnable> endings;
    /** Processes the output of the engines; {@code null} if they emit the rows of the queries. */
    private final MergePhase merge;
    private final ThreadWorker merger;
    /** By engine, then by source. */
    private final List<List<PipelineInstance>> inlets = new ArrayList<>();
    private final List<PipelineGroup> groups = new ArrayList<>();

    RunningFlow(final TwoPhaseFlow compiled, final List<FlowEngine> engines,
        final List<List<RecordedReplica>> replicas, final List<List<RecordedLookup>> lookups,
        final List<Worker> runners, final MergePhase merge, final ThreadWorker merger, final ProcessorWiring wiring,
        final List<Runnable> endings, final String version)
    {
        this.lookups = List.copyOf(lookups);
        this.merge = merge;
        this.merger = merger;
        this.endings = List.copyOf(endings);
        plan = compiled.plan();
        this.engines = List.copyOf(engines);
        this.replicas = List.copyOf(replicas);
        this.runners = Collections.unmodifiableList(new ArrayList<>(runners));
        engines.forEach(engine -> inlets.add(new ArrayList<>()));
        for (int source = 0; source < plan.sources().size(); source++)
        {
            groups.add(group(compiled.first(), source, wiring, version));
        }
    }

    private PipelineGroup group(final CompiledFlow compiled, final int source, final ProcessorWiring wiring,
        final String version)
    {
        final FlowNode.Source channel = plan.sources().get(source);
        final BatchSchema schema = new BatchSchema(channel.type());
        final List<PipelineGroup.Member> members = new ArrayList<>();
        for (int i = 0; i < engines.size(); i++)
        {
            final PipelineInstance inlet = new PipelineInstance(plan.name(),
                new FlowInlet(schema, engines.get(i), source, wiring::reject), List.of(), wiring::reject);
            inlets.get(i).add(inlet);
            members.add(new PipelineGroup.Member(runners.get(i), new PipelineInstance[] {inlet}));
        }
        final FlowRoute.Kind kind = engines.size() == 1 ? FlowRoute.Kind.ALL : plan.routes().get(source).kind();
        final boolean hasTies = channel.time() == FlowNode.TimeKind.APPLICATION;
        return new PipelineGroup(plan.name() + version + ' ' + channel.name(), schema, members,
            column -> compiled.reads(source, column), channel.silent(),
            (inputs, table) -> new FlowRouter(inputs, kind, table, kind == FlowRoute.Kind.VALUE ?
                compiled.hashes(source, schema) : null, hasTies))
            .withPrimaryKey(channel.relation() ? channel.primaryKey() : List.of());
    }

    /** Discards partitions of a channel; called while no row is in progress. */
    void forget(final String channel, final PartitionPredicate partitions)
    {
        for (int source = 0; source < plan.sources().size(); source++)
        {
            if (plan.sources().get(source).name().equals(channel))
            {
                for (final FlowEngine engine : engines)
                {
                    engine.forget(source, partitions);
                }
            }
        }
    }

    /** The worker of each engine; a single {@code null} is the source's thread. */
    List<Worker> runners()
    {
        return runners;
    }

    /** The engine of a worker, by index. */
    FlowEngine engine(final int runner)
    {
        return engines.get(runner);
    }

    /** The replicas of a durable engine, by index. */
    List<RecordedReplica> replicas(final int runner)
    {
        return replicas.get(runner);
    }

    /** The look-ups of a durable engine, by index. */
    List<RecordedLookup> lookups(final int runner)
    {
        return lookups.get(runner);
    }

    /** Whether a second step has processed all output of the first one; called when the first step emits no more. */
    public boolean isDone()
    {
        return merge == null || merge.isDone();
    }

    /** Releases database connections and rings, and stops listening to caches, after the last row. */
    public void close()
    {
        endings.forEach(Runnable::run);
        if (merge != null)
        {
            merge.close();
        }
    }

    FlowPlan plan()
    {
        return plan;
    }

    /** One group per source of the plan, in order. */
    List<PipelineGroup> groups()
    {
        return groups;
    }

    /** Statistics of each engine. */
    public List<Map<String, Object>> statistics()
    {
        final List<Map<String, Object>> all = new ArrayList<>();
        for (int i = 0; i < engines.size(); i++)
        {
            all.add(statistics(plan.name(), runners.get(i), inlets.get(i), engines.get(i)));
        }
        if (merge != null)
        {
            all.add(statistics(plan.name() + " merged", merger, merge.inlets(), merge.engine()));
        }
        return all;
    }

    private static Map<String, Object> statistics(final String name, final Worker runner,
        final List<PipelineInstance> inlets, final FlowEngine engine)
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("flow", name);
        figures.put("thread", runner == null ? "source" : runner.name());
        final List<Map<String, Object>> sources = inlets.stream().map(PipelineInstance::statistics).toList();
        final boolean ok = sources.stream().allMatch(source -> "ok".equals(source.get("condition")));
        figures.put("condition", ok ? "ok" : "degraded");
        figures.put("failedBatches",
            sources.stream().mapToLong(source -> ((Number)source.get("failedBatches")).longValue()).sum());
        sources.stream().filter(source -> source.containsKey("lastFailure")).findFirst()
            .ifPresent(source -> figures.put("lastFailure", source.get("lastFailure")));
        figures.putAll(engine.statistics());
        return figures;
    }

    /** The engines of both steps. */
    private List<FlowEngine> allEngines()
    {
        final List<FlowEngine> all = new ArrayList<>(engines);
        if (merge != null)
        {
            all.add(merge.engine());
        }
        return all;
    }

    /** Input and output rows, summed over engines. */
    public Map<String, Object> summed()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rowsIn", rowsIn());
        figures.put("rowsOut", rowsOut());
        return figures;
    }

    /** The size of the engines' state. */
    public long stateSize()
    {
        long size = 0;
        for (final FlowEngine engine : allEngines())
        {
            size += ((Map<?, ?>)engine.statistics().get("state")).values().stream()
                .mapToLong(each -> ((Number)each).longValue()).sum();
        }
        return size;
    }

    /** A row that all engines receive counts once. */
    private long rowsIn()
    {
        long rows = 0;
        for (int i = 0; i < inlets.size(); i++)
        {
            for (int source = 0; source < plan.sources().size(); source++)
            {
                if (i == 0 || plan.routes().get(source).kind() != FlowRoute.Kind.ALL)
                {
                    rows += ((Number)inlets.get(i).get(source).statistics().get("rowsIn")).longValue();
                }
            }
        }
        return rows;
    }

    private Map<String, Long> rowsOut()
    {
        final Map<String, Long> rows = new LinkedHashMap<>();
        for (final FlowEngine engine : allEngines())
        {
            ((Map<?, ?>)engine.statistics().get("rowsOut")).forEach(
                (query, out) -> rows.merge((String)query, ((Number)out).longValue(), Long::sum));
        }
        // Rows between the two steps are not output of a query.
        rows.keySet().retainAll(plan.outputs().stream().map(FlowPlan.Output::queryId).toList());
        return rows;
    }
}
