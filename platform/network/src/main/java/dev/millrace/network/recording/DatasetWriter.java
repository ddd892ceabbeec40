package dev.millrace.network.recording;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.time.Clock;
import dev.millrace.journal.Journal;
import dev.millrace.network.spi.EventStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Appends the rows of all lanes of a stage to a dataset, in the order of the times at which they are recorded.
 * Thread-safe; a lane encodes its rows before it enters.
 *
 * <p>Failure: {@link dev.millrace.journal.JournalException} if a record cannot be appended.
 */
final class DatasetWriter implements AutoCloseable
{
    private final EventStore store;
    private final String dataset;
    private final Journal journal;
    private final Clock clock;
    /** Guarded by this. */
    private final List<RecordedGroup> groups = new ArrayList<>();
    private boolean closed;

    DatasetWriter(final EventStore store, final String dataset, final String holder, final Clock clock)
    {
        this.store = store;
        this.dataset = dataset;
        this.clock = clock;
        journal = store.open(dataset, holder);
        journal.onFileStart(this::describe);
    }

    /** Describes all groups at the beginning of a file; called by {@link Journal#append}. */
    private void describe()
    {
        groups.forEach(group -> journal.append(group.description(), 0, group.description().length));
    }

    /**
     * Adds the rows of a lane.
     *
     * @param recorder receives each batch of the lane
     */
    synchronized RecordedGroup open(final BiConsumer<RecordedGroup, EventBatch> recorder, final GroupName name,
        final BatchSchema schema)
    {
        final RecordedGroup group = new RecordedGroup(recorder, groups.size(), name, schema);
        groups.add(group);
        if (!closed)
        {
            journal.append(group.description(), 0, group.description().length);
        }
        return group;
    }

    /**
     * Appends a record.
     *
     * @param group has encoded it
     * @return its bytes; 0 if the dataset was closed
     */
    synchronized int append(final RecordedGroup group)
    {
        if (closed)
        {
            return 0;
        }
        // Set here, so that the times of records never decrease.
        final int length = group.complete(clock.epochNs());
        journal.append(group.bytes(), 0, length);
        return length;
    }

    @Override
    public synchronized void close()
    {
        if (!closed)
        {
            closed = true;
            store.close(dataset, journal);
        }
    }
}
