package dev.millrace.cql.processor.durable.unit;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.network.durable.PrimaryKeySet;
import java.util.Arrays;
import java.util.List;

/**
 * The primary keys of the rows that a group of a durable unit has received from a relation channel. They are part of
 * the snapshot: the channel, which stores nothing, continues with them after a restart. Rows that a source sends again
 * are not checked by the channel, so each group checks its own rows: it may have stored fewer of them than others.
 *
 * <p>Confined to the thread that acts as the unit's worker.
 */
public final class ReceivedKeys implements AutoCloseable
{
    /** Insert of an existing key; as a channel rejects it. */
    static final String DUPLICATE = "duplicate-key";
    /** Update or delete of a missing key; as a channel rejects it. */
    static final String MISSING = "missing-key";

    private final EventType type;
    private final int[] columns;
    private final PrimaryKeySet keys;
    private final List<String> names;
    private final MemoryAccount memory;
    private final RejectionHandler rejection;
    /** Rows of the last batch that have changed the keys, and their number. */
    private final int[] changed = new int[EventBatch.CAPACITY];
    private int changes;
    private EventBatch last;

    /**
     * @param columns   of the key
     * @param memory    closed with it
     * @param rejection counts rows with invalid keys
     */
    public ReceivedKeys(
        final EventType type, final int[] columns, final MemoryAccount memory, final RejectionHandler rejection)
    {
        this.type = type;
        this.columns = columns.clone();
        this.memory = memory;
        this.rejection = rejection;
        names = Arrays.stream(columns).mapToObj(column -> type.properties().get(column).name()).toList();
        keys = new PrimaryKeySet(type, columns, true, memory);
    }

    /**
     * Selects the rows with valid keys, and rejects the others.
     *
     * @param selection rows that are received; {@code null} for all
     * @param count     number of these rows
     * @param to        receives the numbers of valid rows
     * @return how many
     */
    int select(final EventBatch batch, final int[] selection, final int count, final int[] to)
    {
        keys.bind(batch);
        last = batch;
        changes = 0;
        int valid = 0;
        for (int i = 0; i < count; i++)
        {
            final int row = selection == null ? i : selection[i];
            if (change(batch.kind(row), row))
            {
                to[valid++] = row;
            }
            else
            {
                rejection.reject(1, batch.kind(row) == EventBatch.INSERT ? DUPLICATE : MISSING,
                    keys.describe(batch, row));
            }
        }
        return valid;
    }

    private boolean change(final byte kind, final int row)
    {
        if (kind == EventBatch.UPDATE)
        {
            return keys.contains(row);
        }
        final boolean isValid = kind == EventBatch.DELETE ? keys.remove(row) : keys.add(row);
        if (isValid)
        {
            changed[changes++] = row;
        }
        return isValid;
    }

    /** The rows that were selected last are not received, because they could not be stored. */
    void undo()
    {
        while (changes > 0)
        {
            final int row = changed[--changes];
            if (last.kind(row) == EventBatch.DELETE)
            {
                keys.add(row);
            }
            else
            {
                keys.remove(row);
            }
        }
    }

    /** Receives rows of the journal, which are valid. */
    void replay(final EventBatch batch)
    {
        keys.bind(batch);
        for (int row = 0; row < batch.size(); row++)
        {
            change(batch.kind(row), row);
        }
        changes = 0;
    }

    /** A copy without a memory account, for a short time. */
    public ReceivedKeys copy()
    {
        final ReceivedKeys copied = new ReceivedKeys(type, columns, MemoryAccount.NONE, rejection);
        copied.addAll(this);
        return copied;
    }

    /** Adds the keys of another group of the channel. */
    public void addAll(final ReceivedKeys others)
    {
        keys.addAll(others.keys.toArray());
    }

    /** The keys, as of {@link PrimaryKeySet#toArray}. */
    public long[] toArray()
    {
        return keys.toArray();
    }

    public int count()
    {
        return keys.count();
    }

    void write(final StateOutput to)
    {
        to.writeStrings(names);
        final long[] all = keys.toArray();
        to.writeCount(all.length);
        to.writeLongs(all, 0, all.length);
    }

    /** Reads what {@link #write} has written. */
    void read(final StateInput from)
    {
        final List<String> written = from.readStrings();
        if (!written.equals(names))
        {
            throw new StateException("the primary key of a relation was changed, stored=" + written + " key=" + names);
        }
        final long[] all = new long[from.readSize(Long.BYTES)];
        from.readLongs(all, 0, all.length);
        keys.addAll(all);
    }

    /** Releases its memory. */
    @Override
    public void close()
    {
        memory.close();
    }
}
