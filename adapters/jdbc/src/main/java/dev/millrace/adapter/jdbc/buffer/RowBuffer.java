package dev.millrace.adapter.jdbc.buffer;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventRejectedException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Rows between channel and writer, in order: blocks in memory, then blocks in files, then the block that is being
 * filled.
 *
 * <p>Threads: a single lock. Channels hold it while they copy columns, the writer while it takes or returns blocks; it
 * is
 * never held during a database call. Bounds: blocks in memory, bytes in files. Failure: a batch that does not fit is
 * rejected as a whole.
 */
public final class RowBuffer
{
    private static final int SCHEMAS = 64;

    private final SinkSettings settings;
    private final SinkCounters counters;
    private final int maxBlocks;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition freed = lock.newCondition();
    private final Condition emptied = lock.newCondition();
    private final Deque<RowBlock> blocks = new ArrayDeque<>();
    private final Deque<RowBlock> free = new ArrayDeque<>();
    private final Map<BatchSchema, int[]> sources = new HashMap<>();
    private final SpillReader spilled;
    private RowLayout layout;
    private RowBlock tail;
    private int taken;
    private long memoryRows;
    private long wanted = Long.MAX_VALUE;
    private boolean isClosing;

    /**
     * Creates a buffer.
     *
     * @param spill    files; {@code null} when there is no directory for them
     * @param layout   columns; {@code null} to derive them from the first batch
     */
    public RowBuffer(final SinkSettings settings, final SinkCounters counters, final Spill spill,
        final RowLayout layout)
    {
        this.settings = settings;
        this.counters = counters;
        this.layout = layout;
        spilled = new SpillReader(spill, settings, counters, lock);
        maxBlocks = Math.max(1, settings.bufferRows() / RowBlock.CAPACITY);
    }

