package dev.millrace.network.recording;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.time.Clock;
import dev.millrace.network.spi.DatasetLog;
import dev.millrace.network.spi.EventStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Appends the rows of all lanes of a stage to a dataset, in the order of the times at which they are recorded.
 * Thread-safe; a lane encodes its rows before it enters.
 *
 * <p>Failure: {@link dev.millrace.network.spi.EventStoreException} if a record cannot be appended.
 */
final class DatasetWriter implements AutoCloseable
{
    private final DatasetLog log;
    private final Clock clock;
    /** Guarded by this. */
    private final List<RecordedGroup> groups = new ArrayList<>();
    private boolean closed;

    DatasetWriter(final EventStore store, final String dataset, final String holder, final Clock clock)
    {
        this.clock = clock;
        log = store.open(dataset, holder);
        log.onFileStart(this::describe);
    }

    /** Describes all groups at the beginning of a file; called by {@link DatasetLog#append}. */
    private void describe()
    {
        groups.forEach(group -> log.append(group.description(), group.description().length));
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
            log.append(group.description(), group.description().length);
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
        log.append(group.bytes(), length);
        return length;
    }

    /** Why appended rows cannot be stored at present; {@code null} if they can. */
    String problem()
    {
        return log.problem();
    }

    /** Number of appended rows that could not be stored. */
    long lostRows()
    {
        return log.lostRows();
    }

    @Override
    public synchronized void close()
    {
        if (!closed)
        {
            closed = true;
            log.close();
        }
    }
}
