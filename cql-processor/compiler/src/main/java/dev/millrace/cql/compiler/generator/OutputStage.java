package dev.millrace.cql.compiler.generator;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.ColumnRef;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.JavaTypes;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.compiler.emit.RowSelection;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Output of rows: copies columns to the output batch, with time and origin. In the batch form, an output batch is sent
 * at once, since it never has more rows than the input; rows of the row form are collected until the end of the input.
 */
public final class OutputStage extends OperatorGenerator
{
    private static final int COLUMNS_PER_METHOD = 40;

    private final Operator.Output output;
    private final int counter;
    private final Set<String> fields = new HashSet<>();

    public OutputStage(final ClassContext context, final PlanNode node, final boolean ofAggregate)
    {
        super(context, node);
        output = (Operator.Output)node.operator;
        counter = context.output(output.queryId());
        if (isRelation() && !ofAggregate)
        {
            throw ClassContext.unsupported(node, "a relation of an operator that stores no relation",
                "let the query emit the relation of an aggregation");
        }
        final int number = node.number;
        final boolean now = output.kind() == Operator.OutputKind.NOW_RELATION;
        context.fields().line("/* Output of a query. */");
        context.field("final EventBatch out" + number);
        context.field("final " + (now ? "NowRelation" : "EventBatchSink") + " sink" + number);
        final String id = context.text(output.queryId());
        final String schema = "bindings.outputSchema(" + id + ")";
        final String sink = "bindings.output(" + id + ")";
        context.constructor().line("out" + number + " = new EventBatch(" + schema + ");");
        context.constructor().line("sink" + number + " = " + (now ?
            "new NowRelation(" + id + ", " + schema + ", " + sink + ", bindings.rejection())" : sink) + ';');
    }

    /** Whether deletes are emitted, too. */
    boolean isRelation()
    {
        return output.kind() == Operator.OutputKind.RELATION;
    }

    public String batch()
    {
        return "out" + node.number;
    }

    public String send()
    {
        return "send(sink" + node.number + ", " + counter + ", out" + node.number + ");";
    }

    /** Sends rows collected since the start of the input batch, and deletes of rows whose instant has passed. */
    public void writeEndOfBatch(final JavaText body)
    {
        body.open("if (" + batch() + ".size() > 0)");
        body.line(send());
        body.close();
        if (output.kind() == Operator.OutputKind.NOW_RELATION)
        {
            body.line("sink" + node.number + ".advanceTo(in.timestampNs(n - 1));");
        }
    }

    public void writeHeartbeat(final JavaText body)
    {
        body.line("heartbeat(sink" + node.number + ", " + counter + ", " + batch() + ", in.baseTimestampNs());");
    }

    @Override
    public void writeForget(final JavaText body)
    {
        // Deletes of rows of an instant need no further code.
        if (isRelation())
        {
            body.line("which.check(true, " + context.text(node.describe()) + ");");
        }
    }

    @Override
    public boolean writeState(final JavaText save, final JavaText load)
    {
        if (output.kind() != Operator.OutputKind.NOW_RELATION)
        {
            return false;
        }
        save.line("which.check(sink" + node.number + ".hasRows(), " + context.text(node.describe()) + ");");
        save.line("sink" + node.number + ".write(to);");
        load.line("sink" + node.number + ".read(from);");
        return true;
    }

    @Override
    public int repeatedColumn(final Expression expression)
    {
        return -1;
    }

    private void copyColumn(final JavaText body, final MethodScope scope, final RowSelection input, final int column,
        final String outRow)
    {
        final ColumnRef from = input.columns().get(column);
        final CqlType type = from.type();
        if (from.texts() != null)
        {
            body.line("out.texts(" + column + ").showRow(" + from.texts() + ", i, " + outRow + ");");
            return;
        }
        if (type == CqlType.CHAR)
        {
            body.line("out.texts(" + column + ").setCode(" + outRow + ", " + context.strings() + ", " +
                from.value(scope, "i") + ");");
            return;
        }
        final String to = scope.local("o" + column, JavaTypes.element(type) + "[]",
            "out." + JavaTypes.accessor(type) + '(' + column + ')');
        body.line(to + '[' + outRow + "] = " + from.array(scope) + "[i];");
        final String isNull = type.storage().usesNullBitmap() ? from.nullFlag(scope, "i") : null;
        if (isNull != null)
        {
            body.open("if (" + isNull + ")");
            body.line("out.setNull(" + column + ", " + outRow + ");");
            body.close();
        }
    }

    private boolean hasNullFlag(final RowSelection input, final int column)
    {
        final ColumnRef from = input.columns().get(column);
        return from.type().storage().usesNullBitmap() && from.nullFlag(new MethodScope(), "i") != null;
    }

