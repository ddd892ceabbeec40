package dev.millrace.cql.compiler.expression;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.FunctionRef;
import dev.millrace.cql.runtime.function.Values;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;

/** Finds the static methods of functions. Stateless. */
final class Functions
{
    private Functions()
    {
    }

    /**
     * The method of a function.
     *
     * @param function  with class and method
     * @param arguments argument types
     * @return public static method
     * @throws IllegalStateException when it does not exist: the catalog is wrong
     */
    static Method method(final FunctionRef function, final List<CqlType> arguments)
    {
        try
        {
            final Class<?> owner = Class.forName(function.className(), true, loader());
            Method best = null;
            for (final Method method : owner.getMethods())
            {
                if (method.getName().equals(function.methodName()) && takes(method, arguments) &&
                    (best == null || best.isVarArgs() && !method.isVarArgs()))
                {
                    best = method;
                }
            }
            if (best != null)
            {
                return best;
            }
        }
        catch (final ClassNotFoundException failure)
        {
            throw new IllegalStateException(message(function, arguments), failure);
        }
        throw new IllegalStateException(message(function, arguments));
    }

    /** A handle of a method of a function. */
    static MethodHandle handle(final Method method)
    {
        try
        {
            return MethodHandles.publicLookup().unreflect(method);
        }
        catch (final IllegalAccessException failure)
        {
            throw new IllegalStateException("a function's method is not public, method=" + method, failure);
        }
    }

    /** Whether generated code finds a public class by its name: its loader asks the one of this class. */
    static boolean isVisible(final Class<?> owner)
    {
        try
        {
            return Modifier.isPublic(owner.getModifiers()) && !owner.isMemberClass() &&
                Class.forName(owner.getName(), false, Functions.class.getClassLoader()) == owner;
        }
        catch (final ClassNotFoundException elsewhere)
        {
            return false;
        }
    }

    /** The class loader of the planning thread, which finds the bundles of functions. */
    private static ClassLoader loader()
    {
        final ClassLoader own = Thread.currentThread().getContextClassLoader();
        return own == null ? Functions.class.getClassLoader() : own;
    }

    private static String message(final FunctionRef function, final List<CqlType> arguments)
    {
        return "function without method, function=" + function.name() + " class=" + function.className() +
            " method=" + function.methodName() + " arguments=" + arguments;
    }

    private static boolean takes(final Method method, final List<CqlType> arguments)
    {
        final Class<?>[] parameters = method.getParameterTypes();
        final int fixed = parameters.length - (method.isVarArgs() ? 1 : 0);
        if (method.isVarArgs() ? arguments.size() < fixed : arguments.size() != fixed)
        {
            return false;
        }
        for (int i = 0; i < arguments.size(); i++)
        {
            final Class<?> parameter = i < fixed ? parameters[i] : parameters[fixed].getComponentType();
            if (parameter != arguments.get(i).javaClass() && parameter != Values.boxedClass(arguments.get(i)) &&
                parameter != Object.class)
            {
                return false;
            }
        }
        return true;
    }
}
