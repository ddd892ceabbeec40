package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.RowEvaluationException;
import dev.millrace.cql.testkit.interpreter.syntax.Values;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A select block. */
final class SelectRelation extends Source.Table
{
    private final JoinRelation from;
    private final Parts parts;
    private long now;
    private final Map<Unit, Long> numbers = new java.util.IdentityHashMap<>();

    SelectRelation(final JoinRelation from, final Parts parts, final boolean initial, final boolean grows)
    {
        super(parts.names(), parts.items().stream().map(TypedExpression::type).toList(), Set.copyOf(from.bases),
            initial, grows);
        this.from = from;
        this.parts = parts;
    }

    /**
     * The clauses, bound. {@code group} is null when nothing is aggregated, and empty for one group; {@code aggregated}
     * contains the filters and arguments of the aggregates.
     */
    record Parts(List<String> names, List<TypedExpression> items, boolean distinct, TypedExpression where,
        List<TypedExpression> group, List<TypedExpression> aggregated, TypedExpression having, List<Key> order,
        long top, List<TypedExpression> topPartition, Numbers numbers)
    {
    }

    /** How rows are numbered, from 1 for each value of the partition. */
    record Numbers(List<Key> order, List<TypedExpression> partition)
    {
    }

    /** A term of ORDER BY. */
    record Key(TypedExpression typed, boolean descending, boolean nullsFirst)
    {
        int compare(final Object a, final Object b)
        {
            if (a == null || b == null)
            {
                return a == b ? 0 : (a == null) == nullsFirst ? -1 : 1;
            }
            return descending ? Values.compare(b, a) : Values.compare(a, b);
        }
    }

    /** A row before the select list: a row of FROM, or a group. */
    private record Unit(Object[] row, List<Object[]> group)
    {
    }

    @Override
    void instants(final Evaluation run, final Set<Long> instants)
    {
        from.instants(run, instants);
    }

    @Override
    List<Row> at(final Evaluation run, final long time)
    {
        now = time;
        final List<Object[]> rows = new ArrayList<>();
        for (final Object[] row : from.at(run, time))
        {
            if ((parts.where() == null || passes(run, parts.where(), row, null)) && isAggregated(run, row))
            {
                rows.add(row);
            }
        }
        List<Unit> units = units(run, rows);
        if (parts.having() != null)
        {
            units = units.stream()
                .filter(unit -> passes(run, parts.having(), unit.row(), unit.group()) || run.isLoose).toList();
        }
        if (parts.numbers() != null)
        {
            number(run, units);
            units = units.stream().filter(numbers::containsKey).toList();
        }
        if (parts.order() != null)
        {
            units = ordered(run, units);
        }
        final List<Row> out = new ArrayList<>();
        for (final Unit unit : units)
        {
            project(run, unit, out);
        }
        return parts.distinct() ? Bags.once(out) : out;
    }

    private Env env(final Object[] row, final List<Object[]> group)
    {
        final Env env = new Env();
        env.row = row;
        env.group = group;
        env.time = now;
        return env;
    }

    private boolean passes(
        final Evaluation run, final TypedExpression condition, final Object[] row, final List<Object[]> group)
    {
        try
        {
            return condition.holds(env(row, group));
        }
        catch (final RowEvaluationException rejected)
        {
            run.faults++;
            return false;
        }
    }

    /**
     * Evaluates the filters and arguments of all aggregates. A row for which one of them fails is rejected and counted;
     * its group keeps the other rows, as in the engine.
     */
    private boolean isAggregated(final Evaluation run, final Object[] row)
    {
        return parts.aggregated().isEmpty() || key(run, parts.aggregated(), env(row, null)) != null;
    }

    private void project(final Evaluation run, final Unit unit, final List<Row> out)
    {
        final Env env = env(unit.row(), unit.group());
        env.number = numbers.getOrDefault(unit, 0L);
        final Object[] values = new Object[parts.items().size()];
        try
        {
            for (int i = 0; i < values.length; i++)
            {
                values[i] = parts.items().get(i).eval().of(env);
            }
        }
        catch (final RowEvaluationException rejected)
        {
            run.faults++;
            return;
        }
        out.add(new Row(values));
    }

    /** Values of terms; null when one cannot be computed, so that the row is rejected. */
    private static Row key(final Evaluation run, final List<TypedExpression> terms, final Env env)
    {
        final Object[] key = new Object[terms.size()];
        try
        {
            for (int i = 0; i < key.length; i++)
            {
                key[i] = terms.get(i).eval().of(env);
            }
        }
        catch (final RowEvaluationException rejected)
        {
            run.faults++;
            return null;
        }
        return new Row(key);
    }

    private List<Unit> units(final Evaluation run, final List<Object[]> rows)
    {
        final List<Unit> units = new ArrayList<>();
        if (parts.group() == null)
        {
            rows.forEach(row -> units.add(new Unit(row, null)));
            return units;
        }
        if (parts.group().isEmpty())
        {
            units.add(new Unit(rows.isEmpty() ? null : rows.get(0), rows));
            return units;
        }
        final Map<Row, List<Object[]>> groups = new LinkedHashMap<>();
        for (final Object[] row : rows)
        {
            final Row key = key(run, parts.group(), env(row, null));
            if (key != null)
            {
                groups.computeIfAbsent(key, each -> new ArrayList<>()).add(row);
            }
        }
        groups.values().forEach(group -> units.add(new Unit(group.get(0), group)));
        return units;
    }

    private void number(final Evaluation run, final List<Unit> units)
    {
        numbers.clear();
        final Map<Row, Long> last = new HashMap<>();
        for (final Unit unit : sorted(run, units, parts.numbers().order()))
        {
            final Row partition = key(run, parts.numbers().partition(), env(unit.row(), unit.group()));
            if (partition != null)
            {
                numbers.put(unit, last.merge(partition, 1L, Long::sum));
            }
        }
    }

    private List<Unit> sorted(final Evaluation run, final List<Unit> units, final List<Key> by)
    {
        final List<TypedExpression> terms = by.stream().map(key -> key.typed()).toList();
        final Map<Unit, Row> keys = new java.util.IdentityHashMap<>();
        for (final Unit unit : units)
        {
            keys.put(unit, key(run, terms, env(unit.row(), unit.group())));
        }
        final Comparator<Unit> order = (a, b) -> {
            int result = 0;
            for (int i = 0; result == 0 && i < by.size(); i++)
            {
                result = by.get(i).compare(keys.get(a).values()[i], keys.get(b).values()[i]);
            }
            return result;
        };
        final List<Unit> sorted = new ArrayList<>(units);
        sorted.removeIf(unit -> keys.get(unit) == null);
        sorted.sort(order);
        return sorted;
    }

    private List<Unit> ordered(final Evaluation run, final List<Unit> units)
    {
        final List<Unit> sorted = sorted(run, units, parts.order());
        if (parts.top() == 0 || run.isLoose)
        {
            return sorted;
        }
        final Map<Row, Integer> seen = new HashMap<>();
        final List<Unit> kept = new ArrayList<>();
        for (final Unit unit : sorted)
        {
            final Row partition = key(run, parts.topPartition(), env(unit.row(), unit.group()));
            if (partition != null && seen.merge(partition, 1, Integer::sum) <= parts.top())
            {
                kept.add(unit);
            }
        }
        return kept;
    }
}
