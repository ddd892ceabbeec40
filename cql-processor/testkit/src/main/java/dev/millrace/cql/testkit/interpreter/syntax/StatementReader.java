package dev.millrace.cql.testkit.interpreter.syntax;

import java.util.ArrayList;
import java.util.List;

/** Parses a statement. */
public final class StatementReader extends MatchReader
{
    public StatementReader(final String text)
    {
        super(text);
    }

    public SyntaxTree.Statement statement()
    {
        final SyntaxTree.Statement statement = part();
        if (!atEnd())
        {
            throw wrong();
        }
        return statement;
    }

    private SyntaxTree.Statement part()
    {
        String stream = null;
        for (final String word : new String[] {"istream", "dstream", "rstream"})
        {
            stream = see(word, "(") ? word : stream;
        }
        if (stream == null)
        {
            return new SyntaxTree.Statement(null, body(), null, every());
        }
        need(stream, "(");
        final SyntaxTree.Body body = body();
        need(")");
        List<Object> difference = null;
        if (take("difference"))
        {
            need("using", "(");
            difference = new ArrayList<>();
            do
            {
                difference.add(peek(0).kind() == Lexer.Kind.NUMBER ? (Object)integer() : name());
            }
            while (take(","));
            need(")");
            if (stream.equals("rstream"))
            {
                throw new InvalidStatementException("DIFFERENCE USING only after IStream or DStream");
            }
        }
        return new SyntaxTree.Statement(stream, body, difference, every());
    }

    private long every()
    {
        if (!take("evaluate", "every"))
        {
            return 0;
        }
        final long ns = time().ns();
        if (ns < 1)
        {
            throw new InvalidStatementException("EVALUATE EVERY must be positive");
        }
        return ns;
    }

    private SyntaxTree.Body body()
    {
        SyntaxTree.Body left = operand();
        while (true)
        {
            String word = null;
            for (final String kind : new String[] {"union", "except", "minus", "intersect", "in"})
            {
                word = take(kind) ? kind : word;
            }
            if (take("not", "in"))
            {
                word = "not in";
            }
            if (word == null)
            {
                return left;
            }
            if (word.equals("union") && take("all"))
            {
                word = "union all";
            }
            if (left instanceof SyntaxTree.Ordered || hasOrder(left))
            {
                throw new InvalidStatementException("ORDER BY only in the last component");
            }
            final SyntaxTree.Body right = operand();
            if (hasOrder(right))
            {
                final SyntaxTree.Select select = (SyntaxTree.Select)right;
                left = new SyntaxTree.Ordered(new SyntaxTree.SetOp(word, left, select.withoutOrder()), select.order());
            }
            else
            {
                left = new SyntaxTree.SetOp(word, left, right);
            }
        }
    }

    private static boolean hasOrder(final SyntaxTree.Body body)
    {
        return body instanceof SyntaxTree.Select select && !select.bracketed() && select.order() != null;
    }

    private SyntaxTree.Body operand()
    {
        if (see("select"))
        {
            return select();
        }
        if (take("("))
        {
            final SyntaxTree.Body inner = body();
            need(")");
            return inner instanceof SyntaxTree.Select select ? select.inBrackets() : inner;
        }
        return new SyntaxTree.Ref(name());
    }

    private SyntaxTree.Select select()
    {
        need("select");
        final boolean distinct = take("distinct");
        final List<SyntaxTree.Item> items = new ArrayList<>();
        do
        {
            items.add(item());
        }
        while (take(","));
        need("from");
        final SyntaxTree.From from = from();
        final Expr where = take("where") ? expression() : null;
        final List<Expr> group = take("group", "by") ? expressions() : null;
        final Expr having = take("having") ? expression() : null;
        return new SyntaxTree.Select(distinct, items, from, where, group, having, take("order", "by") ? order() : null,
            false);
    }

    private SyntaxTree.Item item()
    {
        if (take("*"))
        {
            return new SyntaxTree.Item(new Expr.Star(null), null);
        }
        if (seeName() && peek(1).is(".") && peek(2).is("*"))
        {
            final String name = name();
            need(".", "*");
            return new SyntaxTree.Item(new Expr.Star(name), null);
        }
        if (see("row_number", "(", ")", "over"))
        {
            need("row_number", "(", ")", "over", "(");
            final List<Expr> partition = take("partition", "by") ? expressions() : List.of();
            need("order", "by");
            final Expr.Order order = order();
            need(")", "as");
            return new SyntaxTree.Item(new Expr.RowNumber(new Expr.Order(order.terms(), 0, partition)), name());
        }
        final Expr expr = expression();
        return new SyntaxTree.Item(expr, take("as") ? name() : null);
    }

