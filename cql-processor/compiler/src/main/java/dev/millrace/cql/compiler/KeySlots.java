package dev.millrace.cql.compiler;

import dev.millrace.api.event.CqlType;
import java.util.List;

/**
 * How the rows of an operator find their partition or group: one slot for all; the code of a single char key (dense
 * arrays, no hashing), which is kept while the operator has something at it; a table from one number to slot; a table
 * from several values to slot, whose strings are held. Nulls form a group of their own.
 */
final class KeySlots
{
    private enum Way
    {
        ONE, CODE, NUMBER, ROW
    }

    /**
     * Value of a key column of the row at hand, or of a group.
     *
     * @param type   of the column
     * @param value  code of the value
     * @param isNull code of "it is null"; {@code null} when it never is
     */
    record Key(CqlType type, String value, String isNull)
    {
    }

    private final ClassContext context;
    private final PlanNode node;
    private final Way way;
    private final String table;
    private final List<CqlType> types;
    private final int stateCounter;

    KeySlots(final ClassContext context, final PlanNode node, final List<CqlType> types, final String stateName)
    {
        this.context = context;
        this.node = node;
        this.types = types;
        way = types.isEmpty() ? Way.ONE : types.size() > 1 ? Way.ROW :
            types.get(0) == CqlType.CHAR ? Way.CODE : Way.NUMBER;
        table = "slots" + node.number;
        types.forEach(type -> bits(node, type, ""));
        if (way == Way.NUMBER)
        {
            context.field("final LongSlots " + table + " = new LongSlots(" + context.maxKeys() + ", memory)");
        }
        else if (way == Way.ROW)
        {
            context.field("final RowSlots " + table + " = new RowSlots(" + (types.size() + 1) + ", " +
                context.maxKeys() + ", memory)");
        }
        context.field("int capacity" + node.number);
        stateCounter = context.state(stateName);
    }

    /** A key as 64 bits that are equal exactly when the values are. */
    static String bits(final PlanNode node, final CqlType type, final String value)
    {
        return switch (type)
        {
            case INT, CHAR, BIGINT, TIMESTAMP, INTERVAL -> value;
            case FLOAT, DOUBLE -> "LongSlots.keyOf(" + value + ')';
            case BOOLEAN -> '(' + value + " ? 1L : 0L)";
            case BIGDECIMAL, BYTE, XMLTYPE, OBJECT -> throw ClassContext.unsupported(node,
                "a key of type " + type.cqlName(), "use a key of type int, bigint, double, boolean, timestamp or char");
        };
    }

    /** Whether there is one slot for all rows. */
    boolean isOne()
    {
        return way == Way.ONE;
    }

    /** Whether the slot of a row is the code of its key. */
    boolean isCode()
    {
        return way == Way.CODE;
    }

    /** Code of how many slots there must be when each row of the next {@code n} has a new one. */
    String needed()
    {
        return switch (way)
        {
            case ONE -> "1";
            case CODE -> context.strings() + ".limit()";
            case NUMBER -> table + ".slotLimit() + n + 1";
            case ROW -> table + ".slotLimit() + n";
        };
    }

    /** Shows in the statistics how many there are. */
    void writeSize(final JavaText body)
    {
        final String size = switch (way)
        {
            case ONE -> "1";
            case CODE -> context.strings() + ".size()";
            default -> table + ".size()";
        };
        writeSize(body, size);
    }

    /** Shows in the statistics that there are so many. */
    void writeSize(final JavaText body, final String size)
    {
        body.line("stateSize(" + stateCounter + ", " + size + ");");
    }

    /** Grows state so that each row of the next {@code n} can have a new slot. */
    void writeReserve(final JavaText body)
    {
        body.open("if (" + needed() + " > capacity" + node.number + ")");
        body.line("grow" + node.number + '(' + needed() + ");");
        body.close();
    }

    /** Writes the method that grows the arrays of state: each as {@code name = copy} line by line. */
    void writeGrow(final JavaText methods, final List<String> lines)
    {
        methods.line("");
        methods.line("/* Room for more slots. */");
        methods.open("private void grow" + node.number + "(final int needed)");
        methods.line("final int before = capacity" + node.number + ';');
        methods.line("final int length = " + (way == Way.ONE ? "needed" : "grownLength(needed, before)") + ';');
        lines.forEach(methods::line);
        methods.line("capacity" + node.number + " = length;");
        methods.close();
    }

    /**
     * Code of the slot of a row, either {@code 0} or a local variable; the row is turned away with {@code leave} when
     * its key is new and there are as many as may be.
     */
    String slot(final JavaText body, final MethodScope scope, final List<Key> keys, final String leave)
    {
        if (way == Way.ONE)
        {
            return "0";
        }
        final boolean holds = way == Way.ROW && types.contains(CqlType.CHAR);
        if (holds)
        {
            body.line("final int slots = " + table + ".size();");
        }
        body.line("final int slot = " + lookUp(body, scope, keys) + ';');
        if (way != Way.CODE)
        {
            body.open("if (slot < 0)");
            body.line("rejectFull(" + context.text("more keys than may be kept, maxKeys=" +
                context.maxKeys() + " in " + node.describe()) + ");");
            body.line(leave);
            body.close();
        }
        if (holds)
        {
            body.open("if (" + table + ".size() != slots)");
            keys.stream().filter(key -> key.type() == CqlType.CHAR)
                .forEach(key -> body.line(context.strings() + ".hold(" + key.value() + ");"));
            body.close();
        }
        return "slot";
    }

    private String lookUp(final JavaText body, final MethodScope scope, final List<Key> keys)
    {
        switch (way)
        {
            case CODE:
                return keys.get(0).value();
            case NUMBER:
                final Key only = keys.get(0);
                final String found = table + ".slotOf(" + bits(node, only.type(), only.value()) + ')';
                return only.isNull() == null ? found : only.isNull() + " ? " + table + ".nullSlot() : " + found;
            default:
                writeRowKey(body, scope, keys);
                return table + ".slotOfKey()";
        }
    }

    private void writeRowKey(final JavaText body, final MethodScope scope, final List<Key> keys)
    {
        final String key = scope.local("key", "long[]", table + ".key()");
        final StringBuilder nulls = new StringBuilder("0L");
        for (int i = 0; i < keys.size(); i++)
        {
            final Key each = keys.get(i);
            final String bits = bits(node, each.type(), each.value());
            if (each.isNull() == null || each.type() == CqlType.CHAR)
            {
                body.line(key + '[' + i + "] = " + bits + ';');
            }
            else
            {
                final String zero = each.type() == CqlType.INT ? "0" : "0L";
                body.line(key + '[' + i + "] = " + each.isNull() + " ? " + zero + " : " + bits + ';');
                nulls.append(" | (").append(each.isNull()).append(" ? ").append(1L << i).append("L : 0L)");
            }
        }
        body.line(key + '[' + keys.size() + "] = " + nulls + ';');
    }
}
