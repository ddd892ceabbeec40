package dev.millrace.cql.compiler.generator;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.ColumnRef;
import dev.millrace.cql.compiler.emit.ExpressionEmitter;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.JavaTypes;
import dev.millrace.cql.compiler.emit.KeySlots;
import dev.millrace.cql.compiler.emit.LeafResolver;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.compiler.emit.RowSelection;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Look-up of rows in a keyed relation. A char key indexes a byte array of presence, so that the first pass over a batch
 * is branch-free; other keys use the hash table of the relation.
 */
public final class JoinStage extends OperatorGenerator
{
    private static final int ROWS_A_TURN = 16;

    private final Operator.LookupJoin join;
    private final CqlType keyType;
    private final String relation;

    public JoinStage(final ClassContext context, final PlanNode node)
    {
        super(context, node);
        join = (Operator.LookupJoin)node.operator;
        keyType = join.relation().type().properties().get(join.relation().keyColumn()).type();
        relation = "relation" + node.number;
        context.field("final LookupRelation " + relation);
        context.constructor().line(relation + " = bindings.relation(" +
            context.constant(join.relation().id(), "String") + ");");
        if (keyType.storage() == dev.millrace.api.event.ColumnStorage.REFERENCE)
        {
            throw ClassContext.unsupported(node, "look-up by a key of type " + keyType.cqlName(),
                "use a key of type int, bigint, double, boolean, timestamp or char");
        }
    }

    private boolean isCharKey()
    {
        return keyType == CqlType.CHAR;
    }

    /**
     * The relation's key column also repeats the input: the two are equal, and their bits are equal unless they are
     * floats.
     */
    @Override
    public int repeatedColumn(final Expression expression)
    {
        if (expression instanceof Expression.Column column)
        {
            return column.column();
        }
        final boolean exactKey = keyType != CqlType.FLOAT && keyType != CqlType.DOUBLE;
        return exactKey && expression instanceof Expression.RelationColumn column &&
            column.column() == join.relation().keyColumn() && join.key() instanceof Expression.Column key ?
            key.column() : -1;
    }

    @Override
    public List<String> exactConditions()
    {
        final Set<Integer> read = new TreeSet<>();
        final List<Expression> expressions = new ArrayList<>();
        expressions.add(join.condition());
        computed().forEach(field -> expressions.add(join.fields().get(field).expression()));
        expressions.forEach(expression -> PlanNode.walk(expression, leaf ->
        {
            if (leaf instanceof Expression.RelationColumn column && column.nullable() &&
                column.type().storage().usesNullBitmap())
            {
                read.add(column.column());
            }
        }));
        return read.stream().map(column -> relation + ".hasNulls(" + column + ")").toList();
    }

    private boolean needsRow()
    {
        return join.condition() != null || !computed().isEmpty();
    }

    @Override
    public Batch writeBatch(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final List<ColumnRef> columns = repeated(input);
        final MethodScope scope = new MethodScope(true);
        final JavaText body = new JavaText(2);
        final String selection = context.scratch("sel" + node.number, "int");
        body.line("int k = 0;");
        writeLookUp(body, scope, input, selection);
        if (needsRow())
        {
            body.line("final int found = k;");
            body.line("k = 0;");
            openLoop(body, scope, selection, "found");
            final String row = isCharKey() ? rowOfId(scope, input, body) :
                scope.local("at" + node.number, "int[]", "this.at" + node.number) + "[i]";
            body.line("final int r = " + row + ';');
            final String keep = writeKernel(body, scope, input, columns, exact, "continue;");
            body.line(selection + "[k] = i;");
            body.line("k += " + (keep == null ? "1" : keep + " ? 1 : 0") + ';');
            body.close();
        }
        body.line("return k;");
        scope.local(selection, "int[]", "this." + selection);
        method(methods, "Look-up of a batch in a relation.",
            "private int " + name + suffix(exact) + "(final EventBatch in, final int n)", scope, body);
        return new Batch(new RowSelection(columns, selection), name + suffix(exact), true);
    }

    private void writeLookUp(final JavaText body, final MethodScope scope, final RowSelection input,
        final String selection)
    {
        if (isCharKey() && join.key() instanceof Expression.Column)
        {
            writeTurns(body, scope, input, selection);
            return;
        }
        openLoop(body, scope, input.selection(), "n");
        final ExpressionEmitter kernel = new ExpressionEmitter(context, node, scope,
            LeafResolver.columns(scope, input, "i"), body);
        reject(body, kernel.error(join.key()), "continue;");
        if (isCharKey())
        {
            final String key = kernel.known(join.key());
            body.line(selection + "[k] = i;");
            body.line("k += " + presence(scope, key) + ';');
        }
        else
        {
            body.line("final int found = " + find(kernel) + ';');
            if (needsRow())
            {
                context.scratch("at" + node.number, "int");
                body.line(scope.local("at" + node.number, "int[]", "this.at" + node.number) + "[i] = found;");
            }
            body.line(selection + "[k] = i;");
            body.line("k += found >= 0 ? 1 : 0;");
        }
        body.close();
    }

