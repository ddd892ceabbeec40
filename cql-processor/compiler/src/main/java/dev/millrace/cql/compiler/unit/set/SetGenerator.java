package dev.millrace.cql.compiler.unit.set;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.KeyTableGenerator;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.RowReaders;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitOperatorGenerator;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * DISTINCT and the set operations: a record for each distinct row, with its number of copies on either side. At the end
 * of an instant, the current number of copies in the result is compared with the previous one for each record that has
 * changed, so that changes are net. Nulls are equal.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class SetGenerator implements UnitOperatorGenerator
{
    /**
     * Words of a record after the row: the number of the last instant in which it changed, copies, and those on the
     * left.
     */
    private static final int STAMP = 0;
    private static final int ALL = 1;
    private static final int LEFT = 2;
    private static final int WORDS = 3;

    private final UnitSource unit;
    private final List<CqlType> types;
    private final FlowNode.SetKind kind;
    private final RowReaders readers;
    private final String name;
    private final KeyTableGenerator rows;

    /**
     * @param types of the rows of both sides
     * @param kind  the operation; {@code null} for DISTINCT, which has no right side
     */
    public SetGenerator(final UnitSource unit, final List<CqlType> types, final FlowNode.SetKind kind,
        final RowReaders readers)
    {
        this.unit = unit;
        this.types = types;
        this.kind = kind;
        this.readers = readers;
        name = unit.name("s");
        rows = new KeyTableGenerator(unit, name + "rows",
            new RowWords(unit, types, Collections.nCopies(types.size(), true)), WORDS, "maxRows");
        unit.field("final TouchedRecords", name + "touched", "new TouchedRecords(2)");
    }

    /** The consumer of a side. */
    public RowConsumer side(final boolean isLeft)
    {
        return new Side(isLeft);
    }

    /** A side of the operation. */
    private final class Side implements RowConsumer
    {
        private final boolean isLeft;

        Side(final boolean isLeft)
        {
            this.isLeft = isLeft;
        }

        @Override
        public List<CqlType> types()
        {
            return types;
        }

        @Override
        public List<Integer> reads()
        {
            return IntStream.range(0, types.size()).boxed().toList();
        }

        @Override
        public List<Operand> enter(final SymbolicRow row)
        {
            final String id = find(row);
            row.open("if (" + id + " < 0) full(\"rows\"); else");
            change(row.code(), id, 1);
            return List.of(Operand.notNull(id, CqlType.INT));
        }

        /** Writes the look-up of a row, whose id is stored with the row of a side of a join from which it comes. */
        private String find(final SymbolicRow row)
        {
            final String known = row.storedVariable(reads(), "int", isLeft ? "left" : "right");
            return known == null ? rows.find(row.code(), row.all()) :
                rows.find(row.code(), row.all(), known, rows.keyWords() + ALL);
        }

        @Override
        public void leave(final ExpressionCode code, final List<Operand> remembered)
        {
            change(code, remembered.get(0).value(), -1);
        }

        @Override
        public void leave(final SymbolicRow row)
        {
            final String id = find(row);
            // It was rejected when there was no capacity for it.
            row.open("if (" + id + " >= 0)");
            change(row.code(), id, -1);
        }

        @Override
        public boolean isOfDifferent()
        {
            return kind == null || switch (kind)
            {
                case UNION, INTERSECT, MINUS -> true;
                case IN, NOT_IN -> !isLeft;
                case EXCEPT, UNION_ALL -> false;
            };
        }

        private void change(final ExpressionCode code, final String id, final int by)
        {
            code.line(name + "change(" + id + ", " + by + "L, " + (isLeft ? by : 0) + "L);");
        }
    }

    /** Java expression of the number of copies of a row in the result. */
    private String copies(final String left, final String right)
    {
        if (kind == null)
        {
            return '(' + left + " > 0L ? 1L : 0L)";
        }
        return switch (kind)
        {
            case UNION -> '(' + left + " + " + right + " > 0L ? 1L : 0L)";
            case EXCEPT -> "Math.max(0L, " + left + " - " + right + ')';
            case MINUS -> '(' + left + " > 0L && " + right + " == 0L ? 1L : 0L)";
            case INTERSECT -> '(' + left + " > 0L && " + right + " > 0L ? 1L : 0L)";
            case IN -> '(' + right + " > 0L ? " + left + " : 0L)";
            case NOT_IN -> '(' + right + " == 0L ? " + left + " : 0L)";
            case UNION_ALL -> throw new IllegalStateException("UNION ALL needs no records");
        };
    }

    @Override
    public void write()
    {
        final ExpressionCode code = unit.body();
        code.line("final long[] r = " + rows.records() + ';');
        code.line("final int o = g * " + rows.width() + " + " + rows.keyWords() + ';');
        code.open("if (r[o] != instant)");
        code.line("r[o] = instant;");
        code.line(name + "touched.add(g, r, o + " + ALL + ");");
        code.close();
        code.line("r[o + " + ALL + "] += all;");
        code.line("r[o + " + LEFT + "] += left;");
        code.line("if (r[o + " + ALL + "] == 0L) " + name + "rows.dies(g);");
        unit.method("private void " + name + "change(final int g, final long all, final long left)", code);
        readers.writeMethods(unit, name, this::read);
    }

    private Operand read(final Expression leaf, final ExpressionCode code)
    {
        final Operand value = rows.read(((Expression.Column)leaf).column(), "k", true);
        return value.type() == CqlType.CHAR ? value : code.declare(value.value(), value.isNull(), value.type());
    }

    @Override
    public void close(final ExpressionCode code)
    {
        code.line("if (" + name + "touched.count > 0) " + name + "close();");
        final ExpressionCode body = unit.body();
        body.line("final int n = " + name + "touched.count;");
        if (readers.want(false))
        {
            changes(body, false);
        }
        if (readers.want(true))
        {
            changes(body, true);
        }
        body.line(name + "touched.count = 0;");
        unit.method("private void " + name + "close()", body);
    }

    private void changes(final ExpressionCode code, final boolean enters)
    {
        code.open("for (int j = 0; j < n; j++)");
        code.line("final long[] old = " + name + "touched.old;");
        code.line("final long[] r = " + rows.records() + ';');
        code.line("final int k = " + name + "touched.ids[j] * " + rows.width() + ';');
        code.line("final long wasLeft = old[j * 2 + 1];");
        code.line("final long wasRight = old[j * 2] - wasLeft;");
        code.line("final long left = r[k + " + (rows.keyWords() + LEFT) + "];");
        code.line("final long right = r[k + " + (rows.keyWords() + ALL) + "] - left;");
        code.line("final long was = " + copies("wasLeft", "wasRight") + ';');
        code.line("final long is = " + copies("left", "right") + ';');
        code.line("for (long c = " + (enters ? "is - was" : "was - is") + "; c > 0L; c--) " +
            RowReaders.method(name, enters) + "(k);");
        code.close();
    }

    @Override
    public void sweep(final ExpressionCode code)
    {
        code.line(name + "rows.sweep(" + (rows.keyWords() + ALL) + ", " + (rows.keyWords() + STAMP) + ", instant);");
    }

    @Override
    public void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"Set\", (long) " + name + "rows.size());");
    }
}
