package dev.millrace.cql.language.types;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Selects one of several methods or functions by Java's rules (JLS 15.12.2): first those that accept the arguments
 * without boxing, then those that accept them with boxing, at last functions with a variable number of arguments;
 * among these, the most specific one. CQL adds two rules with lower precedence than boxing: a decimal literal without
 * suffix matches {@code float}, and a value of unknown class matches every class, with a check at run time. Used for
 * one call.
 */
final class JavaOverloads
{
    private static final List<Class<?>> WIDENING =
        List.of(byte.class, short.class, int.class, long.class, float.class, double.class);
    private static final int SHOWN = 6;

    private final SqlParserPos position;

    JavaOverloads(final SqlParserPos position)
    {
        this.position = position;
    }

    /**
     * Selects an overload.
     *
     * @param owner      simple name of the class, for messages; empty for functions
     * @param name       name of all candidates
     * @param candidates at least one, in any order
     * @throws CqlRuleException if none accepts the arguments, or several are equally specific
     */
    Overload choose(final String owner, final String name, final List<Overload> candidates,
        final List<RelDataType> arguments)
    {
        final List<Overload> all = new ArrayList<>(candidates);
        all.sort(Comparator.comparing(each -> signature(name, each)));
        final String shown = owner.isEmpty() ? name : owner + '.' + name;
        for (int phase = 0; phase < 3; phase++)
        {
            final Overload found = mostSpecific(shown, name, fitting(all, arguments, phase), arguments);
            if (found != null)
            {
                return found;
            }
        }
        final List<Overload> expanded = all.stream().filter(each -> each.isVariable() &&
            arguments.size() >= each.parameters().size() - 1).map(each -> each.expanded(arguments.size())).toList();
        final Overload found = mostSpecific(shown, name, fitting(expanded, arguments, 2), arguments);
        if (found != null)
        {
            return found;
        }
        throw new CqlRuleException(Message.ARGUMENT_TYPES, position, shown,
            shown(arguments), all.stream().limit(SHOWN).map(each -> signature(name, each)).distinct()
                .collect(Collectors.joining(" or ")));
    }

    private static List<Overload> fitting(
        final List<Overload> all, final List<RelDataType> arguments, final int phase)
    {
        return all.stream().filter(each -> takes(each.parameters(), arguments, phase)).toList();
    }

    private static String shown(final List<RelDataType> arguments)
    {
        return arguments.stream().map(type -> type instanceof JavaObjectType java ? java.javaClass().getSimpleName() :
            CqlTypes.nameOf(type)).collect(Collectors.joining(", "));
    }

    private static String signature(final String name, final Overload overload)
    {
        final String types = overload.parameters().stream().map(Class::getSimpleName)
            .collect(Collectors.joining(", ", name + '(', ")"));
        return overload.isVariable() ? types.replaceFirst("\\[]\\)$", "...)") : types;
    }

    private static boolean takes(final List<Class<?>> parameters, final List<RelDataType> arguments, final int phase)
    {
        if (parameters.size() != arguments.size())
        {
            return false;
        }
        for (int i = 0; i < parameters.size(); i++)
        {
            if (!takes(parameters.get(i), arguments.get(i), phase))
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

    /** The most specific of the candidates; {@code null} without candidates. */
    private Overload mostSpecific(
        final String shown, final String name, final List<Overload> fitting, final List<RelDataType> arguments)
    {
        Overload best = fitting.isEmpty() ? null : fitting.get(0);
        for (final Overload each : fitting)
        {
            if (isAsSpecific(each, best) && (!isAsSpecific(best, each) || givesMore(each, best)))
            {
                best = each;
            }
        }
        for (final Overload each : fitting)
        {
            if (!isAsSpecific(best, each))
            {
                throw new CqlRuleException(Message.AMBIGUOUS_CALL, position, shown, shown(arguments),
                    signature(name, best) + " and " + signature(name, each));
            }
        }
        return best;
    }

    private static boolean isAsSpecific(final Overload method, final Overload other)
    {
        for (int i = 0; i < method.parameters().size(); i++)
        {
            if (!isSubtype(method.parameters().get(i), other.parameters().get(i)))
            {
                return false;
            }
        }
        return true;
    }

    /** If the same method is declared twice, the one with the more specific result applies. */
    private static boolean givesMore(final Overload one, final Overload two)
    {
        return one.result() != two.result() && isSubtype(one.result(), two.result());
    }
}
