package dev.millrace.cql.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.functions.FunctionCatalog;
import dev.millrace.cql.language.types.FunctionLookup.Signature;
import dev.millrace.cql.plan.expression.FunctionRef;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compares the catalog with the methods that it names. */
@Timeout(60)
class CatalogueTest
{
    @Test
    void shouldFindAMethodForEverySignature()
    {
        final FunctionCatalog catalog = FunctionCatalog.builtIn();
        final List<String> missing = new ArrayList<>();
        int found = 0;
        for (final String name : catalog.names())
        {
            for (final Signature signature : catalog.scalars(name))
            {
                if (signature.target() instanceof FunctionRef target && !exists(target, signature))
                {
                    missing.add(name + signature.arguments() + " " + target.className() + "." + target.methodName());
                }
                found++;
            }
        }
        assertThat(missing).isEmpty();
        assertThat(found).isGreaterThan(100);
    }

    private static boolean exists(final FunctionRef target, final Signature signature)
    {
        try
        {
            for (final Method method : Class.forName(target.className()).getMethods())
            {
                if (method.getName().equals(target.methodName()) && takes(method, signature))
                {
                    return true;
                }
            }
        }
        catch (final ClassNotFoundException missing)
        {
            return false;
        }
        return false;
    }

    private static boolean takes(final Method method, final Signature signature)
    {
        final Class<?>[] parameters = method.getParameterTypes();
        final int arguments = signature.arguments().size();
        if (method.isVarArgs() != signature.variadic() ||
            (method.isVarArgs() ? arguments < parameters.length : arguments != parameters.length))
        {
            return false;
        }
        for (int i = 0; i < arguments; i++)
        {
            final CqlType type = signature.arguments().get(i);
            final boolean isRest = method.isVarArgs() && i >= parameters.length - 1;
            final Class<?> parameter = isRest ? parameters[parameters.length - 1].getComponentType() : parameters[i];
            if (parameter != type.javaClass() && parameter != Object.class && !isBox(parameter, type))
            {
                return false;
            }
        }
        return true;
    }

    private static boolean isBox(final Class<?> parameter, final CqlType type)
    {
        return java.lang.invoke.MethodType.methodType(type.javaClass()).wrap().returnType() == parameter;
    }
}
