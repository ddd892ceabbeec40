package dev.millrace.cql.language.types;

import dev.millrace.api.cartridge.CartridgeFunction;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Finds public members of Java classes. Methods with a variable number of arguments accept an array. Used for one
 * call.
 */
final class JavaMembers
{
    private final SqlParserPos position;
    private final JavaOverloads overloads;

    JavaMembers(final SqlParserPos position)
    {
        this.position = position;
        overloads = new JavaOverloads(position);
    }

    /** A constructor. */
    JavaMember constructor(final Class<?> owner, final List<RelDataType> arguments)
    {
        final String name = owner.getSimpleName();
        final List<Executable> all = Modifier.isAbstract(owner.getModifiers()) ? List.of() :
            List.of(owner.getConstructors());
        if (all.isEmpty())
        {
            throw new CqlRuleException(Message.UNKNOWN_MEMBER, position, owner.getName(), "constructor", name);
        }
        final Overload found = overloads.choose(owner.getSimpleName(), name,
            all.stream().map(each -> new Overload(each, List.of(each.getParameterTypes()), owner)).toList(), arguments);
        return new JavaMember("new " + name, owner, (Member)found.target(), false, found.parameters(), owner);
    }

    /** A method, called on a value when the class is that of a value. */
    JavaMember method(
        final Class<?> owner, final String method, final boolean isStatic, final List<RelDataType> arguments)
    {
        final List<Method> named = new ArrayList<>();
        for (final Method each : methods(owner))
        {
            final Method open = each.getName().equals(method) && Modifier.isStatic(each.getModifiers()) == isStatic &&
                !each.isBridge() ? open(each, owner) : null;
            if (open != null)
            {
                named.add(open);
            }
        }
        if (named.isEmpty())
        {
            throw new CqlRuleException(Message.UNKNOWN_MEMBER, position, owner.getTypeName(),
                isStatic ? "static method" : "method", method);
        }
        final Method found = (Method)overloads.choose(owner.getSimpleName(), method, named.stream().map(each ->
            new Overload(each, List.of(each.getParameterTypes()), each.getReturnType())).toList(), arguments).target();
        if (found.getReturnType() == void.class)
        {
            throw new CqlRuleException(Message.VOID_METHOD, position, owner.getSimpleName() + '.' + method);
        }
        return of(owner, found, isStatic);
    }

    private static JavaMember of(final Class<?> owner, final Method method, final boolean isStatic)
    {
        final List<Class<?>> parameters = new ArrayList<>();
        if (!isStatic)
        {
            parameters.add(method.getDeclaringClass());
        }
        parameters.addAll(List.of(method.getParameterTypes()));
        return new JavaMember(owner.getSimpleName() + '.' + method.getName(), method.getDeclaringClass(), method, false,
            parameters, method.getReturnType());
    }

    /** A field; for a value also a property with a getter, since few classes have public fields. */
    JavaMember field(final Class<?> owner, final String field, final boolean isStatic)
    {
        final String name = owner.getSimpleName() + '.' + field;
        if (owner.isArray() && field.equals("length"))
        {
            return new JavaMember(name, owner, null, false, List.of(owner), int.class);
        }
        for (final Field each : owner.getFields())
        {
            if (each.getName().equals(field) && Modifier.isStatic(each.getModifiers()) == isStatic &&
                isOpen(each.getDeclaringClass()))
            {
                return new JavaMember(name, each.getDeclaringClass(), each, false,
                    isStatic ? List.of() : List.of(each.getDeclaringClass()), each.getType());
            }
        }
        final JavaMember getter = isStatic ? null : getter(owner, field);
        if (getter == null)
        {
            throw new CqlRuleException(Message.UNKNOWN_MEMBER, position, owner.getTypeName(),
                isStatic ? "static field" : "field", field);
        }
        return getter;
    }

    private static JavaMember getter(final Class<?> owner, final String field)
    {
        final String capital = field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1);
        for (final String name : List.of("get" + capital, "is" + capital, field))
        {
            for (final Method each : methods(owner))
            {
                final boolean fits = each.getName().equals(name) && each.getParameterCount() == 0 &&
                    !each.isBridge() && !Modifier.isStatic(each.getModifiers()) && each.getReturnType() != void.class;
                final Method open = fits ? open(each, owner) : null;
                if (open != null)
                {
                    return of(owner, open, false);
                }
            }
        }
        return null;
    }

    /** An element of an array, by an integer index. */
    JavaMember element(final Class<?> owner, final RelDataType index)
    {
        final Class<?> given = CqlTypes.javaClass(index);
        if (!owner.isArray() || owner.getComponentType().isArray() || given != int.class && given != null)
        {
            throw new CqlRuleException(Message.NOT_AN_ARRAY, position, owner.getTypeName(), CqlTypes.nameOf(index));
        }
        return new JavaMember("[]", owner, null, true, List.of(owner, int.class), owner.getComponentType());
    }

    /** A function of a cartridge; those with a variable number of arguments accept any number of them. */
    JavaMember function(
        final String name, final List<CartridgeFunction> functions, final List<RelDataType> arguments)
    {
        final Overload found = overloads.choose("", name, functions.stream().map(each ->
            new Overload(each, each.handle().type().parameterList(), each.handle().type().returnType())).toList(),
            arguments);
        final CartridgeFunction function = (CartridgeFunction)found.target();
        return new JavaMember(name, null, null, false, found.parameters(), found.result(), function);
    }

    private static List<Method> methods(final Class<?> owner)
    {
        // An interface also has the methods of Object.
        return owner.isInterface() ? Stream.concat(Arrays.stream(owner.getMethods()),
            Arrays.stream(Object.class.getMethods())).toList() : List.of(owner.getMethods());
    }

    /** The same method in a class or interface that declares it public, or {@code null}. */
    private static Method open(final Method method, final Class<?> owner)
    {
        if (isOpen(method.getDeclaringClass()))
        {
            return method;
        }
        if (Modifier.isStatic(method.getModifiers()))
        {
            return null;
        }
        for (Class<?> above = owner; above != null; above = above.getSuperclass())
        {
            for (final Class<?> each : interfacesAnd(above))
            {
                final Method same = isOpen(each) ? same(each, method) : null;
                if (same != null)
                {
                    return same;
                }
            }
        }
        return null;
    }

    private static List<Class<?>> interfacesAnd(final Class<?> start)
    {
        final List<Class<?>> all = new ArrayList<>(List.of(start));
        for (int i = 0; i < all.size(); i++)
        {
            all.addAll(List.of(all.get(i).getInterfaces()));
        }
        return all;
    }

    private static Method same(final Class<?> owner, final Method method)
    {
        try
        {
            return owner.getMethod(method.getName(), method.getParameterTypes());
        }
        catch (final NoSuchMethodException none)
        {
            return null;
        }
    }

    /** Whether rules can access a class: it is public, and its module exports the package unconditionally. */
    static boolean isOpen(final Class<?> owner)
    {
        for (Class<?> each = owner; each != null; each = each.getEnclosingClass())
        {
            if (!Modifier.isPublic(each.getModifiers()))
            {
                return false;
            }
        }
        return owner.getModule().isExported(owner.getPackageName());
    }
}
