package dev.millrace.cql.processor.binding;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.function.AggregateFunctionFactory;
import dev.millrace.cql.language.functions.FunctionCatalog;
import dev.millrace.cql.language.types.FunctionLookup.Signature;
import dev.millrace.cql.plan.expression.FunctionRef;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.runtime.function.GroupAggregateFactory;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.UserObjects;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Determines the signatures of application functions: each public method with the name is one signature, with the CQL
 * types of its Java types. Not thread-safe.
 */
public final class UserFunctions
{
    /** Aggregates that the engine computes itself and that no class can replace. */
    private static final Set<String> ENGINE = Set.of("avg", "count", "max", "min", "sum");
    private static final MethodHandle TO_USER;
    private static final MethodHandle TO_ENGINE;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            TO_USER = lookup.findStatic(JavaTypeMapping.class, "toUser",
                MethodType.methodType(Object.class, CqlType.class, Object.class)).bindTo(CqlType.TIMESTAMP);
            TO_ENGINE = lookup.findStatic(JavaTypeMapping.class, "toEngine",
                MethodType.methodType(Object.class, Object.class));
        }
        catch (final ReflectiveOperationException mistake)
        {
            throw new ExceptionInInitializerError(mistake);
        }
    }

    private final List<Problem> problems;

    UserFunctions(final List<Problem> problems)
    {
        this.problems = problems;
    }

    /**
     * Adds application functions to the built-in ones.
     *
     * @param functions functions of a processor
     * @return catalog; functions that cannot be called are absent and recorded as problems
     */
    FunctionCatalog catalog(final List<UserObjects.Function> functions)
    {
        FunctionCatalog catalog = FunctionCatalog.builtIn();
        for (final UserObjects.Function function : functions)
        {
            if (ENGINE.contains(function.name().toLowerCase(Locale.ROOT)))
            {
                add(function, "the name belongs to an aggregate of the language", "give the function another name");
            }
            else
            {
                catalog = function.execMethod() == null ? aggregate(catalog, function) : scalar(catalog, function);
            }
        }
        return catalog;
    }

    /**
     * The aggregates, for bindings of flows.
     *
     * @param functions functions of a processor, all of which are in a catalog
     * @return factories by lower-case name
     */
    public static Map<String, GroupAggregateFactory> aggregates(final List<UserObjects.Function> functions)
    {
        final Map<String, GroupAggregateFactory> factories = new HashMap<>();
        for (final UserObjects.Function function : functions)
        {
            if (function.execMethod() == null)
            {
                factories.put(function.name().toLowerCase(Locale.ROOT),
                    UserAggregate.factory(function.name(), (AggregateFunctionFactory)function.target()));
            }
        }
        return factories;
    }

    private void add(final UserObjects.Function function, final String why, final String hint)
    {
        problems.add(new Problem(ProcessorErrorCode.FUNCTION_NOT_USABLE, function.position(), why + ", function=" +
            function.name() + " class=" + classOf(function).getName(), hint, ""));
    }

    private static Class<?> classOf(final UserObjects.Function function)
    {
        return function.target() instanceof Class<?> type ? type : function.target().getClass();
    }

    private FunctionCatalog aggregate(final FunctionCatalog catalog, final UserObjects.Function function)
    {
        final List<CqlType> arguments = new ArrayList<>();
        try
        {
            final AggregateFunctionFactory factory = (AggregateFunctionFactory)function.target();
            factory.argumentTypes().forEach(type -> arguments.add(JavaTypeMapping.cqlType(type)));
            final CqlType result = JavaTypeMapping.cqlType(factory.resultType());
            if (arguments.contains(null) || result == null)
            {
                add(function, "the aggregate has a type that CQL does not support",
                    "use int, long, float, double, boolean, their boxes, or a class");
                return catalog;
            }
            return catalog.withAggregate(function.name(), arguments, result, factory.isIncremental());
        }
        // The factory is an application class: it may throw anything, or return null.
        catch (final RuntimeException | LinkageError failure)
        {
            add(function, "the factory does not specify the signature of its aggregates, reason=" + failure,
                "let argumentTypes and resultType return Java types");
            return catalog;
        }
    }

    private FunctionCatalog scalar(final FunctionCatalog before, final UserObjects.Function function)
    {
        final List<Method> methods = Arrays.stream(classOf(function).getMethods())
            .filter(method -> method.getName().equals(function.execMethod()) && !method.isBridge())
            .filter(method -> !(function.target() instanceof Class<?>) || Modifier.isStatic(method.getModifiers()))
            .sorted(Comparator.comparing(Method::toString)).toList();
        if (methods.isEmpty())
        {
            add(function, "the class has no such public method, exec-method=" + function.execMethod(),
                "public methods: " + String.join(", ", publicMethods(function)));
            return before;
        }
        FunctionCatalog catalog = before;
        final Set<List<CqlType>> seen = new HashSet<>();
        for (final Method method : methods)
        {
            final Signature signature = signature(function, method);
            if (signature != null && seen.add(signature.arguments()))
            {
                catalog = catalog.withFunction(function.name(), signature);
            }
        }
        return catalog;
    }

    private static List<String> publicMethods(final UserObjects.Function function)
    {
        return Arrays.stream(classOf(function).getMethods())
            .filter(method -> method.getDeclaringClass() != Object.class).map(Method::getName).distinct().sorted()
            .toList();
    }

    private Signature signature(final UserObjects.Function function, final Method method)
    {
        final CqlType result = result(function, method);
        final boolean isVariadic = method.isVarArgs() || isOldStyle(method);
        final List<CqlType> arguments = new ArrayList<>();
        boolean nullsReach = true;
        for (int i = 0; i < method.getParameterCount(); i++)
        {
            final Class<?> type = method.getParameterTypes()[i];
            final boolean isRest = isVariadic && i == method.getParameterCount() - 1;
            arguments.add(JavaTypeMapping.cqlType(isRest ? type.getComponentType() : type));
            nullsReach &= !type.isPrimitive() && !(isRest && type.getComponentType().isPrimitive());
        }
        if (arguments.contains(null))
        {
            add(function, "a parameter has a type that CQL does not support, method=" + method,
                "use int, long, float, double, boolean, their boxes, or a class");
            return null;
        }
        if (result == null)
        {
            return null;
        }
        try
        {
            final MethodHandle handle = handle(function, method, isVariadic);
            return new Signature(arguments, isVariadic, result,
                new FunctionRef(function.name(), null, null, handle, nullsReach, false));
        }
        catch (final IllegalAccessException hidden)
        {
            add(function, "the method cannot be accessed, method=" + method,
                "make the class and the method public, and its package part of the application's bundle");
            return null;
        }
    }

    /** Whether it accepts all arguments as one array, as functions of Oracle Event Processing do. */
    private static boolean isOldStyle(final Method method)
    {
        return method.getParameterCount() == 1 && method.getParameterTypes()[0] == Object[].class;
    }

    private static MethodHandle handle(
        final UserObjects.Function function, final Method method, final boolean isVariadic)
        throws IllegalAccessException
    {
        MethodHandle handle = MethodHandles.publicLookup().unreflect(method).asFixedArity();
        if (!Modifier.isStatic(method.getModifiers()))
        {
            handle = handle.bindTo(function.target());
        }
        for (int i = 0; i < handle.type().parameterCount(); i++)
        {
            final Class<?> type = handle.type().parameterType(i);
            if (JavaTypeMapping.cqlType(type) == CqlType.TIMESTAMP)
            {
                handle = MethodHandles.filterArguments(
                    handle, i, TO_USER.asType(MethodType.methodType(type, Object.class)));
            }
        }
        if (!handle.type().returnType().isPrimitive())
        {
            handle = MethodHandles.filterReturnValue(
                handle, TO_ENGINE.asType(MethodType.methodType(Object.class, handle.type().returnType())));
        }
        return isVariadic ? handle.asVarargsCollector(
            handle.type().parameterType(handle.type().parameterCount() - 1)) : handle;
    }

    /** The type of the result; {@code null} if it has none, which is recorded as a problem. */
    private CqlType result(final UserObjects.Function function, final Method method)
    {
        final CqlType own = method.getReturnType() == void.class ? null :
            JavaTypeMapping.cqlType(method.getReturnType());
        if (own == null)
        {
            add(function, "the result has a type that CQL does not support, method=" + method,
                "return int, long, float, double, boolean, their boxes, or an object");
            return null;
        }
        if (function.returnType() == null)
        {
            return own;
        }
        final CqlType declared = CqlType.byName(function.returnType());
        if (declared == null || own != CqlType.OBJECT && own != declared)
        {
            add(function, declared == null ? "return-type is not a CQL type, return-type=" + function.returnType() :
                "the method returns another type than return-type, return-type=" + function.returnType() +
                " method=" + method, "return-type is for methods that are declared to return Object: int, bigint, " +
                "float, double, bigdecimal, char, byte, boolean, timestamp, interval, xmltype");
            return null;
        }
        return declared;
    }
}
