package dev.millrace.cql.testkit.interpreter;

/** An executable expression. {@code open}: a decimal constant whose type is determined by another operand. */
record Typed(Type type, Eval eval, Expr.Lit open)
{
    /** Evaluates. */
    interface Eval
    {
        Object of(Env env);
    }

    Typed(final Type type, final Eval eval)
    {
        this(type, eval, null);
    }

    static Typed constant(final Object value, final Type type)
    {
        return new Typed(type, env -> value);
    }

    Typed to(final Type other)
    {
        if (type == other || type == Type.NULL)
        {
            return new Typed(other, eval);
        }
        return new Typed(other, env -> Values.cast(eval.of(env), type, other));
    }

    /** Whether the condition is true, not false or unknown. */
    boolean holds(final Env env)
    {
        return Boolean.TRUE.equals(eval.of(env));
    }
}
