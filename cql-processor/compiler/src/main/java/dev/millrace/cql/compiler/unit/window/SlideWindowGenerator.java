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
import java.util.Iterator;
import java.util.List;

/**
 * {@code [range T slide D]}: rows wait in a ring for the multiple of D at which they enter, and stay in it until the
 * one at which they leave. Both happen at the end of the instant of the multiple, when all its rows have arrived.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class SlideWindowGenerator extends StreamConsumer
{
    private final UnitSource unit;
    private final RingGenerator ring;
    private final RingColumns columns;
    /** Position of the first row that has not entered. */
    private final String mid;
    private final String range;
    private final String slide;
    private final String enterTimes;
    private final String leaveTimes;
    private final String inside;
    /** Multiple at which the last row enters, and the one at which it leaves if the range is a multiple, too. */
    private final String tick;
    private final String leaving;
    private final boolean isRegular;
    /** The time of a row that enters. */
    private String time = "now";

    /**
     * @param partition of its rows; {@code null} when nothing needs to be discarded
     */
    public SlideWindowGenerator(
        final UnitSource unit, final WindowSpec.Range window, final RowConsumer consumer,
        final PartitionColumn partition)
    {
        super(consumer, partition);
        this.unit = unit;
        ring = new RingGenerator(unit, "w");
        mid = ring.position("mid");
        range = unit.number(window.rangeNs(), CqlType.BIGINT);
        slide = unit.number(window.slideNs(), CqlType.BIGINT);
        columns = ring.columns();
        enterTimes = columns.addNumbers("long");
        leaveTimes = columns.addNumbers("long");
        inside = columns.addNumbers("boolean");
        isRegular = window.rangeNs() % window.slideNs() == 0;
        tick = ring.name() + "tick";
        leaving = ring.name() + "leaves";
        unit.numbers("long", tick, "BEGINNING");
        unit.numbers("long", leaving, "BEGINNING");
        consumer.over(columns);
        consumer.inside(this::openInside);
    }

    /** Opens the loop over the rows that have entered. */
    private void openInside(final ExpressionCode code)
    {
        code.open("for (int x = " + ring.head() + "; x != " + mid + "; x++)");
        code.line("final int p = " + ring.slot("x") + ';');
        code.line("if (!" + inside + "[p]) continue;");
    }

    /** Called when rows come from a source and need not wait for those of others: they enter later anyway. */
    public void readSource()
    {
        time = "t";
    }

    @Override
    public boolean isTicked()
    {
        return true;
    }

    @Override
    protected List<Operand> take(final SymbolicRow row)
    {
        final ExpressionCode code = row.code();
        code.open("if (" + time + " > " + tick + " || " + tick + " == BEGINNING)");
        code.line(tick + " = PeriodMath.up(" + time + ", " + slide + ");");
        code.line(leaving + " = PeriodMath.plus(" + tick + ", " + range + ");");
        code.close();
        if (!isRegular)
        {
            code.line(leaving + " = PeriodMath.up(PeriodMath.plus(" + time + ", " + range + "), " + slide + ");");
            row.open("if (" + leaving + " > " + tick + ')');
        }
        code.line("if (" + tick + " < calmNs) calmNs = " + tick + ';');
        consumer().waits(read(row), tick);
        ring.openRoom(row, "full(\"rows\");", carriesTexts());
        final String slot = code.name("p");
        code.line("final int " + slot + " = " + ring.slot(ring.tail()) + ';');
        code.line(enterTimes + '[' + slot + "] = " + tick + ';');
        code.line(leaveTimes + '[' + slot + "] = " + leaving + ';');
        final List<Operand> kept = columns.keep(code, carried(row), slot);
        final DiscardedRows forgotten =
            partition() == null ? null : new DiscardedRows(unit, ring, partition(), row, slot);
        code.line(ring.tail() + "++;");
        ticks(RingColumns.spread(types(), reads(), kept), forgotten);
        return List.of();
    }

    /** Writes the methods for rows that enter, rows that leave, and the growth of the ring. */
    private void ticks(final List<Operand> values, final DiscardedRows forgotten)
    {
        final ExpressionCode entering = unit.body();
        ring.openDue(entering, mid, ring.tail(), enterTimes);
        entering.line(inside + "[p] = false;");
        final SymbolicRow row = SymbolicRow.of(entering, values);
        if (forgotten != null)
        {
            // A row that has not entered changes nothing.
            forgotten.openOther(entering);
        }
        final List<Operand> remembered = remember(entering,
            consumer().remembered(consumer().enter(read(row).leavingAt(leaveTimes + "[p]"))), values);
        entering.line(inside + "[p] = true;");
        row.close();
        if (forgotten != null)
        {
            entering.close();
            forgotten.write(code ->
            {
                code.open("if (" + columns.position() + " - " + mid + " < 0 && " + inside + "[p])");
                code.line(inside + "[p] = false;");
                consumer().leave(code, remembered);
                code.close();
            });
        }
        entering.close();
        unit.method("private void " + ring.name() + "enter()", entering);
        final ExpressionCode leaving = unit.body();
        ring.openDue(leaving, ring.head(), mid, leaveTimes);
        leaving.open("if (" + inside + "[p])");
        consumer().leave(leaving, remembered);
        leaving.close();
        columns.forget(leaving, "p");
        leaving.close();
        unit.method("private void " + ring.name() + "leave()", leaving);
        ring.writeGrow();
        ring.writeDue("Math.min(" + ring.due(ring.head(), mid, leaveTimes) + ", " +
            ring.due(mid, ring.tail(), enterTimes) + ')');
    }

    /** Stores the values that a row needs to leave, except columns that are already in the ring. */
    private List<Operand> remember(final ExpressionCode code, final List<Operand> entered, final List<Operand> values)
    {
        final Iterator<Operand> kept = columns.keep(code,
            entered.stream().filter(each -> !values.contains(each)).toList(), "p").iterator();
        return entered.stream().map(each -> values.contains(each) ? each : kept.next()).toList();
    }

    @Override
    public String due()
    {
        return ring.dueCall();
    }

    @Override
    public void close(final ExpressionCode code)
    {
        code.open("if (" + ring.dueCall() + " <= now)");
        consumer().beforeTick(code);
        code.line(ring.name() + "leave();");
        code.line(ring.name() + "enter();");
        code.close();
    }

    @Override
    public void forget(final ExpressionCode code)
    {
        PartitionColumn.call(partition(), code, DiscardedRows.method(ring));
    }

    @Override
    public void state(final ExpressionCode code)
    {
        ring.state(code, "SlideWindow");
    }
}
