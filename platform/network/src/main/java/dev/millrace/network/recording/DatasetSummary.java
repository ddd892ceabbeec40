package dev.millrace.network.recording;

import dev.millrace.journal.JournalException;
import dev.millrace.journal.JournalSummary;
import dev.millrace.journal.Journals;
import java.nio.BufferUnderflowException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * Describes a dataset. Immutable.
 *
 * @param types      event types of the rows that were read
 * @param files      number of files
 * @param bytes      number of their bytes
 * @param rows       number of rows, or -1 if the dataset is too large to count them
 * @param firstNs    when the first rows were recorded; {@link Long#MIN_VALUE} without rows
 * @param lastNs     when the last rows were recorded; {@link Long#MIN_VALUE} without rows, or if they were not read
 * @param recordedBy who records into it; {@code null} for no stage
 * @param problem    why it cannot be read; {@code null} if it can
 */
public record DatasetSummary(Set<String> types, int files, long bytes, long rows, long firstNs, long lastNs,
    String recordedBy, String problem)
{
    /** Rows of larger datasets are not counted. */
    public static final long COUNTED_BYTES = 1L << 30;

    /** Reads a dataset, which may be recorded into in the meantime. */
    static DatasetSummary of(final Path directory, final String recordedBy)
    {
        final JournalSummary summary = JournalSummary.of(directory);
        final Set<String> types = new TreeSet<>();
        final boolean isCounted = summary.bytes() <= COUNTED_BYTES;
        long rows = 0;
        long firstNs = Long.MIN_VALUE;
        long lastNs = Long.MIN_VALUE;
        String problem = null;
        try (DatasetReader reader = new DatasetReader(Journals.openReader(directory)))
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
        catch (final JournalException | IllegalArgumentException | BufferUnderflowException e)
        {
            problem = String.valueOf(e.getMessage());
        }
        return new DatasetSummary(types, summary.files(), summary.bytes(), isCounted ? rows : -1, firstNs,
            isCounted ? lastNs : Long.MIN_VALUE, recordedBy == null ? summary.holder() : recordedBy, problem);
    }
}
