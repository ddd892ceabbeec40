package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.functions.XQueryCheck;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.Source.XmlColumn;
import dev.millrace.cql.language.syntax.Statement.Item;
import dev.millrace.cql.language.syntax.Statement.Period;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Parses FROM: sources, windows, joins. Single use, not thread-safe. */
final class SourceParser
{
    /** Words that may follow a source, for hints. */
    static final String[] AFTER_SOURCE = {"where", "group", "having", "order", "as", "match_recognize", "xmltable",
        "union", "except", "minus", "intersect", "left", "right", "difference", "evaluate"};

    private final TokenStream tokens;
    private final ExpressionParser expressions;
    private final Supplier<Statement> queries;

    SourceParser(final TokenStream tokens, final ExpressionParser expressions, final Supplier<Statement> queries)
    {
        this.tokens = tokens;
        this.expressions = expressions;
        this.queries = queries;
    }

    List<Source> sources()
    {
        final List<Source> sources = new ArrayList<>();
        do
        {
            sources.add(joined());
        }
        while (tokens.take(","));
        return sources;
    }

    private Source joined()
    {
        Source left = source();
        while (true)
        {
            final Token token = tokens.peek();
            final boolean join = tokens.peek(1).is("outer") || tokens.peek(1).is("join");
            if (tokens.at("full") && join)
            {
                tokens.next();
                tokens.take("outer");
                tokens.need("join");
                throw new CqlRuleException(Message.FULL_OUTER_JOIN, tokens.since(token));
            }
            if ((tokens.at("left") || tokens.at("right")) && join)
            {
                tokens.next();
                tokens.take("outer");
                tokens.need("join");
                final SqlParserPos position = tokens.since(token);
                final Source right = source();
                tokens.need("on");
                left = new Source.OuterJoin(left, token.is("left"), right, expressions.parse(), position);
                tokens.countChain();
            }
            else if (tokens.at("inner", "join") || tokens.at("join") || tokens.at("cross", "join"))
            {
                tokens.take("inner");
                tokens.take("cross");
                tokens.next();
                throw new CqlRuleException(Message.INNER_JOIN, tokens.since(token), tokens.shownSince(token));
            }
            else
            {
                return left;
            }
        }
    }

    private Source source()
    {
        final Token first = tokens.peek();
        if (tokens.take("("))
        {
            final Statement query = queries.get();
            tokens.need(")");
            final SqlParserPos position = tokens.since(first);
            if (!tokens.at("as"))
            {
                throw tokens.unexpected("AS and a name for the sub-query", "as");
            }
            return new Source.SubQuery(query, alias(), position);
        }
        if (tokens.at("table", "(") && ForeignForms.isWindowFunction(tokens.peek(2).text()))
        {
            tokens.next();
            tokens.next();
        }
        final String foreign = ForeignForms.windowFunction(tokens);
        if (foreign != null)
        {
            throw new CqlRuleException(Message.UNEXPECTED_TOKEN, tokens.peek().position(), tokens.peek().shown(),
                "a channel, cache or view").withHint(foreign);
        }
        if (tokens.at("table", "("))
        {
            return tableFunction(first);
        }
        final SqlIdentifier name = tokens.name("a channel, cache or view");
        final String view = ForeignForms.view(tokens, first);
        if (view != null)
        {
            throw tokens.unexpected("a window in brackets").withHint(view);
        }
        Window window = new Window.Unbounded();
        SqlParserPos windowPosition = null;
        if (tokens.at("["))
        {
            final Token bracket = tokens.next();
            window = window();
            tokens.need("]");
            windowPosition = tokens.since(bracket);
        }
        if (tokens.at("match_recognize"))
        {
            final MatchClause match = new MatchParser(tokens, expressions).match();
            return new Source.MatchSource(name, windowPosition, match, alias());
        }
        if (tokens.at("xmltable", "("))
        {
            return xmlTable(new Source.NamedSource(name, window, windowPosition, null));
        }
        if (tokens.at("("))
        {
            throw tokens.unexpected("a window, AS, WHERE or MATCH_RECOGNIZE");
        }
        return new Source.NamedSource(name, window, windowPosition, alias());
    }

