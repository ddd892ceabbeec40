package dev.millrace.cql.replay;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.cql.processor.ReplayInput;
import dev.millrace.network.durable.GroupDescription;
import dev.millrace.network.durable.ReplayEngine;
import dev.millrace.network.lane.ColumnMapping;
import dev.millrace.network.lane.ColumnMappingInlet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rules of one unit: passes each record to the inputs that its group feeds. */
final class UnitRules implements ReplayEngine.Unit
{
    private final Map<String, List<ReplayInput>> inputs;
    private final Map<String, ReplicaTarget> caches;
    private final OfflineWiring wiring;
    /** Inlets by the schema of decoded batches, which changes with each file of a journal. */
    private final Map<BatchSchema, List<ColumnMappingInlet>> inlets = new HashMap<>();
    private final Map<ReplayInput, EventBatch> times = new HashMap<>();

    UnitRules(final Map<String, List<ReplayInput>> inputs, final Map<String, ReplicaTarget> caches,
        final OfflineWiring wiring)
    {
        this.inputs = inputs;
        this.caches = caches;
        this.wiring = wiring;
    }

    @Override
    public void rows(final GroupDescription group, final EventBatch rows)
    {
        final ReplicaTarget cache = caches.get(group.name());
        if (cache != null)
        {
            cache.rows(rows);
            return;
        }
        final List<ReplayInput> fed = inputs.getOrDefault(group.name(), List.of());
        if (!fed.isEmpty())
        {
            wiring.passTime(rows.timestampNs(rows.size() - 1));
            inlets.computeIfAbsent(rows.schema(), schema -> open(schema.type(), fed)).forEach(inlet ->
                inlet.accept(rows));
        }
    }

    private static List<ColumnMappingInlet> open(final EventType recorded, final List<ReplayInput> fed)
    {
        final List<ColumnMappingInlet> opened = new ArrayList<>();
        fed.forEach(input -> opened.add(new ColumnMappingInlet(input.schema(),
            ColumnMapping.between(recorded, input.schema().type()), view -> pass(input.sink(), view))));
        return opened;
    }

    @Override
    public void time(final GroupDescription group, final long timeNs)
    {
        for (final ReplayInput input : inputs.getOrDefault(group.name(), List.of()))
        {
            wiring.passTime(timeNs);
            final EventBatch time = times.computeIfAbsent(input, each -> new EventBatch(each.schema()));
            time.clear();
            time.baseTimestampNs(timeNs);
            pass(input.sink(), time);
        }
    }

    @Override
    public void clear(final GroupDescription group)
    {
        final ReplicaTarget cache = caches.get(group.name());
        if (cache != null)
        {
            cache.clear();
        }
    }

    private static void pass(final EventBatchSink sink, final EventBatch batch)
    {
        try
        {
            sink.onBatch(batch);
        }
        catch (final EventRejectedException unexpected)
        {
            throw new IllegalStateException("pipelines reject rows, not batches", unexpected);
        }
    }
}
