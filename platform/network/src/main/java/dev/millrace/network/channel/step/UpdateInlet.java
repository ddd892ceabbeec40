package dev.millrace.network.channel.step;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.network.lane.Inlet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Update semantics: a deletion and a later insertion of a query at the same instant with the same primary key become
 * one update.
 *
 * <pre>
 *   t=5  -(k=a, v=1)  -(k=b, v=7)  +(k=a, v=2)  +(k=c, v=3)      becomes      U(a, 2)  +(c, 3)  -(b, 7)
 * </pre>
 *
 * <p>Queries emit the deletions of an instant first. Deletions wait for the rest of their instant, so they are passed
 * on after its insertions. When a full batch may not complete the instant, they wait for the next batch or heartbeat,
 * but at most {@value #MAX_WAITING} of them.
 *
 * <p>Confined to the thread of the lane.
 */
final class UpdateInlet implements Inlet
{
    /** Maximum number of waiting deletions; further ones are passed on as deletions. */
    static final int MAX_WAITING = 1 << 16;

    private static final int NONE = -1;

    private final int[] columns;
    private final Inlet below;
    private final BatchSchema schema;
    private final EventBatch out;
    /** Waiting deletions, in blocks, with flags of those still waiting and chains of equal hash. */
    private final List<EventBatch> blocks = new ArrayList<>();
    private boolean[] isWaiting = new boolean[EventBatch.CAPACITY];
    private int[] next = new int[EventBatch.CAPACITY];
    private int[] heads = new int[2 * EventBatch.CAPACITY];
    private int size;
    private long instantNs;
    /** Whether the instant has had a row other than deletions. */
    private boolean hasOthers;

    /** @param columns of the primary key */
    UpdateInlet(final BatchSchema schema, final int[] columns, final Inlet below)
    {
        this.schema = schema;
        this.columns = columns.clone();
        this.below = below;
        out = new EventBatch(schema);
        Arrays.fill(heads, NONE);
    }

    @Override
    public void accept(final EventBatch batch)
    {
        if (batch.size() == 0)
        {
            closeInstant();
            flush();
            below.accept(batch);
            return;
        }
        for (int row = 0; row < batch.size(); row++)
        {
            take(batch, row);
        }
        if (batch.size() < EventBatch.CAPACITY)
        {
            closeInstant();
        }
        flush();
    }

    private void take(final EventBatch batch, final int row)
    {
        final boolean isDelete = batch.kind(row) == EventBatch.DELETE;
        final boolean isNew = batch.timestampNs(row) != instantNs || isDelete && hasOthers || size == MAX_WAITING;
        if (isNew)
        {
            closeInstant();
            instantNs = batch.timestampNs(row);
        }
        if (isDelete)
        {
            hold(batch, row);
            return;
        }
        hasOthers = true;
        final boolean isUpdate = batch.kind(row) == EventBatch.INSERT && release(batch, row);
        put(batch, row, isUpdate ? EventBatch.UPDATE : batch.kind(row));
    }

    private void hold(final EventBatch batch, final int row)
    {
        if (size == next.length)
        {
            isWaiting = Arrays.copyOf(isWaiting, size * 2);
            next = Arrays.copyOf(next, size * 2);
            rehash(size * 4);
        }
        final int slot = size % EventBatch.CAPACITY;
        if (size / EventBatch.CAPACITY == blocks.size())
        {
            blocks.add(new EventBatch(schema));
        }
        final EventBatch block = block(size);
        block.copyRow(batch, row, slot);
        block.useTimestampPerRow()[slot] = batch.timestampNs(row);
        block.size(slot + 1);
        isWaiting[size] = true;
        link(size);
        size++;
    }

    private EventBatch block(final int index)
    {
        return blocks.get(index / EventBatch.CAPACITY);
    }

    private void rehash(final int length)
    {
        heads = new int[length];
        Arrays.fill(heads, NONE);
        for (int i = 0; i < size; i++)
        {
            link(i);
        }
    }

    private void link(final int index)
    {
        final int head = slot(block(index), index % EventBatch.CAPACITY);
        next[index] = heads[head];
        heads[head] = index;
    }

    private int slot(final EventBatch batch, final int row)
    {
        return (int)(RelationKeys.hash(batch, row, columns) >>> 32) & heads.length - 1;
    }

    /** Removes a waiting deletion of the same key; false when no such deletion waits. */
    private boolean release(final EventBatch batch, final int row)
    {
        if (size == 0)
        {
            return false;
        }
        for (int index = heads[slot(batch, row)]; index != NONE; index = next[index])
        {
            if (isWaiting[index] && RelationKeys.equal(
                block(index), index % EventBatch.CAPACITY, batch, row, columns))
            {
                isWaiting[index] = false;
                return true;
            }
        }
        return false;
    }

    /** Passes on the deletions that no insertion has replaced. */
    private void closeInstant()
    {
        for (int index = 0; index < size; index++)
        {
            final int row = index % EventBatch.CAPACITY;
            if (isWaiting[index])
            {
                put(block(index), row, EventBatch.DELETE);
            }
            heads[slot(block(index), row)] = NONE;
        }
        size = 0;
        hasOthers = false;
        blocks.forEach(EventBatch::clear);
    }

    private void put(final EventBatch batch, final int row, final byte kind)
    {
        final int to = out.size();
        out.copyRow(batch, row, to);
        out.useTimestampPerRow()[to] = batch.timestampNs(row);
        out.useKinds()[to] = kind;
        out.size(to + 1);
        if (to + 1 == EventBatch.CAPACITY)
        {
            flush();
        }
    }

    private void flush()
    {
        if (out.size() == 0)
        {
            return;
        }
        try
        {
            // Deletions follow insertions now, so the numbers of rows no longer increase.
            out.clearSequences();
            below.accept(out);
        }
        finally
        {
            // Rows that were passed on must not be passed on again.
            out.clear();
        }
    }
}
