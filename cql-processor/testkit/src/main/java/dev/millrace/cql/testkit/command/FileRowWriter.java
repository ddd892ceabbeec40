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
            write(batch, column, row, input.value(column));
        }
        batch.useTimestampPerRow()[row] = input.timeNs();
        if (input.spec().relation())
        {
            batch.useKinds()[row] = input.kind();
        }
        batch.size(row + 1);
    }

    private static void write(final EventBatch batch, final int column, final int row, final Object value)
    {
        if (value == null)
        {
            batch.setNull(column, row);
            return;
        }
        if (batch.schema().storage(column).usesNullBitmap())
        {
            batch.clearNull(column, row);
        }
        switch (batch.schema().storage(column))
        {
            case INT32 -> batch.ints(column)[row] = (Integer)value;
            case INT64 -> batch.longs(column)[row] = (Long)value;
            case FLOAT32 -> batch.floats(column)[row] = (Float)value;
            case FLOAT64 -> batch.doubles(column)[row] = (Double)value;
            case BIT -> batch.bits(column)[row] = (byte)((Boolean)value ? 1 : 0);
            case TEXT -> batch.texts(column).set(row, (String)value);
            default -> batch.references(column)[row] = value;
        }
    }
}
