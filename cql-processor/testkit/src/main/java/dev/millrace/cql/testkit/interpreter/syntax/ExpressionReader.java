package dev.millrace.cql.testkit.interpreter.syntax;

import java.util.ArrayList;
import java.util.List;

/** Parses expressions and conditions. Lowest precedence first: or, xor, and, not, comparison, sum, product, sign. */
class ExpressionReader extends TokenReader
{
    private static final String LEAST = "9223372036854775808";

    ExpressionReader(final String text)
    {
        super(text);
    }

    final List<Expr> expressions()
    {
        final List<Expr> list = new ArrayList<>();
        do
        {
            list.add(expression());
        }
        while (take(","));
        return list;
    }

    final Expr expression()
    {
        Expr left = exclusive();
        while (take("or"))
        {
            left = new Expr.Logic("or", left, exclusive());
        }
        return left;
    }

    private Expr exclusive()
    {
        Expr left = both();
        while (take("xor"))
        {
            left = new Expr.Logic("xor", left, both());
        }
        return left;
    }

    private Expr both()
    {
        Expr left = negation();
        while (take("and"))
        {
            left = new Expr.Logic("and", left, negation());
        }
        return left;
    }

    private Expr negation()
    {
        return take("not") ? new Expr.Not(negation()) : comparison();
    }

    private Expr comparison()
    {
        final Expr left = sum();
        for (final String sign : new String[] {"=", "<>", "!=", "<=", ">=", "<", ">"})
        {
            if (take(sign))
            {
                return new Expr.Compare(sign.equals("!=") ? "<>" : sign, left, sum());
            }
        }
        if (take("is"))
        {
            final boolean negated = take("not");
            need("null");
            return new Expr.IsNull(left, negated);
        }
        final boolean negated = see("not", "like") || see("not", "between") || see("not", "in", "(")
            && !peek(3).is("select");
        if (negated)
        {
            need("not");
        }
        final Expr test = membership(left);
        return negated ? new Expr.Not(test) : test;
    }

    private Expr membership(final Expr left)
    {
        if (take("like"))
        {
            if (peek(0).kind() != Lexer.Kind.TEXT)
            {
                throw new InvalidStatementException("LIKE needs a constant pattern");
            }
            return new Expr.Like(left, next().text());
        }
        if (take("between"))
        {
            final Expr low = sum();
            need("and");
            return new Expr.Logic("and", new Expr.Compare(">=", left, low), new Expr.Compare("<=", left, sum()));
        }
        if (see("in", "(") && !peek(2).is("select"))
        {
            need("in", "(");
            final List<Expr> list = expressions();
            need(")");
            return new Expr.InList(left, list);
        }
        return left;
    }

    private Expr sum()
    {
        Expr left = product();
        while (see("+") || see("-") || see("||"))
        {
            final String sign = next().text();
            left = new Expr.Arith(sign, left, product());
        }
        return left;
    }

    private Expr product()
    {
        Expr left = signed();
        while (see("*") || see("/"))
        {
            final String sign = next().text();
            left = new Expr.Arith(sign, left, signed());
        }
        return left;
    }

    private Expr signed()
    {
        if (take("-"))
        {
            if (LEAST.equals(peek(0).text()))
            {
                next();
                return new Expr.Lit(Long.MIN_VALUE, Type.BIGINT, false);
            }
            return new Expr.Neg(signed());
        }
        return take("+") ? signed() : atom();
    }

    private Expr atom()
    {
        final Lexer.Token token = peek(0);
        switch (token.kind())
        {
            case NUMBER:
                next();
                return number(token.text());
            case TEXT:
                next();
                return new Expr.Lit(token.text().isEmpty() ? null : token.text(), Type.CHAR, false);
            case WORD:
            case QUOTED:
                return word();
            default:
                need("(");
                final Expr inner = expression();
                need(")");
                return inner;
        }
    }

