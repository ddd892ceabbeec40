package dev.millrace.adapter.jdbc.polling;

import dev.millrace.adapter.jdbc.buffer.ColumnName;
import java.nio.file.Path;
import java.util.List;

/**
 * The validated properties of a source.
 *
 * @param stage          application and stage, for messages and as name of the producer
 * @param table          name as declared; {@code null} if there is a query
 * @param query          with placeholders; {@code null} if there is a table
 * @param positionColumn column whose values increase
 * @param tieColumn      column that orders rows of one position; {@code null} for none
 * @param columns        properties to fill and their columns; empty for all properties
 * @param timeColumn     column with the time of the event; {@code null} for none
 * @param startAt        {@code beginning}, {@code end} or a position
 * @param pollMillis     pause after a query that has found all rows
 * @param lagMillis      how long a position is visible before rows up to it are read
 * @param fetchSize      rows that the driver reads at once
 * @param pollRows       maximum rows of a query
 * @param isOnce         whether the source ends when it has read the rows that existed at its start
 * @param retryMillis    first pause after a failure
 * @param maxRetryMillis maximum pause
 * @param answerMillis   response timeout of the database
 * @param directory      directory of the position files
 */
public record SourceSettings(String stage, String table, String query, String positionColumn, String tieColumn,
    List<ColumnName> columns, String timeColumn, String startAt, int pollMillis, int lagMillis, int fetchSize,
    int pollRows, boolean isOnce, int retryMillis, int maxRetryMillis, int answerMillis, Path directory)
{
    /** Value of {@link #startAt} for all rows. */
    public static final String BEGINNING = "beginning";
    /** Value of {@link #startAt} for rows that are added after the first start. */
    public static final String END = "end";

    /** The column that fills a property. */
    String column(final String property)
    {
        return columns.stream().filter(column -> column.property().equalsIgnoreCase(property))
            .map(ColumnName::column).findFirst().orElse(property);
    }

    /** Whether a column fills the property. */
    boolean fills(final String property)
    {
        return columns.isEmpty() ||
            columns.stream().anyMatch(column -> column.property().equalsIgnoreCase(property));
    }

    /** Stage and table or query of the rows, for messages. */
    public String source()
    {
        return "stage=" + stage + (table == null ? " query=\"" + query.strip() + '"' : " table=" + table);
    }
}
