package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.PartitionColumn;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.RingGenerator;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.StreamConsumer;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import java.util.List;

/**
 * Rows that wait in a ring for the next multiple of a step, and are passed to a window together at the end of its
 * instant.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class SlideBufferGenerator extends StreamConsumer
{
    /** Local variable with the arrival time of the row that is passed on. */
    static final String ARRIVED = "arrivedNs";

    private final UnitSource unit;
    private final String step;
    private final RingGenerator ring;
    /** When rows are passed on, and when they arrived. */
    private final String times;
    private final String arrived;

    /**
     * @param stepNs    step, more than 0
     * @param partition of its rows; {@code null} when nothing needs to be discarded
     */
    public SlideBufferGenerator(final UnitSource unit, final long stepNs, final RowConsumer window,
        final PartitionColumn partition)
    {
        super(window, partition);
        this.unit = unit;
        step = unit.number(stepNs, CqlType.BIGINT);
        ring = new RingGenerator(unit, "q");
        times = ring.columns().addNumbers("long");
        arrived = ring.columns().addNumbers("long");
    }

    @Override
    protected List<Operand> take(final SymbolicRow row)
    {
        final ExpressionCode code = row.code();
        ring.openRoom(row, "full(\"rows\");", carriesTexts());
        final String ringSlot = code.name("p");
        code.line("final int " + ringSlot + " = " + ring.slot(ring.tail()) + ';');
        code.line(times + '[' + ringSlot + "] = PeriodMath.up(now, " + step + ");");
        code.line(arrived + '[' + ringSlot + "] = now;");
        final List<Operand> kept = ring.columns().keep(code, carried(row), ringSlot);
        final DiscardedRows forgotten =
            partition() == null ? null : new DiscardedRows(unit, ring, partition(), row, ringSlot);
        code.line(ring.tail() + "++;");
        go(kept, forgotten);
        ring.writeGrow();
        return List.of();
    }

    /** Writes the method that passes the rows of a multiple to the window. */
    private void go(final List<Operand> kept, final DiscardedRows forgotten)
    {
        final ExpressionCode code = unit.body();
        ring.openDue(code, ring.head(), ring.tail(), times);
        code.line("final long " + ARRIVED + " = " + arrived + "[p];");
        final SymbolicRow row = SymbolicRow.of(code, RingColumns.spread(types(), reads(), kept));
        if (forgotten != null)
        {
            forgotten.openOther(code);
        }
        consumer().enter(read(row));
        row.close();
        if (forgotten != null)
        {
            code.close();
            forgotten.write(forgetting ->
            {
                // It has not entered, so it changes nothing.
            });
        }
        ring.columns().forget(code, "p");
        code.close();
        unit.method("private void " + ring.name() + "go()", code);
    }

    @Override
    public String due()
    {
        return ring.due(ring.head(), ring.tail(), times);
    }

    @Override
    public void close(final ExpressionCode code)
    {
        code.line(ring.name() + "go();");
    }

    @Override
    public void forget(final ExpressionCode code)
    {
        PartitionColumn.call(partition(), code, DiscardedRows.method(ring));
    }

    @Override
    public void state(final ExpressionCode code)
    {
        ring.state(code, "Waiting");
    }
}
