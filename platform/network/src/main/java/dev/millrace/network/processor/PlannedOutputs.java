package dev.millrace.network.processor;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.network.channel.ChannelRuntime;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.lane.Outlet;
import dev.millrace.network.lane.StageMeter;
import dev.millrace.network.spi.QueryOutput;
import dev.millrace.network.topology.TypePropagation;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outputs that a processor opens while it starts: those of its plan, or those of the earlier rules to which its
 * stored state belongs. Confined to the thread that wires the processor.
 */
final class PlannedOutputs
{
    private static final Logger LOG = LoggerFactory.getLogger(PlannedOutputs.class);

    private final String stage;
    private final List<QueryOutput> plan;
    private final ProcessorOutlets outlets;
    private final StageMeter meter;

    /**
     * @param stage qualified name of the processor
     * @param plan  outputs of its rules
     */
    PlannedOutputs(
        final String stage, final List<QueryOutput> plan, final ProcessorOutlets outlets, final StageMeter meter)
    {
        this.stage = stage;
        this.plan = plan;
        this.outlets = outlets;
        this.meter = meter;
    }

    /**
     * Opens outputs of the plan.
     *
     * @return the output of each query, some of which share one
     * @throws IllegalStateException if the processor is wired already
     */
    Map<String, EventBatchSink> open(final List<String> queryIds)
    {
        if (outlets.isWired())
        {
            throw new IllegalStateException("outputs are opened before the first event, stage=" + stage +
                " queries=" + queryIds);
        }
        final Map<String, BatchSchema> schemas = new LinkedHashMap<>();
        queryIds.forEach(query -> schemas.put(query, new BatchSchema(planned(query).type())));
        final Map<String, EventBatchSink> opened = new HashMap<>();
        openShared(schemas, this::planned, opened);
        return opened;
    }

    private void openShared(final Map<String, BatchSchema> schemas, final Function<String, QueryOutput> output,
        final Map<String, EventBatchSink> opened)
    {
        outlets.shared(schemas, ChannelRuntime::takes)
            .forEach(together -> outlets.open(together, schemas, output, opened));
    }

    private QueryOutput planned(final String queryId)
    {
        return plan.stream().filter(output -> output.queryId().equals(queryId)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException(
                "no such query output, stage=" + stage + " query=" + queryId));
    }

    /**
     * Opens outputs of earlier rules; rows that the channels below cannot accept are dropped.
     *
     * @return the output of each query
     */
    Map<String, EventBatchSink> openEarlier(final List<QueryOutput> queries)
    {
        final Map<String, QueryOutput> byId = new LinkedHashMap<>();
        queries.forEach(output -> byId.put(output.queryId(), output));
        final Map<String, BatchSchema> schemas = new LinkedHashMap<>();
        final Map<String, EventBatchSink> opened = new HashMap<>();
        byId.forEach((query, output) ->
        {
            final BatchSchema schema = new BatchSchema(output.type());
            if (outlets.below().stream().filter(channel -> channel.takes(query))
                .allMatch(channel -> accepts(channel, output)))
            {
                schemas.put(query, schema);
            }
            else
            {
                LOG.warn("rows that an earlier rule emits when it is restored are dropped, because the channels " +
                    "below cannot accept them, stage={} query={}", stage, query);
                opened.put(query, new Outlet(schema, query, null, meter.openOut()));
            }
        });
        openShared(schemas, byId::get, opened);
        return opened;
    }

    private boolean accepts(final ChannelRuntime channel, final QueryOutput output)
    {
        try
        {
            TypePropagation.check(output, channel.definition());
            return true;
        }
        catch (final DeploymentException unfit)
        {
            LOG.info("an earlier rule does not fit, stage={} {}", stage, unfit.getMessage());
            return false;
        }
    }
}
