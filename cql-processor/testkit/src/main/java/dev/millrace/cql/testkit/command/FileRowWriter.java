package dev.millrace.cql.testkit.command;

import dev.millrace.api.event.EventBatch;

/** Writes the current row of a file to a batch. */
final class FileRowWriter
{
    private FileRowWriter()
    {
    }

    /**
     * Adds a row.
     *
     * @param input contains the row
     * @param batch of the schema of the input; its size grows by one
     */
    static void add(final CsvInput input, final EventBatch batch)
    {
        final int row = batch.size();
        for (int column = 0; column < input.spec().type().properties().size(); column++)
        {
            batch.setValue(column, row, input.value(column));
        }
        batch.useTimestampPerRow()[row] = input.timeNs();
        if (input.spec().relation())
        {
            batch.useKinds()[row] = input.kind();
        }
        batch.size(row + 1);
    }
}
