package dev.millrace.command.journal;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.journal.JournalCheck;
import dev.millrace.journal.JournalException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Checks journals. */
@Command(
    name = "verify", mixinStandardHelpOptions = true,
    description = {"Reads all records and snapshots of journals, and checks that none is damaged or missing.",
        "Reports the first damaged record of each journal, with its file and offset. The exit code is 1 if there is"
            + " any."},
    footer = {"", "Examples:", "  millrace journal verify my.application",
        "  millrace journal verify my.application/orders --domain /srv/market"})
final class VerifyJournalCommand implements Callable<Integer>
{
    /** Short checks show no progress. */
    static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(2);
    static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(500);

    @Spec
    private CommandSpec spec;

    @Mixin
    private JournalSelection selection;

    @Override
    public Integer call() throws IOException
    {
        final List<UnitJournal> journals = selection.find();
        int damaged = 0;
        try (StatusLine progress = StatusLine.ofProcess(SILENCE_NS, STEP_NS, System::nanoTime))
        {
            for (final UnitJournal journal : journals)
            {
                damaged += isIntact(journal, progress) ? 0 : 1;
            }
        }
        if (damaged > 0)
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0235", "journals are damaged, damaged=" + damaged +
                " of=" + journals.size(), "restore the files from a copy, or stop the application and use millrace" +
                " journal repair, which removes what follows the damage");
        }
        return ExitCode.DONE;
    }

    private boolean isIntact(final UnitJournal journal, final StatusLine progress)
    {
        final JournalCheck check;
        try
        {
            check = JournalCheck.of(journal.directory(), records ->
            {
                if (progress.isDue())
                {
                    progress.showWithSeconds("verifying " + journal.name() + ", records=" + records);
                }
            });
        }
        catch (final JournalException e)
        {
            throw UnitJournal.failure(e);
        }
        progress.clear();
        final PrintWriter out = spec.commandLine().getOut();
        out.println(journal.name() + (check.damages().isEmpty() ? " intact" : " DAMAGED") + " records=" +
            check.records() + " bytes=" + check.bytes() + " snapshots=" + check.snapshots());
        check.damages().forEach(damage -> out.println("    file=" + damage.file() + " offset=" + damage.offset() +
            ": " + damage.problem().getMessage()));
        out.flush();
        return check.damages().isEmpty();
    }
}
