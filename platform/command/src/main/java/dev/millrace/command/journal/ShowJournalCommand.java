package dev.millrace.command.journal;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.millrace.api.event.EventBatch;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.OptionRange;
import dev.millrace.command.view.OutputFormat;
import dev.millrace.journal.Journal;
import dev.millrace.network.durable.AnswerForm;
import dev.millrace.network.durable.RecordDecoder;
import dev.millrace.network.durable.RecordKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the records of journals. */
@Command(
    name = "show", mixinStandardHelpOptions = true,
    description = {"Shows records of journals, oldest first, with their rows.",
        "A row begins with its time and + (inserted), - (deleted) or U (updated). With --format json, each line is one"
            + " record."},
    footer = {"", "Examples:", "  millrace journal show my.application",
        "  millrace journal show my.application/orders/worker-0-of-2 --from 771353491883950082 --limit 10",
        "  millrace journal show my.application/orders --format json"})
final class ShowJournalCommand implements Callable<Integer>
{
    private static final int MAX_LIMIT = 1_000_000_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private JournalSelection selection;

    @Option(names = "--from", paramLabel = "POSITION",
        description = "Position of the first record. Default: the oldest record.")
    private long from = Journal.NONE;

    @Option(names = "--limit", paramLabel = "COUNT", defaultValue = "100",
        description = "Number of records per journal. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Mixin
    private OutputFormat format;

    @Override
    public Integer call() throws IOException
    {
        OptionRange.check("--limit", limit, 1, MAX_LIMIT);
        final boolean isJson = format.isJson();
        final List<UnitJournal> journals = selection.find();
        if (from != Journal.NONE && journals.size() > 1)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0233", "a position belongs to one journal, journals=" +
                journals.size(), "select one: " +
                journals.stream().map(UnitJournal::name).collect(Collectors.joining(", ")));
        }
        final PrintWriter out = spec.commandLine().getOut();
        for (final UnitJournal journal : journals)
        {
            if (!isJson)
            {
                out.println(journal.name());
            }
            final int[] shown = {0};
            journal.read(from, (position, record) ->
            {
                final JsonObject json = json(journal, position, record);
                if (isJson)
                {
                    OutputFormat.print(json, true, out);
                }
                else
                {
                    print(json, out);
                }
                return ++shown[0] < limit;
            });
            out.flush();
        }
        return ExitCode.DONE;
    }

    private static JsonObject json(final UnitJournal journal, final long position, final RecordDecoder record)
    {
        final JsonObject json = new JsonObject();
        json.addProperty("journal", journal.name());
        json.addProperty("position", position);
        if (record.kind() == RecordKind.PRODUCER)
        {
            json.addProperty("kind", "producer");
            json.addProperty("producer", record.number());
            json.addProperty("name", record.producer(record.number()));
            return json;
        }
        if (record.kind() == RecordKind.OUTPUT)
        {
            json.addProperty("kind", "output");
            json.addProperty("name", record.output());
            json.addProperty("number", record.outputNumber());
            return json;
        }
        if (record.kind() == RecordKind.RULES)
        {
            json.addProperty("kind", "rules");
            json.addProperty("version", record.number());
            return json;
        }
        json.addProperty("kind", switch (record.kind())
        {
            case RecordKind.GROUP -> "group";
            case RecordKind.ROWS -> "rows";
            case RecordKind.RECORDED_ROWS -> "recorded";
            case RecordKind.CLEAR -> "clear";
            case RecordKind.ANSWER -> "answer";
            default -> "time";
        });
        json.addProperty("group", record.number());
        json.addProperty("name", record.group().name());
        if (record.kind() == RecordKind.GROUP)
        {
            final JsonArray columns = new JsonArray();
            record.group().columns().forEach(each -> columns.add(each.name() + ' ' + each.type().cqlName()));
            json.add("columns", columns);
        }
        else if (record.kind() == RecordKind.TIME)
        {
            json.add("time", JournalRow.time(record.timeNs()));
        }
        else if (record.kind() == RecordKind.ANSWER && (record.form() & AnswerForm.REJECTED) != 0)
        {
            json.addProperty("rejected", record.rejection());
        }
        else if (hasRows(record))
        {
            if (record.kind() == RecordKind.RECORDED_ROWS)
            {
                json.add("time", JournalRow.time(record.recordedNs()));
            }
            final EventBatch rows = record.rows();
            final JsonArray array = new JsonArray();
            for (int row = 0; row < rows.size(); row++)
            {
                array.add(JournalRow.json(record.group(), rows, row));
            }
            json.add("rows", array);
        }
        return json;
    }

    private static boolean hasRows(final RecordDecoder record)
    {
        return record.kind() == RecordKind.ROWS || record.kind() == RecordKind.RECORDED_ROWS ||
            record.kind() == RecordKind.ANSWER && (record.form() & AnswerForm.ROWS) != 0;
    }

    private static void print(final JsonObject json, final PrintWriter out)
    {
        final String kind = json.get("kind").getAsString();
        if ("rules".equals(kind))
        {
            out.println("  " + json.get("position").getAsString() + " rules version=" +
                json.get("version").getAsString());
            return;
        }
        final StringBuilder line = new StringBuilder("  ").append(json.get("position").getAsString()).append(' ')
            .append(kind).append(' ').append(json.get(switch (kind)
            {
                case "producer" -> "producer";
                case "output" -> "number";
                default -> "group";
            }).getAsString())
            .append(" \"").append(json.get("name").getAsString()).append('"');
        if (json.has("columns"))
        {
            line.append(" columns=").append(json.getAsJsonArray("columns").asList().stream().map(JournalRow::text)
                .collect(Collectors.joining(", ", "(", ")")));
        }
        if (json.has("time"))
        {
            line.append(" time=").append(JournalRow.text(json.get("time")));
        }
        if (json.has("rows"))
        {
            line.append(" rows=").append(json.getAsJsonArray("rows").size());
        }
        if (json.has("rejected"))
        {
            line.append(" rejected=").append(json.get("rejected").getAsString());
        }
        out.println(line);
        if (json.has("rows"))
        {
            json.getAsJsonArray("rows").forEach(row -> print("    ", row.getAsJsonObject(), out));
        }
    }

    private static void print(final String indent, final JsonObject row, final PrintWriter out)
    {
        out.println(indent + JournalRow.text(row.get("time")) + ' ' + row.get("kind").getAsString() + ' ' +
            row.getAsJsonObject("row").entrySet().stream()
                .map(each -> each.getKey() + '=' + (each.getValue().isJsonNull() ? "null" :
                    JournalRow.text(each.getValue()))).collect(Collectors.joining(" ")) +
            (row.has("number") ? "  number=" + row.get("number").getAsString() : ""));
    }
}
