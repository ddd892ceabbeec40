package dev.millrace.adapter.common.decode;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Decodes lines that are JSON objects. Members that no column reads are skipped, whatever they contain. Allocates a
 * reader for each line, and what it returns.
 */
public final class JsonDecoder implements RowDecoder
{
    private final RowWriter out;
    private final boolean isMissingNull;
    private final int[] columns;
    private final Map<String, Integer> columnOf = new HashMap<>();
    private final CqlType[] types;
    private final boolean[] isPresent;
    private final LineReader line = new LineReader();
    private Outcome outcome;
    private RejectReason reason;
    private String detail;
    private int lines;

    /** @param isMissingNull whether a missing member is null instead of a reason to reject the row */
    public JsonDecoder(final RowWriter out, final EventType type, final boolean isMissingNull)
    {
        this.out = out;
        this.isMissingNull = isMissingNull;
        columns = out.readColumns();
        types = new CqlType[type.properties().size()];
        isPresent = new boolean[types.length];
        for (final int column : columns)
        {
            types[column] = type.properties().get(column).type();
            columnOf.put(type.properties().get(column).name(), column);
        }
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
        int end = from;
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
        while (at < to && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r'))
        {
            at++;
        }
        return at == to;
    }

    private void object(final byte[] bytes, final int from, final int to, final int row)
    {
        if (!line.reset(bytes, from, to))
        {
            refuse(RejectReason.INVALID_BYTES, "line=\"" + RowWriter.excerpt(bytes, from, to) + '"');
            return;
        }
        out.begin(row);
        Arrays.fill(isPresent, false);
        // The reader has no other state than that of the line, and is cheap.
        final JsonReader reader = new JsonReader(line);
        reader.setStrictness(Strictness.STRICT);
        try
        {
            reader.beginObject();
            while (reader.hasNext())
            {
                member(reader, row);
            }
            reader.endObject();
            if (reader.peek() != JsonToken.END_DOCUMENT)
            {
                refuse(RejectReason.BROKEN_JSON, "text follows the object");
            }
        }
        catch (final MalformedJsonException | EOFException | IllegalStateException e)
        {
            reason = null;
            refuse(RejectReason.BROKEN_JSON, "line=\"" + RowWriter.excerpt(bytes, from, to) + '"');
        }
        catch (final IOException e)
        {
            throw new IllegalStateException("a line in memory cannot fail to be read", e);
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

    private void member(final JsonReader reader, final int row) throws IOException
    {
        final String name = reader.nextName();
        final Integer found = columnOf.get(name);
        if (found == null)
        {
            reader.skipValue();
            return;
        }
        final int column = found;
        if (isPresent[column])
        {
            refuse(RejectReason.EXCESS_FIELD, "the member occurs twice, column=" + name);
        }
        isPresent[column] = true;
        switch (reader.peek())
        {
            case NULL ->
            {
                reader.nextNull();
                out.setNull(column, row);
            }
            case STRING -> text(column, row, reader.nextString());
            case NUMBER -> value(column, row, reader.nextString(), isNumber(types[column]));
            case BOOLEAN -> value(column, row, reader.nextBoolean() ? "true" : "false",
                types[column] == CqlType.BOOLEAN);
            default ->
            {
                refuse(RejectReason.NESTED_VALUE, "column=" + name);
                reader.skipValue();
            }
        }
    }

    private void text(final int column, final int row, final String text)
    {
        final CqlType type = types[column];
        // JSON has no numbers for these.
        final boolean isSpecial = (type == CqlType.DOUBLE || type == CqlType.FLOAT) && (text.equals("NaN") ||
            text.endsWith("Infinity"));
        value(column, row, text, type == CqlType.CHAR || type == CqlType.TIMESTAMP || type == CqlType.BYTE ||
            isSpecial);
    }

    private static boolean isNumber(final CqlType type)
    {
        return type.isNumeric() || type == CqlType.TIMESTAMP || type == CqlType.INTERVAL;
    }

    private void value(final int column, final int row, final String text, final boolean isOfType)
    {
        if (text.isEmpty() && types[column] == CqlType.CHAR)
        {
            out.setNull(column, row);
            return;
        }
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        final RejectReason why = !isOfType || bytes.length == 0 ? RejectReason.WRONG_TYPE :
            out.put(column, row, bytes, 0, bytes.length);
        if (why != null)
        {
            refuse(why, out.describe(column, bytes, 0, bytes.length));
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
