package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.flow.FlowTime;
import dev.millrace.cql.runtime.flow.FlowUnit;
import dev.millrace.cql.runtime.flow.QueryOutput;
import dev.millrace.cql.runtime.row.RowFaultHandler;
import dev.millrace.cql.runtime.row.RowRejectedException;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateFields;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.state.StateSchema;
import dev.millrace.cql.runtime.unit.string.CharColumnInput;
import dev.millrace.cql.runtime.unit.string.DecodedStrings;
import dev.millrace.cql.runtime.unit.string.UnitStrings;
import java.util.List;

/**
 * Base of all generated units: the open instant, codes of strings, outputs, and rejections.
 *
 * <p>Confined to the engine thread.
 */
public abstract class Unit implements FlowUnit
{
    /** No time at all. */
    public static final long NEVER = FlowTime.NEVER;
    /** The beginning of time. */
    public static final long BEGINNING = FlowTime.BEGINNING;
    /** Codes are charged whenever they have grown by this fraction, as a power of two. */
    private static final int CHARGE_SHIFT = 5;

    /** The instant that is open, or was closed last. */
    protected long now = BEGINNING;
    /** Nothing is due before this time, and no change of the open instant waits for its end. */
    protected long calmNs = BEGINNING;
    /** Number of the open instant; groups that have changed in it have an equal stamp. */
    protected long instant = 1;
    /** Maximum number of rows or groups per operator. */
    protected final int maxRows;
    /** Codes of strings: those that state retains, and those of the batch. */
    protected final StringTable codes;
    /** Codes of strings, with their reference counts. */
    protected final UnitStrings unitStrings;
    /** String objects by code. */
    protected final DecodedStrings strings;
    /** Codes of objects: those that state retains, and those of the batch. */
    protected final ObjectCodes objects;
    /** Checked before state grows. */
    protected final MemoryAccount memory;
    /** Discards that are pending until waiting rows are processed. */
    protected final DiscardQueue forgettings = new DiscardQueue();
    private final List<QueryOutput> outputs;
    private RowFaultHandler faults = RowFaultHandler.NONE;
    private StateSchema shape = StateSchema.NONE;
    /** Bytes charged for codes and their strings. */
    private long chargedBytes;
    /** Bytes of the codes without their strings, as last counted. */
    private long codeBytes;
    /** Number of codes from which {@link #codeBytes} is counted again. */
    private int chargedLimit = 1;

    /**
     * @param outputs in the order of the plan
     * @param maxRows maximum number of rows or groups per operator
     * @param memory  checked before state grows
     * @param codes   empty; codes are retained
     */
    protected Unit(final QueryOutput[] outputs, final int maxRows, final MemoryAccount memory, final StringTable codes)
    {
        this.memory = memory;
        this.codes = codes;
        strings = new DecodedStrings(codes, memory);
        objects = new ObjectCodes(memory);
        unitStrings = new UnitStrings(codes, strings);
        this.outputs = List.of(outputs);
        this.maxRows = maxRows;
    }

    @Override
    public final void open(final RowFaultHandler to)
    {
        faults = to;
        begin();
    }

    @Override
    public final void open(final RowFaultHandler to, final StateInput from)
    {
        faults = to;
        shape.check(from);
        now = from.readLong();
        instant = from.readLong();
        calmNs = from.readLong();
        forgettings.read(from);
        unitStrings.forgetNumbers();
        new StateFields(this, shape, unitStrings).read(from, memory);
        unitStrings.forgetNumbers();
        endOfBatch();
    }

    /** Describes the layout of its state; called once, when it is created. */
    public final void shape(final StateSchema of)
    {
        shape = of;
    }

    @Override
    public final void write(final StateOutput to)
    {
        shape.write(to);
        to.writeLong(now);
        to.writeLong(instant);
        to.writeLong(calmNs);
        forgettings.write(to);
        unitStrings.forgetNumbers();
        new StateFields(this, shape, unitStrings).write(to);
        unitStrings.forgetNumbers();
    }

    /** Processes the beginning of time. */
    protected abstract void begin();

    @Override
    public final void forget(final int input, final PartitionPredicate partitions, final long notBeforeNs)
    {
        final long untilNs = Math.max(notBeforeNs, lastWaitingNs(input, partitions));
        if (untilNs == BEGINNING)
        {
            forgetNow(input, partitions);
        }
        else
        {
            forgettings.add(input, partitions, untilNs);
        }
    }

    @Override
    public final boolean mayHoldForgotten()
    {
        return forgettings.isWaiting();
    }

