package dev.millrace.cql.compiler;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Interprets a plan literally: one boxed row at a time, with complete histories, and aggregates recomputed from all
 * values. Slow and simple; it shares no code with the generator.
 */
final class PlanInterpreter
{
    /** A row between operators. */
    record Row(List<Object> values, long timeNs, Long origin)
    {
    }

    /** An output row. */
    record Result(byte kind, List<Object> values, long timeNs, Long origin)
    {
    }

    private static final class Partition
    {
        private final List<List<Object>> rows = new ArrayList<>();
        private Set<Integer> complete = new HashSet<>();
    }

    private static final class Group
    {
        private final List<List<Object>> arguments = new ArrayList<>();
        private List<Object> visible;
    }

    private final PipelinePlan plan;
    private final Map<String, Map<Object, List<Object>>> relations;
    private final Map<Operator, Map<List<Object>, Partition>> partitions = new HashMap<>();
    private final Map<Operator, Map<List<Object>, Group>> groups = new HashMap<>();
    private final Map<String, List<Row>> pending = new HashMap<>();
    private boolean started;
    private int rejected;
    final Map<String, List<Result>> results = new LinkedHashMap<>();

    PlanInterpreter(final PipelinePlan plan, final Map<String, Map<Object, List<Object>>> relations)
    {
        this.plan = plan;
        this.relations = relations;
        plan.outputs().forEach(output -> results.put(output.queryId(), new ArrayList<>()));
    }

    int rejected()
    {
        return rejected;
    }

    void onRow(final Row row)
    {
        start();
        timePassed(row.timeNs());
        plan.roots().forEach(root -> run(root, row));
    }

    void onHeartbeat(final long timeNs)
    {
        start();
        timePassed(timeNs);
    }

    private void start()
    {
        if (!started)
        {
            started = true;
            plan.roots().forEach(this::startGroups);
        }
    }

    private void startGroups(final Operator operator)
    {
        if (operator instanceof Operator.GroupedAggregate aggregate && aggregate.keys().isEmpty())
        {
            final Group group = new Group();
            groups.computeIfAbsent(aggregate, key -> new HashMap<>()).put(List.of(), group);
            try
            {
                group.visible = visible(aggregate, group, List.of());
            }
            catch (final BoxedExpressions.DivisionByZero hidden)
            {
                group.visible = null;
            }
            if (group.visible != null)
            {
                emit(aggregate, EventBatch.INSERT, group.visible, new Row(List.of(), Long.MIN_VALUE, 0L));
            }
        }
        operator.consumers().forEach(this::startGroups);
    }

    private void timePassed(final long timeNs)
    {
        pending.forEach((query, rows) ->
        {
            if (!rows.isEmpty() && rows.get(0).timeNs() < timeNs)
            {
                rows.forEach(row -> results.get(query).add(
                    new Result(EventBatch.DELETE, row.values(), row.timeNs() + 1, row.origin())));
                rows.clear();
            }
        });
    }

    private void run(final Operator operator, final Row row)
    {
        try
        {
            if (operator instanceof Operator.Calc calc)
            {
                final BoxedExpressions here = new BoxedExpressions(leaf -> row.values().get(
                    ((Expression.Column)leaf).column()));
                if (calc.condition() == null || Boolean.TRUE.equals(here.value(calc.condition())))
                {
                    pass(calc, fields(calc, here), row);
                }
            }
            else if (operator instanceof Operator.LookupJoin join)
            {
                lookUp(join, row);
            }
            else if (operator instanceof Operator.FixedPattern pattern)
            {
                match(pattern, row);
            }
            else if (operator instanceof Operator.GroupedAggregate aggregate)
            {
                aggregate(aggregate, row);
            }
            else
            {
                output((Operator.Output)operator, row);
            }
        }
        catch (final BoxedExpressions.DivisionByZero e)
        {
            rejected++;
        }
    }

    private void pass(final Operator operator, final List<Object> values, final Row row)
    {
        operator.consumers().forEach(consumer -> run(consumer, new Row(values, row.timeNs(), row.origin())));
    }

