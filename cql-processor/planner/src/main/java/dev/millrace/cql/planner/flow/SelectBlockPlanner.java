package dev.millrace.cql.planner.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.semantic.SourceTable;
import dev.millrace.cql.language.syntax.Query;
import dev.millrace.cql.language.types.CqlAggregate;
import dev.millrace.cql.language.types.CqlTypes;
import dev.millrace.cql.language.types.FunctionLookup;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.planner.expression.ColumnReferences;
import dev.millrace.cql.planner.expression.ExpressionTranslator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Converts the logical plan of a select block to nodes of a flow. Single use, not thread-safe. */
public final class SelectBlockPlanner
{
    private final List<FlowNode> sources;
    private final List<LookupTerm> pulled;
    private final Query.Select select;

    /**
     * @param sources nodes by the index of their {@link SourceTable}; {@code null} for lookup sources
     * @param pulled  lookup sources, by the same index; {@code null} for other sources
     * @param select  block, for messages
     */
    SelectBlockPlanner(final List<FlowNode> sources, final List<LookupTerm> pulled, final Query.Select select)
    {
        this.sources = sources;
        this.pulled = pulled;
        this.select = select;
    }

    FlowNode build(final RelNode node)
    {
        if (node instanceof TableScan scan)
        {
            final int index = index(scan);
            if (sources.get(index) == null)
            {
                throw alone(pulled.get(index));
            }
            return sources.get(index);
        }
        if (node instanceof Filter filter)
        {
            final List<RexNode> conjuncts = new ArrayList<>();
            ExpressionTranslator.conjuncts(filter.getCondition(), conjuncts);
            return filtered(filter.getInput(), conjuncts);
        }
        if (node instanceof Join)
        {
            return filtered(node, List.of());
        }
        if (node instanceof Project project)
        {
            return project(project);
        }
        if (node instanceof Aggregate aggregate)
        {
            return aggregate(aggregate);
        }
        throw new IllegalStateException("unsupported logical operator, node=" + node.getRelTypeName());
    }

    private CqlRuleException alone(final LookupTerm what)
    {
        return new CqlRuleException(switch (what.kind())
        {
            case CACHE -> Message.CACHE_ALONE;
            case TABLE -> Message.TABLE_SOURCE_ALONE;
            default -> Message.TABLE_ALONE;
        }, select.from().get(0).position(), what.info().name());
    }

    private static int index(final TableScan scan)
    {
        return ((SourceTable)scan.getTable()).index();
    }

    private FlowNode project(final Project project)
    {
        final FlowNode input = build(project.getInput());
        final ExpressionTranslator translator = translator(input.rows());
        final List<Field> fields = new ArrayList<>();
        for (int i = 0; i < project.getProjects().size(); i++)
        {
            final Expression value = translator.translate(project.getProjects().get(i));
            final CqlType type = CqlTypes.toCql(project.getRowType().getFieldList().get(i).getType());
            fields.add(new Field("c" + i, type == null || type == value.type() ? value :
                ExpressionTranslator.convert(value, type)));
        }
        return input instanceof FlowNode.Calc calc && calc.fields() == null ?
            new FlowNode.Calc(calc.input(), calc.condition(), fields) : new FlowNode.Calc(input, null, fields);
    }

    private static ExpressionTranslator translator(final RowType rows)
    {
        return new ExpressionTranslator(index -> new Expression.Column(index, rows.types().get(index), true));
    }

    private FlowNode filtered(final RelNode input, final List<RexNode> conjuncts)
    {
        if (input instanceof Join join)
        {
            return join(join, conjuncts);
        }
        return filter(build(input), conjuncts);
    }

    private static FlowNode filter(final FlowNode input, final List<RexNode> conjuncts)
    {
        if (conjuncts.isEmpty())
        {
            return input;
        }
        final ExpressionTranslator translator = translator(input.rows());
        return new FlowNode.Calc(
            input, ExpressionTranslator.all(conjuncts.stream().map(translator::translate).toList()), null);
    }