    @Override
    public final void discard(final int input, final PartitionPredicate partitions)
    {
        if (forgettings.isWaiting())
        {
            throw new StateException("cannot separate partitions before pending ones are discarded");
        }
        dropWaiting(input, partitions);
        forgetNow(input, partitions);
        dropped();
    }

    /** Discards changes that removed rows have left. */
    protected void dropped()
    {
        // No row waits.
    }

    /**
     * Throws because state cannot be separated by partition.
     *
     * @param what name of the state
     * @throws StateException always
     */
    protected final void inseparable(final String what)
    {
        throw new StateException(what + " cannot be separated by partition, query=" + shape.name());
    }

    /**
     * Discards rows of some partitions that wait for their instant.
     *
     * @param input index of the input
     */
    protected void dropWaiting(final int input, final PartitionPredicate partitions)
    {
        // No row waits.
    }

    /**
     * Executes the discards that were due after the instant that has passed, and admits the rows that waited for them.
     */
    protected final void forgetDue()
    {
        for (DiscardQueue.Next next = forgettings.due(now); next != null; next = forgettings.due(now))
        {
            forgetNow(next.input(), next.partitions());
            letIn();
        }
    }

    /**
     * The time of the last row of some partitions that waits for its instant.
     *
     * @param input index of the input
     * @return {@link #BEGINNING} when none waits
     */
    protected long lastWaitingNs(final int input, final PartitionPredicate partitions)
    {
        return BEGINNING;
    }

    /**
     * Makes all rows of some partitions leave, and closes the instant.
     *
     * @param input index of the input
     */
    protected void forgetNow(final int input, final PartitionPredicate partitions)
    {
        // No state is stored by partition.
    }

    /** Processes rows of the instant that were waiting and may now enter; closes the instant. */
    protected void letIn()
    {
        // No row has waited.
    }

    @Override
    public final List<QueryOutput> outputs()
    {
        return outputs;
    }

    /**
     * The code of a string of the plan, retained for the lifetime of the unit.
     *
     * @param text not empty
     */
    protected final int constantCode(final String text)
    {
        final int code = codes.code(text);
        codes.hold(code);
        return code;
    }

    /**
     * The code of a string that was computed; valid until the end of the batch unless state retains it.
     *
     * @param text may be {@code null}
     * @return code, {@link StringTable#NULL} for null
     */
    protected final int code(final String text)
    {
        return CharColumnInput.taken(codes.code(text), codes);
    }

    /**
     * Describes which longs of a row are codes.
     *
     * @param stringWords longs that are codes of strings
     * @param objectWords longs that are codes of objects
     */
    protected final CodeColumns held(final int[] stringWords, final int[] objectWords)
    {
        return new CodeColumns(stringWords, unitStrings, objectWords, objects);
    }

    /** Frees codes that no state retains; called at the end of a batch. */
    protected final void endOfBatch()
    {
        codes.endOfBatch();
        objects.endOfBatch();
        if (codes.limit() >= chargedLimit)
        {
            codeBytes = codes.bytes() - codes.textBytes();
            chargedLimit = codes.limit() + (codes.limit() >> CHARGE_SHIFT) + 1;
        }
        final long bytes = codeBytes + codes.textBytes();
        if (bytes > chargedBytes)
        {
            memory.charge(bytes - chargedBytes);
        }
        else if (bytes < chargedBytes)
        {
            memory.release(chargedBytes - bytes);
        }
        chargedBytes = bytes;
    }

    /** Rejects a row that cannot be computed. */
    public final void reject(final RowRejectedException cause)
    {
        faults.reject(cause.reason(), cause.getMessage());
    }

    /**
     * Rejects a row whose column is less than that of its predecessor, in a window over the column.
     *
     * @param value of the column
     */
    protected final void decreases(final String value)
    {
        faults.reject(RejectionHandler.OUT_OF_ORDER, "value=" + value);
    }

    /** Rejects a row that does not specify when it leaves its window. */
    protected final void endless()
    {
        faults.reject(RejectionHandler.NO_WINDOW_END, "the column of RANGE UNTIL is null");
    }

    /** Rejects a row that exceeds the capacity for rows that wait for other streams. */
    protected final void fullOfWaiting()
    {
        full("too many rows wait for other sources, maxWaiting=", maxRows);
    }

    /**
     * Rejects a row that exceeds the capacity.
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
        if (memory.lacksMemory())
        {
            faults.reject(MemoryAccount.MEMORY_FULL, memory.shortage());
        }
        else
        {
            faults.reject(RejectionHandler.STATE_FULL, bound + value);
        }
    }
}
