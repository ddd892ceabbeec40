package dev.millrace.cql.compiler.generator;

import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.ColumnRef;
import dev.millrace.cql.compiler.emit.ExpressionEmitter;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.KeySlots;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.compiler.emit.RowSelection;
import dev.millrace.cql.compiler.emit.SlotArrays;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * Pattern of k consecutive rows: no automaton, but one bit for each prefix that is complete at the last row of a
 * partition.
 *
 * <pre>
 *   bits now = (bits before shifted by one, first bit set) and (bit j set where condition j holds for this row)
 *   match    = bit k - 1
 * </pre>
 */
public final class PatternStage extends OperatorGenerator
{
    private static final int MAX_VARIABLES = 63;

    private final Operator.FixedPattern pattern;
    private final int count;
    private final KeySlots slots;
    private final SlotArrays arrays;
    private final PatternHistory history;
    private final String live;

    public PatternStage(final ClassContext context, final PlanNode node)
    {
        super(context, node);
        pattern = (Operator.FixedPattern)node.operator;
        count = pattern.conditions().size();
        if (count < 1 || count > MAX_VARIABLES)
        {
            throw ClassContext.unsupported(node, "a pattern of " + count + " variables",
                "use 1 to " + MAX_VARIABLES + " variables");
        }
        context.fields().line("/* Partitions of " + name + ". */");
        slots = new KeySlots(context, node, node.inputColumns(pattern.partitionBy()), name + ".partitions");
        final List<Expression> measures = new ArrayList<>();
        computed().forEach(field -> measures.add(pattern.measures().get(field).expression()));
        arrays = new SlotArrays(context, node, slots);
        history = new PatternHistory(context, node, arrays, measures);
        live = "live" + node.number;
        if (hasLiveBits())
        {
            arrays.add(live, liveElement(), 1, null);
        }
        context.field("long nullsHeld" + node.number);
    }

    private boolean hasLiveBits()
    {
        return count > 1 && !history.isNanCoded();
    }

    private String liveElement()
    {
        return count <= Byte.SIZE ? "byte" : count < Integer.SIZE ? "int" : "long";
    }

    private String bitsType()
    {
        return count < Integer.SIZE ? "int" : "long";
    }

    private String bit(final long mask)
    {
        return count < Integer.SIZE ? Long.toString(mask) : mask + "L";
    }

    @Override
    public int repeatedColumn(final Expression expression)
    {
        return expression instanceof Expression.PriorColumn prior && prior.offset() == 0 ? prior.column() : -1;
    }

    @Override
    public List<String> exactConditions()
    {
        final List<String> conditions = new ArrayList<>(arrays.exactConditions());
        if (history.countsNulls())
        {
            conditions.add("nullsHeld" + node.number + " != 0L");
        }
        return conditions;
    }

    @Override
    public void writeReserve(final JavaText body)
    {
        arrays.writeReserve(body);
    }

    @Override
    public void writeRest(final JavaText methods)
    {
        arrays.writeRest(methods);
    }

    @Override
    public void writeForget(final JavaText body)
    {
        arrays.openForget(body);
        history.writeCountNulls(body, "-=");
        arrays.writeClear(body);
        slots.closeForget(body);
    }

    @Override
    public boolean writeState(final JavaText save, final JavaText load)
    {
        arrays.openSave(save);
        KeySlots.closeSave(save);
        arrays.openLoad(load);
        history.writeCountNulls(load, "+=");
        load.close();
        return true;
    }

    /**
     * A pattern of two rows often matches, so that a branch would be mispredicted: measures are computed for all rows.
     * Longer patterns rarely match.
     */
    private boolean isMatchRare()
    {
        return count > 2;
    }

    @Override
    public Batch writeBatch(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final List<ColumnRef> columns = repeated(input);
        final MethodScope scope = new MethodScope(true);
        final JavaText body = new JavaText(2);
        final String selection = context.scratch("sel" + node.number, "int");
        scope.local(selection, "int[]", "this." + selection);
        body.line("int k = 0;");
        openLoop(body, scope, input.selection(), "n");
        final String match = writeRowBody(body, scope, input, columns, exact, selection);
        if (!isMatchRare())
        {
            body.line(selection + "[k] = i;");
            body.line("k += " + match + " ? 1 : 0;");
        }
        body.close();
        body.line("return k;");
        method(methods, "Pattern of " + count + " rows over a batch.", "private int " + name + suffix(exact) +
            "(final EventBatch in, final int n)", scope, body);
        return new Batch(new RowSelection(columns, selection), name + suffix(exact), true);
    }

