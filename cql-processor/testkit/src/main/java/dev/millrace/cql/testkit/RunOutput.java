package dev.millrace.cql.testkit;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.pattern.attempt.AttemptPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rows that the engines of a run emit, and what they reject. Not thread-safe. */
final class RunOutput
{
    private static final Set<String> LIMITS = Set.of(RejectionHandler.STATE_FULL, AttemptPattern.TOO_MANY_RUNS);

    private final Map<String, List<CaseRow>> rows = new LinkedHashMap<>();
    private final Map<String, List<List<CaseRow>>> parts = new HashMap<>();
    private long rejected;
    private String limit;

    /**
     * Opens the output of a query of one engine.
     *
     * @param schemas receives the schema of its batches
     * @param sinks   receives the sink of its batches
     */
    void open(final String query, final EventType type, final Map<String, BatchSchema> schemas,
        final Map<String, EventBatchSink> sinks)
    {
        final String id = LiteralParameterizer.idOf(query);
        final List<CaseRow> list = rows.computeIfAbsent(id, name -> new ArrayList<>());
        final List<CaseRow> part = new ArrayList<>();
        parts.computeIfAbsent(id, name -> new ArrayList<>()).add(part);
        schemas.put(query, new BatchSchema(type));
        sinks.put(query, batch -> {
            collect(batch, list);
            collect(batch, part);
        });
    }

    private static void collect(final EventBatch batch, final List<CaseRow> list)
    {
        final List<EventProperty> properties = batch.schema().type().properties();
        for (int row = 0; row < batch.size(); row++)
        {
            final Object[] values = new Object[properties.size()];
            for (int column = 0; column < values.length; column++)
            {
                values[column] = CaseRow.plain(batch.value(column, row),
                    properties.get(column).type() == CqlType.TIMESTAMP);
            }
            list.add(new CaseRow(batch.timestampNs(row), batch.kind(row) == EventBatch.DELETE ? '-' : '+', values));
        }
    }

    /** Counts rows that an engine rejects; a {@link RejectionHandler}. */
    void reject(final int count, final String reason, final String detail)
    {
        rejected += count;
        if (LIMITS.contains(reason))
        {
            limit = reason + ": " + detail;
        }
    }

    /** Output of each engine: a list per engine, by query id. */
    Map<String, List<List<CaseRow>>> parts()
    {
        return parts;
    }

    /** Returns the rows of the run after a check of their unique keys. */
    Reference.Outcome outcome(final UniqueKeyCheck uniqueRows)
    {
        rows.forEach(uniqueRows::check);
        return new Reference.Outcome(rows, rejected, limit);
    }
}
