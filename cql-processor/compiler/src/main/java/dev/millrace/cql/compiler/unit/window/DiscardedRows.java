package dev.millrace.cql.compiler.unit.window;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.PartitionColumn;
import dev.millrace.cql.compiler.unit.code.RingGenerator;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import java.util.List;
import java.util.function.Consumer;

/**
 * The rows of a ring that have left early because their partition was discarded: they are marked, and skipped when
 * their time has come.
 *
 * <p>Not thread-safe; used for one class.
 */
final class DiscardedRows
{
    private final UnitSource unit;
    private final RingGenerator ring;
    private final PartitionColumn partition;
    private final Operand value;
    private final String isGone;

    /** Writes code that stores the partition of an arriving row at an index. */
    DiscardedRows(
        final UnitSource unit, final RingGenerator ring, final PartitionColumn partition, final SymbolicRow row,
        final String index)
    {
        this.unit = unit;
        this.ring = ring;
        this.partition = partition;
        final ExpressionCode code = row.code();
        isGone = ring.columns().addNumbers("boolean");
        code.line(isGone + '[' + index + "] = false;");
        value = ring.columns().keep(code, List.of(row.get(partition.column())), index).get(0);
    }

    /** Opens a block for a row at the index {@code p} that has not left early. */
    void openOther(final ExpressionCode code)
    {
        code.open("if (!" + isGone + "[p])");
    }

    /** Name of the method that iterates over the rows. */
    static String method(final RingGenerator ring)
    {
        return ring.name() + "forget";
    }

    /**
     * Writes the method that marks rows of some partitions.
     *
     * @param leave writes the code for the row at the index {@code p}, whose position has a name
     */
    void write(final Consumer<ExpressionCode> leave)
    {
        final ExpressionCode code = unit.body();
        final String position = ring.columns().position();
        code.open("for (int x = " + ring.head() + "; x != " + ring.tail() + "; x++)");
        code.line("final int " + position + " = x;");
        code.line("final int p = " + ring.slot(position) + ';');
        code.line("if (" + isGone + "[p] || !" + partition.test(value) + ") continue;");
        code.line(isGone + "[p] = true;");
        leave.accept(code);
        code.close();
        unit.method("private void " + method(ring) + '(' + PartitionColumn.PARAMETERS + ')', code);
    }
}
