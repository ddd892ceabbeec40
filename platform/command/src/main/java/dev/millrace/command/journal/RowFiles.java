package dev.millrace.command.journal;

import com.google.gson.JsonObject;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.command.view.OutputFormat;
import dev.millrace.network.durable.GroupDescription;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The files of an export. Confined to one thread. */
final class RowFiles implements AutoCloseable
{
    private static final int MAX_NAME = 100;

    private final Path file;
    private final boolean isCsv;
    /** By processor and group; of JSON, one for all. */
    private final Map<List<Object>, RowFile> files = new LinkedHashMap<>();

    /** A file that is being written. */
    private static final class RowFile
    {
        private final Path path;
        private final BufferedWriter writer;
        private long rows;

        RowFile(final Path path) throws IOException
        {
            this.path = path;
            writer = Files.newBufferedWriter(path);
        }
    }

    RowFiles(final Path file, final boolean isCsv) throws IOException
    {
        this.file = file;
        this.isCsv = isCsv;
        if (!isCsv)
        {
            files.put(List.of(), new RowFile(file));
        }
    }

    void write(final UnitJournal journal, final long position, final GroupDescription group, final EventBatch rows,
        final int row) throws IOException
    {
        final RowFile to = isCsv ? csv(journal, group) : files.get(List.of());
        to.writer.write(isCsv ? line(journal, position, group, rows, row) : json(journal, position, group, rows, row));
        to.writer.write('\n');
        to.rows++;
    }

    private RowFile csv(final UnitJournal journal, final GroupDescription group) throws IOException
    {
        final List<Object> key = List.of(journal.application(), journal.processor(), group);
        RowFile found = files.get(key);
        if (found == null)
        {
            found = new RowFile(path((journal.processor() + ' ' + group.name()).strip()));
            files.put(key, found);
            final StringBuilder titles = new StringBuilder("journal,position,time,kind");
            group.columns().stream().map(EventProperty::name)
                .forEach(name -> titles.append(',').append(JournalRow.quoted(name)));
            found.writer.write(titles.append('\n').toString());
        }
        return found;
    }

    /** A path for a group that no other one has. */
    private Path path(final String group)
    {
        final String name = file.getFileName().toString();
        final int dot = name.lastIndexOf('.') < 0 ? name.length() : name.lastIndexOf('.');
        final String plain = group.replaceAll("[^A-Za-z0-9._]+", "-");
        final String shown = plain.substring(0, Math.min(MAX_NAME, plain.length()));
        Path path = file;
        for (int number = 1; number == 1 || isUsed(path); number++)
        {
            path = file.resolveSibling(name.substring(0, dot) + '-' + shown + (number == 1 ? "" : "-" + number) +
                name.substring(dot));
        }
        return path;
    }

    private boolean isUsed(final Path path)
    {
        return files.values().stream().anyMatch(each -> each.path.equals(path));
    }

    private static String line(final UnitJournal journal, final long position, final GroupDescription group,
        final EventBatch rows, final int row)
    {
        final StringBuilder line = new StringBuilder(JournalRow.quoted(journal.name())).append(',').append(position)
            .append(',').append(JournalRow.text(JournalRow.time(rows.timestampNs(row)))).append(',')
            .append(JournalRow.kind(rows, row));
        for (int column = 0; column < group.columns().size(); column++)
        {
            line.append(',').append(JournalRow.quoted(JournalRow.text(JournalRow.value(rows, column, row))));
        }
        return line.toString();
    }

    private static String json(final UnitJournal journal, final long position, final GroupDescription group,
        final EventBatch rows, final int row)
    {
        final JsonObject json = new JsonObject();
        json.addProperty("journal", journal.name());
        json.addProperty("position", position);
        json.addProperty("group", group.name());
        JournalRow.json(group, rows, row).entrySet().forEach(each -> json.add(each.getKey(), each.getValue()));
        return OutputFormat.line(json);
    }

    /** Number of rows by file. */
    Map<Path, Long> counts() throws IOException
    {
        final Map<Path, Long> counts = new LinkedHashMap<>();
        for (final RowFile each : files.values())
        {
            each.writer.flush();
            counts.put(each.path, each.rows);
        }
        return counts;
    }

    @Override
    public void close() throws IOException
    {
        for (final RowFile each : files.values())
        {
            each.writer.close();
        }
    }
}
