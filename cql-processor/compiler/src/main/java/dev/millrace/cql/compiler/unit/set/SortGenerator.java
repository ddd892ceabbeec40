package dev.millrace.cql.compiler.unit.set;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.unit.code.RowReaders;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.compiler.unit.output.InstantRowsGenerator;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.List;
import java.util.Set;

/**
 * ORDER BY: collects the rows of an instant and emits them in order at its end. Changes of a relation are net, and rows
 * that leave come first.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class SortGenerator extends InstantRowsGenerator
{
    private final boolean isStream;
    private final boolean isOfInstant;
    private final RowReaders readers;
    private final OrderKeyEncoder order;

    /**
     * @param order words that are compared, after the columns of a row
     */
    private SortGenerator(final UnitSource unit, final FlowNode.Sort sort, final OrderKeyEncoder order,
        final boolean isStream,
        final boolean isOfInstant, final RowReaders readers)
    {
        super(unit, "o", sort.rows().types(), compares(order, readers), order.count(), order::borrowed);
        this.isStream = isStream || isOfInstant;
        this.isOfInstant = isOfInstant;
        this.readers = readers;
        this.order = order;
        unit.scratch("final RowSorter", name() + "sorter", "new RowSorter(" + order.order() + ')');
    }

    /**
     * @param isStream    whether rows only enter and are discarded at the end of the instant
     * @param isOfInstant whether the readers accept rows of the instant as a stream
     */
    public static SortGenerator of(final UnitSource unit, final FlowNode.Sort sort, final boolean isStream,
        final boolean isOfInstant, final RowReaders readers)
    {
        return new SortGenerator(unit, sort, new OrderKeyEncoder(unit, sort.keys(), sort.rows().types()), isStream,
            isOfInstant,
            readers);
    }

    private static Set<Integer> compares(final OrderKeyEncoder order, final RowReaders readers)
    {
        final Set<Integer> compares = readers.compares();
        compares.addAll(order.columns());
        return compares;
    }

    @Override
    public boolean isOfInstant()
    {
        return isOfInstant;
    }

    @Override
    public boolean wantsLeaving()
    {
        return !isStream;
    }

    @Override
    protected List<String> moreWords(final SymbolicRow row)
    {
        return order.of(row);
    }

    @Override
    protected void give(final ExpressionCode close)
    {
        for (final boolean enters : new boolean[] {false, true})
        {
            if (readers.want(enters) && (enters || !isStream))
            {
                final String count = close.name("n");
                close.line("final int " + count + " = " + name() + "sorter.sort(" + rows() + ", " + enters + ", " +
                    width() + ", " + columnWords() + ");");
                close.line("for (int i = 0; i < " + count + "; i++) " + method(enters, readers) + '(' + name() +
                    "sorter.row(i) * " + width() + ");");
            }
        }
    }
}
