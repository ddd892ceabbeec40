package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.flow.FlowOperator;
import dev.millrace.cql.runtime.flow.FlowUnit;
import dev.millrace.cql.runtime.flow.QueryOutput;
import dev.millrace.cql.runtime.flow.RowFaults;
import dev.millrace.cql.runtime.flow.RowRejectedException;
import java.util.List;

/**
 * What every generated unit has: the open instant, codes of texts, outputs, and what it rejects.
 *
 * <p>Threads: the engine's.
 */
public abstract class Unit implements FlowUnit
{
    /** No time at all. */
    public static final long NEVER = FlowOperator.NEVER;
    /** The beginning of time. */
    public static final long BEGINNING = FlowOperator.BEGINNING;

    /** The instant that is open, or was closed last. */
    protected long now = BEGINNING;
    /** Its number: stamps of groups that have changed in it are equal to it. */
    protected long instant = 1;
    /** How many rows or groups an operator keeps at most. */
    protected final int maxRows;
    /** Codes of the texts that the unit meets. */
    protected final Codes codes;
    /** Asked before state grows. */
    protected final MemoryAccount memory;
    private final List<QueryOutput> outputs;
    private RowFaults faults = RowFaults.NONE;

    /**
     * For generated classes.
     *
     * @param outputs in the order of the plan's
     * @param maxRows how many rows or groups an operator keeps at most
     * @param memory  asked before state grows
     */
    protected Unit(final QueryOutput[] outputs, final int maxRows, final MemoryAccount memory)
    {
        this.memory = memory;
        codes = new Codes(memory);
        this.outputs = List.of(outputs);
        this.maxRows = maxRows;
    }

    @Override
    public final void open(final RowFaults to)
    {
        faults = to;
        begin();
    }

    /** Goes through the beginning of time. */
    protected abstract void begin();

    @Override
    public final List<QueryOutput> outputs()
    {
        return outputs;
    }

    /**
     * Takes note of a row that cannot be computed.
     *
     * @param cause why
     */
    protected final void reject(final RowRejectedException cause)
    {
        faults.reject(cause.reason(), cause.getMessage());
    }

    /** Takes note of a row for which there is no room while it waits for rows of other streams. */
    protected final void fullOfWaiting()
    {
        full("too many rows wait for other sources, maxWaiting=", maxRows);
    }

    /**
     * Takes note of a row for which there is no room.
     *
     * @param what rows or groups
     */
    protected final void full(final String what)
    {
        full("more " + what + " than may be kept, max" + Character.toUpperCase(what.charAt(0)) + what.substring(1) +
            '=', maxRows);
    }

    private void full(final String bound, final int value)
    {
        if (memory.isShort())
        {
            faults.reject(MemoryAccount.MEMORY_FULL, memory.shortage());
        }
        else
        {
            faults.reject(RowRejection.STATE_FULL, bound + value);
        }
    }
}
