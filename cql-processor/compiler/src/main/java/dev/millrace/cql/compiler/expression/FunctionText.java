package dev.millrace.cql.compiler.expression;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.runtime.flow.FunctionCaller;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/**
 * Source text of a function call. Primitive arguments that are never null at the call are passed unboxed; a primitive
 * result is returned unboxed.
 *
 * <p>Not thread-safe; used for one call.
 */
final class FunctionText
{
    private final FunctionCaller caller;
    private final List<Operand> operands;
    private final CqlType result;

    /**
     * @param handle     method to call
     * @param operands   its arguments
     * @param nullsReach whether it is called with nulls
     * @param result     type of the result
     */
    FunctionText(final MethodHandle handle, final List<Operand> operands, final boolean nullsReach,
        final CqlType result)
    {
        this.operands = operands;
        this.result = result;
        final List<Class<?>> types = new ArrayList<>();
        operands.forEach(each -> types.add(nullsReach && each.canBeNull() ? Object.class : local(each.type())));
        caller = new FunctionCaller(handle, types, local(result));
    }

    /** The class of a local if it is primitive; otherwise of its box. */
    private static Class<?> local(final CqlType type)
    {
        return LocalTypes.isPrimitive(type) ? MethodType.methodType(LocalTypes.box(type)).unwrap().returnType() :
            LocalTypes.box(type);
    }

    FunctionCaller caller()
    {
        return caller;
    }

    /**
     * Source text of the call.
     *
     * @param constant source text of the caller
     * @return Java expression: a long when the caller returns a number, otherwise an object
     */
    String invocation(final String constant)
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
                final String value = "Values.boxed(" + operand.value() + ')';
                objects.add(operand.canBeNull() ? '(' + operand.isNull() + " ? null : " + value + ')' : value);
            }
        }
        if (caller.places() == 0)
        {
            return constant + ".all(new Object[] {" + String.join(", ", objects) + "})";
        }
        while (objects.size() < caller.places())
        {
            objects.add("null");
        }
        while (numbers.size() < caller.places())
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
     * Converts the number that a call has returned.
     *
     * @param bits Java expression of a long
     * @return Java expression of the result type
     */
    String number(final String bits)
    {
        return switch (result)
        {
            case BOOLEAN -> bits + " != 0L";
            case FLOAT, DOUBLE -> '(' + LocalTypes.local(result) + ") Double.longBitsToDouble(" + bits + ')';
            default -> '(' + LocalTypes.local(result) + ") " + bits;
        };
    }
}