    private Source tableFunction(final Token first)
    {
        tokens.next();
        tokens.need("(");
        final SqlNode call = expressions.parse();
        SqlIdentifier column = null;
        SqlIdentifier type = null;
        if (tokens.take("as"))
        {
            column = tokens.name("a column name");
            type = tokens.take("of") ? expressions.dottedName("a type") : null;
        }
        tokens.need(")");
        final SqlParserPos position = tokens.since(first);
        return new Source.TableFunction(call, column, type, alias(), position);
    }

    private Source xmlTable(final Source.NamedSource input)
    {
        final Token first = tokens.next();
        tokens.need("(");
        final List<Item> namespaces = new ArrayList<>();
        if (tokens.take("xmlnamespaces"))
        {
            namespaces(namespaces);
            tokens.take(",");
        }
        final Token query = string("a string with the XQuery");
        final List<Item> passing = tokens.take("passing") ? expressions.passing() : List.of();
        if (!tokens.take("columns"))
        {
            throw tokens.unexpected("COLUMNS", "passing", "columns");
        }
        final List<XmlColumn> columns = new ArrayList<>();
        do
        {
            final SqlIdentifier name = tokens.name("a column name");
            final SqlIdentifier type = expressions.dottedName("a type");
            if (tokens.take("("))
            {
                WindowSizeParser.number(tokens, "a length");
                tokens.need(")");
            }
            tokens.need("path");
            final Token path = string("a string with the path");
            columns.add(new XmlColumn(name, type, path.text(), path.position()));
        }
        while (tokens.take(","));
        tokens.need(")");
        final SqlParserPos position = tokens.since(first);
        final Source.XmlTable table =
            new Source.XmlTable(input, namespaces, query.text(), query.position(), passing, columns, alias(), position);
        final List<String> names = passing.stream().map(item -> item.alias().getSimple()).toList();
        XQueryCheck.check(table.query(), table.namespaceTexts(), names, table.queryPosition());
        columns.forEach(column ->
            XQueryCheck.check(column.path(), table.namespaceTexts(), names, column.pathPosition()));
        return table;
    }

    private void namespaces(final List<Item> namespaces)
    {
        tokens.need("(");
        do
        {
            final boolean unnamed = tokens.take("default");
            final Token uri = string("a string with the namespace");
            final SqlIdentifier prefix;
            if (unnamed)
            {
                prefix = null;
            }
            else
            {
                tokens.need("as");
                prefix = expressions.nameOrString("a prefix");
            }
            namespaces.add(new Item(ExpressionParser.string(uri), prefix));
        }
        while (tokens.take(","));
        tokens.need(")");
    }

