package dev.millrace.cluster.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A replicated command. All members apply the same commands in the same order.
 *
 * @param kind       what it does
 * @param member     sender; for {@link Kind#GONE} the member that has left
 * @param number     sequence number of the sender, from 1; 0 for commands created by the leader
 * @param changes    changes of entries
 * @param definition for {@link Kind#ATTACH}, else null
 */
record CacheCommand(Kind kind, UUID member, long number, List<Change> changes, CacheDefinition definition)
{
    /** The effect of a command. */
    enum Kind
    {
        /** Changes entries. */
        CHANGE,
        /** The member starts to use the cache. */
        ATTACH,
        /** The member no longer uses the cache. */
        DETACH,
        /** The member asks whether it shall load all entries. */
        CLAIM,
        /** The member has loaded all entries. */
        FILLED,
        /** The member could not load; another one may. */
        UNCLAIM,
        /** The member has left the cluster. */
        GONE
    }

    /**
     * Change of one entry.
     *
     * @param value null for {@link ChangeKind#REMOVE}
     */
    record Change(ChangeKind kind, Key key, byte[] value)
    {
    }

    /** How an entry changes. */
    enum ChangeKind
    {
        /** Sets a value. */
        PUT,
        /** Removes the entry. */
        REMOVE,
        /** Sets a value unless one exists. */
        LOAD
    }

    private static final Kind[] KINDS = Kind.values();
    private static final ChangeKind[] CHANGE_KINDS = ChangeKind.values();

    byte[] encoded()
    {
        final WireWriter out = new WireWriter().one(kind.ordinal()).id(member).count(number).count(changes.size());
        for (final Change change : changes)
        {
            out.one(change.kind.ordinal()).block(change.key.bytes());
            if (change.value != null)
            {
                out.block(change.value);
            }
        }
        if (definition != null)
        {
            definition.write(out);
        }
        return out.bytes();
    }

    static CacheCommand decoded(final byte[] bytes)
    {
        final WireReader in = new WireReader(bytes);
        final Kind kind = KINDS[in.one()];
        final UUID member = in.id();
        final long number = in.count();
        final int count = in.size();
        final List<Change> changes = new ArrayList<>(count);
        for (int i = 0; i < count; i++)
        {
            final ChangeKind change = CHANGE_KINDS[in.one()];
            changes.add(
                new Change(change, new Key(in.block()), change == ChangeKind.REMOVE ? null : in.block()));
        }
        return new CacheCommand(kind, member, number, changes, kind == Kind.ATTACH ? CacheDefinition.read(in) : null);
    }
}
