package dev.millrace.cluster.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * One step that all members make alike, in the same order.
 *
 * @param kind       what is done
 * @param member     who asked; for {@link Kind#GONE} whom it is about
 * @param number     of that member's commands, from 1; 0 for those that the leader makes
 * @param changes    of entries
 * @param definition of {@link Kind#ATTACH}, else null
 */
record Command(Kind kind, UUID member, long number, List<Change> changes, Definition definition)
{
    /** What a command does. */
    enum Kind
    {
        /** Changes entries. */
        CHANGE,
        /** The member uses the cache from now on. */
        ATTACH,
        /** The member does not use it any more. */
        DETACH,
        /** The member asks whether it shall load everything. */
        CLAIM,
        /** The member has loaded everything. */
        FILLED,
        /** The member could not load everything; another one may. */
        UNCLAIM,
        /** The member is not there any more. */
        GONE
    }

    /**
     * Of one entry.
     *
     * @param kind  how
     * @param key   of it
     * @param value null for {@link ChangeKind#REMOVE}
     */
    record Change(ChangeKind kind, Key key, byte[] value)
    {
    }

    /** How an entry changes. */
    enum ChangeKind
    {
        /** It gets a value. */
        PUT,
        /** It goes. */
        REMOVE,
        /** It gets a value when it has none. */
        LOAD
    }

    private static final Kind[] KINDS = Kind.values();
    private static final ChangeKind[] CHANGE_KINDS = ChangeKind.values();

    byte[] encoded()
    {
        final Out out = new Out().one(kind.ordinal()).id(member).count(number).count(changes.size());
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

    static Command decoded(final byte[] bytes)
    {
        final In in = new In(bytes);
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
        return new Command(kind, member, number, changes, kind == Kind.ATTACH ? Definition.read(in) : null);
    }
}