    /** The columns, {@code null} until they are known. */
    public RowLayout layout()
    {
        lock.lock();
        try
        {
            return layout;
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Adds the rows of a batch, all or none. */
    public void add(final EventBatch batch) throws EventRejectedException
    {
        lock.lock();
        try
        {
            final int[] source = source(batch.schema());
            awaitRoom(batch.size());
            final int head = Math.min(batch.size(), RowBlock.CAPACITY - tail.size());
            append(batch, source, 0, head);
            if (head < batch.size())
            {
                sealWithout(head, batch.size());
                append(batch, source, head, batch.size() - head);
            }
            counters.received.addAndGet(batch.size());
            memoryRows += batch.size();
            if (memoryRows >= wanted)
            {
                filled.signal();
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    private int[] source(final BatchSchema schema) throws EventRejectedException
    {
        int[] source = sources.get(schema);
        if (source == null)
        {
            try
            {
                if (layout == null)
                {
                    layout = RowLayout.of(schema.type(), settings.columns());
                }
                if (settings.whenFull() == OverflowPolicy.SPILL && !SpillCodec.canWrite(layout))
                {
                    throw new JdbcAdapterException(JdbcErrorCode.EVENTS,
                        "values of type object cannot wait in files, type=" +
                        schema.type().name(), "set instance property whenFull to block or reject, or leave the " +
                        "property out by instance property columns", null);
                }
                source = layout.sourceColumns(schema);
            }
            catch (final JdbcAdapterException e)
            {
                throw new EventRejectedException(e.getMessage(), e);
            }
            if (sources.size() < SCHEMAS)
            {
                sources.put(schema, source);
            }
        }
        if (tail == null)
        {
            tail = newBlock();
        }
        return source;
    }

    private RowBlock newBlock()
    {
        final RowBlock block = free.poll();
        return block == null ? new RowBlock(layout) : block;
    }

    private void append(final EventBatch batch, final int[] source, final int from, final int count)
    {
        final int first = tail.size();
        tail.add(batch, source, from, count);
        final boolean hasKeys = !settings.keys().isEmpty();
        if (!batch.hasKinds())
        {
            tail.operations(first, count, settings.mode().ofStream());
            return;
        }
        for (int i = 0; i < count; i++)
        {
            tail.operations(first + i, 1, settings.mode().of(batch.kind(from + i), hasKeys));
        }
    }

    private boolean hasMemory()
    {
        return blocks.size() + taken < maxBlocks && (filesFirst() || spilled.isEmpty());
    }

    /** Whether files contain only rows of an earlier run, which are older than all rows in memory. */
    private boolean filesFirst()
    {
        return settings.whenFull() != OverflowPolicy.SPILL;
    }

    private void awaitRoom(final int rows) throws EventRejectedException
    {
        while (true)
        {
            if (isClosing)
            {
                throw refused(rows, "the sink has ended", "start the application again", null);
            }
            if (rows <= RowBlock.CAPACITY - tail.size() || hasMemory() || settings.whenFull() == OverflowPolicy.SPILL)
            {
                return;
            }
            if (settings.whenFull() == OverflowPolicy.REJECT)
            {
                throw refused(rows, "the buffer is full, bufferRows=" + settings.bufferRows(),
                    hint(), null);
            }
            try
            {
                freed.await();
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
                throw refused(rows, "the thread was interrupted while it waited for free capacity", hint(), e);
            }
        }
    }

    private String hint()
    {
        final String trouble = counters.trouble();
        return trouble.isEmpty() ? "raise bufferRows, or batchRows if the database is too slow" :
            "the database does not accept rows: " + trouble;
    }

    private EventRejectedException refused(final int rows, final String fact, final String next, final Exception cause)
    {
        counters.rejected.addAndGet(rows);
        return new EventRejectedException(
            JdbcErrorCode.FULL.message(fact + ", stage=" + settings.stage() + " rows=" + rows, next), cause);
    }

    /** Stores the full block. If that fails, removes the rows just added to it. */
    private void sealWithout(final int head, final int rows) throws EventRejectedException
    {
        try
        {
            seal();
        }
        catch (final IOException e)
        {
            tail.size(tail.size() - head);
            throw refused(rows, "memory is full and rows cannot be written to files, directory=" +
                settings.spillDirectory() + " cause=" + e.getMessage(), hint(), e);
        }
    }

    private void seal() throws IOException
    {
        if (hasMemory())
        {
            blocks.add(tail);
            tail = newBlock();
            return;
        }
        spilled.write(tail);
        memoryRows -= tail.size();
        tail.clear();
    }

    /**
     * Takes rows for a transaction; waits until there are some.
     *
     * @return blocks in order; empty when the buffer is closed and empty
     */
    public List<RowBlock> take() throws InterruptedException
    {
        final List<RowBlock> batch = new ArrayList<>();
        lock.lockInterruptibly();
        try
        {
            awaitRows();
            while (waiting() > 0 && batch.isEmpty())
            {
                takeRows(batch);
                if (batch.isEmpty())
                {
                    // All waiting rows were in files that cannot be read.
                    signalIfEmpty();
                    awaitRows();
                }
            }
        }
        finally
        {
            lock.unlock();
        }
        spilled.load(batch);
        return batch;
    }

    private void takeRows(final List<RowBlock> batch)
    {
        int rows = filesFirst() ? spilled.take(batch, 0, this::newBlock) : 0;
        if (rows == 0)
        {
            rows = takeBlocks(batch);
            if (blocks.isEmpty())
            {
                rows += spilled.take(batch, rows, this::newBlock);
            }
            takeTail(batch, rows);
        }
    }

    private void takeTail(final List<RowBlock> batch, final int rows)
    {
        final boolean isNext = blocks.isEmpty() && (rows == 0 || spilled.isEmpty());
        if (isNext && tail != null && tail.size() > 0 && (rows == 0 || rows + tail.size() <= settings.batchRows()))
        {
            batch.add(tail);
            taken++;
            tail = newBlock();
        }
    }

    private void awaitRows() throws InterruptedException
    {
        wanted = 1;
        while (waiting() == 0 && !isClosing)
        {
            filled.await();
        }
        wanted = Math.min(settings.batchRows(), (long)maxBlocks * RowBlock.CAPACITY);
        long leftNs = TimeUnit.MILLISECONDS.toNanos(settings.batchMillis());
        while (waiting() < wanted && leftNs > 0 && !isClosing)
        {
            leftNs = filled.awaitNanos(leftNs);
        }
        wanted = Long.MAX_VALUE;
    }

    private int takeBlocks(final List<RowBlock> batch)
    {
        int rows = 0;
        while (!blocks.isEmpty() && (rows == 0 || rows + blocks.peek().size() <= settings.batchRows()))
        {
            final RowBlock block = blocks.poll();
            rows += block.size();
            batch.add(block);
            taken++;
        }
        return rows;
    }

    /** Number of waiting rows, including those taken by the writer. */
    public long waiting()
    {
        lock.lock();
        try
        {
            return memoryRows + spilled.rows();
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Number of rows in files. */
    public long spilled()
    {
        lock.lock();
        try
        {
            return spilled.rows();
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Returns blocks whose rows have been written. */
    public void done(final List<RowBlock> batch)
    {
        lock.lock();
        try
        {
            for (final RowBlock block : batch)
            {
                if (block.place() != null)
                {
                    spilled.done(block.place());
                }
                else
                {
                    memoryRows -= block.size();
                    taken--;
                }
                block.clear();
                free.add(block);
            }
            freed.signalAll();
            signalIfEmpty();
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Signals only when the buffer is empty: waking a thread earlier would cost the writer time. */
    private void signalIfEmpty()
    {
        if (memoryRows + spilled.rows() == 0)
        {
            emptied.signalAll();
        }
    }

    /** Waits until all rows are written; for benchmarks and tests. */
    public boolean awaitEmpty(final long time, final TimeUnit unit) throws InterruptedException
    {
        long leftNs = unit.toNanos(time);
        lock.lockInterruptibly();
        try
        {
            while (memoryRows + spilled.rows() > 0 && leftNs > 0)
            {
                leftNs = emptied.awaitNanos(leftNs);
            }
            return memoryRows + spilled.rows() == 0;
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Rejects further rows and wakes all waiting threads. */
    public void close()
    {
        lock.lock();
        try
        {
            isClosing = true;
            filled.signalAll();
            freed.signalAll();
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Writes all rows to files at the end of the run.
     *
     * @param inHand    blocks taken by the writer, without the rows that have been written
     * @param locations those of the blocks of the same batch, to be marked as done in files
     * @return number of rows stored
     * @throws IOException when they cannot be stored
     */
    public long keep(final List<RowBlock> inHand, final List<SpillLocation> locations) throws IOException
    {
        lock.lock();
        try
        {
            if (tail != null)
            {
                blocks.add(tail);
            }
            final List<RowBlock> first = new ArrayList<>(inHand);
            final List<RowBlock> last = new ArrayList<>();
            for (final RowBlock block : blocks)
            {
                // The block being filled follows the files; if files contain older rows, all blocks in memory follow
                // them.
                (spilled.isEmpty() || block != tail && !filesFirst() ? first : last).add(block);
            }
            spilled.keep(first, locations, last);
            blocks.clear();
            tail = null;
            memoryRows = 0;
            return spilled.rows();
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Closes the files. */
    public void closeFiles() throws IOException
    {
        lock.lock();
        try
        {
            spilled.close();
        }
        finally
        {
            lock.unlock();
        }
    }
}
