package dev.millrace.cql.plan.flow;

import dev.millrace.cql.plan.Expression;
import java.util.Objects;

/**
 * Which engines of a flow take the rows of a source, when several run it.
 *
 * @param kind  how an engine is found
 * @param value over {@link Expression.Column} of the source, for {@link Kind#VALUE}; else {@code null}
 */
public record FlowRoute(Kind kind, Expression value)
{
    /** How an engine is found for a row. */
    public enum Kind
    {
        /** All engines take it. */
        ALL,
        /** Any one may take it. */
        ANY,
        /** The one that rows with an equal value go to; rows without value stay together. */
        VALUE
    }

    /** To all engines. */
    public static final FlowRoute TO_ALL = new FlowRoute(Kind.ALL, null);

    /** To any engine. */
    public static final FlowRoute TO_ANY = new FlowRoute(Kind.ANY, null);

    /** Checks the arguments. */
    public FlowRoute
    {
        Objects.requireNonNull(kind, "kind");
        if ((kind == Kind.VALUE) != (value != null))
        {
            throw new IllegalArgumentException("a value belongs to the kind VALUE, kind=" + kind);
        }
    }

    /**
     * To the engine of a value.
     *
     * @param value over {@link Expression.Column} of the source
     * @return route
     */
    public static FlowRoute by(final Expression value)
    {
        return new FlowRoute(Kind.VALUE, value);
    }
}
