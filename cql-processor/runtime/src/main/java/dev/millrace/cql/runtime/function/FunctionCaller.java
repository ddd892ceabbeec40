package dev.millrace.cql.runtime.function;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Calls a method handle without boxing primitive arguments and results. The class loader of the generated code need not
 * find the target. Objects and numbers are passed separately, each in their order, and all numbers as longs:
 * floating-point numbers as the bits of a double, true as 1.
 *
 * <pre>
 *   substr(String, int, int)      objects: the string    numbers: start, length      returns an object
 * </pre>
 *
 * <p>Immutable, thread-safe. Failure: the target may throw anything; an object of an unexpected class is a
 * {@link ClassCastException}.
 */
public final class FunctionCaller
{
    private static final int FEW = 2;
    private static final int MOST = 4;
    private static final List<Class<?>> NUMBERS =
        List.of(boolean.class, int.class, long.class, float.class, double.class);
    private static final MethodHandle TO_BITS = onDouble("doubleToRawLongBits", long.class, double.class);
    private static final MethodHandle OF_BITS = onDouble("longBitsToDouble", double.class, long.class);

    private final MethodHandle handle;
    private final List<Boolean> areNumbers;
    private final boolean givesNumber;
    /** Number of objects and number of numbers of a call; negative when the arguments are an array of objects. */
    private final int parameters;

    /**
     * @param target    method to call
     * @param arguments types of the arguments: primitive where they are never null and need not be boxed
     * @param result    type of the result, primitive where it need not be boxed
     */
    public FunctionCaller(final MethodHandle target, final List<Class<?>> arguments, final Class<?> result)
    {
        final List<Boolean> numbers = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++)
        {
            numbers.add(!target.isVarargsCollector() && widens(arguments.get(i), target.type().parameterType(i)));
        }
        final int count = Collections.frequency(numbers, true);
        parameters = Math.max(count, numbers.size() - count) <= FEW ? FEW :
            Math.max(count, numbers.size() - count) <= MOST ? MOST : -1;
        areNumbers = parameters > 0 ? List.copyOf(numbers) : Collections.nCopies(numbers.size(), false);
        givesNumber = parameters > 0 && widens(target.type().returnType(), result);
        handle = parameters > 0 ? placed(target, arguments) :
            target.asType(MethodType.genericMethodType(numbers.size())).asSpreader(Object[].class, numbers.size());
    }

    private static MethodHandle onDouble(final String name, final Class<?> result, final Class<?> argument)
    {
        try
        {
            return MethodHandles.publicLookup()
                .findStatic(Double.class, name, MethodType.methodType(result, argument));
        }
        catch (final NoSuchMethodException | IllegalAccessException missing)
        {
            throw new ExceptionInInitializerError(missing);
        }
    }

    /** Whether a primitive can be passed where another type is expected. */
    private static boolean widens(final Class<?> from, final Class<?> to)
    {
        final int rank = NUMBERS.indexOf(from);
        return rank >= 0 && (from == to || rank > 0 && NUMBERS.indexOf(to) > rank);
    }

    private static boolean isFloating(final Class<?> type)
    {
        return type == float.class || type == double.class;
    }

    /** The handle with parameters for objects and for numbers, some of which it ignores. */
    private MethodHandle placed(final MethodHandle target, final List<Class<?>> arguments)
    {
        final Class<?>[] types = new Class<?>[arguments.size()];
        final int[] order = new int[types.length];
        int objects = 0;
        int numbers = 0;
        for (int i = 0; i < types.length; i++)
        {
            types[i] = areNumbers.get(i) ? arguments.get(i) : Object.class;
            order[i] = areNumbers.get(i) ? parameters + numbers++ : objects++;
        }
        final Class<?> result = givesNumber ? target.type().returnType() : Object.class;
        MethodHandle adapted = target.asType(MethodType.methodType(result, types));
        for (int i = 0; i < types.length; i++)
        {
            adapted = areNumbers.get(i) ? MethodHandles.filterArguments(adapted, i, fromLong(types[i])) : adapted;
        }
        adapted = givesNumber ? MethodHandles.filterReturnValue(adapted, toLong(result)) : adapted;
        final List<Class<?>> all = new ArrayList<>(Collections.nCopies(parameters, Object.class));
        all.addAll(Collections.nCopies(parameters, long.class));
        return MethodHandles.permuteArguments(
            adapted, MethodType.methodType(givesNumber ? long.class : Object.class, all), order);
    }

    private static MethodHandle fromLong(final Class<?> type)
    {
        return MethodHandles.explicitCastArguments(isFloating(type) ? OF_BITS : MethodHandles.identity(long.class),
            MethodType.methodType(type, long.class));
    }

    private static MethodHandle toLong(final Class<?> type)
    {
        return MethodHandles.explicitCastArguments(isFloating(type) ? TO_BITS : MethodHandles.identity(long.class),
            MethodType.methodType(long.class, type));
    }

    /** Whether an argument is passed among the numbers, not the objects. */
    public boolean isNumber(final int argument)
    {
        return areNumbers.get(argument);
    }

    /** Whether the result is a number: call {@link #number}, otherwise {@link #object}, which boxes numbers. */
    public boolean givesNumber()
    {
        return givesNumber;
    }

    /**
     * Number of objects and number of numbers of a call; unused ones are null and 0.
     *
     * @return 0 when all arguments are passed as an array: call {@link #all}
     */
    public int parameters()
    {
        return Math.max(0, parameters);
    }

    /** Calls a target that returns an object. */
    public Object object(final Object a, final Object b, final long i, final long j) throws Throwable
    {
        return (Object)handle.invokeExact(a, b, i, j);
    }

    /** Calls a target that returns a number. */
    public long number(final Object a, final Object b, final long i, final long j) throws Throwable
    {
        return (long)handle.invokeExact(a, b, i, j);
    }

    /** Calls a target that returns an object. */
    public Object object(final Object a, final Object b, final Object c, final Object d,
        final long i, final long j, final long k, final long l) throws Throwable
    {
        return (Object)handle.invokeExact(a, b, c, d, i, j, k, l);
    }

    /** Calls a target that returns a number. */
    public long number(final Object a, final Object b, final Object c, final Object d,
        final long i, final long j, final long k, final long l) throws Throwable
    {
        return (long)handle.invokeExact(a, b, c, d, i, j, k, l);
    }

    /** Calls a target with more arguments, all boxed. */
    public Object all(final Object[] arguments) throws Throwable
    {
        return (Object)handle.invokeExact(arguments);
    }
}
