package dev.millrace.cql.planner.pipeline;

import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.planner.expression.ExpressionSubstitution;
import dev.millrace.cql.planner.expression.ExpressionTranslator;
import dev.millrace.cql.planner.rule.ColumnOrigin;
import dev.millrace.cql.planner.rule.FlowRule;
import dev.millrace.cql.planner.rule.RulePipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Finds patterns of a first and a last row that one generated class can run without testing each open match:
 * {@code ALL MATCHES PATTERN (A C* B)} over a channel whose rows all have different times, where B compares a value of
 * its row with one of A's row, and C is true or "not B".
 *
 * <pre>
 *   calc* ◄── match ◄── calc* ◄── channel
 *   where, fields       view
 * </pre>
 *
 * Single use, not thread-safe.
 */
public final class SequenceFuser
{
    private static final int MAX_KEPT = 32;

    private final FlowRule rule;
    private final List<Operator.Calc> steps = new ArrayList<>();
    private PatternSpec pattern;
    private FlowNode.Source source;
    private int start;
    private int end;
    private int between;

    private SequenceFuser(final FlowRule rule)
    {
        this.rule = rule;
    }

    /**
     * The condition that a row satisfies when it completes a match.
     *
     * @param value      value of the row, over its columns
     * @param comparison comparison of value and bound
     * @param bound      value of the first row, over its columns
     */
    private record Reach(Expression value, Operation comparison, Expression bound)
    {
    }

    /**
     * Fuses a rule.
     *
     * @param rule rule planned as a flow
     * @return its operators; {@code null} if it is not such a pattern
     */
    public static FlowFuser.Fused fuse(final FlowRule rule)
    {
        try
        {
            return new SequenceFuser(rule).fuse();
        }
        catch (final FlowFuser.NotFusedException none)
        {
            return null;
        }
        catch (final CqlRuleException tooBig)
        {
            return null;
        }
    }

    private FlowFuser.Fused fuse()
    {
        final List<FlowNode.Calc> above = new ArrayList<>();
        FlowNode node = FlowFuser.calcs(rule.result(), above);
        FlowFuser.need(rule.isStream() && node instanceof FlowNode.Match);
        pattern = ((FlowNode.Match)node).pattern();
        final List<FlowNode.Calc> below = new ArrayList<>();
        node = FlowFuser.calcs(((FlowNode.Match)node).input(), below);
        FlowFuser.need(node instanceof FlowNode.Source);
        source = (FlowNode.Source)node;
        FlowFuser.need(!source.relation() && !source.elementTime() && source.time() != FlowNode.TimeKind.APPLICATION);
        for (int i = below.size() - 1; i >= 0; i--)
        {
            steps.add(FlowFuser.calc(below.get(i)));
        }
        findVariables();
        return new FlowFuser.Fused(source, flow(above));
    }

    private void findVariables()
    {
        FlowFuser.need(pattern.allMatches() && pattern.durationNs() == 0 &&
            (pattern.output() == PatternSpec.RowsPerMatch.ONE_WITHOUT_EMPTY ||
            pattern.output() == PatternSpec.RowsPerMatch.ONE));
        FlowFuser.need(pattern.pattern() instanceof PatternSpec.Sequence terms && terms.terms().size() == 3);
        final List<PatternSpec.Term> terms = ((PatternSpec.Sequence)pattern.pattern()).terms();
        FlowFuser.need(terms.get(1) instanceof PatternSpec.Repeat repeat && repeat.min() == 0 &&
            repeat.max() == Integer.MAX_VALUE);
        start = variable(terms.get(0));
        between = variable(((PatternSpec.Repeat)terms.get(1)).term());
        end = variable(terms.get(2));
        FlowFuser.need(start != end && start != between && end != between);
    }

    private static int variable(final PatternSpec.Term term)
    {
        FlowFuser.need(term instanceof PatternSpec.Variable);
        return ((PatternSpec.Variable)term).variable();
    }

