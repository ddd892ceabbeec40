package dev.millrace.cql.plan.flow;

import dev.millrace.cql.plan.expression.Expression;
import java.util.Objects;

/**
 * The engines of a flow that receive the rows of a source, when several engines run the flow.
 *
 * @param kind  how the engine is selected
 * @param value over {@link Expression.Column} of the source, for {@link Kind#VALUE}; otherwise {@code null}
 */
public record FlowRoute(Kind kind, Expression value)
{
    /** How the engine for a row is selected. */
    public enum Kind
    {
        /** All engines receive the row. */
        ALL,
        /** Any engine may receive it. */
        ANY,
        /** The engine to which rows with an equal value are routed; all rows with a null value go to one engine. */
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
     * Routes rows to the engine of a value.
     *
     * @param value over {@link Expression.Column} of the source
     */
    public static FlowRoute by(final Expression value)
    {
        return new FlowRoute(Kind.VALUE, value);
    }
}
