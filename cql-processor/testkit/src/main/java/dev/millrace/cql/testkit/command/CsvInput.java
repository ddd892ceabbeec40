package dev.millrace.cql.testkit.command;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.cql.runtime.function.Values;
import dev.millrace.cql.runtime.row.RowRejectedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Rows of a CSV file, one at a time. Fields may be in double quotes, which are doubled inside; an empty field and the
 * word {@code null} are null. A first line with the names of the columns is skipped. Lines that are not rows are
 * reported and skipped.
 */
final class CsvInput implements AutoCloseable
{
    private static final long MILLISECOND_NS = 1_000_000L;

    private final StreamSpec spec;
    private final int timeColumn;
    private final boolean isMillisecondALine;
    private final BufferedReader reader;
    private final Consumer<String> problems;
    private final List<EventProperty> columns;
    private int line;
    private Object[] values;
    private byte kind;
    private long timeNs = Long.MIN_VALUE;

    /** A line that is not a row. */
    private static final class BadLine extends Exception
    {
        private static final long serialVersionUID = 1L;

        BadLine(final String text)
        {
            super(text, null, false, false);
        }
    }

    /**
     * Starts reading.
     *
     * @param spec     source
     * @param times    which column contains times
     * @param reader   of the file
     * @param problems receives errors of lines: file, line, text
     */
    CsvInput(final StreamSpec spec, final RowTimes times, final BufferedReader reader, final Consumer<String> problems)
    {
        this.spec = spec;
        this.reader = reader;
        this.problems = problems;
        timeColumn = times.column(spec);
        isMillisecondALine = times.isMillisecondALine();
        columns = spec.type().properties();
    }

    boolean hasRow()
    {
        return values != null;
    }

    /** Time of the current row. */
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

    /** Value of a column of the current row, boxed, or {@code null}. */
    Object value(final int column)
    {
        return values[column];
    }

    /** Advances to the next row. */
    void advance() throws IOException
    {
        values = null;
        while (values == null)
        {
            final String text = reader.readLine();
            if (text == null)
            {
                return;
            }
            line++;
            final String plain = line == 1 && text.startsWith("\uFEFF") ? text.substring(1) : text;
            if (plain.isBlank())
            {
                continue;
            }
            try
            {
                take(split(plain));
            }
            catch (final BadLine wrong)
            {
                problems.accept((spec.isStandardInput() ? "standard input" : spec.file()) + ":" + line + ": " +
                    wrong.getMessage() + (line == 1 ? hintOfFirstLine() : ""));
            }
        }
    }

    /** A hint when the first line is not a row and names other columns, or the same in another order. */
    private String hintOfFirstLine()
    {
        return "\n    hint: if these are names of columns, specify " + (spec.relation() ? "--relation" : "--stream") +
            " the same ones in the same order; it has " +
            columns.stream().map(EventProperty::name).collect(Collectors.joining(","));
    }

    private void take(final List<String> fields) throws BadLine
    {
        if (line == 1 && isHeaderInDisorder(fields))
        {
            throw new BadLine("the columns are in another order");
        }
        if (line == 1 && isHeader(fields))
        {
            return;
        }
        byte rowKind = EventBatch.INSERT;
        if (spec.relation())
        {
            rowKind = switch (fields.remove(0).strip().toUpperCase(Locale.ROOT))
            {
                case "+" -> EventBatch.INSERT;
                case "-" -> EventBatch.DELETE;
                case "U" -> EventBatch.UPDATE;
                default -> throw new BadLine("row of a relation does not begin with +, - or U");
            };
        }
        if (fields.size() != columns.size())
        {
            throw new BadLine("row has " + fields.size() + " fields instead of " + columns.size());
        }
        final Object[] row = new Object[columns.size()];
        for (int i = 0; i < row.length; i++)
        {
            row[i] = value(columns.get(i), fields.get(i));
        }
        final long rowNs = time(row);
        if (rowNs < timeNs)
        {
            throw new BadLine("time goes backwards, time=" + RowPrinter.milliseconds(rowNs) + " before=" +
                RowPrinter.milliseconds(timeNs));
        }
        kind = rowKind;
        timeNs = rowNs;
        values = row;
    }

    private long time(final Object[] row) throws BadLine
    {
        if (timeColumn < 0)
        {
            return isMillisecondALine ? line * MILLISECOND_NS : 0;
        }
        final Object time = row[timeColumn];
        if (time == null)
        {
            throw new BadLine("row has no time, column=" + columns.get(timeColumn).name());
        }
        if (columns.get(timeColumn).type() == CqlType.TIMESTAMP)
        {
            return (Long)time;
        }
        return time instanceof Float || time instanceof Double ?
            Math.round(((Number)time).doubleValue() * MILLISECOND_NS) : ((Number)time).longValue() * MILLISECOND_NS;
    }

    private boolean isHeader(final List<String> found)
    {
        final int skipped = found.size() - columns.size();
        if (skipped < 0 || skipped > (spec.relation() ? 1 : 0))
        {
            return false;
        }
        for (int i = 0; i < columns.size(); i++)
        {
            if (!found.get(skipped + i).strip().equalsIgnoreCase(columns.get(i).name()))
            {
                return false;
            }
        }
        return true;
    }

    private boolean isHeaderInDisorder(final List<String> found)
    {
        final List<String> names = found.stream().map(each -> each.strip().toLowerCase(Locale.ROOT)).sorted().toList();
        final List<String> own =
            columns.stream().map(each -> each.name().toLowerCase(Locale.ROOT)).sorted().toList();
        return names.equals(own) && !isHeader(found);
    }

    /** The fields of a line, none when a quote is not closed. */
    static List<String> fields(final String text)
    {
        try
        {
            return split(text.startsWith("\uFEFF") ? text.substring(1) : text);
        }
        catch (final BadLine wrong)
        {
            return List.of();
        }
    }

    private static List<String> split(final String text) throws BadLine
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
        if (isQuoted)
        {
            throw new BadLine("quoted field is not closed");
        }
        found.add(field.toString());
        return found;
    }

    private static Object value(final EventProperty column, final String field) throws BadLine
    {
        final String text = column.type() == CqlType.CHAR ? field : field.strip();
        if (text.isEmpty() || text.equals("null"))
        {
            return null;
        }
        try
        {
            return switch (column.type())
            {
                case INT -> Integer.valueOf(text);
                case BIGINT -> Long.valueOf(text);
                case FLOAT -> Float.valueOf(text);
                case DOUBLE -> Double.valueOf(text);
                case BIGDECIMAL -> new BigDecimal(text);
                case BOOLEAN -> truth(text);
                case TIMESTAMP -> Values.timestamp(text);
                case INTERVAL -> Values.interval(text);
                case BYTE -> HexFormat.of().parseHex(text);
                case CHAR, XMLTYPE, OBJECT -> text;
            };
        }
        catch (final IllegalArgumentException | RowRejectedException wrong)
        {
            throw new BadLine("field is not of type " + column.type().cqlName() + ", column=" + column.name() +
                " field=" + text);
        }
    }

    private static Boolean truth(final String text)
    {
        if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false"))
        {
            throw new IllegalArgumentException(text);
        }
        return Boolean.valueOf(text);
    }

    @Override
    public void close() throws IOException
    {
        reader.close();
    }
}
