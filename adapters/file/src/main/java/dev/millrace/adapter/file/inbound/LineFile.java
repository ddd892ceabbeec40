package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.common.decode.RowDecoder;
import dev.millrace.adapter.file.inbound.input.InputFile;
import dev.millrace.adapter.file.inbound.input.RecordBuffer;
import dev.millrace.adapter.file.inbound.position.StreamFile;
import java.io.IOException;

/** A file of records in lines. Its positions are bytes. Confined to the source's thread. */
final class LineFile implements OpenFile
{
    private static final byte[] BYTE_ORDER_MARK = {(byte)0xEF, (byte)0xBB, (byte)0xBF};

    private final RecordBuffer records;
    private final InputFile input;
    private final StreamFile part;
    private final RecordReader reader;
    private final RowDecoder decoder;
    private final long resumeOffset;
    private boolean isBegun;
    private boolean isHeaderRead;
    private boolean isEnd;

    /** @param resumeOffset position at which rows begin that were not sent yet */
    LineFile(final InputFile input, final StreamFile part, final long resumeOffset, final RecordReader reader,
        final RowDecoder decoder)
    {
        this.reader = reader;
        this.decoder = decoder;
        this.input = input;
        this.part = part;
        this.resumeOffset = resumeOffset;
        records = input.records();
        if (part.hasEnded() && !part.isDamaged())
        {
            records.limit(part.end());
        }
    }

    @Override
    public InputFile input()
    {
        return input;
    }

    @Override
    public StreamFile part()
    {
        return part;
    }

    /** Reads the header, and goes to the position at which reading continues. */
    @Override
    public Beginning begin() throws IOException
    {
        if (isBegun)
        {
            return Beginning.BEGUN;
        }
        if (!skipByteOrderMark() || !readHeader())
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

    private boolean readHeader() throws IOException
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

    @Override
    public Progress read() throws IOException
    {
        return reader.read(this, records);
    }

    @Override
    public void rejectRest(final IOException cause)
    {
        reader.rejectDamaged(this, cause);
    }

    @Override
    public void setEnd()
    {
        isEnd = true;
        records.limit(records.readOffset());
    }

    @Override
    public boolean isEnd()
    {
        return isEnd;
    }

    @Override
    public boolean hasBegun()
    {
        return isBegun;
    }

    @Override
    public long offset()
    {
        return records.offset();
    }

    @Override
    public long line()
    {
        return records.line();
    }

    @Override
    public long resumeOffset()
    {
        return isBegun ? records.resumeOffset() : resumeOffset;
    }

    @Override
    public void close() throws IOException
    {
        input.close();
    }
}
