package dev.millrace.adapter.file.inbound.input;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that is open for reading. Confined to one thread. */
public final class InputFile implements Closeable
{
    private final Path path;
    private final FileChannel channel;
    /** {@code null} if the file is not read from its beginning to its end. */
    private final RecordBuffer records;
    private final long modifiedMs;
    /** Of a file that is complete, when it was opened. */
    private final long completeBytes;
    private FileIdentity identity;

    private InputFile(final Path path, final FileChannel channel, final FileIdentity identity, final long modifiedMs,
        final RecordBuffer records) throws IOException
    {
        completeBytes = channel.size();
        this.modifiedMs = modifiedMs;
        this.path = path;
        this.channel = channel;
        this.identity = identity;
        this.records = records;
    }

    /**
     * Opens a file.
     *
     * @param isComplete  whether it does not grow
     * @param bufferBytes size of the buffer, at least that of the longest record
     */
    public static InputFile open(final Path path, final Charset charset, final boolean isComplete,
        final int bufferBytes) throws IOException
    {
        final FileChannel channel = channel(path);
        try
        {
            final FileIdentity identity = FileIdentity.of(path, channel);
            final long modifiedMs = Files.getLastModifiedTime(path).toMillis();
            final boolean isCompressed = path.getFileName().toString().endsWith(".gz");
            final ByteInput plain = isCompressed ? new GzipInput(channel) : new PlainInput(channel);
            final ByteInput input = charset.equals(StandardCharsets.UTF_8) ? plain :
                new TranscodingInput(plain, charset, isComplete);
            return new InputFile(path, channel, identity, modifiedMs,
                new RecordBuffer(input, bufferBytes));
        }
        catch (final IOException | RuntimeException e)
        {
            channel.close();
            throw e;
        }
    }

    /** Opens a file that is complete, whose reader goes to positions by itself. */
    public static InputFile open(final Path path) throws IOException
    {
        final FileChannel channel = channel(path);
        try
        {
            return new InputFile(path, channel, FileIdentity.of(path, channel),
                Files.getLastModifiedTime(path).toMillis(), null);
        }
        catch (final IOException | RuntimeException e)
        {
            channel.close();
            throw e;
        }
    }

    private static FileChannel channel(final Path path) throws IOException
    {
        if (Files.exists(path) && !Files.isRegularFile(path))
        {
            throw new IOException("not a regular file");
        }
        return FileChannel.open(path, StandardOpenOption.READ);
    }

    /** The path under which it was opened; it may have been renamed since. */
    public Path path()
    {
        return path;
    }

    /** The file on disk, which is closed with this object. */
    public FileChannel channel()
    {
        return channel;
    }

    public RecordBuffer records()
    {
        return records;
    }

    public FileIdentity identity()
    {
        return identity;
    }

    /** Includes bytes in the identity that the file has got since it was opened; returns whether it has changed. */
    public boolean growIdentity() throws IOException
    {
        final FileIdentity before = identity;
        if (before.prefixBytes() < FileIdentity.MAX_PREFIX_BYTES && channel.size() > before.prefixBytes())
        {
            identity = before.grown(channel);
        }
        return before != identity;
    }

    /**
     * Bytes of the file on disk, before decompression. Those of a file that is opened as complete do not change: if it
     * was not complete, it has grown afterwards, and is read again.
     */
    public long sizeBytes() throws IOException
    {
        return records == null ? completeBytes : channel.size();
    }

    /** Bytes that were read from disk. */
    public long readBytes() throws IOException
    {
        return records == null ? completeBytes : channel.position();
    }

    /** Time of the last change when the file was opened: a later change is noticed. */
    public long modifiedMs()
    {
        return modifiedMs;
    }

    /** Whether the file was truncated and written again, so that its unread bytes are others. */
    public boolean isRewritten() throws IOException
    {
        return channel.size() < channel.position() || !identity.matches(channel);
    }

    /** Whether a path names another file; false while it names none. */
    public boolean isReplacedAt(final Path followed) throws IOException
    {
        try
        {
            return !FileIdentity.keyOf(followed).equals(identity.key());
        }
        catch (final NoSuchFileException e)
        {
            return false;
        }
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }
}
