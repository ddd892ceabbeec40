package dev.millrace.cql.processor;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.language.syntax.RuleDependencies;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.processor.durable.DurableChange;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.relation.RelationFeeds;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.processor.unit.ExecutionUnitFactory;
import dev.millrace.cql.processor.unit.OutputOpener;
import dev.millrace.cql.processor.unit.PlanFingerprint;
import dev.millrace.cql.processor.unit.PlanSplitter;
import dev.millrace.cql.processor.unit.PlannedRules;
import dev.millrace.cql.processor.unit.ProcessorPlanner;
import dev.millrace.cql.processor.unit.StoredState;
import dev.millrace.cql.processor.unit.TwoPhaseFlow;
import dev.millrace.cql.processor.worker.PipelineGroup;
import dev.millrace.cql.processor.worker.Workers;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.journal.JournalException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.DynamicOutputs;
import dev.millrace.network.spi.ProcessorWiring;
import dev.millrace.network.spi.QueryOutput;
import dev.millrace.network.spi.RuleChange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * One change of the rules of a running processor: plans and compiles the new rules while the old ones run, determines
 * which queries stay unchanged, and replaces the others between two batches. Single use, not thread-safe.
 *
 * <p>If a query of a fused pipeline is removed while other queries with state stay, the pipeline continues with the
 * query's output closed, so that the others lose no state; it ends with its last query. The same applies to a flow of
 * several queries.
 */
final class RuleReplacement
{
    /** Maximum time to wait until the events in the processor are emitted. */
    private static final long PAUSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final RunningUnits units;
    private final RunningUnits.State before;
    private final ProcessorStage definition;
    private final ProcessorPlanner plans;
    private final ProcessorWiring wiring;
    private final Workers workers;
    private final RelationFeeds feeds;
    private final DynamicOutputs outputs;
    /** {@code null} unless the processor is durable. */
    private final Durability durable;
    private final Runnable accepted;
    private final Set<EventBatchSink> opened = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, ExecutionUnit> running = new HashMap<>();
    /** Queries that continue unchanged. */
    private final Set<String> kept = new LinkedHashSet<>();
    /** Queries without state that are compiled again, because others of their pipeline are removed. */
    private final Set<String> moved = new LinkedHashSet<>();
    /** Queries that start. */
    private final Set<String> fresh = new LinkedHashSet<>();
    private final List<ExecutionUnit> ended = new ArrayList<>();
    /** Reasons why queries with an equal plan restart. */
    private final Set<String> reasons = new LinkedHashSet<>();
    private final ChangedUserObjects objects;
    private PlannedRules rules;
    /** {@code null} unless the processor is durable. */
    private StoredReplacement storage;
    /** The parts of the plan that start. */
    private ProcessorPlan starting;

    /**
     * @param durable  {@code null} unless the processor is durable
     * @param accepted called when nothing but the storage of a durable processor can refuse the rules any more
     */
    RuleReplacement(final RunningUnits units, final ProcessorStage definition, final ProcessorPlanner plans,
        final ProcessorWiring wiring, final Workers workers, final RelationFeeds feeds, final DynamicOutputs outputs,
        final Durability durable, final Runnable accepted)
    {
        this.durable = durable;
        this.accepted = accepted;
        this.units = units;
        this.definition = definition;
        this.plans = plans;
        this.wiring = wiring;
        this.workers = workers;
        this.feeds = feeds;
        this.outputs = outputs;
        before = units.state();
        objects = new ChangedUserObjects(before.definition().objects(), definition.objects());
    }

    RuleChange run() throws DeploymentException
    {
        checkViews();
        before.units().forEach(unit -> unit.live().forEach(query -> running.put(query, unit)));
        rules = plans.plan(definition, before.rules());
        compare();
        final Set<String> begin = new HashSet<>(fresh);
        begin.addAll(moved);
        if (durable == null)
        {
            starting = starting(begin);
        }
        else
        {
            storage = new StoredReplacement(durable.units().rules(), definition, plans);
            starting = storage.start(begin, kept, before.definition());
        }
        checkOutputs();
        final ExecutionUnitFactory maker = new ExecutionUnitFactory(definition, wiring, null, workers, feeds, plans,
            StoredState.NONE);
        final List<CompiledPipeline> pipelines = new ArrayList<>();
        final List<TwoPhaseFlow> flows = new ArrayList<>();
        for (final PipelinePlan pipeline : starting.pipelines())
        {
            pipelines.add(maker.compile(pipeline));
        }
        for (final FlowPlan flow : starting.flows())
        {
            flows.add(maker.compile(flow));
        }
        return exchange(pipelines, flows);
    }