    private RulePipeline flow(final List<FlowNode.Calc> above)
    {
        for (final int column : pattern.partitionBy())
        {
            final CqlType type = ((FlowNode.Match)FlowFuser.calcs(rule.result(), new ArrayList<>())).input().rows()
                .types().get(column);
            PipelineLimits.key(type);
        }
        final Expression condition = pattern.conditions().get(start);
        final Expression begins = condition == null ? null : columns(rewritten(condition, start), 0);
        FlowFuser.plain(begins, true);
        final Reach reach = reach(pattern.conditions().get(end), end);
        final Operator.Between rest = between(reach);
        final List<Expression> wanted = new ArrayList<>();
        final List<Expression> values = outputs(above, wanted);
        final Expression where = ExpressionTranslator.all(wanted);
        checkKept(where, values);
        final List<Field> fields = new ArrayList<>();
        for (int i = 0; i < values.size(); i++)
        {
            fields.add(new Field(rule.names().get(i), values.get(i)));
        }
        final Function<List<Operator>, Operator> last = next -> new Operator.SequencePattern(pattern.partitionBy(),
            begins, reach.value, reach.comparison, reach.bound, rest,
            new Operator.Within(pattern.withinNs(), pattern.withinInclusive()), where, fields, next);
        PipelineLimits.check(last.apply(List.of()));
        final RulePipeline flow = new RulePipeline();
        steps.forEach(step -> flow.add(next -> new Operator.Calc(step.condition(), step.fields(), next)));
        flow.add(last);
        flow.result(rule.names(), rule.types(), lineage(values));
        flow.kind(RulePipeline.Kind.STREAM);
        flow.stateful(java.util.Set.of());
        return flow;
    }

    /** A condition or measure over the match, rewritten to columns of its last row (0) and its first row (1). */
    private Expression rewritten(final Expression expression, final int own)
    {
        return ExpressionSubstitution.replace(expression, leaf ->
        {
            if (leaf instanceof PatternExpression.RowColumn row)
            {
                return new Expression.PriorColumn(0, row.column(), row.type(), true);
            }
            FlowFuser.need(leaf instanceof PatternExpression.Navigation);
            final PatternExpression.Navigation navigation = (PatternExpression.Navigation)leaf;
            FlowFuser.need(navigation.offset() == 0 && navigation.back() == 0 && navigation.maxAgeMs() < 0);
            final long any = -1L;
            final boolean isFirst = navigation.end() == PatternExpression.End.FIRST;
            final boolean isOwn = navigation.variables() == 1L << own && (own != between || !isFirst) ||
                navigation.variables() == any && !isFirst;
            final boolean isStart = navigation.variables() == 1L << start || navigation.variables() == any && isFirst;
            FlowFuser.need(isOwn || isStart);
            return new Expression.PriorColumn(isOwn || isKey(navigation) ? 0 : 1, navigation.column(),
                navigation.type(), true);
        });
    }

    /** A partition column has the same value in all rows of a match. */
    private boolean isKey(final PatternExpression.Navigation navigation)
    {
        final ColumnStorage storage = navigation.type().storage();
        return pattern.partitionBy().contains(navigation.column()) &&
            (storage == ColumnStorage.TEXT || storage == ColumnStorage.INT32 || storage == ColumnStorage.INT64);
    }

    /** An expression over the columns of one of the two rows; not fused if it reads the other row. */
    private static Expression columns(final Expression expression, final int offset)
    {
        return ExpressionSubstitution.replace(expression, leaf ->
        {
            final Expression.PriorColumn prior = (Expression.PriorColumn)leaf;
            FlowFuser.need(prior.offset() == offset);
            return new Expression.Column(prior.column(), prior.type(), true);
        });
    }

    private static boolean reads(final Expression expression, final int offset)
    {
        if (expression instanceof Expression.PriorColumn prior)
        {
            return prior.offset() == offset;
        }
        return expression instanceof Expression.Call call &&
            call.arguments().stream().anyMatch(argument -> reads(argument, offset));
    }

    private Reach reach(final Expression condition, final int own)
    {
        FlowFuser.need(condition instanceof Expression.Call);
        final Expression.Call call = (Expression.Call)condition;
        FlowFuser.need(negated(call.operation()) != null);
        Expression value = rewritten(call.arguments().get(0), own);
        Expression bound = rewritten(call.arguments().get(1), own);
        FlowFuser.plain(value, true);
        FlowFuser.plain(bound, true);
        Operation comparison = call.operation();
        if (reads(value, 1) || reads(bound, 0))
        {
            final Expression other = value;
            value = bound;
            bound = other;
            comparison = comparison.mirrored();
        }
        final boolean isTime = value.type() == CqlType.TIMESTAMP || value.type() == CqlType.INTERVAL;
        FlowFuser.need(value.type() == bound.type() && (isTime ||
            value.type().isNumeric() && value.type().storage() != ColumnStorage.REFERENCE));
        return new Reach(columns(value, 0), comparison, columns(bound, 1));
    }

