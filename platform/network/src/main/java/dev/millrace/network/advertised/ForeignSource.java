package dev.millrace.network.advertised;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.network.definition.CrossApplicationStage;
import java.util.Map;

/**
 * A stage of another application as a source: copies its rows into the network, by the names of the columns, without
 * their numbers. Channels below assign times as they do to the rows of adapters.
 *
 * <p>Threads: rows arrive on the threads of the other application, which pass them on one after the other. Failure:
 * rows that arrive before the network is started, while it is suspended and after it has stopped are rejected and
 * counted. While the stage is not advertised, or its rows do not fit, the source has a condition.
 */
public final class ForeignSource
    implements EventBatchSource, StageContextAware, ActivatableBean, DisposableBean, StatisticsSource,
    CrossApplicationStage, Subscriber
{
    /** Another application does not advertise a stage that this one names: install, start or update that one. */
    static final String NOT_ADVERTISED = "EPN-0644";
    /** Rows of two applications do not fit any more: declare the same event type in both. */
    static final String TYPE_DIFFERS = "EPN-0645";

    private static final String REASON = "type-differs";

    private final AdvertisedStages stages;
    private final String name;
    private StageContext context;
    private EventBatchSender sender;
    /** {@code null} after the stage was replaced, so that its classes can be unloaded. */
    private volatile RowCopier copier;
    private volatile boolean advertised;

    /**
     * @param stages connects it while the network exists
     * @param name   {@code application:stage}
     */
    public ForeignSource(final AdvertisedStages stages, final String name)
    {
        this.stages = stages;
        this.name = name;
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
    public void setBatchSender(final EventBatchSender given)
    {
        sender = given;
    }

    @Override
    public void afterConfigurationActive()
    {
        stages.subscribe(this);
    }

    @Override
    public void destroy()
    {
        stages.unsubscribe(this);
    }

    @Override
    public void bind(final Advertisement current)
    {
        advertised = current != null;
        copier = null;
        context.conditions().clear(NOT_ADVERTISED);
        context.conditions().clear(TYPE_DIFFERS);
        if (current == null)
        {
            context.conditions().raise(NOT_ADVERTISED,
                "no rows arrive: the stage of the other application is not advertised now, stage=" + name);
        }
        else if (!RowTypes.missing(current.type(), sender.schema().type()).isEmpty())
        {
            context.conditions().raise(TYPE_DIFFERS, RowTypes.mismatch(name, current.type(), sender.schema().type()));
        }
    }

    @Override
    public synchronized void receive(final EventBatch batch)
    {
        RowCopier current = copier;
        if (current == null)
        {
            current = new RowCopier(sender, 1);
            copier = current;
            if (!advertised)
            {
                // The batch was in progress when the stage was withdrawn.
                copier = null;
            }
        }
        if (!current.accept(batch))
        {
            sender.reject(batch.size(), REASON, TYPE_DIFFERS + ' ' + RowTypes.mismatch(name, batch.schema().type(),
                sender.schema().type()) + "; declare the same event type in both applications");
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
        return next instanceof ForeignSource other && other.stages == stages && other.name.equals(name);
    }

    @Override
    public Map<String, Object> statistics()
    {
        return Map.of("advertised", advertised);
    }
}
