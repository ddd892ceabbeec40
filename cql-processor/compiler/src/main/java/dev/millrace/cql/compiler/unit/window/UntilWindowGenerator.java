package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.PartitionColumn;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import java.util.List;

/**
 * {@code [range until E]}: rows in cells, and a heap of the times at which they leave. A row whose leave time is not
 * later than its own time never enters; one without a leave time is rejected.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class UntilWindowGenerator extends StreamWindowGenerator
{
    private final UnitSource unit;
    private final int column;
    private final String name;
    private final CellGenerator cells;
    private final WindowReader reader;
    private final PartitionColumn partition;

    /**
     * @param column    with the leave time
     * @param types     of its rows
     * @param partition of its rows; {@code null} when nothing needs to be discarded
     */
    public UntilWindowGenerator(final UnitSource unit, final int column, final List<CqlType> types,
        final ReaderEdge edge,
        final PartitionColumn partition)
    {
        super(types, edge, List.of(column), partition);
        this.partition = partition;
        this.unit = unit;
        this.column = column;
        name = unit.name("w");
        cells = new CellGenerator(unit, name);
        reader = new WindowReader(edge, cells.columns());
        unit.field("final TimeHeap", name + "heap", "new TimeHeap(memory)");
    }

    @Override
    protected List<Operand> take(final SymbolicRow row)
    {
        final ExpressionCode code = row.code();
        final Operand end = row.get(column);
        if (end.canBeNull())
        {
            row.open("if (" + end.isNull() + ") endless(); else");
        }
        row.open("if (" + end.value() + " > now)");
        final String position = cells.columns().position();
        code.line("final int " + position + " = " + cells.take() + ';');
        row.open("if (" + position + " < 0) full(\"rows\"); else");
        code.line(name + "heap.add(" + end.value() + ", " + position + ");");
        reader.enter(row, position);
        if (partition != null)
        {
            forget(cells.columns().keep(code, List.of(row.get(partition.column())), position).get(0));
        }
        end();
        cells.write();
        return List.of();
    }

    /** Writes the method for the rows whose time has come. */
    private void end()
    {
        final ExpressionCode code = unit.body();
        code.open("while (" + name + "heap.firstNs() <= now)");
        code.line("final int p = " + name + "heap.poll();");
        code.line("final int " + cells.columns().position() + " = p;");
        reader.leave(code);
        cells.free(code);
        code.close();
        unit.method("private void " + name + "end()", code);
    }

    /** Writes the method by which rows of some partitions leave: their cells are freed when their time has come. */
    private void forget(final Operand value)
    {
        final ExpressionCode code = unit.body();
        code.open("for (int i = 0; i < " + name + "heap.size(); i++)");
        code.line("final int p = " + name + "heap.row(i);");
        code.line("final int " + cells.columns().position() + " = p;");
        code.open("if (" + partition.test(value) + ')');
        reader.leaveEarly(code);
        code.close();
        code.close();
        unit.method("private void " + name + "forget(" + PartitionColumn.PARAMETERS + ')', code);
    }

    @Override
    public void forget(final ExpressionCode code)
    {
        PartitionColumn.call(partition, code, name + "forget");
    }

    @Override
    public String due()
    {
        return name + "heap.firstNs()";
    }

    @Override
    public void atDue(final ExpressionCode code)
    {
        code.line(name + "end();");
    }

    @Override
    public void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"UntilWindow\", (long) " + name + "heap.size());");
    }
}
