package dev.millrace.cql.processor.durable;

import dev.millrace.journal.SyncMode;
import dev.millrace.network.spi.DirectoryStorage;
import dev.millrace.network.spi.DurabilitySettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** Journals with small files and snapshots on request, in a directory. */
final class TestStorage extends DirectoryStorage
{
    static final DurabilitySettings SETTINGS =
        new DurabilitySettings(SyncMode.NONE, 1, Long.MAX_VALUE / 2, Long.MAX_VALUE, 1 << 16, 1L << 34, 0, false, 0);

    private static final ByteBuffer ZEROS = ByteBuffer.allocate(1 << 20);

    private final Path directory;
    private long minFreeBytes;
    private long maxPauseNs = Long.MAX_VALUE;

    TestStorage(final Path directory)
    {
        this(directory, SETTINGS);
    }

    TestStorage(final Path directory, final DurabilitySettings settings)
    {
        super(directory, "test", settings, () -> 0);
        this.directory = directory;
    }

    /** Rows are only stored while the disk has this much space. */
    void minFreeBytes(final long bytes)
    {
        minFreeBytes = bytes;
    }

    /** Snapshots are those of a second copy of the processor. */
    TestStorage followed(final boolean always)
    {
        maxPauseNs = always ? -1 : Long.MAX_VALUE;
        return this;
    }

    @Override
    public DurabilitySettings settings()
    {
        final DurabilitySettings given = super.settings();
        return new DurabilitySettings(given.sync(), given.syncIntervalNs(), given.snapshotIntervalNs(),
            maxPauseNs, given.fileBytes(), given.maxBytes(), minFreeBytes, given.waitsForSpace(), given.retentionMs());
    }

    /** All files of units whose name has an ending, in order. */
    List<Path> files(final String ending) throws IOException
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            return files.filter(file -> file.toString().endsWith(ending) && !file.getParent().equals(directory))
                .sorted().toList();
        }
    }

    /** Copies what a process that is killed now would leave. */
    TestStorage copyTo(final Path target) throws IOException
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            for (final Path file : files.sorted().toList())
            {
                final Path copy = target.resolve(directory.relativize(file).toString());
                if (Files.isDirectory(file))
                {
                    Files.createDirectory(copy);
                }
                else
                {
                    copyContent(file, copy);
                }
            }
        }
        return new TestStorage(target);
    }

    /** Files of journals are mostly holes: copies what is before the first large one. */
    private static void copyContent(final Path from, final Path to) throws IOException
    {
        final ByteBuffer part = ByteBuffer.allocate(ZEROS.capacity());
        try (FileChannel in = FileChannel.open(from); FileChannel out = FileChannel.open(to,
            StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))
        {
            final long size = in.size();
            long at = 0;
            boolean isHole = false;
            for (int read = in.read(part); read > 0 && !isHole; read = in.read(part.clear()))
            {
                isHole = read == part.capacity() && part.flip().mismatch(ZEROS) < 0;
                out.write(part.position(0).limit(read), at);
                at += read;
            }
            if (at < size)
            {
                out.write(ByteBuffer.allocate(1), size - 1);
            }
        }
    }
}
