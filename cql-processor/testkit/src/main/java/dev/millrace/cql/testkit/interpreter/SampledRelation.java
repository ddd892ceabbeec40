package dev.millrace.cql.testkit.interpreter;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** EVALUATE EVERY: the relation at the last multiple of a period. */
final class SampledRelation extends Source.Table
{
    private final Source.Table table;
    private final long period;

    SampledRelation(final Source.Table table, final long period)
    {
        super(table.names, table.types, table.bases, table.initial, table.grows);
        this.table = table;
        this.period = period;
    }

    @Override
    List<Row> at(final Evaluation run, final long time)
    {
        return table.at(run, run.isLoose ? time : Windows.down(time, period));
    }

    @Override
    void instants(final Evaluation run, final Set<Long> instants)
    {
        final TreeSet<Long> inner = new TreeSet<>();
        table.instants(run, inner);
        inner.forEach(instant -> instants.add(instant == Evaluation.BEGINNING ? instant : Windows.up(instant, period)));
    }
}
