package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.common.decode.RowDecoder;
import dev.millrace.adapter.file.inbound.input.InputFile;
import dev.millrace.adapter.file.inbound.input.RecordBuffer;
import dev.millrace.adapter.file.inbound.position.StreamFile;
import java.io.Closeable;
import java.io.IOException;

/** The file that a source reads at present, as part of its stream. Confined to the source's thread. */
final class OpenFile implements Closeable
{
    private static final byte[] BYTE_ORDER_MARK = {(byte)0xEF, (byte)0xBB, (byte)0xBF};

    final InputFile input;
    final StreamFile part;
    final RecordBuffer records;
    private final long resumeOffset;
    private boolean isBegun;
    private boolean isHeaderRead;
    private boolean isEnd;

    /** @param resumeOffset position at which rows begin that were not sent yet */
    OpenFile(final InputFile input, final StreamFile part, final long resumeOffset)
    {
        this.input = input;
        this.part = part;
        this.resumeOffset = resumeOffset;
        records = input.records();
        if (part.hasEnded() && !part.isDamaged())
        {
            records.limit(part.end());
        }
    }

    /** What {@link #begin} has found. */
    enum Beginning
    {
        /** Rows follow. */
        BEGUN,
        /** The header is not complete yet. */
        WAITING,
        /** The file ends before the position at which it continues. */
        TRUNCATED
    }

    /** Reads the header, and goes to the position at which reading continues. May be called again. */
    Beginning begin(final RowDecoder decoder) throws IOException
    {
        if (isBegun)
        {
            return Beginning.BEGUN;
        }
        if (!skipByteOrderMark() || !readHeader(decoder))
        {
            return resumeOffset > part.base() ? Beginning.TRUNCATED : Beginning.WAITING;
        }
        final long known = part.knownOffset(resumeOffset);
        isBegun = records.seek(resumeOffset, known, part.knownLine(known));
        return isBegun ? Beginning.BEGUN : Beginning.TRUNCATED;
    }

    private boolean skipByteOrderMark() throws IOException
    {
        if (records.offset() > 0 || isHeaderRead)
        {
            return true;
        }
        int matching = 0;
        while (matching < BYTE_ORDER_MARK.length)
        {
            if (records.from() + matching == records.to() && !records.fill())
            {
                return isEnd;
            }
            if (records.bytes()[records.from() + matching] != BYTE_ORDER_MARK[matching])
            {
                return true;
            }
            matching++;
        }
        records.consume(records.from() + matching, 0);
        return true;
    }

    private boolean readHeader(final RowDecoder decoder) throws IOException
    {
        boolean hasMore = true;
        while (decoder.hasHeader() && !isHeaderRead && hasMore)
        {
            final int end = records.from() == records.to() ? RowDecoder.INCOMPLETE :
                decoder.header(records.bytes(), records.from(), records.to(), isEnd);
            if (end == RowDecoder.INCOMPLETE)
            {
                hasMore = records.to() - records.from() < records.bytes().length && records.fill();
            }
            else
            {
                records.consume(end, decoder.lines());
                isHeaderRead = true;
            }
        }
        if (isEnd && !isHeaderRead)
        {
            isHeaderRead = records.from() == records.to();
        }
        return isHeaderRead || !decoder.hasHeader();
    }

    /** No more bytes will follow those that were read: the last record ends with the file. */
    void setEnd()
    {
        isEnd = true;
        records.limit(records.readOffset());
    }

    boolean isEnd()
    {
        return isEnd;
    }

    /** The number of the row that ends at the first unread byte. */
    long number()
    {
        return part.number(records.offset());
    }

    /** Whether rows are being read, so that the position and line are right. */
    boolean hasBegun()
    {
        return isBegun;
    }

    /** The position at which reading can continue later. */
    long resumeOffset()
    {
        return isBegun ? records.resumeOffset() : resumeOffset;
    }

    @Override
    public void close() throws IOException
    {
        input.close();
    }
}
