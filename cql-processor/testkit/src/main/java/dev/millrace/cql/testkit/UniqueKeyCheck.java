package dev.millrace.cql.testkit;

import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.UniqueColumns;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks that an engine's output satisfies the {@link UniqueColumns} of a plan: a relation channel downstream looks no
 * row up when they include columns of its key. Immutable.
 */
final class UniqueKeyCheck
{
    private final Map<String, Set<Integer>> columns = new HashMap<>();

    UniqueKeyCheck(final ProcessorPlan plan)
    {
        plan.pipelines().forEach(pipeline -> UniqueColumns.of(pipeline).forEach((query, unique) ->
            columns.put(LiteralParameterizer.idOf(query), unique)));
        plan.flows().stream().flatMap(flow -> flow.outputs().stream()).filter(output -> !output.stream())
            .forEach(output -> UniqueColumns.of(output.input()).ifPresent(unique ->
                columns.put(LiteralParameterizer.idOf(output.queryId()), unique)));
    }

    /**
     * Processes the changes of a query in order.
     *
     * @throws IllegalStateException at a row that enters while its key exists, or leaves without having entered
     */
    void check(final String query, final List<CaseRow> changes)
    {
        final Set<Integer> unique = columns.get(query);
        if (unique == null)
        {
            return;
        }
        final Map<List<Object>, List<Object>> present = new HashMap<>();
        for (final CaseRow change : changes)
        {
            final List<Object> row = Arrays.asList(change.values());
            final List<Object> key = unique.stream().sorted().map(row::get).toList();
            final List<Object> before = change.kind() == '+' ? present.put(key, row) : present.remove(key);
            if (change.kind() == '+' ? before != null : !row.equals(before))
            {
                throw new IllegalStateException("rows are not distinguished by columns " + unique + ", query=" + query +
                    " row=" + change + " before=" + before);
            }
        }
    }
}
