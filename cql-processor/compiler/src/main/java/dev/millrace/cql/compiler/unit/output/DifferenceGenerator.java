package dev.millrace.cql.compiler.unit.output;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.KeyTableGenerator;
import dev.millrace.cql.compiler.unit.code.RowReaders;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * ISTREAM and DSTREAM with DIFFERENCE USING: a record for each key of the relation, with the number of its rows. Of the
 * rows that enter in an instant, those are emitted whose key did not exist before; of the rows that leave, those whose
 * key does not exist afterwards.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class DifferenceGenerator extends InstantRowsGenerator
{
    private final UnitSource unit;
    private final FlowNode.ToStream stream;
    private final RowReaders readers;
    private final KeyTableGenerator keys;

    public DifferenceGenerator(final UnitSource unit, final FlowNode.ToStream stream, final RowReaders readers)
    {
        super(unit, "d", stream.rows().types(), compares(stream, readers));
        this.unit = unit;
        this.stream = stream;
        this.readers = readers;
        final List<CqlType> keyTypes = stream.difference().stream().map(stream.rows().types()::get).toList();
        keys = new KeyTableGenerator(unit, name() + "keys",
            new RowWords(unit, keyTypes, Collections.nCopies(keyTypes.size(), true)), 1, "maxRows");
    }

    private static Set<Integer> compares(final FlowNode.ToStream stream, final RowReaders readers)
    {
        final Set<Integer> compares = readers.compares();
        compares.addAll(stream.difference());
        return compares;
    }

    private String count()
    {
        return keys.records() + "[g * " + keys.width() + " + " + keys.keyWords() + ']';
    }

    @Override
    protected void give(final ExpressionCode close)
    {
        key();
        change();
        final boolean isEntering = stream.kind() == FlowNode.StreamKind.ISTREAM;
        final String changes = name() + "change();";
        if (!isEntering)
        {
            close.line(changes);
        }
        openEach(close, isEntering);
        close.line("if (g < 0) full(\"keys\");");
        close.line("else if (" + count() + " == 0L) " + method(true, readers) + "(k);");
        close.close();
        if (isEntering)
        {
            close.line(changes);
        }
    }

    private void openEach(final ExpressionCode code, final boolean enters)
    {
        final String next = rows() + ".next(";
        code.open("for (int i = " + next + "-1, " + enters + "); i >= 0; i = " + next + "i, " + enters + "))");
        code.line("final int k = i * " + width() + ';');
        code.line("final int g = " + name() + "key(k);");
    }

    /** Writes the method that finds the key of the row at {@code k}. */
    private void key()
    {
        final ExpressionCode code = unit.body(this::read, "final int k", "k");
        final List<Operand> key = stream.difference().stream().map(column ->
            code.write(new Expression.Column(column, types().get(column), true))).toList();
        code.line("return " + keys.find(code, key) + ';');
        unit.method("private int " + name() + "key(final int k)", code);
    }

    /** Writes the method that counts the keys of the instant's rows. */
    private void change()
    {
        final ExpressionCode code = unit.body();
        for (final boolean enters : new boolean[] {true, false})
        {
            openEach(code, enters);
            code.line("if (g >= 0" + (enters ? ") " : " && " + count() + " > 0L) ") + count() +
                (enters ? "++;" : "--;"));
            code.line("if (g >= 0 && " + count() + " == 0L) " + name() + "keys.dies(g);");
            code.close();
        }
        unit.method("private void " + name() + "change()", code);
    }

    @Override
    public void sweep(final ExpressionCode code)
    {
        super.sweep(code);
        code.line(name() + "keys.sweep(" + keys.keyWords() + ");");
    }

    @Override
    public void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"Difference\", (long) " + name() + "keys.size());");
    }
}
