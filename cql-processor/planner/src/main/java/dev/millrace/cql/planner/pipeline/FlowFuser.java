package dev.millrace.cql.planner.pipeline;

import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.WindowSpec;
import dev.millrace.cql.planner.expression.ExpressionSubstitution;
import dev.millrace.cql.planner.expression.ExpressionTranslator;
import dev.millrace.cql.planner.rule.ColumnOrigin;
import dev.millrace.cql.planner.rule.FlowRule;
import dev.millrace.cql.planner.rule.RulePipeline;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds flows that one generated class can run: groups of the latest rows of a channel whose rows all have different
 * times, as a relation or as the inserted rows, and the latest rows themselves when they enter.
 *
 * <pre>
 *   (IStream)? ◄── calc* ◄── group ◄── calc* ◄── window ◄── calc* ◄── channel
 *               having, fields            where                where, fields
 *    IStream   ◄─────────────────────── calc* ◄── window ◄── calc* ◄── channel
 * </pre>
 *
 * Single use, not thread-safe.
 */
public final class FlowFuser
{
    private static final int MAX_ARGUMENTS = 24;

    private final FlowRule rule;
    private final List<Operator.Calc> steps = new ArrayList<>();
    private FlowNode.Source source;

    private FlowFuser(final FlowRule rule)
    {
        this.rule = rule;
    }

