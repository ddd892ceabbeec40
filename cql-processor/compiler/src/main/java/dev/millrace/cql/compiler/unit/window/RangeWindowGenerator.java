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
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.List;

/**
 * {@code [now]}, {@code [range T]}, {@code [range unbounded]}: a ring of the rows that are in the window, with the
 * values that must be stored so that they can leave. Filters and projections above the window are applied below it:
 * rows that no operator reads are not stored. An unbounded window stores nothing.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class RangeWindowGenerator extends StreamConsumer
{
    /** Length of a window that rows never leave. */
    public static final long UNBOUNDED = Long.MAX_VALUE;

    private final UnitSource unit;
    /** {@code null} when rows never leave. */
    private final RingGenerator ring;
    private final String range;

    /**
     * @param partition of its rows; {@code null} when nothing needs to be discarded
     */
    public RangeWindowGenerator(
        final UnitSource unit, final long rangeNs, final RowConsumer consumer, final PartitionColumn partition)
    {
        super(consumer, partition);
        this.unit = unit;
        final boolean isUnbounded = rangeNs == UNBOUNDED;
        ring = isUnbounded ? null : new RingGenerator(unit, "w");
        range = isUnbounded ? null : unit.number(rangeNs, CqlType.BIGINT);
        if (!isUnbounded)
        {
            consumer.over(ring.columns());
        }
    }

    @Override
    protected List<Operand> take(final SymbolicRow row)
    {
        if (ring == null)
        {
            consumer().enter(read(row).leavingAt("NEVER"));
            return List.of();
        }
        final ExpressionCode code = row.code();
        final RingColumns columns = ring.columns();
        final String times = columns.addNumbers("long");
        ring.openRoom(row, "full(\"rows\");", carriesTexts());
        code.line("final int " + columns.position() + " = " + ring.tail() + ';');
        final String time = code.name("e");
        code.line("final long " + time + " = PeriodMath.plus(now, " + range + ");");
        final List<Operand> remembered = consumer().enter(read(row).leavingAt(time));
        code.line(ring.tail() + "++;");
        final String slot = code.name("p");
        code.line("final int " + slot + " = " + ring.slot(columns.position()) + ';');
        code.line(times + '[' + slot + "] = " + time + ';');
        final List<Operand> kept = columns.keep(code, consumer().remembered(remembered), slot);
        final DiscardedRows forgotten =
            partition() == null ? null : new DiscardedRows(unit, ring, partition(), row, slot);
        ring.writeGrow();
        final ExpressionCode leaving = unit.body();
        ring.openDue(leaving, ring.head(), ring.tail(), times);
        if (forgotten == null)
        {
            consumer().leave(leaving, kept);
        }
        else
        {
            forgotten.openOther(leaving);
            consumer().leave(leaving, kept);
            leaving.close();
            forgotten.write(forgetting -> consumer().leave(forgetting, kept));
        }
        columns.forget(leaving, "p");
        leaving.close();
        unit.method("private void " + ring.name() + "leave()", leaving);
        ring.writeDue(ring.due(ring.head(), ring.tail(), times));
        return List.of();
    }

    @Override
    public boolean takesOver()
    {
        return partition() == null && consumer().takesOver();
    }

    @Override
    public Keyed keyed()
    {
        return consumer().keyed();
    }

    @Override
    public String due()
    {
        return ring == null ? null : ring.dueCall();
    }

    @Override
    public void atDue(final ExpressionCode code)
    {
        if (ring != null)
        {
            code.line(ring.name() + "leave();");
        }
    }

    @Override
    public void forget(final ExpressionCode code)
    {
        PartitionColumn.call(partition(), code, DiscardedRows.method(ring));
    }

    @Override
    public void state(final ExpressionCode code)
    {
        if (ring != null)
        {
            ring.state(code, "RangeWindow");
        }
    }

    /** The length of a window whose rows leave in order of arrival; -1 for others. */
    public static long rangeNs(final WindowSpec window)
    {
        if (window instanceof WindowSpec.Now)
        {
            return 1;
        }
        if (window instanceof WindowSpec.Unbounded)
        {
            return UNBOUNDED;
        }
        return window instanceof WindowSpec.Range range && range.slideNs() <= 1 ? range.rangeNs() : -1;
    }
}
