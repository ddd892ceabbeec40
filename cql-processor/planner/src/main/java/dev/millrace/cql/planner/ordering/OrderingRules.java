package dev.millrace.cql.planner.ordering;

import dev.millrace.cql.language.problem.CqlProblem;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.language.problem.Suggestions;
import dev.millrace.cql.language.semantic.SourceInfo;
import dev.millrace.cql.language.syntax.StatementParser;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.planner.rule.ColumnOrigin;
import dev.millrace.cql.planner.rule.PlannedRule;
import dev.millrace.cql.planner.rule.RulePipeline;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Reads the ordering constraint and partition expression of a rule and checks that the rule can run with them. */
public final class OrderingRules
{
    /** Names of the attributes. */
    static final String CONSTRAINT = "ordering-constraint";
    static final String EXPRESSION = "partition-expression";

    private OrderingRules()
    {
    }

    public static OrderingConstraint constraint(final RuleText rule)
    {
        final String written = rule.orderingConstraint();
        if (written == null)
        {
            return OrderingConstraint.ORDERED;
        }
        for (final OrderingConstraint constraint : OrderingConstraint.values())
        {
            if (constraint.name().equals(written.strip().toUpperCase(Locale.ROOT)))
            {
                return constraint;
            }
        }
        final List<String> names = Arrays.stream(OrderingConstraint.values()).map(Enum::name).toList();
        throw new CqlRuleException(Message.UNKNOWN_ORDERING, null, written)
            .withHint(Suggestions.didYouMean(written, names));
    }

    /** The problem for a refusal by this class, at the attribute that caused it. */
    public static CqlProblem problem(final RuleText rule, final CqlRuleException refusal)
    {
        final boolean expression = rule.partitionExpression() != null &&
            refusal.message() != Message.UNKNOWN_ORDERING && refusal.message() != Message.UNORDERED_ILLEGAL &&
            refusal.message() != Message.UNORDERED_RELATION;
        return expression
            ? refusal.problemOf(rule, EXPRESSION, rule.partitionExpression())
            : refusal.problemOf(rule, CONSTRAINT, String.valueOf(rule.orderingConstraint()));
    }

    /** The partition expression; {@code null} if the constraint needs none. */
    static String expression(final RuleText rule, final OrderingConstraint constraint)
    {
        final String expression = rule.partitionExpression();
        if (constraint != OrderingConstraint.PARTITION_ORDERED)
        {
            if (expression != null)
            {
                throw new CqlRuleException(Message.PARTITION_UNUSED, null);
            }
            return null;
        }
        if (expression == null || expression.isBlank())
        {
            throw new CqlRuleException(Message.PARTITION_MISSING, null);
        }
        return expression;
    }

    /**
     * The channel's column that partitions the rows.
     *
     * @param source  stream that it reads
     * @param alias   name of the stream in the rule
     * @param lineage lineage of the stream's columns
     * @return column of the channel, or -1
     */
    public static int partitionColumn(
        final RuleText rule, final OrderingConstraint constraint, final SourceInfo source, final String alias,
        final List<ColumnOrigin> lineage)
    {
        final String expression = expression(rule, constraint);
        if (expression == null)
        {
            return -1;
        }
        final SqlNode node = StatementParser.parseExpression(expression);
        if (!(node instanceof SqlIdentifier name))
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, node.getParserPosition(),
                "a computed partition expression", "");
        }
        final int last = name.names.size() - 1;
        if (last == 1 && !name.names.get(0).equalsIgnoreCase(alias) &&
            !name.names.get(0).equalsIgnoreCase(source.name()))
        {
            throw new CqlRuleException(Message.PARTITION_NOT_COLUMN, name.getParserPosition(), source.name())
                .withHint("write " + alias + "." + name.names.get(1));
        }
        final int column = source.indexOf(name.names.get(last));
        if (column < 0)
        {
            final SqlParserPos position = name.getComponentParserPosition(last);
            throw new CqlRuleException(Message.UNKNOWN_COLUMN, position, source.name(), name.names.get(last),
                String.join(", ", source.columnNames()))
                .withHint(Suggestions.didYouMean(name.names.get(last), source.columnNames()));
        }
        if (lineage.get(column).channelColumn() < 0)
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, name.getParserPosition(), "a computed partition column",
                "");
        }
        return lineage.get(column).channelColumn();
    }

    /**
     * Refuses a rule whose state, or the state of a view below it, cannot be partitioned as the constraint requires.
     */
    public static void check(final PlannedRule reader, final PlannedRule rule)
    {
        final String id = (rule.rule().view() ? "view " : "query ") + rule.rule().id();
        if (reader.ordering() == OrderingConstraint.UNORDERED)
        {
            if (rule.flow().keepsState())
            {
                throw new CqlRuleException(Message.UNORDERED_ILLEGAL, null, id);
            }
            if (rule.flow().kind() != RulePipeline.Kind.STREAM)
            {
                throw new CqlRuleException(Message.UNORDERED_RELATION, null, id);
            }
        }
        if (reader.ordering() == OrderingConstraint.PARTITION_ORDERED && rule.flow().keepsState() &&
            !rule.flow().stateColumns().contains(reader.partitionColumn()))
        {
            final String column = reader.channelType().properties().get(reader.partitionColumn()).name();
            throw new CqlRuleException(Message.PARTITION_ILLEGAL, null, id, column,
                "add " + column + " to its PARTITION BY or GROUP BY, or use ORDERED");
        }
        if (reader.ordering() == OrderingConstraint.PARTITION_ORDERED &&
            rule.ordering() == OrderingConstraint.PARTITION_ORDERED &&
            rule.partitionColumn() != reader.partitionColumn())
        {
            throw new CqlRuleException(Message.PARTITION_VIEW, null, (reader.rule().view() ? "view " : "query ") +
                reader.rule().id(), reader.rule().partitionExpression(), rule.rule().id(),
                rule.rule().partitionExpression());
        }
    }
}