    /**
     * Writes the pass over char keys: {@value #ROWS_A_TURN} rows per iteration, then the rest. HotSpot does not inline
     * a method of this length, which exceeds its limit of 325 bytes. Inlined, the loop would share registers with its
     * caller and take up to twice as long in some processes.
     */
    private void writeTurns(final JavaText body, final MethodScope scope, final RowSelection input,
        final String selection)
    {
        if (input.selection() != null)
        {
            scope.local(input.selection(), "int[]", "this." + input.selection());
        }
        body.line("int at = 0;");
        for (final int turn : new int[] {ROWS_A_TURN, 1})
        {
            body.open("for (; at <= n - " + turn + "; at += " + turn + ')');
            for (int row = 0; row < turn; row++)
            {
                writePresence(body, scope, input, selection, row == 0 ? "at" : "at + " + row);
            }
            body.close();
        }
    }

    private void writePresence(final JavaText body, final MethodScope scope, final RowSelection input,
        final String selection,
        final String index)
    {
        final String row = scope.fresh("i");
        body.line("final int " + row + " = " +
            (input.selection() == null ? index : input.selection() + '[' + index + ']') + ';');
        final ExpressionEmitter kernel = new ExpressionEmitter(context, node, scope,
            LeafResolver.columns(scope, input, row), body);
        final String key = kernel.known(join.key());
        body.line(selection + "[k] = " + row + ';');
        body.line("k += " + presence(scope, key) + ';');
    }

    /** Code that is 1 when the relation has a row for the key. */
    private String presence(final MethodScope scope, final String key)
    {
        return scope.local("present", "byte[]", relation + ".present()") + '[' + key + ']';
    }

    private String rowOfId(final MethodScope scope, final RowSelection input, final JavaText body)
    {
        final ExpressionEmitter kernel = new ExpressionEmitter(context, node, scope,
            LeafResolver.columns(scope, input, "i"), body);
        final String key = kernel.known(join.key());
        body.line("final int id = " + key + ';');
        return scope.local("rowOfId", "int[][]", relation + ".rowOfId()") +
            "[id >>> SlotChunks.BITS][id & SlotChunks.MASK]";
    }

    private String find(final ExpressionEmitter kernel)
    {
        final String value = kernel.value(join.key());
        final String isNull = kernel.nullFlag(join.key());
        final String found = relation + ".find(" + KeySlots.bits(node, join.key().type(), value) + ')';
        return isNull == null ? found : isNull + " ? -1 : " + found;
    }

    /** Writes condition and fields over input row {@code i} and relation row {@code r}; returns the condition. */
    private String writeKernel(final JavaText body, final MethodScope scope, final RowSelection input,
        final List<ColumnRef> columns, final boolean exact, final String leave)
    {
        final ExpressionEmitter kernel = new ExpressionEmitter(context, node, scope, new Both(scope, input, exact),
            body);
        final String keep = join.condition() == null ? null : kernel.value(join.condition());
        reject(body, errors(kernel, join.condition(), keep), leave);
        store(kernel, scope, body, columns);
        return keep;
    }

    @Override
    public RowSelection writeRow(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final List<ColumnRef> columns = repeated(input);
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        final ExpressionEmitter kernel = new ExpressionEmitter(context, node, scope,
            LeafResolver.columns(scope, input, "i"), body);
        reject(body, kernel.error(join.key()), "return;");
        if (isCharKey())
        {
            final String key = kernel.known(join.key());
            body.open("if (" + presence(scope, key) + " == 0)");
        }
        else
        {
            body.line("final int r = " + find(kernel) + ';');
            body.open("if (r < 0)");
        }
        body.line("return;");
        body.close();
        String keep = null;
        if (needsRow())
        {
            if (isCharKey())
            {
                body.line("final int r = " + rowOfId(scope, input, body) + ';');
            }
            keep = writeKernel(body, scope, input, columns, exact, "return;");
        }
        if (keep != null)
        {
            body.open("if (" + keep + ")");
        }
        callConsumers(body, exact);
        if (keep != null)
        {
            body.close();
        }
        rowMethod(methods, "Look-up of a row in a relation.", scope, body, exact);
        return new RowSelection(columns, null);
    }

    /** Columns of the input row {@code i} and of the relation's row {@code r}. */
    private final class Both implements LeafResolver
    {
        private final MethodScope scope;
        private final LeafResolver input;
        private final boolean exact;

        Both(final MethodScope scope, final RowSelection input, final boolean exact)
        {
            this.scope = scope;
            this.input = LeafResolver.columns(scope, input, "i");
            this.exact = exact;
        }

        private String array(final Expression.RelationColumn column)
        {
            return scope.local("r" + column.column(), JavaTypes.element(column.type()) + "[]",
                relation + '.' + JavaTypes.accessor(column.type()) + '(' + column.column() + ')');
        }

        @Override
        public String value(final Expression leaf)
        {
            return leaf instanceof Expression.RelationColumn column ?
                JavaTypes.load(column.type(), array(column) + "[r]") : input.value(leaf);
        }

        @Override
        public String known(final Expression leaf)
        {
            return leaf instanceof Expression.RelationColumn ? value(leaf) : input.known(leaf);
        }

        @Override
        public String nullFlag(final Expression leaf)
        {
            if (!(leaf instanceof Expression.RelationColumn column))
            {
                return input.nullFlag(leaf);
            }
            return switch (column.type().storage())
            {
                case TEXT -> array(column) + "[r] == 0";
                case REFERENCE -> array(column) + "[r] == null";
                default -> exact ? scope.local("m" + column.column(), "byte[]",
                    relation + ".nulls(" + column.column() + ")") + "[r] != 0" : null;
            };
        }
    }
}
