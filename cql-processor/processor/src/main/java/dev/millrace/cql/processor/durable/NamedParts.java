package dev.millrace.cql.processor.durable;

import dev.millrace.cql.processor.durable.output.NumberedOutput;
import dev.millrace.cql.processor.durable.snapshot.SnapshotContent;
import dev.millrace.cql.processor.durable.unit.DurableUnit;
import dev.millrace.cql.processor.relation.RecordedLookup;
import dev.millrace.cql.processor.relation.RecordedReplica;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The parts of pipelines and flows that units record or store, with names that are the same after a restart: outputs,
 * replicas, look-ups and states. Used by the thread that starts or pauses the processor.
 */
final class NamedParts
{
    /** Prefix of the names of outputs: id of the storage. */
    private final String storage;
    private final UnitSet units;

    /** Receives the outputs of a pipeline or flow on a unit, by their names. */
    interface OutputConsumer
    {
        void accept(DurableUnit owner, Map<String, NumberedOutput> named);
    }

    /** Receives a replica of a pipeline or flow on a unit, and its name. */
    interface ReplicaConsumer
    {
        void accept(DurableUnit owner, String name, RecordedReplica replica);
    }

    /** Receives a look-up of a flow on a unit, and its name. */
    interface LookupConsumer
    {
        void accept(DurableUnit owner, String name, RecordedLookup lookup);
    }

    /** @param storage id of the storage */
    NamedParts(final String storage, final UnitSet units)
    {
        this.storage = storage;
        this.units = units;
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
            final DurableUnit owner = units.of(unit, i);
            final Map<NumberedOutput, String> first = new IdentityHashMap<>();
            unit.outputs(i).forEach((query, sink) ->
            {
                if (live.contains(query))
                {
                    first.putIfAbsent((NumberedOutput)sink, storage + '/' + owner.name() + '/' + query);
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
                consumer.accept(units.of(unit, i), unit.stateName() + ' ' + number++ + ' ' + replica.name(), replica);
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
                consumer.accept(units.of(unit, i),
                    unit.stateName() + ' ' + number++ + " look-up of " + lookup.name(), lookup);
            }
        }
    }

    /**
     * Adds the states of pipelines and flows on a unit to a snapshot.
     *
     * @param all  pipelines and flows of the processor
     * @param name of the unit
     */
    void write(final List<ExecutionUnit> all, final String name, final SnapshotContent content)
    {
        for (final ExecutionUnit unit : all)
        {
            for (int i = 0; i < unit.workers().size(); i++)
            {
                if (units.nameOf(unit, i).equals(name))
                {
                    final int worker = i;
                    content.add(unit.stateName(), state -> unit.write(worker, state));
                }
            }
        }
    }
}
