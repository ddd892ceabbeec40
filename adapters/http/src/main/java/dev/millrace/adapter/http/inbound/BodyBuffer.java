package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.RefusedRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;

/**
 * The bytes of a body, charged to the memory of all bodies of a source. Written by one thread at a time; released by
 * any thread, after which it remains empty.
 */
final class BodyBuffer
{
    private static final int FIRST_BYTES = 1 << 10;
    private static final byte[] RELEASED = new byte[0];

    private final AtomicLong budget;
    private final int limitBytes;
    private byte[] bytes = new byte[0];
    private int size;

    /**
     * @param budget     bytes that are available for all bodies together
     * @param limitBytes maximum size of the body
     */
    BodyBuffer(final AtomicLong budget, final int limitBytes)
    {
        this.budget = budget;
        this.limitBytes = limitBytes;
    }

    /** Refuses a body that is too large for the limit. */
    void expect(final long contentLength) throws RefusedRequest
    {
        if (contentLength > limitBytes)
        {
            throw new RefusedRequest(RefusedRequest.TOO_LARGE, HttpErrorCode.TOO_LARGE, "the body is larger than " +
                limitBytes + " bytes", "send several requests, or raise maxBodyBytes of the adapter");
        }
    }

    synchronized void add(final ByteBuffer more) throws RefusedRequest
    {
        final int count = more.remaining();
        expect((long)size + count);
        if (bytes == RELEASED)
        {
            return;
        }
        reserve(size + count);
        more.get(bytes, size, count);
        size += count;
    }

    private void reserve(final int needed) throws RefusedRequest
    {
        if (needed <= bytes.length)
        {
            return;
        }
        final int grown = (int)Math.min(limitBytes, Math.max(needed, Math.max(FIRST_BYTES, 2L * bytes.length)));
        final int more = grown - bytes.length;
        if (budget.addAndGet(-more) < 0)
        {
            budget.addAndGet(more);
            throw busy();
        }
        bytes = Arrays.copyOf(bytes, grown);
    }

    /** The refusal of a request because too many wait. */
    static RefusedRequest busy()
    {
        return new RefusedRequest(RefusedRequest.TOO_MANY, HttpErrorCode.BUSY, "too many requests wait, because the " +
            "channel is full or clients are faster than the application", "repeat the request later");
    }

    /** Replaces compressed bytes by what they contain. */
    void decompress() throws RefusedRequest
    {
        final BodyBuffer plain = new BodyBuffer(budget, limitBytes);
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes(), 0, size())))
        {
            final byte[] part = new byte[8 << 10];
            for (int read = in.read(part); read >= 0; read = in.read(part))
            {
                plain.add(ByteBuffer.wrap(part, 0, read));
            }
            replace(plain);
        }
        catch (final IOException e)
        {
            throw new RefusedRequest(RefusedRequest.BAD_REQUEST, HttpErrorCode.DAMAGED_BODY,
                "the compressed body is damaged or incomplete", "compress it with gzip, or leave out Content-Encoding");
        }
        finally
        {
            plain.release();
        }
    }

    private synchronized void replace(final BodyBuffer plain)
    {
        if (bytes != RELEASED)
        {
            final byte[] compressed = bytes;
            bytes = plain.bytes;
            size = plain.size;
            plain.bytes = compressed;
        }
    }

    /** The array with the body; the source may change it. */
    synchronized byte[] bytes()
    {
        return bytes;
    }

    synchronized int size()
    {
        return size;
    }

    /** Frees the bytes; may be called again. */
    synchronized void release()
    {
        budget.addAndGet(bytes.length);
        bytes = RELEASED;
        size = 0;
    }
}
