package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.MatchClause.Limit;
import dev.millrace.cql.language.syntax.MatchClause.Rows;
import dev.millrace.cql.language.syntax.MatchClause.RowsKind;
import dev.millrace.cql.language.syntax.MatchClause.Skip;
import dev.millrace.cql.language.syntax.MatchClause.SkipKind;
import dev.millrace.cql.language.syntax.MatchClause.Subset;
import dev.millrace.cql.language.syntax.Statement.Item;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Parses the content of MATCH_RECOGNIZE. Single use. */
final class MatchParser
{
    /** Clauses in their required order. */
    private static final List<String> ORDER = List.of("PARTITION BY", "ORDER BY", "MEASURES", "ROWS PER MATCH",
        "AFTER MATCH", "ALL MATCHES", "INCLUDE TIMER EVENTS", "PATTERN", "WITHIN", "SUBSET", "DEFINE");
    private static final String[] WORDS = {"partition", "order", "measures", "one", "all", "after", "include",
        "pattern", "within", "duration", "subset", "define"};

    private final TokenStream tokens;
    private final ExpressionParser expressions;
    private final List<SqlIdentifier> partitionBy = new ArrayList<>();
    private final List<SqlIdentifier> orderBy = new ArrayList<>();
    private final List<Item> measures = new ArrayList<>();
    private final List<Subset> subsets = new ArrayList<>();
    private final List<Item> defines = new ArrayList<>();
    private final boolean[] seen = new boolean[ORDER.size()];
    private Rows rows;
    private Skip skip;
    private SqlParserPos allMatches;
    private SqlParserPos timerEvents;
    private MatchClause.Term pattern;
    private Limit within;
    private Limit duration;
    private int last = -1;

    MatchParser(final TokenStream tokens, final ExpressionParser expressions)
    {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    MatchClause match()
    {
        final Token first = tokens.need("match_recognize");
        tokens.need("(");
        expressions.inPattern(true);
        while (!tokens.at(")"))
        {
            clause();
        }
        expressions.inPattern(false);
        for (final String clause : List.of("MEASURES", "PATTERN", "DEFINE"))
        {
            if (!seen[ORDER.indexOf(clause)] && (rows == null || !clause.equals("MEASURES")))
            {
                throw new CqlRuleException(Message.CLAUSE_MISSING, tokens.peek().position(), clause);
            }
        }
        final Token end = tokens.need(")");
        return new MatchClause(first.position(), partitionBy, orderBy, measures, rows, skip, allMatches, timerEvents,
            pattern,
            within, duration, subsets, defines, end.position());
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
            orderBy();
        }
        else if (tokens.take("measures"))
        {
            order("MEASURES", token);
            items(measures, "the name of the measure", "the name of a measure");
        }
        else if (tokens.take("all", "matches"))
        {
            order("ALL MATCHES", token);
            allMatches = tokens.since(token);
        }
        else if (tokens.take("include", "timer", "events"))
        {
            order("INCLUDE TIMER EVENTS", token);
            timerEvents = tokens.since(token);
        }
        else if (tokens.take("pattern"))
        {
            order("PATTERN", token);
            pattern = new MatchPatternParser(tokens).pattern();
        }
        else if (tokens.at("within") || tokens.at("duration"))
        {
            time(token);
        }
        else if (tokens.take("subset"))
        {
            order("SUBSET", token);
            subset();
        }
        else if (tokens.take("define"))
        {
            order("DEFINE", token);
            defines();
        }
        else
        {
            sqlClause(token);
        }
    }

    private void sqlClause(final Token token)
    {
        if (tokens.take("one", "row", "per", "match"))
        {
            order("ROWS PER MATCH", token);
            rows = new Rows(RowsKind.ONE, tokens.since(token));
        }
        else if (tokens.take("all", "rows", "per", "match"))
        {
            order("ROWS PER MATCH", token);
            rows = new Rows(allRows(), tokens.since(token));
        }
        else if (tokens.take("after", "match"))
        {
            order("AFTER MATCH", token);
            tokens.need("skip");
            skip(token);
        }
        else
        {
            throw tokens.unexpected(last < 0 ? "MEASURES or another clause" : "a clause after " + ORDER.get(last),
                WORDS);
        }
    }

    private RowsKind allRows()
    {
        if (tokens.take("show", "empty"))
        {
            tokens.need("matches");
            return RowsKind.ALL_SHOW_EMPTY;
        }
        if (tokens.take("omit", "empty"))
        {
            tokens.need("matches");
            return RowsKind.ALL_OMIT_EMPTY;
        }
        if (tokens.take("with", "unmatched"))
        {
            tokens.need("rows");
            return RowsKind.ALL_WITH_UNMATCHED;
        }
        return RowsKind.ALL_SHOW_EMPTY;
    }

