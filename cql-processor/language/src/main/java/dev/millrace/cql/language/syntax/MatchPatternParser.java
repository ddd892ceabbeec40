package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.MatchClause.Term;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Parses the regular expression of PATTERN. Single use. */
final class MatchPatternParser
{
    private final TokenStream tokens;

    MatchPatternParser(final TokenStream tokens)
    {
        this.tokens = tokens;
    }

    /** The expression with its parentheses. */
    Term pattern()
    {
        tokens.need("(");
        if (tokens.at(")"))
        {
            throw new CqlRuleException(Message.EMPTY_PATTERN, tokens.peek().position());
        }
        final Term term = alternatives();
        tokens.need(")");
        return term;
    }

    private Term alternatives()
    {
        tokens.enter();
        final Token first = tokens.peek();
        final List<Term> terms = new ArrayList<>();
        do
        {
            terms.add(sequence());
        }
        while (tokens.take("|"));
        tokens.leave();
        return terms.size() == 1 ? terms.get(0) : new MatchClause.Alternation(terms, tokens.since(first));
    }

    private Term sequence()
    {
        final Token first = tokens.peek();
        final List<Term> terms = new ArrayList<>();
        while (!tokens.at(")") && !tokens.at("|") && !tokens.at(",") && !tokens.at("-}"))
        {
            final Term term = factor();
            if (term instanceof MatchClause.Sequence inner)
            {
                terms.addAll(inner.terms());
            }
            else
            {
                terms.add(term);
            }
        }
        if (terms.isEmpty())
        {
            throw new CqlRuleException(Message.EMPTY_PATTERN, tokens.peek().position());
        }
        return terms.size() == 1 ? terms.get(0) : new MatchClause.Sequence(terms, tokens.since(first));
    }

    private Term factor()
    {
        final Token first = tokens.peek();
        final Term term;
        if (tokens.take("("))
        {
            if (tokens.take(")"))
            {
                term = new MatchClause.Empty(tokens.since(first));
            }
            else
            {
                term = alternatives();
                tokens.need(")");
            }
        }
        else if (tokens.at("permute") && tokens.peek(1).is("("))
        {
            term = permute(first);
        }
        else if (tokens.take("{-"))
        {
            final Term excluded = alternatives();
            tokens.need("-}");
            term = new MatchClause.Exclude(excluded, tokens.since(first));
        }
        else if (tokens.at("^") || tokens.at("$"))
        {
            throw new CqlRuleException(Message.PATTERN_ANCHOR, first.position(), first.text());
        }
        else
        {
            term = new MatchClause.Variable(tokens.name("a variable"));
        }
        return quantified(term);
    }

    private Term permute(final Token first)
    {
        tokens.next();
        tokens.need("(");
        final List<Term> terms = new ArrayList<>();
        do
        {
            terms.add(alternatives());
        }
        while (tokens.take(","));
        tokens.need(")");
        return new MatchClause.Permute(terms, tokens.since(first));
    }

    private Term quantified(final Term term)
    {
        final Token first = tokens.peek();
        int min = 0;
        int max = Integer.MAX_VALUE;
        if (tokens.at("{"))
        {
            final int[] bounds = bounds();
            min = bounds[0];
            max = bounds[1];
        }
        else if (tokens.take("+"))
        {
            min = 1;
        }
        else if (tokens.take("?"))
        {
            max = 1;
        }
        else if (!tokens.take("*"))
        {
            return term;
        }
        final boolean greedy = !tokens.take("?");
        final SqlParserPos position = tokens.since(first);
        if (tokens.at("*") || tokens.at("+") || tokens.at("?") || tokens.at("{"))
        {
            throw new CqlRuleException(Message.QUANTIFIER_TWICE, tokens.peek().position());
        }
        return new MatchClause.Repeat(term, min, max, greedy, position);
    }

    private int[] bounds()
    {
        final Token first = tokens.need("{");
        final boolean hasMin = tokens.peek().kind() == Token.Kind.NUMBER;
        final int min = hasMin ? bound() : 0;
        int max = min;
        if (tokens.take(","))
        {
            final boolean hasMax = tokens.peek().kind() == Token.Kind.NUMBER;
            max = hasMax ? bound() : Integer.MAX_VALUE;
        }
        else if (!hasMin)
        {
            throw tokens.unexpected("a number of repetitions");
        }
        tokens.need("}");
        if (max == 0 || max < min)
        {
            throw new CqlRuleException(Message.QUANTIFIER_BOUNDS, tokens.since(first));
        }
        return new int[]{min, max};
    }

    private int bound()
    {
        final Token token = tokens.next();
        try
        {
            final int bound = Integer.parseInt(token.text());
            if (bound < Integer.MAX_VALUE)
            {
                return bound;
            }
        }
        catch (final NumberFormatException notWhole)
        {
            throw new CqlRuleException(Message.BAD_NUMBER, token.position(), token.text());
        }
        throw new CqlRuleException(Message.NUMBER_OUT_OF_RANGE, token.position(), token.text(), "a quantifier");
    }
}
