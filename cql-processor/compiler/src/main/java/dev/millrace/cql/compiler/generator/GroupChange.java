package dev.millrace.cql.compiler.generator;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.emit.ExpressionEmitter;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/**
 * The difference between the previous and the current row of a group: emits the old row as a delete and the new one as
 * an insert, in the form that each output requires.
 */
class GroupChange
{
    private final PlanNode node;
    private final Expression having;
    private final List<Operator.Aggregate> aggregates;
    private final List<Field> fields;
    private final List<OutputStage> outputs;

    /**
     * @param having     condition of visible rows, {@code null} for all
     * @param aggregates referred to by the expressions by index
     * @param fields     columns
     * @param outputs    receive the rows
     */
    GroupChange(final PlanNode node, final Expression having, final List<Operator.Aggregate> aggregates,
        final List<Field> fields, final List<OutputStage> outputs)
    {
        this.node = node;
        this.having = having;
        this.aggregates = aggregates;
        this.fields = fields;
        this.outputs = outputs;
    }

    static String either(final String left, final String right)
    {
        return left == null ? right : right == null ? left : left + " | " + right;
    }

    /** Code for "HAVING shows the row". */
    String shown(final ExpressionEmitter kernel)
    {
        return having == null ? "true" : kernel.value(having);
    }

    /** Condition under which a group's row cannot be computed. */
    String errors(final ExpressionEmitter kernel, final String shown)
    {
        final String ofHaving = having == null ? null : kernel.error(having);
        String ofFields = null;
        for (final Field field : fields)
        {
            ofFields = either(ofFields, kernel.error(field.expression()));
        }
        return either(ofHaving, ofFields == null ? null : shown + " & (" + ofFields + ")");
    }

    /**
     * Writes the output.
     *
     * @param before row before
     * @param after  row after
     * @param was    code for "there was a row"
     * @param is     code for "there is a row"
     * @param time   code of the time; {@code null} when it is that of the input row
     * @param row    code of the number of the input row whose time it has; {@code null} for none
     */
    void write(final JavaText body, final MethodScope scope, final ExpressionEmitter before,
        final ExpressionEmitter after,
        final String was, final String is, final String time, final String row)
    {
        body.line("final boolean was = " + was + ';');
        body.line("final boolean is = " + is + ';');
        body.open("if (was | is)");
        writeDifference(body, scope, before, after, time, row);
        body.close();
    }

    /**
     * Writes the output when {@code was} or {@code is}, which are locals. The parameters are those of {@link #write}.
     */
    void writeDifference(final JavaText body, final MethodScope scope, final ExpressionEmitter before,
        final ExpressionEmitter after,
        final String time, final String row)
    {
        before.within(() -> after.within(() ->
        {
            writeChanged(body, before, after);
            if (isRelation())
            {
                body.open("if (was)");
                before.within(() -> writeOut(body, scope, before, false, time, row));
                body.close();
            }
            body.open("if (is)");
            after.within(() -> writeOut(body, scope, after, true, time, row));
            body.close();
            body.close();
        }));
    }

    /**
     * Opens the block for rows that changed. Sums and counts are compared first: values computed from them are rarely
     * equal when they differ, so that the previous row is computed only for few rows.
     */
    private void writeChanged(final JavaText body, final ExpressionEmitter before, final ExpressionEmitter after)
    {
        final String plain = same(before, after, this::isPlain);
        if (plain.isEmpty() || fields.stream().map(Field::expression).allMatch(each -> isPlain(each) || !changes(each)))
        {
            final String all = same(before, after, expression -> true);
            body.open("if (!(was & is" + (all.isEmpty() ? "" : " & " + all) + "))");
            return;
        }
        body.line("boolean same = was & is & " + plain + ';');
        body.open("if (same)");
        before.within(() -> after.within(() ->
            body.line("same = " + same(before, after, expression -> !isPlain(expression)) + ';')));
        body.close();
        body.open("if (!same)");
    }

    /** Whether an expression is available without being computed. */
    private boolean isPlain(final Expression expression)
    {
        return expression instanceof Expression.AggregateValue value &&
            aggregates.get(value.aggregate()).function() != Operator.AggregateFunction.AVG;
    }

