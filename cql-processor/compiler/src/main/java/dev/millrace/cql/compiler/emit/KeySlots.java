package dev.millrace.cql.compiler.emit;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * Maps the rows of an operator to partitions or groups: one slot for all rows; the code of a single char key (dense
 * arrays, no hashing), which is retained while the operator has state for it; a hash table from a number to a slot; or
 * a hash table from several values to a slot, whose strings are retained. Nulls form a separate group.
 */
public final class KeySlots
{
    private enum Way
    {
        ONE, CODE, NUMBER, ROW
    }

    /**
     * Value of a key column of the current row, or of a group.
     *
     * @param type   of the column
     * @param value  code of the value
     * @param isNull code for "it is null"; {@code null} when it never is
     */
    public record Key(CqlType type, String value, String isNull)
    {
    }

    private final ClassContext context;
    private final PlanNode node;
    private final Way way;
    private final String table;
    private final List<CqlType> types;
    /** Source column that each key repeats; -1 when it repeats none. */
    private final int[] sources;
    private final int stateCounter;

    public KeySlots(final ClassContext context, final PlanNode node, final List<Expression> keys,
        final String stateName)
    {
        types = keys.stream().map(Expression::type).toList();
        sources = keys.stream().mapToInt(
            key -> key instanceof Expression.Column column ? node.sourceColumns[column.column()] : -1).toArray();
        this.context = context;
        this.node = node;
        way = types.isEmpty() ? Way.ONE : types.size() > 1 ? Way.ROW :
            types.get(0) == CqlType.CHAR ? Way.CODE : Way.NUMBER;
        table = "slots" + node.number;
        types.forEach(type -> bits(node, type, ""));
        if (way == Way.NUMBER)
        {
            context.field("final LongSlotMap " + table + " = new LongSlotMap(" + context.maxKeys() + ", memory)");
        }
        else if (way == Way.ROW)
        {
            context.field("final RowSlotMap " + table + " = new RowSlotMap(" + (types.size() + 1) + ", " +
                context.maxKeys() + ", memory)");
        }
        context.field("int capacity" + node.number);
        stateCounter = context.state(stateName);
    }

