package dev.millrace.command.journal;

import dev.millrace.command.cli.ExitCode;
import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalException;
import dev.millrace.journal.JournalRepair;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Repairs damaged journals. */
@Command(
    name = "repair", mixinStandardHelpOptions = true,
    description = {"Cuts each damaged journal before its first damaged record, so that its application starts again.",
        "The damaged file and all later ones are moved to a directory removed-TIME of the journal. The rows in them are"
            + " lost, unless a snapshot is newer than the damage: then it becomes the state at the cut, and the rows"
            + " before it are not lost. Journals without damage are not changed; millrace journal verify shows what is"
            + " damaged. The application must not be running."},
    footer = {"", "Examples:", "  millrace journal verify my.application",
        "  millrace journal repair my.application",
        "  millrace journal repair my.application/orders --domain /srv/market"})
final class RepairJournalCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private JournalSelection selection;

    @Override
    public Integer call() throws IOException
    {
        final PrintWriter out = spec.commandLine().getOut();
        for (final UnitJournal journal : selection.find())
        {
            final Optional<JournalRepair.Result> result;
            try
            {
                result = JournalRepair.run(journal.directory(), System.currentTimeMillis());
            }
            catch (final JournalException e)
            {
                throw UnitJournal.failure(e);
            }
            out.println(journal.name() + result.map(RepairJournalCommand::describe).orElse(" intact"));
            out.flush();
        }
        return ExitCode.DONE;
    }

    private static String describe(final JournalRepair.Result result)
    {
        return " repaired records=" + result.kept() + " laterIntactRecords=" + result.lost() + " movedFiles=" +
            result.moved().size() + " to=" + result.directory() + (result.snapshot() == Journal.NONE ?
            ": the state continues after the last record before the damage" :
            ": the state continues with a snapshot that is newer than the damage");
    }
}
