package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.IdleSweep;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.flow.RowRejectedException;
import dev.millrace.cql.runtime.state.PartitionTest;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.state.StateShape;
import java.util.Arrays;

/**
 * A pattern whose attempts are records; generated classes add the walk over the attempts of a partition, conditions and
 * measures.
 *
 * <p>The first long of a partition has its first attempt in the high half, {@link #NONE} without; in the low half flags
 * of what is null, and {@link #ARMED}. The first long of an attempt has flags from bit {@link #FLAG_SHIFT} on, its
 * position in the 16 bits from bit {@link #POSITION_SHIFT} on, and the next attempt of its partition in the low half.
 *
 * <p>Threads: the engine's. Ownership: rows are lent for the call. Failure: a row that a condition cannot be computed
 * for is rejected and leaves no trace; so is a match whose measures cannot be computed; attempts beyond the bound are
 * not followed and counted as {@link #TOO_MANY_RUNS}. While the instance is short of memory, rows of new
 * partitions and further attempts are rejected with {@link MemoryAccount#MEMORY_FULL}; those that are there go on.
 */
public abstract class AttemptPattern implements Deadlines.Owner, RowAggregates.Rows
{
    /** Reason of partial matches that are not followed. */
    public static final String TOO_MANY_RUNS = "pattern-too-many-candidates";
    /** Reason of a match after which the search cannot go on as the statement says. */
    public static final String BAD_SKIP = "pattern-skip";
    /** Reason of a first row whose column says no length of time. */
    public static final String NO_DURATION = "pattern-duration";
    /** No attempt, no partition. */
    public static final int NONE = -1;
    /** Position of an attempt that goes no further and is a match unless an older one takes its rows. */
    public static final int DONE = 0xfffe;
    /** Position of an attempt that has failed. */
    public static final int DEAD = 0xffff;
    /** Where the position of an attempt lies. */
    public static final int POSITION_SHIFT = 32;
    /** Bits of a position. */
    public static final int POSITIONS = 0xffff;
    /** Where the flags of an attempt lie. */
    public static final int FLAG_SHIFT = 48;
    /** Low half of a long. */
    public static final long LOW = 0xffffffffL;
    /** The flag of a partition that has a deadline set. */
    public static final long ARMED = 1L << 31;

    private static final int FIRST_PATH = 16;

    /** Its partitions. */
    protected final PartitionTable partitions;
    /** Its attempts. */
    protected final AttemptSlab attempts;
    /** Where matches go. */
    protected final MatchOutput output;
    /** When attempts end without a row; {@code null} when they never do. */
    protected final Deadlines deadlines;
    /** Attempts that a partition may have. */
    protected final int maxAttempts;
    /** Codes of the texts in keys. */
    protected final KeyTexts texts;
    /** Number of the row at hand in the stream. */
    protected long arrival;
    /** Time of the row at hand. */
    protected long nowNs;

    /** Rows that are undecided or may be read; {@code null} where none are kept. */
    protected final RowQueues queues;
    /** Labellings of the row at hand, where one may come about in two ways. */
    protected final KnownLabellings labellings = new KnownLabellings();
    /** Where the last record of a match is, from its first row on. */
    protected int[] path = new int[FIRST_PATH];

    private final AttemptSetup setup;
    private final MemoryAccount memory;
    private final RowAggregates aggregates;
    private int firstRow = NONE;
    private int lastRow = NONE;
    private final IdleSweep idle;
    private final AttemptShape shape;
    private StateShape known = StateShape.NONE;

    /**
     * Makes a pattern without state.
     *
     * @param setup what it is tied to
     * @param shape of its records
     */
    protected AttemptPattern(final AttemptSetup setup, final AttemptShape shape)
    {
        this.setup = setup;
        this.shape = shape;
        memory = setup.memory();
        texts = new KeyTexts(shape.keyTexts(), memory);
        partitions = new PartitionTable(shape.partitionWords(), shape.partitionReferences(), shape.keyWords(),
            shape.keyReferences(), shape.keyFlags(), texts, memory);
        attempts = shape.attemptWords() == 0 ? null :
            new AttemptSlab(shape.attemptWords(), shape.attemptReferences(), shape.hasHistory(), memory);
        queues = shape.queued() == null ? null :
            new RowQueues(shape.queued(), memory);
        aggregates = new RowAggregates(setup.aggregates(), this);
        output = new MatchOutput(setup.results(), setup.target(), shape.isOrdered(), shape.isTimed());
        deadlines = shape.rangeNs() == 0 ? null : new Deadlines(this, shape.rangeNs(), memory);
        maxAttempts = setup.maxAttempts();
        idle = setup.idleNs() > 0 && shape.keyWords() + shape.keyReferences() > 0 && !shape.isBounded() ?
            new IdleSweep(setup.idleNs(), memory) : null;
    }

