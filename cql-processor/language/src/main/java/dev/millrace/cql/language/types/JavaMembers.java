package dev.millrace.cql.language.types;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import java.lang.invoke.MethodType;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Finds public members of Java classes. Overloads are selected by Java's rules (JLS 15.12.2): first those that accept
 * the arguments without boxing, then those that accept them with boxing; among these, the most specific one. Methods
 * with a variable number of arguments accept an array. CQL adds two rules with lower precedence: a decimal literal
 * without suffix matches {@code float}, and a value of unknown class matches every class, with a check at run time.
 */
final class JavaMembers
{
    private static final List<Class<?>> WIDENING =
        List.of(byte.class, short.class, int.class, long.class, float.class, double.class);
    private static final int SHOWN = 6;

    private final SqlParserPos position;

    JavaMembers(final SqlParserPos position)
    {
        this.position = position;
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
        final Executable found = choose(owner, name, all, arguments);
        return new JavaMember("new " + name, owner, found, false, List.of(found.getParameterTypes()), owner);
    }

    /** A method, called on a value when the class is that of a value. */
    JavaMember method(
        final Class<?> owner, final String method, final boolean isStatic, final List<RelDataType> arguments)
    {
        final List<Executable> named = new ArrayList<>();
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
        final Method found = (Method)choose(owner, method, named, arguments);
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

    private Executable choose(final Class<?> owner, final String name, final List<Executable> candidates,
        final List<RelDataType> arguments)
    {
        // Java returns them in no particular order.
        final List<Executable> all = new ArrayList<>(candidates);
        all.sort(Comparator.comparing(each -> signature(name, each)));
        for (int phase = 0; phase < 3; phase++)
        {
            final List<Executable> fitting = new ArrayList<>();
            for (final Executable each : all)
            {
                if (takes(each.getParameterTypes(), arguments, phase))
                {
                    fitting.add(each);
                }
            }
            if (!fitting.isEmpty())
            {
                return mostSpecific(owner, name, fitting, arguments);
            }
        }
        throw new CqlRuleException(Message.ARGUMENT_TYPES, position, owner.getSimpleName() + '.' + name,
            shown(arguments), all.stream().limit(SHOWN).map(each -> signature(name, each)).distinct()
                .collect(Collectors.joining(" or ")));
    }

    private static String shown(final List<RelDataType> arguments)
    {
        return arguments.stream().map(type -> type instanceof JavaObjectType java ? java.javaClass().getSimpleName() :
            CqlTypes.nameOf(type)).collect(Collectors.joining(", "));
    }

    private static String signature(final String name, final Executable method)
    {
        return Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName)
            .collect(Collectors.joining(", ", name + '(', ")"));
    }

    private static boolean takes(final Class<?>[] parameters, final List<RelDataType> arguments, final int phase)
    {
        if (parameters.length != arguments.size())
        {
            return false;
        }
        for (int i = 0; i < parameters.length; i++)
        {
            if (!takes(parameters[i], arguments.get(i), phase))
            {
                return false;
            }
        }
        return true;
    }

    private static boolean takes(final Class<?> parameter, final RelDataType argument, final int phase)
    {
        final Class<?> given = CqlTypes.javaClass(argument);
        if (given == null)
        {
            return !parameter.isPrimitive();
        }
        if (isSubtype(given, parameter))
        {
            return true;
        }
        if (phase == 0)
        {
            return false;
        }
        final boolean boxes = given.isPrimitive() ? parameter.isAssignableFrom(wrap(given)) :
            isSubtype(unwrap(given), parameter);
        return boxes || phase == 2 && (given == Object.class ||
            CqlTypes.isDecimalLiteral(argument) && unwrap(parameter) == float.class);
    }

    private static Class<?> wrap(final Class<?> type)
    {
        return MethodType.methodType(type).wrap().returnType();
    }

    private static Class<?> unwrap(final Class<?> type)
    {
        return MethodType.methodType(type).unwrap().returnType();
    }

    /** Java subtyping (JLS 4.10), including that of primitive types. */
    private static boolean isSubtype(final Class<?> type, final Class<?> of)
    {
        if (type.isPrimitive() && of.isPrimitive() && type != of)
        {
            // byte, short, char and boolean have no subtypes except themselves; all numbers widen upwards.
            final int from = type == char.class ? WIDENING.indexOf(short.class) : WIDENING.indexOf(type);
            return from >= 0 && of != short.class && from < WIDENING.indexOf(of) ||
                type == byte.class && of == short.class;
        }
        return of.isAssignableFrom(type);
    }

    private Executable mostSpecific(final Class<?> owner, final String name, final List<Executable> fitting,
        final List<RelDataType> arguments)
    {
        Executable best = fitting.get(0);
        for (final Executable each : fitting)
        {
            if (isAsSpecific(each, best) && (!isAsSpecific(best, each) || givesMore(each, best)))
            {
                best = each;
            }
        }
        for (final Executable each : fitting)
        {
            if (!isAsSpecific(best, each))
            {
                throw new CqlRuleException(Message.AMBIGUOUS_CALL, position, owner.getSimpleName() + '.' + name,
                    shown(arguments),
                    signature(name, best) + " and " + signature(name, each));
            }
        }
        return best;
    }

    private static boolean isAsSpecific(final Executable method, final Executable other)
    {
        for (int i = 0; i < method.getParameterCount(); i++)
        {
            if (!isSubtype(method.getParameterTypes()[i], other.getParameterTypes()[i]))
            {
                return false;
            }
        }
        return true;
    }

    /** If the same method is declared twice, the one with the more specific result applies. */
    private static boolean givesMore(final Executable method, final Executable other)
    {
        return method instanceof Method one && other instanceof Method two &&
            one.getReturnType() != two.getReturnType() && isSubtype(one.getReturnType(), two.getReturnType());
    }
}
