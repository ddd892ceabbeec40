package dev.millrace.cql.runtime;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.state.PartitionChoice;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.state.StateShape;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The base of generated classes: views and queries of one source, fused, with their state.
 *
 * <p>Threads: one thread at a time calls {@link #onBatch(EventBatch)}; {@link #statistics()} may be called by any.
 * Ownership: the batch is lent for the call; output batches belong to the pipeline and are lent to the sinks.
 * Failure: a row that cannot be computed is rejected and counted, the batch goes on.
 */
public abstract class Pipeline
{
    /** Null bits of a column without nulls; never written. */
    protected static final long[] NO_NULLS = new long[EventBatch.CAPACITY / Long.SIZE];

    /** Slots that move at once, however few there are: 32 KiB of numbers. */
    private static final int LEAST_MOVE = 1 << 12;
    private static final VarHandle COUNTERS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int ROWS_IN = 0;
    private static final int BATCHES_IN = 1;
    private static final int ROWS_REJECTED = 2;
    private static final int FIRST_OUTPUT = 3;

    /** Is charged what state grows by. */
    protected final MemoryAccount memory;

    private final RowRejection rejection;
    private final String[] outputIds;
    private final String[] stateNames;
    private final long[] counters;
    /** Rows of a batch that have codes; {@code null} until there was no room for a string. */
    private int[] codedRows;
    private StateShape shape = StateShape.NONE;

    /**
     * For generated classes.
     *
     * @param bindings   where rejected rows go
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
     * Takes the rows of a batch or, when it has none, lets time pass to the batch's base timestamp. Rows that follow
     * from it have been given to the sinks when this returns.
     *
     * @param batch lent until this method returns
     */
    public abstract void onBatch(EventBatch batch);

    /**
     * Takes some rows of a batch, as if it had no others.
     *
     * @param batch lent until this method returns
     * @param rows  numbers of rows, in order
     * @param count how many, at least one
     */
    public abstract void onRows(EventBatch batch, int[] rows, int count);

    /**
     * Ends the output of a query whose sink others may share; while no batch is inside. Its rows are no longer given
     * out where queries run as one; elsewhere whoever owns the sink lets them drop.
     *
     * @param queryId id; without effect when there is no such query
     */
    public void mute(final String queryId)
    {
        // Queries with a sink of their own.
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

    /**
     * Writes what it knows, between batches. Copies of relations are not written: whoever makes an instance fills them.
     *
     * @param to    takes it
     * @param which all, or some partitions
     * @throws StateException when something of it cannot be written or told apart, or there is too much
     */
    public final void write(final StateOutput to, final PartitionChoice which)
    {
        shape.write(to);
        writeState(to, which);
    }

    /**
     * Takes over what a pipeline of the same class and constants has written, between batches; what it knows of other
     * partitions stays. When this fails the pipeline is of no use.
     *
     * @param from gives what {@link #write} has given
     * @throws StateException when it was written by another plan, makes no sense, finds no room, or is state of a
     *     partition or window that this pipeline has already
     */
    public final void read(final StateInput from)
    {
        shape.check(from);
        readState(from);
    }

    /**
     * Forgets what it knows of some partitions, between batches: rows that come from now on find nothing. No row comes
     * out; for pipelines without relations. When this fails the pipeline is of no use.
     *
     * @param which partitions
     * @throws StateException when the state cannot be told apart, or a relation would have to be told
     */
    public void forget(final PartitionChoice which)
    {
        throw new StateException("this pipeline has no state of its own, class=" + getClass().getName());
    }

    /**
     * Writes the state of the stages; generated.
     *
     * @param to    takes it
     * @param which all, or some partitions
     */
    protected void writeState(final StateOutput to, final PartitionChoice which)
    {
        throw new StateException("this pipeline has no state of its own, class=" + getClass().getName());
    }

    /**
     * Takes over the state of the stages; generated.
     *
     * @param from gives what {@link #writeState} has given
     */
    protected void readState(final StateInput from)
    {
        throw new StateException("this pipeline has no state of its own, class=" + getClass().getName());
    }

    /**
     * The code of a string that was written; good until the end of the batch unless state has it.
     *
     * @param strings table
     * @param from    gives a string
     * @return code, {@link Codes#NULL} for null
     * @throws StateException when there is no room for it
     */
    protected static int readCode(final Codes strings, final StateInput from)
    {
        final String text = from.readString();
        final int code = text == null ? Codes.NULL : strings.code(text);
        if (code == Codes.FULL)
        {
            throw new StateException("there is no room for a string of the state, strings=" + strings.size());
        }
        return code;
    }

    /**
     * The code of a string that was written, which the state holds.
     *
     * @param strings table
     * @param from    gives a string
     * @return code, {@link Codes#NULL} for null
     * @throws StateException when there is no room for it
     */
    protected static int readHeld(final Codes strings, final StateInput from)
    {
        final int code = readCode(strings, from);
        strings.hold(code);
        return code;
    }

    /**
     * Whether words of state are as those of a new group.
     *
     * @param state array
     * @param at    first word
     * @param words how many
     * @return true when all are 0
     */
    protected static boolean isClear(final long[] state, final int at, final int words)
    {
        return IntStream.range(at, at + words).allMatch(word -> state[word] == 0);
    }

    /**
     * Makes words of state as those of a new group.
     *
     * @param state array
     * @param at    first word
     * @param words how many
     */
    protected static void clear(final long[] state, final int at, final int words)
    {
        Arrays.fill(state, at, at + words, 0);
    }

    /**
     * Checks that a key gets a place that has no state yet.
     *
     * @param slot  place; negative when there is none
     * @param isNew whether it has no state
     * @param what  the state is
     * @throws StateException when there is none, or it has state
     */
    protected static void checkNew(final int slot, final boolean isNew, final String what)
    {
        if (slot < 0)
        {
            throw new StateException("there is no room for the state of a key, " + what);
        }
        if (!isNew)
        {
            throw new StateException("there is state of this key already, " + what);
        }
    }

    /**
     * The figures now.
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
     * Counts a batch that came in.
     *
     * @param rows its size
     */
    protected final void countIn(final int rows)
    {
        add(ROWS_IN, rows);
        add(BATCHES_IN, 1);
    }

    /**
     * Shows the size of a piece of state in the statistics.
     *
     * @param index place of its name
     * @param size  entries now
     */
    protected final void stateSize(final int index, final long size)
    {
        COUNTERS.setOpaque(counters, FIRST_OUTPUT + outputIds.length + index, size);
    }

    /**
     * Turns one row away.
     *
     * @param reason short word
     * @param detail what was being computed
     */
    protected final void reject(final String reason, final String detail)
    {
        add(ROWS_REJECTED, 1);
        rejection.reject(1, reason, detail);
    }

    /**
     * Turns one row away that finds no room in state.
     *
     * @param detail which bound is reached unless it is memory that is short
     */
    protected final void rejectFull(final String detail)
    {
        if (memory.lacksMemory())
        {
            reject(MemoryAccount.MEMORY_FULL, memory.shortage());
        }
        else
        {
            reject(RowRejection.STATE_FULL, detail);
        }
    }

    /**
     * Whether arrays of state that lie by code have something at one; generated where there are some.
     *
     * @param code of {@link PipelineBindings#strings()}
     * @return false when the code may serve another string
     */
    protected boolean hasState(final int code)
    {
        return false;
    }

    /**
     * The table of strings keeps codes as long as {@link #hasState} says.
     *
     * @param strings of the bindings
     * @return the same
     */
    protected final Codes kept(final Codes strings)
    {
        strings.keepWhile(this::hasState);
        return strings;
    }

    /**
     * Turns char columns to the next batch.
     *
     * @param in      rows
     * @param columns that state or comparisons need as codes
     */
    protected static void bind(final EventBatch in, final StringColumn[] columns)
    {
        for (final StringColumn column : columns)
        {
            column.bind(in);
        }
    }

    /**
     * Turns char columns to some rows of the next batch.
     *
     * @param in        rows
     * @param selection those to look at
     * @param count     how many
     * @param columns   that state or comparisons need as codes
     */
    protected static void bind(final EventBatch in, final int[] selection, final int count,
        final StringColumn[] columns)
    {
        for (final StringColumn column : columns)
        {
            column.bind(in, selection, count);
        }
    }

    /**
     * Makes the codes of char columns.
     *
     * @param columns   that must have codes
     * @param selection rows; {@code null} for those from 0
     * @param count     how many
     * @return false when there is no room for a string
     */
    protected static boolean makeCodes(final StringColumn[] columns, final int[] selection, final int count)
    {
        boolean all = true;
        for (final StringColumn column : columns)
        {
            all &= column.code(selection, count);
        }
        return all;
    }

    /**
     * Turns away the rows that have a string without a code.
     *
     * @param columns   that must have codes
     * @param selection rows to look at; {@code null} for those from 0
     * @param count     how many
     * @return how many are left, in {@link #codedRows()}
     */
    protected final int selectCoded(final StringColumn[] columns, final int[] selection, final int count)
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
            for (final StringColumn column : columns)
            {
                isCoded &= column.codes()[row] != Codes.FULL;
            }
            if (isCoded)
            {
                codedRows[left++] = row;
                continue;
            }
            rejectFull("more different strings than may be kept");
        }
        add(ROWS_IN, count - left);
        return left;
    }

    /**
     * The rows that {@link #selectCoded} has left.
     *
     * @return the array itself
     */
    protected final int[] codedRows()
    {
        return codedRows;
    }

    /**
     * Gives a batch to a sink, counts it and makes it empty.
     *
     * @param sink   of the query
     * @param output place of the query's counter
     * @param batch  rows, at least one
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
            // Also when a sink fails unexpectedly: rows that were given once are never given again.
            batch.clear();
        }
    }

    /**
     * Gives the rows of a lane to its sink, counts them and makes it empty.
     *
     * @param family statements that share lanes
     * @param lane   number of the lane
     */
    protected final void send(final FamilyOutputs family, final int lane)
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

    /**
     * Gives the rows of all lanes to their sinks.
     *
     * @param family statements that share lanes
     */
    protected final void sendAll(final FamilyOutputs family)
    {
        for (int lane = family.nextTouched(); lane != FamilyOutputs.NONE; lane = family.nextTouched())
        {
            send(family, lane);
        }
    }

    /**
     * Tells the sinks of a family that time has passed, each once.
     *
     * @param family statements that share lanes
     * @param timeNs no later row is older
     */
    protected final void heartbeat(final FamilyOutputs family, final long timeNs)
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
     * Tells a sink that time has passed.
     *
     * @param sink   of the query
     * @param output place of the query's counter
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
        final EventBatchSink sink, final EventBatch batch, final String queryId, final RowRejection rejection)
    {
        try
        {
            sink.onBatch(batch);
        }
        catch (final EventRejectedException refused)
        {
            rejection.reject(batch.size(), RowRejection.OUTPUT_REFUSED, "query=" + queryId + ": " +
                refused.getMessage());
        }
    }

    /**
     * Where assertions are on: fails when state still has something at a code that is about to be given back.
     *
     * @param state array
     * @param at    first word of the code
     * @param words how many
     */
    protected static void checkClear(final long[] state, final int at, final int words)
    {
        assert isClear(state, at, words) :
            "a code is given back whose state is not clear, please report this";
    }

    /**
     * Length of an array of state that must grow: at least doubled, so that growth is amortised.
     *
     * @param needed  slots
     * @param current length now
     * @return new length
     */
    protected static int grownLength(final int needed, final int current)
    {
        return (int)Math.min(Integer.MAX_VALUE - 8, Math.max(Math.max(16, needed), current * 2L));
    }

    /**
     * Where the next slice of state ends that moves to longer arrays: a 256th of the slots, or a few thousand where
     * that is more.
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
     * The value of a compensated sum. Once the sum is not finite its compensation says nothing.
     *
     * @param sum          running sum
     * @param compensation what rounding has taken from it
     * @return the sum
     */
    protected static double sum(final double sum, final double compensation)
    {
        final double value = sum + compensation;
        return value == value ? value : sum;
    }

    /**
     * Prepares an output batch for rows of a relation.
     *
     * @param in  input, says whether there are origins
     * @param out output batch
     */
    protected static void useRelation(final EventBatch in, final EventBatch out)
    {
        out.useTimestampPerRow();
        out.useKinds();
        if (in.hasOrigins())
        {
            out.useOrigins();
        }
    }

    /**
     * Copies times and origins of selected rows to the rows from 0 of an output batch.
     *
     * @param in        input
     * @param selection rows of the input
     * @param count     how many of them
     * @param out       output batch
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

    /**
     * Copies times and origins of all rows to an output batch.
     *
     * @param in    input
     * @param count its size
     * @param out   output batch
     */
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

    /**
     * Copies time and origin of one row.
     *
     * @param in    input
     * @param row   its row
     * @param out   output batch
     * @param outRow its row
     */
    protected static void copyTime(final EventBatch in, final int row, final EventBatch out, final int outRow)
    {
        out.useTimestampPerRow()[outRow] = in.timestampNs(row);
        if (in.hasOrigins())
        {
            out.useOrigins()[outRow] = in.originsNs()[row];
        }
    }
}
