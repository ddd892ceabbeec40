package dev.millrace.cql.compiler.emit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Arrays of state by slot in a generated class, with incremental resize: arrays of twice the length are allocated, and
 * each batch moves one slice ({@code Pipeline.moveEnd}). During a resize only the exact methods run, which select the
 * array that contains a slot; the fast methods use one array and ignore resizes.
 *
 * <pre>
 *   a      [ . . . . moved  | not yet moved . ]                       capacity
 *   aNext  [ already moved  | (empty so far) . | new slots . . . . ]  length
 * </pre>
 */
public final class SlotArrays
{
    private record Array(String name, String element, int stride, String fill, boolean codes)
    {
        /** Writes a line for each element of the slot {@code slot}. */
        void each(final JavaText body, final Function<String, String> line)
        {
            if (stride == 1)
            {
                body.line(line.apply(name + "[slot]"));
                return;
            }
            body.open("for (int at = slot * " + stride + "; at < (slot + 1) * " + stride + "; at++)");
            body.line(line.apply(name + "[at]"));
            body.close();
        }
    }

    private final ClassContext context;
    private final int number;
    private final KeySlots slots;
    private final List<Array> arrays = new ArrayList<>();

    public SlotArrays(final ClassContext context, final PlanNode node, final KeySlots slots)
    {
        this.context = context;
        this.slots = slots;
        number = node.number;
        if (!slots.isOne())
        {
            context.field("int length" + number);
            context.field("int moved" + number);
            context.field("boolean moving" + number);
        }
        if (slots.isCode())
        {
            context.keep("has" + number + "(code)");
        }
    }

    /**
     * Declares an array.
     *
     * @param name    of its field
     * @param element type
     * @param stride  elements per slot
     * @param fill    code of the initial value; {@code null} for zero
     */
    public void add(final String name, final String element, final int stride, final String fill)
    {
        add(new Array(name, element, stride, fill, false));
    }

    /**
     * Declares an array of string codes, which state retains.
     *
     * @param name   of its field
     * @param stride elements per slot
     */
    public void addCodes(final String name, final int stride)
    {
        add(new Array(name, "int", stride, null, true));
    }

    private void add(final Array array)
    {
        arrays.add(array);
        final String name = array.name;
        final String element = array.element;
        context.field(element + "[] " + name + " = new " + element + "[0]");
        if (!slots.isOne())
        {
            context.field(element + "[] " + name + "Next = " + name);
        }
    }

    /** Code of the array that contains the current slot; exact methods have called {@link #writeFar} before. */
    public String array(final MethodScope scope, final String name, final boolean exact)
    {
        final Array array = arrays.stream().filter(each -> each.name.equals(name)).findFirst().orElseThrow();
        final String here = scope.local(name, array.element + "[]", "this." + name);
        if (!exact || slots.isOne())
        {
            return here;
        }
        return "(far" + number + " ? " + scope.local(name + "Next", array.element + "[]", "this." + name + "Next") +
            " : " + here + ')';
    }

    /** In exact methods, once per row: selects the array that contains the slot. */
    public void writeFar(final JavaText body, final String slot, final boolean exact)
    {
        if (exact && !slots.isOne())
        {
            body.line("final boolean far" + number + " = moving" + number + " & (" + slot + " < moved" + number +
                " | " + slot + " >= capacity" + number + ");");
        }
    }

    /** Conditions under which exact methods are needed. */
    public List<String> exactConditions()
    {
        return slots.isOne() ? List.of() : List.of("moving" + number);
    }

    /** Ensures capacity so that each of the next {@code n} rows can have a new slot. */
    public void writeReserve(final JavaText body)
    {
        slots.writeSize(body);
        final String moving = slots.isOne() ? "" : " | moving" + number;
        body.open("if (" + slots.needed() + " > capacity" + number + moving + ")");
        body.line("room" + number + '(' + slots.needed() + ");");
        body.close();
    }

    /** Opens the loop that writes the slots; further output in it follows the arrays. */
    public void openSave(final JavaText body)
    {
        writeSettle(body);
        slots.openSave(body, slots.isCode() ? "has" + number + "(slot)" : null);
        for (final Array each : arrays)
        {
            each.each(body, at -> each.codes ? "to.writeString(" + context.strings() + ".string(" + at + "));" :
                switch (each.element)
                {
                    case "byte" -> "to.writeByte(" + at + ");";
                    case "int" -> "to.writeInt(" + at + ");";
                    case "long" -> "to.writeLong(" + at + ");";
                    case "float" -> "to.writeInt(Float.floatToRawIntBits(" + at + "));";
                    case "double" -> "to.writeLong(Double.doubleToRawLongBits(" + at + "));";
                    default -> "to.writeValue(" + at + ");";
                });
        }
    }

    /** Opens the loop that discards slots. */
    public void openForget(final JavaText body)
    {
        writeSettle(body);
        slots.openForget(body, slots.isCode() ? "has" + number + "(slot)" : null);
    }

    /** Resets a slot to its initial state. */
    public void writeClear(final JavaText body)
    {
        for (final Array each : arrays)
        {
            if (each.codes)
            {
                each.each(body, at -> context.strings() + ".release(" + at + ");");
            }
            each.each(body, at -> at + " = " + (each.fill != null ? each.fill : switch (each.element)
            {
                case "byte", "int", "long", "float", "double" -> "0";
                default -> "null";
            }) + ';');
        }
    }

