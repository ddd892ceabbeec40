package dev.millrace.cql.language.types;

import dev.millrace.api.cartridge.CartridgeFunction;
import dev.millrace.api.event.CqlType;
import java.lang.reflect.Member;
import java.util.List;

/**
 * The target of a Java call: a constructor, method, field, element of an array, or function of a cartridge, resolved by
 * Java's rules. Immutable.
 *
 * @param name       class and member, for messages
 * @param owner      class that declares it; the class of the array for an element; {@code null} for a function
 * @param member     constructor, method or field; {@code null} for others and the length of an array
 * @param isElement  whether it is an element of an array
 * @param parameters parameter classes; the first is that of the value if it is a member of a value. A function with a
 *                   variable number of arguments has one parameter per argument
 * @param result     class of the result
 * @param function   function of a cartridge; {@code null} for others
 */
public record JavaMember(
    String name, Class<?> owner, Member member, boolean isElement, List<Class<?>> parameters, Class<?> result,
    CartridgeFunction function)
{
    /** Copies the list. */
    public JavaMember
    {
        parameters = List.copyOf(parameters);
    }

    JavaMember(final String name, final Class<?> owner, final Member member, final boolean isElement,
        final List<Class<?>> parameters, final Class<?> result)
    {
        this(name, owner, member, isElement, parameters, result, null);
    }

    /** The CQL type of its result: object for a class without a corresponding type. */
    public CqlType resultType()
    {
        return CqlTypes.ofJava(result);
    }
}
