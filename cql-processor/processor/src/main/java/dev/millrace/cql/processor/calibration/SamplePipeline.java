package dev.millrace.cql.processor.calibration;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import java.util.List;
import java.util.Map;

/** A filter followed by a pattern of two rows, in one of the forms of a generated class. Not thread-safe. */
final class SamplePipeline
{
    private static final String QUERY = "steps";
    private static final List<RuleText> RULES = List.of(
        RuleText.view("kept", "select name, amount from readings where kind = " + (SampleRows.KINDS - 1),
            "name", "amount"),
        RuleText.query(QUERY, """
            select name, change from kept MATCH_RECOGNIZE (
              PARTITION BY name
              MEASURES B.name as name, 100 * (B.amount - A.amount) / A.amount as change
              ALL MATCHES
              PATTERN (A B)
              DEFINE B AS (100 * (B.amount - A.amount) / A.amount > 2.0
                or 100 * (B.amount - A.amount) / A.amount < -2.0)) as T
            """));

    private final SampleRows rows;
    private final EventBatch batch;
    private final Pipeline pipeline;
    private long timeNs;
    private long rowsOut;

    private SamplePipeline(final SampleRows rows, final int scalarRows)
    {
        this.rows = rows;
        batch = new EventBatch(rows.schema);
        final PipelinePlan plan = plan();
        final BatchSchema output = new BatchSchema(plan.outputs().get(0).type());
        pipeline = PipelineCompiler.withScalarRows(scalarRows).compile(plan).instantiate(new PipelineBindings(
            rows.schema, Map.of(QUERY, output), Map.of(QUERY, out -> rowsOut += out.size()), Map.of(),
            (count, reason, detail) ->
            {
                throw new IllegalStateException("a sample row was rejected, reason=" + reason + ": " + detail);
            }));
    }

    static SamplePipeline rowByRow(final SampleRows rows)
    {
        return new SamplePipeline(rows, Integer.MAX_VALUE);
    }

    static SamplePipeline byOperator(final SampleRows rows)
    {
        return new SamplePipeline(rows, 1);
    }

    private static PipelinePlan plan()
    {
        final Catalog catalog = Catalog.builder().stream("readings", SampleRows.READING).build();
        try
        {
            return new RulePlanner().plan("calibration", RULES, catalog).pipelines().get(0);
        }
        catch (final CqlException e)
        {
            throw new IllegalStateException("a built-in rule cannot be planned: " + e.problems(), e);
        }
    }

    /** Runs all rows, in batches of a size. */
    void run(final int batchRows)
    {
        for (int from = 0; from < SampleRows.ROWS; from += batchRows)
        {
            rows.fill(batch, from, Math.min(batchRows, SampleRows.ROWS - from), timeNs);
            timeNs += batchRows;
            pipeline.onBatch(batch);
        }
    }

    /** The number of rows emitted so far. */
    long rowsOut()
    {
        return rowsOut;
    }
}
