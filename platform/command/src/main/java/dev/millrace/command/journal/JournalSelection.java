package dev.millrace.command.journal;

import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.InstanceOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options that select journals. */
final class JournalSelection
{
    @Option(names = "--domain", paramLabel = "DIR", description = InstanceOptions.DOMAIN)
    private Path domain;

    @Parameters(index = "0", paramLabel = "APP[/PROCESSOR[/UNIT]]",
        description = "The journals of an application, of a processor or of one of its threads, or dataset:NAME; see"
            + " journal list.")
    private String name;

    /** The selected journals, at least one. */
    List<UnitJournal> find() throws IOException
    {
        return UnitJournal.find(Domain.find(domain), name);
    }
}
