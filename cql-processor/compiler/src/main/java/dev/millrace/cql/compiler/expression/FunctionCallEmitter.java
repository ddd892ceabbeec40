package dev.millrace.cql.compiler.expression;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.FunctionRef;
import dev.millrace.cql.runtime.function.FunctionCaller;
import dev.millrace.cql.runtime.function.Values;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Source text of a function call. Primitive arguments that are never null at the call are passed unboxed; a primitive
 * result is returned unboxed.
 *
 * <p>A method that generated code finds by name is called directly, so that the JVM can compile it into the row code;
 * any other target is called through a {@link FunctionCaller}.
 *
 * <p>Not thread-safe; used for one call.
 */
final class FunctionCallEmitter
{
    private final List<Operand> operands;
    private final CqlType result;
    /** Called directly; {@code null} when the caller calls the target. */
    private final Method direct;
    /** {@code null} when a method is called directly. */
    private final FunctionCaller caller;

    /**
     * @param function what to call
     * @param operands its arguments
     * @param result   type of the result
     */
    FunctionCallEmitter(final FunctionRef function, final List<Operand> operands, final CqlType result)
    {
        this.operands = operands;
        this.result = result;
        final Method method = function.handle() != null ? null :
            Functions.method(function, operands.stream().map(Operand::type).toList());
        direct = method != null && isDirect(method, function.nullsReach()) ? method : null;
        caller = direct != null ? null :
            caller(method == null ? function.handle() : Functions.handle(method), function.nullsReach());
    }

    private FunctionCaller caller(final MethodHandle handle, final boolean nullsReach)
    {
        final List<Class<?>> types = new ArrayList<>();
        operands.forEach(each -> types.add(nullsReach && each.canBeNull() ? Object.class : local(each.type())));
        return new FunctionCaller(handle, types, local(result));
    }

    private boolean isDirect(final Method method, final boolean nullsReach)
    {
        final Class<?> returned = method.getReturnType();
        if (method.isVarArgs() || !Functions.isVisible(method.getDeclaringClass()) ||
            returned != local(result) && returned != Values.boxedClass(result))
        {
            return false;
        }
        for (int i = 0; i < operands.size(); i++)
        {
            final Class<?> parameter = method.getParameterTypes()[i];
            if (parameter.isPrimitive() &&
                (parameter != local(operands.get(i).type()) || nullsReach && operands.get(i).canBeNull()))
            {
                return false;
            }
        }
        return true;
    }

    /** The class of a local if it is primitive; otherwise of its box. */
    private static Class<?> local(final CqlType type)
    {
        return LocalTypes.isPrimitive(type) ? MethodType.methodType(Values.boxedClass(type)).unwrap().returnType() :
            Values.boxedClass(type);
    }

    /** Whether the call returns a primitive, otherwise an object. */
    boolean isPrimitive()
    {
        return direct != null ? direct.getReturnType().isPrimitive() : caller.givesNumber();
    }

    /** Type of what the call returns, as source text. */
    String type()
    {
        return !isPrimitive() ? "Object" : direct != null ? LocalTypes.local(result) : "long";
    }

    /** A value of that type. */
    String zero()
    {
        return !isPrimitive() ? "null" : direct != null ? LocalTypes.zero(result) : "0L";
    }

    /**
     * Source text of the call.
     *
     * @param constant gives the source text of a constant
     * @return Java expression of {@link #type}
     */
    String invocation(final Function<FunctionCaller, String> constant)
    {
        return direct != null ? directly() : throughCaller(constant.apply(caller));
    }

    private String directly()
    {
        final List<String> arguments = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++)
        {
            final Class<?> parameter = direct.getParameterTypes()[i];
            arguments.add('(' + parameter.getCanonicalName() + ") " +
                (parameter.isPrimitive() ? '(' + operands.get(i).value() + ')' : boxed(operands.get(i))));
        }
        return direct.getDeclaringClass().getName() + '.' + direct.getName() + '(' + String.join(", ", arguments) + ')';
    }

    private static String boxed(final Operand operand)
    {
        final String value = "Values.boxed(" + operand.value() + ')';
        return operand.canBeNull() ? '(' + operand.isNull() + " ? null : " + value + ')' : value;
    }

    private String throughCaller(final String constant)
    {
        final List<String> objects = new ArrayList<>();
        final List<String> numbers = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++)
        {
            final Operand operand = operands.get(i);
            if (caller.isNumber(i))
            {
                numbers.add(asLong(operand));
            }
            else
            {
                objects.add(boxed(operand));
            }
        }
        if (caller.parameters() == 0)
        {
            return constant + ".all(new Object[] {" + String.join(", ", objects) + "})";
        }
        while (objects.size() < caller.parameters())
        {
            objects.add("null");
        }
        while (numbers.size() < caller.parameters())
        {
            numbers.add("0L");
        }
        return constant + (caller.givesNumber() ? ".number(" : ".object(") + String.join(", ", objects) + ", " +
            String.join(", ", numbers) + ')';
    }

    private static String asLong(final Operand operand)
    {
        return switch (operand.type())
        {
            case BOOLEAN -> '(' + operand.value() + " ? 1L : 0L)";
            case FLOAT, DOUBLE -> "Double.doubleToRawLongBits((double) " + operand.value() + ')';
            default -> "(long) " + operand.value();
        };
    }

    /**
     * Converts the primitive that a call has returned.
     *
     * @param bits Java expression of {@link #type}
     * @return Java expression of the result type
     */
    String primitive(final String bits)
    {
        return direct != null ? bits : switch (result)
        {
            case BOOLEAN -> bits + " != 0L";
            case FLOAT, DOUBLE -> '(' + LocalTypes.local(result) + ") Double.longBitsToDouble(" + bits + ')';
            default -> '(' + LocalTypes.local(result) + ") " + bits;
        };
    }
}