    private FlowNode join(final Join join, final List<RexNode> conjuncts)
    {
        if (isPulled(join.getLeft()) || isPulled(join.getRight()))
        {
            return pull(join, conjuncts);
        }
        if (join.getJoinType() == JoinRelType.INNER)
        {
            final List<RexNode> everything = new ArrayList<>(conjuncts);
            ExpressionTranslator.conjuncts(join.getCondition(), everything);
            everything.removeIf(RexNode::isAlwaysTrue);
            return inner(join, everything);
        }
        final List<RexNode> on = new ArrayList<>();
        ExpressionTranslator.conjuncts(join.getCondition(), on);
        on.removeIf(RexNode::isAlwaysTrue);
        return filter(outer(join, on), conjuncts);
    }

    private boolean isPulled(final RelNode node)
    {
        return node instanceof TableScan scan && pulled.get(index(scan)) != null;
    }

    /** Conditions on the left side only are applied below the join, so that joins below find their own conditions. */
    private FlowNode inner(final Join join, final List<RexNode> conjuncts)
    {
        final int leftColumns = join.getLeft().getRowType().getFieldCount();
        final List<RexNode> ofLeft = new ArrayList<>();
        final List<RexNode> others = new ArrayList<>();
        for (final RexNode conjunct : conjuncts)
        {
            (ColumnReferences.of(conjunct).stream().allMatch(column -> column < leftColumns) &&
                !ColumnReferences.of(conjunct).isEmpty() ? ofLeft : others).add(conjunct);
        }
        return join(filtered(join.getLeft(), ofLeft), build(join.getRight()), FlowNode.JoinKind.INNER, others);
    }

    private FlowNode outer(final Join join, final List<RexNode> on)
    {
        final FlowNode left = build(join.getLeft());
        final FlowNode right = build(join.getRight());
        if (join.getJoinType() == JoinRelType.LEFT)
        {
            return join(left, right, FlowNode.JoinKind.LEFT, on);
        }
        final int leftColumns = left.rows().size();
        final int rightColumns = right.rows().size();
        final FlowNode swapped = join(right, left, FlowNode.JoinKind.LEFT,
            on.stream().map(each -> ColumnReferences.shifted(each, column -> column < leftColumns ?
            column + rightColumns :
                column - leftColumns)).toList());
        return LookupJoinPlanner.rotated(swapped, rightColumns);
    }

    private static FlowNode join(
        final FlowNode left, final FlowNode right, final FlowNode.JoinKind kind, final List<RexNode> conjuncts)
    {
        final int leftColumns = left.rows().size();
        final ExpressionTranslator translator = translator(left.rows().with(right.rows()));
        final List<Integer> leftKeys = new ArrayList<>();
        final List<Integer> rightKeys = new ArrayList<>();
        final List<Expression> rest = new ArrayList<>();
        for (final RexNode conjunct : conjuncts)
        {
            final Expression condition = translator.translate(conjunct);
            if (condition instanceof Expression.Call call && call.operation() == Operation.EQUAL &&
                call.arguments().get(0) instanceof Expression.Column a &&
                call.arguments().get(1) instanceof Expression.Column b &&
                a.column() < leftColumns != b.column() < leftColumns && !isFloating(a.type()))
            {
                leftKeys.add(Math.min(a.column(), b.column()));
                rightKeys.add(Math.max(a.column(), b.column()) - leftColumns);
            }
            else
            {
                rest.add(condition);
            }
        }
        return new FlowNode.Join(left, right, kind, leftKeys, rightKeys, ExpressionTranslator.all(rest));
    }

    /** NaN equals NaN in an index, but not in a condition. */
    private static boolean isFloating(final CqlType type)
    {
        return type == CqlType.FLOAT || type == CqlType.DOUBLE;
    }

