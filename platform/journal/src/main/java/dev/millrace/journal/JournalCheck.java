package dev.millrace.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Result of reading all records and snapshots of a journal. Immutable.
 *
 * @param records   number of intact records
 * @param bytes     number of their bytes
 * @param snapshots number of intact snapshots
 * @param damages   the first damaged record, and each damaged snapshot
 */
public record JournalCheck(long records, long bytes, int snapshots, List<Damage> damages)
{
    /**
     * A record or a snapshot that cannot be read.
     *
     * @param file    where it is
     * @param offset  offset in the file at which it begins, or after which it is missing
     * @param problem why it cannot be read
     */
    public record Damage(Path file, long offset, JournalException problem)
    {
    }

    /**
     * Checks the journal of a directory, which may be in use.
     *
     * @param progress receives the number of records that were read, after each record
     * @throws JournalException if the directory cannot be read
     */
    public static JournalCheck of(final Path directory, final LongConsumer progress)
    {
        final List<Damage> damages = new ArrayList<>();
        long[] read = {0, 0};
        // A snapshot that a process writes in the meantime may delete the file that is read.
        while (!JournalFile.of(directory).isEmpty() && !records(directory, progress, read, damages))
        {
            read = new long[] {0, 0};
        }
        return new JournalCheck(read[0], read[1], snapshots(directory, damages), List.copyOf(damages));
    }

    /** Reads the records; false if the file that is read was deleted. */
    private static boolean records(final Path directory, final LongConsumer progress, final long[] read,
        final List<Damage> damages)
    {
        try (ChronicleReader reader = Journals.reader(directory))
        {
            try
            {
                reader.moveToFileOf(Journal.NONE);
                while (hasNext(reader))
                {
                    read[0]++;
                    read[1] += reader.length();
                    progress.accept(read[0]);
                }
            }
            catch (final JournalException problem)
            {
                if (reader.lastPosition() != Journal.NONE &&
                    Files.notExists(JournalFile.path(directory, FileCycle.cycle(reader.lastPosition()))))
                {
                    return false;
                }
                damages.add(new Damage(reader.file(), reader.offset(), problem));
            }
        }
        catch (final JournalException problem)
        {
            if (!problem.code().equals(JournalErrorCode.DAMAGED))
            {
                throw problem;
            }
            damages.add(new Damage(JournalFile.of(directory).get(0).path(), 0, problem));
        }
        return true;
    }

    /** Reads the next record; fails if there are records after the last one that cannot be read. */
    private static boolean hasNext(final ChronicleReader reader)
    {
        if (reader.next())
        {
            return true;
        }
        try
        {
            if (reader.lastPosition() != Journal.NONE)
            {
                UnfinishedRecord.find(reader.file(), reader.endOffset(), reader.lastPosition() + 1);
            }
            return false;
        }
        catch (final JournalException problem)
        {
            // Another process may have appended them in the meantime.
            if (reader.next())
            {
                return true;
            }
            throw problem;
        }
        catch (final IOException e)
        {
            throw unreadable(reader.file(), e);
        }
    }

    private static JournalException unreadable(final Path path, final IOException cause)
    {
        return new JournalException(JournalErrorCode.DIRECTORY, "the files of a journal cannot be read, path=" + path +
            ": " + cause, cause);
    }

    /** Number of intact snapshots. */
    private static int snapshots(final Path directory, final List<Damage> damages)
    {
        int intact = 0;
        try
        {
            for (final Path file : new SnapshotStore(directory).files())
            {
                try
                {
                    SnapshotStore.read(file, false);
                    intact++;
                }
                catch (final JournalException problem)
                {
                    damages.add(new Damage(file, 0, problem));
                }
                catch (final NoSuchFileException deleted)
                {
                    // A process has written a newer one in the meantime.
                    continue;
                }
            }
        }
        catch (final IOException e)
        {
            throw unreadable(directory, e);
        }
        return intact;
    }
}
