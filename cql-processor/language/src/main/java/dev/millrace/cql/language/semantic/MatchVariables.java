package dev.millrace.cql.language.semantic;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.Suggestions;
import dev.millrace.cql.language.syntax.MatchClause;
import dev.millrace.cql.language.syntax.MatchClause.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlIdentifier;

/** The variables of a pattern in order of first occurrence, and its SUBSETs as masks over them. */
final class MatchVariables
{
    /** Any row of the match. */
    static final long ALL = -1L;
    /** Maximum number of variables. */
    static final int MAX_VARIABLES = 64;

    private final List<String> names = new ArrayList<>();
    private final List<String> shown = new ArrayList<>();
    private final List<String> subsets = new ArrayList<>();
    private final List<Long> subsetMasks = new ArrayList<>();

    MatchVariables(final MatchClause match)
    {
        collect(match.pattern());
        for (final MatchClause.Subset subset : match.subsets())
        {
            addSubset(subset);
        }
    }

    private void collect(final Term term)
    {
        if (term instanceof MatchClause.Variable variable)
        {
            addVariable(variable.name());
        }
        else if (term instanceof MatchClause.Sequence sequence)
        {
            sequence.terms().forEach(this::collect);
        }
        else if (term instanceof MatchClause.Alternation alternation)
        {
            alternation.terms().forEach(this::collect);
        }
        else if (term instanceof MatchClause.Permute permute)
        {
            permute.terms().forEach(this::collect);
        }
        else if (term instanceof MatchClause.Repeat repeat)
        {
            collect(repeat.term());
        }
        else if (term instanceof MatchClause.Exclude exclude)
        {
            collect(exclude.term());
        }
    }

    private void addVariable(final SqlIdentifier name)
    {
        if (indexOf(name.getSimple()) >= 0)
        {
            return;
        }
        if (names.size() == MAX_VARIABLES)
        {
            throw new CqlRuleException(Message.TOO_MANY_VARIABLES, name.getParserPosition(), MAX_VARIABLES);
        }
        names.add(name.getSimple());
        shown.add(name.getParserPosition().isQuoted() ? name.getSimple()
            : name.getSimple().toUpperCase(Locale.ROOT));
    }

    private void addSubset(final MatchClause.Subset subset)
    {
        final String name = subset.name().getSimple();
        if (indexOf(name) >= 0 || maskOf(name) != 0)
        {
            throw new CqlRuleException(Message.SUBSET_NAME, subset.name().getParserPosition(), name);
        }
        long mask = 0;
        for (final SqlIdentifier member : subset.members())
        {
            final int index = member.isSimple() ? indexOf(member.getSimple()) : -1;
            if (index < 0)
            {
                throw new CqlRuleException(Message.SUBSET_MEMBER, member.getParserPosition(), member, listed())
                    .withHint(Suggestions.didYouMean(member.names.get(0), names));
            }
            mask |= 1L << index;
        }
        subsets.add(name);
        subsetMasks.add(mask);
    }

    /** The names as written. */
    List<String> names()
    {
        return names;
    }

    /** The names that CLASSIFIER returns: in upper case unless quoted. */
    List<String> classifierNames()
    {
        return shown;
    }

    /** The index of a variable, or -1. */
    int indexOf(final String variable)
    {
        for (int i = 0; i < names.size(); i++)
        {
            if (names.get(i).equalsIgnoreCase(variable))
            {
                return i;
            }
        }
        return -1;
    }

    boolean isSubset(final String name)
    {
        return indexOf(name) < 0 && maskOf(name) != 0;
    }

    /** The mask of a variable or SUBSET; 0 if the name is unknown. */
    long maskOf(final String name)
    {
        final int index = indexOf(name);
        if (index >= 0)
        {
            return 1L << index;
        }
        for (int i = 0; i < subsets.size(); i++)
        {
            if (subsets.get(i).equalsIgnoreCase(name))
            {
                return subsetMasks.get(i);
            }
        }
        return 0;
    }

    /** The mask of the first part of a name. */
    long need(final SqlIdentifier name)
    {
        final String variable = name.names.get(0);
        final long mask = maskOf(variable);
        if (mask == 0)
        {
            final List<String> known = new ArrayList<>(names);
            known.addAll(subsets);
            throw new CqlRuleException(Message.UNKNOWN_VARIABLE,
                name.isSimple() ? name.getParserPosition() : name.getComponentParserPosition(0), variable,
                String.join(", ", known)).withHint(Suggestions.didYouMean(variable, known));
        }
        return mask;
    }

    /** The names, for messages. */
    String listed()
    {
        return String.join(", ", names);
    }
}
