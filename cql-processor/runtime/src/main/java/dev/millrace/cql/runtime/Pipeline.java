package dev.millrace.cql.runtime;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.state.PartitionSelection;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.state.StateSchema;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Base of generated classes: the views and queries of one source, fused, with their state.
 *
 * <p>Threads: {@link #onBatch(EventBatch)} is called by one thread at a time; {@link #statistics()} is thread-safe.
 * Ownership: the batch is lent for the call; output batches belong to the pipeline and are lent to the sinks. Failure:
 * a row that cannot be computed is rejected and counted; the rest of the batch is processed.
 */
public abstract class Pipeline
{
    /** Null bits of a column without nulls; never written. */
    protected static final long[] NO_NULLS = new long[EventBatch.CAPACITY / Long.SIZE];

    /** Minimum number of slots that are moved at once: 32 KiB of numbers. */
    private static final int LEAST_MOVE = 1 << 12;
    private static final VarHandle COUNTERS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int ROWS_IN = 0;
    private static final int BATCHES_IN = 1;
    private static final int ROWS_REJECTED = 2;
    private static final int FIRST_OUTPUT = 3;

    /** Charged for the growth of state. */
    protected final MemoryAccount memory;

    private final RejectionHandler rejection;
    private final String[] outputIds;
    private final String[] stateNames;
    private final long[] counters;
    /** Rows of a batch that have codes; {@code null} until a string did not fit. */
    private int[] codedRows;
    private StateSchema shape = StateSchema.NONE;

    /**
     * @param bindings   receives rejected rows, among others
     * @param outputIds  query ids in the order of their counters
     * @param stateNames names of the sizes of state, in the order of their counters
     */
    protected Pipeline(final PipelineBindings bindings, final String[] outputIds, final String[] stateNames)
    {
        rejection = bindings.rejection();
        memory = bindings.memory();
        this.outputIds = outputIds;
        this.stateNames = stateNames;
        counters = new long[FIRST_OUTPUT + outputIds.length + stateNames.length];
    }

    /**
     * Processes the rows of a batch or, when it has none, advances time to the base timestamp of the batch. When this
     * method returns, all resulting rows have been passed to the sinks.
     *
     * @param batch lent until this method returns
     */
    public abstract void onBatch(EventBatch batch);

    /**
     * Processes some rows of a batch, as if it had no others.
     *
     * @param batch lent until this method returns
     * @param rows  row numbers, in order
     * @param count at least one
     */
    public abstract void onRows(EventBatch batch, int[] rows, int count);

    /**
     * Stops the output of a query whose sink other queries may share; called between batches. Where queries are
     * compiled as one, its rows are no longer emitted; otherwise the owner of the sink discards them.
     *
     * @param queryId ignored when there is no such query
     */
    public void mute(final String queryId)
    {
        // Queries with a separate sink.
    }

    /** Describes the layout of its state; called once, when it is created. */
    public final void shape(final StateSchema of)
    {
        shape = of;
    }

    /**
     * Writes the state, between batches. Copies of relations are not written: the creator of an instance fills them.
     *
     * @param which all, or some partitions
     * @throws StateException when some of the state cannot be written or separated by partition, or is too large
     */
    public final void write(final StateOutput to, final PartitionSelection which)
    {
        shape.write(to);
        writeState(to, which);
    }

    /**
     * Restores state that a pipeline of the same class and constants has written, between batches; the state of other
     * partitions stays. After a failure the pipeline must not be used.
     *
     * @throws StateException when the state was written by another plan, is corrupt, exceeds the capacity, or belongs
     *     to a partition or window that this pipeline already has
     */
    public final void read(final StateInput from)
    {
        shape.check(from);
        readState(from);
    }

    /**
     * Discards the state of some partitions, between batches: later rows find nothing. No row is emitted. Only for
     * pipelines without relations. After a failure the pipeline must not be used.
     *
     * @throws StateException when the state cannot be separated by partition, or a relation would have to be notified
     */
    public void forget(final PartitionSelection which)
    {
        throw new StateException("this pipeline has no state, class=" + getClass().getName());
    }

    /**
     * Writes the state of the operators; generated.
     *
     * @param which all, or some partitions
     */
    protected void writeState(final StateOutput to, final PartitionSelection which)
    {
        throw new StateException("this pipeline has no state, class=" + getClass().getName());
    }

    /**
     * Restores the state of the operators; generated.
     *
     * @param from written by {@link #writeState}
     */
    protected void readState(final StateInput from)
    {
        throw new StateException("this pipeline has no state, class=" + getClass().getName());
    }

    /**
     * The code of a string that was written; valid until the end of the batch unless state retains it.
     *
     * @return code, {@link StringTable#NULL} for null
     * @throws StateException when the string table is full
     */
    protected static int readCode(final StringTable strings, final StateInput from)
    {
        final String text = from.readString();
        final int code = text == null ? StringTable.NULL : strings.code(text);
        if (code == StringTable.FULL)
        {
            throw new StateException("the string table is full, strings=" + strings.size());
        }
        return code;
    }

    /**
     * The code of a string that was written; retained by the state.
     *
     * @return code, {@link StringTable#NULL} for null
     * @throws StateException when the string table is full
     */
    public static int readHeld(final StringTable strings, final StateInput from)
    {
        final int code = readCode(strings, from);
        strings.hold(code);
        return code;
    }

    /**
     * Whether words of state equal those of a new group, which are all 0.
     *
     * @param at    first word
     * @param words number of words
     */
    protected static boolean isClear(final long[] state, final int at, final int words)
    {
        return IntStream.range(at, at + words).allMatch(word -> state[word] == 0);
    }

    /**
     * Resets words of state to those of a new group.
     *
     * @param at    first word
     * @param words number of words
     */
    protected static void clear(final long[] state, final int at, final int words)
    {
        Arrays.fill(state, at, at + words, 0);
    }

    /**
     * Checks that a key gets a slot without state.
     *
     * @param slot  negative if none exists
     * @param isNew whether the slot has no state
     * @param what  name of the state, for the message
     * @throws StateException when there is no slot, or it has state
     */
    protected static void checkNew(final int slot, final boolean isNew, final String what)
    {
        if (slot < 0)
        {
            throw new StateException("no capacity for the state of a key, " + what);
        }
        if (!isNew)
        {
            throw new StateException("this key already has state, " + what);
        }
    }

    /**
     * Current statistics.
     *
     * @return {@code rowsIn}, {@code batchesIn}, {@code rowsRejected}, {@code rowsOut} by query id and {@code state}:
     *     number of partitions, groups or rows by operator
     */
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rowsIn", counter(ROWS_IN));
        figures.put("batchesIn", counter(BATCHES_IN));
        figures.put("rowsRejected", counter(ROWS_REJECTED));
        final Map<String, Object> rowsOut = new LinkedHashMap<>();
        for (int i = 0; i < outputIds.length; i++)
        {
            rowsOut.put(outputIds[i], counter(FIRST_OUTPUT + i));
        }
        figures.put("rowsOut", rowsOut);
        final Map<String, Object> state = new LinkedHashMap<>();
        for (int i = 0; i < stateNames.length; i++)
        {
            state.put(stateNames[i], counter(FIRST_OUTPUT + outputIds.length + i));
        }
        figures.put("state", state);
        return figures;
    }

    private long counter(final int index)
    {
        return (long)COUNTERS.getOpaque(counters, index);
    }

    private void add(final int index, final long delta)
    {
        COUNTERS.setOpaque(counters, index, counters[index] + delta);
    }

    /**
     * Counts an input batch.
     *
     * @param rows its size
     */
    protected final void countIn(final int rows)
    {
        add(ROWS_IN, rows);
        add(BATCHES_IN, 1);
    }

    /**
     * Sets the size of a piece of state in the statistics.
     *
     * @param index of its name
     * @param size  current number of entries
     */
    protected final void stateSize(final int index, final long size)
    {
        COUNTERS.setOpaque(counters, FIRST_OUTPUT + outputIds.length + index, size);
    }

    /**
     * Rejects one row.
     *
     * @param reason one of few short words
     * @param detail the expression that was being computed
     */
    protected final void reject(final String reason, final String detail)
    {
        add(ROWS_REJECTED, 1);
        rejection.reject(1, reason, detail);
    }

    /**
     * Rejects one row because state is full.
     *
     * @param detail the limit that is reached; ignored when memory is short
     */
    protected final void rejectFull(final String detail)
    {
        if (memory.lacksMemory())
        {
            reject(MemoryAccount.MEMORY_FULL, memory.shortage());
        }
        else
        {
            reject(RejectionHandler.STATE_FULL, detail);
        }
    }

    /**
     * Whether arrays of state indexed by code have an entry for a code; generated where there are such arrays.
     *
     * @param code of {@link PipelineBindings#strings()}
     * @return false when the code may be assigned to another string
     */
    protected boolean hasState(final int code)
    {
        return false;
    }

    /**
     * Configures the string table to keep codes as long as {@link #hasState} returns true for them.
     *
     * @param strings of the bindings
     * @return the same
     */
    protected final StringTable kept(final StringTable strings)
    {
        strings.keepWhile(this::hasState);
        return strings;
    }

    /**
     * Binds char columns to the next batch.
     *
     * @param columns that state or comparisons need as codes
     */
    protected static void bind(final EventBatch in, final CharColumnEncoder[] columns)
    {
        for (final CharColumnEncoder column : columns)
        {
            column.bind(in);
        }
    }

    /**
     * Binds char columns to some rows of the next batch.
     *
     * @param selection row numbers
     * @param count     number of rows
     * @param columns   that state or comparisons need as codes
     */
    protected static void bind(final EventBatch in, final int[] selection, final int count,
        final CharColumnEncoder[] columns)
    {
        for (final CharColumnEncoder column : columns)
        {
            column.bind(in, selection, count);
        }
    }

    /**
     * Computes the codes of char columns.
     *
     * @param columns   that must have codes
     * @param selection row numbers; {@code null} for the first {@code count} rows
     * @param count     number of rows
     * @return false when the string table is full
     */
    protected static boolean makeCodes(final CharColumnEncoder[] columns, final int[] selection, final int count)
    {
        boolean all = true;
        for (final CharColumnEncoder column : columns)
        {
            all &= column.code(selection, count);
        }
        return all;
    }

    /**
     * Rejects the rows that have a string without a code.
     *
     * @param columns   that must have codes
     * @param selection row numbers; {@code null} for the first {@code count} rows
     * @param count     number of rows
     * @return number of remaining rows, which are in {@link #codedRows()}
     */
    protected final int selectCoded(final CharColumnEncoder[] columns, final int[] selection, final int count)
    {
        if (codedRows == null)
        {
            codedRows = new int[EventBatch.CAPACITY];
        }
        int left = 0;
        for (int i = 0; i < count; i++)
        {
            final int row = selection == null ? i : selection[i];
            boolean isCoded = true;
            for (final CharColumnEncoder column : columns)
            {
                isCoded &= column.codes()[row] != StringTable.FULL;
            }
            if (isCoded)
            {
                codedRows[left++] = row;
                continue;
            }
            rejectFull("more distinct strings than may be kept");
        }
        add(ROWS_IN, count - left);
        return left;
    }

    /** The rows that {@link #selectCoded} has left; the array itself. */
    protected final int[] codedRows()
    {
        return codedRows;
    }

    /**
     * Passes a batch to a sink, counts its rows and clears it.
     *
     * @param output index of the query's counter
     * @param batch  at least one row
     */
    protected final void send(final EventBatchSink sink, final int output, final EventBatch batch)
    {
        add(FIRST_OUTPUT + output, batch.size());
        try
        {
            deliver(sink, batch, outputIds[output], rejection);
        }
        finally
        {
            // Also when a sink fails unexpectedly: rows are never delivered twice.
            batch.clear();
        }
    }

    /** Passes the rows of a lane to its sink, counts them and clears the lane. */
    protected final void send(final TemplateOutputs family, final int lane)
    {
        final EventBatch batch = family.close(lane);
        final int[] log = family.log(lane);
        for (int row = 0; row < batch.size(); row++)
        {
            add(FIRST_OUTPUT + family.counter(log[row]), 1);
        }
        try
        {
            deliver(family.sink(lane), batch, family.name(lane), rejection);
        }
        finally
        {
            batch.clear();
        }
    }

    /** Passes the rows of all lanes to their sinks. */
    protected final void sendAll(final TemplateOutputs family)
    {
        for (int lane = family.nextTouched(); lane != TemplateOutputs.NONE; lane = family.nextTouched())
        {
            send(family, lane);
        }
    }

    /**
     * Sends a heartbeat to each sink of a query template once.
     *
     * @param timeNs no later row is older
     */
    protected final void heartbeat(final TemplateOutputs family, final long timeNs)
    {
        for (int lane = 0; lane < family.lanes(); lane++)
        {
            final EventBatch batch = family.batch(lane);
            batch.baseTimestampNs(timeNs);
            deliver(family.sink(lane), batch, family.name(lane), rejection);
            batch.clear();
        }
    }

    /**
     * Sends a heartbeat to a sink.
     *
     * @param output index of the query's counter
     * @param batch  an empty batch of the query
     * @param timeNs no later row is older
     */
    protected final void heartbeat(
        final EventBatchSink sink, final int output, final EventBatch batch, final long timeNs)
    {
        batch.clear();
        batch.baseTimestampNs(timeNs);
        deliver(sink, batch, outputIds[output], rejection);
        batch.clear();
    }

    static void deliver(
        final EventBatchSink sink, final EventBatch batch, final String queryId, final RejectionHandler rejection)
    {
        try
        {
            sink.onBatch(batch);
        }
        catch (final EventRejectedException refused)
        {
            rejection.reject(batch.size(), RejectionHandler.OUTPUT_REFUSED, "query=" + queryId + ": " +
                refused.getMessage());
        }
    }

    /**
     * With assertions enabled, fails when state still has an entry for a code that will be released next.
     *
     * @param at    first word of the code
     * @param words number of words
     */
    protected static void checkClear(final long[] state, final int at, final int words)
    {
        assert isClear(state, at, words) :
            "a code is released that state still uses, please report this";
    }

    /**
     * New length of an array of state that must grow: at least doubled, so that growth is amortized.
     *
     * @param needed  slots
     * @param current length
     */
    protected static int grownLength(final int needed, final int current)
    {
        return (int)Math.min(Integer.MAX_VALUE - 8, Math.max(Math.max(16, needed), current * 2L));
    }

    /**
     * End of the next slice of state that moves to longer arrays: a 256th of the slots, or a few thousand if that is
     * more.
     *
     * @param from   slots that have moved
     * @param length slots in all
     * @return slots that will have moved
     */
    protected static int moveEnd(final int from, final int length)
    {
        return Math.min(length, from + Math.max(LEAST_MOVE, length >>> 8));
    }

    /**
     * The value of a compensated sum. If the sum is not finite, the compensation is ignored.
     *
     * @param compensation accumulated rounding error
     */
    protected static double sum(final double sum, final double compensation)
    {
        final double value = sum + compensation;
        return value == value ? value : sum;
    }

    /**
     * Copies times and origins of selected rows to the first rows of an output batch.
     *
     * @param selection rows of the input
     * @param count     number of rows
     */
    protected static void copyTimes(
        final EventBatch in, final int[] selection, final int count, final EventBatch out)
    {
        final long[] times = out.useTimestampPerRow();
        if (in.timestampPerRow())
        {
            gather(in.timestampsNs(), selection, count, times);
        }
        else
        {
            final long base = in.baseTimestampNs();
            for (int k = 0; k < count; k++)
            {
                times[k] = base + selection[k];
            }
        }
        if (in.hasOrigins())
        {
            gather(in.originsNs(), selection, count, out.useOrigins());
        }
    }

    private static void gather(final long[] from, final int[] selection, final int count, final long[] to)
    {
        for (int k = 0; k < count; k++)
        {
            to[k] = from[selection[k]];
        }
    }

    /** Copies times and origins of all rows to an output batch. */
    protected static void copyTimes(final EventBatch in, final int count, final EventBatch out)
    {
        if (in.timestampPerRow())
        {
            System.arraycopy(in.timestampsNs(), 0, out.useTimestampPerRow(), 0, count);
        }
        else
        {
            out.baseTimestampNs(in.baseTimestampNs());
        }
        if (in.hasOrigins())
        {
            System.arraycopy(in.originsNs(), 0, out.useOrigins(), 0, count);
        }
    }

    /** Copies time and origin of one row. */
    protected static void copyTime(final EventBatch in, final int row, final EventBatch out, final int outRow)
    {
        out.useTimestampPerRow()[outRow] = in.timestampNs(row);
        if (in.hasOrigins())
        {
            out.useOrigins()[outRow] = in.originsNs()[row];
        }
    }
}
