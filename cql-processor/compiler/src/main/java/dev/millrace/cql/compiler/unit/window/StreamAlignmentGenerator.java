package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.PartitionColumn;
import dev.millrace.cql.compiler.unit.code.RingGenerator;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.StreamConsumer;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a stream that wait until all streams of the unit have reached the same time: a ring of the columns that are
 * read. Filters and projections are applied before it.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class StreamAlignmentGenerator extends StreamConsumer
{
    private final UnitSource unit;
    private final RingGenerator ring;
    private final int input;
    private final String times;
    /** Number of the discard request that a row also waits for; {@code null} when nothing needs to be discarded. */
    private String waits;

    /**
     * @param input     index of the input of the rows
     * @param partition of the rows; {@code null} when nothing needs to be discarded
     */
    public StreamAlignmentGenerator(final UnitSource unit, final int input, final RowConsumer consumer,
        final PartitionColumn partition)
    {
        super(consumer, partition);
        this.input = input;
        this.unit = unit;
        ring = new RingGenerator(unit, "q");
        times = ring.columns().addNumbers("long");
    }

    @Override
    protected List<Operand> take(final SymbolicRow row)
    {
        final ExpressionCode code = row.code();
        ring.openRoom(row, "fullOfWaiting();", carriesTexts());
        final String slot = code.name("p");
        code.line("final int " + slot + " = " + ring.slot(ring.tail()) + ';');
        code.line(times + '[' + slot + "] = t;");
        final List<Operand> kept = ring.columns().keep(code, carried(row), slot);
        if (partition() != null)
        {
            waits = ring.columns().addNumbers("int");
            code.line(waits + '[' + slot + "] = !forgettings.isWaiting() ? 0 : " +
                partition().ask("forgettings", String.valueOf(input), row.get(partition().column())) + ';');
            lastWaiting(kept.get(reads().indexOf(partition().column())));
            drop(kept.get(reads().indexOf(partition().column())));
        }
        code.line(ring.tail() + "++;");
        if (partition() == null && consumer().takesOver())
        {
            ring.columns().handOver();
        }
        arrive(kept, row.size());
        ring.writeGrow();
        ring.writeDue(ring.due(ring.head(), ring.tail(), times));
        return List.of();
    }

    /** Writes the method that passes the rows of the instant to the reader. */
    private void arrive(final List<Operand> kept, final int size)
    {
        final ExpressionCode code = unit.body();
        if (partition() == null)
        {
            ring.openDue(code, ring.head(), ring.tail(), times);
        }
        else
        {
            openDue(code);
        }
        final List<Expression> row = new ArrayList<>();
        for (int i = 0; i < size; i++)
        {
            final int index = reads().indexOf(i);
            row.add(index < 0 ? new Expression.Column(i, types().get(i), true) :
                code.leaf(local(code, kept.get(index))));
        }
        final SymbolicRow arrived = new SymbolicRow(code, row);
        consumer().enter(read(arrived));
        arrived.close();
        ring.columns().forget(code, "p");
        code.close();
        if (partition() != null)
        {
            code.line("while (" + ring.head() + " != " + ring.tail() + " && " + waits + '[' + ring.slot(ring.head()) +
                "] < 0) " + ring.head() + "++;");
        }
        unit.method("private void " + ring.name() + "arrive()", code);
    }

    /**
     * Opens the loop over the rows of the instant that wait for nothing else: rows of a partition that will be
     * discarded after earlier rows are processed must wait longer.
     */
    private void openDue(final ExpressionCode code)
    {
        final String position = ring.columns().position();
        code.open("for (int x = " + ring.head() + "; x != " + ring.tail() + " && " + times + '[' + ring.slot("x") +
            "] <= now; x++)");
        code.line("final int " + position + " = x;");
        code.line("final int p = " + ring.slot(position) + ';');
        code.line("if (" + waits + "[p] != 0 && (" + waits + "[p] < 0 || forgettings.isWaiting(" + waits +
            "[p]))) continue;");
        code.line(waits + "[p] = -1;");
    }

    /** Writes the method that returns the time of the last row of some partitions. */
    private void lastWaiting(final Operand value)
    {
        final ExpressionCode code = unit.body();
        code.open("for (int x = " + ring.tail() + "; x != " + ring.head() + "; )");
        code.line("x--;");
        code.line("final int p = " + ring.slot("x") + ';');
        code.line("if (" + waits + "[p] >= 0 && " + partition().test(value) + ") return " + times + "[p];");
        code.close();
        code.line("return BEGINNING;");
        unit.method("private long " + ring.name() + "last(" + PartitionColumn.PARAMETERS + ')', code);
    }

    /** Writes the method that removes the rows of some partitions, as if they had been passed on. */
    private void drop(final Operand value)
    {
        final ExpressionCode code = unit.body();
        code.open("for (int x = " + ring.head() + "; x != " + ring.tail() + "; x++)");
        code.line("final int p = " + ring.slot("x") + ';');
        code.open("if (" + waits + "[p] >= 0 && " + partition().test(value) + ')');
        code.line(waits + "[p] = -1;");
        ring.columns().forget(code, "p");
        code.close();
        code.close();
        unit.method("private void " + ring.name() + "drop(" + PartitionColumn.PARAMETERS + ')', code);
    }

    @Override
    public void drop(final ExpressionCode code)
    {
        if (partition() != null)
        {
            code.line("if (" + partition().inputs() + ") " + ring.name() + "drop(partitions);");
        }
    }

    @Override
    public void waiting(final ExpressionCode code)
    {
        if (partition() != null)
        {
            code.line("if (" + partition().inputs() + ") untilNs = Math.max(untilNs, " + ring.name() +
                "last(partitions));");
        }
    }

    /** Rows are looked up later; a look-up ahead brings the records of their keys into the caches. */
    @Override
    public Keyed keyed()
    {
        return consumer().keyed();
    }

    private static Operand local(final ExpressionCode code, final Operand value)
    {
        return value.type() == CqlType.CHAR ? value : code.declare(value.value(), value.isNull(), value.type());
    }

    @Override
    public String due()
    {
        return ring.dueCall();
    }

    @Override
    public boolean arrivesLast()
    {
        return consumer().comesLast();
    }

    @Override
    public void arrive(final ExpressionCode code)
    {
        code.line(ring.name() + "arrive();");
    }

    @Override
    public void state(final ExpressionCode code)
    {
        ring.state(code, "Waiting");
    }
}