    @Override
    public Batch writeBatch(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final int count = input.columns().size();
        final JavaText main = new JavaText(2);
        final MethodScope mainScope = new MethodScope();
        mainScope.local("out", "EventBatch", "this." + batch());
        for (int first = 0; first < count; first += COLUMNS_PER_METHOD)
        {
            final int end = Math.min(count, first + COLUMNS_PER_METHOD);
            if (count <= COLUMNS_PER_METHOD)
            {
                writeColumns(main, mainScope, input, first, end);
            }
            else
            {
                final String part = name + suffix(exact) + "Columns" + first;
                final JavaText body = new JavaText(2);
                final MethodScope scope = new MethodScope();
                scope.local("out", "EventBatch", "this." + batch());
                writeColumns(body, scope, input, first, end);
                method(methods, "Some columns.", "private void " + part + "(final EventBatch in, final int n)", scope,
                    body);
                main.line(part + "(in, n);");
            }
        }
        main.line(input.selection() == null ? "copyTimes(in, n, out);" :
            "copyTimes(in, this." + input.selection() + ", n, out);");
        main.line("out.size(n);");
        main.line(send());
        return batchMethod(methods, "Rows of a batch leave.", mainScope, main, exact);
    }

    private void writeColumns(final JavaText body, final MethodScope scope, final RowSelection input, final int first,
        final int end)
    {
        for (int column = first; column < end; column++)
        {
            final String texts = input.columns().get(column).texts();
            if (texts != null)
            {
                body.line("out.texts(" + column + ").show(" + texts + ", " +
                    (input.selection() == null ? "null" : "this." + input.selection()) + ", n);");
            }
        }
        final List<Integer> others = IntStream.range(first, end)
            .filter(column -> input.columns().get(column).texts() == null).boxed().toList();
        if (input.selection() != null && !others.isEmpty())
        {
            scope.local(input.selection(), "int[]", "this." + input.selection());
            body.open("for (int k = 0; k < n; k++)");
            body.line("final int i = " + input.selection() + "[k];");
            others.forEach(column -> copyColumn(body, scope, input, column, "k"));
            body.close();
        }
        if (input.selection() != null)
        {
            return;
        }
        for (final int column : others)
        {
            final ColumnRef from = input.columns().get(column);
            if (from.type() == CqlType.CHAR)
            {
                body.open("for (int i = 0; i < n; i++)");
                copyColumn(body, scope, input, column, "i");
                body.close();
                continue;
            }
            body.line("System.arraycopy(" + from.array(scope) + ", 0, out." + JavaTypes.accessor(from.type()) + '(' +
                column + "), 0, n);");
            if (hasNullFlag(input, column))
            {
                body.open("for (int i = 0; i < n; i++)");
                body.open("if (" + from.nullFlag(scope, "i") + ")");
                body.line("out.setNull(" + column + ", i);");
                body.close();
                body.close();
            }
        }
    }

    @Override
    public RowSelection writeRow(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        scope.local("out", "EventBatch", "this." + batch());
        scope.local("k", "int", "out.size()");
        for (int column = 0; column < input.columns().size(); column++)
        {
            copyColumn(body, scope, input, column, "k");
        }
        body.line("copyTime(in, i, out, k);");
        body.line("out.size(k + 1);");
        rowMethod(methods, "A row leaves.", scope, body, exact);
        return null;
    }

    /** A field with the strings of a char column of the output batch: rows of groups are written one by one. */
    private String texts(final int column)
    {
        final String field = "text" + node.number + '_' + column;
        if (fields.add(field))
        {
            context.field("final CharColumn " + field);
            context.constructor().line(field + " = " + batch() + ".texts(" + column + ");");
        }
        return field;
    }

    /** Values of columns, written by an aggregation to a row of the output batch. */
    void writeValues(final JavaText body, final MethodScope scope, final List<CqlType> types,
        final OutputRow shown)
    {
        final String row = "row" + node.number;
        for (int column = 0; column < types.size(); column++)
        {
            final CqlType type = types.get(column);
            final String isNull = shown.nulls().get(column);
            if (shown.copies().get(column) != null)
            {
                body.line(shown.copyText(column, texts(column), row));
                continue;
            }
            final String to = scope.local("o" + node.number + "_" + column, JavaTypes.element(type) + "[]",
                "this." + batch() + '.' + JavaTypes.accessor(type) + '(' + column + ')');
            body.line(to + '[' + row + "] = " + JavaTypes.store(type, shown.values().get(column)) + ';');
            if (isNull != null)
            {
                body.open("if (" + isNull + ")");
                body.line(batch() + ".setNull(" + column + ", " + row + ");");
                body.close();
            }
        }
    }
}
