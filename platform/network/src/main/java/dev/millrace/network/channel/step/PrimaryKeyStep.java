package dev.millrace.network.channel.step;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.lane.Rejections;

/**
 * Keeps a relation consistent: an insert of an existing key and an update or delete of a missing key are rejected; the
 * other rows of the batch pass. Rows of a single query that is known to emit each key once are not looked up, and rows
 * that a source sends again after a restart are not checked again. The lanes of a channel share the keys and access
 * them one at a time.
 */
final class PrimaryKeyStep implements BatchStep
{
    private final RelationKeys keys;
    private final Rejections rejections;
    private final FilteredBatch survivors = new FilteredBatch();

    PrimaryKeyStep(final RelationKeys keys, final Rejections rejections)
    {
        this.keys = keys;
        this.rejections = rejections;
    }

    @Override
    public EventBatch apply(final EventBatch batch)
    {
        survivors.reset();
        synchronized (keys)
        {
            final boolean hasNulls = keys.hasNulls(batch);
            if (!keys.looksUp() && !hasNulls)
            {
                keys.pass(batch);
                return batch;
            }
            if (keys.looksUp())
            {
                keys.bind(batch);
            }
            for (int row = 0; row < batch.size(); row++)
            {
                final String reason =
                    hasNulls && keys.hasNull(batch, row) ? RejectReason.NULL_KEY : change(batch, row);
                if (reason != null)
                {
                    survivors.drop(row);
                    rejections.count(1, reason, rejections.logs(reason) ?
                        detail(reason, batch, row) : "", null);
                }
            }
        }
        return batch.size() == 0 ? batch : survivors.of(batch);
    }

    private String detail(final String reason, final EventBatch batch, final int row)
    {
        return keys.describe(batch, row) +
            (reason.equals(MemoryAccount.MEMORY_FULL) ? ", " + keys.shortage() : "");
    }

    private String change(final EventBatch batch, final int row)
    {
        if (!keys.looksUp())
        {
            keys.pass(batch.kind(row));
            return null;
        }
        if (keys.isChecked(batch, row))
        {
            repeat(batch.kind(row), row);
            return null;
        }
        switch (batch.kind(row))
        {
            case EventBatch.DELETE:
                return keys.remove(row) || keys.passUnseen(EventBatch.DELETE) ? null : RejectReason.MISSING_KEY;
            case EventBatch.UPDATE:
                return keys.contains(row) || keys.passUnseen(EventBatch.UPDATE) ? null :
                    RejectReason.MISSING_KEY;
            default:
                if (keys.isFull() && !keys.contains(row))
                {
                    return RejectReason.RELATION_FULL;
                }
                if (!keys.hasRoom() && !keys.contains(row))
                {
                    return MemoryAccount.MEMORY_FULL;
                }
                return keys.add(row) ? null : RejectReason.DUPLICATE_KEY;
        }
    }

    /** A row that is sent again leads to the same keys, whether or not it was accepted. */
    private void repeat(final byte kind, final int row)
    {
        if (kind == EventBatch.DELETE)
        {
            keys.remove(row);
        }
        else if (kind == EventBatch.INSERT)
        {
            keys.add(row);
        }
    }
}
