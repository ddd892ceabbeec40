package dev.millrace.network.advertised;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.network.definition.CrossApplicationStage;
import dev.millrace.network.lane.ColumnMapping;
import dev.millrace.network.lane.ColumnMappingInlet;
import dev.millrace.network.lane.Inlet;
import java.util.ArrayList;
import java.util.List;
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
    /** Another application does not advertise a stage whose rows are taken: install, start or update that one. */
    static final String NOT_ADVERTISED = "EPN-0644";
    /** The rows of a stage of another application do not fit any more: declare the same event type in both. */
    static final String TYPE_DIFFERS = "EPN-0645";

    private static final String REASON = "type-differs";

    private final AdvertisedStages stages;
    private final String name;
    private StageContext context;
    private EventBatchSender sender;
    private EventBatch copy;
    /** Of the latest batch; {@code null} after the stage was replaced, so that its classes can be unloaded. */
    private volatile Entrance entrance;
    private volatile boolean advertised;

    /** Where rows of a schema enter; no inlet, but a reason, if they do not fit. */
    private record Entrance(BatchSchema schema, Inlet inlet, String refusal)
    {
    }

    /**
     * @param stages connects it while the network exists
     * @param name   {@code application:stage}
     */
    public ForeignSource(final AdvertisedStages stages, final String name)
    {
        this.stages = stages;
        this.name = name;
    }

    /**
     * Compares the rows of an advertised stage with those that a channel of another application expects.
     *
     * @param from type of the rows
     * @param to   type of the channel
     * @return properties of the channel that the rows do not have with the same type; empty if the rows fit
     */
    public static List<String> missing(final EventType from, final EventType to)
    {
        final List<String> missing = new ArrayList<>();
        for (final EventProperty property : to.properties())
        {
            final int column = from.indexOf(property.name());
            if (column < 0 || from.properties().get(column).type() != property.type())
            {
                missing.add(property.name());
            }
        }
        return missing;
    }

    /** Describes a type by its name and its properties with their types. */
    public static String describe(final EventType type)
    {
        return type.name() + type.properties().stream().map(each -> each.name() + ' ' + each.type().cqlName()).toList();
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
        copy = new EventBatch(given.schema());
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
    public void bind(final EventType type)
    {
        advertised = type != null;
        entrance = null;
        context.conditions().clear(NOT_ADVERTISED);
        context.conditions().clear(TYPE_DIFFERS);
        if (type == null)
        {
            context.conditions().raise(NOT_ADVERTISED,
                "no rows arrive: the stage of the other application is not advertised now, stage=" + name);
        }
        else if (!missing(type, sender.schema().type()).isEmpty())
        {
            context.conditions().raise(TYPE_DIFFERS, mismatch(type));
        }
    }

    private String mismatch(final EventType type)
    {
        return "the rows of the other application do not fit, stage=" + name + " properties=" +
            missing(type, sender.schema().type()) + " type=" + describe(type) + " expected=" +
            describe(sender.schema().type());
    }

    @Override
    public synchronized void receive(final EventBatch batch)
    {
        Entrance current = entrance;
        if (current == null || batch.schema() != current.schema())
        {
            current = enter(batch.schema());
            entrance = current;
            if (!advertised)
            {
                // The batch was in progress when the stage was withdrawn.
                entrance = null;
            }
        }
        if (current.inlet() == null)
        {
            sender.reject(batch.size(), REASON, current.refusal());
        }
        else
        {
            current.inlet().accept(batch);
        }
    }

    private Entrance enter(final BatchSchema schema)
    {
        final EventType own = sender.schema().type();
        return missing(schema.type(), own).isEmpty() ?
            new Entrance(schema, new ColumnMappingInlet(sender.schema(), ColumnMapping.between(schema.type(), own),
                this::send), null) :
            new Entrance(schema, null, TYPE_DIFFERS + ' ' + mismatch(schema.type()) +
                "; declare the same event type in both applications");
    }

    private void send(final EventBatch view)
    {
        copy.clear();
        copy.copyRows(view, 0, 0, view.size());
        copy.size(view.size());
        copy.clearSequences();
        sender.send(copy);
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
