package dev.millrace.command.journal;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.TimeOption;
import dev.millrace.journal.JournalException;
import dev.millrace.journal.JournalTrim;
import dev.millrace.network.definition.DurationFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Deletes files of journals. */
@Command(
    name = "trim", mixinStandardHelpOptions = true,
    description = {"Deletes the files of journals that no snapshot needs, of an instance that is stopped. The"
        + " application starts as before; what can be replayed begins later.",
        "Only whole files are deleted, and none while there are fewer than two snapshots."},
    footer = {"", "Examples:", "  millrace journal trim my.application --dry-run",
        "  millrace journal trim my.application/orders --keep 7d",
        "  millrace journal trim my.application --before 2026-11-29T10:15:00Z"})
final class TrimJournalCommand implements Callable<Integer>
{
    private static final double MIB = 1 << 20;

    @Spec
    private CommandSpec spec;

    @Mixin
    private JournalSelection selection;

    @Option(names = "--before", paramLabel = "TIME",
        description = "Keeps records that were written at this time or later. Default: only what snapshots need.")
    private String before;

    @Option(names = "--keep", paramLabel = "DURATION",
        description = "Keeps records that were written in the last 36h, 7d or the like.")
    private String keep;

    @Option(names = "--dry-run", description = "Only shows what would be deleted; the instance may be running.")
    private boolean isDryRun;

    @Override
    public Integer call() throws IOException
    {
        final long beforeMs = beforeMs();
        final PrintWriter out = spec.commandLine().getOut();
        for (final UnitJournal journal : selection.find())
        {
            try
            {
                final JournalTrim trim =
                    JournalTrim.of(journal.directory(), journal.name() + " trim", beforeMs, isDryRun);
                out.printf("%s %s files=%d MiB=%.1f kept=%d%n", journal.name(), isDryRun ? "would free" : "freed",
                    trim.files(), trim.bytes() / MIB, trim.kept());
                out.flush();
            }
            catch (final JournalException e)
            {
                throw UnitJournal.failure(e);
            }
        }
        return ExitCode.DONE;
    }

    private long beforeMs()
    {
        if (before != null && keep != null)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0237", "two limits, --before=" + before + " --keep=" + keep,
                "use one of the two options");
        }
        if (before != null)
        {
            return TimeOption.parse("--before", before).toEpochMilli();
        }
        if (keep == null)
        {
            return Long.MAX_VALUE;
        }
        final Duration time = DurationFormat.parse(keep);
        if (time == null || time.isZero())
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0238", "not a duration, --keep=" + keep,
                "write it as 90m, 36h or 7d");
        }
        return System.currentTimeMillis() - time.toMillis();
    }
}
