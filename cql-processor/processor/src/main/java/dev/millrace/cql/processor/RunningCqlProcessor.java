package dev.millrace.cql.processor;

import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.processor.durable.DurableUnits;
import dev.millrace.cql.processor.durable.RuleSet;
import dev.millrace.cql.processor.durable.StoredRules;
import dev.millrace.cql.processor.durable.snapshot.SnapshotTimer;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.relation.RelationFeeds;
import dev.millrace.cql.processor.state.PartitionMovePredicate;
import dev.millrace.cql.processor.state.PartitionStateTransfer;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.processor.unit.PlannedRules;
import dev.millrace.cql.processor.unit.ProcessorPlanner;
import dev.millrace.cql.processor.worker.PipelineInstance;
import dev.millrace.cql.processor.worker.Worker;
import dev.millrace.cql.processor.worker.Workers;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.journal.JournalException;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.DynamicOutputs;
import dev.millrace.network.spi.ProcessorWiring;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.network.spi.RunningProcessor;
import dev.millrace.network.spi.StoredRelation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running CQL processor. Thread-safe; each input that it opens is confined to one source thread. Rules are changed by
 * one thread at a time.
 */
public final class RunningCqlProcessor implements RunningProcessor
{
    /** How long {@link #stop()} waits for workers that still have rows. */
    static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    /** How long a snapshot waits for rows inside the processor, and for the stages below. */
    private static final long SNAPSHOT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(RunningCqlProcessor.class);

    private final ProcessorPlanner plans;
    private final ProcessorWiring wiring;
    private final Workers workers;
    private final RelationFeeds feeds;
    private final RunningUnits running;
    /** {@code null} unless the processor is durable. */
    private final DurableUnits durable;
    private final Durability durability;
    private final ProcessorSnapshots snapshots;
    private final SnapshotTimer timer;

    RunningCqlProcessor(
        final PlannedRules rules,
        final ProcessorPlanner plans,
        final ProcessorWiring wiring,
        final Workers workers,
        final RelationFeeds feeds,
        final List<ExecutionUnit> units,
        final Durability durability)
    {
        this.durability = durability;
        durable = durability == null ? null : durability.units();
        this.plans = plans;
        this.wiring = wiring;
        this.workers = workers;
        this.feeds = feeds;
        running = new RunningUnits(rules, wiring, workers, units);
        snapshots = durable == null ? null : new ProcessorSnapshots(wiring, running, durable, durability.standby());
        timer = durable == null ? null : new SnapshotTimer(() -> snapshot(SNAPSHOT_TIMEOUT_NS),
            durable::isWaitingForSpace, wiring);
    }

    @Override
    public EventBatchSink openInput(final String channelId)
    {
        return running.openInput(channelId, durable == null ? null : durable.received().storedRows(channelId));
    }

    @Override
    public StoredRelation storedRelation(final String channelId)
    {
        return durable == null ? null : durable.received().storedRelation(channelId);
    }

    @Override
    public boolean forget(final String channelId, final BitSet partitions, final long timeoutNs,
        final Consumer<byte[]> to)
    {
        if (!running.pause(timeoutNs))
        {
            return false;
        }
        try
        {
            final PartitionMovePredicate moved = new PartitionMovePredicate((BitSet)partitions.clone());
            final byte[] written =
                new PartitionStateTransfer(running.state().units(), channelId, shared(channelId)).write(moved);
            if (written.length > 0)
            {
                to.accept(written);
            }
            running.state().units().forEach(unit -> unit.forget(channelId, shared(channelId), moved));
            return true;
        }
        finally
        {
            running.resume();
        }
    }

    @Override
    public boolean takeOver(final String channelId, final BitSet partitions, final byte[] written,
        final long timeoutNs)
    {
        if (!running.pause(timeoutNs))
        {
            return false;
        }
        try
        {
            new PartitionStateTransfer(running.state().units(), channelId, shared(channelId))
                .read(new PartitionMovePredicate((BitSet)partitions.clone()), written);
            return true;
        }
        finally
        {
            running.resume();
        }
    }

    /** The property by which a channel is partitioned across members; {@code null} if it is not. */
    private String shared(final String channelId)
    {
        return plans == null ? null : plans.shared().get(channelId);
    }

