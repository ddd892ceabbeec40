package dev.millrace.cql.processor.durable.unit;

import dev.millrace.cql.processor.relation.RecordedReplica;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The replicas of caches that the pipelines and flows of a unit read, and the writers of their changes.
 *
 * <p>Threads: as {@link DurableUnit}.
 */
final class UnitReplicas
{
    private final UnitJournal journal;
    private final List<RecordedReplica> replicas = new ArrayList<>();
    private final Map<RecordedReplica, RecordWriter> writers = new IdentityHashMap<>();

    UnitReplicas(final UnitJournal journal)
    {
        this.journal = journal;
    }

    /**
     * Adds a replica before the replay.
     *
     * @param replay receives what replays its changes, by their description
     */
    void add(final String name, final RecordedReplica replica, final Map<String, ReplayedGroup> replay)
    {
        final RecordWriter writer = journal.add(newWriter(name, replica, false));
        replay.put(writer.description(), new ReplayedGroup(replica.schema(), column -> true, replica::replay,
            replica::replayClear, null, null));
        replicas.add(replica);
        writers.put(replica, writer);
        replica.recordTo(writer);
    }

    /** A writer for the changes of a replica, which the unit does not have yet. */
    RecordWriter newWriter(final String name, final RecordedReplica replica, final boolean isNew)
    {
        return journal.newWriter(name, replica.schema(), column -> true, isNew);
    }

    /** The replicas; the list changes with the rules. */
    List<RecordedReplica> all()
    {
        return replicas;
    }

    boolean isEmpty()
    {
        return replicas.isEmpty();
    }

    /** The writer of a replica; {@code null} for a new one. */
    RecordWriter writer(final RecordedReplica replica)
    {
        return writers.get(replica);
    }

    Collection<RecordWriter> writers()
    {
        return writers.values();
    }

    /** Snapshots do not contain the replicas: the next batch follows their whole content. */
    void recordAgain()
    {
        replicas.forEach(RecordedReplica::recordAgain);
    }

    /** Replaces the replicas by others with their writers. */
    void exchange(final Map<RecordedReplica, RecordWriter> next)
    {
        next.forEach((replica, writer) ->
        {
            if (writers.containsKey(replica))
            {
                replica.recordAgain();
            }
            else
            {
                replica.recordTo(writer);
            }
        });
        replicas.clear();
        replicas.addAll(next.keySet());
        writers.clear();
        writers.putAll(next);
    }
}
