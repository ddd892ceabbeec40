package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.IdleStateSweeper;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.row.RowRejectedException;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.state.StateSchema;
import java.util.Arrays;

/**
 * A pattern whose attempts (partial matches) are records. Generated subclasses add the loop over the attempts of a
 * partition, conditions and measures.
 *
 * <p>The first long of a partition contains its first attempt in the high half, {@link #NONE} without one; the low half
 * contains null flags and {@link #ARMED}. The first long of an attempt contains flags from bit {@link #FLAG_SHIFT} on,
 * its position in the 16 bits from bit {@link #POSITION_SHIFT} on, and the next attempt of its partition in the low
 * half.
 *
 * <p>Confined to the engine thread. Ownership: rows are lent for the call. Failure: a row for which a condition cannot
 * be computed is rejected and changes nothing; a match whose measures cannot be computed is rejected; attempts beyond
 * the maximum are not followed and counted as {@link #TOO_MANY_RUNS}. While the instance is short of memory, rows of
 * new partitions and additional attempts are rejected with {@link MemoryAccount#MEMORY_FULL}; existing ones continue.
 */
public abstract class AttemptPattern implements DeadlineWheel.Owner, RowAggregates.Rows
{
    /** Reason for partial matches that are not followed. */
    public static final String TOO_MANY_RUNS = "pattern-too-many-candidates";
    /** Reason for a match after which the search cannot resume as the statement specifies. */
    public static final String BAD_SKIP = "pattern-skip";
    /** Reason for a first row whose column is not a valid interval. */
    public static final String NO_DURATION = "pattern-duration";
    /** No attempt, no partition. */
    public static final int NONE = -1;
    /** Position of an attempt that is complete: it is a match unless an older attempt takes its rows. */
    public static final int DONE = 0xfffe;
    /** Position of an attempt that has failed. */
    public static final int DEAD = 0xffff;
    /** Shift of the position of an attempt. */
    public static final int POSITION_SHIFT = 32;
    /** Mask of a position. */
    public static final int POSITIONS = 0xffff;
    /** Shift of the flags of an attempt. */
    public static final int FLAG_SHIFT = 48;
    /** Mask of the low half of a long. */
    public static final long LOW = 0xffffffffL;
    /** Flag of a partition that has a deadline. */
    public static final long ARMED = 1L << 31;

    private static final int FIRST_PATH = 16;

    protected final PartitionTable partitions;
    protected final AttemptSlab attempts;
    protected final MatchOutput output;
    /** Deadlines at which attempts end without a row; {@code null} when they never do. */
    protected final DeadlineWheel deadlines;
    /** Maximum number of attempts per partition. */
    protected final int maxAttempts;
    /** Codes of the strings in keys. */
    protected final PartitionKeyStrings keyStrings;
    /** Number of the current row in the stream. */
    protected long arrival;
    /** Time of the current row. */
    protected long nowNs;

    /** Rows that are undecided or may be read; {@code null} when none are stored. */
    protected final RowQueues queues;
    /** Labelings of the current row, where one may arise in two ways. */
    protected final DistinctLabellings labellings = new DistinctLabellings();
    /** Records of a match, as found by {@link #findPath}. */
    protected int[] path = new int[FIRST_PATH];

    private final AttemptContext setup;
    private final MemoryAccount memory;
    private final RowAggregates aggregates;
    private int firstRow = NONE;
    private int lastRow = NONE;
    private final IdleStateSweeper idle;
    private final AttemptRecordShape shape;
    private StateSchema known = StateSchema.NONE;

