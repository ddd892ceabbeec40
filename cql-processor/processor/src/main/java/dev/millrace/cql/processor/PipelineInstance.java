package dev.millrace.cql.processor;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.index.RowFilter;
import dev.millrace.cql.runtime.index.Statement;
import dev.millrace.cql.runtime.state.PartitionChoice;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A compiled pipeline with its state and its copies of relations.
 *
 * <p>Threads: one thread calls {@link #onBatch} and {@link #applyChanges}; the figures are for all. Failure: an
 * exception of the pipeline rejects the batch and is counted, and the instance goes on, marked as degraded, because
 * its state may have missed rows.
 */
final class PipelineInstance implements Statement
{
    private static final Logger LOG = LoggerFactory.getLogger(PipelineInstance.class);
    private static final String REJECT_REASON = "pipeline-failed";

    private final String name;
    private final Pipeline pipeline;
    private final RowFilter filter;
    private final RelationCopy[] relations;
    private final RowRejection rejection;
    private final Counter failedBatches = new Counter();
    private final PassedRows passed = new PassedRows();
    private volatile String lastFailure;
    private boolean changesFailed;

    PipelineInstance(
        final String name, final Pipeline pipeline, final List<RelationCopy> relations, final RowRejection rejection)
    {
        this(name, pipeline, null, relations, rejection);
    }

    PipelineInstance(final String name, final Pipeline pipeline, final RowFilter filter,
        final List<RelationCopy> relations, final RowRejection rejection)
    {
        this.name = name;
        this.pipeline = pipeline;
        this.filter = filter;
        this.relations = relations.toArray(new RelationCopy[0]);
        this.rejection = rejection;
    }

    /** What has passed the indexes that the instance takes its rows from. */
    PassedRows passed()
    {
        return passed;
    }

    @Override
    public RowFilter filter()
    {
        return filter;
    }

    /**
     * Runs a batch or heartbeat through the pipeline, after the changes of relations that wait.
     *
     * @param batch lent
     */
    @Override
    public void onBatch(final EventBatch batch)
    {
        try
        {
            takeChanges();
            pipeline.onBatch(batch);
        }
        // The thread serves all partitions: whatever goes wrong with one batch, also an Error, must not end it.
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

    /** Writes what it knows of some partitions; while no batch is inside. */
    void write(final StateOutput to, final PartitionChoice partitions)
    {
        pipeline.write(to, partitions);
    }

    /** Takes over what another instance has written; while no batch is inside. */
    void read(final StateInput from)
    {
        pipeline.read(from);
    }

    /** Forgets what it knows of some partitions; while no batch is inside. */
    void forget(final PartitionChoice partitions)
    {
        pipeline.forget(partitions);
    }

    /** Takes in the changes of relations that wait, without a batch. */
    void applyChanges()
    {
        try
        {
            takeChanges();
        }
        // As above: a change that cannot be taken in must not end the thread.
        catch (final Throwable failure)
        {
            fail(0, failure);
        }
    }

    private void takeChanges()
    {
        for (final RelationCopy relation : relations)
        {
            if (relation.hasChanges())
            {
                changesFailed = true;
                relation.applyChanges();
                changesFailed = false;
            }
        }
    }

    /** Whether there are relations whose changes it takes in. */
    boolean hasRelations()
    {
        return relations.length > 0;
    }

    /**
     * Whether changes of relations wait. After a failure they wait for the next batch or heartbeat, or an idle thread
     * would try again and again.
     *
     * @return true when {@link #applyChanges()} has something to do
     */
    boolean hasChanges()
    {
        if (changesFailed)
        {
            return false;
        }
        for (final RelationCopy relation : relations)
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
            LOG.error("a pipeline failed; its batch is rejected and it goes on, pipeline={} rows={}",
                name, rows, failure);
        }
        lastFailure = failure.toString();
        failedBatches.add(1);
        rejection.reject(rows, REJECT_REASON, ProcessorErrors.PIPELINE_FAILED + " pipeline=" + name + " cause=" +
            failure + "; the log has the trace of the first one: correct the stage it names, or report it to us");
    }

    /** Ends the output of a query whose sink others may share; while no batch is inside. */
    void mute(final String query)
    {
        pipeline.mute(query);
    }

    String name()
    {
        return name;
    }

    /**
     * The figures now.
     *
     * @return those of the pipeline, and {@code condition}, {@code failedBatches}, {@code lastFailure}, {@code
     *     relations}
     */
    Map<String, Object> statistics()
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
        for (final RelationCopy relation : relations)
        {
            copies.add(relation.statistics());
        }
        figures.put("relations", copies);
        return figures;
    }
}