    private ProcessorPlan starting(final Set<String> begin)
    {
        return new ProcessorPlan(
            rules.plan().pipelines().stream().map(pipeline -> PlanSplitter.of(pipeline, begin)).filter(Objects::nonNull)
                .toList(),
            rules.plan().flows().stream().map(flow -> PlanSplitter.of(flow, begin)).filter(Objects::nonNull).toList());
    }

    /** Views cannot be removed while other rules read them. */
    private void checkViews() throws DeploymentException
    {
        final List<RuleText> texts = plans.texts(definition);
        final Set<String> there = texts.stream().filter(RuleText::view).map(RuleText::id).collect(Collectors.toSet());
        final List<Problem> problems = new ArrayList<>();
        for (final RuleText old : plans.texts(before.definition()))
        {
            final List<String> readers =
                !old.view() || there.contains(old.id()) ? List.of() : RuleDependencies.of(old.id(), texts);
            if (!readers.isEmpty())
            {
                problems.add(new Problem(ProcessorErrorCode.VIEW_IS_READ, definition.position(),
                    "the view is read by other rules, processor=" + definition.id() + " view=" + old.id() +
                    " readers=" + readers, "remove or stop " + String.join(", ", readers) + " first", ""));
            }
        }
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
    }

    private void compare()
    {
        final Map<String, ProcessorStage.Rule> old = byId(before.definition());
        final Map<String, ProcessorStage.Rule> now = byId(definition);
        final Predicate<String> sameLimits = query -> limits(before.definition(), old.get(query))
            .equals(limits(definition, now.get(query)));
        for (final PipelinePlan pipeline : rules.plan().pipelines())
        {
            for (final Operator.Output output : pipeline.outputs())
            {
                compare(output.queryId(), sameLimits, () -> PlanSplitter.of(pipeline, Set.of(output.queryId())));
            }
        }
        rules.plan().flows().forEach(flow -> flow.outputs().forEach(output ->
            compare(output.queryId(), sameLimits, () -> PlanSplitter.of(flow, Set.of(output.queryId())))));
        for (final ExecutionUnit unit : before.units())
        {
            final Set<String> left = new LinkedHashSet<>(unit.live());
            left.retainAll(kept);
            if (left.isEmpty())
            {
                ended.add(unit);
            }
            else if (left.size() < unit.live().size() && unit.isPipeline() &&
                !PlanSplitter.keepState(PlanSplitter.of(unit.pipeline(), left).roots()))
            {
                moved.addAll(left);
                ended.add(unit);
            }
        }
    }

    static Map<String, ProcessorStage.Rule> byId(final ProcessorStage processor)
    {
        final Map<String, ProcessorStage.Rule> rules = new HashMap<>();
        processor.rules().forEach(rule -> rules.putIfAbsent(rule.id(), rule));
        return rules;
    }

    /** How long the state of a rule keeps idle keys, and how many partial matches it may follow. */
    static List<Object> limits(final ProcessorStage processor, final ProcessorStage.Rule rule)
    {
        return List.of(
            rule == null || rule.idleStateTime() == null ? processor.idleStateTime() : rule.idleStateTime(),
            rule == null || rule.maxAttempts() == null ? processor.maxAttempts() : rule.maxAttempts());
    }

    private void compare(final String query, final Predicate<String> sameLimits, final Supplier<Record> part)
    {
        if (!running.containsKey(query) || !sameLimits.test(query))
        {
            fresh.add(query);
        }
        else if (rules.isSame(query, before.rules()))
        {
            kept.add(query);
        }
        else
        {
            final Record planned = part.get();
            final boolean isSame = running.get(query).text(query).equals(PlanFingerprint.of(planned));
            final Set<String> others = isSame ? objects.usedBy(planned) : Set.of();
            others.forEach(name -> reasons.add(query + " uses " + name + ", which is another object now"));
            (isSame && others.isEmpty() ? kept : fresh).add(query);
        }
    }

