package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.language.syntax.Query.OrderBy;
import dev.millrace.cql.language.syntax.Query.OrderTerm;
import dev.millrace.cql.language.syntax.Query.SetKind;
import dev.millrace.cql.language.syntax.Statement.Item;
import dev.millrace.cql.language.syntax.Statement.Period;
import dev.millrace.cql.language.syntax.Statement.ToStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Parses a statement: the operators around the query, set operations, select blocks. Single use, not thread-safe. */
public final class StatementParser
{
    private static final String[] AFTER_ALL = {"and", "or", "xor", "between", "is", "not", "where", "group", "having",
        "order", "union", "except", "minus", "intersect", "difference", "evaluate"};

    private final TokenStream tokens;
    private final ExpressionParser expressions;
    private final SourceParser sources;
    private final RowNumbers numbers = new RowNumbers();
    /** Whether the last select had ORDER BY. */
    private boolean ordered;

    private StatementParser(final String text, final List<String> parameters, final boolean view)
    {
        tokens = new TokenStream(text, parameters, view);
        expressions = new ExpressionParser(tokens);
        sources = new SourceParser(tokens, expressions, this::streamOrBody);
    }

    /**
     * Parses the statement of a rule with the values of its placeholders.
     *
     * @param rule a view or query
     * @return syntax tree
     * @throws CqlRuleException if the text is not a statement, or a placeholder has no value
     */
    public static Statement parse(final RuleText rule)
    {
        return new StatementParser(rule.text(), rule.parameters(), rule.view()).statement();
    }

    /**
     * Valid but probably unintended constructs in the text of a rule.
     *
     * @param rule a view or query
     * @return warnings in order of the text
     * @throws CqlRuleException if the text is not a statement
     */
    public static List<CqlRuleException> warnings(final RuleText rule)
    {
        final StatementParser parser = new StatementParser(rule.text(), rule.parameters(), rule.view());
        parser.statement();
        return parser.tokens.warnings();
    }

    /**
     * Parses a statement without placeholders.
     *
     * @throws CqlRuleException if the text is not a statement
     */
    public static Statement parse(final String text)
    {
        return new StatementParser(text, null, false).statement();
    }

    /**
     * Parses a value, such as a partition expression.
     *
     * @throws CqlRuleException if the text is not a value
     */
    public static SqlNode parseExpression(final String text)
    {
        final StatementParser parser = new StatementParser(text, null, false);
        final SqlNode node = parser.expressions.parse();
        parser.end();
        return node;
    }

    private Statement statement()
    {
        final Token first = tokens.peek();
        final Statement inner = streamOrBody();
        final Period every = evaluateEvery();
        final SqlParserPos position = tokens.since(first);
        end();
        numbers.check();
        tokens.checkParameters();
        return new Statement(inner.toStream(), inner.toStreamPosition(), inner.differenceUsing(),
            inner.differencePosition(), inner.query(), every, position);
    }

    /** A query, possibly with a relation-to-stream operator. */
    private Statement streamOrBody()
    {
        final Token first = tokens.peek();
        final ToStream toStream = toStream(first);
        final List<SqlNode> difference = new ArrayList<>();
        SqlParserPos differencePosition = null;
        final Query query;
        if (toStream == ToStream.NONE)
        {
            query = body();
        }
        else
        {
            tokens.next();
            tokens.need("(");
            query = body();
            tokens.need(")");
            differencePosition = differenceUsing(toStream, difference);
        }
        return new Statement(toStream, toStream == ToStream.NONE ? null : first.position(), difference,
            differencePosition, query, null, tokens.since(first));
    }

