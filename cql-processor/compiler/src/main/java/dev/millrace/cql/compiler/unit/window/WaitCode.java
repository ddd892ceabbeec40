package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ConsumerCode;
import dev.millrace.cql.compiler.unit.code.RingCode;
import dev.millrace.cql.compiler.unit.code.Row;
import dev.millrace.cql.compiler.unit.code.StreamConsumer;
import dev.millrace.cql.compiler.unit.code.UnitText;
import dev.millrace.cql.plan.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a stream that wait until all streams of the unit have come as far: a ring of the columns that are read.
 * Filters and projections stand before it.
 *
 * <p>Used by one thread, for one class.
 */
public final class WaitCode extends StreamConsumer
{
    private final UnitText unit;
    private final RingCode ring;
    private final String times;

    public WaitCode(final UnitText unit, final ConsumerCode consumer)
    {
        super(consumer);
        this.unit = unit;
        ring = new RingCode(unit, "q");
        times = ring.columns().add("long");
    }

    @Override
    protected List<Operand> take(final Row row)
    {
        final ExpressionCode code = row.code();
        ring.openRoom(row, "fullOfWaiting();");
        final String place = code.name("p");
        code.line("final int " + place + " = " + ring.place(ring.tail() + "++") + ';');
        code.line(times + '[' + place + "] = t;");
        final List<Operand> kept =
            ring.columns().keep(code, reads().stream().map(row::get).toList(), place);
        arrive(kept, row.size());
        ring.writeGrow();
        ring.writeDue(ring.due(ring.head(), ring.tail(), times));
        return List.of();
    }

    /** The method that gives the rows of the instant to the reader. */
    private void arrive(final List<Operand> kept, final int size)
    {
        final ExpressionCode code = unit.body();
        ring.openDue(code, ring.head(), ring.tail(), times);
        final List<Expression> row = new ArrayList<>();
        for (int i = 0; i < size; i++)
        {
            final int index = reads().indexOf(i);
            row.add(index < 0 ? new Expression.Column(i, types().get(i), true) :
                code.leaf(local(code, kept.get(index))));
        }
        final Row arrived = new Row(code, row);
        consumer().enter(arrived);
        arrived.close();
        ring.columns().forget(code, "p");
        code.close();
        unit.method("private void " + ring.name() + "arrive()", code);
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
