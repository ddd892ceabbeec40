package dev.millrace.cql.planner.rule;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.Operator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The operators of one rule without their consumers, and the known properties of its result. Mutable, not thread-safe.
 */
public final class RulePipeline
{
    /** Kind of the result. */
    public enum Kind
    {
        STREAM, RELATION, NOW_RELATION
    }

    private final List<Function<List<Operator>, Operator>> stages = new ArrayList<>();
    private List<String> names = List.of();
    private List<CqlType> types = List.of();
    private List<ColumnOrigin> lineage = List.of();
    public Kind kind = Kind.STREAM;
    private Set<Integer> stateColumns;
    private boolean mixesPartitions;

    /** Appends an operator. */
    public void add(final Function<List<Operator>, Operator> stage)
    {
        stages.add(stage);
    }

    public void result(final List<String> columnNames, final List<CqlType> columnTypes,
        final List<ColumnOrigin> origins)
    {
        names = columnNames;
        types = columnTypes;
        lineage = origins;
    }

    public void kind(final Kind newKind)
    {
        kind = newKind;
    }

    /** Records that the rule keeps separate state per value of these channel columns. */
    public void stateful(final Set<Integer> channelColumns)
    {
        if (stateColumns == null)
        {
            stateColumns = new HashSet<>(channelColumns);
        }
        stateColumns.retainAll(channelColumns);
    }

    /** Records that rows of one instant may be emitted in another order than that in which their matches began. */
    public void mixesPartitions()
    {
        mixesPartitions = true;
    }

    public boolean isMixingPartitions()
    {
        return mixesPartitions;
    }

    public Kind kind()
    {
        return kind;
    }

    public List<String> names()
    {
        return names;
    }

    public List<CqlType> types()
    {
        return types;
    }

    public List<ColumnOrigin> lineage()
    {
        return lineage;
    }

    public boolean keepsState()
    {
        return stateColumns != null;
    }

    public Set<Integer> stateColumns()
    {
        return stateColumns == null ? Collections.emptySet() : stateColumns;
    }

    /** Builds the operators; the last one has the given consumers. */
    public Operator build(final List<Operator> consumers)
    {
        List<Operator> next = consumers;
        for (int i = stages.size() - 1; i >= 0; i--)
        {
            next = List.of(stages.get(i).apply(next));
        }
        return next.get(0);
    }
}
