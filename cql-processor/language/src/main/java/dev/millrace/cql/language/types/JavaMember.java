package dev.millrace.cql.language.types;

import dev.millrace.api.event.CqlType;
import java.lang.reflect.Member;
import java.util.List;

/**
 * The target of a Java call: a constructor, method, field or element of an array, resolved by Java's rules. Immutable.
 *
 * @param name       class and member, for messages
 * @param owner      class that declares it; the class of the array for an element
 * @param member     constructor, method or field; {@code null} for an element and the length of an array
 * @param isElement  whether it is an element of an array
 * @param parameters parameter classes; the first is that of the value if it is a member of a value
 */
public record JavaMember(
    String name, Class<?> owner, Member member, boolean isElement, List<Class<?>> parameters, Class<?> result)
{
    /** Copies the list. */
    public JavaMember
    {
        parameters = List.copyOf(parameters);
    }

    /** The CQL type of its result: object for a class without a corresponding type. */
    public CqlType resultType()
    {
        return CqlTypes.ofJava(result);
    }
}
