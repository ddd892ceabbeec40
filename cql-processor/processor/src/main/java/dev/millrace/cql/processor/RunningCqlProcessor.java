package dev.millrace.cql.processor;

import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.network.spi.ProcessorWiring;
import dev.millrace.network.spi.RunningProcessor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A CQL processor at work. Safe for all threads; the inputs it opens belong to one source thread each. */
final class RunningCqlProcessor implements RunningProcessor
{
    /** How long {@link #stop()} waits for workers that still have rows. */
    static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(RunningCqlProcessor.class);
    private static final long DRAIN_POLL_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final String id;
    private final String planText;
    private final ProcessorWiring wiring;
    private final Map<String, List<PipelineGroup>> groups;
    private final List<Worker> workers;
    private final List<Placed> placed;
    private final List<FlowStart.Started> flows;
    private final List<RelationFeed> feeds;
    private final RouteTable table;
    private final List<ChannelInput> inputs = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> opened = new LinkedHashMap<>();

    /**
     * An instance and who runs it.
     *
     * @param instance the instance
     * @param plan     what it runs
     * @param worker   {@code null} when the source's thread runs it
     */
    record Placed(PipelineInstance instance, PipelinePlan plan, Worker worker)
    {
    }

    RunningCqlProcessor(
        final String id,
        final String planText,
        final ProcessorWiring wiring,
        final Map<String, List<PipelineGroup>> groups,
        final List<Worker> workers,
        final List<Placed> placed,
        final List<FlowStart.Started> flows,
        final List<RelationFeed> feeds)
    {
        this.id = id;
        this.planText = planText;
        this.wiring = wiring;
        this.groups = groups;
        this.workers = List.copyOf(workers);
        this.placed = List.copyOf(placed);
        this.flows = List.copyOf(flows);
        this.feeds = List.copyOf(feeds);
        table = new RouteTable(wiring.workers());
    }

    @Override
    public EventBatchSink openInput(final String channelId)
    {
        final int count;
        synchronized (opened)
        {
            count = opened.merge(channelId, 1, Integer::sum);
        }
        final List<PipelineGroup> fed = groups.getOrDefault(channelId, List.of());
        if (count > 1 && fed.stream().anyMatch(group -> group.members().get(0).worker() == null))
        {
            throw new IllegalStateException("our bug, please report it: a second source thread for a channel that " +
                "was announced with one, processor=" + id + " channel=" + channelId);
        }
        final ChannelInput input = new ChannelInput(
            fed.stream().map(group -> group.open(table, wiring::reject)).toArray(RowRoute[]::new));
        inputs.add(input);
        return input;
    }

    @Override
    public boolean drain(final long timeoutNs)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        for (final ChannelInput input : inputs)
        {
            for (final RowRoute route : input.routes())
            {
                final long[] taken = route.taken();
                while (!route.isDone(taken))
                {
                    if (deadlineNs - System.nanoTime() <= 0)
                    {
                        return false;
                    }
                    LockSupport.parkNanos(this, DRAIN_POLL_NS);
                }
            }
        }
        return true;
    }

    @Override
    public void stop()
    {
        stop(STOP_TIMEOUT_NS);
    }

    /**
     * Ends the workers.
     *
     * @param timeoutNs how long they may take for the rows they hold; then they are interrupted and the rest is
     *                  rejected
     */
    void stop(final long timeoutNs)
    {
        feeds.forEach(RelationFeed::close);
        workers.forEach(Worker::stop);
        final long deadlineNs = System.nanoTime() + timeoutNs;
        for (final Worker worker : workers)
        {
            if (!worker.awaitEnd(deadlineNs))
            {
                LOG.warn("a worker did not end in time, what it still held is rejected, worker={} timeoutMs={}",
                    worker.name(), TimeUnit.NANOSECONDS.toMillis(timeoutNs));
            }
        }
    }

    @Override
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("threads", workers.isEmpty() ? "source" : "workers");
        figures.put("queries", queryFigures());
        figures.put("pipelines", placed.stream().map(RunningCqlProcessor::figures).toList());
        figures.put("flows", flows.stream().map(RunningCqlProcessor::figures).toList());
        figures.put("workers", workers.stream().map(Worker::statistics).toList());
        figures.put("rings", ringFigures());
        figures.put("plan", planText);
        return figures;
    }

    private static Map<String, Object> figures(final Placed placed)
    {
        final Map<String, Object> figures = placed.instance().statistics();
        figures.put("thread", placed.worker() == null ? "source" : placed.worker().name());
        return figures;
    }

    private static Map<String, Object> figures(final FlowStart.Started flow)
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("flow", flow.plan().name());
        figures.putAll(flow.engine().statistics());
        return figures;
    }

    /** Rows in and out of each query, summed over workers. */
    private Map<String, Object> queryFigures()
    {
        final Map<String, long[]> sums = new LinkedHashMap<>();
        for (final Placed each : placed)
        {
            final Map<String, Object> own = each.instance().statistics();
            for (final Operator.Output output : each.plan().outputs())
            {
                final long[] sum = sums.computeIfAbsent(output.queryId(), query -> new long[2]);
                sum[0] += ((Number)own.get("rowsIn")).longValue();
                sum[1] += ((Number)((Map<?, ?>)own.get("rowsOut")).get(output.queryId())).longValue();
            }
        }
        for (final FlowStart.Started flow : flows)
        {
            final Map<String, Object> own = flow.engine().statistics();
            ((Map<?, ?>)own.get("rowsOut")).forEach((query, rows) -> sums.put((String)query,
                new long[] {((Number)own.get("rowsIn")).longValue(), ((Number)rows).longValue()}));
        }
        final Map<String, Object> figures = new LinkedHashMap<>();
        sums.forEach((query, sum) ->
        {
            final Map<String, Object> own = new LinkedHashMap<>();
            own.put("rowsIn", sum[0]);
            own.put("rowsOut", sum[1]);
            figures.put(query, own);
        });
        return figures;
    }

    private List<Map<String, Object>> ringFigures()
    {
        final List<Map<String, Object>> figures = new ArrayList<>();
        workers.forEach(worker -> figures.addAll(worker.ringStatistics()));
        return figures;
    }
}
