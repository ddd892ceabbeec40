package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.Message;
import dev.millrace.cql.language.Refusal;
import dev.millrace.cql.language.syntax.Statement.Item;
import dev.millrace.cql.language.syntax.Statement.Source;
import dev.millrace.cql.language.syntax.Statement.ToStream;
import dev.millrace.cql.language.syntax.Statement.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Parses a statement: the operator around the select block, the block, FROM. Used once, by one thread. */
public final class StatementParser
{
    private static final String[] UNITS = {"nanosecond", "nanoseconds", "microsecond", "microseconds", "millisecond",
        "milliseconds", "second", "seconds", "minute", "minutes", "hour", "hours", "day", "days"};
    private static final String[] AFTER_SOURCE = {"where", "group", "having", "order", "as", "match_recognize",
        "union", "except", "minus", "intersect", "left", "right", "difference", "evaluate"};

    private final TokenStream tokens;
    private final ExpressionParser expressions;

    private StatementParser(final String text)
    {
        tokens = new TokenStream(text);
        expressions = new ExpressionParser(tokens);
    }

    /**
     * Parses a statement.
     *
     * @param text statement
     * @return its tree
     * @throws Refusal when the text is no statement
     */
    public static Statement parse(final String text)
    {
        return new StatementParser(text).statement();
    }

    /**
     * Parses a value, such as a partition expression.
     *
     * @param text expression
     * @return its tree
     * @throws Refusal when the text is no value
     */
    public static SqlNode parseExpression(final String text)
    {
        final StatementParser parser = new StatementParser(text);
        final SqlNode node = parser.expressions.parse();
        parser.end();
        if (!parser.tokens.unavailable().isEmpty())
        {
            throw parser.tokens.unavailable().get(0);
        }
        return node;
    }

    private Statement statement()
    {
        final Token first = tokens.peek();
        Statement statement;
        final ToStream toStream = toStream(first);
        if (toStream == ToStream.NONE)
        {
            statement = body(ToStream.NONE, null);
        }
        else
        {
            tokens.next();
            tokens.need("(");
            statement = body(toStream, first.place());
            tokens.need(")");
            differenceUsing(toStream);
        }
        if (tokens.at("evaluate", "every"))
        {
            final Token evaluate = tokens.next();
            tokens.next();
            timeSpec();
            tokens.unavailable(tokens.since(evaluate), "EVALUATE EVERY", "");
        }
        end();
        return new Statement(statement.toStream(), statement.toStreamPlace(), statement.items(), statement.sources(),
            statement.where(), statement.groupBy(), statement.having(), tokens.unavailable(), statement.place());
    }

    private ToStream toStream(final Token first)
    {
        if (!tokens.peek(1).is("(") || first.kind() != Token.Kind.WORD || first.is("select"))
        {
            return ToStream.NONE;
        }
        return switch (first.text().toLowerCase(Locale.ROOT))
        {
            case "istream" -> ToStream.ISTREAM;
            case "dstream" -> ToStream.DSTREAM;
            case "rstream" -> ToStream.RSTREAM;
            default -> throw tokens.unexpected("SELECT", "select", "istream", "dstream", "rstream");
        };
    }

    private void end()
    {
        if (tokens.peek().kind() != Token.Kind.END)
        {
            final Refusal misspelt = tokens.unexpected("the end of the statement", AFTER_SOURCE);
            throw misspelt.message() == Message.MISSPELT_KEYWORD ? misspelt
                : new Refusal(Message.TEXT_AFTER_END, tokens.peek().place(), tokens.peek().shown());
        }
    }

    private void differenceUsing(final ToStream toStream)
    {
        if (!tokens.at("difference"))
        {
            return;
        }
        final Token first = tokens.next();
        tokens.need("using");
        tokens.need("(");
        do
        {
            expressions.parse();
        }
        while (tokens.take(","));
        tokens.need(")");
        if (toStream == ToStream.RSTREAM)
        {
            throw new Refusal(Message.DIFFERENCE_AFTER_RSTREAM, tokens.since(first));
        }
        tokens.unavailable(tokens.since(first), "DIFFERENCE USING", "");
    }

    private Statement body(final ToStream toStream, final SqlParserPos toStreamPlace)
    {
        tokens.enter();
        Statement statement = operand(toStream, toStreamPlace);
        while (true)
        {
            final Token operator = tokens.peek();
            if (!tokens.take("union", "all") && !tokens.take("union") && !tokens.take("except") &&
                !tokens.take("minus") && !tokens.take("intersect") && !tokens.take("not", "in") && !tokens.take("in"))
            {
                break;
            }
            tokens.unavailable(tokens.since(operator),
                "the set operation " + operator.text().toUpperCase(Locale.ROOT), "");
            operand(toStream, toStreamPlace);
        }
        tokens.leave();
        return statement;
    }

