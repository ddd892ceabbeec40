package dev.millrace.command.journal;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.InstanceOptions;
import dev.millrace.command.view.OutputFormat;
import dev.millrace.journal.JournalException;
import dev.millrace.journal.JournalSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists journals. */
@Command(
    name = "list", mixinStandardHelpOptions = true,
    description = {"Lists the journals of a domain: application, processor and thread, with sizes, times and the newest"
        + " snapshot. Datasets of recorded events in var/events are shown as dataset:NAME.",
        "SINCE is the time at which the oldest file began, CHANGED that of the last change of the newest file."},
    footer = {"", "Examples:", "  millrace journal list", "  millrace journal list --domain /srv/market --format json"})
final class ListJournalCommand implements Callable<Integer>
{
    private static final String TITLE = "JOURNAL";

    @Spec
    private CommandSpec spec;

    @Option(names = "--domain", paramLabel = "DIR", description = InstanceOptions.DOMAIN)
    private Path domain;

    @Mixin
    private OutputFormat format;

    @Override
    public Integer call() throws IOException
    {
        final boolean isJson = format.isJson();
        final Map<UnitJournal, JournalSummary> all = new LinkedHashMap<>();
        try
        {
            UnitJournal.all(Domain.find(domain)).forEach(each -> all.put(each, JournalSummary.of(each.directory())));
        }
        catch (final JournalException e)
        {
            throw UnitJournal.failure(e);
        }
        final PrintWriter out = spec.commandLine().getOut();
        if (isJson)
        {
            final JsonArray array = new JsonArray();
            all.forEach((journal, summary) -> array.add(json(journal, summary)));
            OutputFormat.print(array, false, out);
        }
        else
        {
            print(all, out);
        }
        return ExitCode.DONE;
    }

    private static JsonObject json(final UnitJournal journal, final JournalSummary summary)
    {
        final JsonObject json = new JsonObject();
        json.addProperty("application", journal.application());
        json.addProperty("processor", journal.processor());
        json.addProperty("unit", journal.unit());
        json.addProperty("directory", journal.directory().toString());
        json.addProperty("files", summary.files());
        json.addProperty("bytes", summary.bytes());
        json.addProperty("since", time(summary.oldestMs(), null));
        json.addProperty("changed", time(summary.newestMs(), null));
        json.add("snapshot", JsonNull.INSTANCE);
        final JournalSummary.SnapshotFile snapshot = summary.snapshot();
        if (snapshot != null)
        {
            final JsonObject newest = new JsonObject();
            newest.addProperty("position", snapshot.position());
            newest.addProperty("time", time(snapshot.timeMs(), null));
            newest.addProperty("bytes", snapshot.bytes());
            json.add("snapshot", newest);
        }
        json.addProperty("usedBy", summary.holder());
        return json;
    }

    private static void print(final Map<UnitJournal, JournalSummary> all, final PrintWriter out)
    {
        if (all.isEmpty())
        {
            out.println("no journals");
            out.flush();
            return;
        }
        final int width = all.keySet().stream().mapToInt(each -> each.name().length()).max().orElse(0);
        final String line = "%-" + Math.max(width, TITLE.length()) + "s  %5s %14s  %-20s  %-20s  %-6s  %s%n";
        out.printf(line, TITLE, "FILES", "BYTES", "SINCE", "CHANGED", "IN USE", "NEWEST SNAPSHOT");
        all.forEach((journal, summary) -> out.printf(line, journal.name(), summary.files(), summary.bytes(),
            time(summary.oldestMs(), "-"), time(summary.newestMs(), "-"), summary.holder() == null ? "no" : "yes",
            shown(summary.snapshot())));
        out.flush();
    }

    private static String shown(final JournalSummary.SnapshotFile snapshot)
    {
        return snapshot == null ? "-" : time(snapshot.timeMs(), "-") + " position=" + snapshot.position() + " bytes=" +
            snapshot.bytes();
    }

    /** A time in UTC, in seconds. */
    private static String time(final long timeMs, final String ofNone)
    {
        return timeMs == 0 ? ofNone : Instant.ofEpochMilli(timeMs).truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
