package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.Expr;
import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import dev.millrace.cql.testkit.interpreter.syntax.Values;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Conditions in three-valued logic: TRUE, FALSE and null for unknown. */
final class Conditions
{
    private final Function<Expr, TypedExpression> binder;

    Conditions(final Function<Expr, TypedExpression> binder)
    {
        this.binder = binder;
    }

    TypedExpression bind(final Expr expr)
    {
        if (expr instanceof Expr.Logic logic)
        {
            return logic(logic.word(), truth(logic.left()), truth(logic.right()));
        }
        if (expr instanceof Expr.Not not)
        {
            final TypedExpression operand = truth(not.operand());
            return condition(env -> {
                final Object value = operand.eval().of(env);
                return value == null ? null : !(Boolean)value;
            });
        }
        if (expr instanceof Expr.Compare compare)
        {
            return compare(compare.sign(), binder.apply(compare.left()), binder.apply(compare.right()));
        }
        if (expr instanceof Expr.IsNull isNull)
        {
            final TypedExpression operand = binder.apply(isNull.operand());
            return condition(env -> operand.eval().of(env) == null != isNull.negated());
        }
        if (expr instanceof Expr.Like like)
        {
            final Pattern pattern = Pattern.compile(like.pattern());
            final TypedExpression operand = binder.apply(like.operand()).to(Type.CHAR);
            return condition(env -> {
                final Object value = operand.eval().of(env);
                return value == null ? null : pattern.matcher((String)value).find();
            });
        }
        return in((Expr.InList)expr);
    }

    private TypedExpression truth(final Expr expr)
    {
        final TypedExpression typed = binder.apply(expr);
        if (typed.type() != Type.BOOLEAN && typed.type() != Type.NULL)
        {
            throw new InvalidStatementException("a condition is needed, found " + typed.type());
        }
        return typed;
    }

    private TypedExpression in(final Expr.InList in)
    {
        final TypedExpression operand = binder.apply(in.operand());
        final List<TypedExpression> tests = in.list().stream()
            .map(part -> compare("=", operand, binder.apply(part))).toList();
        return condition(env -> {
            Boolean found = false;
            for (final TypedExpression test : tests)
            {
                final Object value = test.eval().of(env);
                if (Boolean.TRUE.equals(value))
                {
                    return true;
                }
                found = value == null ? null : found;
            }
            return found;
        });
    }

    /** Later operands are not evaluated once an operand has decided, so that they cannot fail. */
    private static TypedExpression logic(final String word, final TypedExpression left, final TypedExpression right)
    {
        return condition(env -> {
            final Boolean a = (Boolean)left.eval().of(env);
            final boolean decides = word.equals("or");
            if (!word.equals("xor") && a != null && a == decides)
            {
                return decides;
            }
            final Boolean b = (Boolean)right.eval().of(env);
            if (word.equals("xor"))
            {
                return a == null || b == null ? null : a ^ b;
            }
            if (b != null && b == decides)
            {
                return decides;
            }
            return a == null || b == null ? null : !decides;
        });
    }

    private static TypedExpression condition(final TypedExpression.Eval eval)
    {
        return new TypedExpression(Type.BOOLEAN, eval);
    }

    private static TypedExpression compare(final String sign, final TypedExpression a, final TypedExpression b)
    {
        final TypedExpression[] sides = TypedExpression.comparable(a, b);
        final boolean equality = sign.equals("=") || sign.equals("<>");
        if (!equality && (sides[0].type() == Type.BOOLEAN || sides[1].type() == Type.BOOLEAN))
        {
            throw new InvalidStatementException("booleans have no order");
        }
        if (!equality && (sides[0].type() == Type.BYTE || sides[1].type() == Type.BYTE))
        {
            throw new InvalidStatementException("bytes have no order");
        }
        return condition(env -> {
            final Object x = sides[0].eval().of(env);
            final Object y = sides[1].eval().of(env);
            return x == null || y == null ? null : decide(sign, x, y);
        });
    }

    private static boolean decide(final String sign, final Object x, final Object y)
    {
        if (x instanceof Number a && y instanceof Number b
            && (Double.isNaN(a.doubleValue()) || Double.isNaN(b.doubleValue())))
        {
            return sign.equals("<>");
        }
        final int order = Values.compare(x, y);
        switch (sign)
        {
            case "=":
                return order == 0;
            case "<>":
                return order != 0;
            case "<":
                return order < 0;
            case "<=":
                return order <= 0;
            case ">":
                return order > 0;
            default:
                return order >= 0;
        }
    }
}