    private void skip(final Token token)
    {
        SkipKind kind = SkipKind.TO_LAST;
        SqlIdentifier variable = null;
        if (tokens.take("past"))
        {
            tokens.need("last");
            tokens.need("row");
            kind = SkipKind.PAST_LAST_ROW;
        }
        else
        {
            if (!tokens.at("to"))
            {
                throw tokens.unexpected("PAST LAST ROW or TO", "past", "to");
            }
            tokens.next();
            if (tokens.take("next", "row"))
            {
                kind = SkipKind.TO_NEXT_ROW;
            }
            else
            {
                final boolean named = tokens.at("first") || tokens.at("last");
                // A variable may be named first or last: then a clause follows it.
                if (named && tokens.peek(1).kind() != Token.Kind.SIGN && !isClause(tokens.peek(1)))
                {
                    kind = tokens.next().is("first") ? SkipKind.TO_FIRST : SkipKind.TO_LAST;
                }
                variable = tokens.name("a variable");
            }
        }
        skip = new Skip(kind, variable, tokens.since(token));
    }

    private static boolean isClause(final Token token)
    {
        for (final String word : WORDS)
        {
            if (token.is(word))
            {
                return true;
            }
        }
        return false;
    }

    private void order(final String clause, final Token token)
    {
        order(clause, ORDER.indexOf(clause), token);
    }

    private void order(final String clause, final int rank, final Token token)
    {
        if (seen[rank])
        {
            throw new CqlRuleException(Message.CLAUSE_TWICE, token.position(), clause);
        }
        seen[rank] = true;
        if (rank < last)
        {
            throw new CqlRuleException(Message.CLAUSE_ORDER, token.position(), clause, ORDER.get(last));
        }
        last = rank;
        if (rank > ORDER.indexOf("PATTERN") && !seen[ORDER.indexOf("PATTERN")])
        {
            throw new CqlRuleException(Message.CLAUSE_ORDER, token.position(), "PATTERN", clause);
        }
    }

    private void names(final List<SqlIdentifier> names, final String what)
    {
        do
        {
            names.add(column(what));
        }
        while (tokens.take(","));
    }

    private SqlIdentifier column(final String what)
    {
        final Token first = tokens.peek();
        final SqlIdentifier name = tokens.name(what);
        if (!tokens.take("."))
        {
            return name;
        }
        final SqlIdentifier column = tokens.name(what);
        return new SqlIdentifier(List.of(name.getSimple(), column.getSimple()), null, tokens.since(first),
            List.of(name.getParserPosition(), column.getParserPosition()));
    }

    private void orderBy()
    {
        do
        {
            final SqlIdentifier name = column("a column name");
            if (tokens.at("desc"))
            {
                throw new CqlRuleException(Message.PATTERN_ORDER, tokens.since(tokens.peek()), name + " DESC");
            }
            tokens.take("asc");
            orderBy.add(name);
        }
        while (tokens.take(","));
    }

    private void items(final List<Item> items, final String expected, final String what)
    {
        do
        {
            final SqlNode value = expressions.parse();
            if (!tokens.at("as"))
            {
                throw tokens.unexpected("AS and " + expected, "as");
            }
            tokens.next();
            items.add(new Item(value, tokens.name(what)));
        }
        while (tokens.take(","));
    }

    private void time(final Token token)
    {
        if (within != null && tokens.at("duration") || duration != null && tokens.at("within"))
        {
            throw new CqlRuleException(Message.WITHIN_AND_DURATION, token.position());
        }
        order(token.is("within") ? "WITHIN" : "DURATION", ORDER.indexOf("WITHIN"), token);
        tokens.next();
        if (token.is("within"))
        {
            final boolean inclusive = tokens.take("inclusive");
            within = new Limit(WindowSizeParser.period(tokens), null, inclusive, token.position());
        }
        else
        {
            final boolean multiples = tokens.take("multiples", "of");
            final boolean isColumn = tokens.atName() && !tokens.at("interval");
            final SqlIdentifier column = isColumn ? column("a duration or a column") : null;
            duration = new Limit(isColumn ? WindowSizeParser.unitPeriod(tokens) :
                WindowSizeParser.period(tokens), column, multiples,
                token.position());
        }
    }

    private void subset()
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
        }
        while (tokens.take(",") || tokens.atName() && tokens.peek(1).is("="));
    }

    private void defines()
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
