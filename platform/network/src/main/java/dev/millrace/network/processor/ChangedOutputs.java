package dev.millrace.network.processor;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.network.channel.ChannelRuntime;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.lane.Outlet;
import dev.millrace.network.lane.StageRuntime.Upstream;
import dev.millrace.network.spi.DynamicOutputs;
import dev.millrace.network.spi.QueryOutput;
import dev.millrace.network.topology.TypePropagation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The outputs of queries that start and stop while the network is running. Confined to the thread that changes the
 * rules.
 */
final class ChangedOutputs implements DynamicOutputs
{
    private final ProcessorStage current;
    private final ProcessorStage next;
    private final ProcessorOutlets outlets;
    private final Map<String, List<Problem>> deletionsLeftOut = new HashMap<>();
    private final Map<String, QueryOutput> planned = new HashMap<>();

    /**
     * @param current the processor before the change
     * @param next    the processor after it
     */
    ChangedOutputs(final ProcessorStage current, final ProcessorStage next, final ProcessorOutlets outlets)
    {
        this.current = current;
        this.next = next;
        this.outlets = outlets;
    }

    /** Warnings about channels that discard the deletions of a query that was checked. */
    List<Problem> deletionsLeftOut(final String queryId)
    {
        return deletionsLeftOut.getOrDefault(queryId, List.of());
    }

    /** A selector may name a query with bindings by the id in the configuration file. */
    private boolean takes(final ChannelRuntime channel, final String queryId)
    {
        return channel.takes(queryId) || next.rules().stream()
            .anyMatch(rule -> rule.id().equals(queryId) && channel.takes(rule.writtenId()));
    }

    @Override
    public void check(final QueryOutput output) throws DeploymentException
    {
        final List<Problem> problems = new ArrayList<>();
        planned.put(output.queryId(), output);
        deletionsLeftOut.put(output.queryId(),
            outlets.deletionsLeftOut(output, channel -> takes(channel, output.queryId())));
        for (final ChannelRuntime channel : outlets.below())
        {
            try
            {
                if (takes(channel, output.queryId()))
                {
                    TypePropagation.check(output, channel.definition());
                }
            }
            catch (final DeploymentException unfit)
            {
                problems.addAll(unfit.problems());
            }
        }
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
    }

    @Override
    public List<String> takers(final String queryId)
    {
        return outlets.below().stream().filter(channel -> takes(channel, queryId))
            .map(channel -> channel.definition().id()).toList();
    }

    @Override
    public Map<String, EventBatchSink> open(final Map<String, BatchSchema> queries)
    {
        final Map<String, EventBatchSink> opened = new HashMap<>();
        for (final List<String> together : outlets.shared(queries, this::takes))
        {
            final Outlet outlet = outlets.open(together, queries, planned::get, opened);
            outlets.below().stream().filter(channel -> takes(channel, together.get(0)))
                .forEach(channel -> channel.attach(new Upstream(current, outlet)));
            outlets.report(outlet, this::takes);
        }
        return opened;
    }

    @Override
    public void close(final EventBatchSink output)
    {
        outlets.close((Outlet)output);
    }
}