    private Token string(final String what)
    {
        if (tokens.peek().kind() != Token.Kind.STRING)
        {
            throw tokens.unexpected(what);
        }
        return tokens.next();
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
            !tokens.at("inner") && !tokens.at("join") && !tokens.at("cross") && !tokens.at("evaluate") &&
            !tokens.at("difference"))
        {
            if (tokens.peek(1).is("(") || tokens.peek(1).is("by"))
            {
                throw tokens.unexpected("a clause", AFTER_SOURCE);
            }
            final String limit = ForeignForms.limit(tokens, false);
            if (limit != null)
            {
                throw tokens.unexpected("a clause").withHint(limit);
            }
            final CqlRuleException misspelt =
                tokens.unexpected("AS before an alias, or a clause", AFTER_SOURCE);
            throw misspelt.message() == Message.MISSPELT_KEYWORD ? misspelt
                : misspelt.withHint("write AS " + tokens.peek().text());
        }
        return null;
    }

    private Window window()
    {
        if (tokens.take("now"))
        {
            return new Window.Now();
        }
        if (tokens.take("range", "unbounded"))
        {
            return new Window.Unbounded();
        }
        if (tokens.take("range", "until"))
        {
            return new Window.Until(expressions.dottedName("a column name"));
        }
        if (tokens.take("range"))
        {
            return range();
        }
        if (tokens.take("rows"))
        {
            final long rows = WindowSizeParser.count(tokens, "ROWS");
            return new Window.Rows(rows, tokens.take("slide") ? WindowSizeParser.count(tokens, "SLIDE") : 1);
        }
        if (tokens.take("partition"))
        {
            return partition();
        }
        if (tokens.at("session") && !tokens.peek(1).is("("))
        {
            return session();
        }
        if (tokens.atName() && tokens.peek(1).is("("))
        {
            final SqlIdentifier name = tokens.name("a window");
            tokens.next();
            final List<SqlNode> arguments = new ArrayList<>();
            if (!tokens.take(")"))
            {
                do
                {
                    arguments.add(expressions.parse());
                }
                while (tokens.take(","));
                tokens.need(")");
            }
            return new Window.User(name, arguments);
        }
        throw tokens.unexpected(
            "NOW, RANGE, ROWS, PARTITION BY or SESSION", "now", "range", "rows", "partition", "session");
    }

    private Window range()
    {
        final Token first = tokens.peek();
        if (tokens.at("interval"))
        {
            final Period period = WindowSizeParser.period(tokens);
            return tokens.take("on")
                ? new Window.ValueRange(BigDecimal.valueOf(period.ns()), true, tokens.name("a column name"))
                : new Window.Range(period, slide());
        }
        if (tokens.atName() && TimeUnitNames.isUnit(tokens.peek(1)))
        {
            throw tokens.unexpected("a duration")
                .withHint("the length of a window is a constant, the same for all rows; write [range until COLUMN] " +
                    "for a time at which each row leaves");
        }
        final BigDecimal number = WindowSizeParser.number(tokens, "a duration");
        final Long unit = WindowSizeParser.unit(tokens);
        final SqlParserPos position = tokens.since(first);
        if (unit == null && !tokens.at("on") && first.text().toLowerCase(Locale.ROOT).endsWith("d"))
        {
            throw new CqlRuleException(Message.BAD_NUMBER, position, first.text())
                .withHint(TimeUnitNames.durationHint(first.text()));
        }
        if (tokens.take("on"))
        {
            if (number.signum() == 0)
            {
                throw new CqlRuleException(Message.NOT_POSITIVE, position, "RANGE", first.text());
            }
            final BigDecimal range =
                unit == null ? number : BigDecimal.valueOf(WindowSizeParser.period(number, unit, position).ns());
            return new Window.ValueRange(range, unit != null, tokens.name("a column name"));
        }
        return new Window.Range(WindowSizeParser.period(number, unit == null ? 1_000_000_000L : unit, position),
            slide());
    }

    private Window session()
    {
        tokens.next();
        tokens.need("gap");
        final Period gap = WindowSizeParser.period(tokens);
        if (tokens.take("partition"))
        {
            return new Window.Session(gap, partitionColumns());
        }
        if (tokens.peek().kind() == Token.Kind.WORD)
        {
            throw tokens.unexpected("PARTITION BY or ']'", "partition");
        }
        return new Window.Session(gap, List.of());
    }

    private List<SqlIdentifier> partitionColumns()
    {
        tokens.need("by");
        final List<SqlIdentifier> columns = new ArrayList<>();
        do
        {
            columns.add(expressions.dottedName("a column name"));
        }
        while (tokens.take(","));
        return columns;
    }

    private Window partition()
    {
        final List<SqlIdentifier> columns = partitionColumns();
        tokens.need("rows");
        final long rows = WindowSizeParser.count(tokens, "ROWS");
        final Period range = tokens.take("range") ? WindowSizeParser.period(tokens) : null;
        return new Window.PartitionRows(columns, rows, range, range == null ? null : slide());
    }

    private Period slide()
    {
        if (tokens.take("slide"))
        {
            return WindowSizeParser.period(tokens);
        }
        if (tokens.peek().kind() == Token.Kind.WORD)
        {
            throw tokens.unexpected("SLIDE, ON or ']'", "slide", "on");
        }
        return null;
    }
}