    @Override
    public RuleChange change(final ProcessorStage definition, final DynamicOutputs outputs, final Runnable accepted)
        throws DeploymentException
    {
        if (plans == null)
        {
            return RunningProcessor.super.change(definition, outputs, accepted);
        }
        if (durable != null && !durable.isRestored())
        {
            throw new DeploymentException(ProcessorErrorCode.OTHER_RULES, definition.position(), "the rules of a " +
                "durable processor cannot be changed before its state is restored, processor=" + definition.id(),
                "resume or restart the application first");
        }
        final RuleReplacement replacement = new RuleReplacement(
            running, definition, plans, wiring, workers, feeds, outputs, durability, accepted);
        return durable == null ? replacement.run() : snapshots.change(replacement);
    }

    @Override
    public Map<String, String> heldState()
    {
        final Map<String, String> held = new LinkedHashMap<>();
        running.state().units().forEach(unit ->
            unit.live().forEach(query -> held.put(query, StateDescription.of(unit, query))));
        return held;
    }

    /**
     * Writes a snapshot of all state.
     *
     * @param timeoutNs as of {@link ProcessorSnapshots#write}
     * @return false when that took too long: nothing was written, call again
     */
    public boolean snapshot(final long timeoutNs)
    {
        return snapshots.write(timeoutNs);
    }

    @Override
    public boolean drain(final long timeoutNs)
    {
        return running.drain(timeoutNs);
    }

    /** First step of {@link #stop()}: threads that wait for space reject their rows, so that they can end. */
    public void stopWaiting()
    {
        if (durable != null)
        {
            durable.stopWaiting();
        }
    }

    @Override
    public void stop()
    {
        stop(STOP_TIMEOUT_NS);
    }

    /**
     * Stops the workers.
     *
     * @param timeoutNs maximum time for the rows that they hold; then they are interrupted and the remaining rows are
     *     rejected
     */
    public void stop(final long timeoutNs)
    {
        feeds.close();
        stopWaiting();
        if (durable != null)
        {
            snapshots.stop();
            timer.stop();
        }
        workers.withRings().forEach(Worker::stop);
        final long deadlineNs = System.nanoTime() + timeoutNs;
        boolean isEnded = true;
        for (final Worker worker : workers.withRings())
        {
            if (!worker.awaitEnd(deadlineNs))
            {
                isEnded = false;
                LOG.warn("a worker did not end in time, its remaining rows are rejected, worker={} timeoutMs={}",
                    worker.name(), TimeUnit.NANOSECONDS.toMillis(timeoutNs));
            }
        }
        if (durable != null)
        {
            closeStorage(isEnded, Math.min(timeoutNs, SNAPSHOT_TIMEOUT_NS));
        }
        running.state().units().stream().filter(unit -> !unit.isPipeline()).forEach(unit -> unit.flow().close());
    }

    /** Writes a last snapshot, so that the next start replays nothing. */
    private void closeStorage(final boolean isEnded, final long timeoutNs)
    {
        try
        {
            if (isEnded && durable.isRestored() && !snapshots.writeLast(timeoutNs))
            {
                LOG.warn("the stages below have not stored all output, so the next start replays the journal and " +
                    "emits the rest again, processor={}", wiring.qualifiedName());
            }
        }
        catch (final JournalException | StateException failure)
        {
            LOG.error("the last snapshot was not written, the next start replays the journal, processor={}",
                wiring.qualifiedName(), failure);
        }
        finally
        {
            snapshots.close();
            durable.close();
        }
    }

    /**
     * The inputs of rules that replay recorded batches: the caller passes these, on one thread, instead of opening
     * inputs. Only for a processor with one worker and without storage.
     */
    public List<ReplayInput> replayInputs()
    {
        final List<ReplayInput> inputs = new ArrayList<>();
        running.state().groups().forEach((channel, groups) -> groups.forEach(group ->
        {
            final List<PipelineInstance> instances = List.of(group.members().get(0).instances());
            final BitSet read = new BitSet();
            final Set<String> queries = new TreeSet<>();
            final Set<String> caches = new HashSet<>();
            final Set<String> tables = new HashSet<>();
            boolean isFlow = false;
            for (final ExecutionUnit unit : running.state().units())
            {
                if (unit.instances().stream().anyMatch(instances::contains))
                {
                    isFlow = !unit.isPipeline();
                    read.or(isFlow ? new BitSet() : SourceColumns.of(unit.pipeline()));
                    queries.addAll(unit.live());
                    caches.addAll(JoinedCaches.of(unit));
                    tables.addAll(JoinedCaches.tables(unit));
                }
            }
            inputs.add(new ReplayInput(group.name(), channel, group.schema(), isFlow ? group.columns() : read::get,
                queries, caches, tables, group.replay(0)));
        }));
        return inputs;
    }