    private Statement operand(final ToStream toStream, final SqlParserPos toStreamPlace)
    {
        if (tokens.take("("))
        {
            final Statement inner = body(toStream, toStreamPlace);
            tokens.need(")");
            return inner;
        }
        if (tokens.at("select"))
        {
            return select(toStream, toStreamPlace);
        }
        final boolean setOperand = tokens.atName() && (tokens.peek(1).is("union") || tokens.peek(1).is("except") ||
            tokens.peek(1).is("minus") || tokens.peek(1).is("intersect") || tokens.peek(1).is("in") ||
            tokens.peek(1).is("not"));
        final boolean afterSet = tokens.atName() && tokens.unavailable().stream().anyMatch(
            refusal -> refusal.text().startsWith("the set operation"));
        if (!setOperand && !afterSet)
        {
            throw tokens.unexpected("SELECT", "select", "istream", "dstream", "rstream");
        }
        final SqlIdentifier name = tokens.name("a view or channel");
        return new Statement(toStream, toStreamPlace,
            List.of(new Item(SqlIdentifier.star(name.getParserPosition()), null)),
            List.of(new Source(name, Window.UNBOUNDED, null, null, null)), null, null, null, List.of(),
            name.getParserPosition());
    }

    private Statement select(final ToStream toStream, final SqlParserPos toStreamPlace)
    {
        final Token first = tokens.need("select");
        if (tokens.at("distinct"))
        {
            tokens.unavailable(tokens.next().place(), "DISTINCT", "");
        }
        final List<Item> items = new ArrayList<>();
        do
        {
            items.add(item());
        }
        while (tokens.take(","));
        if (!tokens.at("from"))
        {
            throw tokens.unexpected("',', AS or FROM", "from", "as");
        }
        tokens.next();
        final List<Source> sources = sources();
        final SqlNode where = tokens.take("where") ? expressions.parse() : null;
        List<SqlNode> groupBy = null;
        if (tokens.take("group"))
        {
            tokens.need("by");
            groupBy = new ArrayList<>();
            do
            {
                groupBy.add(expressions.parse());
            }
            while (tokens.take(","));
        }
        final SqlNode having = tokens.take("having") ? expressions.parse() : null;
        orderBy();
        return new Statement(toStream, toStreamPlace, items, sources, where, groupBy, having, List.of(),
            tokens.since(first));
    }

    private Item item()
    {
        final Token first = tokens.peek();
        if (tokens.take("*"))
        {
            return new Item(SqlIdentifier.star(first.place()), null);
        }
        if (tokens.atName() && tokens.peek(1).is(".") && tokens.peek(2).is("*"))
        {
            final SqlIdentifier qualifier = tokens.name("a source");
            tokens.next();
            tokens.next();
            return new Item(SqlIdentifier.star(List.of(qualifier.getSimple(), ""), tokens.since(first),
                List.of(qualifier.getParserPosition(), tokens.previous().place())), null);
        }
        final SqlNode expression = expressions.parse();
        return new Item(expression, tokens.take("as") ? tokens.name("a column name") : null);
    }

    private List<Source> sources()
    {
        final List<Source> sources = new ArrayList<>();
        sources.add(source());
        while (true)
        {
            final Token token = tokens.peek();
            if (tokens.take(","))
            {
                sources.add(source());
            }
            else if (tokens.at("full") && (tokens.peek(1).is("outer") || tokens.peek(1).is("join")))
            {
                tokens.next();
                tokens.take("outer");
                tokens.need("join");
                throw new Refusal(Message.FULL_OUTER_JOIN, tokens.since(token));
            }
            else if ((tokens.at("left") || tokens.at("right")) &&
                (tokens.peek(1).is("outer") || tokens.peek(1).is("join")))
            {
                tokens.next();
                tokens.take("outer");
                tokens.need("join");
                tokens.unavailable(tokens.since(token), "an outer join", "");
                sources.add(source());
                tokens.need("on");
                expressions.parse();
            }
            else if (tokens.at("inner", "join") || tokens.at("join"))
            {
                throw new Refusal(Message.NOT_AVAILABLE, token.place(), "JOIN",
                    "separate the sources with a comma and put the condition into WHERE");
            }
            else
            {
                return sources;
            }
        }
    }

    private Source source()
    {
        final Token first = tokens.peek();
        if (tokens.at("("))
        {
            throw new Refusal(Message.NOT_AVAILABLE, first.place(), "a sub-query in FROM", "use a view");
        }
        if (tokens.at("table", "("))
        {
            throw new Refusal(Message.NOT_AVAILABLE, first.place(), "TABLE( )", "");
        }
        final SqlIdentifier name = tokens.name("a channel, cache or view");
        Window window = Window.UNBOUNDED;
        SqlParserPos windowPlace = null;
        if (tokens.at("["))
        {
            final Token bracket = tokens.next();
            window = window(bracket);
            tokens.need("]");
            windowPlace = tokens.since(bracket);
        }
        Statement.Match match = null;
        if (tokens.at("match_recognize"))
        {
            match = new MatchParser(tokens, expressions).match();
        }
        else if (tokens.at("xmltable", "("))
        {
            throw new Refusal(Message.NOT_AVAILABLE, tokens.peek().place(), "XMLTABLE", "");
        }
        else if (tokens.at("("))
        {
            throw tokens.unexpected("a window, AS, WHERE or MATCH_RECOGNIZE");
        }
        return new Source(name, window, windowPlace, match, alias());
    }

