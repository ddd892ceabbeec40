package dev.millrace.cql.plan.expression;

import dev.millrace.api.cartridge.PairBoxes;
import java.lang.invoke.MethodHandle;
import java.util.Objects;

/**
 * The target of an {@link Expression.FunctionCall}: a public static Java method that generated code calls by name, or a
 * method handle that generated code holds as a constant (methods, constructors and fields of user classes, bound to
 * their class loader).
 *
 * <p>A method accepts and returns the Java types of {@link dev.millrace.api.event.CqlType#javaClass()}, or their boxes
 * where null is possible. Immutable.
 *
 * @param name          name in CQL, for messages
 * @param className     binary name of the class of the static method; {@code null} with a handle
 * @param methodName    name of the static method; {@code null} with a handle
 * @param handle        handle; {@code null} with a static method
 * @param nullsReach    whether it is called with nulls; otherwise a null argument makes the result null
 * @param deterministic whether equal arguments give equal results
 * @param boxes         rectangles by which joins find the pairs for which a predicate may be true; may be {@code null}
 */
public record FunctionRef(String name, String className, String methodName, MethodHandle handle, boolean nullsReach,
    boolean deterministic, PairBoxes boxes)
{
    /** Checks the arguments. */
    public FunctionRef
    {
        Objects.requireNonNull(name, "name");
        if ((className == null) == (handle == null))
        {
            throw new IllegalArgumentException("either a class or a handle, name=" + name);
        }
    }

    /** A function for which joins compare all pairs. */
    public FunctionRef(final String name, final String className, final String methodName, final MethodHandle handle,
        final boolean nullsReach, final boolean deterministic)
    {
        this(name, className, methodName, handle, nullsReach, deterministic, null);
    }
}