    private List<Object> fields(final Operator operator, final BoxedExpressions here)
    {
        final List<Field> fields = operator instanceof Operator.Calc calc ? calc.fields() :
            operator instanceof Operator.LookupJoin join ? join.fields() :
            ((Operator.FixedPattern)operator).measures();
        final Set<Integer> read = new HashSet<>();
        operator.consumers().forEach(consumer -> read.addAll(ColumnsRead.of(consumer, fields.size())));
        final List<Object> values = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++)
        {
            values.add(read.contains(i) ? here.value(fields.get(i).expression()) : null);
        }
        return values;
    }

    private void lookUp(final Operator.LookupJoin join, final Row row)
    {
        final Object key = new BoxedExpressions(
            leaf -> row.values().get(((Expression.Column)leaf).column())).value(join.key());
        if (key == null)
        {
            return;
        }
        List<Object> found = null;
        for (final Map.Entry<Object, List<Object>> entry : relations.get(join.relation().id()).entrySet())
        {
            if (BoxedExpressions.compare(entry.getKey(), key, comparison -> comparison == 0))
            {
                found = entry.getValue();
            }
        }
        if (found == null)
        {
            return;
        }
        final List<Object> other = found;
        final BoxedExpressions here = new BoxedExpressions(leaf -> leaf instanceof Expression.RelationColumn column ?
            other.get(column.column()) : row.values().get(((Expression.Column)leaf).column()));
        if (join.condition() == null || Boolean.TRUE.equals(here.value(join.condition())))
        {
            pass(join, fields(join, here), row);
        }
    }

    private void match(final Operator.FixedPattern pattern, final Row row)
    {
        final List<Object> key = new ArrayList<>();
        pattern.partitionBy().forEach(column -> key.add(BoxedExpressions.key(row.values().get(column))));
        final Partition partition = partitions.computeIfAbsent(pattern, each -> new HashMap<>())
            .computeIfAbsent(key, each -> new Partition());
        final BoxedExpressions here = new BoxedExpressions(leaf ->
        {
            final Expression.PriorColumn prior = (Expression.PriorColumn)leaf;
            final int at = partition.rows.size() - prior.offset();
            return prior.offset() == 0 ? row.values().get(prior.column()) :
                at < 0 ? null : partition.rows.get(at).get(prior.column());
        });
        final Set<Integer> complete = new HashSet<>();
        for (int j = 0; j < pattern.conditions().size(); j++)
        {
            if ((j == 0 || partition.complete.contains(j - 1)) && (pattern.conditions().get(j) == null ||
                Boolean.TRUE.equals(here.value(pattern.conditions().get(j)))))
            {
                complete.add(j);
            }
        }
        List<Object> measures = null;
        if (complete.contains(pattern.conditions().size() - 1))
        {
            measures = fields(pattern, here);
            if (!pattern.allMatches())
            {
                complete.clear();
            }
        }
        partition.rows.add(row.values());
        partition.complete = complete;
        if (measures != null)
        {
            pass(pattern, measures, row);
        }
    }

    private void aggregate(final Operator.GroupedAggregate aggregate, final Row row)
    {
        final BoxedExpressions here = new BoxedExpressions(
            leaf -> row.values().get(((Expression.Column)leaf).column()));
        final List<Object> key = new ArrayList<>();
        aggregate.keys().forEach(each -> key.add(BoxedExpressions.key(here.value(each))));
        final List<Object> arguments = new ArrayList<>();
        aggregate.aggregates().forEach(
            each -> arguments.add(each.argument() == null ? "row" : here.value(each.argument())));
        final Map<List<Object>, Group> all = groups.computeIfAbsent(aggregate, each -> new HashMap<>());
        final Group group = all.computeIfAbsent(key, each -> new Group());
        group.arguments.add(arguments);
        final List<Object> visible;
        try
        {
            visible = visible(aggregate, group, key);
        }
        catch (final BoxedExpressions.DivisionByZero e)
        {
            group.arguments.remove(group.arguments.size() - 1);
            throw e;
        }
        if (group.visible != null && visible != null && BoxedExpressions.sameRow(group.visible, visible))
        {
            return;
        }
        if (group.visible != null)
        {
            emit(aggregate, EventBatch.DELETE, group.visible, row);
        }
        if (visible != null)
        {
            emit(aggregate, EventBatch.INSERT, visible, row);
        }
        group.visible = visible;
    }

    private static List<Object> visible(
        final Operator.GroupedAggregate aggregate, final Group group, final List<Object> key)
    {
        final List<Object> values = new ArrayList<>();
        for (int i = 0; i < aggregate.aggregates().size(); i++)
        {
            final List<Object> seen = new ArrayList<>();
            for (final List<Object> arguments : group.arguments)
            {
                if (arguments.get(i) != null)
                {
                    seen.add(arguments.get(i));
                }
            }
            values.add(BoxedExpressions.aggregate(aggregate.aggregates().get(i), seen));
        }
        final BoxedExpressions here = new BoxedExpressions(leaf -> leaf instanceof Expression.KeyValue column ?
            key.get(column.key()) : values.get(((Expression.AggregateValue)leaf).aggregate()));
        if (aggregate.having() != null && !Boolean.TRUE.equals(here.value(aggregate.having())))
        {
            return null;
        }
        final List<Object> shown = new ArrayList<>();
        aggregate.fields().forEach(field -> shown.add(here.value(field.expression())));
        return shown;
    }

    private void emit(
        final Operator.GroupedAggregate aggregate, final byte kind, final List<Object> values, final Row row)
    {
        aggregate.consumers().forEach(consumer -> results.get(((Operator.Output)consumer).queryId()).add(
            new Result(kind, values, row.timeNs(), row.origin())));
    }

    private void output(final Operator.Output output, final Row row)
    {
        results.get(output.queryId()).add(
            new Result(EventBatch.INSERT, row.values(), row.timeNs(), row.origin()));
        if (output.kind() == Operator.OutputKind.NOW_RELATION)
        {
            pending.computeIfAbsent(output.queryId(), key -> new ArrayList<>()).add(row);
        }
    }
}
