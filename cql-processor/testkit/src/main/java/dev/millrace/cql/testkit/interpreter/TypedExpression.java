package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.Expr;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import dev.millrace.cql.testkit.interpreter.syntax.Values;

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
}
