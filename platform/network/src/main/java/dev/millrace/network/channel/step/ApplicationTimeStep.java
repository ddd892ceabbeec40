package dev.millrace.network.channel.step;

import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.EventBatch;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.lane.Rejections;

/**
 * Sets the time of each row from one of its properties, in nanoseconds. A row older than the previous one is rejected,
 * and so is a row of equal time where a total order was promised; the other rows of the batch pass.
 */
public final class ApplicationTimeStep implements BatchStep
{
    private final int column;
    private final boolean totalOrder;
    private final boolean ownsTimes;
    private final Rejections rejections;
    private final FilteredBatch survivors = new FilteredBatch();
    private long lastNs = Long.MIN_VALUE;

    /**
     * @param column     property of the time, of type int, bigint or timestamp
     * @param totalOrder whether times must increase strictly
     * @param ownsTimes  whether the times of a batch may be overwritten because no other stage reads them
     */
    ApplicationTimeStep(
        final int column, final boolean totalOrder, final boolean ownsTimes, final Rejections rejections)
    {
        this.column = column;
        this.totalOrder = totalOrder;
        this.ownsTimes = ownsTimes;
        this.rejections = rejections;
    }

    @Override
    public EventBatch apply(final EventBatch batch)
    {
        if (batch.size() == 0)
        {
            if (batch.baseTimestampNs() < lastNs)
            {
                return null;
            }
            lastNs = batch.baseTimestampNs();
            return batch;
        }
        survivors.reset();
        if (batch.schema().storage(column) == ColumnStorage.INT64 && !batch.hasNulls(column) &&
            isInOrder(batch.longs(column), batch.size()))
        {
            final EventBatch result = ownsTimes ? survivors.of(batch) : survivors.copy(batch);
            System.arraycopy(result.longs(column), 0, result.useTimestampPerRow(), 0, result.size());
            lastNs = result.longs(column)[result.size() - 1];
            return result;
        }
        for (int row = 0; row < batch.size(); row++)
        {
            final String reason = reasonAgainst(batch, row);
            if (reason == null)
            {
                lastNs = timeNs(batch, row);
            }
            else
            {
                survivors.drop(row);
                rejections.count(1, reason, rejections.logs(reason) ? detail(batch, row) : "", null);
            }
        }
        if (survivors.droppedCount() == batch.size())
        {
            return null;
        }
        final EventBatch result = ownsTimes ? survivors.of(batch) : survivors.copy(batch);
        final long[] timesNs = result.useTimestampPerRow();
        for (int row = 0; row < result.size(); row++)
        {
            timesNs[row] = timeNs(result, row);
        }
        return result;
    }

    /** Whether all rows pass, which is nearly always the case. */
    private boolean isInOrder(final long[] timesNs, final int count)
    {
        long last = lastNs;
        boolean isInOrder = true;
        for (int row = 0; row < count; row++)
        {
            isInOrder &= totalOrder ? timesNs[row] > last : timesNs[row] >= last;
            last = timesNs[row];
        }
        return isInOrder;
    }

    private String reasonAgainst(final EventBatch batch, final int row)
    {
        if (batch.hasNulls(column) && batch.isNull(column, row))
        {
            return RejectReason.TIME_MISSING;
        }
        final long timeNs = timeNs(batch, row);
        if (timeNs < lastNs)
        {
            return RejectReason.TIME_BACKWARDS;
        }
        return totalOrder && timeNs == lastNs ? RejectReason.TIME_NOT_INCREASING : null;
    }

    private long timeNs(final EventBatch batch, final int row)
    {
        return batch.schema().storage(column) == ColumnStorage.INT32 ? batch.ints(column)[row] :
            batch.longs(column)[row];
    }

    private String detail(final EventBatch batch, final int row)
    {
        return "property=" + batch.schema().type().properties().get(column).name() +
            " timeNs=" + batch.value(column, row) + " lastTimeNs=" + lastNs;
    }
}