    /**
     * Takes rows of a batch; {@link #endOfRows} follows.
     *
     * @param batch   lent; its columns are those of the input
     * @param timesNs time of each row; they never decrease
     * @param rows    places of the rows in the batch
     * @param count   how many
     */
    public abstract void take(EventBatch batch, long[] timesNs, int[] rows, int count);

    /**
     * Puts out what a match is, by {@link #addRow}.
     *
     * @param partition of the match
     * @param attempt   its record, {@link #NONE} when it is part of the partition
     */
    protected abstract void match(int partition, int attempt);

    /**
     * Computes a row of a match.
     *
     * @param partition of the match
     * @param record    of the row of the match
     * @param attempt   the record of its last row, {@link #NONE} when it is part of the partition
     * @param out       where the row is
     * @param row       fresh, all null
     */
    protected abstract void measures(int partition, int record, int attempt, MatchRows out, int row);

    /**
     * Computes the row for a row without match.
     *
     * @param row id in {@link #queues}
     * @param out where the row is
     * @param to  fresh, all null
     */
    protected void unmatched(final int row, final MatchRows out, final int to)
    {
        throw new IllegalStateException("our bug, please report it: a pattern without rows was asked for one");
    }

    @Override
    public final int previous(final int row)
    {
        return attempts.previous(row);
    }

    @Override
    public int variable(final int row)
    {
        throw new IllegalStateException("our bug, please report it: a record does not know its variable");
    }

    @Override
    public Object argument(final int aggregate, final int index, final int partition, final int row,
        final int variable)
    {
        throw new IllegalStateException("our bug, please report it: an aggregate has no arguments");
    }

    /**
     * An aggregate over all rows up to a record, and the row at hand.
     *
     * @param number    of the aggregate
     * @param partition of the match
     * @param record    negative for none
     * @param variable  of the row at hand, negative when it does not count
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
     * @return how many there are in {@link #path}, the last one first
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

    /**
     * Lets the attempts of a partition get no further rows: those that are complete are matches.
     *
     * @param partition its id
     */
    protected abstract void end(int partition);

    /**
     * Drops the attempts of a partition and what it knows of earlier rows.
     *
     * @param partition its id
     */
    protected abstract void clear(int partition);

    /**
     * Whether a partition is among some.
     *
     * @param partition its id
     * @param test      which
     * @param column    of the input, one of the key
     * @return true when it is
     */
    protected abstract boolean isAmong(int partition, PartitionTest test, int column);

    /**
     * Lets time pass.
     *
     * @param closedNs no row of this time or before will come any more; never decreases
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
     * Lets out what is decided but waits for others: nothing more will come.
     *
     * @param closedNs how far time has come
     */
    public final void finish(final long closedNs)
    {
        output.finish(closedNs);
    }

    /**
     * Forgets partitions; matches that were decided stay decided.
     *
     * @param test   which
     * @param column of the input, one of the key
     */
    public final void forget(final PartitionTest test, final int column)
    {
        for (final int partition : partitions.select(each -> isAmong(each, test, column)))
        {
            clearAndRemove(partition);
        }
    }

    private void clearAndRemove(final int partition)
    {
        clear(partition);
        // Else its deadline finds it empty.
        if ((partitions.chunk(partition)[partitions.at(partition)] & ARMED) == 0)
        {
            remove(partition);
        }
    }

    /** No row has come for an idle state time. */
    private void endIdle(final int partition)
    {
        end(partition);
        clearAndRemove(partition);
    }

    /**
     * Removes a partition that holds nothing.
     *
     * @param partition its id
     */
    protected final void remove(final int partition)
    {
        partitions.remove(partition);
        if (idle != null)
        {
            idle.gone(partition);
        }
    }

    /**
     * Takes note that a row of a partition has come.
     *
     * @param partition its id
     */
    protected final void touch(final int partition)
    {
        if (idle != null)
        {
            idle.touched(partition, nowNs);
        }
    }

