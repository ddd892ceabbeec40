package dev.millrace.cql.compiler.expression;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.FunctionRef;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
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
     * @return handle of the static method
     * @throws IllegalStateException when it does not exist: the catalog is wrong
     */
    static MethodHandle handle(final FunctionRef function, final List<CqlType> arguments)
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
                return MethodHandles.publicLookup().unreflect(best);
            }
        }
        catch (final ClassNotFoundException | IllegalAccessException failure)
        {
            throw new IllegalStateException(message(function, arguments), failure);
        }
        throw new IllegalStateException(message(function, arguments));
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
            if (parameter != arguments.get(i).javaClass() && parameter != LocalTypes.box(arguments.get(i)) &&
                parameter != Object.class)
            {
                return false;
            }
        }
        return true;
    }
}