    @Override
    public RowSelection writeRow(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final List<ColumnRef> columns = repeated(input);
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        final String match = writeRowBody(body, scope, input, columns, exact, null);
        body.open("if (" + match + ")");
        callConsumers(body, exact);
        body.close();
        rowMethod(methods, "Pattern of " + count + " rows over a row.", scope, body, exact);
        return new RowSelection(columns, null);
    }

    /** Writes conditions, measures of a match and new state for row {@code i}; returns code for "a match ends here". */
    private String writeRowBody(final JavaText body, final MethodScope scope, final RowSelection input,
        final List<ColumnRef> columns, final boolean exact, final String selection)
    {
        final String leave = selection == null ? "return;" : "continue;";
        history.writeTake(body, scope, input, leave);
        final String slot = writeSlot(body, scope, input, leave);
        arrays.writeFar(body, slot, exact);
        final ExpressionEmitter kernel = new ExpressionEmitter(context, node, scope,
            history.leaves(scope, input, slot, exact), body);
        if (hasLiveBits())
        {
            body.line("final " + bitsType() + " before = " +
                arrays.array(scope, live, exact) + '[' + slot + "];");
        }
        final String match = writeMatch(body, kernel, leave);
        if (isMatchRare())
        {
            body.open("if (" + match + ")");
            kernel.within(() ->
            {
                reject(body, fieldErrors(kernel), leave);
                store(kernel, scope, body, columns);
            });
            if (selection != null)
            {
                body.line(selection + "[k] = i;");
                body.line("k++;");
            }
            body.close();
            history.writePush(body, kernel, scope, input, slot, exact, match);
        }
        else
        {
            final String errors = fieldErrors(kernel);
            reject(body, errors == null ? null : match + " & (" + errors + ")", leave);
            evaluate(kernel);
            history.writePush(body, kernel, scope, input, slot, exact, match);
            store(kernel, scope, body, columns);
        }
        if (hasLiveBits())
        {
            final String kept = "now & " + bit((1L << (count - 1)) - 1);
            final String next = pattern.allMatches() ? kept : match + " ? " + bit(0) + " : " + kept;
            final boolean narrow = liveElement().equals("byte");
            final String element = narrow ? "(byte) (" + next + ")" : next;
            body.line(arrays.array(scope, live, exact) + '[' + slot + "] = " + element + ';');
        }
        return match;
    }

    private String writeSlot(final JavaText body, final MethodScope scope, final RowSelection input, final String leave)
    {
        final List<KeySlots.Key> keys = new ArrayList<>();
        for (final int column : pattern.partitionBy())
        {
            final ColumnRef ref = input.columns().get(column);
            keys.add(new KeySlots.Key(ref.type(), ref.value(scope, "i"), ref.nullFlag(scope, "i")));
        }
        return slots.slot(body, scope, keys, leave);
    }

    private String writeMatch(final JavaText body, final ExpressionEmitter kernel, final String leave)
    {
        final StringBuilder mask = new StringBuilder();
        DeferredConditions later = null;
        long always = 0;
        String error = null;
        String last = null;
        for (int j = 0; j < count; j++)
        {
            final Expression condition = pattern.conditions().get(j);
            later = j == 2 ? new DeferredConditions(pattern, kernel) : later;
            if (condition == null)
            {
                always |= 1L << j;
            }
            if (condition == null || later != null && later.has(j))
            {
                continue;
            }
            last = kernel.value(condition);
            final String failed = kernel.error(condition);
            if (failed != null)
            {
                final String wanted = j == 0 ? failed : failed + " & (before & " + bit(1L << (j - 1)) + ") != 0";
                error = error == null ? wanted : error + " | " + wanted;
            }
            mask.append(mask.length() == 0 ? "" : " | ").append(flag(last, j));
        }
        reject(body, error, leave);
        if (!hasLiveBits())
        {
            return last == null ? "true" : last;
        }
        if (always != 0 || mask.length() == 0)
        {
            mask.append(mask.length() == 0 ? "" : " | ").append(bit(always));
        }
        final String open = "(before << 1 | " + bit(1) + ")";
        body.line(bitsType() + " now = " + open + " & (" + mask + ");");
        if (later != null)
        {
            later.write(body, "(before & " + bit(later.prefixes()) + ")",
                (condition, j) -> body.line("now |= before << 1 & " + flag(condition, j) + ';'));
        }
        return kernel.local("boolean", "match", "(now & " + bit(1L << (count - 1)) + ") != 0");
    }

    /** The bit of an index when its condition holds. */
    private String flag(final String condition, final int shift)
    {
        final String flag = '(' + condition + " ? " + bit(1) + " : " + bit(0) + ')';
        return shift == 0 ? flag : flag + " << " + shift;
    }
}
