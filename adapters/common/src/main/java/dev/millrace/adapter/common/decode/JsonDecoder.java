package dev.millrace.adapter.common.decode;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.api.internal.Utf8Validator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Decodes JSON objects, each on a line. Members that no column reads are skipped, whatever they contain. Allocates
 * as {@link RowWriter} and {@link JsonObjectReader} do.
 */
public final class JsonDecoder implements RowDecoder
{
    private final RowWriter out;
    private final boolean isMissingNull;
    private final boolean hasLineRecords;
    private final int[] columns;
    private final MemberColumns columnOf;
    private final CqlType[] types;
    private final boolean[] isPresent;
    private final JsonObjectReader reader = new JsonObjectReader();
    private Outcome outcome;
    private RejectReason reason;
    private String detail;
    private int lines;

    /**
     * Creates a decoder of lines.
     *
     * @param isMissingNull whether a missing member is null instead of a reason to reject the row
     */
    public JsonDecoder(final RowWriter out, final EventType type, final boolean isMissingNull)
    {
        this(out, type, isMissingNull, true);
    }

    /**
     * Creates a decoder.
     *
     * @param isMissingNull  whether a missing member is null instead of a reason to reject the row
     * @param hasLineRecords whether each line is an object; otherwise all given bytes are one object
     */
    public JsonDecoder(
        final RowWriter out, final EventType type, final boolean isMissingNull, final boolean hasLineRecords)
    {
        this.hasLineRecords = hasLineRecords;
        this.out = out;
        this.isMissingNull = isMissingNull;
        columns = out.readColumns();
        types = new CqlType[type.properties().size()];
        isPresent = new boolean[types.length];
        for (final int column : columns)
        {
            types[column] = type.properties().get(column).type();
        }
        columnOf = new MemberColumns(type.properties(), columns);
    }

    @Override
    public boolean hasHeader()
    {
        return false;
    }

    @Override
    public int header(final byte[] bytes, final int from, final int to, final boolean isEnd)
    {
        throw new IllegalStateException("lines of JSON have no header");
    }

    @Override
    public int decode(final byte[] bytes, final int from, final int to, final boolean isEnd, final int row)
    {
        int end = hasLineRecords ? from : to;
        while (end < to && bytes[end] != '\n')
        {
            end++;
        }
        if (end == to && !isEnd)
        {
            return INCOMPLETE;
        }
        reason = null;
        detail = null;
        lines = 1;
        outcome = isBlank(bytes, from, end) ? Outcome.BLANK : Outcome.ROW;
        if (outcome == Outcome.ROW)
        {
            object(bytes, from, end, row);
            outcome = reason == null ? Outcome.ROW : Outcome.REJECTED;
        }
        return end == to ? end : end + 1;
    }

    private static boolean isBlank(final byte[] bytes, final int from, final int to)
    {
        int at = from;
        while (at < to && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n'))
        {
            at++;
        }
        return at == to;
    }

    private void object(final byte[] bytes, final int from, final int to, final int row)
    {
        if (Utf8Validator.length(bytes, from, to) == Utf8Validator.INVALID)
        {
            refuse(RejectReason.INVALID_BYTES, "line=\"" + RowWriter.excerpt(bytes, from, to) + '"');
            return;
        }
        out.begin(row);
        columnOf.begin();
        Arrays.fill(isPresent, false);
        reader.begin(bytes, from, to);
        while (reader.next())
        {
            member(row);
        }
        if (reader.isBroken())
        {
            reason = null;
            refuse(RejectReason.BROKEN_JSON, "line=\"" + RowWriter.excerpt(bytes, from, to) + '"');
        }
        addMissing(row);
    }

    private void refuse(final RejectReason why, final String what)
    {
        if (reason == null)
        {
            reason = why;
            detail = what;
        }
    }

    private void member(final int row)
    {
        final int column = columnOf.next(reader.nameBytes(), reader.nameFrom(), reader.nameTo());
        if (column == MemberColumns.NONE)
        {
            return;
        }
        if (isPresent[column])
        {
            refuse(RejectReason.EXCESS_FIELD, "the member occurs twice, column=" + out.property(column).name());
        }
        isPresent[column] = true;
        switch (reader.kind())
        {
            case NULL -> out.setNull(column, row);
            case NESTED -> refuse(RejectReason.NESTED_VALUE, "column=" + out.property(column).name());
            case STRING -> value(column, row, isText(types[column]) || isSpecial(types[column]));
            case NUMBER -> value(column, row, isNumber(types[column]));
            default -> value(column, row, types[column] == CqlType.BOOLEAN);
        }
    }

    private static boolean isText(final CqlType type)
    {
        return type == CqlType.CHAR || type == CqlType.TIMESTAMP || type == CqlType.BYTE;
    }

    /** Whether the string is a floating-point number that JSON cannot write as a number. */
    private boolean isSpecial(final CqlType type)
    {
        if (type != CqlType.DOUBLE && type != CqlType.FLOAT)
        {
            return false;
        }
        final String text = new String(reader.valueBytes(), reader.valueFrom(),
            Math.min(reader.valueTo() - reader.valueFrom(), 10), StandardCharsets.ISO_8859_1);
        return text.equals("NaN") || text.endsWith("Infinity");
    }

    private static boolean isNumber(final CqlType type)
    {
        return type.isNumeric() || type == CqlType.TIMESTAMP || type == CqlType.INTERVAL;
    }

    private void value(final int column, final int row, final boolean isOfType)
    {
        final byte[] bytes = reader.valueBytes();
        final int from = reader.valueFrom();
        final int to = reader.valueTo();
        if (from == to && types[column] == CqlType.CHAR)
        {
            out.setNull(column, row);
            return;
        }
        final RejectReason why = !isOfType || from == to ? RejectReason.WRONG_TYPE :
            out.put(column, row, bytes, from, to);
        if (why != null)
        {
            refuse(why, out.describe(column, bytes, from, to));
        }
    }

    private void addMissing(final int row)
    {
        for (final int column : columns)
        {
            if (!isPresent[column] && isMissingNull)
            {
                out.setNull(column, row);
            }
            else if (!isPresent[column])
            {
                refuse(RejectReason.MISSING_FIELD, "column=" + out.property(column).name());
            }
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
        return false;
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
