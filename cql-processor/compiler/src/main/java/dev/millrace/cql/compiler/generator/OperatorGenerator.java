package dev.millrace.cql.compiler.generator;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.ColumnRef;
import dev.millrace.cql.compiler.emit.ExpressionEmitter;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.JavaTypes;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.compiler.emit.RowSelection;
import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * Generator of one operator. For each of two modes (without nulls, or exact) it writes two methods: one over the
 * selected rows of a batch and one for a single row, which calls those of the consumers.
 */
public abstract class OperatorGenerator
{
    final ClassContext context;
    final PlanNode node;
    final String name;

    OperatorGenerator(final ClassContext context, final PlanNode node)
    {
        this.context = context;
        this.node = node;
        name = node.name();
    }

    /**
     * The batch method as seen by its caller.
     *
     * @param rows    its output; {@code null} when there are no consumers
     * @param method  name of the method, {@code null} when there is nothing to do
     * @param filters whether it returns the number of remaining rows
     */
    public record Batch(RowSelection rows, String method, boolean filters)
    {
    }

    /** Writes the batch method. */
    public abstract Batch writeBatch(JavaText methods, RowSelection input, boolean exact);

    /** Writes the method for one row; returns its output. */
    public abstract RowSelection writeRow(JavaText methods, RowSelection input, boolean exact);

    /** Writes code that ensures capacity before a batch of {@code n} rows is processed. */
    public void writeReserve(final JavaText body)
    {
    }

    /** Writes code that runs when time advances to {@code time}. */
    public void writeTime(final JavaText body, final String time)
    {
    }

    /** Writes methods that occur once, after all others. */
    public void writeRest(final JavaText methods)
    {
    }

    /**
     * Writes the bodies of the methods that write and read the state, with the parameters {@code to}, {@code which} and
     * {@code from}; called after all other methods are written.
     *
     * @return false when there is no state
     */
    public boolean writeState(final JavaText save, final JavaText load)
    {
        return false;
    }

    /**
     * Writes the body of the method that discards partitions, with the parameter {@code which}; called after all other
     * methods are written.
     */
    public void writeForget(final JavaText body)
    {
    }

    /** Conditions under which the exact methods are needed, in addition to nulls in the batch. */
    public List<String> exactConditions()
    {
        return List.of();
    }

    public static String suffix(final boolean exact)
    {
        return exact ? "Exact" : "";
    }

    public String rowMethod(final boolean exact)
    {
        return name + "Row" + suffix(exact);
    }

    /** Opens a loop over the rows of the input, {@code n} of them; the row is {@code i}. */
    static void openLoop(final JavaText body, final MethodScope scope, final String selection, final String count)
    {
        if (selection == null)
        {
            body.open("for (int i = 0; i < " + count + "; i++)");
            return;
        }
        scope.local(selection, "int[]", "this." + selection);
        body.open("for (int j = 0; j < " + count + "; j++)");
        body.line("final int i = " + selection + "[j];");
    }

    /** Assembles a method: comment, heading, locals, body. */
    public static void method(final JavaText methods, final String comment, final String heading,
        final MethodScope scope, final JavaText body)
    {
        methods.line("");
        methods.line("/* " + comment + " */");
        methods.open(heading);
        scope.declare(methods);
        methods.append(body);
        methods.close();
    }

    /** Assembles the method over a batch of an operator without consumers. */
    Batch batchMethod(final JavaText methods, final String comment, final MethodScope scope, final JavaText body,
        final boolean exact)
    {
        method(methods, comment, "private void " + name + suffix(exact) + "(final EventBatch in, final int n)", scope,
            body);
        return new Batch(null, name + suffix(exact), false);
    }

    /** Assembles the method over a row. */
    void rowMethod(final JavaText methods, final String comment, final MethodScope scope, final JavaText body,
        final boolean exact)
    {
        method(methods, comment, "private void " + rowMethod(exact) + "(final EventBatch in, final int i)", scope,
            body);
    }

