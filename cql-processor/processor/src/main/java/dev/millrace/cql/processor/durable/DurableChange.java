package dev.millrace.cql.processor.durable;

import dev.millrace.cql.processor.durable.snapshot.CapturedState;
import dev.millrace.cql.processor.durable.unit.BatchRecorder;
import dev.millrace.cql.processor.durable.unit.DurableUnit;
import dev.millrace.cql.processor.durable.unit.UnitChange;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.processor.worker.PipelineGroup;
import dev.millrace.cql.processor.worker.SequenceMarks;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.journal.JournalException;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A change of the rules of a durable processor, at one point in the order of the rows of each unit:
 *
 * <pre>
 *   prepare: a snapshot of each unit with the state after the change ─► commit: the rules ─► install
 *                           └────────────────── undo ──────────────────────┘
 * </pre>
 *
 * <p>A process that is killed before the rules are stored continues with the earlier snapshots and rules; afterwards it
 * continues with the new ones. Single use, by the thread that changes the rules, while no row is in the processor.
 * Failure: {@link JournalException}; nothing has changed until the commit.
 */
public final class DurableChange
{
    private static final Logger LOG = LoggerFactory.getLogger(DurableChange.class);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final DurableUnits units;
    private final ProcessorWiring wiring;
    private final StoredRules next;
    private final Map<DurableUnit, UnitChange> changes = new LinkedHashMap<>();
    private final Map<PipelineGroup, List<BatchRecorder>> members = new LinkedHashMap<>();
    private final Map<String, List<BatchRecorder>> recorders = new HashMap<>();

    /**
     * @param next the rules after the change
     */
    public DurableChange(final DurableUnits units, final ProcessorWiring wiring, final StoredRules next)
    {
        this.units = units;
        this.wiring = wiring;
        this.next = next;
    }

    private UnitChange of(final DurableUnit unit)
    {
        return changes.computeIfAbsent(unit, key -> new UnitChange(key, next.version()));
    }

    /**
     * Writes the state after the change.
     *
     * @param all       pipelines and flows after the change, none of which has received a row since
     * @param live      queries of each that have output
     * @param groups    their groups, by channel
     * @param sent      numbers of rows that were passed to all groups of a channel since the start
     * @param rejection counts rows that cannot be appended
     * @param timeoutNs how long to wait until the stages below have stored all rows before the change
     * @return false when that took too long; call {@link #undo} then
     */
    public boolean prepare(final List<ExecutionUnit> all, final Function<ExecutionUnit, Set<String>> live,
        final Map<String, List<PipelineGroup>> groups, final Map<String, SequenceMarks> sent,
        final RejectionHandler rejection, final long timeoutNs)
    {
        final long deadlineNs = wiring.clock().epochNs() + timeoutNs;
        sent.forEach((channel, marks) -> units.received().raise(channel, marks, units.received()));
        all.forEach(unit -> units.parts().forEachReplica(unit,
            (owner, name, replica) -> of(owner).add(name, replica)));
        all.forEach(unit -> units.parts().forEachLookup(unit,
            (owner, name, lookup) -> of(owner).add(name, lookup)));
        groups.forEach((channel, fed) -> fed.forEach(group -> add(channel, group, sent.get(channel), rejection)));
        all.forEach(unit -> units.parts().forEachOutput(unit, live.apply(unit),
            (owner, named) -> of(owner).add(named)));
        units.units().all().forEach(this::of);
        final List<CapturedState> states = new ArrayList<>();
        changes.forEach((unit, change) ->
            states.add(change.capture(content -> units.parts().write(all, unit.name(), content))));
        if (!awaitOutput(deadlineNs))
        {
            return false;
        }
        int index = 0;
        for (final UnitChange change : changes.values())
        {
            change.store(states.get(index++));
        }
        return true;
    }

    private void add(final String channel, final PipelineGroup group, final SequenceMarks sent,
        final RejectionHandler rejection)
    {
        final ReceivedRows received = units.received();
        for (final PipelineGroup.Member member : group.members())
        {
            final DurableUnit unit = units.units().of(member.worker(), channel);
            final BatchRecorder recorder = of(unit).add(group, received.recorders(channel),
                () -> received.newKeys(channel, group, rejection), rejection);
            if (sent != null && !received.hasRejected(channel))
            {
                recorder.raise(sent);
            }
            members.computeIfAbsent(group, key -> new ArrayList<>()).add(recorder);
            recorders.computeIfAbsent(channel, key -> new ArrayList<>()).add(recorder);
        }
    }

    /** The rows before the change cannot be emitted again after it. */
    private boolean awaitOutput(final long deadlineNs)
    {
        while (!units.states().isOutputStored())
        {
            if (deadlineNs - wiring.clock().epochNs() <= 0)
            {
                return false;
            }
            LockSupport.parkNanos(this, POLL_NS);
        }
        return true;
    }

    /** Stores the rules: from now on the state is that after the change. */
    public void commit()
    {
        next.write(wiring.storage().rules());
    }

    /** Lets the units run the new pipelines and flows; called after {@link #commit}, before an input feeds them. */
    public void install()
    {
        changes.values().forEach(UnitChange::install);
        members.forEach((group, all) ->
        {
            for (int i = 0; i < all.size(); i++)
            {
                group.recordTo(i, all.get(i));
            }
        });
        units.currentRules().changed(next);
        units.received().changed(recorders);
        try
        {
            changes.values().forEach(UnitChange::storeAgain);
        }
        catch (final JournalException failure)
        {
            LOG.warn("the snapshot of the state after the change of the rules exists only once, until the next one, " +
                "processor={}", wiring.qualifiedName(), failure);
        }
    }

    /** Deletes what was written before a failure. */
    public void undo()
    {
        changes.values().forEach(UnitChange::undo);
    }
}
