package dev.millrace.adapter.common.encode;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

/** Writes rows as lines. Confined to one thread. */
public interface RowFormat
{
    /** Nanoseconds of a second. */
    long SECOND_NS = 1_000_000_000;

    /** The kinds of rows, by their numbers. */
    List<String> KINDS = List.of("INSERT", "DELETE", "UPDATE");

    /** The first line of a file, without its end; {@code null} for none. */
    String header(FormatSettings settings, List<String> columns);

    /**
     * Appends a row and the end of its line.
     *
     * @param names   names of the columns
     * @param columns their indexes in the batch
     */
    void append(FormatSettings settings, List<String> names, int[] columns, EventBatch rows, int row,
        StringBuilder to);

    /** A time as text in UTC. */
    static String time(final long timeNs)
    {
        return Instant.ofEpochSecond(Math.floorDiv(timeNs, SECOND_NS), Math.floorMod(timeNs, SECOND_NS)).toString();
    }

    /** A value that is not null as text, from which it can be read without loss. */
    static String text(final EventBatch rows, final int column, final int row)
    {
        final CqlType type = rows.schema().type().properties().get(column).type();
        return switch (type)
        {
            case INT -> Integer.toString(rows.ints(column)[row]);
            case BIGINT, INTERVAL -> Long.toString(rows.longs(column)[row]);
            case FLOAT -> Float.toString(rows.floats(column)[row]);
            case DOUBLE -> Double.toString(rows.doubles(column)[row]);
            case BOOLEAN -> rows.bits(column)[row] != 0 ? "true" : "false";
            case TIMESTAMP -> time(rows.longs(column)[row]);
            case CHAR -> rows.texts(column).string(row);
            case BYTE -> HexFormat.of().formatHex((byte[])rows.references(column)[row]);
            default -> rows.references(column)[row].toString();
        };
    }
}