    private Operator.Between between(final Reach reach)
    {
        final Expression condition = pattern.conditions().get(between);
        if (condition == null)
        {
            return Operator.Between.ANY;
        }
        FlowFuser.need(condition instanceof Expression.Call);
        final Expression.Call call = (Expression.Call)condition;
        if (call.operation() == Operation.NOT)
        {
            FlowFuser.need(reach(call.arguments().get(0), between).equals(reach));
            return Operator.Between.NOT_LAST;
        }
        final Reach other = reach(condition, between);
        FlowFuser.need(negated(other.comparison) == reach.comparison && other.value.equals(reach.value) &&
            other.bound.equals(reach.bound));
        return reach.value.type() == CqlType.DOUBLE || reach.value.type() == CqlType.FLOAT ?
            Operator.Between.NOT_LAST_NOR_NAN : Operator.Between.NOT_LAST;
    }

    private static Operation negated(final Operation operation)
    {
        return switch (operation)
        {
            case LESS -> Operation.GREATER_OR_EQUAL;
            case LESS_OR_EQUAL -> Operation.GREATER;
            case GREATER -> Operation.LESS_OR_EQUAL;
            case GREATER_OR_EQUAL -> Operation.LESS;
            default -> null;
        };
    }

    /** Values of the output columns; conditions are added to {@code wanted}. */
    private List<Expression> outputs(final List<FlowNode.Calc> above, final List<Expression> wanted)
    {
        List<Expression> values = pattern.measures().stream()
            .map(measure -> rewritten(measure.expression(), end)).toList();
        for (int i = above.size() - 1; i >= 0; i--)
        {
            final List<Expression> before = values;
            final Function<Expression, Expression> leaves = leaf -> before.get(((Expression.Column)leaf).column());
            final FlowNode.Calc calc = above.get(i);
            if (calc.condition() != null)
            {
                wanted.add(ExpressionSubstitution.replace(calc.condition(), leaves));
            }
            values = calc.fields() == null ? values :
                calc.fields().stream().map(field ->
                    ExpressionSubstitution.replace(field.expression(), leaves)).toList();
        }
        return values;
    }

    /** Values stored for the first row must be numbers, ids or flags. */
    private static void checkKept(final Expression where, final List<Expression> values)
    {
        final java.util.Set<Integer> kept = new java.util.HashSet<>();
        final List<Expression> all = new ArrayList<>(values);
        if (where != null)
        {
            all.add(where);
        }
        for (final Expression expression : all)
        {
            FlowFuser.plain(expression, true);
            collectKept(expression, kept);
        }
        FlowFuser.need(kept.size() <= MAX_KEPT);
    }

    private static void collectKept(final Expression expression, final java.util.Set<Integer> kept)
    {
        if (expression instanceof Expression.PriorColumn prior && prior.offset() == 1)
        {
            FlowFuser.need(prior.type().storage() != ColumnStorage.REFERENCE);
            kept.add(prior.column());
        }
        if (expression instanceof Expression.Call call)
        {
            call.arguments().forEach(argument -> collectKept(argument, kept));
        }
    }

    /** The lineage of output columns: a column that copies a column of the channel has that column as its origin. */
    private List<ColumnOrigin> lineage(final List<Expression> values)
    {
        final List<ColumnOrigin> lineage = new ArrayList<>();
        for (final Expression value : values)
        {
            Expression origin = value instanceof Expression.PriorColumn prior ?
                new Expression.Column(prior.column(), prior.type(), true) : null;
            for (int i = steps.size() - 1; i >= 0 && origin instanceof Expression.Column column; i--)
            {
                origin = steps.get(i).fields().get(column.column()).expression();
            }
            final boolean repeats = value instanceof Expression.PriorColumn prior && prior.offset() == 0;
            lineage.add(origin instanceof Expression.Column column && value.type() == origin.type() ?
                of(source.type(), column.column(), repeats) : ColumnOrigin.COMPUTED);
        }
        return lineage;
    }

    private static ColumnOrigin of(final EventType type, final int column, final boolean repeats)
    {
        return new ColumnOrigin(type, type.properties().get(column).name(), repeats ? column : -1);
    }
}