    private ToStream toStream(final Token first)
    {
        if ((first.is("istream") || first.is("dstream") || first.is("rstream")) && tokens.peek(1).is("select"))
        {
            tokens.next();
            throw tokens.unexpected("'('");
        }
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
            final CqlRuleException misspelt = tokens.unexpected("the end of the statement", AFTER_ALL);
            final String foreign = ForeignForms.limit(tokens, ordered);
            throw misspelt.message() == Message.MISSPELT_KEYWORD && foreign == null ? misspelt
                : new CqlRuleException(Message.TEXT_AFTER_END, tokens.peek().position(),
                tokens.peek().shown()).withHint(foreign);
        }
    }

    private SqlParserPos differenceUsing(final ToStream toStream, final List<SqlNode> terms)
    {
        if (!tokens.at("difference"))
        {
            return null;
        }
        final Token first = tokens.next();
        tokens.need("using");
        tokens.need("(");
        expressions(terms);
        tokens.need(")");
        final SqlParserPos position = tokens.since(first);
        if (toStream == ToStream.RSTREAM)
        {
            throw new CqlRuleException(Message.DIFFERENCE_AFTER_RSTREAM, position);
        }
        return position;
    }

    private Period evaluateEvery()
    {
        if (!tokens.at("evaluate"))
        {
            return null;
        }
        tokens.next();
        tokens.need("every");
        return WindowSizeParser.period(tokens);
    }

    private void expressions(final List<SqlNode> list)
    {
        do
        {
            list.add(expressions.parse());
            checkColumns(list.size(), list.get(list.size() - 1));
        }
        while (tokens.take(","));
    }

    private Query body()
    {
        tokens.enter();
        Token first = tokens.peek();
        final Token start = first;
        Query query = operand();
        OrderBy last = null;
        boolean compound = false;
        while (true)
        {
            final Token operator = tokens.peek();
            final SetKind kind = setKind();
            if (kind == null)
            {
                break;
            }
            if (!first.is("(") && query instanceof Query.Select ordered && ordered.orderBy() != null || last != null)
            {
                throw new CqlRuleException(Message.ORDER_NOT_LAST, last == null ? query.orderBy().position() :
                    last.position());
            }
            final SqlParserPos position = tokens.since(operator);
            first = tokens.peek();
            Query right = operand();
            if (!first.is("(") && right instanceof Query.Select select)
            {
                last = select.orderBy();
                right = select.withoutOrder();
            }
            query = new Query.SetOperation(kind, query, right, null, position, tokens.since(start));
            tokens.countChain();
            compound = true;
        }
        if (compound)
        {
            last = last == null ? orderBy() : last;
            final Query.SetOperation whole = (Query.SetOperation) query;
            query = new Query.SetOperation(whole.kind(), whole.left(), whole.right(), last, whole.operatorPosition(),
                tokens.since(start));
        }
        tokens.leave();
        return query;
    }

    private SetKind setKind()
    {
        if (tokens.take("union"))
        {
            return tokens.take("all") ? SetKind.UNION_ALL : SetKind.UNION;
        }
        if (tokens.take("not", "in"))
        {
            return SetKind.NOT_IN;
        }
        for (final SetKind kind : new SetKind[]{SetKind.EXCEPT, SetKind.MINUS, SetKind.INTERSECT, SetKind.IN})
        {
            if (tokens.take(kind.name().toLowerCase(Locale.ROOT)))
            {
                return kind;
            }
        }
        return null;
    }

    private Query operand()
    {
        if (tokens.take("("))
        {
            final Query inner = body();
            tokens.need(")");
            return inner;
        }
        if (tokens.at("select"))
        {
            return select();
        }
        if (!tokens.atName() || !aloneIsPossible())
        {
            throw tokens.at("istream") || tokens.at("dstream") || tokens.at("rstream") ? tokens.unexpected("SELECT")
                : tokens.unexpected("SELECT", "select", "istream", "dstream", "rstream");
        }
        return new Query.SourceRef(tokens.name("a view or channel"));
    }

    /** A single name can only be a query at the end, before a bracket or next to a set operation. */
    private boolean aloneIsPossible()
    {
        final Token next = tokens.peek(1);
        return next.kind() == Token.Kind.END || next.is(")") || next.is("union") || next.is("except") ||
            next.is("minus") || next.is("intersect") || next.is("in") || next.is("order") || next.is("evaluate") ||
            next.is("not") && tokens.peek(2).is("in");
    }

    private Query.Select select()
    {
        final Token first = tokens.need("select");
        final boolean distinct = tokens.take("distinct");
        final String top = ForeignForms.top(tokens);
        if (top != null)
        {
            throw new CqlRuleException(Message.UNEXPECTED_TOKEN, tokens.peek().position(), tokens.peek().shown(),
                "a column")
                .withHint(top);
        }
        final List<Item> items = new ArrayList<>();
        RowNumbers.Numbers number = null;
        do
        {
            if (number == null && RowNumbers.isNext(tokens))
            {
                number = RowNumbers.parse(tokens, expressions, this::orderTerm);
                continue;
            }
            items.add(item());
            checkColumns(items.size(), items.get(items.size() - 1).expression());
        }
        while (tokens.take(","));
        if (!tokens.at("from"))
        {
            throw beforeFrom();
        }
        tokens.next();
        final List<Source> from = sources.sources();
        final SqlNode where = tokens.take("where") ? expressions.parse() : null;
        List<SqlNode> groupBy = null;
        if (tokens.take("group"))
        {
            tokens.need("by");
            groupBy = new ArrayList<>();
            expressions(groupBy);
        }
        final SqlNode having = tokens.take("having") ? expressions.parse() : null;
        final OrderBy orderBy = orderBy();
        final Query.Select select = numbers.bounded(
            new Query.Select(distinct, items, from, where, groupBy, having, orderBy, tokens.since(first)));
        return number == null ? select : numbers.numbered(select, number);
    }

    private CqlRuleException beforeFrom()
    {
        final Token token = tokens.peek();
        final CqlRuleException refusal = tokens.unexpected("',', AS or FROM", "from", "as");
        final boolean alias = tokens.atName() && (tokens.peek(1).is(",") || tokens.peek(1).is("from"));
        return refusal.message() == Message.UNEXPECTED_TOKEN && alias ? refusal.withHint("write AS " + token.text())
            : refusal;
    }

    private static void checkColumns(final int columns, final SqlNode last)
    {
        if (columns > Message.MAX_COLUMNS)
        {
            throw new CqlRuleException(Message.TOO_MANY_COLUMNS, last.getParserPosition(),
                "more than " + Message.MAX_COLUMNS, Message.MAX_COLUMNS);
        }
    }

    private Item item()
    {
        final Token first = tokens.peek();
        if (tokens.take("*"))
        {
            return new Item(SqlIdentifier.star(first.position()), null);
        }
        if (tokens.atName() && tokens.peek(1).is(".") && tokens.peek(2).is("*"))
        {
            final SqlIdentifier qualifier = tokens.name("a source");
            tokens.next();
            tokens.next();
            return new Item(SqlIdentifier.star(List.of(qualifier.getSimple(), ""), tokens.since(first),
                List.of(qualifier.getParserPosition(), tokens.previous().position())), null);
        }
        final SqlNode expression = expressions.parse();
        // The manual's examples of XMLQUERY omit AS.
        final boolean alias = XmlExpressionParser.isXml(expression) && tokens.atName() &&
            (tokens.peek(1).is(",") || tokens.peek(1).is("from"));
        return new Item(expression, tokens.take("as") || alias ? tokens.name("a column name") : null);
    }

    private OrderBy orderBy()
    {
        ordered = tokens.at("order");
        if (!ordered)
        {
            return null;
        }
        final Token first = tokens.next();
        tokens.need("by");
        final List<OrderTerm> terms = new ArrayList<>();
        do
        {
            terms.add(orderTerm());
            checkColumns(terms.size(), terms.get(terms.size() - 1).value());
        }
        while (tokens.take(","));
        long rows = 0;
        final List<SqlNode> partitionBy = new ArrayList<>();
        if (tokens.take("rows"))
        {
            rows = WindowSizeParser.count(tokens, "ROWS");
            if (tokens.take("partition"))
            {
                tokens.need("by");
                expressions(partitionBy);
            }
        }
        return new OrderBy(terms, rows, partitionBy, tokens.since(first));
    }

    private OrderTerm orderTerm()
    {
        final SqlNode value = expressions.parse();
        final boolean descending = tokens.take("desc");
        if (!descending)
        {
            tokens.take("asc");
        }
        boolean nullsFirst = descending;
        if (tokens.take("nulls"))
        {
            nullsFirst = tokens.take("first");
            if (!nullsFirst && !tokens.take("last"))
            {
                throw tokens.unexpected("FIRST or LAST", "first", "last");
            }
        }
        return new OrderTerm(value, descending, nullsFirst);
    }
}
