package dev.millrace.cql.compiler.unit.join;

import dev.millrace.cql.compiler.unit.code.ExpressionRewriter;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.group.GroupGenerator;
import dev.millrace.cql.compiler.unit.group.GroupInput;
import dev.millrace.cql.compiler.unit.output.NetChangeGenerator;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.TimeColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a join need not store or emit, decided from its inputs and readers.
 *
 * <p>Immutable.
 */
final class JoinStrategy
{
    private final FlowNode.Join join;
    private final Set<FlowNode> early;
    private final List<ReaderEdge> edges;
    private final boolean isOuter;
    private final boolean isTimed;
    private final FlowNode now;
    private final boolean isDeferring;
    private final FlowNode together;
    private final FlowNode shown;
    private final FlowNode last;

    /**
     * @param early   nodes from which rows may leave before their time
     * @param now     the side of rows of the instant; {@code null} when pairs enter and leave
     * @param isApart whether rows of different streams wait for each other
     */
    JoinStrategy(final FlowNode.Join join, final Set<FlowNode> early, final List<ReaderEdge> edges, final FlowNode now,
        final boolean isApart)
    {
        this.join = join;
        this.early = early;
        this.edges = edges;
        this.now = now;
        isTimed = edges.stream().anyMatch(edge -> edge.consumer().wantsLeavingTimes());
        isOuter = join.kind() == FlowNode.JoinKind.LEFT;
        isDeferring = !isOuter && now == null && !JoinIndexes.isFound(join) &&
            join.inputs().stream().allMatch(input -> GroupInput.isOfTime(input, early)) &&
            edges.stream().allMatch(edge -> edge.consumer() instanceof NetChangeGenerator net && net.isEnteringOnly());
        together = together();
        shown = shown();
        last = isApart && !isDeferring ? last() : null;
    }

    /** Whether left rows without partners are emitted. */
    boolean isOuter()
    {
        return isOuter;
    }

    /** The side of rows of the instant; {@code null} when pairs enter and leave. */
    FlowNode ofInstant()
    {
        return now;
    }

    /** Whether rows that leave are only recorded. */
    boolean isDeferring()
    {
        return isDeferring;
    }

    /** The side of which each row's pairs all leave together; {@code null} without. */
    FlowNode leavingTogether()
    {
        return together;
    }

    /** The only side whose rows are visible, regardless of the number of their partners; {@code null} without. */
    FlowNode visible()
    {
        return shown;
    }

    /** The side whose rows come after those of the other one in each instant, and are not stored. */
    FlowNode unstored()
    {
        return last;
    }

    /** Whether pairs that leave affect any reader. */
    boolean isLeavingRead()
    {
        return edges.stream().anyMatch(edge -> edge.consumer().wantsLeaving());
    }

    /** Whether it needs the leave time of its pairs. */
    boolean isTimed()
    {
        return isTimed;
    }

    /**
     * Whether rows of an input only match rows that exist on their arrival, and those of their instant: no later row
     * matches them, and their pairs never leave, or leave no later than these rows.
     */
    boolean isPassing(final FlowNode input)
    {
        final FlowNode other = input == join.left() ? join.right() : join.left();
        final boolean isKept = !join.inputs().stream().allMatch(each -> GroupInput.isGrowing(each, early)) &&
            (other != together || input == together || GroupInput.rangeNs(input) < GroupInput.rangeNs(other));
        return !isOuter && now == null && !isKept && TimeColumns.matchesOnlyEarlier(join, input == join.left());
    }

    /** Whether the rows of an input leave in the order in which they enter. */
    boolean isRing(final FlowNode input)
    {
        return GroupInput.isOfTime(input, early) && input != now;
    }

    /**
     * What is kept of the rows of a side.
     *
     * @param first column of the join that is the first one of the side
     */
    SideRows rows(final FlowNode input, final List<Integer> keyColumns, final int first)
    {
        final Set<Integer> reads = new TreeSet<>();
        edges.forEach(edge -> reads.addAll(edge.reads(join.rows().types())));
        final Set<Integer> compares = new TreeSet<>();
        edges.forEach(edge -> compares.addAll(edge.compares(join.rows().types())));
        if (join.condition() != null)
        {
            ExpressionRewriter.columns(join.condition(), reads);
            ExpressionRewriter.columns(join.condition(), compares);
        }
        final List<Integer> kept = new ArrayList<>();
        final Set<Integer> compared = new TreeSet<>(keyColumns);
        for (int i = 0; i < input.rows().size(); i++)
        {
            if (reads.contains(first + i) || !isRing(input) && keyColumns.contains(i))
            {
                kept.add(i);
            }
            if (compares.contains(first + i))
            {
                compared.add(i);
            }
        }
        return new SideRows(input.rows().types(), keyColumns, kept, compared);
    }

    /** The first columns of the join's rows. */
    List<Expression> columns(final int count)
    {
        final List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            columns.add(new Expression.Column(i, join.rows().types().get(i), true));
        }
        return columns;
    }

    /** A side whose rows are not stored, if each side is one stream and the rows of the other one enter on arrival. */
    private FlowNode last()
    {
        final FlowNode.Source ofLeft = stream(join.left());
        final FlowNode.Source ofRight = stream(join.right());
        if (ofLeft == null || ofRight == null || ofLeft.name().equals(ofRight.name()))
        {
            return null;
        }
        return isPassing(join.right()) ? join.right() : isPassing(join.left()) ? join.left() : null;
    }

    /** The stream of which an input contains all rows from their arrival, for a time; {@code null} for others. */
    private FlowNode.Source stream(final FlowNode input)
    {
        if (!GroupInput.isOfTime(input, early) || GroupInput.rangeNs(input) == 0)
        {
            return null;
        }
        FlowNode node = input;
        while (node instanceof FlowNode.Calc || node instanceof FlowNode.Window)
        {
            node = node.inputs().get(0);
        }
        // A row whose time was assigned by the platform may arrive after its instant.
        return node instanceof FlowNode.Source source && !source.relation() && !source.silent() &&
            source.time() != FlowNode.TimeKind.SYSTEM ? source : null;
    }

    /** The side whose rows are visible to a reader of distinct rows, when the other side only provides a partner. */
    private FlowNode shown()
    {
        if (isOuter || now != null || join.condition() != null ||
            !edges.stream().allMatch(edge -> edge.consumer().isOfDifferent()))
        {
            return null;
        }
        final int leftColumns = join.left().rows().size();
        final Set<Integer> read = new TreeSet<>();
        edges.forEach(edge -> read.addAll(edge.reads(join.rows().types())));
        return read.stream().allMatch(column -> column < leftColumns) ? join.left() :
            read.stream().allMatch(column -> column >= leftColumns) ? join.right() : null;
    }

    /** The side that provides all keys of the only reader, a group, if the reader can remove pairs at once. */
    private FlowNode together()
    {
        if (isOuter || now != null || edges.size() != 1 || !(edges.get(0).consumer() instanceof GroupGenerator group) ||
            !group.canLeaveTogether())
        {
            return null;
        }
        final List<Expression> row = ExpressionRewriter.behind(edges.get(0).calcs(), columns(join.rows().size()));
        final Set<Integer> read = new TreeSet<>();
        for (final int key : group.keys())
        {
            if (Conditions.canFail(row.get(key)))
            {
                return null;
            }
            ExpressionRewriter.columns(row.get(key), read);
        }
        final int leftColumns = join.left().rows().size();
        return read.isEmpty() ? null : read.stream().allMatch(column -> column < leftColumns) ? join.left() :
            read.stream().allMatch(column -> column >= leftColumns) ? join.right() : null;
    }
}
