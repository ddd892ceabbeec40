package dev.millrace.cql.planner;

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
final class RuleFlow
{
    /** Kind of the result. */
    enum Kind
    {
        STREAM, RELATION, NOW_RELATION
    }

    private final List<Function<List<Operator>, Operator>> stages = new ArrayList<>();
    private List<String> names = List.of();
    private List<CqlType> types = List.of();
    private List<Lineage> lineage = List.of();
    private Kind kind = Kind.STREAM;
    private Set<Integer> stateColumns;
    private boolean mixesPartitions;

    /** Appends an operator. */
    void add(final Function<List<Operator>, Operator> stage)
    {
        stages.add(stage);
    }

    void result(final List<String> columnNames, final List<CqlType> columnTypes, final List<Lineage> origins)
    {
        names = columnNames;
        types = columnTypes;
        lineage = origins;
    }

    void kind(final Kind newKind)
    {
        kind = newKind;
    }

    /** Records that the rule keeps separate state per value of these channel columns. */
    void stateful(final Set<Integer> channelColumns)
    {
        if (stateColumns == null)
        {
            stateColumns = new HashSet<>(channelColumns);
        }
        stateColumns.retainAll(channelColumns);
    }

    /** Records that rows of one instant may be emitted in another order than that in which their matches began. */
    void mixesPartitions()
    {
        mixesPartitions = true;
    }

    boolean isMixingPartitions()
    {
        return mixesPartitions;
    }

    Kind kind()
    {
        return kind;
    }

    List<String> names()
    {
        return names;
    }

    List<CqlType> types()
    {
        return types;
    }

    List<Lineage> lineage()
    {
        return lineage;
    }

    boolean keepsState()
    {
        return stateColumns != null;
    }

    Set<Integer> stateColumns()
    {
        return stateColumns == null ? Collections.emptySet() : stateColumns;
    }

    /** Builds the operators; the last one has the given consumers. */
    Operator build(final List<Operator> consumers)
    {
        List<Operator> next = consumers;
        for (int i = stages.size() - 1; i >= 0; i--)
        {
            next = List.of(stages.get(i).apply(next));
        }
        return next.get(0);
    }
}
