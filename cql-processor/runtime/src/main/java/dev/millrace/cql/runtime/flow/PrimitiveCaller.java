package dev.millrace.cql.runtime.flow;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Calls a handle that takes and gives numbers without boxing them: whole ones as long, floating ones as double.
 * Immutable, safe for all threads.
 *
 * <p>Failure: whatever is called may throw anything.
 */
public final class PrimitiveCaller
{
    private static final int MOST_ARGUMENTS = 2;

    private final MethodHandle handle;

    /**
     * Makes a caller.
     *
     * @param target what is called; see {@link #takes}
     */
    public PrimitiveCaller(final MethodHandle target)
    {
        final Class<?> number = isFloating(target.type().returnType()) ? double.class : long.class;
        final Class<?>[] parameters = new Class<?>[target.type().parameterCount()];
        java.util.Arrays.fill(parameters, number);
        handle = MethodHandles.explicitCastArguments(target, MethodType.methodType(number, parameters));
    }

    private static boolean isFloating(final Class<?> type)
    {
        return type == float.class || type == double.class;
    }

    private static boolean isWhole(final Class<?> type)
    {
        return type == int.class || type == long.class;
    }

    /**
     * Whether a handle can be called in this way: one or two arguments and a result that are all whole or all floating.
     *
     * @param target handle
     * @return true when it can
     */
    public static boolean takes(final MethodHandle target)
    {
        final MethodType type = target.type();
        final int count = type.parameterCount();
        return count > 0 && count <= MOST_ARGUMENTS && !target.isVarargsCollector() &&
            (isWhole(type.returnType()) && type.parameterList().stream().allMatch(PrimitiveCaller::isWhole) ||
                isFloating(type.returnType()) && type.parameterList().stream().allMatch(PrimitiveCaller::isFloating));
    }

    /** Calls with one whole number. */
    public long call(final long a) throws Throwable
    {
        return (long)handle.invokeExact(a);
    }

    /** Calls with two whole numbers. */
    public long call(final long a, final long b) throws Throwable
    {
        return (long)handle.invokeExact(a, b);
    }

    /** Calls with one floating number. */
    public double call(final double a) throws Throwable
    {
        return (double)handle.invokeExact(a);
    }

    /** Calls with two floating numbers. */
    public double call(final double a, final double b) throws Throwable
    {
        return (double)handle.invokeExact(a, b);
    }
}
