package dev.millrace.cql.planner.ordering;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.language.semantic.CallResolver;
import dev.millrace.cql.language.semantic.PlanningDeadline;
import dev.millrace.cql.language.semantic.SourceInfo;
import dev.millrace.cql.language.syntax.Query;
import dev.millrace.cql.language.syntax.Source;
import dev.millrace.cql.language.syntax.Statement;
import dev.millrace.cql.language.syntax.StatementParser;
import dev.millrace.cql.language.syntax.Window;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.WindowSpec;
import dev.millrace.cql.planner.expression.ExpressionSubstitution;
import dev.millrace.cql.planner.flow.FlowPlanner;
import dev.millrace.cql.planner.rule.FlowParallelism;
import dev.millrace.cql.planner.rule.FlowRule;
import dev.millrace.cql.planner.rule.OrderingScope;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Determines the order in which a rule may run as a flow: reads its ordering constraint and partition expression, finds
 * the value by which each channel is partitioned, and refuses rules that need rows of different partitions together.
 * Used for one rule.
 */
public final class FlowParallelismPlanner
{
    private final RuleText rule;
    private final FlowRule flow;
    private final List<List<OrderingScope>> blocks;
    private final PlanningDeadline deadline;
    private final CallResolver calls;

    /**
     * @param flow     its plan
     * @param blocks   the sources of each of its select blocks
     * @param deadline deadline of planning
     * @param calls    functions
     */
    public FlowParallelismPlanner(final RuleText rule, final FlowRule flow, final List<List<OrderingScope>> blocks,
        final PlanningDeadline deadline, final CallResolver calls)
    {
        this.rule = rule;
        this.flow = flow;
        this.blocks = blocks;
        this.deadline = deadline;
        this.calls = calls;
    }

    /**
     * The order of the rule.
     *
     * @param owner returns the rule that a node belongs to, for messages
     */
    public FlowParallelism order(final Function<FlowNode, String> owner)
    {
        final OrderingConstraint constraint = OrderingRules.constraint(rule);
        final String expression = OrderingRules.expression(rule, constraint);
        if (constraint == OrderingConstraint.UNORDERED)
        {
            checkUnordered();
        }
        if (constraint != OrderingConstraint.PARTITION_ORDERED)
        {
            return new FlowParallelism(constraint, null, Map.of(), false);
        }
        final PartitionKeyTracer sources = new PartitionKeyTracer(expression);
        for (final List<OrderingScope> block : blocks)
        {
            reach(block, expression, sources);
        }
        sources.spread(flow.result());
        sources.values().keySet().removeIf(FlowNode.Source::relation);
        final List<FlowNode> nodes = FlowNode.upstream(flow.result());
        sources.values().keySet().removeIf(source -> nodes.stream().noneMatch(node -> node == source));
        final Distribution result = new DistributionAnalysis(expression, sources.values(), owner,
            true).of(flow.result());
        if (result.everywhere())
        {
            throw new CqlRuleException(Message.PARTITION_STREAMLESS, null, id(), expression);
        }
        return new FlowParallelism(constraint, expression, sources.values(), result.merged());
    }

    private String id()
    {
        return (rule.view() ? "view " : "query ") + rule.id();
    }

    /** Finds the sources of FROM that have the value. */
    private void reach(
        final List<OrderingScope> block, final String expression, final PartitionKeyTracer sources)
    {
        CqlRuleException first = null;
        boolean isReached = false;
        for (final OrderingScope scope : block)
        {
            try
            {
                sources.follow(scope.node(), value(scope, expression));
                isReached = true;
            }
            catch (final CqlRuleException refusal)
            {
                if (refusal.message() != Message.UNKNOWN_COLUMN && refusal.message() != Message.UNKNOWN_QUALIFIER)
                {
                    throw refusal;
                }
                first = first == null ? refusal : first;
            }
        }
        if (isReached)
        {
            return;
        }
        final SqlNode node = StatementParser.parseExpression(expression);
        if (first == null || first.message() == Message.UNKNOWN_QUALIFIER || block.size() > 1 &&
            !(node instanceof SqlIdentifier))
        {
            throw new CqlRuleException(Message.PARTITION_NOT_COLUMN, node.getParserPosition(), String.join(" or ",
                block.stream().map(scope -> scope.names().get(0)).toList()));
        }
        throw first;
    }

    /** The expression over the columns of a source. */
    private Expression value(final OrderingScope scope, final String expression)
    {
        CqlRuleException refusal = null;
        for (final String name : scope.names())
        {
            try
            {
                return value(scope, name, StatementParser.parseExpression(expression), expression);
            }
            catch (final CqlRuleException unknown)
            {
                if (unknown.message() != Message.UNKNOWN_QUALIFIER)
                {
                    throw unknown;
                }
                refusal = unknown;
            }
        }
        throw refusal;
    }

