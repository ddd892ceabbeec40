package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;

/**
 * A step of a flow: once an instant it reads the changes of its inputs and leaves its own.
 *
 * <p>Threads: the engine's. Ownership: its delta belongs to it and is cleared by the engine when the instant is over;
 * rows that it keeps it claims.
 */
public abstract class FlowOperator
{
    /** No time at all. */
    public static final long NEVER = Long.MAX_VALUE;

    /** No column tells the partition of a row. */
    public static final int NO_COLUMN = -1;

    /** The beginning of time. */
    public static final long BEGINNING = Long.MIN_VALUE;

    private final RowStore store;
    private final Delta delta;
    private final Delta[] inputDeltas;
    private long wakeNs = NEVER;
    private boolean hasAlarm;
    private FlowRegion region;
    private RowFaults faults = RowFaults.NONE;
    private int partitionColumn = NO_COLUMN;

    /**
     * Makes an operator.
     *
     * @param store  where its rows are; its own or, when it hands rows on, that of its input
     * @param inputs whose changes it reads
     */
    protected FlowOperator(final RowStore store, final FlowOperator... inputs)
    {
        this.store = store;
        delta = new Delta(store);
        inputDeltas = new Delta[inputs.length];
        for (int i = 0; i < inputs.length; i++)
        {
            inputDeltas[i] = inputs[i].delta;
        }
    }

    /**
     * Where its rows are.
     *
     * @return store
     */
    public final RowStore store()
    {
        return store;
    }

    /**
     * Its changes of the present instant.
     *
     * @return delta
     */
    public final Delta delta()
    {
        return delta;
    }

    /**
     * Works on an instant.
     *
     * @param nowNs its time; never decreases, the same time may come again when more rows of it arrive
     */
    protected abstract void process(long nowNs);

    /**
     * Learns that nothing more will come at all: what is decided, but waits for others, must go out.
     *
     * @param closedNs how far time has come
     */
    protected void finish(final long closedNs)
    {
        // Most operators hold nothing back.
    }

    /**
     * Says where the value lies by which rows are shared out among members, so that the operator can forget some of
     * them. Called while the engine is made.
     *
     * @param column of the rows that it keeps
     */
    public final void partitionColumn(final int column)
    {
        partitionColumn = column;
    }

    final int partitionColumn()
    {
        return partitionColumn;
    }

    /** Forgets what it knows of partitions that are elsewhere from now on. */
    final void forget(final PartitionTest partitions)
    {
        if (partitionColumn != NO_COLUMN)
        {
            forget(partitions, partitionColumn);
        }
    }

    /**
     * Forgets what it knows of some partitions: rows that its consumers know leave, as if their time had come.
     *
     * @param partitions which
     * @param column     of the rows that it keeps
     */
    protected void forget(final PartitionTest partitions, final int column)
    {
        throw new IllegalStateException("our bug, please report it: an operator was told to forget and cannot," +
            " operator=" + getClass().getSimpleName());
    }

    /**
     * Writes all that it keeps, between instants.
     *
     * @param to takes it
     * @throws StateException when that cannot be written
     */
    protected void write(final StateOutput to)
    {
        throw new StateException("the state of an operator cannot be written, operator=" + getClass().getSimpleName());
    }

    /**
     * Takes over what another one of the same plan has written.
     *
     * @param from gives it
     * @throws StateException when that makes no sense
     */
    protected void read(final StateInput from)
    {
        throw new StateException("the state of an operator cannot be read, operator=" + getClass().getSimpleName());
    }

    /**
     * Rows it keeps now, for the figures.
     *
     * @return at least 0; 0 for operators without state
     */
    public long stateSize()
    {
        return 0;
    }

    /**
     * Keys that it has forgotten because no row came for an idle state time, for the figures.
     *
     * @return at least 0
     */
    public long forgottenKeys()
    {
        return 0;
    }

    /**
     * When it has something to do without input.
     *
     * @return instant, or {@link #NEVER}
     */
    public final long wakeNs()
    {
        return wakeNs;
    }

    /**
     * Says when it has something to do without input.
     *
     * @param timeNs instant, or {@link #NEVER}
     */
    protected final void wakeAt(final long timeNs)
    {
        wakeNs = timeNs;
        if (!hasAlarm && timeNs != NEVER)
        {
            hasAlarm = true;
            if (region != null)
            {
                region.addAlarm(this);
            }
        }
    }

    /** Learns who runs it. */
    final void region(final FlowRegion of)
    {
        region = of;
        if (hasAlarm)
        {
            of.addAlarm(this);
        }
    }

    /** Whether it must work in this instant. */
    final boolean isDue(final long nowNs)
    {
        if (wakeNs <= nowNs && wakeNs != NEVER)
        {
            return true;
        }
        for (final Delta input : inputDeltas)
        {
            if (input.size() > 0)
            {
                return true;
            }
        }
        return false;
    }

    /** Works on an instant; what cannot be done for want of room is counted. */
    final void run(final long nowNs)
    {
        try
        {
            process(nowNs);
        }
        catch (final RowRejectedException cause)
        {
            reject(cause);
            if (wakeNs <= nowNs)
            {
                // Whatever was due has failed: without this the instant would come again for ever.
                wakeNs = NEVER;
            }
        }
    }

    final void faults(final RowFaults to)
    {
        faults = to;
    }

    /**
     * Turns a row away.
     *
     * @param cause why
     */
    protected final void reject(final RowRejectedException cause)
    {
        faults.reject(cause.reason(), cause.getMessage());
    }

    /**
     * Turns a row away.
     *
     * @param reason one of few short words
     * @param detail what a user needs to find the cause
     */
    protected final void reject(final String reason, final String detail)
    {
        faults.reject(reason, detail);
    }
}
