package dev.millrace.cql.runtime.flow;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/**
 * Calls a handle with boxed arguments: the class loader of the generated code need not know what is called. Immutable,
 * safe for all threads.
 *
 * <p>Failure: whatever is called may throw anything; an argument of another class than wanted is a
 * {@link ClassCastException}.
 */
public final class FunctionCaller
{
    private static final int MOST_DIRECT = 4;

    private final MethodHandle handle;

    /**
     * Makes a caller.
     *
     * @param target    what is called
     * @param arguments with how many arguments
     */
    public FunctionCaller(final MethodHandle target, final int arguments)
    {
        final MethodHandle generic = target.asType(MethodType.genericMethodType(arguments));
        handle = arguments <= MOST_DIRECT ? generic : generic.asSpreader(Object[].class, arguments);
    }

    /** Calls with no argument. */
    public Object call() throws Throwable
    {
        return (Object)handle.invokeExact();
    }

    /** Calls with one argument. */
    public Object call(final Object a) throws Throwable
    {
        return (Object)handle.invokeExact(a);
    }

    /** Calls with two arguments. */
    public Object call(final Object a, final Object b) throws Throwable
    {
        return (Object)handle.invokeExact(a, b);
    }

    /** Calls with three arguments. */
    public Object call(final Object a, final Object b, final Object c) throws Throwable
    {
        return (Object)handle.invokeExact(a, b, c);
    }

    /** Calls with four arguments. */
    public Object call(final Object a, final Object b, final Object c, final Object d) throws Throwable
    {
        return (Object)handle.invokeExact(a, b, c, d);
    }

    /** Calls with more arguments. */
    public Object callAll(final Object[] arguments) throws Throwable
    {
        return (Object)handle.invokeExact(arguments);
    }
}
