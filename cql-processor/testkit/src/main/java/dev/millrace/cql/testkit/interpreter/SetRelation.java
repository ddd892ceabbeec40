package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import dev.millrace.cql.testkit.interpreter.syntax.Values;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A set operation over two relations. */
final class SetRelation extends Source.Table
{
    private final String word;
    private final Table left;
    private final Table right;

    private SetRelation(final String word, final Table left, final Table right, final List<Type> types,
        final Set<String> bases, final boolean grows)
    {
        super(left.names, types, bases, left.initial || right.initial, grows);
        this.word = word;
        this.left = left;
        this.right = right;
    }

    static SetRelation of(final String word, final Table left, final Table right)
    {
        if (left.types.size() != right.types.size())
        {
            throw new InvalidStatementException("set operation over different numbers of columns");
        }
        final List<Type> types = new ArrayList<>();
        for (int i = 0; i < left.types.size(); i++)
        {
            final Type a = left.types.get(i);
            final Type b = right.types.get(i);
            if (a != b && a != Type.NULL && b != Type.NULL && !(a.isNumber() && b.isNumber()))
            {
                throw new InvalidStatementException("set operation: column types differ (" + a + ", " + b + ")");
            }
            types.add(a == Type.NULL ? b : b == Type.NULL ? a : a == b ? a : Type.wider(a, b));
        }
        final Set<String> bases = new HashSet<>(left.bases);
        bases.addAll(right.bases);
        return new SetRelation(word, left, right, types, bases, word.startsWith("union") && left.grows && right.grows);
    }

    private List<Row> widened(final Evaluation run, final Table table, final long time)
    {
        final List<Row> rows = table.at(run, time);
        if (table.types.equals(types))
        {
            return rows;
        }
        final List<Row> wide = new ArrayList<>();
        for (final Row row : rows)
        {
            final Object[] values = row.values().clone();
            for (int i = 0; i < values.length; i++)
            {
                values[i] = Values.cast(values[i], table.types.get(i), types.get(i));
            }
            wide.add(new Row(values));
        }
        return wide;
    }

    @Override
    List<Row> at(final Evaluation run, final long time)
    {
        return Bags.combine(run.isLoose ? "union all" : word, widened(run, left, time), widened(run, right, time));
    }

    @Override
    void instants(final Evaluation run, final Set<Long> instants)
    {
        instants.addAll(left.changes(run));
        instants.addAll(right.changes(run));
    }
}
