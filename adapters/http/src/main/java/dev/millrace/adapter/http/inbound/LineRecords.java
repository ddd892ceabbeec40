package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.common.decode.RowDecoder;

/** Records that end with lines: CSV, or an object on each line. Confined to the thread of the source. */
final class LineRecords implements Records
{
    private static final byte[] BYTE_ORDER_MARK = {(byte)0xEF, (byte)0xBB, (byte)0xBF};

    private final RowDecoder decoder;
    private byte[] bytes;
    private int at;
    private int to;
    private int line;
    private int nextLine;
    private boolean isHeaderRead;
    private RowProblem problem;

    LineRecords(final RowDecoder decoder)
    {
        this.decoder = decoder;
    }

    @Override
    public void begin(final byte[] body, final int size)
    {
        bytes = body;
        at = markLength(body, size);
        to = size;
        nextLine = 1;
        isHeaderRead = !decoder.hasHeader();
    }

    /** Number of bytes at the beginning that are no text. */
    static int markLength(final byte[] body, final int size)
    {
        return size >= BYTE_ORDER_MARK.length && body[0] == BYTE_ORDER_MARK[0] && body[1] == BYTE_ORDER_MARK[1] &&
            body[2] == BYTE_ORDER_MARK[2] ? BYTE_ORDER_MARK.length : 0;
    }

    @Override
    public RowDecoder.Outcome next(final int row)
    {
        line = nextLine;
        if (at == to)
        {
            return null;
        }
        if (!isHeaderRead)
        {
            isHeaderRead = true;
            return header();
        }
        advance(decoder.decode(bytes, at, to, true, row));
        return decoder.outcome() == RowDecoder.Outcome.REJECTED ? rejected() : decoder.outcome();
    }

    private RowDecoder.Outcome header()
    {
        final int end = decoder.header(bytes, at, to, true);
        if (decoder.outcome() == RowDecoder.Outcome.REJECTED)
        {
            rejected();
            // Without a header, the columns of all rows are unknown.
            at = to;
            return RowDecoder.Outcome.REJECTED;
        }
        advance(end);
        return RowDecoder.Outcome.BLANK;
    }

    private void advance(final int end)
    {
        nextLine += decoder.lines();
        at = end;
    }

    private RowDecoder.Outcome rejected()
    {
        problem = new RowProblem(decoder.reason(), decoder.detail());
        if (decoder.isUnbounded())
        {
            skipLine();
        }
        return RowDecoder.Outcome.REJECTED;
    }

    private void skipLine()
    {
        while (at < to && bytes[at] != '\n')
        {
            at++;
        }
        at += at < to ? 1 : 0;
        nextLine = line + 1;
    }

    @Override
    public RowProblem problem()
    {
        return problem;
    }

    @Override
    public int line()
    {
        return line;
    }
}
