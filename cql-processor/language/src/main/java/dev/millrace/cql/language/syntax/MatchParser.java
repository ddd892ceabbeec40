package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.Message;
import dev.millrace.cql.language.Refusal;
import dev.millrace.cql.language.syntax.Statement.Item;
import dev.millrace.cql.language.syntax.Match.Subset;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Parses the content of MATCH_RECOGNIZE. Used once. */
final class MatchParser
{
    /** Clauses in the order in which they must stand. */
    private static final List<String> ORDER = List.of("PARTITION BY", "ORDER BY", "MEASURES", "ROWS PER MATCH",
        "AFTER MATCH", "ALL MATCHES", "INCLUDE TIMER EVENTS", "PATTERN", "WITHIN", "SUBSET", "DEFINE");
    private static final String[] WORDS = {"partition", "order", "measures", "one", "all", "after", "include",
        "pattern", "within", "duration", "subset", "define"};

    private final TokenStream tokens;
    private final ExpressionParser expressions;
    private final List<SqlIdentifier> partitionBy = new ArrayList<>();
    private final List<Item> measures = new ArrayList<>();
    private final List<SqlIdentifier> variables = new ArrayList<>();
    private final List<Subset> subsets = new ArrayList<>();
    private final List<Item> defines = new ArrayList<>();
    private final boolean[] seen = new boolean[ORDER.size()];
    private boolean allMatches;
    private SqlParserPos timerEvents;
    private SqlParserPos within;
    private SqlParserPos duration;
    private int last = -1;

