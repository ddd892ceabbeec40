package dev.millrace.network.recording;

import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalErrorCode;
import dev.millrace.journal.JournalException;
import dev.millrace.journal.JournalReader;
import dev.millrace.journal.JournalSettings;
import dev.millrace.journal.JournalSummary;
import dev.millrace.journal.Journals;
import dev.millrace.network.spi.EventStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** An event store with a journal for each dataset, in one directory. */
public final class JournalEventStore implements EventStore
{
    /** A file is at most this part of a dataset, so that a limit that is raised a little helps. */
    private static final int FILES = 4;

    private final String name;
    private final Path directory;
    private final long maxBytes;
    private final long minFreeBytes;
    private final LongSupplier wallTimeMs;
    /** Stages that record, by dataset. Guarded by this. */
    private final Map<String, String> holders = new HashMap<>();

    /**
     * @param directory    with a directory for each dataset
     * @param maxBytes     maximum size of a dataset
     * @param minFreeBytes free space that is left on the disk
     * @param wallTimeMs   for names of files
     */
    public JournalEventStore(final String name, final Path directory, final long maxBytes, final long minFreeBytes,
        final LongSupplier wallTimeMs)
    {
        this.name = name;
        this.directory = directory;
        this.maxBytes = maxBytes;
        this.minFreeBytes = minFreeBytes;
        this.wallTimeMs = wallTimeMs;
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public synchronized Journal open(final String dataset, final String holder)
    {
        if (holders.containsKey(dataset))
        {
            throw new JournalException(JournalErrorCode.IN_USE, "another stage records into the dataset, dataset=" +
                dataset + " stage=" + holders.get(dataset) + "; record into another one, or stop that recording");
        }
        final JournalSettings settings = JournalSettings.of(directory.resolve(dataset), "dataset " + dataset);
        final Journal journal = Journals.open(settings.withSpace(
            Math.min(JournalSettings.FILE_BYTES, Math.max(1, maxBytes / FILES)), maxBytes, minFreeBytes), wallTimeMs);
        holders.put(dataset, holder);
        return journal;
    }

    @Override
    public void close(final String dataset, final Journal journal)
    {
        try
        {
            journal.close();
        }
        finally
        {
            synchronized (this)
            {
                holders.remove(dataset);
            }
        }
    }

    @Override
    public JournalReader openReader(final String dataset)
    {
        return Journals.openReader(directory.resolve(dataset));
    }

    @Override
    public List<String> datasets()
    {
        return Journals.directories(directory).stream().filter(EventStore::isDataset).toList();
    }

    /** Describes a dataset. */
    public DatasetSummary summary(final String dataset)
    {
        final String holder;
        synchronized (this)
        {
            holder = holders.get(dataset);
        }
        return DatasetSummary.of(directory.resolve(dataset), holder);
    }

    /**
     * Deletes a dataset and its files.
     *
     * @throws JournalException if a stage records into it
     * @throws IOException      if files cannot be deleted
     */
    public synchronized void delete(final String dataset) throws IOException
    {
        final Path files = directory.resolve(dataset);
        final String holder = holders.containsKey(dataset) ? holders.get(dataset) : JournalSummary.of(files).holder();
        if (holder != null)
        {
            throw new JournalException(JournalErrorCode.IN_USE, "a stage records into the dataset, dataset=" + dataset +
                " by=" + holder + "; stop that recording first");
        }
        try (Stream<Path> paths = Files.walk(files))
        {
            for (final Path path : paths.sorted(Comparator.reverseOrder()).toList())
            {
                Files.delete(path);
            }
        }
    }
}
