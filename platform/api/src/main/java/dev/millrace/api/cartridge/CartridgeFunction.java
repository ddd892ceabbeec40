package dev.millrace.api.cartridge;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * A function that rules call by name. Overloads are resolved by Java's rules, with the types of the handle; a handle
 * that collects its last arguments accepts any number of them. The handle is called with objects that are not null, by
 * several threads at a time; whatever it throws rejects the row, with the message of the exception as reason.
 *
 * <p>Immutable.
 *
 * @param name          name in rules; case is not significant
 * @param handle        direct or bound handle with the types of the parameters and of the result, which is not
 *                      {@code void}
 * @param elementType   class of the elements if the result is a collection or an iterable; {@code Object} if unknown
 * @param deterministic whether equal arguments give equal results, now and after a restart
 * @param boxes         how joins find the pairs for which a predicate of two arguments, or of two and a distance, may
 *                      be true; {@code null} if they compare all pairs
 */
public record CartridgeFunction(
    String name, MethodHandle handle, Class<?> elementType, boolean deterministic, PairBoxes boxes)
{
    /** Checks the arguments. */
    public CartridgeFunction
    {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(elementType, "elementType");
        if (handle.type().returnType() == void.class)
        {
            throw new IllegalArgumentException("the function returns nothing, name=" + name);
        }
    }

    /**
     * Creates a function for which joins compare all pairs.
     *
     * @param elementType   class of the elements of a collection; {@code Object} if unknown
     * @param deterministic whether equal arguments give equal results
     */
    public CartridgeFunction(
        final String name, final MethodHandle handle, final Class<?> elementType, final boolean deterministic)
    {
        this(name, handle, elementType, deterministic, null);
    }

    /**
     * Returns this function with another name in rules.
     *
     * @param other name; case is not significant
     */
    public CartridgeFunction named(final String other)
    {
        return new CartridgeFunction(other, handle, elementType, deterministic, boxes);
    }

    /**
     * Returns this predicate with rectangles for joins.
     *
     * @param pairs rectangles of its first two arguments
     */
    public CartridgeFunction indexed(final PairBoxes pairs)
    {
        return new CartridgeFunction(name, handle, elementType, deterministic, pairs);
    }

    /**
     * Returns the public static methods of a class as functions whose results depend only on their arguments.
     *
     * @param owner public class
     * @return functions, in order of their signatures
     */
    public static List<CartridgeFunction> of(final Class<?> owner)
    {
        return of(owner, null);
    }

    /**
     * Returns the public methods of an object as functions whose results depend only on their arguments: those that
     * its class declares or inherits, except those of {@code Object}.
     *
     * @param target thread-safe object of a public class
     * @return functions, in order of their signatures
     */
    public static List<CartridgeFunction> ofObject(final Object target)
    {
        return of(target.getClass(), target);
    }

    private static List<CartridgeFunction> of(final Class<?> owner, final Object target)
    {
        final List<Method> methods = new ArrayList<>(Arrays.asList(owner.getMethods()));
        methods.removeIf(method -> method.getDeclaringClass() == Object.class || method.isBridge() ||
            method.getReturnType() == void.class || target == null && !Modifier.isStatic(method.getModifiers()));
        methods.sort(Comparator.comparing(Method::getName).thenComparing(Method::toString));
        return methods.stream().map(method -> of(method, target)).toList();
    }

    private static CartridgeFunction of(final Method method, final Object target)
    {
        try
        {
            final MethodHandle handle = MethodHandles.publicLookup().unreflect(method);
            final MethodHandle bound = Modifier.isStatic(method.getModifiers()) ? handle : handle.bindTo(target);
            return new CartridgeFunction(method.getName(), bound.withVarargs(method.isVarArgs()),
                elements(method.getGenericReturnType()), true);
        }
        catch (final IllegalAccessException hidden)
        {
            throw new IllegalArgumentException("the class of the functions is not public, method=" + method, hidden);
        }
    }

    private static Class<?> elements(final Type result)
    {
        if (result instanceof ParameterizedType known && known.getActualTypeArguments().length == 1)
        {
            final Type element = known.getActualTypeArguments()[0];
            final Type raw = element instanceof ParameterizedType inner ? inner.getRawType() : element;
            return raw instanceof Class<?> plain ? plain : Object.class;
        }
        return Object.class;
    }
}
