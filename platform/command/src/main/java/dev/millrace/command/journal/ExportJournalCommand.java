package dev.millrace.command.journal;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.internal.StatusLine;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.network.durable.RecordKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes the rows of journals to files. */
@Command(
    name = "export", mixinStandardHelpOptions = true,
    description = {"Writes the rows of journals to files, with journal, position, time and kind.",
        "Format csv writes a file for each group of pipelines or cache, and adds its name to that of FILE; json writes"
            + " one file with a line for each row. The time of a row of a dataset is that of its recording."},
    footer = {"", "Examples:", "  millrace journal export my.application --format csv rows.csv",
        "  millrace journal export my.application/orders --format json rows.json"})
final class ExportJournalCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private JournalSelection selection;

    @Parameters(index = "1", paramLabel = "FILE",
        description = "The file, or the first part of the names of the files. Existing files are replaced.")
    private Path file;

    @Option(names = "--format", paramLabel = "csv|json", required = true, description = "Format of the files.")
    private String format;

    @Override
    public Integer call() throws IOException
    {
        if (!"csv".equals(format) && !"json".equals(format))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0201", "no such format, format=" + format,
                "use --format csv or --format json");
        }
        final List<UnitJournal> journals = selection.find();
        try (RowFiles files = new RowFiles(file, "csv".equals(format));
            StatusLine progress = StatusLine.ofProcess(VerifyJournalCommand.SILENCE_NS, VerifyJournalCommand.STEP_NS,
                System::nanoTime))
        {
            for (final UnitJournal journal : journals)
            {
                export(journal, files, progress);
            }
            progress.clear();
            files.counts().forEach((path, count) -> spec.commandLine().getOut().println(path + " rows=" + count));
            spec.commandLine().getOut().flush();
        }
        catch (final IOException e)
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0236", "the rows cannot be exported, file=" + file +
                " reason=" + e, "specify a file in an existing directory with enough space");
        }
        return ExitCode.DONE;
    }

    private static void export(final UnitJournal journal, final RowFiles files, final StatusLine progress)
        throws IOException
    {
        journal.read(0, (position, record) ->
        {
            final boolean isRecorded = record.kind() == RecordKind.RECORDED_ROWS;
            if (isRecorded || record.kind() == RecordKind.ROWS)
            {
                final EventBatch rows = record.rows();
                if (isRecorded)
                {
                    // Adapters emit rows without times.
                    Arrays.fill(rows.useTimestampPerRow(), 0, rows.size(), record.recordedNs());
                }
                for (int row = 0; row < rows.size(); row++)
                {
                    files.write(journal, position, record.group(), rows, row);
                }
            }
            if (progress.isDue())
            {
                progress.showWithSeconds("exporting " + journal.name() + ", position=" + position);
            }
            return true;
        });
    }
}
