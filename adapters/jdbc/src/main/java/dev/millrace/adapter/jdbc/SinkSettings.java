package dev.millrace.adapter.jdbc;

import java.nio.file.Path;
import java.util.List;

/**
 * What the properties of a sink say, checked.
 *
 * @param place             application and stage, for messages
 * @param table             name as declared
 * @param mode              what is done with rows
 * @param columns           what is written; empty for all properties
 * @param keys              properties that find a row of the table
 * @param dialect           name of a dialect; {@code null} to ask the database
 * @param batchRows         most rows of a transaction
 * @param batchMillis       how long rows wait for more
 * @param bufferRows        most rows in memory
 * @param whenFull          what happens when memory is full
 * @param spillDirectory    where rows wait in files; {@code null} for nowhere
 * @param spillMaxBytes     most bytes of these files
 * @param retryMillis       first pause after a failure
 * @param maxRetryMillis    longest pause
 * @param answerMillis      how long an answer of the database may take
 * @param shutdownMillis    how long the end waits for rows to be written
 */
record SinkSettings(String place, String table, SinkMode mode, List<ColumnName> columns, List<String> keys,
    String dialect, int batchRows, int batchMillis, int bufferRows, WhenFull whenFull, Path spillDirectory,
    long spillMaxBytes, int retryMillis, int maxRetryMillis, int answerMillis, int shutdownMillis)
{
    /** The column of the table for a property. */
    String column(final String property)
    {
        return columns.stream().filter(column -> column.property().equalsIgnoreCase(property))
            .map(ColumnName::column).findFirst().orElse(property);
    }
}
