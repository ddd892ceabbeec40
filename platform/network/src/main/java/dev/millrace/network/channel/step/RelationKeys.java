package dev.millrace.network.channel.step;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.network.durable.PrimaryKeySet;
import dev.millrace.network.spi.StoredRelation;
import java.util.Arrays;

/**
 * The primary keys that a relation channel holds, at most {@value #MAX_KEYS}. Callers synchronize.
 *
 * <p>While all lanes belong to one query that never has two rows of one key, keys are not stored and rows are only
 * counted. When another lane is added, keys are stored from then on; a change of a key that was inserted before cannot
 * be checked.
 */
public final class RelationKeys extends PrimaryKeySet
{
    /** Maximum number of rows of a relation with primary key. */
    static final int MAX_KEYS = 1 << 24;

    private final int maxKeys;
    /** The query of all lanes; {@code null} before the first one. */
    private String onlyQuery;
    private boolean looksUp;
    /** Number of rows in the relation whose keys are not stored. */
    private long unseen;
    /** Whether any key may have been inserted by an earlier process. */
    private boolean isOpenEnded;
    /** Numbers of the last rows that an earlier process has checked, by id of the producer. */
    private long[] checked = new long[0];

    /**
     * @param maxKeys bound
     * @param memory  is charged for the growth of the set
     */
    RelationKeys(final EventType type, final int[] columns, final int maxKeys, final MemoryAccount memory)
    {
        super(type, columns, false, memory);
        this.maxKeys = maxKeys;
    }

    /** The number of rows. */
    long size()
    {
        return count() + Math.max(0, unseen);
    }

    /**
     * Registers a lane before its first row.
     *
     * @param provenQuery the query whose rows it carries, when that never has two rows of one key; otherwise
     *                    {@code null}
     */
    synchronized void addLane(final String provenQuery)
    {
        looksUp |= provenQuery == null || onlyQuery != null && !onlyQuery.equals(provenQuery);
        onlyQuery = provenQuery;
    }

    /** Adds the keys that a durable processor below has received from earlier processes; before the first row. */
    synchronized void restore(final StoredRelation stored)
    {
        if (looksUp)
        {
            addAll(stored.keys());
        }
        else
        {
            unseen += stored.rows();
        }
        stored.numbers().forEach((producer, number) ->
        {
            final int id = Producers.id(producer);
            checked = Arrays.copyOf(checked, Math.max(checked.length, id + 1));
            checked[id] = Math.max(checked[id], number);
        });
    }

    /**
     * From now on changes of unknown keys pass: an earlier process may have inserted them, of which nothing is stored.
     */
    synchronized void passUnknown()
    {
        isOpenEnded = true;
    }

    /**
     * Whether an earlier process has checked a row, and a durable processor has stored it or a later row: it is sent
     * again for others, which check it themselves.
     */
    boolean isChecked(final EventBatch batch, final int row)
    {
        if (checked.length == 0 || !batch.hasSequences())
        {
            return false;
        }
        final long sequence = batch.sequences()[row];
        final int producer = RowSequence.producer(sequence);
        return producer != 0 && producer < checked.length && RowSequence.number(sequence) <= checked[producer];
    }

    /** Whether keys are stored. */
    boolean looksUp()
    {
        return looksUp;
    }

    /** Counts all rows of a batch without storing their keys. */
    void pass(final EventBatch batch)
    {
        if (!batch.hasKinds())
        {
            unseen += batch.size();
            return;
        }
        for (int row = 0; row < batch.size(); row++)
        {
            pass(batch.kind(row));
        }
    }

    /** Counts a row without storing its key. */
    void pass(final byte kind)
    {
        unseen += kind == EventBatch.INSERT ? 1 : kind == EventBatch.DELETE ? -1 : 0;
    }

    /** Whether a change concerns a row whose key may have been inserted before keys were stored. */
    boolean passUnseen(final byte kind)
    {
        if (isOpenEnded)
        {
            return true;
        }
        if (unseen <= 0)
        {
            return false;
        }
        pass(kind);
        return true;
    }

    boolean isFull()
    {
        return count() >= maxKeys;
    }
}