    private FlowNode pull(final Join join, final List<RexNode> conjuncts)
    {
        final boolean pulledIsLeft = isPulled(join.getLeft());
        final RelNode asking = pulledIsLeft ? join.getRight() : join.getLeft();
        final LookupTerm what = pulled.get(index((TableScan)(pulledIsLeft ? join.getLeft() : join.getRight())));
        if (join.getJoinType() != JoinRelType.INNER)
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, select.position(), "an outer join with " +
                (what.kind() == FlowNode.PullKind.CACHE ? "cache " : "table ") + what.info().name(), "");
        }
        final List<RexNode> everything = new ArrayList<>(conjuncts);
        ExpressionTranslator.conjuncts(join.getCondition(), everything);
        everything.removeIf(RexNode::isAlwaysTrue);
        final int leftColumns = join.getLeft().getRowType().getFieldCount();
        // Conditions on columns known before the lookup are tested before it, so that joins below find their own
        // conditions.
        final List<RexNode> before = new ArrayList<>();
        for (final RexNode each : pulledIsLeft ? List.<RexNode>of() : everything)
        {
            if (!ColumnReferences.of(each).isEmpty() &&
                ColumnReferences.of(each).stream().allMatch(column -> column < leftColumns))
            {
                before.add(each);
            }
        }
        everything.removeAll(before);
        return new LookupJoinPlanner(select, what, filtered(asking, before), pulledIsLeft).plan(everything);
    }

    private FlowNode aggregate(final Aggregate aggregate)
    {
        final FlowNode plain = build(aggregate.getInput());
        final List<List<Integer>> arguments = new ArrayList<>();
        final FlowNode input = typed(aggregate, plain, arguments);
        final List<Integer> keys = aggregate.getGroupSet().asList();
        final List<String> names = new ArrayList<>();
        final List<CqlType> types = new ArrayList<>();
        for (final int key : keys)
        {
            names.add("key" + key);
            types.add(input.rows().types().get(key));
        }
        final List<FlowNode.Aggregate> aggregates = new ArrayList<>();
        for (final AggregateCall call : aggregate.getAggCallList())
        {
            final CqlType type = CqlTypes.toCql(call.getType());
            names.add("aggregate" + aggregates.size());
            types.add(type);
            aggregates.add(new FlowNode.Aggregate(call.getAggregation().getName().toLowerCase(Locale.ROOT),
                arguments.get(aggregates.size()), call.isDistinct(), type,
                call.hasFilter() ? call.filterArg : FlowNode.Aggregate.ALL_ROWS));
        }
        return new FlowNode.Group(input, keys, aggregates, new RowType(names, types));
    }

    /** The rows of a group, with additional columns for arguments that must be converted to another type. */
    private static FlowNode typed(
        final Aggregate aggregate, final FlowNode plain, final List<List<Integer>> arguments)
    {
        final List<Field> fields = new ArrayList<>();
        final boolean isCalc = plain instanceof FlowNode.Calc calc && calc.fields() != null;
        for (int i = 0; i < plain.rows().size(); i++)
        {
            fields.add(isCalc ? ((FlowNode.Calc)plain).fields().get(i) : new Field(plain.rows().names().get(i),
                new Expression.Column(i, plain.rows().types().get(i), true)));
        }
        for (final AggregateCall call : aggregate.getAggCallList())
        {
            final List<RelDataType> types = call.getArgList().stream().map(
                column -> aggregate.getInput().getRowType().getFieldList().get(column).getType()).toList();
            final FunctionLookup.Signature signature = call.getAggregation() instanceof CqlAggregate function ?
                function.signature(types, SqlParserPos.ZERO) : null;
            final List<Integer> columns = new ArrayList<>(call.getArgList());
            for (int i = 0; signature != null && i < columns.size(); i++)
            {
                final Expression argument = fields.get(columns.get(i)).expression();
                if (signature.argument(i) != CqlType.OBJECT && argument.type() != signature.argument(i))
                {
                    columns.set(i, fields.size());
                    fields.add(new Field("argument" + fields.size(),
                        ExpressionTranslator.convert(argument, signature.argument(i))));
                }
            }
            arguments.add(columns);
        }
        if (fields.size() == plain.rows().size())
        {
            return plain;
        }
        return isCalc ? new FlowNode.Calc(((FlowNode.Calc)plain).input(), ((FlowNode.Calc)plain).condition(), fields) :
            new FlowNode.Calc(plain, null, fields);
    }
}