    MatchParser(final TokenStream tokens, final ExpressionParser expressions)
    {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    Match match()
    {
        final Token first = tokens.need("match_recognize");
        tokens.need("(");
        while (!tokens.at(")"))
        {
            clause();
        }
        for (final String clause : List.of("MEASURES", "PATTERN", "DEFINE"))
        {
            if (!seen[ORDER.indexOf(clause)])
            {
                throw new Refusal(Message.CLAUSE_MISSING, tokens.peek().place(), clause);
            }
        }
        tokens.need(")");
        return new Match(first.place(), partitionBy, measures, allMatches, timerEvents, variables, within,
            duration, subsets, defines);
    }

    private void clause()
    {
        final Token token = tokens.peek();
        if (tokens.take("partition", "by"))
        {
            order("PARTITION BY", token);
            names(partitionBy, "a column name");
        }
        else if (tokens.take("order", "by"))
        {
            order("ORDER BY", token);
            names(new ArrayList<>(), "a column name");
            tokens.unavailable(tokens.since(token), "ORDER BY in MATCH_RECOGNIZE", "rows come in order of arrival");
        }
        else if (tokens.take("measures"))
        {
            order("MEASURES", token);
            measures();
        }
        else if (tokens.take("all", "matches"))
        {
            order("ALL MATCHES", token);
            allMatches = true;
        }
        else if (tokens.take("include", "timer", "events"))
        {
            order("INCLUDE TIMER EVENTS", token);
            timerEvents = tokens.since(token);
        }
        else if (tokens.at("pattern"))
        {
            tokens.next();
            order("PATTERN", token);
            pattern();
        }
        else if (tokens.at("within") || tokens.at("duration"))
        {
            time(token);
        }
        else if (tokens.take("subset"))
        {
            order("SUBSET", token);
            subset(token);
        }
        else if (tokens.take("define"))
        {
            order("DEFINE", token);
            define();
        }
        else if (!sqlClause(token))
        {
            throw tokens.unexpected(last < 0 ? "MEASURES or another clause" : "a clause after " + ORDER.get(last),
                WORDS);
        }
    }

    private boolean sqlClause(final Token token)
    {
        if (tokens.take("one", "row", "per", "match"))
        {
            order("ROWS PER MATCH", token);
            tokens.unavailable(tokens.since(token), "ONE ROW PER MATCH", "leave it out");
            return true;
        }
        if (tokens.take("all", "rows", "per", "match"))
        {
            order("ROWS PER MATCH", token);
            tokens.unavailable(tokens.since(token), "ALL ROWS PER MATCH", "");
            return true;
        }
        if (tokens.take("after", "match", "skip"))
        {
            order("AFTER MATCH", token);
            while (!tokens.at("pattern") && !tokens.at("all") && tokens.peek().kind() == Token.Kind.WORD)
            {
                tokens.next();
            }
            tokens.unavailable(tokens.since(token), "AFTER MATCH SKIP", "");
            return true;
        }
        return false;
    }

    private void order(final String clause, final Token token)
    {
        final int rank = ORDER.indexOf(clause);
        if (seen[rank])
        {
            throw new Refusal(Message.CLAUSE_TWICE, token.place(), clause);
        }
        seen[rank] = true;
        if (rank < last)
        {
            throw new Refusal(Message.CLAUSE_ORDER, token.place(), clause, ORDER.get(last));
        }
        last = rank;
        if (rank > ORDER.indexOf("PATTERN") && !seen[ORDER.indexOf("PATTERN")])
        {
            throw new Refusal(Message.CLAUSE_ORDER, token.place(), "PATTERN", clause);
        }
    }

    private void names(final List<SqlIdentifier> names, final String what)
    {
        do
        {
            final Token first = tokens.peek();
            SqlIdentifier name = tokens.name(what);
            if (tokens.take("."))
            {
                final SqlIdentifier column = tokens.name(what);
                name = new SqlIdentifier(List.of(name.getSimple(), column.getSimple()), null, tokens.since(first),
                    List.of(name.getParserPosition(), column.getParserPosition()));
            }
            names.add(name);
        }
        while (tokens.take(","));
    }

    private void measures()
    {
        do
        {
            final org.apache.calcite.sql.SqlNode value = expressions.parse();
            if (!tokens.at("as"))
            {
                throw tokens.unexpected("AS and the name of the measure", "as");
            }
            tokens.next();
            measures.add(new Item(value, tokens.name("the name of a measure")));
        }
        while (tokens.take(","));
    }

    private void pattern()
    {
        tokens.need("(");
        if (tokens.at(")"))
        {
            throw new Refusal(Message.EMPTY_PATTERN, tokens.peek().place());
        }
        alternatives();
        tokens.need(")");
    }

    private void alternatives()
    {
        tokens.enter();
        terms();
        while (tokens.at("|"))
        {
            tokens.unavailable(tokens.next().place(), "alternation in PATTERN", "use several queries");
            terms();
        }
        tokens.leave();
    }

    private void terms()
    {
        boolean any = false;
        while (!tokens.at(")") && !tokens.at("|"))
        {
            final Token token = tokens.peek();
            if (tokens.take("("))
            {
                if (tokens.at(")"))
                {
                    throw new Refusal(Message.EMPTY_PATTERN, tokens.peek().place());
                }
                alternatives();
                tokens.need(")");
                tokens.unavailable(tokens.since(token), "a group in PATTERN", "");
            }
            else if (tokens.at("permute", "("))
            {
                throw new Refusal(Message.NOT_AVAILABLE, token.place(), "PERMUTE", "");
            }
            else if (tokens.at("{-") || tokens.at("^"))
            {
                throw new Refusal(Message.NOT_AVAILABLE, token.place(), "'" + token.text() + "' in PATTERN", "");
            }
            else
            {
                variables.add(tokens.name("a variable"));
            }
            quantifier();
            any = true;
        }
        if (!any)
        {
            throw new Refusal(Message.EMPTY_PATTERN, tokens.peek().place());
        }
    }

    private void quantifier()
    {
        final Token first = tokens.peek();
        if (tokens.take("{"))
        {
            while (tokens.peek().kind() == Token.Kind.NUMBER || tokens.at(","))
            {
                tokens.next();
            }
            tokens.need("}");
        }
        else if (!tokens.take("*") && !tokens.take("+") && !tokens.take("?"))
        {
            return;
        }
        tokens.take("?");
        tokens.unavailable(tokens.since(first), "a quantifier in PATTERN", "");
        if (tokens.at("*") || tokens.at("+") || tokens.at("?") || tokens.at("{"))
        {
            throw new Refusal(Message.QUANTIFIER_TWICE, tokens.peek().place());
        }
    }

    private void time(final Token token)
    {
        if (within != null && tokens.at("duration") || duration != null && tokens.at("within"))
        {
            throw new Refusal(Message.WITHIN_AND_DURATION, token.place());
        }
        order("WITHIN", token);
        tokens.next();
        if (token.is("within"))
        {
            tokens.take("inclusive");
            within = token.place();
        }
        else
        {
            tokens.take("multiples", "of");
            duration = token.place();
        }
        Sizes.period(tokens);
        tokens.unavailable(tokens.since(token), token.text().toUpperCase(java.util.Locale.ROOT), "");
    }

    private void subset(final Token token)
    {
        do
        {
            final SqlIdentifier name = tokens.name("the name of a SUBSET");
            tokens.need("=");
            tokens.need("(");
            final List<SqlIdentifier> members = new ArrayList<>();
            names(members, "a variable");
            tokens.need(")");
            subsets.add(new Subset(name, members));
            tokens.take(",");
        }
        while (!tokens.at("define") && tokens.atName());
        tokens.unavailable(tokens.since(token), "SUBSET", "");
    }

    private void define()
    {
        do
        {
            final SqlIdentifier variable = tokens.name("a variable");
            if (!tokens.at("as"))
            {
                throw tokens.unexpected("AS and the condition", "as");
            }
            tokens.next();
            defines.add(new Item(expressions.parse(), variable));
        }
        while (tokens.take(","));
    }
}