    private static Expr number(final String text)
    {
        final char last = Character.toLowerCase(text.charAt(text.length() - 1));
        final String body = Character.isLetter(last) ? text.substring(0, text.length() - 1) : text;
        if (last == 'l')
        {
            return new Expr.Lit(whole(body), Type.BIGINT, false);
        }
        if (last == 'f')
        {
            return new Expr.Lit(Float.parseFloat(body), Type.FLOAT, false);
        }
        if (last == 'd' || !body.chars().allMatch(Character::isDigit))
        {
            return new Expr.Lit(Double.parseDouble(body), Type.DOUBLE, last != 'd');
        }
        final long value = whole(body);
        return value <= Integer.MAX_VALUE ? new Expr.Lit((int)value, Type.INT, false)
            : new Expr.Lit(value, Type.BIGINT, false);
    }

    private static long whole(final String digits)
    {
        try
        {
            return Long.parseLong(digits);
        }
        catch (final NumberFormatException tooLarge)
        {
            throw new InvalidStatementException("no bigint: " + digits);
        }
    }

    private Expr word()
    {
        if (take("null"))
        {
            return Expr.Lit.NULL;
        }
        if (!peek(1).is("(") && !peek(1).is(".") && (see("true") || see("false")))
        {
            return new Expr.Lit(next().is("true"), Type.BOOLEAN, false);
        }
        if (see("interval") && peek(1).kind() == Lexer.Kind.TEXT)
        {
            return interval();
        }
        if (see("case"))
        {
            return choice();
        }
        if ((see("final") || see("running")) && peek(1).kind() == Lexer.Kind.WORD && peek(2).is("("))
        {
            return next().is("final") ? new Expr.Final(call()) : call();
        }
        if (peek(1).is("(") && seeName())
        {
            return call();
        }
        final String name = name();
        if (take("."))
        {
            return new Expr.Col(name, name());
        }
        return new Expr.Col(null, name);
    }

    final Expr.Lit interval()
    {
        need("interval");
        final String text = next().text();
        final int from = field();
        if (from < 0)
        {
            return new Expr.Lit(Values.interval(text), Type.INTERVAL, false);
        }
        final int to = take("to") ? field() : from;
        if (to < from)
        {
            throw wrong();
        }
        return new Expr.Lit(Values.interval(text, from, to), Type.INTERVAL, false);
    }

    /** The index of a unit of an interval among days, hours, minutes and seconds; -1 for anything else. */
    private int field()
    {
        final int field = Values.FIELDS.indexOf(peek(0).text());
        if (field >= 0)
        {
            next();
            if (take("("))
            {
                next();
                if (take(","))
                {
                    next();
                }
                need(")");
            }
        }
        return field;
    }

    private Expr choice()
    {
        need("case");
        final Expr base = see("when") ? null : expression();
        final List<Expr> conditions = new ArrayList<>();
        final List<Expr> results = new ArrayList<>();
        while (take("when"))
        {
            final Expr when = expression();
            conditions.add(base == null ? when : new Expr.Compare("=", base, when));
            need("then");
            results.add(expression());
        }
        if (conditions.isEmpty())
        {
            throw wrong();
        }
        final Expr otherwise = take("else") ? expression() : Expr.Lit.NULL;
        need("end");
        return new Expr.Case(conditions, results, otherwise);
    }

    private Expr call()
    {
        final String name = name();
        need("(");
        if (name.equals("cast"))
        {
            final Expr value = expression();
            need("as");
            final Type type = Type.of(name());
            need(")");
            return new Expr.Call(Expr.CAST + type.name(), false, List.of(value));
        }
        final boolean distinct = take("distinct");
        final List<Expr> arguments = new ArrayList<>();
        if (!take(")"))
        {
            do
            {
                arguments.add(argument());
            }
            while (take(","));
            need(")");
        }
        final Expr.Call call = new Expr.Call(name, distinct, arguments);
        if (!take("filter", "("))
        {
            return call;
        }
        need("where");
        final Expr condition = expression();
        need(")");
        return new Expr.Filtered(call, condition);
    }

    private Expr argument()
    {
        if (take("*"))
        {
            return new Expr.Star(null);
        }
        if (seeName() && peek(1).is(".") && peek(2).is("*"))
        {
            final String name = name();
            need(".", "*");
            return new Expr.Star(name);
        }
        return expression();
    }
}