    protected AttemptPattern(final AttemptContext setup, final AttemptRecordShape shape)
    {
        this.setup = setup;
        this.shape = shape;
        memory = setup.memory();
        keyStrings = new PartitionKeyStrings(shape.keyTexts(), memory);
        setup.results().texts(keyStrings);
        partitions = new PartitionTable(shape.partitionWords(), shape.partitionReferences(), shape.keyWords(),
            shape.keyReferences(), shape.keyFlags(), keyStrings, memory);
        attempts = shape.attemptWords() == 0 ? null :
            new AttemptSlab(shape.attemptWords(), shape.attemptReferences(), shape.hasHistory(), memory);
        queues = shape.queued() == null ? null :
            new RowQueues(shape.queued(), memory);
        aggregates = new RowAggregates(setup.aggregates(), this);
        output = new MatchOutput(setup.results(), setup.target(), shape.isOrdered(), shape.isTimed());
        deadlines = shape.rangeNs() == 0 ? null : new DeadlineWheel(this, shape.rangeNs(), memory);
        maxAttempts = setup.maxAttempts();
        idle = setup.idleNs() > 0 && shape.keyWords() + shape.keyReferences() > 0 && !shape.isBounded() ?
            new IdleStateSweeper(setup.idleNs(), memory) : null;
    }

    /**
     * Processes rows of a batch; {@link #endOfRows} follows.
     *
     * @param batch   lent; its columns are those of the input
     * @param timesNs time of each row; never decreasing
     * @param rows    row numbers in the batch
     * @param count   number of rows
     */
    public abstract void take(EventBatch batch, long[] timesNs, int[] rows, int count);

    /**
     * Emits the rows of a match with {@link #addRow}.
     *
     * @param attempt its record, {@link #NONE} when it is part of the partition
     */
    protected abstract void match(int partition, int attempt);

    /**
     * Computes a row of a match.
     *
     * @param record  of the row of the match
     * @param attempt the record of its last row, {@link #NONE} when it is part of the partition
     * @param out     contains the row
     * @param row     new, all null
     */
    protected abstract void measures(int partition, int record, int attempt, MatchRows out, int row);

    /**
     * Computes the output row for a row without a match.
     *
     * @param row id in {@link #queues}
     * @param out contains the output row
     * @param to  new, all null
     */
    protected void unmatched(final int row, final MatchRows out, final int to)
    {
        throw new IllegalStateException("internal error, please report it: a pattern without rows got a request");
    }

    @Override
    public final int previous(final int row)
    {
        return attempts.previous(row);
    }

    @Override
    public int variable(final int row)
    {
        throw new IllegalStateException("internal error, please report it: a record has no variable");
    }

    @Override
    public Object argument(final int aggregate, final int index, final int partition, final int row,
        final int variable)
    {
        throw new IllegalStateException("internal error, please report it: an aggregate has no arguments");
    }

    /**
     * An aggregate over all rows up to a record, and the current row.
     *
     * @param number   index of the aggregate
     * @param record   negative for none
     * @param variable of the current row, negative when it does not count
     * @return value, {@code null} for null
     */
    protected final Object aggregate(final int number, final int partition, final int record, final int variable)
    {
        return aggregates.value(number, partition, record, variable);
    }

    /**
     * Finds the records of the rows of a match.
     *
     * @param attempt record of its last row
     * @return their number; they are in {@link #path}, the last one first
     */
    protected final int findPath(final int attempt)
    {
        int length = 0;
        for (int record = attempt; record != NONE; record = attempts.previous(record))
        {
            if (length == path.length)
            {
                path = Arrays.copyOf(path, length * 2);
            }
            path[length++] = record;
        }
        return length;
    }

    /** Ends the attempts of a partition: those that are complete are matches. */
    protected abstract void end(int partition);

    /** Discards the attempts of a partition and its data about earlier rows. */
    protected abstract void clear(int partition);

    /**
     * Whether the test includes a partition.
     *
     * @param column input column, part of the key
     */
    protected abstract boolean isAmong(int partition, PartitionPredicate test, int column);

    /**
     * Advances time.
     *
     * @param closedNs no row of this time or before will arrive; never decreases
     */
    public final void progress(final long closedNs)
    {
        if (deadlines != null)
        {
            deadlines.advance(closedNs);
        }
        output.release(closedNs);
    }

    /**
     * Emits matches that are decided but wait for others: no further rows will arrive.
     *
     * @param closedNs progress of time
     */
    public final void finish(final long closedNs)
    {
        output.finish(closedNs);
    }

