package dev.millrace.network.lane;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import java.util.Arrays;

/**
 * Presents batches of one event type as batches of another before they enter a channel: columns of the same name are
 * shared, not copied; the others are null. A view is created the first time a batch object is seen. Stages above reuse
 * one batch or a ring of batches, so nothing is allocated in steady state.
 */
public final class ColumnMappingInlet implements Inlet
{
    private static final int INITIAL_VIEWS = 4;
    private static final int MAX_VIEWS = 4096;

    private final BatchSchema schema;
    private final int[] sourceColumnOf;
    private final Inlet next;
    private EventBatch[] sources = new EventBatch[INITIAL_VIEWS];
    private EventBatch[] views = new EventBatch[INITIAL_VIEWS];
    private int viewCount;
    private int latest;

    /**
     * @param sourceColumnOf index of the incoming column for each column of the channel, -1 = null
     * @param next           receives the views
     */
    public ColumnMappingInlet(final BatchSchema schema, final int[] sourceColumnOf, final Inlet next)
    {
        this.schema = schema;
        this.sourceColumnOf = sourceColumnOf.clone();
        this.next = next;
    }

    @Override
    public void accept(final EventBatch batch)
    {
        // The same batch again, or the next one of a ring, is found at once.
        int index = latest;
        for (int i = 0; i < viewCount; i++)
        {
            if (sources[index] == batch)
            {
                latest = index;
                views[index].refreshFrom(batch);
                next.accept(views[index]);
                return;
            }
            index = index + 1 == viewCount ? 0 : index + 1;
        }
        next.accept(remember(batch));
    }

    private EventBatch remember(final EventBatch batch)
    {
        if (viewCount == MAX_VIEWS)
        {
            viewCount = 0;
        }
        if (viewCount == sources.length)
        {
            sources = Arrays.copyOf(sources, viewCount * 2);
            views = Arrays.copyOf(views, viewCount * 2);
        }
        latest = viewCount++;
        sources[latest] = batch;
        views[latest] = EventBatch.view(batch, schema, sourceColumnOf);
        return views[latest];
    }

    @Override
    public long receivedFrom(final String producer)
    {
        return next.receivedFrom(producer);
    }
}
