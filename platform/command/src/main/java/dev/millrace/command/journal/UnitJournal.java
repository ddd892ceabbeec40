package dev.millrace.command.journal;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.Domain;
import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalException;
import dev.millrace.journal.JournalReader;
import dev.millrace.journal.Journals;
import dev.millrace.network.durable.RecordDecoder;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The journal of a unit of a durable processor in a domain, or a dataset of recorded events. Immutable.
 *
 * @param application name of the application; of a dataset, {@value #DATASET} and its name
 * @param processor   id of the processor; empty for a dataset
 * @param unit        name of its thread; empty for a dataset
 * @param directory   directory of the journal
 */
public record UnitJournal(String application, String processor, String unit, Path directory)
{
    /** Begins the names of datasets, which no application has. */
    static final String DATASET = "dataset:";

    /** Receives the records of a journal. */
    interface RecordVisitor
    {
        /**
         * Receives a record.
         *
         * @param record valid for the call
         * @return whether to continue
         */
        boolean record(long position, RecordDecoder record) throws IOException;
    }

    /** The journals of a domain, by application, processor and unit, and its datasets. */
    static List<UnitJournal> all(final Domain domain)
    {
        final Path state = domain.directory().resolve("var/state");
        final List<UnitJournal> all = new ArrayList<>();
        for (final String application : directories(state))
        {
            for (final String processor : directories(state.resolve(application)))
            {
                final Path units = state.resolve(application).resolve(processor);
                directories(units).forEach(unit ->
                    all.add(new UnitJournal(application, processor, unit, units.resolve(unit))));
            }
        }
        final Path datasets = domain.directory().resolve("var/events");
        directories(datasets).forEach(dataset ->
            all.add(new UnitJournal(DATASET + dataset, "", "", datasets.resolve(dataset))));
        return all;
    }

    private static List<String> directories(final Path directory)
    {
        try
        {
            return Journals.directories(directory);
        }
        catch (final JournalException e)
        {
            throw failure(e);
        }
    }

    /**
     * Finds journals.
     *
     * @param name of an application, of one of its processors, or of one of its units
     * @return at least one
     * @throws CommandException if none has that name
     */
    public static List<UnitJournal> find(final Domain domain, final String name)
    {
        final List<UnitJournal> all = all(domain);
        if (all.isEmpty())
        {
            throw new CommandException(ExitCode.NOT_FOUND, "CMD-0230", "the domain has no journals, domain=" +
                domain.directory(), "processors with <durable>true</durable> have journals; select a domain with" +
                " --domain DIR");
        }
        final List<UnitJournal> found =
            all.stream().filter(each -> (each.name() + '/').startsWith(name.replaceFirst("/*$", "/"))).toList();
        if (!found.isEmpty())
        {
            return found;
        }
        final String application = name.replaceFirst("/.*", "");
        final List<String> ofApplication = all.stream().filter(each -> each.application.equals(application))
            .map(UnitJournal::name).toList();
        if (ofApplication.isEmpty())
        {
            throw new CommandException(ExitCode.NOT_FOUND, "CMD-0231", "no such application has a journal, " +
                "application=" + application, "these have one: " +
                String.join(", ", all.stream().map(UnitJournal::application).distinct().toList()));
        }
        throw new CommandException(ExitCode.NOT_FOUND, "CMD-0232", "the application has no such journal, journal=" +
            name, "it has: " + String.join(", ", ofApplication));
    }

    /** The message of a journal, which contains its code and the next step. */
    public static CommandException failure(final JournalException problem)
    {
        return new CommandException(ExitCode.FAILED, problem.getMessage());
    }

    /** The name on the command line. */
    public String name()
    {
        return processor.isEmpty() ? application : application + '/' + processor + '/' + unit;
    }

    /**
     * Reads records in order.
     *
     * @param from position of the first one that is passed on; {@link Journal#NONE} for all
     * @throws CommandException if the journal is damaged or cannot be read
     */
    void read(final long from, final RecordVisitor visitor) throws IOException
    {
        try (JournalReader reader = Journals.openReader(directory))
        {
            final RecordDecoder record = new RecordDecoder();
            // The descriptions of groups precede the position in its file.
            reader.moveToFileOf(from);
            boolean isWanted = true;
            while (isWanted && reader.next())
            {
                isWanted = decode(reader, record, reader.position() < from ? null : visitor);
            }
        }
        catch (final JournalException e)
        {
            throw failure(e);
        }
    }

    private boolean decode(final JournalReader reader, final RecordDecoder record, final RecordVisitor visitor)
        throws IOException
    {
        try
        {
            record.begin(reader.bytes(), reader.length());
            return visitor == null || visitor.record(reader.position(), record);
        }
        catch (final BufferUnderflowException | IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0234", "a record cannot be decoded, journal=" + name() +
                " position=" + reader.position() + " reason=" + e, "its checksum is correct, so another version wrote" +
                " it; use the command of that version");
        }
    }
}
