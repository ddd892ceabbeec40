package dev.millrace.network.advertised;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.stage.ConcurrentSink;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.StatisticsSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Passes the rows of an advertised stage to the applications that take them: a sink next to the other stages below.
 * Rows without a taker are dropped, as below a channel without listeners.
 *
 * <p>Threads: each batch passes on the thread of the stage above, which waits while an application that takes the rows
 * lets its sources wait. Failure: what a stage of such an application does is counted there. It is no
 * {@link dev.millrace.api.stage.SequencedSink}: the numbers of rows do not leave the application.
 */
public final class AdvertisedSink
    implements EventBatchSink, ConcurrentSink, ActivatableBean, DisposableBean, StatisticsSource, BorderStage
{
    private final AdvertisedStages stages;
    private final String name;
    private final EventType type;
    /** {@code null} before it is active. */
    private volatile AdvertisedStages.Publication publication;

    /**
     * @param stages advertises it while the network exists
     * @param name   {@code application:stage}
     * @param type   of the rows
     */
    public AdvertisedSink(final AdvertisedStages stages, final String name, final EventType type)
    {
        this.stages = stages;
        this.name = name;
        this.type = type;
    }

    @Override
    public void afterConfigurationActive()
    {
        publication = stages.publish(name, type);
    }

    @Override
    public void onBatch(final EventBatch batch)
    {
        // Heartbeats stay inside: the channel of the other application has its own time.
        if (batch.size() > 0)
        {
            for (final RowTaker taker : publication.takers())
            {
                taker.receive(batch);
            }
        }
    }

    @Override
    public void destroy()
    {
        final AdvertisedStages.Publication current = publication;
        if (current != null)
        {
            stages.withdraw(current);
        }
    }

    @Override
    public boolean continuesAs(final Object next)
    {
        return next instanceof AdvertisedSink other && other.stages == stages && other.name.equals(name) &&
            other.type.name().equals(type.name()) && other.type.properties().equals(type.properties());
    }

    @Override
    public Map<String, Object> statistics()
    {
        final AdvertisedStages.Publication current = publication;
        return Map.of("takenBy", current == null ? List.of() :
            Arrays.stream(current.takers()).map(RowTaker::application).distinct().sorted().toList());
    }
}
