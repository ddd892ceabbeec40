package dev.millrace.adapter.jdbc.buffer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A first-in, first-out queue of rows in files of a directory, bounded in bytes. Files of an earlier run come first.
 * Threads: guarded by the lock of the buffer, except {@link #load}. Failure: {@code IOException}.
 */
public final class Spill implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(Spill.class);
    private static final String SUFFIX = ".rows";
    private static final long FIRST_NUMBER = 1_000_000;
    private static final long MAX_FILE_BYTES = 16L << 20;
    private static final int FILES = 4;

    private final Path directory;
    private final long maxBytes;
    private final Deque<SpillFile> files = new ArrayDeque<>();
    private RowLayout layout;

    public Spill(final Path directory, final long maxBytes)
    {
        this.directory = directory;
        this.maxBytes = maxBytes;
    }

    /**
     * Opens the files of an earlier run.
     *
     * @return their layout, {@code null} when there are no files
     * @throws JdbcAdapterException when a file cannot be used
     */
    public RowLayout restore() throws JdbcAdapterException
    {
        try
        {
            Files.createDirectories(directory, SpillFile.mode("rwx------"));
            final List<Path> found;
            try (Stream<Path> list = Files.list(directory))
            {
                found = list.filter(file -> file.toString().endsWith(SUFFIX)).sorted().toList();
            }
            for (final Path path : found)
            {
                open(path);
            }
        }
        catch (final IOException e)
        {
            throw new JdbcAdapterException(JdbcErrorCode.SPILL,
                "the directory for waiting rows cannot be used, directory=" +
                directory + " cause=" + e, "make it writable, or set instance property spillDirectory", e);
        }
        return layout;
    }

    private void open(final Path path) throws JdbcAdapterException
    {
        try
        {
            final SpillFile file = SpillFile.open(path);
            if (file.rows() == 0)
            {
                file.delete();
                return;
            }
            if (file.cutBytes() > 0)
            {
                LOG.warn(JdbcErrorCode.SPILL.message(
                    "a file ends with a partial record that was being written when the " +
                    "process ended; all rows before it are used, file=" + path + " bytes=" + file.cutBytes(),
                    "no action is needed"));
            }
            if (layout != null && !layout.sameColumns(file.layout()))
            {
                file.close();
                throw new IOException("its columns differ from those of the previous file");
            }
            layout = file.layout();
            files.add(file);
        }
        catch (final IOException e)
        {
            throw new JdbcAdapterException(JdbcErrorCode.SPILL, "a file of waiting rows cannot be read, file=" + path +
                " cause=" + e.getMessage(), "move it out of the directory, or restore it", e);
        }
    }

    /** Number of rows that wait in files. */
    public long rows()
    {
        return files.stream().mapToLong(SpillFile::rows).sum();
    }

    /** False when files contain rows; later rows must then be written after them. */
    boolean isEmpty()
    {
        return files.isEmpty();
    }

    /** Appends a block if it fits. */
    void write(final RowBlock block) throws IOException
    {
        final byte[] payload = SpillCodec.rows(block);
        final long used = files.stream().mapToLong(SpillFile::sizeBytes).sum();
        if (used + SpillFile.recordBytes(payload) > maxBytes)
        {
            throw new IOException("the files have reached their maximum size, spillMaxBytes=" + maxBytes + " used="
                + used);
        }
        append(block, payload);
    }

    /** Appends a block at the end of the run; may exceed the maximum size by the content of memory. */
    void append(final RowBlock block) throws IOException
    {
        if (block.size() > 0)
        {
            append(block, SpillCodec.rows(block));
        }
    }

    private void append(final RowBlock block, final byte[] payload) throws IOException
    {
        SpillFile last = files.peekLast();
        if (last == null || last.sizeBytes() + payload.length > Math.min(MAX_FILE_BYTES, maxBytes / FILES))
        {
            last = SpillFile.create(path(last == null ? FIRST_NUMBER : number(last) + 1), block.layout());
            files.add(last);
        }
        last.append(payload, block.size());
    }

    /** Inserts blocks before all others; may exceed the maximum size by the content of memory. */
    void writeFirst(final List<RowBlock> blocks) throws IOException
    {
        if (blocks.isEmpty())
        {
            return;
        }
        final long number = files.isEmpty() ? FIRST_NUMBER : number(files.peekFirst()) - 1;
        final SpillFile first = SpillFile.create(path(number), blocks.get(0).layout());
        files.addFirst(first);
        for (final RowBlock block : blocks)
        {
            first.append(SpillCodec.rows(block), block.size());
        }
    }

    private Path path(final long number)
    {
        return directory.resolve(String.format(Locale.ROOT, "%09d", number) + SUFFIX);
    }

    private static long number(final SpillFile file)
    {
        final String name = file.path().getFileName().toString();
        return Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
    }

    /** The oldest file with a block that was not taken yet; {@code null} if none. */
    SpillFile next()
    {
        return files.stream().filter(SpillFile::hasNext).findFirst().orElse(null);
    }

    /** Reads a block. */
    static void load(final SpillLocation place, final RowBlock block) throws IOException
    {
        SpillCodec.rows(place.file().read(place.extent()), block, place.extent().rows());
        block.place(place);
    }

    /**
     * Records that a block is in the database. Blocks must be reported in order. The block counts as done even if
     * recording fails.
     */
    void done(final SpillLocation place) throws IOException
    {
        if (!files.contains(place.file()))
        {
            // It was set aside in the meantime.
            return;
        }
        try
        {
            place.file().done(place.extent());
        }
        finally
        {
            if (place.file().isDone())
            {
                files.remove(place.file());
                place.file().delete();
            }
        }
    }

    /** Renames a file that cannot be read, and continues with the next one. */
    void setAside(final SpillFile file) throws IOException
    {
        files.remove(file);
        file.close();
        Files.move(file.path(), file.path().resolveSibling(file.path().getFileName() + ".damaged"));
    }

    @Override
    public void close() throws IOException
    {
        for (final SpillFile file : files)
        {
            file.close();
        }
    }
}
