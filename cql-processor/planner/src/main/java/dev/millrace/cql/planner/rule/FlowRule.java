package dev.millrace.cql.planner.rule;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.semantic.SourceInfo;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A rule planned as a flow, or a part of one. Immutable.
 *
 * @param names    names of its columns
 * @param types    their types
 * @param classes  Java classes of their values
 * @param relation its rows as a relation
 * @param stream   its rows as a stream; {@code null} if it is not a stream
 */
public record FlowRule(
    List<String> names, List<CqlType> types, List<Class<?>> classes, FlowNode relation, FlowNode stream)
{
    /** Columns of which only the types are known. */
    public FlowRule(final List<String> names, final List<CqlType> types, final FlowNode relation, final FlowNode stream)
    {
        this(names, types, types.stream().<Class<?>>map(CqlType::javaClass).toList(), relation, stream);
    }

    /** Columns of a source. */
    public static FlowRule of(final List<SourceInfo.Column> columns, final FlowNode relation, final FlowNode stream)
    {
        return new FlowRule(columns.stream().map(SourceInfo.Column::name).toList(),
            columns.stream().map(SourceInfo.Column::type).toList(),
            columns.stream().<Class<?>>map(SourceInfo.Column::javaClass).toList(), relation, stream);
    }

    /** The same columns over other nodes. */
    public FlowRule with(final FlowNode otherRelation, final FlowNode otherStream)
    {
        return new FlowRule(names, types, classes, otherRelation, otherStream);
    }

    /** The columns, as statements that read it see them. */
    public List<SourceInfo.Column> columns()
    {
        final List<SourceInfo.Column> columns = new ArrayList<>();
        for (int i = 0; i < names.size(); i++)
        {
            columns.add(new SourceInfo.Column(names.get(i), types.get(i), classes.get(i)));
        }
        return columns;
    }

    /** Whether it is a stream: its relation only grows, or a relation-to-stream operator is applied to it. */
    public boolean isStream()
    {
        return stream != null;
    }

    /** The last node. */
    public FlowNode result()
    {
        return stream == null ? relation : stream;
    }
}
