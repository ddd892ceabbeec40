package dev.millrace.adapter.file.inbound.input;

import java.io.IOException;

/**
 * The bytes of a file from which records are decoded, with their position. Confined to one thread.
 *
 * <p>{@code bytes[from]} to {@code bytes[to - 1]} are unread; decoders read them there.
 */
public final class RecordBuffer
{
    private final ByteInput input;
    private final byte[] bytes;
    private int from;
    private int to;
    private long offset;
    private long line = 1;
    private long limit = Long.MAX_VALUE;
    private boolean isDiscarding;
    private long discardedOffset;

    /** @param sizeBytes at least that of the longest record */
    public RecordBuffer(final ByteInput input, final int sizeBytes)
    {
        this.input = input;
        bytes = new byte[sizeBytes];
    }

    /** Reads no further than a position: what follows belongs to a later part of the stream. */
    public void limit(final long offsetOfEnd)
    {
        limit = offsetOfEnd;
    }

    /** The array with the unread bytes; always the same one. */
    public byte[] bytes()
    {
        return bytes;
    }

    /** Index of the first unread byte. */
    public int from()
    {
        return from;
    }

    /** End of the unread bytes. */
    public int to()
    {
        return to;
    }

    /** Position of the first unread byte in the file. */
    public long offset()
    {
        return offset;
    }

    /** Number of its line, from 1. */
    public long line()
    {
        return line;
    }

    /**
     * Reads more bytes after the unread ones.
     *
     * @return false if none are available
     */
    public boolean fill() throws IOException
    {
        if (from > 0)
        {
            System.arraycopy(bytes, from, bytes, 0, to - from);
            to -= from;
            from = 0;
        }
        final int room = (int)Math.min(bytes.length - to, limit - offset - (to - from));
        if (room <= 0)
        {
            return false;
        }
        final int count = input.read(bytes, to, room);
        to += Math.max(0, count);
        return count > 0;
    }

    /**
     * Consumes a record.
     *
     * @param end   index after it
     * @param lines number of its line ends
     */
    public void consume(final int end, final int lines)
    {
        offset += end - from;
        line += lines;
        from = end;
    }

    /** Position up to which the file was read into the buffer. */
    public long readOffset()
    {
        return offset + to - from;
    }

    /** Position at which reading can continue later: while a line is discarded, its beginning. */
    public long resumeOffset()
    {
        return isDiscarding ? discardedOffset : offset;
    }

    /** Consumes the rest of the line of the first unread byte, also what is read later. */
    public void discardLine()
    {
        isDiscarding = true;
        discardedOffset = offset;
        continueDiscarding();
    }

    /** Consumes more of a line that is discarded; returns false if its end is not read yet. */
    public boolean continueDiscarding()
    {
        if (isDiscarding)
        {
            int end = from;
            while (end < to && bytes[end] != '\n')
            {
                end++;
            }
            isDiscarding = end == to;
            consume(isDiscarding ? to : end + 1, isDiscarding ? 0 : 1);
        }
        return !isDiscarding;
    }

    /**
     * Goes forward to a position, and counts lines on the way.
     *
     * @param knownOffset a position before it whose line is known; 0 if none is
     * @param knownLine   its line
     * @return false if the file ends before
     */
    public boolean seek(final long target, final long knownOffset, final long knownLine) throws IOException
    {
        if (offset < knownOffset && input.seek(knownOffset) == knownOffset)
        {
            from = 0;
            to = 0;
            offset = knownOffset;
            line = knownLine;
        }
        while (offset < target)
        {
            if (from == to && !fill())
            {
                return false;
            }
            final int end = (int)Math.min(to, from + target - offset);
            int lines = 0;
            for (int i = from; i < end; i++)
            {
                lines += bytes[i] == '\n' ? 1 : 0;
            }
            consume(end, lines);
        }
        return true;
    }
}