    private Expr.Order order()
    {
        final List<Expr.Term> terms = new ArrayList<>();
        do
        {
            final Expr expr = expression();
            final boolean descending = take("desc");
            if (!descending)
            {
                take("asc");
            }
            boolean nullsFirst = descending;
            if (take("nulls"))
            {
                nullsFirst = take("first");
                if (!nullsFirst)
                {
                    need("last");
                }
            }
            terms.add(new Expr.Term(expr, descending, nullsFirst));
        }
        while (take(","));
        long rows = 0;
        List<Expr> partition = List.of();
        if (take("rows"))
        {
            rows = integer();
            if (rows < 1)
            {
                throw new InvalidStatementException("ROWS must be at least 1");
            }
            partition = take("partition", "by") ? expressions() : partition;
        }
        return new Expr.Order(terms, rows, partition);
    }

    private SyntaxTree.From from()
    {
        SyntaxTree.From left = source();
        while (true)
        {
            if (take(","))
            {
                left = new SyntaxTree.Cross(left, source());
            }
            else if (see("left", "outer") || see("right", "outer"))
            {
                final boolean right = next().is("right");
                need("outer", "join");
                final SyntaxTree.From second = source();
                need("on");
                left = new SyntaxTree.Outer(right, left, second, expression());
            }
            else
            {
                return left;
            }
        }
    }

    private SyntaxTree.From source()
    {
        if (see("table", "("))
        {
            throw new InvalidStatementException("a TABLE function that is not joined with a stream, or is unknown");
        }
        if (take("("))
        {
            final SyntaxTree.Statement inner = part();
            need(")", "as");
            return new SyntaxTree.Sub(inner, name());
        }
        final String name = name();
        if (take("match_recognize"))
        {
            need("(");
            final SyntaxTree.Match match = match();
            need(")");
            if (!take("as") && !seeName())
            {
                throw wrong();
            }
            return new SyntaxTree.Matched(name, match, name());
        }
        final SyntaxTree.Window window = see("[") ? window() : null;
        return new SyntaxTree.Named(name, window, take("as") ? name() : name);
    }

    private SyntaxTree.Window window()
    {
        need("[");
        final SyntaxTree.Window window;
        if (take("now"))
        {
            window = SyntaxTree.Window.range(1, 0);
        }
        else if (take("rows"))
        {
            final long rows = integer();
            final long step = take("slide") ? integer() : 1;
            if (rows < 1 || step < 1)
            {
                throw new InvalidStatementException("ROWS and SLIDE must be at least 1");
            }
            window = new SyntaxTree.Window(SyntaxTree.WindowKind.ROWS, 0, 0, rows, step, List.of(), null, false);
        }
        else if (take("range"))
        {
            window = range();
        }
        else if (take("session", "gap"))
        {
            final long gap = positive(time().ns());
            final List<String> columns = take("partition", "by") ? names() : List.of();
            window = new SyntaxTree.Window(SyntaxTree.WindowKind.SESSION, gap, 0, 0, 1, columns, null, false);
        }
        else
        {
            need("partition", "by");
            final List<String> columns = names();
            need("rows");
            final long rows = integer();
            final long range = take("range") ? positive(time().ns()) : 0;
            final long slide = range > 0 && take("slide") ? positive(time().ns()) : 0;
            window = new SyntaxTree.Window(SyntaxTree.WindowKind.PARTITION, range, slide, positive(rows), 1, columns,
                null, false);
        }
        need("]");
        return window;
    }

    private static long positive(final long number)
    {
        if (number < 1)
        {
            throw new InvalidStatementException("a window's numbers must be positive");
        }
        return number;
    }

    private SyntaxTree.Window range()
    {
        if (take("unbounded"))
        {
            return new SyntaxTree.Window(SyntaxTree.WindowKind.UNBOUNDED, 0, 0, 0, 1, List.of(), null, false);
        }
        if (take("until"))
        {
            return new SyntaxTree.Window(SyntaxTree.WindowKind.UNTIL, 0, 0, 0, 1, List.of(name()), null, false);
        }
        if (see("interval"))
        {
            final long ns = (Long)interval().value();
            need("on");
            return new SyntaxTree.Window(SyntaxTree.WindowKind.VALUE, positive(ns), 0, 0, 1, List.of(name()),
                java.math.BigDecimal.valueOf(ns), true);
        }
        final Time time = time();
        if (take("on"))
        {
            final java.math.BigDecimal value = time.unit() ? java.math.BigDecimal.valueOf(time.ns()) : time.number();
            positive(value.signum());
            return new SyntaxTree.Window(SyntaxTree.WindowKind.VALUE, 0, 0, 0, 1, List.of(name()), value, time.unit());
        }
        return SyntaxTree.Window.range(positive(time.ns()), take("slide") ? positive(time().ns()) : 0);
    }
}