    private SqlIdentifier alias()
    {
        if (tokens.take("as"))
        {
            return tokens.name("an alias");
        }
        if (tokens.peek().kind() == Token.Kind.QUOTED)
        {
            throw tokens.unexpected("AS before an alias");
        }
        if (tokens.atName() && !tokens.at("left") && !tokens.at("right") && !tokens.at("full") &&
            !tokens.at("inner") && !tokens.at("join") && !tokens.at("evaluate") && !tokens.at("difference"))
        {
            if (tokens.peek(1).is("(") || tokens.peek(1).is("by"))
            {
                throw tokens.unexpected("a clause", AFTER_SOURCE);
            }
            final Refusal misspelt = tokens.unexpected("AS before an alias, or a clause", AFTER_SOURCE);
            throw misspelt.message() == Message.MISSPELT_KEYWORD ? misspelt
                : misspelt.withHint("write AS " + tokens.peek().text());
        }
        return null;
    }

    private Window window(final Token bracket)
    {
        if (tokens.take("now"))
        {
            return Window.NOW;
        }
        if (tokens.take("range", "unbounded"))
        {
            return Window.UNBOUNDED;
        }
        String what = null;
        if (tokens.take("range"))
        {
            timeSpec();
            what = "a range window";
            if (tokens.take("on"))
            {
                tokens.name("a column name");
            }
            else
            {
                slideTime();
            }
        }
        else if (tokens.take("rows"))
        {
            count();
            if (tokens.take("slide"))
            {
                count();
            }
            what = "a rows window";
        }
        else if (tokens.at("partition"))
        {
            partitionWindow();
            what = "a partition window";
        }
        else if (tokens.atName() && tokens.peek(1).is("("))
        {
            tokens.next();
            tokens.next();
            while (!tokens.take(")"))
            {
                expressions.parse();
                if (!tokens.take(",") && !tokens.at(")"))
                {
                    throw tokens.unexpected("',' or ')'");
                }
            }
            what = "a user-defined window";
        }
        else
        {
            throw tokens.unexpected("NOW, RANGE, ROWS or PARTITION BY", "now", "range", "rows", "partition");
        }
        tokens.unavailable(TokenStream.span(bracket.place(), tokens.peek().place()), what,
            "available: [now] and [range unbounded]");
        return Window.UNBOUNDED;
    }

    private void partitionWindow()
    {
        tokens.next();
        tokens.need("by");
        do
        {
            expressions.parse();
        }
        while (tokens.take(","));
        tokens.need("rows");
        count();
        if (tokens.take("range"))
        {
            timeSpec();
            slideTime();
        }
    }

    private void slideTime()
    {
        if (tokens.take("slide"))
        {
            timeSpec();
        }
        else if (tokens.peek().kind() == Token.Kind.WORD)
        {
            throw tokens.unexpected("SLIDE, ON or ']'", "slide", "on");
        }
    }

    private void timeSpec()
    {
        timeSpec(tokens, expressions);
    }

    static void timeSpec(final TokenStream tokens, final ExpressionParser expressions)
    {
        if (tokens.peek().kind() != Token.Kind.NUMBER && !tokens.at(":") && !tokens.at("interval"))
        {
            throw tokens.unexpected("a length of time");
        }
        if (tokens.peek().kind() == Token.Kind.NUMBER)
        {
            tokens.next();
        }
        else
        {
            expressions.parse();
        }
        for (final String unit : UNITS)
        {
            if (tokens.take(unit))
            {
                return;
            }
        }
        final Refusal misspelt = tokens.unexpected("a time unit", UNITS);
        if (misspelt.message() == Message.MISSPELT_KEYWORD)
        {
            throw misspelt;
        }
    }

    private void count()
    {
        if (tokens.peek().kind() != Token.Kind.NUMBER && !tokens.at(":"))
        {
            throw tokens.unexpected("a number of rows");
        }
        if (tokens.at(":"))
        {
            expressions.parse();
        }
        else
        {
            tokens.next();
        }
    }

    private void orderBy()
    {
        if (!tokens.at("order"))
        {
            return;
        }
        final Token first = tokens.next();
        tokens.need("by");
        do
        {
            expressions.parse();
            if (!tokens.take("asc"))
            {
                tokens.take("desc");
            }
            if (tokens.take("nulls") && !tokens.take("first") && !tokens.take("last"))
            {
                throw tokens.unexpected("FIRST or LAST", "first", "last");
            }
        }
        while (tokens.take(","));
        if (tokens.take("rows"))
        {
            count();
            if (tokens.take("partition"))
            {
                tokens.need("by");
                do
                {
                    expressions.parse();
                }
                while (tokens.take(","));
            }
        }
        tokens.unavailable(tokens.since(first), "ORDER BY", "");
    }
}