    /** A key as 64 bits that are equal exactly when the values are. */
    public static String bits(final PlanNode node, final CqlType type, final String value)
    {
        return switch (type)
        {
            case INT, CHAR, BIGINT, TIMESTAMP, INTERVAL -> value;
            case FLOAT, DOUBLE -> "LongSlotMap.keyOf(" + value + ')';
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
    public boolean isCode()
    {
        return way == Way.CODE;
    }

    /** Code of the number of slots needed when each of the next {@code n} rows has a new one. */
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

    /** Updates the number of slots in the statistics. */
    public void writeSize(final JavaText body)
    {
        final String size = switch (way)
        {
            case ONE -> "1";
            case CODE -> context.strings() + ".size()";
            default -> table + ".size()";
        };
        writeSize(body, size);
    }

    /** Sets the number of slots in the statistics. */
    public void writeSize(final JavaText body, final String size)
    {
        body.line("stateSize(" + stateCounter + ", " + size + ");");
    }

    /** Grows state so that each of the next {@code n} rows can have a new slot. */
    public void writeReserve(final JavaText body)
    {
        body.open("if (" + needed() + " > capacity" + node.number + ")");
        body.line("grow" + node.number + '(' + needed() + ");");
        body.close();
    }

    /** Writes the method that grows the arrays of state, each by a line {@code name = copy}. */
    public void writeGrow(final JavaText methods, final List<String> lines)
    {
        methods.line("");
        methods.line("/* Grows the arrays of state. */");
        methods.open("private void grow" + node.number + "(final int needed)");
        methods.line("final int before = capacity" + node.number + ';');
        methods.line("final int length = " + (way == Way.ONE ? "needed" : "grownLength(needed, before)") + ';');
        lines.forEach(methods::line);
        methods.line("capacity" + node.number + " = length;");
        methods.close();
    }

    /**
     * Code of the slot of a row, either {@code 0} or a local variable; when the key is new and the maximum is reached,
     * the row is rejected and skipped with {@code leave}.
     */
    public String slot(final JavaText body, final MethodScope scope, final List<Key> keys, final String leave)
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

    private String size()
    {
        return table + ".size()";
    }

    /**
     * Opens a loop over the slots that may have state; {@code slot} is the current one, and its key is written.
     *
     * @param hasState code for "the slot has state"; {@code null} when all slots with keys have
     */
    public void openSave(final JavaText body, final String hasState)
    {
        openSlots(body, hasState, false);
        writeKey(body);
    }

    /**
     * Opens a loop over the slots of discarded partitions; {@code slot} is the current one.
     *
     * @param hasState code for "the slot has state"; {@code null} when all slots with keys have
     */
    public void openForget(final JavaText body, final String hasState)
    {
        openSlots(body, hasState, true);
    }

    private void openSlots(final JavaText body, final String hasState, final boolean isForgetting)
    {
        if (way == Way.ONE)
        {
            body.line("which.check(true, " + context.text(node.describe()) + ");");
            body.open("for (int slot = 0; slot < capacity" + node.number + "; slot++)");
        }
        else if (way == Way.NUMBER)
        {
            body.line("final long[] entries = " + table + ".entries();");
            body.open("for (int entry = 0; entry < entries.length; entry += 2)");
            body.line("final boolean isNull = entries[entry + 1] < 0;");
            body.line("final int slot = (int) (isNull ? ~entries[entry + 1] : entries[entry + 1]);");
        }
        else
        {
            body.open("for (int slot = 0; slot < " +
                (way == Way.CODE ? "capacity" + node.number : table + ".slotLimit()") + "; slot++)");
        }
        final List<String> out = new ArrayList<>();
        if (way == Way.ROW)
        {
            out.add(table + ".isFree(slot)");
        }
        if (hasState != null)
        {
            out.add("!(" + hasState + ')');
        }
        if (way != Way.ONE)
        {
            out.add(isForgetting ? "!(" + isAmong() + ')' : "which.isSome() && !(" + isAmong() + ')');
        }
        if (!out.isEmpty())
        {
            body.open("if (" + String.join(" || ", out) + ")");
            body.line("continue;");
            body.close();
        }
    }

    /** Ends the loop of {@link #openForget} and removes the key. */
    public void closeForget(final JavaText body)
    {
        switch (way)
        {
            case CODE -> body.line(context.strings() + ".offer(slot);");
            case NUMBER ->
            {
                body.open("if (!isNull)");
                body.line(table + ".remove(entries[entry]);");
                body.close();
            }
            case ROW ->
            {
                for (int i = 0; i < types.size(); i++)
                {
                    if (isString(i))
                    {
                        body.line(context.strings() + ".release((int) " + word(i) + ");");
                    }
                }
                body.line(table + ".remove(slot);");
            }
            default ->
            {
                // There is no key.
            }
        }
        body.close();
    }

    private void writeKey(final JavaText body)
    {
        switch (way)
        {
            case ONE -> body.line("to.writeByte(1);");
            case CODE ->
            {
                body.line("to.writeByte(1);");
                body.line("to.writeString(" + context.strings() + ".string(slot));");
            }
            case NUMBER ->
            {
                body.line("to.writeByte(isNull ? 2 : 1);");
                body.line("to.writeLong(entries[entry]);");
            }
            default ->
            {
                body.line("to.writeByte(1);");
                for (int i = 0; i <= types.size(); i++)
                {
                    body.line(isString(i) ? "to.writeString(" + context.strings() + ".string((int) " + word(i) + "));" :
                        "to.writeLong(" + word(i) + ");");
                }
            }
        }
    }

    private boolean isString(final int word)
    {
        return word < types.size() && types.get(word) == CqlType.CHAR;
    }

    private String word(final int index)
    {
        return table + ".word(slot, " + index + ')';
    }

    /** Code for "the partition of the slot is selected". */
    private String isAmong()
    {
        final StringBuilder test = new StringBuilder();
        for (int i = 0; i < sources.length; i++)
        {
            if (sources[i] >= 0)
            {
                test.append("which.isBy(").append(sources[i]).append(") ? ").append(isAmong(i)).append(" : ");
            }
        }
        return test.append("shared").append(node.number).append("(which)").toString();
    }

    private String isAmong(final int key)
    {
        final CqlType type = types.get(key);
        final String word = way == Way.CODE ? "slot" : way == Way.NUMBER ? "entries[entry]" : word(key);
        final String isNull = type == CqlType.CHAR ? word + " == 0" : way == Way.NUMBER ? "isNull" :
            "(" + word(types.size()) + " & " + (1L << key) + "L) != 0L";
        return "(" + isNull + " ? which.partitions().ofNull() : which.partitions()." + switch (type)
        {
            case CHAR -> "ofString(" + context.strings() + ".string(" + (way == Way.ROW ? "(int) " : "") + word + "))";
            case FLOAT -> "ofFloat((float) Double.longBitsToDouble(" + word + "))";
            case DOUBLE -> "ofDouble(Double.longBitsToDouble(" + word + "))";
            default -> "ofLong(" + word + ')';
        } + ')';
    }

    /** Ends the loop of {@link #openSave}. */
    public static void closeSave(final JavaText body)
    {
        body.close();
        body.line("to.writeByte(0);");
    }

    /**
     * Opens a loop over written slots; {@code slot} is the slot of a key, and {@code key} its bits when it is a number.
     *
     * @param isTable whether a key is new when the table did not have it
     */
    public void openLoad(final JavaText body, final boolean isTable)
    {
        final boolean isNew = isTable && (way == Way.NUMBER || way == Way.ROW);
        body.open("for (int next = from.readByte(); next != 0; next = from.readByte())");
        if (way == Way.NUMBER || way == Way.ROW)
        {
            body.line("final int size = " + size() + ';');
        }
        switch (way)
        {
            case ONE -> body.line("final int slot = 0;");
            case CODE -> body.line("final int slot = readCode(" + context.strings() + ", from);");
            case NUMBER ->
            {
                body.line("final long key = from.readLong();");
                body.line("final int slot = next == 2 ? " + table + ".nullSlot() : " + table + ".slotOf(key);");
            }
            default ->
            {
                for (int i = 0; i <= types.size(); i++)
                {
                    body.line(table + ".key()[" + i + "] = " +
                        (isString(i) ? "readCode(" + context.strings() + ", from);" : "from.readLong();"));
                }
                body.line("final int slot = " + table + ".slotOfKey();");
                writeHold(body);
            }
        }
        writeNew(body, way == Way.ONE ? "capacity" + node.number + " == 0" : isNew ? size() + " != size" : "true");
    }

    /** Refuses a slot that does not exist or already has state. */
    public void writeNew(final JavaText body, final String isNew)
    {
        body.line("checkNew(slot, " + isNew + ", " + context.text(node.describe()) + ");");
    }

    private void writeHold(final JavaText body)
    {
        if (types.contains(CqlType.CHAR))
        {
            body.open("if (" + size() + " != size)");
            for (int i = 0; i < types.size(); i++)
            {
                if (isString(i))
                {
                    body.line(context.strings() + ".hold((int) " + table + ".key()[" + i + "]);");
                }
            }
            body.close();
        }
    }

    /** Writes the method that refuses to separate state that is not keyed by partition. */
    public void writeShared(final JavaText methods)
    {
        if (way != Way.ONE)
        {
            writeShared(methods, context, node);
        }
    }

    /** Writes the method that refuses to separate state that is not keyed by partition. */
    public static void writeShared(final JavaText methods, final ClassContext context, final PlanNode node)
    {
        methods.line("");
        methods.line("/* The state has no key that identifies its partition. */");
        methods.open("private boolean shared" + node.number + "(final PartitionSelection which)");
        methods.line("which.check(true, " + context.text(node.describe()) + ");");
        methods.line("return true;");
        methods.close();
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
