package dev.millrace.adapter.jdbc.buffer;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a buffer that is in files: returns blocks in order, and skips a file that cannot be read, whose rows are
 * counted as lost. Always empty when the sink has no directory for files.
 *
 * <p>Threads: guarded by the lock of the buffer, except {@link #load}, which the writer thread calls without the lock.
 * Failure: {@code IOException} when a file cannot be written.
 */
final class SpillReader
{
    private static final Logger LOG = LoggerFactory.getLogger(SpillReader.class);

    private final Spill spill;
    private final SinkSettings settings;
    private final SinkCounters counters;
    private final Lock lock;

    /**
     * Creates the object.
     *
     * @param spill    files; {@code null} when there is no directory for them
     * @param lock     of the buffer
     */
    SpillReader(final Spill spill, final SinkSettings settings, final SinkCounters counters, final Lock lock)
    {
        this.spill = spill;
        this.settings = settings;
        this.counters = counters;
        this.lock = lock;
    }

    /** Number of rows that are not in the database yet. */
    long rows()
    {
        return spill == null ? 0 : spill.rows();
    }

    /** Whether no row in files precedes later rows. */
    boolean isEmpty()
    {
        return spill == null || spill.isEmpty();
    }

    /** Appends a block if it fits. */
    void write(final RowBlock block) throws IOException
    {
        spill.write(block);
        counters.spilled.addAndGet(block.size());
    }

    /**
     * Takes blocks for a transaction; {@link #load} must fill them.
     *
     * @param batch   receives the blocks
     * @param already rows that the transaction has
     * @param blocks  creates empty blocks
     * @return number of rows taken
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
                final SpillLocation place = new SpillLocation(file, file.next());
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
                    // Blocks taken before may belong to this file and are read first; the next call handles the
                    // failure.
                    return rows;
                }
                setAside(file, 0, e);
            }
            file = spill.next();
        }
        return rows;
    }

    /** Reads the rows of taken blocks. A block that cannot be read, and all later blocks of its file, become empty. */
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

    /** Sets a file aside and counts its unread rows as lost. */
    private void setAside(final SpillFile file, final long read, final Exception failure)
    {
        final long rows = file.rows() - read;
        counters.lost.addAndGet(rows);
        String fact = "a file of waiting rows cannot be read and was set aside";
        try
        {
            spill.setAside(file);
        }
        catch (final IOException e)
        {
            fact = "a file of waiting rows can neither be read nor renamed";
            failure.addSuppressed(e);
        }
        LOG.error(JdbcErrorCode.SPILL.message(fact + ", stage=" + settings.stage() + " file=" + file.path() + " rows=" +
            rows, "check the disk"), failure);
    }

    /** Records that the rows of a block are in the database. Blocks must be reported in order. */
    void done(final SpillLocation place)
    {
        try
        {
            spill.done(place);
        }
        catch (final IOException e)
        {
            LOG.error(JdbcErrorCode.SPILL.message("could not record that rows of a file are written; they may be " +
                "written again, stage=" + settings.stage() + " file=" + place.file().path(), "check the disk"),
                e);
        }
    }

    /**
     * Writes all rows in memory to files at the end of the run, regardless of the maximum size.
     *
     * @param first     blocks older than all blocks in files
     * @param locations those of blocks that were taken and are either in {@code first} or done
     * @param last      blocks younger than all blocks in files
     */
    void keep(final List<RowBlock> first, final List<SpillLocation> locations, final List<RowBlock> last)
        throws IOException
    {
        spill.writeFirst(first.stream().filter(block -> block.size() > 0).toList());
        locations.forEach(this::done);
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
