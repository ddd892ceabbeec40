package dev.millrace.cql.processor.worker;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.relation.Counter;
import dev.millrace.cql.processor.relation.RelationReplica;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.index.IndexedQuery;
import dev.millrace.cql.runtime.index.RowFilter;
import dev.millrace.cql.runtime.state.PartitionSelection;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A compiled pipeline with its state and its replicas of relations.
 *
 * <p>Threads: a single thread calls {@link #onBatch} and {@link #applyChanges}; any thread reads the statistics.
 * Failure: an exception of the pipeline rejects the batch and is counted, and the instance continues, marked as
 * degraded, because its state may have missed rows.
 */
public final class PipelineInstance implements IndexedQuery
{
    private static final Logger LOG = LoggerFactory.getLogger(PipelineInstance.class);
    private static final String REJECT_REASON = "pipeline-failed";
    /** Shared, so that instances without relations do not each load an array. */
    private static final RelationReplica[] NO_RELATIONS = {};

    private final String name;
    private final Pipeline pipeline;
    private final RowFilter filter;
    private final RelationReplica[] relations;
    private final RejectionHandler rejection;
    private final Counter failedBatches = new Counter();
    private final IndexedRowCounts passed = new IndexedRowCounts();
    private volatile String lastFailure;
    private boolean changesFailed;

    public PipelineInstance(
        final String name, final Pipeline pipeline, final List<RelationReplica> relations,
        final RejectionHandler rejection)
    {
        this(name, pipeline, null, relations, rejection);
    }

    public PipelineInstance(final String name, final Pipeline pipeline, final RowFilter filter,
        final List<RelationReplica> relations, final RejectionHandler rejection)
    {
        this.name = name;
        this.pipeline = pipeline;
        this.filter = filter;
        this.relations = relations.toArray(NO_RELATIONS);
        this.rejection = rejection;
    }

    /** The rows that have passed the indexes in front of the instance. */
    IndexedRowCounts passed()
    {
        return passed;
    }

    @Override
    public RowFilter filter()
    {
        return filter;
    }

    /**
     * Processes a batch or heartbeat, after the queued changes of relations.
     *
     * @param batch borrowed for the call
     */
    @Override
    public void onBatch(final EventBatch batch)
    {
        try
        {
            takeChanges();
            pipeline.onBatch(batch);
        }
        // The thread serves all partitions: no failure in one batch, not even an Error, may end it.
        catch (final Throwable failure)
        {
            fail(batch.size(), failure);
        }
    }

    @Override
    public void onRows(final EventBatch batch, final int[] rows, final int count)
    {
        try
        {
            takeChanges();
            pipeline.onRows(batch, rows, count);
        }
        // As above.
        catch (final Throwable failure)
        {
            fail(count, failure);
        }
    }

    /** Writes the state of some partitions; called while no batch is in progress. */
    public void write(final StateOutput to, final PartitionSelection partitions)
    {
        pipeline.write(to, partitions);
    }

    /** Reads state that another instance has written; called while no batch is in progress. */
    public void read(final StateInput from)
    {
        pipeline.read(from);
    }

    /** Discards the state of some partitions; called while no batch is in progress. */
    public void forget(final PartitionSelection partitions)
    {
        pipeline.forget(partitions);
    }

    /** Applies the queued changes of relations, without a batch. */
    void applyChanges()
    {
        try
        {
            takeChanges();
        }
        // As above: a change that cannot be applied must not end the thread.
        catch (final Throwable failure)
        {
            fail(0, failure);
        }
    }

    private void takeChanges()
    {
        for (final RelationReplica relation : relations)
        {
            if (relation.hasChanges())
            {
                changesFailed = true;
                relation.applyChanges();
                changesFailed = false;
            }
        }
    }

    /** Its replicas. */
    public List<RelationReplica> relations()
    {
        return List.of(relations);
    }

    /** Whether it has relations whose changes it applies. */
    public boolean hasRelations()
    {
        return relations.length > 0;
    }

    /**
     * Whether changes of relations are queued. After a failure they wait for the next batch or heartbeat, otherwise an
     * idle thread would retry continuously.
     *
     * @return true if {@link #applyChanges()} has work to do
     */
    boolean hasChanges()
    {
        if (changesFailed)
        {
            return false;
        }
        for (final RelationReplica relation : relations)
        {
            if (relation.hasChanges())
            {
                return true;
            }
        }
        return false;
    }

    private void fail(final int rows, final Throwable failure)
    {
        if (lastFailure == null)
        {
            LOG.error("a pipeline failed; its batch is rejected and it continues, pipeline={} rows={}",
                name, rows, failure);
        }
        lastFailure = failure.toString();
        failedBatches.add(1);
        rejection.reject(rows, REJECT_REASON, ProcessorErrorCode.PIPELINE_FAILED + " pipeline=" + name + " cause=" +
            failure + "; the log contains the first stack trace: correct the stage that it names, or report it");
    }

    /** Ends the output of a query whose sink may be shared with others; called while no batch is in progress. */
    public void mute(final String query)
    {
        pipeline.mute(query);
    }

    public String name()
    {
        return name;
    }

    /**
     * The current statistics.
     *
     * @return statistics of the pipeline, and {@code condition}, {@code failedBatches}, {@code lastFailure}, {@code
     *     relations}
     */
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("pipeline", name);
        figures.put("condition", lastFailure == null ? "ok" : "degraded");
        figures.put("failedBatches", failedBatches.get());
        if (lastFailure != null)
        {
            figures.put("lastFailure", lastFailure);
        }
        figures.putAll(pipeline.statistics());
        if (filter != null && passed.isUsed())
        {
            figures.put("rowsIn", passed.total());
        }
        final List<Map<String, Object>> copies = new ArrayList<>();
        for (final RelationReplica relation : relations)
        {
            copies.add(relation.statistics());
        }
        figures.put("relations", copies);
        return figures;
    }
}
