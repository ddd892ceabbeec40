package dev.millrace.cql.testkit.command;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.cql.runtime.flow.RowRejectedException;
import dev.millrace.cql.runtime.flow.Values;
import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Rows of a CSV file, one at a time. Fields may stand in double quotes, doubled inside; an empty field and the word
 * {@code null} are null. A first line with the names of the columns is passed over.
 */
final class CsvInput implements AutoCloseable
{
    private static final long MILLISECOND_NS = 1_000_000L;

    private final StreamSpec spec;
    private final int timeColumn;
    private final BufferedReader reader;
    private final List<EventProperty> columns;
    private int line;
    private List<String> fields;
    private byte kind;
    private long timeNs;

    CsvInput(final StreamSpec spec, final String timeColumn) throws IOException
    {
        this.spec = spec;
        this.timeColumn = timeColumn == null ? -1 : spec.type().indexOf(timeColumn);
        columns = spec.type().properties();
        reader = Files.newBufferedReader(spec.file());
        advance();
    }

    boolean hasRow()
    {
        return fields != null;
    }

    /** Time of the present row: its time column, milliseconds when that is a number; else a millisecond a line. */
    long timeNs()
    {
        return timeNs;
    }

    byte kind()
    {
        return kind;
    }

    StreamSpec spec()
    {
        return spec;
    }

    /** Goes to the next row. */
    void advance() throws IOException
    {
        fields = null;
        for (String text = reader.readLine(); text != null && fields == null; text = fields == null ?
            reader.readLine() : text)
        {
            line++;
            if (!text.isBlank())
            {
                take(split(text));
            }
        }
    }

    private void take(final List<String> found)
    {
        if (line == 1 && isHeader(found))
        {
            return;
        }
        kind = EventBatch.INSERT;
        if (spec.relation())
        {
            kind = switch (found.remove(0).strip())
            {
                case "+" -> EventBatch.INSERT;
                case "-" -> EventBatch.DELETE;
                case "U", "u" -> EventBatch.UPDATE;
                default -> throw problem("row of a relation does not begin with +, - or U");
            };
        }
        if (found.size() != columns.size())
        {
            throw problem("row has " + found.size() + " fields instead of " + columns.size());
        }
        fields = found;
        final Object time = timeColumn < 0 ? null : value(timeColumn);
        timeNs = time == null ? line * MILLISECOND_NS :
            columns.get(timeColumn).type() == CqlType.TIMESTAMP ? (Long)time :
            Math.round(((Number)time).doubleValue() * MILLISECOND_NS);
    }

    private boolean isHeader(final List<String> found)
    {
        for (int i = 0; i < columns.size() && i < found.size(); i++)
        {
            if (!found.get(i).strip().equalsIgnoreCase(columns.get(i).name()))
            {
                return false;
            }
        }
        return found.size() == columns.size();
    }

    private static List<String> split(final String text)
    {
        final List<String> found = new ArrayList<>();
        final StringBuilder field = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < text.length(); i++)
        {
            final char c = text.charAt(i);
            if (isQuoted && c == '"' && i + 1 < text.length() && text.charAt(i + 1) == '"')
            {
                field.append('"');
                i++;
            }
            else if (c == '"')
            {
                isQuoted = !isQuoted;
            }
            else if (c == ',' && !isQuoted)
            {
                found.add(field.toString());
                field.setLength(0);
            }
            else
            {
                field.append(c);
            }
        }
        found.add(field.toString());
        return found;
    }

    /** Value of a column of the present row, boxed, or {@code null}. */
    Object value(final int column)
    {
        final CqlType type = columns.get(column).type();
        final String text = type == CqlType.CHAR ? fields.get(column) : fields.get(column).strip();
        if (text.isEmpty() || text.equals("null"))
        {
            return null;
        }
        try
        {
            return switch (type)
            {
                case INT -> Integer.valueOf(text);
                case BIGINT -> Long.valueOf(text);
                case FLOAT -> Float.valueOf(text);
                case DOUBLE -> Double.valueOf(text);
                case BIGDECIMAL -> new BigDecimal(text);
                case BOOLEAN -> Boolean.valueOf(text);
                case TIMESTAMP -> Values.timestamp(text);
                case INTERVAL -> Values.interval(text);
                case BYTE -> HexFormat.of().parseHex(text);
                case CHAR, XMLTYPE, OBJECT -> text;
            };
        }
        catch (final IllegalArgumentException | RowRejectedException wrong)
        {
            throw problem("field is no " + type.cqlName() + ", column=" + columns.get(column).name() + " field=" +
                text);
        }
    }

    private ToolException problem(final String text)
    {
        return new ToolException("CMD-0305", spec.file() + ":" + line + ": " + text,
            "correct the row or the columns given for " + spec.name());
    }

    @Override
    public void close() throws IOException
    {
        reader.close();
    }
}