    private Expression value(
        final OrderingScope scope, final String name, final SqlNode node, final String expression)
    {
        final SqlParserPos position = node.getParserPosition();
        final SqlIdentifier alias = new SqlIdentifier(name, position);
        final Statement statement = new Statement(Statement.ToStream.NONE, null, List.of(), null,
            new Query.Select(false, List.of(new Statement.Item(node, new SqlIdentifier("partition_value", position))),
                List.of(new Source.NamedSource(alias, new Window.Unbounded(), null, alias)), null, null, null, null,
                position), null, position);
        final FlowRule planned =
            new FlowPlanner(statement, expression, deadline, new OneSource(scope), calls).plan();
        if (!(planned.stream() instanceof FlowNode.Calc calc) || calc.condition() != null ||
            ExpressionSubstitution.normal(calc.fields().get(0).expression()) == null)
        {
            throw new CqlRuleException(Message.PARTITION_NOT_COLUMN, position, name);
        }
        final Expression value = calc.fields().get(0).expression();
        if (ExpressionSubstitution.columns(ExpressionSubstitution.normal(value)).isEmpty())
        {
            throw new CqlRuleException(Message.PARTITION_NOT_COLUMN, position, name);
        }
        final String random = ExpressionSubstitution.randomCall(value);
        if (random != null)
        {
            throw new CqlRuleException(Message.PARTITION_RANDOM, position, random);
        }
        return value;
    }

    /** The columns of one source of FROM, under any name. */
    private record OneSource(OrderingScope scope) implements FlowPlanner.Sources
    {
        @Override
        public SourceInfo info(final SqlIdentifier name)
        {
            return new SourceInfo(name.getSimple(), SourceInfo.Kind.STREAM, scope.info().columns(), List.of());
        }

        @Override
        public FlowNode node(final SqlIdentifier name)
        {
            return new FlowNode.Source(
                name.getSimple(), null, scope.node().rows(), false, List.of(), FlowNode.TimeKind.SYSTEM, false, false);
        }

        @Override
        public FlowNode timedNode(final SqlIdentifier name)
        {
            return null;
        }

        @Override
        public List<String> windows()
        {
            return List.of();
        }

        @Override
        public void logical(final RelNode plan, final List<String> names)
        {
            // Only plans of statements are displayed.
        }
    }

    private void checkUnordered()
    {
        final FlowNode result = flow.result();
        if (!flow.isStream())
        {
            throw DistributionAnalysis.isOfInstant(result) ?
                new CqlRuleException(Message.UNORDERED_RELATION, null, id()) :
                new CqlRuleException(Message.UNORDERED_ILLEGAL, null, id());
        }
        if (!isStateless(result))
        {
            throw new CqlRuleException(Message.UNORDERED_ILLEGAL, null, id());
        }
    }

    /** Whether each row of a stream is processed independently. */
    private static boolean isStateless(final FlowNode stream)
    {
        if (stream instanceof FlowNode.Source source)
        {
            return !source.relation();
        }
        if (stream instanceof FlowNode.ToStream end)
        {
            return end.kind() != FlowNode.StreamKind.DSTREAM && end.difference().isEmpty() &&
                isOfOneRow(end.input());
        }
        final boolean ofRows = stream instanceof FlowNode.Calc || stream instanceof FlowNode.Timed ||
            stream instanceof FlowNode.SetOperation set && set.kind() == FlowNode.SetKind.UNION_ALL;
        return ofRows && stream.inputs().stream().allMatch(FlowParallelismPlanner::isStateless);
    }

    /** Whether each row of a relation over {@code [now]} derives from one row of a stream. */
    private static boolean isOfOneRow(final FlowNode relation)
    {
        if (relation instanceof FlowNode.Window window)
        {
            return window.window() instanceof WindowSpec.Now && isStateless(window.input());
        }
        if (relation instanceof FlowNode.Join join)
        {
            return isOfOneRow(join.left()) && DistributionAnalysis.hasNoStream(join.right()) ||
                join.kind() == FlowNode.JoinKind.INNER && isOfOneRow(join.right()) &&
                DistributionAnalysis.hasNoStream(join.left());
        }
        return (relation instanceof FlowNode.Calc || relation instanceof FlowNode.Pull) &&
            relation.inputs().stream().allMatch(FlowParallelismPlanner::isOfOneRow);
    }
}