    /**
     * Discards partitions; matches that were decided stay decided.
     *
     * @param column input column, part of the key
     */
    public final void forget(final PartitionPredicate test, final int column)
    {
        for (final int partition : partitions.select(each -> isAmong(each, test, column)))
        {
            clearAndRemove(partition);
        }
    }

    private void clearAndRemove(final int partition)
    {
        clear(partition);
        // Otherwise its deadline finds it empty.
        if ((partitions.chunk(partition)[partitions.at(partition)] & ARMED) == 0)
        {
            remove(partition);
        }
    }

    /** Ends a partition for which no row arrived for the idle state time. */
    private void endIdle(final int partition)
    {
        end(partition);
        clearAndRemove(partition);
    }

    /** Removes a partition without state. */
    protected final void remove(final int partition)
    {
        partitions.remove(partition);
        if (idle != null)
        {
            idle.gone(partition);
        }
    }

    /** Records that a row of a partition has arrived. */
    protected final void touch(final int partition)
    {
        if (idle != null)
        {
            idle.touched(partition, nowNs);
        }
    }

    /**
     * Cleans up after the rows of a call: discards idle partitions, and strings that no partition uses.
     *
     * @param rows number of rows
     */
    public final void endOfRows(final int rows)
    {
        if (idle != null)
        {
            idle.sweep(nowNs, rows, this::endIdle);
        }
        keyStrings.endOfBatch();
    }

    /** Partitions discarded because no row arrived for the idle state time. */
    public final long forgottenKeys()
    {
        return idle == null ? 0 : idle.forgotten();
    }

    /** Number of stored records. */
    public final long stateSize()
    {
        return partitions.size() + (attempts == null ? 0 : attempts.size()) + (queues == null ? 0 : queues.size());
    }

    /**
     * Adds a partition with the current key.
     *
     * @return its id, {@link #NONE} when the maximum is reached
     */
    protected final int addPartition()
    {
        if (!partitions.hasRoom())
        {
            rejectForMemory();
            return NONE;
        }
        if (partitions.size() >= setup.maxPartitions())
        {
            reject(RejectionHandler.STATE_FULL, "more partitions than may be kept, maxPartitions=" +
                setup.maxPartitions());
            return NONE;
        }
        return partitions.add();
    }

    /**
     * Emits the match of an attempt.
     *
     * @param attempt its record, {@link #NONE} when it is part of the partition
     * @param end     its index in the output where matches leave in order of time, otherwise its time
     */
    protected final void report(final int partition, final int attempt, final long end)
    {
        match(partition, attempt);
        putOut(end);
    }

    private void putOut(final long end)
    {
        final int row = firstRow;
        firstRow = NONE;
        lastRow = NONE;
        if (!shape.isOrdered())
        {
            if (row != NONE)
            {
                output.putOut(row, end);
            }
        }
        else if (row == NONE)
        {
            output.cancel((int)end);
        }
        else
        {
            output.fill((int)end, row);
        }
    }

    /** Emits a row of a match. The parameters are those of {@link #measures}. */
    protected final void addRow(final int partition, final int record, final int attempt)
    {
        int row = NONE;
        try
        {
            row = setup.results().add();
            measures(partition, record, attempt, setup.results(), row);
            chain(row);
        }
        catch (final RowRejectedException cause)
        {
            rejectResult(row, cause);
        }
    }

    private void chain(final int row)
    {
        if (firstRow == NONE)
        {
            firstRow = row;
        }
        else
        {
            setup.results().chain(lastRow, row);
        }
        lastRow = row;
    }

    private void rejectResult(final int row, final RowRejectedException cause)
    {
        if (row != NONE)
        {
            setup.results().free(row);
        }
        reject(cause);
    }

    /**
     * Takes note of a match that ends with the present row.
     *
     * @param queue of its partition
     * @param start number of its first row in the stream
     */
    protected final void noteMatch(final long queue, final long start)
    {
        queues.match(queue, start, output);
    }