    /** The downstream channels must be able to accept the rows of queries that start. */
    private void checkOutputs() throws DeploymentException
    {
        final List<Problem> problems = new ArrayList<>();
        for (final QueryOutput output : PlanOutputs.of(definition, starting))
        {
            try
            {
                outputs.check(output);
            }
            catch (final DeploymentException unfit)
            {
                problems.addAll(unfit.problems());
            }
        }
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
    }

    private RuleChange exchange(final List<CompiledPipeline> pipelines, final List<TwoPhaseFlow> flows)
        throws DeploymentException
    {
        if (!units.pause(PAUSE_TIMEOUT_NS))
        {
            throw new DeploymentException(ProcessorErrorCode.BUSY, definition.position(),
                "rows in the processor were not emitted in time, processor=" + definition.id() + " limitSeconds=" +
                TimeUnit.NANOSECONDS.toSeconds(PAUSE_TIMEOUT_NS),
                "a downstream stage blocks; try again when it continues");
        }
        final long startNs = System.nanoTime();
        try
        {
            final List<ExecutionUnit> made = make(pipelines, flows);
            final RuleChange change = report();
            final Set<ExecutionUnit> left = new LinkedHashSet<>(before.units());
            ended.forEach(left::remove);
            final List<ExecutionUnit> next = new ArrayList<>(left);
            next.addAll(made);
            final Map<String, List<PipelineGroup>> groups = units.group(next);
            final DurableChange stored = accept(made, next, groups);
            left.forEach(this::mute);
            ended.forEach(this::end);
            if (stored != null)
            {
                stored.install();
            }
            // Not earlier: until now, the replicas of relations were confined to this thread.
            made.forEach(ExecutionUnit::joinWorkers);
            units.exchange(rules, next, groups);
            return new RuleChange(change.queries(), change.notes(), System.nanoTime() - startNs);
        }
        finally
        {
            units.resume();
        }
    }

    /** Stores the change, if the processor is durable; if that fails, the new units are released. */
    private DurableChange accept(final List<ExecutionUnit> made, final List<ExecutionUnit> next,
        final Map<String, List<PipelineGroup>> groups) throws DeploymentException
    {
        boolean isAccepted = false;
        final DurableChange change = durable == null ? null :
            new DurableChange(durable.units(), wiring, storage.rules(workers.assigned(), next));
        try
        {
            if (change != null && !change.prepare(next, unit -> made.contains(unit) ? unit.live() : left(unit), groups,
                units.sent(), wiring::reject, PAUSE_TIMEOUT_NS))
            {
                throw new DeploymentException(ProcessorErrorCode.BUSY, definition.position(),
                    "the stages below have not stored the rows of the earlier rules in time, processor=" +
                    definition.id() + " limitSeconds=" + TimeUnit.NANOSECONDS.toSeconds(PAUSE_TIMEOUT_NS),
                    "try again when they are available");
            }
            accepted.run();
            if (change != null)
            {
                change.commit();
            }
            isAccepted = true;
            return change;
        }
        catch (final JournalException | StateException failure)
        {
            throw RestoreProblems.of(definition, failure);
        }
        finally
        {
            if (!isAccepted)
            {
                made.forEach(unit -> feeds.release(unit.copies()));
                release(made);
                if (change != null)
                {
                    change.undo();
                }
            }
        }
    }

    /** The queries of a unit that continue. */
    private Set<String> left(final ExecutionUnit unit)
    {
        final Set<String> left = new LinkedHashSet<>(unit.live());
        left.retainAll(kept);
        return left;
    }

    private void release(final List<ExecutionUnit> made)
    {
        opened.forEach(this::close);
        made.forEach(RuleReplacement::leaveWorkers);
        made.stream().filter(unit -> !unit.isPipeline()).forEach(unit -> unit.flow().close());
        made.forEach(ExecutionUnit::closeMemory);
    }

    private void close(final EventBatchSink output)
    {
        outputs.close(durable == null ? output : durable.outputs().release(output));
    }

