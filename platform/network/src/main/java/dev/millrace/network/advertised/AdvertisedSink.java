package dev.millrace.network.advertised;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.stage.ConcurrentSink;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.network.definition.CrossApplicationStage;
import java.util.List;
import java.util.Map;

/**
 * Passes the rows of an advertised stage to the subscribers in other applications: a sink below that stage, next to the
 * others. Rows without subscribers are dropped, as below a channel without listeners.
 *
 * <p>Threads: any number. A batch is passed on by the thread of the stage above, to one subscriber after the other; the
 * thread waits while a subscriber waits. Failure: rows that a stage of another application rejects are counted there,
 * and do not affect this application or further subscribers. It is no
 * {@link dev.millrace.api.stage.SequencedSink}: the numbers of rows do not leave the application.
 */
public final class AdvertisedSink
    implements EventBatchSink, ConcurrentSink, ActivatableBean, DisposableBean, StatisticsSource, CrossApplicationStage
{
    private final AdvertisedStages stages;
    private final String name;
    private final EventType type;
    /** {@code null} before it is active. */
    private volatile AdvertisementHandle<Subscriber> handle;

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
        handle = stages.publish(name, type);
    }

    @Override
    public void onBatch(final EventBatch batch)
    {
        // Heartbeats are left out: the channel of the other application assigns its own times.
        if (batch.size() > 0)
        {
            for (final Subscriber subscriber : handle.peers())
            {
                subscriber.receive(batch);
            }
        }
    }

    @Override
    public void destroy()
    {
        final AdvertisementHandle<Subscriber> current = handle;
        if (current != null)
        {
            stages.withdraw(current);
        }
    }

    @Override
    public String kind()
    {
        return "advertised";
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
        final AdvertisementHandle<Subscriber> current = handle;
        return Map.of("subscribers", current == null ? List.of() :
            current.peers().stream().map(Subscriber::application).distinct().sorted().toList());
    }
}
