package dev.millrace.cluster.deployment;

import dev.millrace.cluster.ReplicatedBlobStore;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Objects;

/** Reads a bundle chunk by chunk and verifies its digest at the end. Not thread-safe. */
final class ChunkInput extends InputStream
{
    private final DeploymentContent content;
    private final ReplicatedBlobStore bytes;
    private final Iterator<String> chunks;
    private final MessageDigest digest = BundleFile.digest();
    private byte[] chunk = {};
    private int position;
    private boolean ended;

    /** Bytes of a bundle are missing or differ from the expected ones. */
    static final class MissingException extends IOException
    {
        private static final long serialVersionUID = 1L;

        MissingException(final String message)
        {
            super(message);
        }
    }

    ChunkInput(final DeploymentContent content, final ReplicatedBlobStore bytes)
    {
        this.content = content;
        this.bytes = bytes;
        this.chunks = content.chunks().iterator();
    }

    @Override
    public int read() throws IOException
    {
        final byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(final byte[] target, final int offset, final int length) throws IOException
    {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0)
        {
            return 0;
        }
        while (position == chunk.length)
        {
            if (!chunks.hasNext())
            {
                checkEnd();
                return -1;
            }
            next();
        }
        final int count = Math.min(length, chunk.length - position);
        System.arraycopy(chunk, position, target, offset, count);
        position += count;
        return count;
    }

    private void next() throws IOException
    {
        final String name = chunks.next();
        chunk = bytes.get(name);
        position = 0;
        if (chunk == null)
        {
            chunk = new byte[0];
            throw new MissingException("bytes of the bundle are missing, chunk=" + name);
        }
        digest.update(chunk);
    }

    private void checkEnd() throws IOException
    {
        if (!ended && !HexFormat.of().formatHex(digest.digest()).equals(content.sha256()))
        {
            throw new MissingException("the bytes do not match the bundle, sha256=" + content.sha256());
        }
        ended = true;
    }
}
