package dev.millrace.adapter.jdbc.buffer;

import java.nio.file.Path;
import java.util.List;

/**
 * The validated properties of a sink.
 *
 * @param stage             application and stage, for messages
 * @param table             name as declared
 * @param mode              operations for rows
 * @param columns           columns to write; empty for all properties
 * @param keys              properties that identify a row of the table
 * @param dialect           name of a dialect; {@code null} to ask the driver
 * @param batchRows         maximum rows per transaction
 * @param batchMillis       time that rows wait for more
 * @param bufferRows        maximum rows in memory
 * @param whenFull          behavior when memory is full
 * @param spillDirectory    directory for rows in files; {@code null} for none
 * @param spillMaxBytes     maximum size of these files
 * @param retryMillis       first pause after a failure
 * @param maxRetryMillis    maximum pause
 * @param answerMillis      response timeout of the database
 * @param shutdownMillis    time that the end waits for rows to be written
 * @param positionTable     table with the number of the last row of each producer; {@code null} for none
 */
public record SinkSettings(String stage, String table, SinkMode mode, List<ColumnName> columns, List<String> keys,
    String dialect, int batchRows, int batchMillis, int bufferRows, OverflowPolicy whenFull, Path spillDirectory,
    long spillMaxBytes, int retryMillis, int maxRetryMillis, int answerMillis, int shutdownMillis,
    String positionTable)
{
    /** The table column of a property. */
    public String column(final String property)
    {
        return columns.stream().filter(column -> column.property().equalsIgnoreCase(property))
            .map(ColumnName::column).findFirst().orElse(property);
    }
}
