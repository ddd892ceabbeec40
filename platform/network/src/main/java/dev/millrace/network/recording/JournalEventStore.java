package dev.millrace.network.recording;

import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalErrorCode;
import dev.millrace.journal.JournalSettings;
import dev.millrace.journal.JournalSummary;
import dev.millrace.journal.Journals;
import dev.millrace.network.definition.TimeRange;
import dev.millrace.network.spi.DatasetLog;
import dev.millrace.network.spi.DatasetRecords;
import dev.millrace.network.spi.DatasetSummary;
import dev.millrace.network.spi.EventStore;
import dev.millrace.network.spi.EventStoreException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** An event store with a journal for each dataset, in one directory. */
public final class JournalEventStore implements EventStore
{
    /** Rows of larger datasets are not counted. */
    private static final long COUNTED_BYTES = 1L << 30;
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
    public synchronized DatasetLog open(final String dataset, final String holder)
    {
        if (holders.containsKey(dataset))
        {
            throw new EventStoreException(JournalErrorCode.IN_USE, "another stage records into the dataset, dataset=" +
                dataset + " stage=" + holders.get(dataset) + "; record into another one, or stop that recording", null);
        }
        final JournalSettings settings = JournalSettings.of(directory.resolve(dataset), "dataset " + dataset);
        final Journal journal = JournalDataset.call(() -> Journals.open(settings.withSpace(
            Math.min(JournalSettings.FILE_BYTES, Math.max(1, maxBytes / FILES)), maxBytes, minFreeBytes), wallTimeMs));
        holders.put(dataset, holder);
        return new JournalDataset.Log(journal, () -> release(dataset));
    }

    private synchronized void release(final String dataset)
    {
        holders.remove(dataset);
    }

    private synchronized String holder(final String dataset)
    {
        return holders.get(dataset);
    }

    /** Reads all periods: a journal has no index of times. */
    @Override
    public DatasetRecords openReader(final String dataset, final TimeRange period)
    {
        return JournalDataset.call(() -> new JournalDataset.Records(Journals.openReader(directory.resolve(dataset))));
    }

    @Override
    public List<String> datasets()
    {
        return JournalDataset.call(() -> Journals.directories(directory)).stream().filter(EventStore::isDataset)
            .toList();
    }

    @Override
    public DatasetSummary summary(final String dataset)
    {
        final String holder = holder(dataset);
        final JournalSummary summary = JournalDataset.call(() -> JournalSummary.of(directory.resolve(dataset)));
        final Set<String> types = new TreeSet<>();
        final boolean isCounted = summary.bytes() <= COUNTED_BYTES;
        long rows = 0;
        long firstNs = Long.MIN_VALUE;
        long lastNs = Long.MIN_VALUE;
        String problem = null;
        try (DatasetReader reader = new DatasetReader(openReader(dataset, TimeRange.ALL)))
        {
            while ((isCounted || firstNs == Long.MIN_VALUE) && reader.next())
            {
                if (reader.isDescription())
                {
                    types.addAll(GroupName.parse(reader.group().name()).types());
                    continue;
                }
                rows += reader.rowCount();
                firstNs = firstNs == Long.MIN_VALUE ? reader.recordedNs() : firstNs;
                lastNs = reader.recordedNs();
            }
        }
        catch (final EventStoreException | IllegalArgumentException | BufferUnderflowException e)
        {
            problem = String.valueOf(e.getMessage());
        }
        return new DatasetSummary(types, summary.files(), summary.bytes(), isCounted ? rows : -1, firstNs,
            isCounted ? lastNs : Long.MIN_VALUE, Set.of(), holder == null ? summary.holder() : holder, problem);
    }

    @Override
    public synchronized void delete(final String dataset)
    {
        final Path files = directory.resolve(dataset);
        final String holder = holders.containsKey(dataset) ? holders.get(dataset) :
            JournalDataset.call(() -> JournalSummary.of(files)).holder();
        if (holder != null)
        {
            throw new EventStoreException(JournalErrorCode.IN_USE, "a stage records into the dataset, dataset=" +
                dataset + " by=" + holder + "; stop that recording first", null);
        }
        try (Stream<Path> paths = Files.walk(files))
        {
            for (final Path path : paths.sorted(Comparator.reverseOrder()).toList())
            {
                Files.delete(path);
            }
        }
        catch (final IOException e)
        {
            throw new EventStoreException(JournalErrorCode.DIRECTORY, "files of the dataset cannot be deleted, " +
                "dataset=" + dataset + " reason=" + e + "; delete the directory " + files, e);
        }
    }
}