    /** Creates the new units; if one fails, all of them are released. */
    private List<ExecutionUnit> make(final List<CompiledPipeline> pipelines, final List<TwoPhaseFlow> flows)
        throws DeploymentException
    {
        final Map<String, EventType> types = PlanOutputs.of(definition, starting).stream()
            .collect(Collectors.toMap(QueryOutput::queryId, QueryOutput::type));
        final OutputOpener dynamic = queries ->
        {
            final Map<String, BatchSchema> schemas = new LinkedHashMap<>();
            queries.forEach(query -> schemas.put(query, new BatchSchema(types.get(query))));
            return outputs.open(schemas);
        };
        final OutputOpener opener = queries ->
        {
            final Map<String, EventBatchSink> sinks =
                durable == null ? dynamic.open(queries) : durable.outputs().outputs(queries, dynamic::open);
            opened.addAll(sinks.values());
            return sinks;
        };
        final ExecutionUnitFactory maker = new ExecutionUnitFactory(definition, wiring, opener, workers, feeds, plans,
            StoredState.NONE, storage == null ? 0 : storage.version());
        final List<ExecutionUnit> made = new ArrayList<>();
        boolean complete = false;
        try
        {
            pipelines.forEach(pipeline -> made.add(maker.make(pipeline)));
            flows.forEach(flow -> made.add(maker.make(flow)));
            feeds.open();
            complete = true;
            return made;
        }
        catch (final RuntimeException failure)
        {
            throw new DeploymentException(List.of(new Problem(ProcessorErrorCode.NOT_COMPILED, definition.position(),
                "rules cannot be started, processor=" + definition.id() + " reason=" + failure,
                "report it with the rules and the log", "")), failure);
        }
        finally
        {
            if (!complete)
            {
                release(made);
                feeds.undo();
            }
        }
    }

    private void mute(final ExecutionUnit unit)
    {
        final Set<String> gone = new LinkedHashSet<>(unit.live());
        gone.removeAll(kept);
        if (!gone.isEmpty())
        {
            unit.mute(gone).forEach(this::close);
        }
    }

    private void end(final ExecutionUnit unit)
    {
        unit.mute(unit.live()).forEach(this::close);
        leaveWorkers(unit);
        feeds.release(unit.copies());
        if (!unit.isPipeline())
        {
            unit.flow().close();
        }
        unit.closeMemory();
    }

    private static void leaveWorkers(final ExecutionUnit unit)
    {
        for (int i = 0; i < unit.instances().size(); i++)
        {
            if (unit.runners().get(i) != null)
            {
                unit.runners().get(i).remove(unit.instances().get(i));
            }
        }
    }

    private void noteBeginning(final String query, final List<String> notes)
    {
        if (outputs.takers(query).isEmpty())
        {
            notes.add("no channel accepts the rows of " + query + ": selectors exclude it");
        }
        starting.flows().stream()
            .filter(flow -> flow.outputs().stream().anyMatch(output -> output.queryId().equals(query)))
            .flatMap(flow -> flow.sources().stream()).filter(FlowNode.Source::relation).map(FlowNode.Source::name)
            .distinct().forEach(relation ->
                notes.add(query + " does not read rows that entered relation " + relation + " before it started"));
    }

    private RuleChange report()
    {
        final List<RuleChange.QueryChange> queries = new ArrayList<>();
        final List<String> notes = new ArrayList<>(reasons);
        final Set<String> ids = new LinkedHashSet<>();
        definition.rules().forEach(rule -> ids.add(rule.id()));
        before.definition().rules().forEach(rule -> ids.add(rule.id()));
        for (final String query : ids)
        {
            final ExecutionUnit unit = running.get(query);
            if (kept.contains(query))
            {
                queries.add(new RuleChange.QueryChange(query, RuleChange.Action.KEPT, ""));
            }
            else if (fresh.contains(query))
            {
                queries.add(new RuleChange.QueryChange(query, unit == null ? RuleChange.Action.STARTED :
                    RuleChange.Action.RESTARTED, unit == null ? "" : StateDescription.of(unit, query)));
                noteBeginning(query, notes);
            }
            else if (unit != null)
            {
                queries.add(
                    new RuleChange.QueryChange(query, RuleChange.Action.STOPPED, StateDescription.of(unit, query)));
            }
        }
        return new RuleChange(queries, notes, 0);
    }
}
