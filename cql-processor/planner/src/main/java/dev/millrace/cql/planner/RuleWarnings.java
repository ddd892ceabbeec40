package dev.millrace.cql.planner;

import dev.millrace.cql.language.problem.CqlProblem;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.language.semantic.MatchAnalyzer;
import dev.millrace.cql.language.syntax.Query;
import dev.millrace.cql.language.syntax.Source;
import dev.millrace.cql.language.syntax.StatementParser;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds constructs that are valid but probably unintended: patterns without end or that delay other matches, LIKE with
 * SQL syntax.
 *
 * <p>Stateless.
 */
public final class RuleWarnings
{
    private RuleWarnings()
    {
    }

    /**
     * The warnings of rules that could be planned.
     *
     * @param rules views and queries
     * @return one entry per warning, with its position and a hint; none for a rule that cannot be parsed
     */
    public static List<CqlProblem> of(final List<RuleText> rules)
    {
        final List<CqlProblem> warnings = new ArrayList<>();
        for (final RuleText rule : rules)
        {
            final List<CqlRuleException> found = new ArrayList<>();
            try
            {
                query(StatementParser.parse(rule).query(), isOrdered(rule, rules), found);
                found.addAll(StatementParser.warnings(rule));
            }
            catch (final CqlRuleException unreadable)
            {
                // The planner reports its problems.
                continue;
            }
            found.forEach(warning -> warnings.add(warning.problemOf(rule)));
        }
        return warnings;
    }

    /**
     * Whether a rule runs in order of time; a view runs with the constraint of the queries that read it, which may be
     * any.
     */
    private static boolean isOrdered(final RuleText rule, final List<RuleText> rules)
    {
        return !rule.view() ? isOrdered(rule) : rules.stream().filter(each -> !each.view())
            .allMatch(RuleWarnings::isOrdered);
    }

    private static boolean isOrdered(final RuleText query)
    {
        return query.orderingConstraint() == null ||
            query.orderingConstraint().equalsIgnoreCase(OrderingConstraint.ORDERED.name());
    }

    private static void query(final Query query, final boolean isOrdered, final List<CqlRuleException> found)
    {
        if (query instanceof Query.SetOperation set)
        {
            query(set.left(), isOrdered, found);
            query(set.right(), isOrdered, found);
        }
        else if (query instanceof Query.Select select)
        {
            select.from().forEach(source -> source(source, isOrdered, found));
        }
    }

    private static void source(final Source source, final boolean isOrdered, final List<CqlRuleException> found)
    {
        if (source instanceof Source.MatchSource matched)
        {
            found.addAll(MatchAnalyzer.warnings(matched.match()));
            if (isOrdered)
            {
                found.addAll(MatchAnalyzer.warningsOfOrder(matched.match()));
            }
        }
        else if (source instanceof Source.SubQuery sub)
        {
            query(sub.statement().query(), isOrdered, found);
        }
        else if (source instanceof Source.OuterJoin join)
        {
            source(join.left(), isOrdered, found);
            source(join.right(), isOrdered, found);
        }
    }
}
