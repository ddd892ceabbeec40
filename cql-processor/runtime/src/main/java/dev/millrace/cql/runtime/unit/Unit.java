package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.flow.FlowTime;
import dev.millrace.cql.runtime.flow.FlowUnit;
import dev.millrace.cql.runtime.flow.QueryOutput;
import dev.millrace.cql.runtime.flow.RowFaults;
import dev.millrace.cql.runtime.flow.RowRejectedException;
import dev.millrace.cql.runtime.state.PartitionTest;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateFields;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.state.StateShape;
import dev.millrace.cql.runtime.unit.text.CodeStrings;
import dev.millrace.cql.runtime.unit.text.TextInput;
import dev.millrace.cql.runtime.unit.text.UnitTexts;
import java.util.List;

/**
 * What every generated unit has: the open instant, codes of texts, outputs, and what it rejects.
 *
 * <p>Threads: the engine's.
 */
public abstract class Unit implements FlowUnit
{
    /** No time at all. */
    public static final long NEVER = FlowTime.NEVER;
    /** The beginning of time. */
    public static final long BEGINNING = FlowTime.BEGINNING;
    /** Codes are charged when they have become more by this part, as a power of two. */
    private static final int CHARGE_SHIFT = 5;

    /** The instant that is open, or was closed last. */
    protected long now = BEGINNING;
    /** Nothing is due before this time, and no change of the open instant waits for its end. */
    protected long calmNs = BEGINNING;
    /** Its number: stamps of groups that have changed in it are equal to it. */
    protected long instant = 1;
    /** How many rows or groups an operator keeps at most. */
    protected final int maxRows;
    /** Codes of texts: those that state holds, and those of the batch. */
    protected final Codes codes;
    /** Codes of strings. */
    protected final UnitTexts texts;
    /** The texts of codes as objects. */
    protected final CodeStrings strings;
    /** Codes of objects: those that state holds, and those of the batch. */
    protected final ObjectCodes objects;
    /** Asked before state grows. */
    protected final MemoryAccount memory;
    /** What is to be forgotten when rows that wait are done with. */
    protected final Forgettings forgettings = new Forgettings();
    private final List<QueryOutput> outputs;
    private RowFaults faults = RowFaults.NONE;
    private StateShape shape = StateShape.NONE;
    /** What was charged for codes and their texts. */
    private long chargedBytes;
    /** What codes take without their texts, as last counted; from so many on, it is counted anew. */
    private long codeBytes;
    private int chargedLimit = 1;

    /**
     * For generated classes.
     *
     * @param outputs in the order of the plan's
     * @param maxRows how many rows or groups an operator keeps at most
     * @param memory  asked before state grows
     * @param codes   empty, whose codes are held
     */
    protected Unit(final QueryOutput[] outputs, final int maxRows, final MemoryAccount memory, final Codes codes)
    {
        this.memory = memory;
        this.codes = codes;
        strings = new CodeStrings(codes, memory);
        objects = new ObjectCodes(memory);
        texts = new UnitTexts(codes, strings);
        this.outputs = List.of(outputs);
        this.maxRows = maxRows;
    }

    @Override
    public final void open(final RowFaults to)
    {
        faults = to;
        begin();
    }

    @Override
    public final void open(final RowFaults to, final StateInput from)
    {
        faults = to;
        shape.check(from);
        now = from.readLong();
        instant = from.readLong();
        calmNs = from.readLong();
        forgettings.read(from);
        texts.forgetNumbers();
        new StateFields(this, shape, texts).read(from, memory);
        texts.forgetNumbers();
        endOfBatch();
    }

    /**
     * Learns what its state looks like, when it is made.
     *
     * @param of its class
     */
    public final void shape(final StateShape of)
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
        texts.forgetNumbers();
        new StateFields(this, shape, texts).write(to);
        texts.forgetNumbers();
    }

    /** Goes through the beginning of time. */
    protected abstract void begin();

    @Override
    public final void forget(final int input, final PartitionTest partitions, final long notBeforeNs)
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
    public final void discard(final int input, final PartitionTest partitions)
    {
        if (forgettings.isWaiting())
        {
            throw new StateException("partitions are told apart when those that are to be forgotten are");
        }
        dropWaiting(input, partitions);
        forgetNow(input, partitions);
        dropped();
    }

    /** Forgets the changes that rows which were dropped have left. */
    protected void dropped()
    {
        // None waits.
    }

    /**
     * Says that something cannot be told apart by partition.
     *
     * @param what that is
     * @throws StateException always
     */
    protected final void inseparable(final String what)
    {
        throw new StateException(what + " cannot be told apart by partition, query=" + shape.name());
    }

    /**
     * Drops rows of some partitions that wait for their instant.
     *
     * @param input      number of the way in
     * @param partitions which
     */
    protected void dropWaiting(final int input, final PartitionTest partitions)
    {
        // No row waits.
    }

    /** Forgets what was to be forgotten after the instant that is over, and lets the rows in that waited for it. */
    protected final void forgetDue()
    {
        for (Forgettings.Next next = forgettings.due(now); next != null; next = forgettings.due(now))
        {
            forgetNow(next.input(), next.partitions());
            letIn();
        }
    }

    /**
     * The time of the last row of some partitions that waits for its instant.
     *
     * @param input      number of the way in
     * @param partitions which
     * @return {@link #BEGINNING} when none waits
     */
    protected long lastWaitingNs(final int input, final PartitionTest partitions)
    {
        return BEGINNING;
    }

    /**
     * Lets all rows of some partitions leave, and closes the instant.
     *
     * @param input      number of the way in
     * @param partitions which
     */
    protected void forgetNow(final int input, final PartitionTest partitions)
    {
        // Nothing is kept by partition.
    }

    /** Rows of the instant that may enter now do so; closes the instant. */
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
     * The code of a text of the plan, which is held while the unit lives.
     *
     * @param text not empty
     * @return code
     */
    protected final int constantCode(final String text)
    {
        final int code = codes.code(text);
        codes.hold(code);
        return code;
    }

    /**
     * The code of a text that was computed; good until the end of the batch unless state holds it.
     *
     * @param text may be {@code null}
     * @return code, {@link Codes#NULL} for null
     */
    protected final int code(final String text)
    {
        return TextInput.taken(codes.code(text), codes);
    }

    /**
     * Describes rows.
     *
     * @param stringWords longs that are codes of strings
     * @param objectWords longs that are codes of objects
     * @return which longs are codes
     */
    protected final HeldCodes held(final int[] stringWords, final int[] objectWords)
    {
        return new HeldCodes(stringWords, texts, objectWords, objects);
    }

    /** Takes back codes that no state holds, when a batch is over. */
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

    /**
     * Takes note of a row that cannot be computed.
     *
     * @param cause why
     */
    public final void reject(final RowRejectedException cause)
    {
        faults.reject(cause.reason(), cause.getMessage());
    }

    /**
     * Takes note of a row whose column is less than that of its predecessor, in a window over the column.
     *
     * @param value of the column
     */
    protected final void decreases(final String value)
    {
        faults.reject(RowRejection.OUT_OF_ORDER, "value=" + value);
    }

    /** Takes note of a row that does not say when it leaves its window. */
    protected final void endless()
    {
        faults.reject(RowRejection.NO_WINDOW_END, "the column of RANGE UNTIL is null");
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
        if (memory.lacksMemory())
        {
            faults.reject(MemoryAccount.MEMORY_FULL, memory.shortage());
        }
        else
        {
            faults.reject(RowRejection.STATE_FULL, bound + value);
        }
    }
}
