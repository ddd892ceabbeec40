package dev.millrace.network.lane;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.SequencedSink;
import java.util.Arrays;
import java.util.Set;

/**
 * The exit of a lane from a stage: passes each batch to every stage below, one after the other. Targets are added while
 * the network is built, or replaced while the processor above holds its rows; apart from that, one thread at a time
 * passes batches.
 */
public final class Outlet implements Inlet, SequencedSink
{
    private final BatchSchema schema;
    private final String queryId;
    private final LaneLock sourceLock;
    private final LaneCounters counters;
    private Inlet[] targets = new Inlet[0];
    /** Number of targets at the beginning that receive every batch. */
    private int observers;
    /** Chooses the stage of each row; {@code null} when every stage receives every row. */
    private EventPartitioner partitioner;
    private Object thread;
    private Set<String> unique;

    /**
     * Creates an outlet without targets.
     *
     * @param queryId    the query whose rows leave here, the first one when several share it; {@code null} unless the
     *                   stage is a processor
     * @param sourceLock lock of the sender's lane that begins here; {@code null} when another stage passes the rows on
     * @param counters   of rows that leave
     */
    public Outlet(
        final BatchSchema schema, final String queryId, final LaneLock sourceLock, final LaneCounters counters)
    {
        this.schema = schema;
        this.queryId = queryId;
        this.sourceLock = sourceLock;
        this.counters = counters;
        thread = sourceLock == null ? this : sourceLock;
    }

    /**
     * An object that identifies the thread that passes batches.
     *
     * @return the same object for lanes of one thread; the outlet itself when the thread is not known
     */
    public Object thread()
    {
        return thread;
    }

    /**
     * Sets the thread that passes batches; called while the network is built.
     *
     * @param other the {@link #thread()} of a lane above
     */
    public void runsOn(final Object other)
    {
        thread = other;
    }

    public BatchSchema schema()
    {
        return schema;
    }

    /**
     * The query whose rows leave here; a channel below accepts all queries that share the outlet, or none of them.
     *
     * @return id, or {@code null} when the stage is no processor
     */
    public String queryId()
    {
        return queryId;
    }

    /**
     * Sets the unique columns of the single query whose rows leave here; called before a stage below is wired.
     *
     * @param columns as in {@link dev.millrace.network.spi.QueryOutput#unique()}
     */
    public void uniqueBy(final Set<String> columns)
    {
        unique = columns;
    }

    /** Columns in which no two rows of the relation are equal; {@code null} when not known. */
    public Set<String> unique()
    {
        return unique;
    }

    /** Whether rows come from a source, not from a stage that passes them on, so that they have no times yet. */
    public boolean isOfSource()
    {
        return sourceLock != null;
    }

    /** The lock of the sender's lane that begins here; {@code null} when another stage passes the rows on. */
    public LaneLock sourceLock()
    {
        return sourceLock;
    }

    /**
     * Sends each row to only one of the stages below; called before they are added.
     *
     * @param column of the property whose value determines the stage
     */
    public void partitionBy(final int column)
    {
        partitioner = new EventPartitioner(schema, column);
    }

    /** Adds a stage below, which receives every batch, or its rows of every batch. */
    public void add(final Inlet target)
    {
        final Inlet[] more = Arrays.copyOf(targets, targets.length + 1);
        more[targets.length] = target;
        targets = more;
    }

    /**
     * Adds a receiver that sees every batch before the stages below, which may change its times; replaces the targets
     * while no row is in transit.
     */
    public void addFirst(final Inlet target)
    {
        final Inlet[] more = new Inlet[targets.length + 1];
        more[0] = target;
        System.arraycopy(targets, 0, more, 1, targets.length);
        targets = more;
        observers++;
    }

    /**
     * Replaces the inlet of a stage below.
     *
     * @param target one that was added
     * @param next   its replacement
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
     * Removes a stage below.
     *
     * @param target one that was added
     */
    public void remove(final Inlet target)
    {
        targets = Arrays.stream(targets).filter(each -> each != target).toArray(Inlet[]::new);
    }

    /** Removes all stages below; batches that still arrive are dropped. */
    public void close()
    {
        targets = new Inlet[0];
    }

    public LaneCounters counters()
    {
        return counters;
    }

    @Override
    public void accept(final EventBatch batch)
    {
        counters.add(batch.size());
        final Inlet[] all = targets;
        final int everything = partitioner == null ? all.length : Math.min(observers, all.length);
        for (int i = 0; i < everything; i++)
        {
            all[i].accept(batch);
        }
        if (everything < all.length)
        {
            partitioner.pass(batch, all, everything);
        }
    }

    @Override
    public void onBatch(final EventBatch batch)
    {
        accept(batch);
    }

    /** The least number of the stages below that store numbers. */
    @Override
    public long receivedFrom(final String producer)
    {
        return Arrays.stream(targets).mapToLong(each -> each.receivedFrom(producer))
            .filter(each -> each != SequencedSink.NOT_STORED).min().orElse(SequencedSink.NOT_STORED);
    }
}
