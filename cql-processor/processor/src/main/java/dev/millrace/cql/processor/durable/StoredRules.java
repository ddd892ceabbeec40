package dev.millrace.cql.processor.durable;

import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.journal.JournalErrorCode;
import dev.millrace.journal.JournalException;
import dev.millrace.journal.Snapshot;
import dev.millrace.journal.SnapshotStore;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules to which the stored state of a processor belongs. Queries that a change of the rules does not affect keep
 * their pipelines and flows, so these are planned again from the rules with which they were started. Immutable.
 *
 * @param version  number of the change that led to these rules, 0 for the first ones
 * @param current  all rules
 * @param parts    rules that were started together, and still run
 * @param assigned index of the worker that runs something in order, by its name
 */
public record StoredRules(int version, RuleSet current, List<Part> parts, Map<String, Integer> assigned)
{
    private static final int FORMAT = 1;
    private static final int MOST_BYTES = 1 << 30;

    /**
     * Rules that were started together.
     *
     * @param version number of the change that started them
     * @param rules   queries and the views that they read
     * @param live    ids of the queries that still run
     */
    public record Part(int version, RuleSet rules, Set<String> live)
    {
        /** Copies the set. */
        public Part
        {
            live = Set.copyOf(live);
        }
    }

    /** Copies the collections. */
    public StoredRules
    {
        parts = List.copyOf(parts);
        assigned = Map.copyOf(assigned);
    }

    /** Rules that have not been changed. */
    public static StoredRules first(final RuleSet rules, final Set<String> queries, final Map<String, Integer> assigned)
    {
        return new StoredRules(0, rules, List.of(new Part(0, rules, queries)), assigned);
    }

    /**
     * Reads the newest version.
     *
     * @return {@code null} if nothing is stored
     */
    static StoredRules read(final SnapshotStore store)
    {
        final Snapshot stored = store.newest(damaged ->
        {
            // An earlier version would not fit the state.
            throw damaged;
        });
        if (stored == null)
        {
            return null;
        }
        try
        {
            return read((int)stored.position(), new StateInput(stored.content()));
        }
        catch (final StateException | DateTimeParseException | NumberFormatException e)
        {
            throw new JournalException(JournalErrorCode.DAMAGED, "the rules of the stored state cannot be read: " + e,
                e);
        }
    }

    private static StoredRules read(final int version, final StateInput from)
    {
        final int format = from.readInt();
        if (format != FORMAT)
        {
            throw new JournalException(JournalErrorCode.NEWER_FORMAT, "the rules of the stored state were written by " +
                "a newer version, format=" + format + " known=" + FORMAT);
        }
        final RuleSet current = RuleSet.read(from);
        final List<Part> parts = new ArrayList<>();
        for (int count = from.readCount(); count > 0; count--)
        {
            parts.add(new Part(from.readInt(), RuleSet.read(from), new HashSet<>(from.readStrings())));
        }
        final Map<String, Integer> assigned = new LinkedHashMap<>();
        for (int count = from.readCount(); count > 0; count--)
        {
            assigned.put(from.readString(), from.readInt());
        }
        from.end();
        return new StoredRules(version, current, parts, assigned);
    }

    /** Makes these rules those of the stored state, at once. */
    void write(final SnapshotStore store)
    {
        final StateOutput to = new StateOutput(MOST_BYTES);
        to.writeInt(FORMAT);
        current.write(to);
        to.writeCount(parts.size());
        parts.forEach(part ->
        {
            to.writeInt(part.version());
            part.rules().write(to);
            to.writeStrings(part.live().stream().sorted().toList());
        });
        to.writeCount(assigned.size());
        assigned.forEach((name, worker) ->
        {
            to.writeString(name);
            to.writeInt(worker);
        });
        store.write(version, to.toBytes());
    }
}
