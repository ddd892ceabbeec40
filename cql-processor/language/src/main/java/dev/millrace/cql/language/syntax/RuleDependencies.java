package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.RuleText;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlIdentifier;

/** Determines which rules read which sources. Stateless. */
public final class RuleDependencies
{
    private static final String SYNTAX = Statement.class.getPackageName();

    private RuleDependencies()
    {
    }

    /**
     * The rules that name a source in FROM or consist of its name.
     *
     * @param source case-insensitive id of a view
     * @param rules  running rules
     * @return ids in order; a rule that cannot be parsed reads nothing
     */
    public static List<String> of(final String source, final List<RuleText> rules)
    {
        final String wanted = source.toLowerCase(Locale.ROOT);
        return rules.stream().filter(rule -> !rule.id().equalsIgnoreCase(source) && sources(rule).contains(wanted))
            .map(RuleText::id).toList();
    }

    /**
     * Whether the passage of time can change the result of a rule.
     *
     * @param rule a view or query
     * @return true with a window of time, a pattern with a limit or duration, or EVALUATE EVERY; false for a rule that
     *     cannot be parsed
     */
    public static boolean isTimed(final RuleText rule)
    {
        try
        {
            return hasPeriod(StatementParser.parse(rule));
        }
        catch (final CqlRuleException unreadable)
        {
            // The planner reports it with its position.
            return false;
        }
    }

    private static boolean hasPeriod(final Object part)
    {
        if (part instanceof Collection<?> many)
        {
            return many.stream().anyMatch(RuleDependencies::hasPeriod);
        }
        if (!(part instanceof Record any) || !any.getClass().getPackageName().equals(SYNTAX))
        {
            return false;
        }
        return part instanceof Statement.Period ||
            Stream.of(any.getClass().getRecordComponents()).anyMatch(each -> hasPeriod(member(any, each)));
    }

    private static Set<String> sources(final RuleText rule)
    {
        final Set<String> found = new TreeSet<>();
        try
        {
            collect(StatementParser.parse(rule), found);
        }
        catch (final CqlRuleException unreadable)
        {
            // The planner reports it with its position.
            found.clear();
        }
        return found;
    }

    private static void collect(final Object part, final Set<String> found)
    {
        if (part instanceof Collection<?> many)
        {
            many.forEach(each -> collect(each, found));
        }
        else if (part instanceof Record any && any.getClass().getPackageName().equals(SYNTAX))
        {
            for (final RecordComponent component : any.getClass().getRecordComponents())
            {
                final Object member = member(any, component);
                if (member instanceof SqlIdentifier name && component.getName().equals("name"))
                {
                    found.add(name.names.get(0).toLowerCase(Locale.ROOT));
                }
                collect(member, found);
            }
        }
    }

    private static Object member(final Record any, final RecordComponent component)
    {
        try
        {
            return component.getAccessor().invoke(any);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new IllegalStateException("internal error, please report it: a statement cannot be read, component=" +
                any.getClass().getName() + '.' + component.getName(), e);
        }
    }
}
