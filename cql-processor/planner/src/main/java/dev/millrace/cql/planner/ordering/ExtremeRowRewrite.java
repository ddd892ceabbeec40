package dev.millrace.cql.planner.ordering;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.planner.expression.ExpressionSubstitution;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A join of rows with the largest or smallest value of one of their columns, as in
 * {@code counts as c, most as m where c.num = m.maxn}. Rows with the global extreme also have the extreme of their
 * engine. Therefore each engine emits only its own extreme rows, and the same join is computed over these.
 *
 * <p>Not thread-safe; used for one node.
 */
final class ExtremeRowRewrite
{
    private final FlowNode.Join join;
    private final boolean isRowsLeft;
    private final FlowNode.Group extreme;
    private final int column;

    private ExtremeRowRewrite(
        final FlowNode.Join join, final boolean isRowsLeft, final FlowNode.Group extreme, final int column)
    {
        this.join = join;
        this.isRowsLeft = isRowsLeft;
        this.extreme = extreme;
        this.column = column;
    }

    /** Recognizes such a join; {@code null} for any other node. */
    static ExtremeRowRewrite of(final FlowNode node, final Function<FlowNode, Distribution> placements)
    {
        if (!(node instanceof FlowNode.Join join) || join.kind() != FlowNode.JoinKind.INNER)
        {
            return null;
        }
        final ExtremeRowRewrite left = of(join, true, placements);
        return left != null ? left : of(join, false, placements);
    }

    private static ExtremeRowRewrite of(final FlowNode.Join join, final boolean isRowsLeft,
        final Function<FlowNode, Distribution> placements)
    {
        final FlowNode rows = isRowsLeft ? join.left() : join.right();
        final FlowNode other = isRowsLeft ? join.right() : join.left();
        final Distribution placement = placements.apply(rows);
        if (placement.merged() || placement.everywhere() || !placements.apply(other).merged())
        {
            return null;
        }
        final int[] pair = compared(join);
        if (pair == null)
        {
            return null;
        }
        final Origin value = Origin.of(other, isRowsLeft ? pair[1] : pair[0]);
        if (value == null || !value.conditions().isEmpty() || !(value.node() instanceof FlowNode.Group group) ||
            !isPlain(other, group) || !isExtreme(join, group, isRowsLeft))
        {
            return null;
        }
        final int column = isRowsLeft ? pair[0] : pair[1];
        final Origin of = Origin.of(group.input(), group.aggregates().get(0).arguments().get(0));
        final Origin own = Origin.of(rows, column);
        return own != null && own.isEqual(of) ? new ExtremeRowRewrite(join, isRowsLeft, group, column) : null;
    }

    /** The columns that a join compares, one per side; {@code null} if the join has any other condition. */
    private static int[] compared(final FlowNode.Join join)
    {
        if (join.condition() == null)
        {
            return join.leftKeys().size() != 1 ? null :
                new int[] {join.leftKeys().get(0), join.rightKeys().get(0)};
        }
        if (!join.leftKeys().isEmpty() || !(join.condition() instanceof Expression.Call call) ||
            call.arguments().size() != 2 || !(call.arguments().get(0) instanceof Expression.Column a) ||
            !(call.arguments().get(1) instanceof Expression.Column b) || a.type() != b.type())
        {
            return null;
        }
        final int columns = join.left().rows().size();
        return a.column() < columns == b.column() < columns ? null :
            new int[] {Math.min(a.column(), b.column()), Math.max(a.column(), b.column()) - columns};
    }

    /** Whether a group computes only the largest or smallest value, and its join passes only rows with that value. */
    private static boolean isExtreme(final FlowNode.Join join, final FlowNode.Group group, final boolean isRowsLeft)
    {
        if (!group.keys().isEmpty() || group.aggregates().size() != 1)
        {
            return false;
        }
        final FlowNode.Aggregate aggregate = group.aggregates().get(0);
        final boolean isGreatest = aggregate.function().equals("max");
        final boolean isWhole = aggregate.type() == CqlType.INT || aggregate.type() == CqlType.BIGINT ||
            aggregate.type() == CqlType.TIMESTAMP;
        return (isGreatest || aggregate.function().equals("min")) && isWhole &&
            aggregate.filter() == FlowNode.Aggregate.ALL_ROWS &&
            (join.condition() == null || lets((Expression.Call)join.condition(), join, isRowsLeft, isGreatest));
    }

