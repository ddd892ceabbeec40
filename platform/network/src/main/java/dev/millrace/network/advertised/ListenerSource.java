package dev.millrace.network.advertised;

import dev.millrace.api.event.EventType;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.network.definition.CrossApplicationStage;
import java.util.List;
import java.util.Map;

/**
 * The source above an advertised channel, whose rows are those that listeners of other applications send to the
 * channel.
 *
 * <p>Threads: rows arrive on the threads of the other applications, one batch at a time. Failure: rows that arrive
 * before the network is started, while it is suspended and after it has stopped are rejected and counted.
 */
public final class ListenerSource
    implements EventBatchSource, ActivatableBean, DisposableBean, StatisticsSource, CrossApplicationStage
{
    private final AdvertisedStages stages;
    private final String name;
    private final EventType type;
    private EventBatchSender sender;
    /** {@code null} before it is active. */
    private volatile AdvertisementHandle<Peer> handle;

    /**
     * @param stages advertises the channel while the network exists
     * @param name   {@code application:channel}
     * @param type   of the channel
     */
    public ListenerSource(final AdvertisedStages stages, final String name, final EventType type)
    {
        this.stages = stages;
        this.name = name;
        this.type = type;
    }

    @Override
    public void setBatchSender(final EventBatchSender given)
    {
        sender = given;
    }

    @Override
    public void afterConfigurationActive()
    {
        handle = stages.accept(name, type, new SharedSender(sender));
    }

    @Override
    public void destroy()
    {
        final AdvertisementHandle<Peer> current = handle;
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
        return next instanceof ListenerSource other && other.stages == stages && other.name.equals(name) &&
            other.type.name().equals(type.name()) && other.type.properties().equals(type.properties());
    }

    @Override
    public Map<String, Object> statistics()
    {
        final AdvertisementHandle<Peer> current = handle;
        return Map.of("senders", current == null ? List.of() :
            current.peers().stream().map(Peer::application).distinct().sorted().toList());
    }
}
