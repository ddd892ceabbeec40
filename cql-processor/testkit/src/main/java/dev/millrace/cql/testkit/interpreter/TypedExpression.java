package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.Expr;
import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import dev.millrace.cql.testkit.interpreter.syntax.Values;
import java.util.List;

/** An executable expression. {@code open}: a decimal constant whose type is determined by another operand. */
record TypedExpression(Type type, Eval eval, Expr.Lit open)
{
    /** Evaluates. */
    interface Eval
    {
        Object of(Env env);
    }

    TypedExpression(final Type type, final Eval eval)
    {
        this(type, eval, null);
    }

    static TypedExpression constant(final Object value, final Type type)
    {
        return new TypedExpression(type, env -> value);
    }

    TypedExpression to(final Type other)
    {
        if (type == other || type == Type.NULL)
        {
            return new TypedExpression(other, eval);
        }
        return new TypedExpression(other, env -> Values.cast(eval.of(env), type, other));
    }

    /** Whether the condition is true, not false or unknown. */
    boolean holds(final Env env)
    {
        return Boolean.TRUE.equals(eval.of(env));
    }

    /** Converts values of several branches to one type. */
    static List<TypedExpression> alike(final List<TypedExpression> all)
    {
        Type type = Type.NULL;
        for (final TypedExpression typed : all)
        {
            if (typed.type() == Type.NULL || typed.open() != null)
            {
                continue;
            }
            if (type == Type.NULL)
            {
                type = typed.type();
            }
            else if (type.isNumber() && typed.type().isNumber())
            {
                type = Type.wider(type, typed.type());
            }
            else if (type != typed.type())
            {
                throw new InvalidStatementException("types " + type + " and " + typed.type() + " do not fit");
            }
        }
        if (all.stream().anyMatch(typed -> typed.open() != null) && type.ordinal() < Type.FLOAT.ordinal())
        {
            type = Type.DOUBLE;
        }
        else if (type == Type.NULL && all.stream().anyMatch(typed -> typed.open() != null))
        {
            type = Type.DOUBLE;
        }
        final Type common = type;
        return all.stream().map(typed -> common == Type.NULL ? typed : typed.to(common)).toList();
    }

    /** Converts two sides of a comparison to one type: a number compared with a char becomes a char. */
    static TypedExpression[] comparable(final TypedExpression a, final TypedExpression b)
    {
        if (a.type() == b.type() || a.type() == Type.NULL || b.type() == Type.NULL)
        {
            return new TypedExpression[] {a, b};
        }
        if (a.type().isNumber() && b.type().isNumber())
        {
            return alike(List.of(a, b)).toArray(new TypedExpression[0]);
        }
        if (a.type() == Type.CHAR && (b.type().isNumber() || b.type() == Type.TIMESTAMP))
        {
            return b.type().isNumber() ? new TypedExpression[] {a, b.to(Type.CHAR)} :
                new TypedExpression[] {a.to(Type.TIMESTAMP), b};
        }
        if (b.type() == Type.CHAR && (a.type().isNumber() || a.type() == Type.TIMESTAMP))
        {
            return a.type().isNumber() ? new TypedExpression[] {a.to(Type.CHAR), b} :
                new TypedExpression[] {a, b.to(Type.TIMESTAMP)};
        }
        throw new InvalidStatementException("comparison of " + a.type() + " with " + b.type());
    }
}
