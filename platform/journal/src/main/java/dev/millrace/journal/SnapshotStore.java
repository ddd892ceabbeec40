package dev.millrace.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
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
    private static final String PREFIX = "snapshot-";
    private static final String SUFFIX = ".state";

    private final Path directory;

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
     * @param content  lent for the call
     */
    public void write(final long position, final byte[] content)
    {
        final Path path = directory.resolve(PREFIX + String.format("%016x", position) + SUFFIX);
        final Path unfinished = directory.resolve(PREFIX + "unfinished");
        final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(MAGIC)
            .putInt(VERSION).putLong(position).putLong(content.length).flip();
        final CRC32C checksum = new CRC32C();
        checksum.update(head.array());
        checksum.update(content);
        try
        {
            try (FileChannel file = FileChannel.open(unfinished, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING))
            {
                writeAll(file, head);
                writeAll(file, ByteBuffer.wrap(content));
                writeAll(file, ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN)
                    .putInt((int)checksum.getValue()).flip());
                file.force(true);
            }
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ))
            {
                names.force(true);
            }
            final List<Path> all = files();
            for (final Path old : all.subList(0, Math.max(0, all.size() - KEPT)))
            {
                Files.delete(old);
            }
        }
        catch (final IOException e)
        {
            throw new JournalException(JournalErrorCode.SNAPSHOT, "a snapshot cannot be written, file=" + path + ": " +
                e + "; the journal keeps the records since the last one", e);
        }
    }

    private static void writeAll(final FileChannel file, final ByteBuffer bytes) throws IOException
    {
        while (bytes.hasRemaining())
        {
            file.write(bytes);
        }
    }

    /** The files, oldest first. */
    private List<Path> files() throws IOException
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
        try
        {
            final List<Path> all = files();
            for (int i = all.size() - 1; i >= 0; i--)
            {
                try
                {
                    return read(all.get(i));
                }
                catch (final JournalException problem)
                {
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

    private static Snapshot read(final Path path) throws IOException
    {
        final byte[] all = Files.readAllBytes(path);
        final ByteBuffer in = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        if (all.length < HEAD_BYTES + Integer.BYTES || in.getInt() != MAGIC)
        {
            throw new JournalException(JournalErrorCode.SNAPSHOT, "the file is no snapshot, file=" + path);
        }
        final int version = in.getInt();
        if (version > VERSION)
        {
            throw new JournalException(JournalErrorCode.NEWER_FORMAT, "the snapshot was written by a newer version, " +
                "file=" + path + " format=" + version + " known=" + VERSION);
        }
        final long position = in.getLong();
        final long length = in.getLong();
        final CRC32C checksum = new CRC32C();
        checksum.update(all, 0, all.length - Integer.BYTES);
        if (length != all.length - HEAD_BYTES - Integer.BYTES ||
            (int)checksum.getValue() != in.getInt(all.length - Integer.BYTES))
        {
            throw new JournalException(JournalErrorCode.SNAPSHOT, "the snapshot is damaged, file=" + path);
        }
        final byte[] content = new byte[(int)length];
        in.get(content);
        return new Snapshot(position, content);
    }
}