    private static boolean lets(
        final Expression.Call condition, final FlowNode.Join join, final boolean isRowsLeft, final boolean isGreatest)
    {
        final boolean isFirstLeft =
            ((Expression.Column)condition.arguments().get(0)).column() < join.left().rows().size();
        final Operation operation =
            isFirstLeft == isRowsLeft ? condition.operation() : condition.operation().mirrored();
        return operation == Operation.EQUAL ||
            operation == (isGreatest ? Operation.GREATER_OR_EQUAL : Operation.LESS_OR_EQUAL);
    }

    /** Whether only projections to plain columns are between a group and its join. */
    private static boolean isPlain(final FlowNode node, final FlowNode.Group group)
    {
        FlowNode at = node;
        while (at instanceof FlowNode.Calc calc && calc.condition() == null && calc.fields() != null &&
            calc.fields().stream().allMatch(field -> field.expression() instanceof Expression.Column))
        {
            at = calc.input();
        }
        return at == group;
    }

    /** The part that each engine computes: the rows with the extreme of that engine. */
    FlowNode part()
    {
        final FlowNode rows = isRowsLeft ? join.left() : join.right();
        final int first = isRowsLeft ? 0 : join.left().rows().size();
        final List<Field> fields = new ArrayList<>();
        for (int i = 0; i < rows.rows().size(); i++)
        {
            fields.add(new Field(rows.rows().names().get(i),
                new Expression.Column(first + i, rows.rows().types().get(i), true)));
        }
        return new FlowNode.Calc(join, null, fields);
    }

    /** The join over the rows of all engines. */
    FlowNode whole(final FlowNode all)
    {
        final FlowNode.Aggregate own = extreme.aggregates().get(0);
        final FlowNode.Group group = new FlowNode.Group(all, List.of(), List.of(new FlowNode.Aggregate(
            own.function(), List.of(column), false, own.type(), FlowNode.Aggregate.ALL_ROWS)), extreme.rows());
        final FlowNode value = over(isRowsLeft ? join.right() : join.left(), group);
        return new FlowNode.Join(isRowsLeft ? all : value, isRowsLeft ? value : all, join.kind(), join.leftKeys(),
            join.rightKeys(), join.condition());
    }

    private FlowNode over(final FlowNode node, final FlowNode group)
    {
        return node instanceof FlowNode.Calc calc ?
            new FlowNode.Calc(over(calc.input(), group), null, calc.fields()) : group;
    }

    /**
     * The origin of a column.
     *
     * @param node       node below projections and conditions
     * @param value      over its columns
     * @param conditions conditions that the rows satisfy, over its columns
     */
    private record Origin(FlowNode node, Expression value, Set<Expression> conditions)
    {
        static Origin of(final FlowNode from, final int column)
        {
            FlowNode node = from;
            final List<Expression> all = new ArrayList<>();
            all.add(new Expression.Column(column, from.rows().types().get(column), true));
            while (node instanceof FlowNode.Calc calc)
            {
                for (int i = 0; calc.fields() != null && i < all.size(); i++)
                {
                    all.set(i, ExpressionSubstitution.replace(all.get(i),
                        leaf -> leaf instanceof Expression.Column read ?
                        calc.fields().get(read.column()).expression() : null));
                }
                all.addAll(Conditions.conjuncts(calc.condition()));
                node = calc.input();
                if (all.stream().anyMatch(each ->
                    each == null || ExpressionSubstitution.normal(each) == null ||
                        ExpressionSubstitution.randomCall(each) != null))
                {
                    return null;
                }
            }
            final Set<Expression> conditions = new HashSet<>();
            all.subList(1, all.size()).forEach(each -> conditions.add(ExpressionSubstitution.normal(each)));
            return new Origin(node, ExpressionSubstitution.normal(all.get(0)), conditions);
        }

        /** Whether both are the same value of the same rows. */
        boolean isEqual(final Origin other)
        {
            return other != null && value.equals(other.value) && conditions.equals(other.conditions) &&
                (node == other.node || node.equals(other.node) && isRepeatable());
        }

        private boolean isRepeatable()
        {
            return FlowNode.upstream(node).stream().allMatch(each -> each instanceof FlowNode.Source ||
                each instanceof FlowNode.Window || each instanceof FlowNode.Group ||
                each instanceof FlowNode.Calc calc && calc.fields() != null && calc.condition() == null &&
                calc.fields().stream().allMatch(field -> field.expression() instanceof Expression.Column));
        }
    }
}