    void callConsumers(final JavaText body, final boolean exact)
    {
        for (final PlanNode consumer : node.consumers)
        {
            body.line(consumer.name() + "Row" + suffix(exact) + "(in, i);");
        }
    }

    /** Rejects the row when it cannot be computed. */
    void reject(final JavaText body, final String error, final String leave)
    {
        if (error != null)
        {
            body.open("if (" + error + ")");
            body.line("reject(RejectionHandler.DIVISION_BY_ZERO, " + context.text(node.describe()) + ");");
            body.line(leave);
            body.close();
        }
    }

    /** The input column that a field merely repeats, or -1. */
    public abstract int repeatedColumn(Expression expression);

    /** The output columns as far as they only repeat input columns; {@code null} for computed ones. */
    List<ColumnRef> repeated(final RowSelection input)
    {
        final List<ColumnRef> columns = new ArrayList<>();
        for (int i = 0; i < node.fields().size(); i++)
        {
            final int column = node.usedOutputs.get(i) ? repeatedColumn(node.fields().get(i).expression()) : -1;
            columns.add(column < 0 ? null : input.columns().get(column));
        }
        return columns;
    }

    /** Fields that must be computed because a consumer reads them. */
    List<Integer> computed()
    {
        final List<Integer> fields = new ArrayList<>();
        for (int i = 0; i < node.fields().size(); i++)
        {
            if (node.usedOutputs.get(i) && repeatedColumn(node.fields().get(i).expression()) < 0)
            {
                fields.add(i);
            }
        }
        return fields;
    }

    /** Condition under which a computed field cannot be computed; {@code null} when all always can. */
    String fieldErrors(final ExpressionEmitter kernel)
    {
        String any = null;
        for (final int field : computed())
        {
            final String error = kernel.error(node.fields().get(field).expression());
            any = error == null ? any : any == null ? error : any + " | " + error;
        }
        return any;
    }

    /**
     * Condition under which the condition of an operator, or a field of a row for which it holds, cannot be computed;
     * {@code null} when all always can.
     *
     * @param condition {@code null} for all rows
     * @param keep      Java condition of it; {@code null} for all rows
     */
    String errors(final ExpressionEmitter kernel, final Expression condition, final String keep)
    {
        final String ofCondition = condition == null ? null : kernel.error(condition);
        final String ofFields = fieldErrors(kernel);
        if (ofFields == null)
        {
            return ofCondition;
        }
        final String ofKept = keep == null ? ofFields : keep + " & (" + ofFields + ")";
        return ofCondition == null ? ofKept : ofCondition + " | " + ofKept;
    }

    /** Computes fields into locals; {@link #store} then writes them. */
    void evaluate(final ExpressionEmitter kernel)
    {
        for (final int field : computed())
        {
            final Expression expression = node.fields().get(field).expression();
            kernel.value(expression);
            kernel.nullFlag(expression);
        }
    }

    /** Computes fields into arrays, at the index of the row. */
    void store(final ExpressionEmitter kernel, final MethodScope scope, final JavaText body,
        final List<ColumnRef> columns)
    {
        for (final int field : computed())
        {
            final Expression expression = node.fields().get(field).expression();
            final String value = kernel.value(expression);
            final String isNull = kernel.nullFlag(expression);
            final CqlType type = expression.type();
            final String key = node.number + "_" + field;
            context.scratch("x" + key, JavaTypes.element(type));
            final boolean flagged = isNull != null && type.storage().usesNullBitmap();
            final ColumnRef.Scratch column = new ColumnRef.Scratch(key, type, flagged);
            body.line(column.array(scope) + "[i] = " + JavaTypes.store(type, value) + ';');
            if (flagged)
            {
                context.scratch("z" + key, "boolean");
                body.line(column.nulls(scope) + "[i] = " + isNull + ';');
            }
            columns.set(field, column);
        }
    }
}