    /** Opens the loop that reads the slots. */
    public void openLoad(final JavaText body)
    {
        writeSettle(body);
        slots.openLoad(body, true);
        body.open("if (slot >= capacity" + number + ")");
        body.line("room" + number + "(slot + 1);");
        writeSettle(body);
        body.close();
        if (slots.isCode())
        {
            slots.writeNew(body, "!has" + number + "(slot)");
        }
        for (final Array each : arrays)
        {
            each.each(body, at -> at + " = " + (each.codes ? "readHeld(" + context.strings() + ", from);" :
                switch (each.element)
                {
                    case "byte" -> "from.readByte();";
                    case "int" -> "from.readInt();";
                    case "long" -> "from.readLong();";
                    case "float" -> "Float.intBitsToFloat(from.readInt());";
                    case "double" -> "Double.longBitsToDouble(from.readLong());";
                    default -> "from.readValue();";
                }));
        }
    }

    /** Completes a resize, so that all state is in one array each. */
    private void writeSettle(final JavaText body)
    {
        if (!slots.isOne())
        {
            body.open("while (moving" + number + ")");
            body.line("room" + number + "(capacity" + number + ");");
            body.close();
        }
    }

    /** Writes the method that tests whether a slot differs from its initial state. */
    private void writeHas(final JavaText methods)
    {
        methods.line("");
        methods.line("/* Whether state has an entry for a code. */");
        methods.open("private boolean has" + number + "(final int slot)");
        methods.open("if (slot >= (moving" + number + " ? length" + number + " : capacity" + number + "))");
        methods.line("return false;");
        methods.close();
        methods.line("final boolean far = moving" + number + " & (slot < moved" + number + " | slot >= capacity" +
            number + ");");
        for (final Array each : arrays)
        {
            methods.line("final " + each.element + "[] of_" + each.name + " = far ? " + each.name + "Next : " +
                each.name + ';');
            methods.open("for (int at = slot * " + each.stride + "; at < (slot + 1) * " + each.stride + "; at++)");
            final String value = "of_" + each.name + "[at]";
            methods.open("if (" + (each.fill != null ? value + " == " + value : switch (each.element)
            {
                case "boolean" -> value;
                case "byte", "int", "long", "float", "double" -> value + " != 0";
                default -> value + " != null";
            }) + ")");
            methods.line("return true;");
            methods.close();
            methods.close();
        }
        methods.line("return false;");
        methods.close();
    }

    /** Writes the methods that ensure capacity. */
    public void writeRest(final JavaText methods)
    {
        if (slots.isCode())
        {
            writeHas(methods);
        }
        slots.writeShared(methods);
        methods.line("");
        methods.line("/* Ensures capacity: moves a slice of state to longer arrays. */");
        methods.open("private void room" + number + "(final int needed)");
        if (slots.isOne())
        {
            arrays.forEach(each -> writeMake(methods, each, each.name, "needed"));
            methods.line("capacity" + number + " = needed;");
            methods.close();
            return;
        }
        methods.open("while (moving" + number + " | needed > capacity" + number + ")");
        methods.open("if (!moving" + number + ")");
        methods.line("longer" + number + "(needed);");
        methods.close();
        methods.line("final int from = moved" + number + ';');
        methods.line("final int end = needed > length" + number + " ? capacity" + number + " : moveEnd(from, capacity" +
            number + ");");
        for (final Array each : arrays)
        {
            final String times = each.stride == 1 ? "" : " * " + each.stride;
            methods.line("System.arraycopy(" + each.name + ", from" + times + ", " + each.name + "Next, from" + times +
                ", (end - from)" + times + ");");
        }
        methods.line("moved" + number + " = end;");
        methods.open("if (end < capacity" + number + ")");
        methods.line("return;");
        methods.close();
        methods.line("memory.release(" + slotBytes() + "L * capacity" + number + ");");
        arrays.forEach(each -> methods.line(each.name + " = " + each.name + "Next;"));
        methods.line("capacity" + number + " = length" + number + ';');
        methods.line("moving" + number + " = false;");
        methods.close();
        methods.close();
        writeLonger(methods);
    }

    private void writeLonger(final JavaText methods)
    {
        methods.line("");
        methods.line("/* Longer arrays, still empty. */");
        methods.open("private void longer" + number + "(final int needed)");
        methods.line("final int length = grownLength(needed, capacity" + number + ");");
        methods.line("memory.charge(" + slotBytes() + "L * length);");
        arrays.forEach(each -> writeMake(methods, each, each.name + "Next", "length"));
        methods.line("length" + number + " = length;");
        methods.line("moved" + number + " = 0;");
        methods.line("moving" + number + " = true;");
        methods.close();
    }

    private int slotBytes()
    {
        return arrays.stream().mapToInt(each -> each.stride * switch (each.element)
        {
            case "boolean", "byte" -> 1;
            case "int", "float" -> Integer.BYTES;
            default -> Long.BYTES;
        }).sum();
    }

    private static void writeMake(final JavaText methods, final Array array, final String name, final String length)
    {
        methods.line(name + " = new " + array.element + '[' +
            (array.stride == 1 ? length : "Math.multiplyExact(" + length + ", " + array.stride + ")") + "];");
        if (array.fill != null)
        {
            methods.line("java.util.Arrays.fill(" + name + ", " + array.fill + ");");
        }
    }
}
