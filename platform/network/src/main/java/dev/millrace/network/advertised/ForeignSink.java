package dev.millrace.network.advertised;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.stage.ConcurrentSink;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.network.definition.CrossApplicationStage;
import java.util.List;
import java.util.Map;

/**
 * An advertised channel of another application as a listener: copies rows into that network, by the names of the
 * columns, without their numbers. The channel there assigns times as it does to the rows of adapters.
 *
 * <p>Threads: any number. Batches are passed on by the thread of the stage above, one after the other; the thread waits
 * while the other network is slower. Failure: rows are rejected and counted while the channel does not accept rows, or
 * they do not fit; then the stage has a condition. Rows that the other network rejects are counted there. It is no
 * {@link dev.millrace.api.stage.SequencedSink}: the numbers of rows do not leave the application.
 */
public final class ForeignSink
    implements EventBatchSink, ConcurrentSink, StageContextAware, ActivatableBean, DisposableBean, StatisticsSource,
    CrossApplicationStage, Peer
{
    private final AdvertisedStages stages;
    private final String name;
    /** Of the rows of each channel above. */
    private final List<EventType> types;
    private StageContext context;
    /** {@code null} while the channel does not accept rows. */
    private volatile Target target;

    /** The channel now. Rows are sent by the thread that holds the lock. */
    private record Target(SharedSender lock, RowCopier rows)
    {
    }

    /**
     * @param stages connects it while the network exists
     * @param name   {@code application:channel}
     * @param types  of the rows that are sent, one for each channel above
     */
    public ForeignSink(final AdvertisedStages stages, final String name, final List<EventType> types)
    {
        this.stages = stages;
        this.name = name;
        this.types = List.copyOf(types);
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public String application()
    {
        return context.applicationName();
    }

    @Override
    public void setStageContext(final StageContext given)
    {
        context = given;
    }

    @Override
    public void afterConfigurationActive()
    {
        stages.connect(this);
    }

    @Override
    public void destroy()
    {
        stages.disconnect(this);
        target = null;
    }

    @Override
    public void bind(final Advertisement current)
    {
        target = current == null ? null :
            new Target(current.sender(), new RowCopier(current.sender().sender(), types.size()));
        context.conditions().clear(ForeignSource.NOT_ADVERTISED);
        context.conditions().clear(ForeignSource.TYPE_DIFFERS);
        if (current == null)
        {
            context.conditions().raise(ForeignSource.NOT_ADVERTISED,
                "rows are rejected: the channel of the other application does not accept rows now, stage=" + name);
        }
        else
        {
            types.stream().filter(type -> !RowTypes.missing(type, current.type()).isEmpty()).findFirst()
                .ifPresent(type -> context.conditions().raise(
                    ForeignSource.TYPE_DIFFERS, RowTypes.mismatch(name, type, current.type())));
        }
    }

    @Override
    public void onBatch(final EventBatch batch) throws EventRejectedException
    {
        // Heartbeats are left out: the channel of the other application assigns its own times.
        if (batch.size() == 0)
        {
            return;
        }
        final Target current = target;
        if (current == null)
        {
            throw new EventRejectedException(ForeignSource.NOT_ADVERTISED +
                " the channel of the other application does not accept rows now, stage=" + name);
        }
        synchronized (current.lock())
        {
            if (!current.rows().accept(batch))
            {
                throw new EventRejectedException(ForeignSource.TYPE_DIFFERS + ' ' +
                    RowTypes.mismatch(name, batch.schema().type(), current.rows().type()));
            }
        }
    }

    @Override
    public String kind()
    {
        return "foreign-stage";
    }

    @Override
    public boolean continuesAs(final Object next)
    {
        return next instanceof ForeignSink other && other.stages == stages && other.name.equals(name) &&
            properties(other.types).equals(properties(types));
    }

    private static List<List<EventProperty>> properties(final List<EventType> types)
    {
        return types.stream().map(EventType::properties).toList();
    }

    @Override
    public Map<String, Object> statistics()
    {
        return Map.of("advertised", target != null);
    }
}