    /**
     * Emits a row without match.
     *
     * @param queued id in {@link #queues}
     */
    protected final void reportUnmatched(final int queued)
    {
        int row = NONE;
        try
        {
            row = setup.results().add();
            unmatched(queued, setup.results(), row);
            chain(row);
        }
        catch (final RowRejectedException cause)
        {
            rejectResult(row, cause);
        }
        putOut(shape.isOrdered() ? queues.outputIndex(queued) : queues.timeNs(queued));
    }

    /** Rejects a row or a match. */
    protected final void reject(final RowRejectedException cause)
    {
        reject(cause.reason(), cause.getMessage());
    }

    /**
     * Counts attempts that are not followed.
     *
     * @param count may be 0
     */
    protected final void rejectAttempts(final int count)
    {
        if (count > 0)
        {
            reject(TOO_MANY_RUNS, tooMany(count, maxAttempts));
        }
    }

    /**
     * Counts a match after which the search cannot resume as the statement specifies: it resumes after the match.
     *
     * @param isFirst whether it would resume at the first row of the match; otherwise the row does not exist
     */
    protected final void rejectSkip(final boolean isFirst)
    {
        reject(BAD_SKIP, isFirst ? "AFTER MATCH SKIP: the variable has the first row of the match" :
            "AFTER MATCH SKIP: the variable has no row in the match");
    }

    /**
     * The detail of a rejection for attempts that are not followed.
     *
     * @param count       number of attempts
     * @param maxAttempts maximum
     */
    public static String tooMany(final int count, final int maxAttempts)
    {
        return "partial matches of one partition are not followed any further, number=" + count + " max-attempts=" +
            maxAttempts + "; give the pattern WITHIN or conditions that exclude each other, or raise max-attempts";
    }

    /** Rejects a row or attempts that may need memory while none is available. */
    protected final void rejectForMemory()
    {
        reject(MemoryAccount.MEMORY_FULL, memory.shortage());
    }

    /** Counts a row that starts no attempt because its column is not a valid interval. */
    protected final void rejectDuration(final boolean isNull, final long value)
    {
        reject(NO_DURATION, "DURATION by a column: no attempt begins with a row whose column is null or not above 0, " +
            "value=" + (isNull ? "null" : Long.toString(value)));
    }

    private void reject(final String reason, final String detail)
    {
        setup.faults().accept(reason, detail);
    }

    /** Describes the layout of its state; called once, when it is created. */
    public final void shape(final StateSchema of)
    {
        known = of;
    }

    /** Writes its state. */
    final void write(final StateOutput to)
    {
        known.write(to);
        to.writeLong(arrival);
        to.writeLong(nowNs);
        keyStrings.forgetNumbers();
        partitions.write(to);
        keyStrings.forgetNumbers();
        if (attempts != null)
        {
            attempts.write(to, null);
        }
        if (queues != null)
        {
            queues.write(to);
        }
        to.writeLong(labellings.last());
        output.write(to);
        if (deadlines != null)
        {
            deadlines.write(to);
        }
        to.writeBoolean(idle != null);
        if (idle != null)
        {
            idle.write(to);
        }
    }

    /**
     * Restores the state that an instance of the same class has written.
     *
     * @throws StateException when it was written by another class, or is corrupt
     */
    final void read(final StateInput from)
    {
        known.check(from);
        arrival = from.readLong();
        nowNs = from.readLong();
        keyStrings.forgetNumbers();
        partitions.read(from);
        keyStrings.forgetNumbers();
        if (attempts != null)
        {
            attempts.read(from, null);
        }
        if (queues != null)
        {
            queues.read(from);
        }
        labellings.last(from.readLong());
        output.read(from);
        if (deadlines != null)
        {
            deadlines.read(from);
        }
        if (from.readBoolean() != (idle != null))
        {
            throw new StateException("state with another idle state time cannot be read");
        }
        if (idle != null)
        {
            idle.read(from);
        }
        keyStrings.endOfBatch();
    }
}
