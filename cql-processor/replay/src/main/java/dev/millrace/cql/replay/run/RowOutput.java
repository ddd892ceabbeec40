package dev.millrace.cql.replay.run;

import dev.millrace.adapter.common.encode.CsvFormat;
import dev.millrace.adapter.common.encode.FormatSettings;
import dev.millrace.adapter.common.encode.JsonFormat;
import dev.millrace.adapter.common.encode.RowFormat;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.network.spi.ApplicationRunner.Format;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** Writes the rows of a stage as lines. Not thread-safe. */
final class RowOutput
{
    private static final char SEPARATOR = ',';

    private final OutputStream out;
    private final RowFormat format;
    private final FormatSettings settings;
    /** Begins the lines of JSON; empty if the file contains the rows of one stage. */
    private final String prefix;
    private final StringBuilder lines = new StringBuilder();
    private BatchSchema schema;
    private List<String> names;
    private int[] columns;

    /**
     * @param out        owned by the caller
     * @param stage      name in each line, in JSON only; {@code null} for none
     * @param timeColumn name of a column for the time of rows; {@code null} for none
     * @param kindColumn name of a column for the kind of rows; {@code null} for none
     */
    RowOutput(final OutputStream out, final Format format, final String stage, final String timeColumn,
        final String kindColumn)
    {
        this.out = out;
        this.format = format == Format.JSON ? new JsonFormat() : new CsvFormat();
        settings = new FormatSettings(null, true, SEPARATOR, timeColumn, kindColumn);
        prefix = stage == null ? "" : "{\"stage\":\"" + stage + "\",";
    }

    void write(final EventBatch batch) throws IOException
    {
        lines.setLength(0);
        if (!batch.schema().equals(schema))
        {
            begin(batch.schema());
        }
        for (int row = 0; row < batch.size(); row++)
        {
            final int start = lines.length();
            format.append(settings, names, columns, batch, row, lines);
            if (!prefix.isEmpty())
            {
                lines.replace(start, start + 1, prefix);
            }
        }
        out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
    }

    private void begin(final BatchSchema next)
    {
        names = next.type().properties().stream().map(EventProperty::name).toList();
        columns = IntStream.range(0, names.size()).toArray();
        final String header = format.header(settings, names);
        if (schema == null && header != null)
        {
            lines.append(header).append('\n');
        }
        schema = next;
    }
}
