package dev.millrace.adapter.file.inbound.input;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Recognizes a file under another name or after it has grown: its number in the file system, and a hash of its first
 * bytes, because numbers of deleted files are used again. Immutable.
 *
 * @param key         inode; {@code -} if the file system has no such numbers
 * @param prefixBytes number of first bytes that are hashed, at most {@value #MAX_PREFIX_BYTES}
 * @param prefixHash  hexadecimal
 */
public record FileIdentity(String key, int prefixBytes, String prefixHash)
{
    /** Maximum number of hashed bytes. */
    public static final int MAX_PREFIX_BYTES = 1024;

    private static final int HASH_BYTES = 8;

    /** The identity of a file that is open as a channel; uses all bytes that it has, up to the maximum. */
    public static FileIdentity of(final Path path, final FileChannel channel) throws IOException
    {
        return of(keyOf(path), channel, MAX_PREFIX_BYTES);
    }

    /** The number of a file in its file system, as in {@link #key}. */
    public static String keyOf(final Path path) throws IOException
    {
        // Not the device, whose number may change when the machine starts.
        return path.getFileSystem().supportedFileAttributeViews().contains("unix") ?
            Files.getAttribute(path, "unix:ino").toString() : "-";
    }

    private static FileIdentity of(final String key, final FileChannel channel, final int limit) throws IOException
    {
        final ByteBuffer prefix = ByteBuffer.allocate(limit);
        int count = 0;
        while (count >= 0 && prefix.hasRemaining())
        {
            count = channel.read(prefix, prefix.position());
        }
        try
        {
            final MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(prefix.flip());
            return new FileIdentity(key, prefix.limit(), HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES));
        }
        catch (final NoSuchAlgorithmException e)
        {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The same file with more of its first bytes. */
    public FileIdentity grown(final FileChannel channel) throws IOException
    {
        return of(key, channel, MAX_PREFIX_BYTES);
    }

    /** Whether a path is this file, which may have grown. */
    public boolean matches(final Path path) throws IOException
    {
        if (!Files.isRegularFile(path) || !keyOf(path).equals(key))
        {
            return false;
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ))
        {
            return matches(channel);
        }
    }

    /** Whether an open file of this number still begins with the same bytes. */
    public boolean matches(final FileChannel channel) throws IOException
    {
        return prefixBytes == 0 || equals(of(key, channel, prefixBytes));
    }
}
