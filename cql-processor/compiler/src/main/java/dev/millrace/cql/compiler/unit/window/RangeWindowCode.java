package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ConsumerCode;
import dev.millrace.cql.compiler.unit.code.Partition;
import dev.millrace.cql.compiler.unit.code.RingCode;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.Row;
import dev.millrace.cql.compiler.unit.code.StreamConsumer;
import dev.millrace.cql.compiler.unit.code.UnitText;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.List;

/**
 * {@code [now]}, {@code [range T]}, {@code [range unbounded]}: a ring of the rows that are in the window, with the
 * values that must be stored so that they can leave. Filters and projections above the window are applied below it:
 * rows that no operator reads are not stored. An unbounded window stores nothing.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class RangeWindowCode extends StreamConsumer
{
    /** Length of a window that rows never leave. */
    public static final long UNBOUNDED = Long.MAX_VALUE;

    private final UnitText unit;
    /** {@code null} when rows never leave. */
    private final RingCode ring;
    private final String range;

    /**
     * @param partition of its rows; {@code null} when nothing needs to be discarded
     */
    public RangeWindowCode(
        final UnitText unit, final long rangeNs, final ConsumerCode consumer, final Partition partition)
    {
        super(consumer, partition);
        this.unit = unit;
        final boolean isUnbounded = rangeNs == UNBOUNDED;
        ring = isUnbounded ? null : new RingCode(unit, "w");
        range = isUnbounded ? null : unit.number(rangeNs, CqlType.BIGINT);
        if (!isUnbounded)
        {
            consumer.over(ring.columns());
        }
    }

    @Override
    protected List<Operand> take(final Row row)
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
        code.line("final long " + time + " = Ticks.plus(now, " + range + ");");
        final List<Operand> remembered = consumer().enter(read(row).leavingAt(time));
        code.line(ring.tail() + "++;");
        final String place = code.name("p");
        code.line("final int " + place + " = " + ring.place(columns.position()) + ';');
        code.line(times + '[' + place + "] = " + time + ';');
        final List<Operand> kept = columns.keep(code, consumer().remembered(remembered), place);
        final ForgottenRows forgotten =
            partition() == null ? null : new ForgottenRows(unit, ring, partition(), row, place);
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
        if (partition() != null)
        {
            partition().call(code, ForgottenRows.method(ring));
        }
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
