package dev.millrace.cql.processor;

import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.processor.durable.StoredRules;
import dev.millrace.cql.processor.relation.RelationFeeds;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.processor.unit.ExecutionUnitFactory;
import dev.millrace.cql.processor.unit.OutputOpener;
import dev.millrace.cql.processor.unit.PlannedRules;
import dev.millrace.cql.processor.unit.ProcessorPlanner;
import dev.millrace.cql.processor.unit.StoredState;
import dev.millrace.cql.processor.worker.Workers;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Creates the units to which the stored state of a durable processor belongs: those of each part of its rules, as they
 * were started, without the output of queries that have ended since. Single use, by the thread that starts the
 * processor or its standby.
 */
final class PartUnits
{
    private static final EventBatchSink ENDED = batch ->
    {
        // The query has ended.
    };

    private final StoredRules stored;
    private final PlannedRules current;
    private final ProcessorPlanner plans;
    private final OutputOpener opener;
    private final List<ExecutionUnit> units = new ArrayList<>();

    /** Creates the units of one part. */
    private interface Maker
    {
        ExecutionUnitFactory of(PlannedRules planned, OutputOpener opener, int version);
    }

    /**
     * @param stored  the rules of the stored state; {@code null} without stored rules
     * @param current these rules, planned, or those that the processor starts with
     * @param opener  opens the outputs of queries that still run
     */
    PartUnits(
        final StoredRules stored, final PlannedRules current, final ProcessorPlanner plans, final OutputOpener opener)
    {
        this.stored = stored;
        this.current = current;
        this.plans = plans;
        this.opener = opener;
    }

    /** Compiles and creates all units, with their state. */
    List<ExecutionUnit> make(final ProcessorWiring wiring, final Workers workers, final RelationFeeds feeds,
        final StoredState state) throws DeploymentException
    {
        final Maker maker = (planned, outputs, version) -> new ExecutionUnitFactory(planned.definition(), wiring,
            outputs, workers, feeds, plans, state, version);
        if (stored == null)
        {
            return maker.of(current, opener, 0).makeAll(current);
        }
        for (final StoredRules.Part part : stored.parts())
        {
            final PlannedRules planned = part.rules().equals(stored.current()) ? current : plan(part);
            make(planned, part.live(), maker.of(planned, queries -> open(queries, part.live()), part.version()));
        }
        return units;
    }

    private PlannedRules plan(final StoredRules.Part part) throws DeploymentException
    {
        try
        {
            return plans.plan(part.rules().in(current.definition()), null);
        }
        catch (final DeploymentException impossible)
        {
            throw RestoreProblems.ofEarlierRules(current.definition(), impossible);
        }
    }

    private void make(final PlannedRules planned, final Set<String> live, final ExecutionUnitFactory maker)
        throws DeploymentException
    {
        for (final PipelinePlan pipeline : planned.plan().pipelines())
        {
            if (isLive(pipeline.outputs().stream().map(Operator.Output::queryId).toList(), live))
            {
                add(maker.make(maker.compile(pipeline)), live);
            }
        }
        for (final FlowPlan flow : planned.plan().flows())
        {
            if (isLive(flow.outputs().stream().map(FlowPlan.Output::queryId).toList(), live))
            {
                add(maker.make(maker.compile(flow)), live);
            }
        }
    }

    private static boolean isLive(final Collection<String> queries, final Set<String> live)
    {
        return queries.stream().anyMatch(live::contains);
    }

    private void add(final ExecutionUnit unit, final Set<String> live)
    {
        final Set<String> ended = new LinkedHashSet<>(unit.live());
        ended.removeAll(live);
        if (!ended.isEmpty())
        {
            unit.mute(ended);
        }
        units.add(unit);
    }

    private Map<String, EventBatchSink> open(final List<String> queries, final Set<String> live)
    {
        final List<String> running = queries.stream().filter(live::contains).toList();
        final Map<String, EventBatchSink> opened = new HashMap<>();
        queries.forEach(query -> opened.put(query, ENDED));
        if (!running.isEmpty())
        {
            opened.putAll(opener.open(running));
        }
        return opened;
    }
}
