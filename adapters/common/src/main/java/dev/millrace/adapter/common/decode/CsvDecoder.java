package dev.millrace.adapter.common.decode;

import dev.millrace.api.event.EventType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Decodes CSV as in RFC 4180, with LF or CR LF at the end of a record. An empty field is null, quoted or not; a blank
 * line is no record. Allocates only for quoted fields that contain quotes and for rejected records.
 */
public final class CsvDecoder implements RowDecoder
{
    private static final byte QUOTE = '"';
    private static final int NO_FIELD = -1;

    private final RowWriter out;
    private final EventType type;
    private final byte separator;
    private final byte[] nullText;
    private final boolean hasHeader;
    private final boolean isMissingNull;
    /** Bytes that end a field without quotes, or may not occur in one. */
    private final boolean[] isSpecial = new boolean[256];
    /** The column of each field; replaced by the header. */
    private int[] columns;
    private final boolean isMappedByHeader;
    /** Columns that the header lacks. */
    private List<String> lacking = List.of();
    private Outcome outcome;
    private RejectReason reason;
    private String detail;
    private int lines;
    /** Bounds of the last field and the index of the byte after it. */
    private byte[] fieldBytes;
    private int fieldFrom;
    private int fieldTo;
    private boolean isQuoted;

    /**
     * Creates a decoder.
     *
     * @param columns         of the fields
     * @param hasHeader       whether files begin with names
     * @param isMappedByHeader whether these names replace {@code columns}
     * @param separator       an ASCII character
     * @param nullText        a further representation of null; {@code null} for none
     * @param isMissingNull   whether a missing field is null instead of a reason to reject the row
     */
    public CsvDecoder(final RowWriter out, final EventType type, final int[] columns, final boolean hasHeader,
        final boolean isMappedByHeader, final char separator, final String nullText, final boolean isMissingNull)
    {
        this.out = out;
        this.type = type;
        this.columns = columns.clone();
        this.hasHeader = hasHeader;
        this.isMappedByHeader = isMappedByHeader;
        this.separator = (byte)separator;
        this.nullText = nullText == null ? null : nullText.getBytes(StandardCharsets.UTF_8);
        this.isMissingNull = isMissingNull;
        isSpecial[separator] = true;
        isSpecial['\n'] = true;
        isSpecial[QUOTE] = true;
    }

    @Override
    public boolean hasHeader()
    {
        return hasHeader;
    }

    @Override
    public int header(final byte[] bytes, final int from, final int to, final boolean isEnd)
    {
        final List<String> names = new ArrayList<>();
        begin();
        int at = from;
        boolean isLast = false;
        while (!isLast)
        {
            at = field(bytes, at, to, isEnd);
            if (at == NO_FIELD)
            {
                return INCOMPLETE;
            }
            if (isUnbounded())
            {
                outcome = Outcome.REJECTED;
                columns = isMappedByHeader ? new int[0] : columns;
                return from;
            }
            names.add(new String(fieldBytes, fieldFrom, fieldTo - fieldFrom, StandardCharsets.UTF_8).strip());
            isLast = at == to || bytes[at] == '\n';
            at = at == to ? at : at + 1;
        }
        lines++;
        outcome = Outcome.BLANK;
        if (isMappedByHeader)
        {
            map(names);
        }
        return at;
    }

    private void map(final List<String> names)
    {
        final int[] found = names.stream().mapToInt(type::indexOf).toArray();
        for (int i = 0; i < found.length; i++)
        {
            final int column = found[i];
            if (Arrays.stream(out.readColumns()).noneMatch(read -> read == column) ||
                Arrays.stream(found, 0, i).anyMatch(earlier -> earlier == column))
            {
                found[i] = ColumnNames.SKIPPED;
            }
        }
        columns = found;
        lacking = Arrays.stream(out.readColumns())
            .filter(read -> Arrays.stream(found).noneMatch(column -> column == read))
            .mapToObj(read -> out.property(read).name()).toList();
    }

    private void begin()
    {
        outcome = Outcome.ROW;
        reason = null;
        detail = null;
        lines = 0;
    }

    @Override
    public int decode(final byte[] bytes, final int from, final int to, final boolean isEnd, final int row)
    {
        begin();
        final int blank = blankEnd(bytes, from, to, isEnd);
        if (blank != from)
        {
            return blank;
        }
        out.begin(row);
        int at = from;
        int index = 0;
        boolean isLast = false;
        while (!isLast)
        {
            at = field(bytes, at, to, isEnd);
            if (at == NO_FIELD)
            {
                return INCOMPLETE;
            }
            if (isUnbounded())
            {
                outcome = Outcome.REJECTED;
                return from;
            }
            put(index++, row);
            isLast = at == to || bytes[at] == '\n';
            at = at == to ? at : at + 1;
        }
        lines++;
        finish(index, row);
        outcome = reason == null ? Outcome.ROW : Outcome.REJECTED;
        return at;
    }

