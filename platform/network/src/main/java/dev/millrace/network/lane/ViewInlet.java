package dev.millrace.network.lane;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;

/**
 * Shows batches of one event type as batches of another on their way into a channel: columns of the same name are
 * shared, not copied, the others are null. A view is made the first time a batch object is seen; stages above reuse
 * their few batches, so that nothing is allocated in steady state.
 */
public final class ViewInlet implements Inlet
{
    private static final int MAX_VIEWS = 64;

    private final BatchSchema schema;
    private final int[] sourceColumnOf;
    private final Inlet next;
    private final EventBatch[] sources = new EventBatch[MAX_VIEWS];
    private final EventBatch[] views = new EventBatch[MAX_VIEWS];
    private int viewCount;
    private int replaceNext;

    /**
     * Makes an inlet.
     *
     * @param schema         of the channel
     * @param sourceColumnOf column of the incoming batch for each of the channel's, -1 = null
     * @param next           takes the views
     */
    public ViewInlet(final BatchSchema schema, final int[] sourceColumnOf, final Inlet next)
    {
        this.schema = schema;
        this.sourceColumnOf = sourceColumnOf.clone();
        this.next = next;
    }

    @Override
    public void accept(final EventBatch batch)
    {
        for (int i = 0; i < viewCount; i++)
        {
            if (sources[i] == batch)
            {
                views[i].refreshFrom(batch);
                next.accept(views[i]);
                return;
            }
        }
        next.accept(remember(batch));
    }

    private EventBatch remember(final EventBatch batch)
    {
        final EventBatch view = EventBatch.view(batch, schema, sourceColumnOf);
        final int slot = viewCount < MAX_VIEWS ? viewCount++ : replaceNext++ % MAX_VIEWS;
        sources[slot] = batch;
        views[slot] = view;
        return view;
    }
}
