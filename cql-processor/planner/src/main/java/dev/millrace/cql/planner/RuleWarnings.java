package dev.millrace.cql.planner;

import dev.millrace.cql.language.CqlProblem;
import dev.millrace.cql.language.Refusal;
import dev.millrace.cql.language.RuleText;
import dev.millrace.cql.language.semantic.MatchAnalyzer;
import dev.millrace.cql.language.syntax.Query;
import dev.millrace.cql.language.syntax.Source;
import dev.millrace.cql.language.syntax.StatementParser;
import java.util.ArrayList;
import java.util.List;

/** Finds what is allowed but hardly meant: patterns without end, LIKE as SQL writes it. Keeps no state. */
public final class RuleWarnings
{
    private RuleWarnings()
    {
    }

    /**
     * The warnings of rules that could be planned.
     *
     * @param rules views and queries
     * @return one entry a warning, with its place and a hint; a rule that cannot be read has none
     */
    public static List<CqlProblem> of(final List<RuleText> rules)
    {
        final List<CqlProblem> warnings = new ArrayList<>();
        for (final RuleText rule : rules)
        {
            final List<Refusal> found = new ArrayList<>();
            try
            {
                query(StatementParser.parse(rule).query(), found);
                found.addAll(StatementParser.warnings(rule));
            }
            catch (final Refusal unreadable)
            {
                // Planning says what is wrong with it.
                continue;
            }
            found.forEach(warning -> warnings.add(warning.problemOf(rule)));
        }
        return warnings;
    }

    private static void query(final Query query, final List<Refusal> found)
    {
        if (query instanceof Query.SetOperation set)
        {
            query(set.left(), found);
            query(set.right(), found);
        }
        else if (query instanceof Query.Select select)
        {
            select.from().forEach(source -> source(source, found));
        }
    }

    private static void source(final Source source, final List<Refusal> found)
    {
        if (source instanceof Source.MatchSource matched)
        {
            found.addAll(MatchAnalyzer.warnings(matched.match()));
        }
        else if (source instanceof Source.SubQuery sub)
        {
            query(sub.statement().query(), found);
        }
        else if (source instanceof Source.OuterJoin join)
        {
            source(join.left(), found);
            source(join.right(), found);
        }
    }
}
