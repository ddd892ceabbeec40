package dev.millrace.cql.language.types;

import dev.millrace.api.event.CqlType;
import java.lang.reflect.Member;
import java.util.List;

/**
 * What a call of Java means: a constructor, method, field or element of an array, found by Java's own rules. Immutable.
 *
 * @param name       for messages: class and member
 * @param owner      class that declares it; the class of the array for an element
 * @param member     constructor, method or field; {@code null} for an element and the length of an array
 * @param isElement  whether it is an element of an array
 * @param parameters classes of what it takes: the value it is a member of first, if there is one
 * @param result     class of what it gives
 */
public record JavaMember(
    String name, Class<?> owner, Member member, boolean isElement, List<Class<?>> parameters, Class<?> result)
{
    /** Copies the list. */
    public JavaMember
    {
        parameters = List.copyOf(parameters);
    }

    /**
     * The type of its result in CQL.
     *
     * @return object for a class that has no type of its own
     */
    public CqlType resultType()
    {
        return CqlTypes.ofJava(result);
    }
}