    /** Opens the journals of a durable processor. */
    void openJournals()
    {
        durable.open(running.state().units(), running.state().groups(), wiring::reject);
    }

    @Override
    public RuleChange begin(final DynamicOutputs outputs) throws DeploymentException
    {
        if (durable == null)
        {
            return null;
        }
        try
        {
            durable.replay(running.state().groups());
            durable.storeFirst(StoredRules.first(RuleSet.of(running.state().definition()), running.state().units()
                .stream().flatMap(unit -> unit.live().stream()).collect(Collectors.toSet()), workers.assigned()));
        }
        catch (final JournalException | StateException refused)
        {
            throw RestoreProblems.of(running.state().definition(), refused);
        }
        final RuleChange change = durability.next() == null ? null : change(durability.next(), outputs, () ->
        {
            // The rules are those of the application already.
        });
        timer.start();
        return change;
    }

    @Override
    public Map<String, Object> statistics()
    {
        final RunningUnits.State now = running.state();
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("threads", workers.all().isEmpty() ? "source" : "workers");
        figures.put("queries", queryFigures(now.units()));
        figures.put("pipelines", now.units().stream().filter(ExecutionUnit::isPipeline)
            .flatMap(unit -> pipelineFigures(unit).stream()).toList());
        figures.put("flows", now.units().stream().filter(unit -> !unit.isPipeline())
            .flatMap(unit -> unit.flow().statistics().stream()).toList());
        figures.put("workers", workers.all().stream().map(Worker::statistics).toList());
        figures.put("rings", ringFigures());
        if (snapshots != null)
        {
            figures.put("snapshots", snapshots.statistics());
        }
        figures.put("plan", now.rules().text());
        return figures;
    }

    private static List<Map<String, Object>> pipelineFigures(final ExecutionUnit unit)
    {
        final List<Map<String, Object>> all = new ArrayList<>();
        for (int i = 0; i < unit.instances().size(); i++)
        {
            final Map<String, Object> figures = unit.instances().get(i).statistics();
            final Worker worker = unit.runners().get(i);
            figures.put("thread", worker == null ? "source" : worker.name());
            all.add(figures);
        }
        return all;
    }

    /** Input and output rows of each query, summed over workers. */
    private static Map<String, Object> queryFigures(final List<ExecutionUnit> units)
    {
        final Map<String, long[]> sums = new LinkedHashMap<>();
        for (final ExecutionUnit unit : units)
        {
            final List<Map<String, Object>> all = unit.isPipeline() ?
                unit.instances().stream().map(PipelineInstance::statistics).toList() :
                List.of(unit.flow().summed());
            for (final Map<String, Object> own : all)
            {
                ((Map<?, ?>)own.get("rowsOut")).forEach((query, rows) ->
                {
                    if (unit.live().contains(query))
                    {
                        final long[] sum = sums.computeIfAbsent((String)query, id -> new long[2]);
                        sum[0] += ((Number)own.get("rowsIn")).longValue();
                        sum[1] += ((Number)rows).longValue();
                    }
                });
            }
        }
        final Map<String, Object> figures = new LinkedHashMap<>();
        sums.forEach((query, sum) ->
        {
            final Map<String, Object> own = new LinkedHashMap<>();
            own.put("rowsIn", sum[0]);
            own.put("rowsOut", sum[1]);
            figures.put(query, own);
        });
        return figures;
    }

    private List<Map<String, Object>> ringFigures()
    {
        final List<Map<String, Object>> figures = new ArrayList<>();
        workers.withRings().forEach(worker -> figures.addAll(worker.ringStatistics()));
        return figures;
    }
}
