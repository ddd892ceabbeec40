package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds the rows that a pattern reads until their instant is complete.
 *
 * <p>Threads: the engine's.
 */
public final class SourceOperator extends FlowOperator implements TimedInput
{
    private final FlowSource source;
    private final int timeColumn;
    private final int maxWaiting;
    private final TimedQueue waiting;
    /** Rows of partitions that were forgotten and are here again in the same instant. */
    private final TimedQueue again;
    /** Rows that wait until their partitions are forgotten, in order of that. */
    private final List<Apart> apart = new ArrayList<>();

    /** Rows of an instant that come after partitions were forgotten in it. */
    private record Apart(PartitionTest partitions, long untilNs, TimedQueue rows)
    {
    }

    /**
     * Makes an operator.
     *
     * @param source     channel
     * @param rows       store for its rows
     * @param timeColumn column for the time of a row, -1 without
     * @param maxWaiting how many rows may wait for other sources
     */
    public SourceOperator(
        final FlowSource source, final RowStore rows, final int timeColumn, final int maxWaiting)
    {
        super(rows);
        this.source = source;
        this.timeColumn = timeColumn;
        this.maxWaiting = maxWaiting;
        waiting = new TimedQueue(rows);
        again = new TimedQueue(rows);
        source.add(this);
    }

    /** Takes a row of a batch. */
    void take(final EventBatch batch, final int from, final long timeNs)
    {
        if (waitingSize() >= maxWaiting)
        {
            reject(RowRejection.STATE_FULL, "too many rows wait for other sources, source=" + source.name() +
                " maxWaiting=" + maxWaiting);
            return;
        }
        try
        {
            final int row = store().allocate();
            BatchRows.read(batch, from, store(), row);
            if (timeColumn >= 0)
            {
                store().setLong(row, timeColumn, timeNs);
            }
            (apart.isEmpty() ? waiting : queueOf(row, timeNs)).give(row, timeNs);
        }
        catch (final RowRejectedException cause)
        {
            reject(cause);
        }
    }

    private int waitingSize()
    {
        int size = waiting.size() + again.size();
        for (int i = 0; i < apart.size(); i++)
        {
            size += apart.get(i).rows().size();
        }
        return size;
    }

    /** Rows of later instants need not be kept apart. */
    private TimedQueue queueOf(final int row, final long timeNs)
    {
        for (int i = apart.size() - 1; i >= 0 && timeNs <= apart.get(i).untilNs(); i--)
        {
            if (apart.get(i).partitions().test(store(), row, partitionColumn()))
            {
                return apart.get(i).rows();
            }
        }
        return waiting;
    }

    @Override
    public long nextNs()
    {
        final long nextNs = waiting.isEmpty() ? NEVER : waiting.headNs();
        return again.isEmpty() ? nextNs : Math.min(nextNs, again.headNs());
    }

    @Override
    public long closedNs()
    {
        return source.closedNs();
    }

    @Override
    public boolean isSilent()
    {
        return source.isSilent();
    }

    @Override
    public void load(final long nowNs)
    {
        while (!again.isEmpty() && again.headNs() <= nowNs)
        {
            delta().give(again.poll(), true);
        }
        while (!waiting.isEmpty() && waiting.headNs() <= nowNs)
        {
            delta().give(waiting.poll(), true);
        }
    }

    @Override
    protected void forget(final PartitionTest partitions, final int column)
    {
        // What waits was loaded before: see FlowRegion.
    }

    /** Whether its rows come from another part of the engine. */
    boolean isInner()
    {
        return source.isInner();
    }

    /**
     * The time of the last row of some partitions that waits for its instant: they are forgotten after it.
     *
     * @return {@link #BEGINNING} when none waits
     */
    long lastWaitingNs(final PartitionTest partitions)
    {
        long lastNs = Math.max(lastNs(waiting, partitions), lastNs(again, partitions));
        for (final Apart each : apart)
        {
            lastNs = Math.max(lastNs, lastNs(each.rows(), partitions));
        }
        return lastNs;
    }

    private long lastNs(final TimedQueue rows, final PartitionTest partitions)
    {
        for (int i = rows.size() - 1; i >= 0; i--)
        {
            if (partitions.test(store(), rows.row(i), partitionColumn()))
            {
                return rows.timeNs(i);
            }
        }
        return BEGINNING;
    }

    /** Rows of partitions that come up to some time wait until these are forgotten, as {@link #letIn} says. */
    void keepApart(final PartitionTest partitions, final long untilNs)
    {
        apart.add(new Apart(partitions, untilNs, new TimedQueue(store(), MemoryAccount.NONE)));
    }

    /** The partitions that were named first are forgotten. */
    void letIn()
    {
        final TimedQueue rows = apart.remove(0).rows();
        while (!rows.isEmpty())
        {
            final long timeNs = rows.headNs();
            again.give(rows.poll(), timeNs);
        }
    }

    @Override
    protected void process(final long nowNs)
    {
        // Rows come by load.
    }

    @Override
    public long stateSize()
    {
        return waitingSize();
    }

    @Override
    protected void write(final StateOutput to)
    {
        if (!apart.isEmpty())
        {
            throw new StateException("state is written when partitions that are to be forgotten are, partitions=" +
                apart.size());
        }
        again.write(to);
        waiting.write(to);
    }

    @Override
    protected void read(final StateInput from)
    {
        again.read(from);
        waiting.read(from);
    }
}
