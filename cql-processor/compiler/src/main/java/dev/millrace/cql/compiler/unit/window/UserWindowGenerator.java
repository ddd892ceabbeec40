package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.window.TimeWindow;
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
import dev.millrace.cql.runtime.unit.UserBounds;
import java.util.List;

/**
 * A window whose bounds a user's class computes: a ring of the rows that are in the window, followed by those that
 * wait. The class is called at the end of an instant with rows, and when its bounds are due to move.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class UserWindowGenerator extends StreamConsumer
{
    private final UnitSource unit;
    private final RingGenerator ring;
    private final RingColumns columns;
    /** Position of the first row that waits. */
    private final String mid;
    /** Position after the rows of earlier instants. */
    private final String seen;
    private final String times;
    private final String inside;
    private final String bounds;

    /**
     * @param partition of its rows; {@code null} when nothing needs to be discarded
     */
    public UserWindowGenerator(
        final UnitSource unit, final WindowSpec.User window, final RowConsumer consumer,
        final PartitionColumn partition)
    {
        super(consumer, partition);
        this.unit = unit;
        ring = new RingGenerator(unit, "w");
        columns = ring.columns();
        mid = ring.position("mid");
        seen = ring.position("seen");
        times = columns.addNumbers("long");
        inside = columns.addNumbers("boolean");
        bounds = ring.name() + "bounds";
        unit.field("final UserBounds", bounds, "new UserBounds(" + unit.object(window.name(), "String") + ", " +
            unit.bound(new UserBounds.Name(window.name(), window.arguments()), TimeWindow.class.getName()) +
            ", this)");
        consumer.over(columns);
    }

    @Override
    protected List<Operand> take(final SymbolicRow row)
    {
        final ExpressionCode code = row.code();
        ring.openRoom(row, "full(\"rows\");", carriesTexts());
        final String slot = code.name("p");
        code.line("final int " + slot + " = " + ring.slot(ring.tail()) + ';');
        code.line(times + '[' + slot + "] = now;");
        code.line(inside + '[' + slot + "] = false;");
        final List<Operand> kept = columns.keep(code, carried(row), slot);
        final DiscardedRows forgotten =
            partition() == null ? null : new DiscardedRows(unit, ring, partition(), row, slot);
        code.line(ring.tail() + "++;");
        move(RingColumns.spread(types(), reads(), kept), forgotten);
        return List.of();
    }

    private String at(final String position)
    {
        return times + '[' + ring.slot(position) + ']';
    }

    /** Writes the method that makes rows leave and enter according to the bounds. */
    private void move(final List<Operand> values, final DiscardedRows forgotten)
    {
        final ExpressionCode entering = unit.body();
        final SymbolicRow row = SymbolicRow.of(entering, values);
        if (forgotten != null)
        {
            // A row that has not entered changes nothing.
            forgotten.openOther(entering);
        }
        final List<Operand> remembered =
            columns.keep(entering, consumer().remembered(consumer().enter(read(row))), "p");
        entering.line(inside + "[p] = true;");
        row.close();
        if (forgotten != null)
        {
            entering.close();
            forgotten.write(code ->
            {
                code.open("if (" + inside + "[p])");
                code.line(inside + "[p] = false;");
                consumer().leave(code, remembered);
                code.close();
            });
        }
        unit.method("private void " + ring.name() + "enter(final int " + columns.position() + ", final int p)",
            entering);
        final ExpressionCode code = unit.body();
        code.line(seen + " = " + ring.tail() + ';');
        code.line("if (!" + bounds + ".move(now)) return;");
        code.open("while (" + ring.head() + " != " + mid + " && " + bounds + ".isOut(" + at(ring.head()) + "))");
        code.line("final int " + columns.position() + " = " + ring.head() + "++;");
        code.line("final int p = " + ring.slot(columns.position()) + ';');
        code.open("if (" + inside + "[p])");
        consumer().leave(code, remembered);
        code.close();
        columns.forget(code, "p");
        code.close();
        code.open("while (" + mid + " != " + ring.tail() + " && " + bounds + ".isReached(" + at(mid) + "))");
        code.line("final int m = " + mid + "++;");
        code.line("final int p = " + ring.slot("m") + ';');
        code.line("if (!" + bounds + ".isOut(" + times + "[p])) { " + ring.name() + "enter(m, p); continue; }");
        code.line("// It left before it entered, and so did those before it.");
        code.line(ring.head() + " = " + mid + ';');
        columns.forget(code, "p");
        code.close();
        code.line("if (" + ring.head() + " != " + ring.tail() + ") " + bounds + ".next(now, " + at(ring.head()) +
            ");");
        unit.method("private void " + ring.name() + "move()", code);
        ring.writeGrow();
    }

    @Override
    public String due()
    {
        return bounds + ".dueNs()";
    }

    @Override
    public void close(final ExpressionCode code)
    {
        code.line("if (" + seen + " != " + ring.tail() + " || " + due() + " <= now) " + ring.name() + "move();");
    }

    @Override
    public void forget(final ExpressionCode code)
    {
        PartitionColumn.call(partition(), code, DiscardedRows.method(ring));
    }

    @Override
    public void state(final ExpressionCode code)
    {
        ring.state(code, "UserWindow");
    }
}
