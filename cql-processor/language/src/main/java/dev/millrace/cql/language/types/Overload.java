package dev.millrace.cql.language.types;

import dev.millrace.api.cartridge.CartridgeFunction;
import java.util.ArrayList;
import java.util.List;

/**
 * One of several methods, constructors or functions with the same name. Immutable.
 *
 * @param target     method, constructor or function
 * @param parameters parameter classes
 * @param result     class of the result
 */
record Overload(Object target, List<Class<?>> parameters, Class<?> result)
{
    /** Whether it accepts any number of last arguments; methods of Java classes accept only an array. */
    boolean isVariable()
    {
        return target instanceof CartridgeFunction function && function.handle().isVarargsCollector();
    }

    /** This function with a parameter for each of a number of arguments, instead of the array. */
    Overload expanded(final int arguments)
    {
        final int fixed = parameters.size() - 1;
        final List<Class<?>> all = new ArrayList<>(parameters.subList(0, fixed));
        while (all.size() < arguments)
        {
            all.add(parameters.get(fixed).getComponentType());
        }
        return new Overload(target, all, result);
    }
}