    /** Thrown when a flow has no fused form. */
    static final class NotFusedException extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        NotFusedException()
        {
            super("no fused form", null, false, false);
        }
    }

    /**
     * A flow as operators.
     *
     * @param source channel that feeds it
     * @param flow   its operators
     */
    public record Fused(FlowNode.Source source, RulePipeline flow)
    {
    }

    /**
     * Fuses a rule.
     *
     * @param rule rule planned as a flow
     * @return its operators; {@code null} if one class cannot run them
     */
    public static Fused fuse(final FlowRule rule)
    {
        try
        {
            return new FlowFuser(rule).fuse();
        }
        catch (final NotFusedException none)
        {
            return null;
        }
        catch (final CqlRuleException tooBig)
        {
            return null;
        }
    }

    static void need(final boolean condition)
    {
        if (!condition)
        {
            throw new NotFusedException();
        }
    }

    public Fused fuse()
    {
        FlowNode node = rule.result();
        if (rule.isStream())
        {
            need(node instanceof FlowNode.ToStream stream && stream.kind() == FlowNode.StreamKind.ISTREAM &&
                stream.difference().isEmpty());
            node = node.inputs().get(0);
        }
        final List<FlowNode.Calc> above = new ArrayList<>();
        node = calcs(node, above);
        if (node instanceof FlowNode.Window window)
        {
            need(rule.isStream());
            read(window, above);
            return new Fused(source, entering(window));
        }
        need(node instanceof FlowNode.Group);
        final FlowNode.Group group = (FlowNode.Group)node;
        final List<FlowNode.Calc> between = new ArrayList<>();
        node = calcs(group.input(), between);
        need(node instanceof FlowNode.Window);
        final FlowNode.Window window = (FlowNode.Window)node;
        read(window, between);
        return new Fused(source, flow(group, window.window(), above));
    }

    /**
     * Reads the source of a window and the steps for its rows; steps after the window are applied before rows enter it.
     */
    private void read(final FlowNode.Window window, final List<FlowNode.Calc> between)
    {
        final List<FlowNode.Calc> below = new ArrayList<>();
        final FlowNode node = calcs(window.input(), below);
        need(node instanceof FlowNode.Source);
        source = (FlowNode.Source)node;
        need(!source.relation() && !source.elementTime() && source.time() != FlowNode.TimeKind.APPLICATION);
        // A row that is filtered after it was counted in the window occupies a slot of the window.
        need(window.window() instanceof WindowSpec.Partition parts ? isOnePart(parts, between) :
            !(window.window() instanceof WindowSpec.Rows) ||
                between.stream().allMatch(calc -> calc.condition() == null));
        // So does a row that cannot be computed.
        need(window.window() instanceof WindowSpec.Range || between.stream().allMatch(FlowFuser::cannotFail));
        for (int i = below.size() - 1; i >= 0; i--)
        {
            step(below.get(i));
        }
        for (int i = between.size() - 1; i >= 0; i--)
        {
            step(between.get(i));
        }
    }

    /** Collects filters and projections from a node downward, the topmost first, and returns the node below them. */
    static FlowNode calcs(final FlowNode from, final List<FlowNode.Calc> found)
    {
        FlowNode node = from;
        while (node instanceof FlowNode.Calc calc)
        {
            found.add(calc);
            node = calc.input();
        }
        return node;
    }

    /** Whether only one part of a partitioned window is read, so that only its rows need to be counted. */
    private static boolean isOnePart(final WindowSpec.Partition window, final List<FlowNode.Calc> between)
    {
        if (window.rows() == 0 || window.rangeNs() > 0 || between.isEmpty())
        {
            return false;
        }
        final Set<Integer> fixed = new HashSet<>();
        for (int i = 0; i < between.size(); i++)
        {
            for (final Expression conjunct : Conditions.conjuncts(between.get(i).condition()))
            {
                if (i < between.size() - 1 || !(conjunct instanceof Expression.Call call) ||
                    call.operation() != Operation.EQUAL ||
                    !(call.arguments().get(0) instanceof Expression.Column column) ||
                    !(call.arguments().get(1) instanceof Expression.Literal) ||
                    !window.partitionBy().contains(column.column()))
                {
                    return false;
                }
                fixed.add(column.column());
            }
        }
        return fixed.containsAll(window.partitionBy());
    }

    private void step(final FlowNode.Calc calc)
    {
        steps.add(calc(calc));
    }

    /** A filter or projection without consumers. */
    static Operator.Calc calc(final FlowNode.Calc calc)
    {
        List<Field> fields = calc.fields();
        if (fields == null)
        {
            fields = new ArrayList<>();
            for (int i = 0; i < calc.rows().size(); i++)
            {
                fields.add(new Field(calc.rows().names().get(i),
                    new Expression.Column(i, calc.rows().types().get(i), true)));
            }
        }
        final Operator.Calc step = new Operator.Calc(calc.condition(), fields, List.of());
        plain(calc.condition(), false);
        fields.forEach(field -> plain(field.expression(), false));
        PipelineLimits.check(step);
        return step;
    }

    /** The rows that enter a window, when all their columns are compared with those of the row that leaves. */
    private RulePipeline entering(final FlowNode.Window from)
    {
        if (steps.isEmpty())
        {
            step(new FlowNode.Calc(from, null, null));
        }
        final List<Field> before = steps.get(steps.size() - 1).fields();
        final List<Expression> columns = new ArrayList<>();
        final List<Field> fields = new ArrayList<>();
        for (int i = 0; i < before.size(); i++)
        {
            final CqlType type = before.get(i).expression().type();
            need(type.storage() != ColumnStorage.REFERENCE);
            columns.add(new Expression.Column(i, type, true));
            fields.add(new Field(rule.names().get(i), columns.get(i)));
        }
        final Operator.Window rows = window(from.window());
        return chain(next -> new Operator.WindowIStream(rows, fields, next), lineage(columns, columns));
    }

    /** The steps, followed by an operator, with the lineage of its result. */
    private RulePipeline chain(final Function<List<Operator>, Operator> last, final List<ColumnOrigin> lineage)
    {
        PipelineLimits.check(last.apply(List.of()));
        final RulePipeline flow = new RulePipeline();
        steps.forEach(step -> flow.add(next -> new Operator.Calc(step.condition(), step.fields(), next)));
        flow.add(last);
        flow.result(rule.names(), rule.types(), lineage);
        flow.kind(rule.isStream() ? RulePipeline.Kind.STREAM : RulePipeline.Kind.RELATION);
        flow.stateful(Set.of());
        return flow;
    }

    private RulePipeline flow(final FlowNode.Group group, final WindowSpec window, final List<FlowNode.Calc> above)
    {
        final List<Expression> keys = new ArrayList<>();
        final List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < group.keys().size(); i++)
        {
            final CqlType type = group.rows().types().get(i);
            PipelineLimits.key(type);
            keys.add(new Expression.Column(group.keys().get(i), type, true));
            columns.add(new Expression.KeyValue(i, type, true));
        }
        final List<Operator.Aggregate> aggregates = new ArrayList<>();
        for (final FlowNode.Aggregate each : group.aggregates())
        {
            aggregates.add(aggregate(each, group.input().rows().types()));
            columns.add(new Expression.AggregateValue(aggregates.size() - 1, each.type(), true));
        }
        final List<Expression> conditions = new ArrayList<>();
        List<Expression> fields = columns;
        for (int i = above.size() - 1; i >= 0; i--)
        {
            final List<Expression> before = fields;
            final Function<Expression, Expression> leaves = leaf -> before.get(((Expression.Column)leaf).column());
            final FlowNode.Calc calc = above.get(i);
            if (calc.condition() != null)
            {
                conditions.add(ExpressionSubstitution.replace(calc.condition(), leaves));
            }
            fields = calc.fields() == null ? fields :
                calc.fields().stream().map(field ->
                    ExpressionSubstitution.replace(field.expression(), leaves)).toList();
        }
        return grouped(window, keys, aggregates, ExpressionTranslator.all(conditions), fields);
    }

    private RulePipeline grouped(final WindowSpec window, final List<Expression> keys,
        final List<Operator.Aggregate> aggregates, final Expression having, final List<Expression> values)
    {
        final boolean unbounded = window instanceof WindowSpec.Unbounded;
        plain(having, !unbounded);
        values.forEach(value -> plain(value, !unbounded));
        final List<Field> fields = new ArrayList<>();
        for (int i = 0; i < values.size(); i++)
        {
            fields.add(new Field(rule.names().get(i), values.get(i)));
        }
        final Function<List<Operator>, Operator> last;
        if (unbounded)
        {
            last = next -> new Operator.GroupedAggregate(keys, aggregates, having, fields, next);
        }
        else
        {
            checkWindow(keys, aggregates, values);
            final Operator.Window rows = window(window);
            last = next -> new Operator.WindowAggregate(rows, keys, aggregates, having, fields, next);
        }
        final List<Expression> origins = new ArrayList<>();
        for (final Expression value : values)
        {
            origins.add(value instanceof Expression.KeyValue key ? keys.get(key.key()) :
                value instanceof Expression.AggregateValue of ? aggregates.get(of.aggregate()).argument() : null);
        }
        return chain(last, lineage(origins, values));
    }

    private static Operator.Window window(final WindowSpec window)
    {
        if (window instanceof WindowSpec.Range range)
        {
            need(range.slideNs() == 0);
            return new Operator.Window(range.rangeNs(), 0);
        }
        final long rows = window instanceof WindowSpec.Partition part ? part.rows() :
            window instanceof WindowSpec.Rows last && last.slide() == 1 ? last.rows() : 0;
        need(rows > 0 && rows < 1 << 30);
        return new Operator.Window(0, rows);
    }

    private static void checkWindow(
        final List<Expression> keys, final List<Operator.Aggregate> aggregates, final List<Expression> values)
    {
        need(keys.size() <= 1 && aggregates.size() <= MAX_ARGUMENTS);
        for (final Expression key : keys)
        {
            final ColumnStorage storage = key.type().storage();
            need(storage == ColumnStorage.TEXT || storage == ColumnStorage.INT32 ||
                storage == ColumnStorage.INT64);
            // Rows of different groups differ, so that deletes and inserts of an instant never cancel each other.
            need(values.stream().anyMatch(Expression.KeyValue.class::isInstance));
        }
        for (final Operator.Aggregate each : aggregates)
        {
            need(each.function() != Operator.AggregateFunction.MIN &&
                each.function() != Operator.AggregateFunction.MAX);
            need(each.argument() == null || each.argument().type().storage() != ColumnStorage.REFERENCE &&
                each.argument().type() != CqlType.BOOLEAN);
        }
    }

    private static Operator.Aggregate aggregate(final FlowNode.Aggregate each, final List<CqlType> types)
    {
        need(!each.distinct() && each.arguments().size() <= 1);
        for (final Operator.AggregateFunction function : Operator.AggregateFunction.values())
        {
            if (function.name().toLowerCase(Locale.ROOT).equals(each.function()))
            {
                need(each.arguments().size() == 1 || function == Operator.AggregateFunction.COUNT);
                final Expression argument = each.arguments().isEmpty() ? null :
                    new Expression.Column(each.arguments().get(0), types.get(each.arguments().get(0)), true);
                need(function == Operator.AggregateFunction.COUNT ||
                    argument.type().storage() != ColumnStorage.REFERENCE);
                return new Operator.Aggregate(function, argument, each.type());
            }
        }
        throw new NotFusedException();
    }

    private static boolean cannotFail(final FlowNode.Calc calc)
    {
        plain(calc.condition(), true);
        if (calc.fields() != null)
        {
            calc.fields().forEach(field -> plain(field.expression(), true));
        }
        return true;
    }

    /** Requires plain operations; with {@code safe}, operations that cannot fail. */
    static void plain(final Expression expression, final boolean safe)
    {
        if (expression == null)
        {
            return;
        }
        need(!(expression instanceof Expression.FunctionCall || expression instanceof Expression.Case));
        if (!(expression instanceof Expression.Call call))
        {
            return;
        }
        need(call.operation() != Operation.CONCAT && call.operation() != Operation.LIKE &&
            call.operation() != Operation.IN);
        if (safe && call.operation() == Operation.DIVIDE)
        {
            need(call.type() == CqlType.DOUBLE || call.type() == CqlType.FLOAT ||
                call.arguments().get(1) instanceof Expression.Literal literal &&
                literal.value() instanceof Number divisor && new BigDecimal(divisor.toString()).signum() != 0);
        }
        call.arguments().forEach(argument -> plain(argument, safe));
    }

    /**
     * The lineage of output columns: a column that copies a column of the channel has that column as its origin.
     *
     * @param origins expression from which each value derives, over the last step; {@code null} if it is computed
     */
    private List<ColumnOrigin> lineage(final List<Expression> origins, final List<Expression> values)
    {
        final List<ColumnOrigin> lineage = new ArrayList<>();
        for (int column = 0; column < values.size(); column++)
        {
            final Expression value = values.get(column);
            Expression origin = origins.get(column);
            for (int i = steps.size() - 1; i >= 0 && origin instanceof Expression.Column of; i--)
            {
                origin = steps.get(i).fields().get(of.column()).expression();
            }
            lineage.add(origin instanceof Expression.Column of && value.type() == origin.type() ?
                of(source.type(), of.column(), !(value instanceof Expression.AggregateValue)) : ColumnOrigin.COMPUTED);
        }
        return lineage;
    }

    /** The smallest and largest strings are values of the column, but no single value of the column determines them. */
    private static ColumnOrigin of(final EventType type, final int column, final boolean repeats)
    {
        return new ColumnOrigin(type, type.properties().get(column).name(), repeats ? column : -1);
    }
}
