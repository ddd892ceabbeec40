package dev.millrace.adapter.common.encode;

import dev.millrace.api.event.EventBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Lines of CSV as in RFC 4180, with LF at the end of a line. */
public final class CsvFormat implements RowFormat
{
    private static final char QUOTE = '"';

    @Override
    public String header(final FormatSettings settings, final List<String> columns)
    {
        if (!settings.header())
        {
            return null;
        }
        final List<String> all = new ArrayList<>();
        if (settings.timeColumn() != null)
        {
            all.add(settings.timeColumn());
        }
        if (settings.kindColumn() != null)
        {
            all.add(settings.kindColumn());
        }
        all.addAll(columns);
        return all.stream().map(name -> quoted(name, settings.separator())).collect(
            Collectors.joining(String.valueOf(settings.separator())));
    }

    @Override
    public void append(final FormatSettings settings, final List<String> names, final int[] columns,
        final EventBatch rows, final int row, final StringBuilder to)
    {
        if (settings.timeColumn() != null)
        {
            to.append(RowFormat.time(rows.timestampNs(row))).append(settings.separator());
        }
        if (settings.kindColumn() != null)
        {
            to.append(KINDS.get(rows.kind(row))).append(settings.separator());
        }
        for (int i = 0; i < columns.length; i++)
        {
            if (i > 0)
            {
                to.append(settings.separator());
            }
            if (!rows.isNull(columns[i], row))
            {
                to.append(quoted(RowFormat.text(rows, columns[i], row), settings.separator()));
            }
        }
        // An empty line would be no row.
        if (columns.length == 1 && rows.isNull(columns[0], row) && settings.timeColumn() == null &&
            settings.kindColumn() == null)
        {
            to.append(QUOTE).append(QUOTE);
        }
        to.append('\n');
    }

    private static String quoted(final String text, final char separator)
    {
        boolean isPlain = true;
        for (int i = 0; i < text.length() && isPlain; i++)
        {
            final char c = text.charAt(i);
            isPlain = c != separator && c != QUOTE && c != '\n' && c != '\r';
        }
        return isPlain ? text : QUOTE + text.replace("\"", "\"\"") + QUOTE;
    }
}
