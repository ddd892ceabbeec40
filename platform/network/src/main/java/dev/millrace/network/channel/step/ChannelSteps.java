package dev.millrace.network.channel.step;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.memory.MemoryScope;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.lane.ColumnMapping;
import dev.millrace.network.lane.ColumnMappingInlet;
import dev.millrace.network.lane.Inlet;
import dev.millrace.network.lane.StageMeter;
import dev.millrace.network.lane.StageRuntime.Upstream;
import dev.millrace.network.spi.StoredRelation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * Creates the steps that each batch passes before it enters a channel, from the channel's definition: they check kinds,
 * application times and primary keys, and map columns to the schema of the channel. Confined to the wiring thread.
 */
public final class ChannelSteps
{
    /** Types whose values can be equal as keys and different in a query: plus and minus zero. */
    private static final Set<CqlType> FLOATING = EnumSet.of(CqlType.FLOAT, CqlType.DOUBLE);

    private final ChannelStage definition;
    private final BatchSchema schema;
    private final StageMeter meter;
    private final RelationKeys keys;
    private final LongAdder deletionsLeftOut = new LongAdder();

    public ChannelSteps(final ChannelStage definition, final BatchSchema schema, final StageMeter meter,
        final MemoryScope memory)
    {
        this.definition = definition;
        this.schema = schema;
        this.meter = meter;
        keys = definition.primaryKey().isEmpty() || !definition.relation() ? null :
            new RelationKeys(definition.eventType(), keyColumns(), RelationKeys.MAX_KEYS,
                memory.open(definition.id(), "", "primary keys"));
    }

    private int[] keyColumns()
    {
        return definition.primaryKey().stream().mapToInt(definition.eventType()::indexOf).toArray();
    }

    /** Starts a list of steps with the check of row kinds, which stream channels need. */
    public List<BatchStep> kind(final Upstream upstream)
    {
        final List<BatchStep> steps = new ArrayList<>();
        if (!definition.relation())
        {
            final boolean fromSender = upstream.from() instanceof BeanStage;
            steps.add(new InsertOnlyStep(fromSender ? meter.rejections() : null, deletionsLeftOut));
        }
        return steps;
    }

    /** Ends a list of steps with the check of primary keys, which relation channels need. */
    public void addKey(final Upstream upstream, final List<BatchStep> steps)
    {
        if (keys != null)
        {
            keys.addLane(isKeyProven(upstream.outlet().unique()) ? upstream.outlet().queryId() : null);
            steps.add(new PrimaryKeyStep(keys, meter.rejections()));
        }
        else if (definition.relation())
        {
            steps.add(new NoUpdateStep(meter.rejections()));
        }
    }

    /**
     * Whether a query never emits two rows of one key. Steps for time may reject rows, which the query does not know.
     */
    private boolean isKeyProven(final Set<String> unique)
    {
        return unique != null && !hasApplicationTime() && unique.stream().allMatch(column ->
            definition.primaryKey().stream().anyMatch(column::equalsIgnoreCase) &&
            !FLOATING.contains(definition.eventType().properties().get(
                definition.eventType().indexOf(column)).type()));
    }

    /** Durable processors below store the keys of the rows that they receive; called before a lane is added. */
    public void storeKeys()
    {
        if (keys != null)
        {
            keys.store();
        }
    }

    /** Continues with the keys that a durable processor below has stored, before the first row. */
    public void restoreKeys(final StoredRelation stored)
    {
        if (keys != null)
        {
            keys.restore(stored);
        }
    }

    /** Accepts changes of rows that queries above emitted in an earlier process, before the first row. */
    public void passUnknownKeys()
    {
        if (keys != null)
        {
            keys.passUnknown();
        }
    }

    /** Whether times come from a property of the events. */
    public boolean hasApplicationTime()
    {
        return definition.time().timestampProperty() != null;
    }

    /**
     * Creates the step that reads times from the property.
     *
     * @param ownsTimes whether the rows have no times yet
     */
    public ApplicationTimeStep applicationTime(final boolean ownsTimes)
    {
        return new ApplicationTimeStep(definition.eventType().indexOf(definition.time().timestampProperty()),
            definition.time().totalOrder(), ownsTimes, meter.rejections());
    }

    /** Whether an idle channel receives heartbeats. */
    public boolean beats()
    {
        return !definition.relation() && !hasApplicationTime() && definition.time().heartbeatNs() > 0;
    }

    /**
     * Connects a lane from above to an inlet of the channel.
     *
     * @param upstream where the lane comes from
     * @param inlet    accepts batches of the channel's schema
     * @return the inlet that the lane calls
     */
    public Inlet enter(final Upstream upstream, final Inlet inlet)
    {
        final BatchSchema above = upstream.outlet().schema();
        final boolean isPaired =
            definition.changes().updateSemantics() && keys != null && upstream.outlet().queryId() != null;
        final Inlet first = isPaired ? new UpdateInlet(schema, keyColumns(), inlet) : inlet;
        final Inlet target = above.equals(schema) ? first :
            new ColumnMappingInlet(schema, ColumnMapping.between(above.type(), schema.type()), first);
        upstream.outlet().add(target);
        return target;
    }

    /** Adds statistics of the steps. Thread-safe. */
    public void describe(final Map<String, Object> figures)
    {
        if (keys != null)
        {
            synchronized (keys)
            {
                figures.put("relationRows", keys.size());
            }
        }
        if (deletionsLeftOut.sum() > 0)
        {
            figures.put("deletionsLeftOut", deletionsLeftOut.sum());
        }
    }
}
