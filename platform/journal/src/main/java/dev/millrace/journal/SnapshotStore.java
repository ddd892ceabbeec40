package dev.millrace.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The newest snapshots of the state that a journal describes, one file each:
 *
 * <pre>
 *   magic (4) | version (4) | position (8) | length of the content (8) | content | checksum of all of it (4)
 * </pre>
 *
 * <p>A file gets its name when all of it is on the disk, so that no crash leaves a part of one. Confined to one thread.
 * Failure: {@link JournalException}.
 */
public final class SnapshotStore
{
    /** Number of files that are kept: the newest one may be damaged later. */
    static final int KEPT = 2;
    static final int VERSION = 1;

    private static final int MAGIC = 0x504E534D;
    private static final int HEAD_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES;
    private static final int HEX = 16;
    private static final int STEP_BYTES = 1 << 20;
    private static final String PREFIX = "snapshot-";
    private static final String SUFFIX = ".state";

    private final Path directory;
    /** Files that could not be read: they do not count among those that are kept. */
    private final Set<Path> damagedFiles = new HashSet<>();

    /**
     * @param directory of the journal
     */
    public SnapshotStore(final Path directory)
    {
        this.directory = directory;
    }

    /**
     * Writes a snapshot; the records up to its position must already be on the disk.
     *
     * @param position as in {@link Snapshot#position()}
     * @param content  in parts, lent for the call
     */
    public void write(final long position, final byte[]... content)
    {
        final Path path = file(position);
        final Path unfinished = directory.resolve(PREFIX + "unfinished");
        final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(MAGIC)
            .putInt(VERSION).putLong(position)
            .putLong(Arrays.stream(content).mapToLong(part -> part.length).sum()).flip();
        final CRC32C checksum = new CRC32C();
        checksum.update(head.array());
        for (final byte[] part : content)
        {
            checksum.update(part);
        }
        try
        {
            try (FileChannel file = FileChannel.open(unfinished, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING))
            {
                writeAll(file, head);
                for (final byte[] part : content)
                {
                    writeAll(file, ByteBuffer.wrap(part));
                }
                writeAll(file, ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN)
                    .putInt((int)checksum.getValue()).flip());
                file.force(true);
            }
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ))
            {
                names.force(true);
            }
            deleteOthers(path);
        }
        catch (final IOException e)
        {
            throw new JournalException(JournalErrorCode.SNAPSHOT, "a snapshot cannot be written, file=" + path + ": " +
                e + "; the journal keeps the records since the last one", e);
        }
    }

    /** Deletes all files but the newest intact ones. */
    private void deleteOthers(final Path written) throws IOException
    {
        damagedFiles.remove(written);
        final List<Path> all = new ArrayList<>(files());
        all.removeAll(damagedFiles);
        for (final Path old : all.subList(0, Math.max(0, all.size() - KEPT)))
        {
            Files.delete(old);
        }
        for (final Path damaged : damagedFiles)
        {
            Files.deleteIfExists(damaged);
        }
        damagedFiles.clear();
    }

    private static void writeAll(final FileChannel file, final ByteBuffer bytes) throws IOException
    {
        while (bytes.hasRemaining())
        {
            file.write(bytes);
        }
    }

    /** The files, oldest first. */
    List<Path> files() throws IOException
    {
        if (!Files.isDirectory(directory))
        {
            return List.of();
        }
        try (Stream<Path> paths = Files.list(directory))
        {
            return paths.filter(path -> path.getFileName().toString().startsWith(PREFIX) &&
                path.toString().endsWith(SUFFIX)).sorted().toList();
        }
    }

    /**
     * Reads the newest valid snapshot.
     *
     * @param damaged receives the problem of each newer one
     * @return {@code null} if no file is valid
     */
    public Snapshot newest(final Consumer<JournalException> damaged)
    {
        return newest(damaged, snapshot -> true);
    }

    /**
     * Reads the newest valid snapshot that a caller can use.
     *
     * @param damaged  receives the problem of each newer one
     * @param isUsable asked for each valid one, the newest first, until it is usable
     * @return {@code null} if no valid one is usable
     */
    public Snapshot newest(final Consumer<JournalException> damaged, final Predicate<Snapshot> isUsable)
    {
        try
        {
            final List<Path> all = files();
            for (int i = all.size() - 1; i >= 0; i--)
            {
                try
                {
                    final Snapshot snapshot = read(all.get(i), true);
                    if (isUsable.test(snapshot))
                    {
                        return snapshot;
                    }
                }
                catch (final JournalException problem)
                {
                    damagedFiles.add(all.get(i));
                    damaged.accept(problem);
                }
            }
            return null;
        }
        catch (final IOException e)
        {
            throw new JournalException(JournalErrorCode.SNAPSHOT, "snapshots cannot be read, directory=" + directory +
                ": " + e, e);
        }
    }

    /** Deletes the snapshot of a position, if there is one. */
    public void delete(final long position)
    {
        final Path path = file(position);
        try
        {
            Files.deleteIfExists(path);
        }
        catch (final IOException e)
        {
            throw new JournalException(JournalErrorCode.SNAPSHOT, "a snapshot cannot be deleted, file=" + path + ": " +
                e, e);
        }
    }

    private Path file(final long position)
    {
        return directory.resolve(PREFIX + String.format("%016x", position) + SUFFIX);
    }

    /** The position in the name of a file. */
    static long position(final Path file)
    {
        final String name = file.getFileName().toString();
        return Long.parseUnsignedLong(name, PREFIX.length(), name.length() - SUFFIX.length(), HEX);
    }

    /**
     * Reads and checks a file.
     *
     * @param withContent false for a snapshot without content, whatever its size
     */
    static Snapshot read(final Path path, final boolean withContent) throws IOException
    {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ))
        {
            final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            readAll(file, head);
            if (file.size() < HEAD_BYTES + Integer.BYTES || head.getInt() != MAGIC)
            {
                throw new JournalException(JournalErrorCode.SNAPSHOT, "the file is no snapshot, file=" + path);
            }
            final int version = head.getInt();
            if (version > VERSION)
            {
                throw new JournalException(JournalErrorCode.NEWER_FORMAT, "the snapshot was written by a newer " +
                    "version, file=" + path + " format=" + version + " known=" + VERSION);
            }
            final long position = head.getLong();
            final long length = head.getLong();
            final CRC32C checksum = new CRC32C();
            checksum.update(head.flip());
            if (length != file.size() - HEAD_BYTES - Integer.BYTES)
            {
                throw damaged(path);
            }
            final byte[] content = new byte[(int)(withContent ? length : Math.min(length, STEP_BYTES))];
            for (long at = 0; at < length; at += STEP_BYTES)
            {
                final ByteBuffer step =
                    ByteBuffer.wrap(content, withContent ? (int)at : 0, (int)Math.min(STEP_BYTES, length - at));
                final ByteBuffer read = step.duplicate();
                readAll(file, step);
                checksum.update(read);
            }
            final ByteBuffer end = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            readAll(file, end);
            if ((int)checksum.getValue() != end.getInt())
            {
                throw damaged(path);
            }
            return new Snapshot(position, withContent ? content : null);
        }
    }

    private static JournalException damaged(final Path path)
    {
        return new JournalException(JournalErrorCode.SNAPSHOT, "the snapshot is damaged, file=" + path);
    }

    /** Reads until a buffer is full or the file ends, and sets its position to its beginning. */
    private static void readAll(final FileChannel file, final ByteBuffer bytes) throws IOException
    {
        bytes.mark();
        while (bytes.hasRemaining() && file.read(bytes) >= 0)
        {
            // The next part.
        }
        bytes.reset();
    }
}