    /** The end of a blank line; {@code from} for other lines. */
    private int blankEnd(final byte[] bytes, final int from, final int to, final boolean isEnd)
    {
        int at = from;
        if (at < to && bytes[at] == '\r')
        {
            at++;
        }
        if (at == to)
        {
            outcome = Outcome.BLANK;
            return isEnd ? to : INCOMPLETE;
        }
        if (bytes[at] != '\n')
        {
            return from;
        }
        outcome = Outcome.BLANK;
        lines = 1;
        return at + 1;
    }

    /** Finds the next field; returns the index of the separator or line end after it, or {@link #NO_FIELD}. */
    private int field(final byte[] bytes, final int from, final int to, final boolean isEnd)
    {
        fieldBytes = bytes;
        fieldFrom = from;
        isQuoted = from < to && bytes[from] == QUOTE;
        if (isQuoted)
        {
            return quotedField(bytes, from + 1, to, isEnd);
        }
        int at = from;
        while (at < to && !isSpecial[bytes[at] & 0xFF])
        {
            at++;
        }
        if (at == to && !isEnd)
        {
            return NO_FIELD;
        }
        if (at < to && bytes[at] == QUOTE)
        {
            return unbounded("a quote in a field without quotes", bytes, from, at + 1);
        }
        fieldTo = at > from && bytes[at - 1] == '\r' && (at == to || bytes[at] == '\n') ? at - 1 : at;
        return at;
    }

    private int quotedField(final byte[] bytes, final int from, final int to, final boolean isEnd)
    {
        int at = from;
        boolean hasQuotes = false;
        while (at < to)
        {
            if (bytes[at] == '\n')
            {
                lines++;
            }
            else if (bytes[at] == QUOTE)
            {
                if (at + 1 == to && !isEnd)
                {
                    return NO_FIELD;
                }
                if (at + 1 == to || bytes[at + 1] != QUOTE)
                {
                    return quotedEnd(bytes, from, at, to, isEnd, hasQuotes);
                }
                hasQuotes = true;
                at++;
            }
            at++;
        }
        return isEnd ? unbounded("a quote is not closed", bytes, from - 1, to) : NO_FIELD;
    }

    private int quotedEnd(final byte[] bytes, final int from, final int quote, final int to, final boolean isEnd,
        final boolean hasQuotes)
    {
        fieldFrom = from;
        fieldTo = quote;
        if (hasQuotes)
        {
            fieldBytes = new String(bytes, from, quote - from, StandardCharsets.ISO_8859_1).replace("\"\"", "\"")
                .getBytes(StandardCharsets.ISO_8859_1);
            fieldFrom = 0;
            fieldTo = fieldBytes.length;
        }
        int at = quote + 1;
        if (at < to && bytes[at] == '\r')
        {
            at++;
        }
        if (at == to)
        {
            return isEnd ? at : NO_FIELD;
        }
        return bytes[at] == '\n' || at == quote + 1 && bytes[at] == separator ? at :
            unbounded("text follows a closing quote", bytes, from - 1, Math.min(to, at + 1));
    }

    private int unbounded(final String fact, final byte[] bytes, final int from, final int to)
    {
        reason = RejectReason.WRONG_QUOTES;
        detail = fact + ", field=\"" + RowWriter.excerpt(bytes, from, to) + '"';
        return from;
    }

    private void put(final int index, final int row)
    {
        final int column = index < columns.length ? columns[index] : ColumnNames.SKIPPED;
        if (reason != null || column == ColumnNames.SKIPPED)
        {
            return;
        }
        if (fieldFrom == fieldTo || !isQuoted && nullText != null &&
            Arrays.equals(fieldBytes, fieldFrom, fieldTo, nullText, 0, nullText.length))
        {
            out.setNull(column, row);
            return;
        }
        reason = out.put(column, row, fieldBytes, fieldFrom, fieldTo);
        if (reason != null)
        {
            detail = out.describe(column, fieldBytes, fieldFrom, fieldTo);
        }
    }

    private void finish(final int count, final int row)
    {
        if (reason != null)
        {
            return;
        }
        if (count > columns.length)
        {
            reason = RejectReason.EXCESS_FIELD;
            detail = "fields=" + count + " columns=" + columns.length;
        }
        else if ((count < columns.length || !lacking.isEmpty()) && !isMissingNull)
        {
            reason = RejectReason.MISSING_FIELD;
            detail = lacking.isEmpty() ? "fields=" + count + " columns=" + columns.length :
                "the header has no column=" + lacking.get(0);
        }
        else
        {
            addMissing(count, row);
        }
    }

    private void addMissing(final int count, final int row)
    {
        for (int i = count; i < columns.length; i++)
        {
            if (columns[i] != ColumnNames.SKIPPED)
            {
                out.setNull(columns[i], row);
            }
        }
        for (final String name : lacking)
        {
            out.setNull(type.indexOf(name), row);
        }
    }

    @Override
    public Outcome outcome()
    {
        return outcome;
    }

    @Override
    public int lines()
    {
        return lines;
    }

    @Override
    public boolean isUnbounded()
    {
        return reason == RejectReason.WRONG_QUOTES;
    }

    @Override
    public RejectReason reason()
    {
        return reason;
    }

    @Override
    public String detail()
    {
        return detail;
    }
}
