package dev.millrace.cql.compiler.generator;

import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.ColumnRef;
import dev.millrace.cql.compiler.emit.ExpressionEmitter;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.LeafResolver;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.compiler.emit.RowSelection;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import java.util.List;

/** Filter and projection. Columns that are only copied are not moved: consumers read them at their source. */
public final class CalcStage extends OperatorGenerator
{
    private final Operator.Calc calc;

    public CalcStage(final ClassContext context, final PlanNode node)
    {
        super(context, node);
        calc = (Operator.Calc)node.operator;
    }

    @Override
    public int repeatedColumn(final Expression expression)
    {
        return expression instanceof Expression.Column column ? column.column() : -1;
    }

    @Override
    public Batch writeBatch(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final List<ColumnRef> columns = repeated(input);
        if (calc.condition() == null && computed().isEmpty())
        {
            return new Batch(new RowSelection(columns, input.selection()), null, false);
        }
        final MethodScope scope = new MethodScope(true);
        final JavaText body = new JavaText(2);
        final JavaText loop = new JavaText(2);
        openLoop(loop, scope, input.selection(), "n");
        final boolean filters = writeKernel(loop, scope, input, columns, "continue;");
        final String selection = "sel" + node.number;
        if (filters)
        {
            context.scratch(selection, "int");
            scope.local(selection, "int[]", "this." + selection);
            body.line("int k = 0;");
            loop.line(selection + "[k] = i;");
            loop.line("k += " + (keep == null ? "1" : keep + " ? 1 : 0") + ';');
        }
        loop.close();
        body.append(loop);
        if (filters)
        {
            body.line("return k;");
        }
        method(methods, "Filter and projection of a batch.", "private " + (filters ? "int " : "void ") + name +
            suffix(exact) + "(final EventBatch in, final int n)", scope, body);
        return new Batch(new RowSelection(columns, filters ? selection : input.selection()), name + suffix(exact),
            filters);
    }

    /** Code of the condition of the kernel written last; {@code null} when all rows pass. */
    private String keep;

    /** Writes condition and fields; returns true when rows can be dropped. */
    private boolean writeKernel(final JavaText body, final MethodScope scope, final RowSelection input,
        final List<ColumnRef> columns, final String leave)
    {
        final ExpressionEmitter kernel = new ExpressionEmitter(context, node, scope,
            LeafResolver.columns(scope, input, "i"), body);
        keep = calc.condition() == null ? null : kernel.value(calc.condition());
        final String error = errors(kernel, calc.condition(), keep);
        reject(body, error, leave);
        store(kernel, scope, body, columns);
        return keep != null || error != null;
    }

    @Override
    public RowSelection writeRow(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final List<ColumnRef> columns = repeated(input);
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        writeKernel(body, scope, input, columns, "return;");
        if (keep != null)
        {
            body.open("if (" + keep + ")");
        }
        callConsumers(body, exact);
        if (keep != null)
        {
            body.close();
        }
        rowMethod(methods, "Filter and projection of a row.", scope, body, exact);
        return new RowSelection(columns, null);
    }
}
