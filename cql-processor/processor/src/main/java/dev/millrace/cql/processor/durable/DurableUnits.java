package dev.millrace.cql.processor.durable;

import dev.millrace.api.stage.SequencedSink;
import dev.millrace.cql.processor.durable.output.NumberedOutput;
import dev.millrace.cql.processor.durable.standby.StandbyStorage;
import dev.millrace.cql.processor.durable.standby.StandbyWiring;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.relation.RecordedLookup;
import dev.millrace.cql.processor.relation.RecordedReplica;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.processor.unit.StoredState;
import dev.millrace.cql.processor.worker.PipelineGroup;
import dev.millrace.cql.processor.worker.SequenceMarks;
import dev.millrace.cql.processor.worker.StoredRows;
import dev.millrace.cql.processor.worker.Worker;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalException;
import dev.millrace.network.spi.ProcessorWiring;
import dev.millrace.network.spi.StoredRelation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The units of a durable processor, by name.
 *
 * <p>Threads: used by the thread that starts, pauses or stops the processor.
 */
public final class DurableUnits implements StoredState, AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(DurableUnits.class);

    private final ProcessorWiring wiring;
    private final Map<String, DurableUnit> units = new LinkedHashMap<>();
    /** By channel; replaced as a whole. */
    private volatile Map<String, List<BatchRecorder>> recorders = Map.of();
    private final SpaceWaiter space;
    /** {@code null} if nothing is stored. */
    private volatile StoredRules rules;
    private volatile boolean isRestored;

    /**
     * @param wiring with a storage
     */
    public DurableUnits(final ProcessorWiring wiring)
    {
        this.wiring = wiring;
        rules = StoredRules.read(wiring.storage().rules());
        space = new SpaceWaiter(wiring.storage().settings().waitsForSpace(), wiring.conditions());
    }

    /** Environment of a copy of the units that follows the journals. */
    public StandbyWiring standbyWiring()
    {
        final Map<String, Journal> journals = new LinkedHashMap<>();
        units.forEach((name, unit) -> journals.put(name, unit.journal()));
        return new StandbyWiring(wiring, new StandbyStorage(wiring.storage(), journals));
    }

    /** Threads that wait for space, from now on, reject their rows: the processor stops. */
    public void stopWaiting()
    {
        space.stop();
    }

    /**
     * Name of the unit of a worker or, for a {@code null} worker, of the source thread of a channel. It includes the
     * number of workers, which determines the partitions of each.
     */
    private String name(final Worker worker, final String channel)
    {
        if (worker != null)
        {
            return worker.name().substring(worker.name().lastIndexOf('/') + 1) + "-of-" + wiring.workers();
        }
        final Object thread = wiring.sourceThread(channel);
        return "thread-of-" + (thread == null ? channel : firstOf(thread, channel));
    }

    /** The first channel of a thread gives its unit the name. */
    private String firstOf(final Object thread, final String channel)
    {
        return wiring.channels().stream().filter(other -> thread.equals(wiring.sourceThread(other))).sorted()
            .findFirst().orElse(channel);
    }

    private DurableUnit unit(final Worker worker, final String channel)
    {
        return unit(name(worker, channel));
    }

    private DurableUnit unit(final String name)
    {
        return units.computeIfAbsent(name, key ->
            new DurableUnit(wiring.storage(), key, space, rules == null ? 0 : rules.version()));
    }

    /** The rules to which the stored state belongs; {@code null} if they are not stored. */
    public StoredRules rules()
    {
        return rules;
    }

    @Override
    public StateInput of(final Worker worker, final String channel, final String name)
    {
        return unit(worker, channel).state(name);
    }

    /**
     * Checks that all state can be written.
     *
     * @param all all units of the processor
     * @throws dev.millrace.cql.runtime.state.StateException with the name of state that cannot
     */
    public void checkStates(final List<ExecutionUnit> all)
    {
        for (final ExecutionUnit unit : all)
        {
            for (int i = 0; i < unit.workers().size(); i++)
            {
                unit.write(i, new StateOutput(SnapshotContent.MOST_BYTES));
            }
        }
    }

    /**
     * Appends all that the groups receive to the journals of their units, once what they received before is replayed.
     *
     * @param all       all units of the processor
     * @param groups    all groups, by channel
     * @param rejection counts rows that cannot be appended
     */
    public void open(final List<ExecutionUnit> all, final Map<String, List<PipelineGroup>> groups,
        final RejectionHandler rejection)
    {
        all.forEach(unit -> forEachReplica(unit, (owner, name, replica) -> owner.add(name, replica)));
        all.forEach(unit -> forEachLookup(unit, (owner, name, lookup) -> owner.add(name, lookup)));
        final Map<String, List<BatchRecorder>> opened = new HashMap<>();
        groups.forEach((channel, fed) -> fed.forEach(group ->
        {
            for (int i = 0; i < group.members().size(); i++)
            {
                final PipelineGroup.Member member = group.members().get(i);
                final BatchRecorder recorder = unit(member.worker(), channel).add(group, group.replay(i),
                    newKeys(channel, group, rejection), rejection);
                opened.computeIfAbsent(channel, id -> new ArrayList<>()).add(recorder);
                group.recordTo(i, recorder);
            }
        }));
        recorders = opened;
        all.forEach(unit -> forEachOutput(unit, unit.live(), (owner, named) -> owner.outputs().add(named)));
        refuseOtherUnits();
        units.values().forEach(DurableUnit::refuseOtherState);
    }

    /**
     * Processes what the journals contain after the snapshots; the stages below have started, and receive what they
     * have not stored.
     *
     * @param groups all groups, by channel
     */
    public void replay(final Map<String, List<PipelineGroup>> groups)
    {
        for (final DurableUnit unit : units.values())
        {
            final long startNs = wiring.clock().epochNs();
            final long batches = unit.replay();
            LOG.info("state restored, unit={}/{} batches={} ms={}", wiring.qualifiedName(), unit.name(), batches,
                TimeUnit.NANOSECONDS.toMillis(wiring.clock().epochNs() - startNs));
        }
        groups.values().forEach(fed -> fed.forEach(PipelineGroup::endReplay));
        units.values().forEach(unit -> unit.outputs().open());
        isRestored = true;
    }

    /**
     * Stores the rules to which the state belongs, unless they are stored. If that fails, it is logged: the next start
     * tries again, but only with the same rules.
     *
     * @param first the rules, which have not been changed
     */
    public void storeFirst(final StoredRules first)
    {
        if (rules == null)
        {
            rules = first;
            try
            {
                first.write(wiring.storage().rules());
            }
            catch (final JournalException failure)
            {
                LOG.warn("the rules cannot be stored with the state, so the next start must have the same ones, " +
                    "processor={}", wiring.qualifiedName(), failure);
            }
        }
    }

    /** Whether the journals are replayed, so that a snapshot contains all of them. */
    public boolean isRestored()
    {
        return isRestored;
    }

    /** Receives the outputs of a pipeline or flow on a unit, by their names, which are the same after a restart. */
    interface OutputConsumer
    {
        void accept(DurableUnit owner, Map<String, NumberedOutput> named);
    }

    /** Receives a replica of a pipeline or flow on a unit, and its name, which is the same after a restart. */
    interface ReplicaConsumer
    {
        void accept(DurableUnit owner, String name, RecordedReplica replica);
    }

    /** Receives a look-up of a flow on a unit, and its name, which is the same after a restart. */
    interface LookupConsumer
    {
        void accept(DurableUnit owner, String name, RecordedLookup lookup);
    }

    /**
     * Names the outputs of a pipeline or flow.
     *
     * @param live queries that still have output
     */
    void forEachOutput(final ExecutionUnit unit, final Set<String> live, final OutputConsumer consumer)
    {
        for (int i = 0; i < unit.workers().size(); i++)
        {
            final DurableUnit owner = unit(unit.workers().get(i), unit.channel());
            final Map<NumberedOutput, String> first = new IdentityHashMap<>();
            unit.outputs(i).forEach((query, sink) ->
            {
                if (live.contains(query))
                {
                    first.putIfAbsent((NumberedOutput)sink, wiring.storage().id() + '/' + owner.name() + '/' + query);
                }
            });
            final Map<String, NumberedOutput> named = new LinkedHashMap<>();
            first.forEach((output, producer) -> named.put(producer, output));
            consumer.accept(owner, named);
        }
    }

    /** Names the replicas of a pipeline or flow. */
    void forEachReplica(final ExecutionUnit unit, final ReplicaConsumer consumer)
    {
        for (int i = 0; i < unit.workers().size(); i++)
        {
            int number = 0;
            for (final RecordedReplica replica : unit.replicas(i))
            {
                consumer.accept(unit(unit.workers().get(i), unit.channel()),
                    unit.stateName() + ' ' + number++ + ' ' + replica.name(), replica);
            }
        }
    }

    /** Names the look-ups of a flow. */
    void forEachLookup(final ExecutionUnit unit, final LookupConsumer consumer)
    {
        for (int i = 0; i < unit.workers().size(); i++)
        {
            int number = 0;
            for (final RecordedLookup lookup : unit.lookups(i))
            {
                consumer.accept(unit(unit.workers().get(i), unit.channel()),
                    unit.stateName() + ' ' + number++ + " look-up of " + lookup.name(), lookup);
            }
        }
    }

    /** The rows of a channel that all groups that it feeds have stored. */
    public StoredRows storedRows(final String channel)
    {
        return new StoredRows()
        {
            @Override
            public long receivedFrom(final int producer)
            {
                return DurableUnits.this.receivedFrom(channel, producer);
            }

            @Override
            public boolean hasRejected()
            {
                return DurableUnits.this.hasRejected(channel);
            }
        };
    }

    /** The keys that a member of a group will receive; {@code null} unless the channel has a primary key. */
    ReceivedKeys newKeys(final String channel, final PipelineGroup group, final RejectionHandler rejection)
    {
        return group.primaryKey().length == 0 ? null : new ReceivedKeys(group.schema().type(), group.primaryKey(),
            wiring.openMemory("", "primary keys of " + channel), rejection);
    }

    /** The rows of a relation channel that its groups have received; {@code null} if no group reads its keys. */
    public StoredRelation storedRelation(final String channel)
    {
        final Map<String, Long> numbers = new HashMap<>();
        ReceivedKeys all = null;
        for (final BatchRecorder recorder : recorders(channel))
        {
            recorder.marks().addTo(numbers);
            if (recorder.keys() != null)
            {
                all = all == null ? recorder.keys().copy() : all;
                all.addAll(recorder.keys());
            }
        }
        return all == null ? null : new StoredRelation(all.count(), all.toArray(), numbers);
    }

    /** The unit that runs a member of a group of a channel. */
    DurableUnit unit(final PipelineGroup.Member member, final String channel)
    {
        return unit(member.worker(), channel);
    }

    /** All units, also those that run nothing since a change of the rules. */
    Collection<DurableUnit> all()
    {
        return units.values();
    }

    /** The recorders of a channel on all units. */
    List<BatchRecorder> recorders(final String channel)
    {
        return recorders.getOrDefault(channel, List.of());
    }

    /** A change of the rules is stored. */
    void changed(final StoredRules next, final Map<String, List<BatchRecorder>> opened)
    {
        rules = next;
        recorders = opened;
    }

    /** Whether the stages below have stored all output, or do not store numbers. */
    boolean isOutputStored()
    {
        return units.values().stream().allMatch(unit -> unit.outputs().isStored());
    }

    /**
     * The number up to which all groups that a channel feeds have stored the rows of a producer. Rows that a group did
     * not receive do not count, so it may be earlier; groups drop what they have received. Thread-safe after the start.
     */
    private long receivedFrom(final String channel, final int producer)
    {
        return recorders.getOrDefault(channel, List.of()).stream().mapToLong(each -> each.receivedFrom(producer)).min()
            .orElse(SequencedSink.NOT_STORED);
    }

    /** Fails if rows were processed by units that the processor no longer has: their state belongs to other threads. */
    private void refuseOtherUnits()
    {
        final List<String> others = new ArrayList<>(wiring.storage().units());
        others.removeAll(units.keySet());
        others.removeIf(unit -> isEmpty(unit) || unit(unit).isRetired());
        if (!others.isEmpty())
        {
            throw new JournalException(ProcessorErrorCode.OTHER_RULES, "the state belongs to threads that the " +
                "processor does not have: set max-threads and the channels back, or delete the state, threads=" +
                others + " processor's threads=" + units.keySet());
        }
    }

    /** Whether a unit has seen nothing: an earlier start that was refused may have created its journal. */
    private boolean isEmpty(final String unit)
    {
        try (Journal journal = wiring.storage().openJournal(unit))
        {
            return journal.lastPosition() == Journal.NONE;
        }
    }

    /**
     * Raises the numbers of received rows of the groups that a channel feeds, so that a unit that seldom gets rows of a
     * producer does not make it send many again; called while no row is in the processor.
     *
     * @param sent   numbers of rows that were passed to all groups of the channel
     * @param active the units that have received them: these, or those that they follow
     */
    public void raise(final String channel, final SequenceMarks sent, final DurableUnits active)
    {
        if (!active.hasRejected(channel))
        {
            recorders.getOrDefault(channel, List.of()).forEach(each -> each.raise(sent));
        }
    }

    /** Whether rows of a channel were passed to its groups, but not stored by one of them. Thread-safe. */
    boolean hasRejected(final String channel)
    {
        return recorders.getOrDefault(channel, List.of()).stream().anyMatch(BatchRecorder::hasRejected);
    }

    /**
     * Copies the state of the units that have received rows since the last snapshot; called while no row is in the
     * processor.
     *
     * @param all all units of the processor
     */
    public List<CapturedState> capture(final List<ExecutionUnit> all)
    {
        return units.values().stream().filter(DurableUnit::hasNews).map(unit -> capture(unit, all)).toList();
    }

    private CapturedState capture(final DurableUnit unit, final List<ExecutionUnit> all)
    {
        return unit.capture(content -> all.forEach(one -> write(one, unit.name(), content)));
    }

    /** Adds the state of a pipeline or flow on a unit. */
    void write(final ExecutionUnit unit, final String name, final SnapshotContent content)
    {
        final List<Worker> runners = unit.workers();
        for (int i = 0; i < runners.size(); i++)
        {
            if (name(runners.get(i), unit.channel()).equals(name))
            {
                final int worker = i;
                content.add(unit.stateName(), state -> unit.write(worker, state));
            }
        }
    }

    /** Lets the next batch of each unit that needs one write a mark, which {@link #marks()} then returns. */
    public void requestMarks()
    {
        units.values().stream().filter(DurableUnit::needsMark).forEach(unit -> unit.mark().request());
    }

    /** Whether all requested marks are written. */
    public boolean hasMarks()
    {
        return units.values().stream().noneMatch(unit -> unit.mark().isRequested());
    }

    /**
     * Positions up to which standbys can replay the journals: between two batches; records after them fill the
     * replicas.
     */
    public Map<String, Long> marks()
    {
        final Map<String, Long> positions = new HashMap<>();
        units.forEach((name, unit) -> positions.put(name,
            unit.needsMark() ? unit.mark().position() : unit.journal().lastPosition()));
        return positions;
    }

    /** Positions of the newest snapshots. */
    public Map<String, Long> stored()
    {
        final Map<String, Long> positions = new HashMap<>();
        units.forEach((name, unit) -> positions.put(name, unit.newest()));
        return positions;
    }

    /** Whether a thread waits for space. */
    public boolean isWaitingForSpace()
    {
        return space.isWaiting();
    }

    /**
     * Replays what the active units have recorded, and copies the state of each unit that is newer than its snapshot.
     *
     * @param until     position in each journal
     * @param stored    position of the newest snapshot of each unit
     * @param all       all units of the standby
     * @param isStopped asked before each record
     * @return nothing if it was stopped
     */
    public List<CapturedState> catchUp(
        final Map<String, Long> until, final Map<String, Long> stored, final List<ExecutionUnit> all,
        final BooleanSupplier isStopped)
    {
        final List<CapturedState> captured = new ArrayList<>();
        for (final DurableUnit unit : units.values())
        {
            if (unit.catchUp(until.get(unit.name()), stored.get(unit.name()), isStopped))
            {
                captured.add(capture(unit, all));
            }
        }
        return isStopped.getAsBoolean() ? List.of() : captured;
    }

    /**
     * Writes snapshots.
     *
     * @param states of these units, or of those that follow them
     */
    public void store(final List<CapturedState> states)
    {
        states.forEach(state -> units.get(state.unit()).store(state));
    }

    /** Deletes the records before the newest snapshots: there is no space, and none is newer. */
    public void deleteOldRecords()
    {
        units.values().forEach(DurableUnit::deleteOldRecords);
    }

    /** Whether the stages below have stored the output of states, or do not store numbers; thread-safe. */
    public boolean isOutputStored(final List<CapturedState> states)
    {
        return states.stream().allMatch(state -> units.get(state.unit()).outputs().isStored(state.numbers()));
    }

    @Override
    public void close()
    {
        units.values().forEach(DurableUnit::close);
    }
}