    /**
     * Forgets what the rows of a call have left: partitions that are idle, texts that no partition has.
     *
     * @param rows that have come
     */
    public final void endOfRows(final int rows)
    {
        if (idle != null)
        {
            idle.sweep(nowNs, rows, this::endIdle);
        }
        texts.endOfBatch();
    }

    /**
     * Partitions that were forgotten since no row came for an idle state time.
     *
     * @return at least 0
     */
    public final long forgottenKeys()
    {
        return idle == null ? 0 : idle.forgotten();
    }

    /**
     * Records that are kept.
     *
     * @return at least 0
     */
    public final long stateSize()
    {
        return partitions.size() + (attempts == null ? 0 : attempts.size()) + (queues == null ? 0 : queues.size());
    }

    /**
     * Adds a partition with the key at hand.
     *
     * @return its id, {@link #NONE} when there is no room
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
            reject(RowRejection.STATE_FULL, "more partitions than may be kept, maxPartitions=" +
                setup.maxPartitions());
            return NONE;
        }
        return partitions.add();
    }

    /**
     * Puts out the match that an attempt is.
     *
     * @param partition of the match
     * @param attempt   its record, {@link #NONE} when it is part of the partition
     * @param end       its place in the output where matches leave in the order of times, else its time
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

    /**
     * Puts out a row of a match.
     *
     * @param partition as in {@link #measures}
     * @param record    as in {@link #measures}
     * @param attempt   as in {@link #measures}
     */
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
     * Puts out a row without match.
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
        putOut(shape.isOrdered() ? queues.place(queued) : queues.timeNs(queued));
    }

    /**
     * Turns a row away, or a match.
     *
     * @param cause why
     */
    protected final void reject(final RowRejectedException cause)
    {
        reject(cause.reason(), cause.getMessage());
    }

    /**
     * Counts attempts that are not followed.
     *
     * @param count how many; none is fine
     */
    protected final void rejectAttempts(final int count)
    {
        if (count > 0)
        {
            reject(TOO_MANY_RUNS, tooMany(count, maxAttempts));
        }
    }

    /**
     * Counts a match after which the search cannot go on as the statement says: it goes on behind it.
     *
     * @param isFirst whether it would go on at the first row of the match, else there is no such row
     */
    protected final void rejectSkip(final boolean isFirst)
    {
        reject(BAD_SKIP, isFirst ? "AFTER MATCH SKIP: the variable has the first row of the match" :
            "AFTER MATCH SKIP: the variable has no row in the match");
    }

    /**
     * What a user needs to know about attempts that are not followed.
     *
     * @param count       how many
     * @param maxAttempts bound
     * @return detail for a rejection
     */
    public static String tooMany(final int count, final int maxAttempts)
    {
        return "partial matches of one partition are not followed any further, number=" + count + " max-attempts=" +
            maxAttempts + "; give the pattern WITHIN or conditions that exclude each other, or raise max-attempts";
    }

    /** Turns a row or attempts away that may need memory when there is none. */
    protected final void rejectForMemory()
    {
        reject(MemoryAccount.MEMORY_FULL, memory.shortage());
    }

    /** Counts a row with which no attempt begins, as its column says no length of time. */
    protected final void rejectDuration(final boolean isNull, final long value)
    {
        reject(NO_DURATION, "DURATION by a column: no attempt begins with a row whose column is null or not above 0, " +
            "value=" + (isNull ? "null" : Long.toString(value)));
    }

    private void reject(final String reason, final String detail)
    {
        setup.faults().accept(reason, detail);
    }

    /**
     * Learns by what its state is known again, when it is made.
     *
     * @param of its class
     */
    public final void shape(final StateShape of)
    {
        known = of;
    }

    /**
     * Writes all that it keeps.
     *
     * @param to takes it
     */
    final void write(final StateOutput to)
    {
        known.write(to);
        to.writeLong(arrival);
        to.writeLong(nowNs);
        texts.forgetNumbers();
        partitions.write(to);
        texts.forgetNumbers();
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
     * Takes over what another one of the same class has written.
     *
     * @param from gives it
     * @throws StateException when it was written by another class, or makes no sense
     */
    final void read(final StateInput from)
    {
        known.check(from);
        arrival = from.readLong();
        nowNs = from.readLong();
        texts.forgetNumbers();
        partitions.read(from);
        texts.forgetNumbers();
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
        texts.endOfBatch();
    }
}
