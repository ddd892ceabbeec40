package dev.millrace.adapter.jdbc;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a buffer that is in files: takes blocks out in order, and goes on without a file that cannot be read,
 * whose rows are counted as lost. Nothing is in it when the sink has no place for files.
 *
 * <p>Threads: guarded by the lock of the buffer, except {@link #load}, which is for the writer's thread without it.
 * Failure: {@code IOException} when a file cannot be written.
 */
final class SpilledBlocks
{
    private static final Logger LOG = LoggerFactory.getLogger(SpilledBlocks.class);

    private final Spill spill;
    private final SinkSettings settings;
    private final SinkCounters counters;
    private final Lock lock;

    /**
     * Makes it.
     *
     * @param spill    files; {@code null} when there is no place for them
     * @param settings of the sink
     * @param counters figures that are kept up to date
     * @param lock     of the buffer
     */
    SpilledBlocks(final Spill spill, final SinkSettings settings, final SinkCounters counters, final Lock lock)
    {
        this.spill = spill;
        this.settings = settings;
        this.counters = counters;
        this.lock = lock;
    }

    /** Rows that are not in the database yet. */
    long rows()
    {
        return spill == null ? 0 : spill.rows();
    }

    /** Whether no row is left that later ones must queue up behind. */
    boolean isEmpty()
    {
        return spill == null || spill.isEmpty();
    }

    /** Puts a block behind all others, if there is room. */
    void write(final RowBlock block) throws IOException
    {
        spill.write(block);
        counters.spilled.addAndGet(block.size());
    }

    /**
     * Takes blocks for a transaction; {@link #load} must fill them.
     *
     * @param batch   takes the blocks
     * @param already rows that the transaction has
     * @param blocks  makes empty ones
     * @return rows of the blocks that were taken
     */
    int take(final List<RowBlock> batch, final int already, final Supplier<RowBlock> blocks)
    {
        int rows = 0;
        if (spill == null)
        {
            return rows;
        }
        SpillFile file = spill.next();
        while (file != null &&
            (already + rows == 0 || already + rows + RowBlock.CAPACITY <= settings.batchRows()))
        {
            try
            {
                final Spill.Place place = new Spill.Place(file, file.next());
                final RowBlock block = blocks.get();
                block.place(place);
                block.size(place.extent().rows());
                rows += block.size();
                batch.add(block);
            }
            catch (final IOException e)
            {
                if (rows > 0)
                {
                    // What was taken before it may be of this file and is read first; the next call is here again.
                    return rows;
                }
                setAside(file, 0, e);
            }
            file = spill.next();
        }
        return rows;
    }

    /** Reads the rows of blocks that were taken; one that cannot be read and those behind it in its file are empty. */
    void load(final List<RowBlock> batch)
    {
        SpillFile file = null;
        boolean isDamaged = false;
        long read = 0;
        for (final RowBlock block : batch)
        {
            if (block.place() == null)
            {
                continue;
            }
            if (block.place().file() != file)
            {
                file = block.place().file();
                isDamaged = false;
                read = 0;
            }
            if (!isDamaged)
            {
                isDamaged = !load(block, read);
            }
            if (isDamaged)
            {
                block.size(0);
            }
            read += block.size();
        }
    }

    private boolean load(final RowBlock block, final long readBefore)
    {
        try
        {
            Spill.load(block.place(), block);
            return true;
        }
        catch (final IOException | RuntimeException e)
        {
            lock.lock();
            try
            {
                setAside(block.place().file(), readBefore, e);
            }
            finally
            {
                lock.unlock();
            }
            return false;
        }
    }

    /** Counts the rows of a file as lost, but for those of it that were read. */
    private void setAside(final SpillFile file, final long read, final Exception failure)
    {
        final long rows = file.rows() - read;
        counters.lost.addAndGet(rows);
        String fact = "a file of rows that wait cannot be read and was set aside";
        try
        {
            spill.setAside(file);
        }
        catch (final IOException e)
        {
            fact = "a file of rows that wait can neither be read nor be renamed";
            failure.addSuppressed(e);
        }
        LOG.error(JdbcCode.SPILL.message(fact + ", stage=" + settings.place() + " file=" + file.path() + " rows=" +
            rows, "look at the disk"), failure);
    }

    /** Notes that the rows of a block are in the database; blocks are done in order. */
    void done(final Spill.Place place)
    {
        try
        {
            spill.done(place);
        }
        catch (final IOException e)
        {
            LOG.error(JdbcCode.SPILL.message("it could not be noted that rows of a file are written; they may be " +
                "written once more, stage=" + settings.place() + " file=" + place.file().path(), "look at the disk"),
                e);
        }
    }

    /**
     * Takes all rows of memory at the end of the run, whatever room there is.
     *
     * @param first  blocks that are older than all here
     * @param places of blocks that were taken and are among the first or done
     * @param last   blocks that are younger
     */
    void keep(final List<RowBlock> first, final List<Spill.Place> places, final List<RowBlock> last)
        throws IOException
    {
        spill.writeFirst(first.stream().filter(block -> block.size() > 0).toList());
        places.forEach(this::done);
        for (final RowBlock block : last)
        {
            spill.append(block);
        }
    }

    /** Closes the files. */
    void close() throws IOException
    {
        if (spill != null)
        {
            spill.close();
        }
    }
}