    /** Whether an expression depends on the rows of a group. */
    private static boolean changes(final Expression expression)
    {
        final boolean[] depends = new boolean[1];
        PlanNode.walk(expression, each -> depends[0] |= each instanceof Expression.AggregateValue);
        return depends[0];
    }

    /** Whether deletes are emitted, too. */
    boolean isRelation()
    {
        return outputs.stream().anyMatch(OutputStage::isRelation);
    }

    /** Code for "these columns are equal before and after", empty for none; keys are always equal. */
    private String same(final ExpressionEmitter before, final ExpressionEmitter after,
        final Predicate<Expression> which)
    {
        final List<String> equal = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++)
        {
            final Expression expression = fields.get(i).expression();
            if (!changes(expression) || !which.test(expression))
            {
                continue;
            }
            final String left = before.value(expression);
            final String right = after.value(expression);
            final String leftNull = before.nullFlag(expression);
            final String rightNull = after.nullFlag(expression);
            final String values = switch (expression.type())
            {
                case FLOAT, DOUBLE -> '(' + left + " == " + right + " | (" + left + " != " + left + " & " + right +
                    " != " + right + "))";
                case BIGDECIMAL -> "Decimals.compare(" + left + ", " + right + ") == 0";
                default -> left + " == " + right;
            };
            equal.add(leftNull == null && rightNull == null ? '(' + values + ')' :
                "(" + flag(leftNull) + " == " + flag(rightNull) + " & (" + flag(leftNull) + " | " + values + "))");
        }
        return String.join(" & ", equal);
    }

    private static String flag(final String isNull)
    {
        return isNull == null ? "false" : isNull;
    }

    /** Passes a row of the relation to each output that requires it; the parameters are those of {@link #write}. */
    void writeOut(final JavaText body, final MethodScope scope, final ExpressionEmitter kernel, final boolean enters,
        final String time, final String row)
    {
        final List<String> values = new ArrayList<>();
        final List<String> nulls = new ArrayList<>();
        final List<BinaryOperator<String>> copies = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++)
        {
            final Expression expression = fields.get(i).expression();
            copies.add(copy(kernel, expression, row));
            values.add(copies.get(i) != null ? null : kernel.value(expression));
            nulls.add(expression.type().storage().usesNullBitmap() ? kernel.nullFlag(expression) : null);
        }
        put(body, scope, new OutputRow(values, nulls, copies, enters, time, row));
    }

    /** The call that copies a string to a row of a column; {@code null} when the value is written. */
    private static BinaryOperator<String> copy(final ExpressionEmitter kernel, final Expression expression,
        final String row)
    {
        if (expression.type() != CqlType.CHAR)
        {
            return null;
        }
        final String texts = row == null ? null : kernel.texts(expression);
        if (texts != null)
        {
            return (to, at) -> to + ".showRow(" + texts + ", " + row + ", " + at + ')';
        }
        final String code = kernel.value(expression);
        return (to, at) -> to + ".setCode(" + at + ", " + kernel.strings() + ", " + code + ')';
    }

    /** Passes a row to each output that requires it. */
    void put(final JavaText body, final MethodScope scope, final OutputRow shown)
    {
        final boolean enters = shown.enters();
        final String row = shown.row();
        for (final OutputStage output : outputs)
        {
            if (!enters && !output.isRelation())
            {
                continue;
            }
            final String batch = output.batch();
            final String at = "row" + output.node.number;
            body.line("final int " + at + " = " + batch + ".size();");
            output.writeValues(body, scope, node.outputTypes(), shown);
            if (output.isRelation())
            {
                body.line(batch + ".useKinds()[" + at + "] = EventBatch." + (enters ? "INSERT" : "DELETE") + ';');
            }
            if (row == null)
            {
                body.line(batch + ".useTimestampPerRow()[" + at + "] = " + shown.time() + ';');
                body.open("if (in.hasOrigins())");
                body.line(batch + ".useOrigins()[" + at + "] = 0L;");
                body.close();
            }
            else
            {
                body.line("copyTime(in, " + row + ", " + batch + ", " + at + ");");
            }
            body.line(batch + ".size(" + at + " + 1);");
            body.open("if (" + at + " == EventBatch.CAPACITY - 1)");
            body.line(output.send());
            body.close();
        }
    }
}
