package dev.millrace.cql.compiler;

import dev.millrace.api.event.CqlType;
import java.util.List;

/**
 * How the rows of an operator find their partition or group: one slot for all; the dictionary id of a single char key
 * (dense arrays, no hashing); the code of a single char key in a table of the operator's, which reclaims it; a table
 * from one number to slot; a table from several values to slot. Nulls form a group of their own.
 */
final class KeySlots
{
    private enum Way
    {
        ONE, ID, TEXT, NUMBER, ROW
    }

    /**
     * Value of a key column of the row at hand, or of a group.
     *
     * @param type   of the column
     * @param value  code of the value
     * @param isNull code of "it is null"; {@code null} when it never is
     * @param keys   code of the {@code TextKeys} that the value is a code of; {@code null} for an id of the dictionary
     */
    record Key(CqlType type, String value, String isNull, String keys)
    {
        Key(final CqlType type, final String value, final String isNull)
        {
            this(type, value, isNull, null);
        }
    }

    private final ClassContext context;
    private final PlanNode node;
    private final Way way;
    private final String table;
    private final String dictionary;
    private final int stateCounter;

    KeySlots(final ClassContext context, final PlanNode node, final List<CqlType> types, final int firstDomain,
        final String stateName)
    {
        this(context, node, types.isEmpty() ? Way.ONE : types.size() > 1 ? Way.ROW :
            types.get(0) == CqlType.CHAR ? Way.ID : Way.NUMBER, types, firstDomain, stateName);
    }

    private KeySlots(final ClassContext context, final PlanNode node, final Way way, final List<CqlType> types,
        final int firstDomain, final String stateName)
    {
        this.context = context;
        this.node = node;
        this.way = way;
        table = "slots" + node.number;
        types.forEach(type -> bits(node, type, ""));
        dictionary = way == Way.ID ? context.dictionary(firstDomain) : null;
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

    /**
     * Slots of a char column of the batch that come in, whose groups end: the operator {@linkplain #writeRemove says}
     * when.
     */
    static KeySlots ofTexts(
        final ClassContext context, final PlanNode node, final int sourceColumn, final String stateName)
    {
        final KeySlots slots =
            new KeySlots(context, node, Way.TEXT, List.of(CqlType.CHAR), CharDomains.NONE, stateName);
        context.field("final TextKeys " + slots.table);
        context.constructor().line(slots.table + " = new TextKeys(" + sourceColumn + ", bindings.newCodes(" +
            context.maxKeys() + "), memory);");
        return slots;
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

    /** Whether the slot of a row is the dictionary id of its key. */
    boolean isId()
    {
        return way == Way.ID;
    }

    /** Code of how many slots there must be when each row of the next {@code n} has a new one. */
    String needed()
    {
        return switch (way)
        {
            case ONE -> "1";
            case ID -> dictionary + ".size() + 1";
            case TEXT -> table + ".limit() + n";
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
            case ID -> dictionary + ".size()";
            default -> table + ".size()";
        };
        body.line("stateSize(" + stateCounter + ", " + size + ");");
    }

    /** Grows state so that each row of the next {@code n} can have a new slot. */
    void writeReserve(final JavaText body)
    {
        writeSize(body);
        if (way == Way.TEXT)
        {
            body.line(table + ".bind(in);");
        }
        body.open("if (" + needed() + " > capacity" + node.number + ")");
        body.line("grow" + node.number + '(' + needed() + ");");
        body.close();
    }

    /**
     * A group of texts has ended.
     *
     * @param slot  code of its slot
     * @param clear statement that checks, in tests, that its state is clear
     */
    void writeRemove(final JavaText body, final String slot, final String clear)
    {
        body.line(clear);
        body.line(table + ".remove(" + slot + ");");
    }

    /** The text of a group of texts. */
    Key textOf(final String slot)
    {
        return new Key(CqlType.CHAR, slot, slot + " == 0", table);
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
        body.line("final int slot = " + lookUp(body, scope, keys) + ';');
        if (way != Way.ID)
        {
            body.open("if (slot < 0)");
            body.line("rejectFull(" + context.text("more keys than may be kept, maxKeys=" +
                context.maxKeys() + " in " + node.describe()) + ");");
            body.line(leave);
            body.close();
        }
        return "slot";
    }

    private String lookUp(final JavaText body, final MethodScope scope, final List<Key> keys)
    {
        switch (way)
        {
            case ID:
                return keys.get(0).value();
            case TEXT:
                return table + ".code(i)";
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
