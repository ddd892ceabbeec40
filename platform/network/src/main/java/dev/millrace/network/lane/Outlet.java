package dev.millrace.network.lane;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import java.util.Arrays;
import java.util.Set;

/**
 * Where a lane leaves a stage: hands each batch to every stage below, one after the other. Targets are added while
 * the network is built, or exchanged while the processor above holds its rows back; otherwise one thread at a time
 * passes batches.
 */
public final class Outlet implements Inlet, EventBatchSink
{
    private final BatchSchema schema;
    private final String queryId;
    private final SourceLane source;
    private final LaneCounters counters;
    private Inlet[] targets = new Inlet[0];
    private Object thread;
    private Set<String> unique;

    /**
     * Makes an outlet without targets.
     *
     * @param schema   shape of the batches
     * @param queryId  the query whose rows leave here, the first of those that share it; {@code null} unless the stage
     *                 is a processor
     * @param source   the lane of a sender that begins here; {@code null} when another stage passes the rows on
     * @param counters rows that leave
     */
    public Outlet(
        final BatchSchema schema, final String queryId, final SourceLane source, final LaneCounters counters)
    {
        this.schema = schema;
        this.queryId = queryId;
        this.source = source;
        this.counters = counters;
        thread = source == null ? this : source;
    }

    /**
     * What stands for the thread that passes batches.
     *
     * @return the same for lanes of one thread; the outlet itself when it is not known
     */
    public Object thread()
    {
        return thread;
    }

    /**
     * Says which thread passes batches; called while the network is built.
     *
     * @param other the {@link #thread()} of a lane above
     */
    public void runsOn(final Object other)
    {
        thread = other;
    }

    /**
     * The shape of the batches.
     *
     * @return schema
     */
    public BatchSchema schema()
    {
        return schema;
    }

    /**
     * The query whose rows leave here; the channels below take those of all queries that share the outlet, or of none.
     *
     * @return id, or {@code null} when the stage is no processor
     */
    public String queryId()
    {
        return queryId;
    }

    /**
     * Says that the rows are of one query that knows how they differ; called before a stage below is wired.
     *
     * @param columns as {@link dev.millrace.network.spi.PlannedProcessor.QueryOutput#unique()} has them
     */
    public void uniqueBy(final Set<String> columns)
    {
        unique = columns;
    }

    /**
     * How the rows of the relation that leaves here differ.
     *
     * @return columns in which no two rows are equal; {@code null} when not known
     */
    public Set<String> unique()
    {
        return unique;
    }

    /**
     * The sender's lane that begins here.
     *
     * @return lane, or {@code null} when rows come from a stage that passes them on and have their times already
     */
    public SourceLane source()
    {
        return source;
    }

    /**
     * Adds a stage below.
     *
     * @param target takes every batch
     */
    public void add(final Inlet target)
    {
        final Inlet[] more = Arrays.copyOf(targets, targets.length + 1);
        more[targets.length] = target;
        targets = more;
    }

    /**
     * Exchanges a stage below for another way to it.
     *
     * @param target one that was added
     * @param next   takes its place
     */
    public void replace(final Inlet target, final Inlet next)
    {
        final Inlet[] changed = targets.clone();
        for (int i = 0; i < changed.length; i++)
        {
            changed[i] = changed[i] == target ? next : changed[i];
        }
        targets = changed;
    }

    /**
     * Takes a stage below away.
     *
     * @param target one that was added
     */
    public void remove(final Inlet target)
    {
        targets = Arrays.stream(targets).filter(each -> each != target).toArray(Inlet[]::new);
    }

    /** Takes all stages below away: what still comes is dropped. */
    public void close()
    {
        targets = new Inlet[0];
    }

    /**
     * The counters of the lane.
     *
     * @return counters
     */
    public LaneCounters counters()
    {
        return counters;
    }

    @Override
    public void accept(final EventBatch batch)
    {
        counters.add(batch.size());
        final Inlet[] all = targets;
        for (int i = 0; i < all.length; i++)
        {
            all[i].accept(batch);
        }
    }

    @Override
    public void onBatch(final EventBatch batch)
    {
        accept(batch);
    }
}
