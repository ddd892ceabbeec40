package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.common.decode.RejectReason;
import dev.millrace.adapter.common.decode.RowDecoder;
import dev.millrace.adapter.common.decode.RowWriter;

/**
 * The records of a JSON document: one object, or an array of objects. It finds where objects begin and end; the decoder
 * checks their content. Confined to the thread of the source.
 *
 * <p>Line ends between the tokens of an object are replaced by blanks, because the decoder expects an object on one
 * line; within strings they are invalid.
 */
final class JsonRecords implements Records
{
    private enum Expected
    {
        /** The first record or the end of the array. */
        FIRST,
        /** A comma or the end of the array. */
        SEPARATOR,
        /** The record after a comma. */
        RECORD,
        /** Nothing but blanks. */
        END
    }

    private final RowDecoder decoder;
    private byte[] bytes;
    private int at;
    private int to;
    private int line;
    private int nextLine;
    private boolean isArray;
    private Expected expected;
    private RowProblem problem;

    JsonRecords(final RowDecoder decoder)
    {
        this.decoder = decoder;
    }

    @Override
    public void begin(final byte[] body, final int size)
    {
        bytes = body;
        to = size;
        at = LineRecords.markLength(body, size);
        line = 1;
        nextLine = 1;
        skipBlanks();
        isArray = at < to && bytes[at] == '[';
        at += isArray ? 1 : 0;
        expected = isArray ? Expected.FIRST : Expected.RECORD;
    }

    @Override
    public RowDecoder.Outcome next(final int row)
    {
        skipBlanks();
        if (isArray && expected == Expected.SEPARATOR && at < to && bytes[at] == ',')
        {
            at++;
            expected = Expected.RECORD;
            skipBlanks();
        }
        line = nextLine;
        if (isArray && (expected == Expected.FIRST || expected == Expected.SEPARATOR) && at < to && bytes[at] == ']')
        {
            at++;
            expected = Expected.END;
            skipBlanks();
        }
        if (expected == Expected.END)
        {
            return at == to ? null : broken("text follows the document");
        }
        if (expected == Expected.SEPARATOR)
        {
            return broken(at == to ? "the array is not closed" : "a comma is missing");
        }
        return object(row);
    }

    private RowDecoder.Outcome object(final int row)
    {
        if (at == to || bytes[at] != '{')
        {
            return broken(at == to ? "the document ends where an object is expected" : "not an object");
        }
        final int from = at;
        if (!findEnd())
        {
            at = from;
            return broken("an object or string is not closed");
        }
        expected = isArray ? Expected.SEPARATOR : Expected.END;
        decoder.decode(bytes, from, at, true, row);
        if (decoder.outcome() == RowDecoder.Outcome.REJECTED)
        {
            problem = new RowProblem(decoder.reason(), decoder.detail());
        }
        return decoder.outcome();
    }

    /** Moves to the byte after the object; returns false if the document ends before. */
    private boolean findEnd()
    {
        int depth = 0;
        boolean isString = false;
        while (at < to)
        {
            final byte each = bytes[at++];
            if (isString)
            {
                if (each == '\n')
                {
                    return false;
                }
                at += each == '\\' && at < to ? 1 : 0;
                isString = each != '"';
            }
            else if (each == '\n')
            {
                bytes[at - 1] = ' ';
                nextLine++;
            }
            else if (each == '"')
            {
                isString = true;
            }
            else if (each == '{' || each == '[')
            {
                depth++;
            }
            else if ((each == '}' || each == ']') && --depth == 0)
            {
                return true;
            }
        }
        return false;
    }

    private void skipBlanks()
    {
        while (at < to && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n'))
        {
            nextLine += bytes[at] == '\n' ? 1 : 0;
            at++;
        }
    }

    /** The records after this position cannot be found. */
    private RowDecoder.Outcome broken(final String detail)
    {
        problem = new RowProblem(RejectReason.BROKEN_JSON, detail + ", text=\"" +
            RowWriter.excerpt(bytes, at, to) + '"');
        at = to;
        isArray = false;
        expected = Expected.END;
        return RowDecoder.Outcome.REJECTED;
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
