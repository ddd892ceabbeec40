package dev.millrace.command.journal;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Reads and repairs the journals of durable processors and datasets. */
@Command(
    name = "journal",
    description = "Lists, shows, verifies and exports the journals of durable processors and the datasets of recorded"
        + " events, also while an instance uses them, repairs damaged"
        + " ones and deletes old files.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "VERB",
    subcommands = {
        ListJournalCommand.class, ShowJournalCommand.class, VerifyJournalCommand.class, ExportJournalCommand.class,
        RepairJournalCommand.class, TrimJournalCommand.class},
    footer = {
        "",
        "Examples:",
        "  millrace journal list --domain /srv/market",
        "  millrace journal show my.application/orders --limit 20",
        "  millrace journal verify my.application",
        "  millrace journal export my.application --format csv rows.csv",
        "  millrace journal show dataset:monday"})
public final class JournalCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
