package dev.millrace.adapter.file.inbound.position;

import dev.millrace.adapter.file.inbound.input.FileIdentity;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * The files of a stream on disk: one line of text per change, each with a checksum. A kill or crash may leave a part of
 * the last line, which is ignored. Confined to one thread.
 *
 * <pre>
 *   F id start base pass key prefixBytes prefixHash path    a file begins, or its first bytes are known better
 *   P id offset line                                        a line at a position
 *   E id end sizeBytes modifiedMs isDamaged                 it was read to its end
 *   X id                                                    it is forgotten
 * </pre>
 */
final class PositionLog implements Closeable
{
    private static final String FIRST = "millrace source positions 1";
    private static final int COMPACT_BYTES = 1 << 20;
    private static final int SUM_CHARS = 8;

    private final Path path;
    private final Map<Long, StreamFile> files = new LinkedHashMap<>();
    private FileChannel lockChannel;
    private FileChannel channel;
    private long length;
    /** Its length when it was last written as a whole. */
    private long compactLength;
    private long lastId;

    PositionLog(final Path path)
    {
        this.path = path;
    }

    /**
     * Reads the log, and writes it again without what is obsolete.
     *
     * @throws IOException if it cannot be read or written, or has another content
     */
    void open() throws IOException
    {
        Files.createDirectories(path.getParent());
        lock();
        if (Files.exists(path))
        {
            read(Files.readAllLines(path, StandardCharsets.UTF_8));
        }
        compact();
    }

    private void lock() throws IOException
    {
        lockChannel = FileChannel.open(path.resolveSibling(path.getFileName() + ".lock"), StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
        FileLock lock = null;
        try
        {
            lock = lockChannel.tryLock();
        }
        catch (final OverlappingFileLockException e)
        {
            // Another source of this process.
        }
        if (lock == null)
        {
            lockChannel.close();
            // During an update, the next version is called again when this one has released the file.
            throw new BindException("another source uses the file");
        }
    }

    private void read(final List<String> lines) throws IOException
    {
        if (lines.isEmpty() || !lines.get(0).equals(FIRST))
        {
            throw new IOException("not a file of positions");
        }
        for (int i = 1; i < lines.size(); i++)
        {
            final String line = lines.get(i);
            final boolean isWhole = line.length() > SUM_CHARS && sum(line.substring(SUM_CHARS + 1))
                .equals(line.substring(0, SUM_CHARS));
            if (!isWhole && i < lines.size() - 1)
            {
                throw new IOException("line " + (i + 1) + " is not as it was written");
            }
            if (isWhole)
            {
                apply(line.substring(SUM_CHARS + 1).split(" "));
            }
        }
    }

    private void apply(final String[] fields)
    {
        final long id = Long.parseLong(fields[1]);
        lastId = Math.max(lastId, id);
        final StreamFile known = files.get(id);
        switch (fields[0])
        {
            case "F" ->
            {
                final FileIdentity identity = new FileIdentity(fields[5], Integer.parseInt(fields[6]), fields[7]);
                if (known != null)
                {
                    known.identity(identity);
                    return;
                }
                files.put(id, new StreamFile(id, Long.parseLong(fields[2]), Long.parseLong(fields[3]),
                    Integer.parseInt(fields[4]), Path.of(URLDecoder.decode(fields[8], StandardCharsets.UTF_8)),
                    identity));
            }
            case "P" -> known.line(Long.parseLong(fields[2]), Long.parseLong(fields[3]));
            case "E" -> known.end(Long.parseLong(fields[2]), Long.parseLong(fields[3]), Long.parseLong(fields[4]),
                Boolean.parseBoolean(fields[5]));
            default -> files.remove(id);
        }
    }

    private static String sum(final String line)
    {
        final CRC32 crc = new CRC32();
        crc.update(line.getBytes(StandardCharsets.UTF_8));
        return String.format("%08x", crc.getValue());
    }

    /** Writes what is still needed to a new log, which replaces the old one. */
    private void compact() throws IOException
    {
        final StringBuilder text = new StringBuilder(FIRST).append('\n');
        for (final StreamFile file : files.values())
        {
            add(begun(file), text);
            file.lines().forEach((offset, line) -> add("P " + file.id + ' ' + offset + ' ' + line, text));
            if (file.hasEnded())
            {
                add(ended(file), text);
            }
        }
        final Path next = path.resolveSibling(path.getFileName() + ".new");
        final FileChannel opened = FileChannel.open(next, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING);
        try
        {
            final ByteBuffer bytes = StandardCharsets.UTF_8.encode(text.toString());
            final int size = bytes.remaining();
            write(opened, bytes);
            opened.force(true);
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            syncDirectory();
            if (channel != null)
            {
                channel.close();
            }
            channel = opened;
            length = size;
            compactLength = size;
        }
        catch (final IOException e)
        {
            opened.close();
            throw e;
        }
    }

    private void syncDirectory() throws IOException
    {
        try (FileChannel directory = FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ))
        {
            directory.force(true);
        }
    }

