package dev.millrace.cql.planner.expression;

import dev.millrace.cql.language.types.JavaMember;
import dev.millrace.cql.plan.expression.FunctionRef;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Creates method handles of members of Java classes and of functions of cartridges. Stateless. */
public final class JavaMethodHandles
{
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.publicLookup();
    private static final MethodHandle NUMBER = own("number", Integer.class, Object.class);
    private static final MethodHandle TEXT = own("text", String.class, Object.class);

    /** Their static getters read system properties. */
    private static final Set<Class<?>> FIXED = Set.of(String.class, Math.class, StrictMath.class, Integer.class,
        Long.class, Float.class, Double.class, Boolean.class, Character.class, BigDecimal.class, BigInteger.class);

    private JavaMethodHandles()
    {
    }

    private static MethodHandle own(final String name, final Class<?> result, final Class<?> parameter)
    {
        try
        {
            return MethodHandles.lookup().findStatic(
                JavaMethodHandles.class, name, MethodType.methodType(result, parameter));
        }
        catch (final NoSuchMethodException | IllegalAccessException failure)
        {
            throw new ExceptionInInitializerError(failure);
        }
    }

    // Called through the method handle.
    @SuppressWarnings("unused")
    private static Integer number(final Object small)
    {
        return small == null ? null : ((Number)small).intValue();
    }

    // Called through the method handle.
    @SuppressWarnings("unused")
    private static String text(final Object character)
    {
        return character == null ? null : character.toString();
    }

    /**
     * The target of a call of a member; it is never called with nulls. The result counts as deterministic only for
     * known classes.
     */
    static FunctionRef target(final JavaMember member)
    {
        try
        {
            final MethodHandle handle = typed(handle(member).asFixedArity(), member);
            return new FunctionRef(member.name(), null, null, handle, false, isDeterministic(member),
                member.function() == null ? null : member.function().boxes());
        }
        catch (final IllegalAccessException hidden)
        {
            throw new IllegalStateException("member cannot be accessed, member=" + member.name(), hidden);
        }
    }

    /**
     * Whether equal arguments give equal results: elements of arrays, and methods of immutable classes that read no
     * other state. Methods of user classes are never considered deterministic.
     */
    private static boolean isDeterministic(final JavaMember member)
    {
        if (member.function() != null)
        {
            return member.function().deterministic();
        }
        if (!(member.member() instanceof Method method))
        {
            return member.member() == null;
        }
        return FIXED.contains(method.getDeclaringClass()) && !method.getName().equals("random") &&
            !(Modifier.isStatic(method.getModifiers()) && method.getName().startsWith("get"));
    }

    /** Small numbers become ints, characters become strings. */
    private static MethodHandle typed(final MethodHandle handle, final JavaMember member)
    {
        final Class<?> result = handle.type().returnType();
        return switch (member.resultType())
        {
            case INT -> result == int.class || result == Integer.class ? handle : filtered(handle, NUMBER);
            case CHAR -> result == String.class ? handle : filtered(handle, TEXT);
            default -> handle;
        };
    }

    private static MethodHandle filtered(final MethodHandle handle, final MethodHandle filter)
    {
        return MethodHandles.filterReturnValue(handle.asType(handle.type().changeReturnType(Object.class)), filter);
    }

    private static MethodHandle handle(final JavaMember member) throws IllegalAccessException
    {
        if (member.function() != null)
        {
            return handle(member.function().handle(), member.parameters());
        }
        if (member.member() instanceof Method method)
        {
            return LOOKUP.unreflect(method);
        }
        if (member.member() instanceof Constructor<?> constructor)
        {
            return LOOKUP.unreflectConstructor(constructor);
        }
        if (member.member() instanceof Field field)
        {
            return LOOKUP.unreflectGetter(field);
        }
        return member.isElement() ? MethodHandles.arrayElementGetter(member.owner()) :
            MethodHandles.arrayLength(member.owner());
    }

    /** A function with one parameter per argument. */
    private static MethodHandle handle(final MethodHandle function, final List<Class<?>> parameters)
    {
        final int declared = function.type().parameterCount();
        if (!function.isVarargsCollector() || function.type().parameterList().equals(parameters))
        {
            return function;
        }
        final Class<?> array = function.type().parameterType(declared - 1);
        return function.asFixedArity().asCollector(array, parameters.size() - declared + 1);
    }

    /** The class of a bean's property. */
    public static Class<?> propertyClass(final Class<?> bean, final String property)
    {
        for (final Method method : bean.getMethods())
        {
            final String name = method.getName().toLowerCase(Locale.ROOT);
            final String wanted = property.toLowerCase(Locale.ROOT);
            if (method.getParameterCount() == 0 && !method.isBridge() && !method.getReturnType().isPrimitive() &&
                (name.equals("get" + wanted) || name.equals(wanted)))
            {
                return method.getReturnType();
            }
        }
        return Object.class;
    }
}