    private static void write(final FileChannel to, final ByteBuffer bytes) throws IOException
    {
        while (bytes.hasRemaining())
        {
            to.write(bytes);
        }
    }

    private static void add(final String line, final StringBuilder to)
    {
        to.append(sum(line)).append(' ').append(line).append('\n');
    }

    private static String begun(final StreamFile file)
    {
        return "F " + file.id + ' ' + file.start() + ' ' + file.base() + ' ' + file.pass() + ' ' +
            file.identity().key() + ' ' + file.identity().prefixBytes() + ' ' + file.identity().prefixHash() + ' ' +
            URLEncoder.encode(file.path().toString(), StandardCharsets.UTF_8);
    }

    private static String ended(final StreamFile file)
    {
        return "E " + file.id + ' ' + file.end() + ' ' + file.sizeBytes() + ' ' + file.modifiedMs() + ' ' +
            file.isDamaged();
    }

    private void append(final String line, final boolean isForced) throws IOException
    {
        final StringBuilder text = new StringBuilder();
        add(line, text);
        final ByteBuffer bytes = StandardCharsets.UTF_8.encode(text.toString());
        final int size = bytes.remaining();
        try
        {
            write(channel, bytes);
            if (isForced)
            {
                channel.force(false);
            }
            length += size;
        }
        catch (final IOException e)
        {
            channel.truncate(length);
            channel.position(length);
            throw e;
        }
    }

    /** The files in the order of the stream. */
    Collection<StreamFile> files()
    {
        return files.values();
    }

    /** Adds a file; the disk contains it when this returns. */
    StreamFile begin(final long start, final long base, final int pass, final Path file, final FileIdentity identity)
        throws IOException
    {
        final StreamFile begun = new StreamFile(lastId + 1, start, base, pass, file, identity);
        append(begun(begun), true);
        lastId++;
        files.put(begun.id, begun);
        return begun;
    }

    void grow(final StreamFile file, final FileIdentity identity) throws IOException
    {
        file.identity(identity);
        append(begun(file), false);
    }

    void line(final StreamFile file, final long offset, final long line) throws IOException
    {
        append("P " + file.id + ' ' + offset + ' ' + line, false);
        file.line(offset, line);
        if (length > Math.max(COMPACT_BYTES, 2 * compactLength))
        {
            compact();
        }
    }

    void end(final StreamFile file, final long offset, final long sizeBytes, final long modifiedMs,
        final boolean isDamaged) throws IOException
    {
        append("E " + file.id + ' ' + offset + ' ' + sizeBytes + ' ' + modifiedMs + ' ' + isDamaged, true);
        file.end(offset, sizeBytes, modifiedMs, isDamaged);
    }

    void forget(final Collection<StreamFile> obsolete) throws IOException
    {
        for (final StreamFile file : new ArrayList<>(obsolete))
        {
            append("X " + file.id, false);
            files.remove(file.id);
        }
    }

    @Override
    public void close() throws IOException
    {
        try
        {
            if (channel != null)
            {
                channel.close();
            }
        }
        finally
        {
            if (lockChannel != null)
            {
                lockChannel.close();
            }
        }
    }
}
