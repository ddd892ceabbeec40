package dev.millrace.cql.compiler.unit.set;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.KeyTableGenerator;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.RowExpiry;
import dev.millrace.cql.compiler.unit.code.RowReaders;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitOperatorGenerator;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * ORDER BY ... ROWS n [PARTITION BY]: a record for each partition, and the rows of all partitions in {@code TopRows}.
 * Of a relation that only grows, only the visible rows are stored. A row of a window leaves by its number, any other
 * row by its value.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class TopNGenerator implements UnitOperatorGenerator, RowConsumer
{
    private final UnitSource unit;
    private final FlowNode.TopN top;
    private final RowExpiry leaving;
    private final RowReaders readers;
    private final String name;
    private final OrderKeyEncoder order;
    /** Columns of a row that are stored. */
    private final List<Integer> kept;
    /** Columns whose strings are not only carried. */
    private final Set<Integer> compares;
    private final RowWords words;
    /** One record per partition, with the number of its rows; {@code null} without PARTITION BY. */
    private final KeyTableGenerator parts;

    /**
     * @param leaving how rows leave the input
     */
    public TopNGenerator(final UnitSource unit, final FlowNode.TopN top, final RowExpiry leaving,
        final RowReaders readers)
    {
        this.unit = unit;
        this.top = top;
        this.leaving = leaving;
        this.readers = readers;
        name = unit.name("t");
        order = new OrderKeyEncoder(unit, top.keys(), types());
        final Set<Integer> columns = new TreeSet<>(readers.reads());
        order.columns().stream().filter(column -> leaving == RowExpiry.BY_VALUE ||
            RowWords.isCoded(types().get(column))).forEach(columns::add);
        if (leaving == RowExpiry.BY_VALUE)
        {
            columns.addAll(top.partitionBy());
        }
        kept = List.copyOf(columns);
        compares = leaving == RowExpiry.BY_VALUE ? new TreeSet<>(kept) : readers.compares();
        compares.addAll(order.columns());
        compares.addAll(top.partitionBy());
        words = new RowWords(unit, kept.stream().map(types()::get).toList(), Collections.nCopies(kept.size(), true),
            kept,
            compares);
        parts = top.partitionBy().isEmpty() ? null :
            new KeyTableGenerator(unit, name + "parts", words(top.partitionBy()), 1, "maxRows");
        unit.field("final TopRows", name + "rows", "new TopRows(" + order.order() + ", " + words.count() + ", " +
            words.held() + ", " + unit.number(top.limit(), CqlType.BIGINT) + ", " +
            (leaving == RowExpiry.NEVER) + ", maxRows, memory)");
        if (leaving == RowExpiry.BY_VALUE)
        {
            unit.field("final RowsByValue", name + "equal", "new RowsByValue(" + words.count() + ", " + words.held() +
                ", maxRows, memory)");
        }
    }

    private RowWords words(final List<Integer> columns)
    {
        return new RowWords(unit, columns.stream().map(types()::get).toList(),
            Collections.nCopies(columns.size(), true));
    }

    @Override
    public List<CqlType> types()
    {
        return top.input().rows().types();
    }

    @Override
    public List<Integer> reads()
    {
        final Set<Integer> reads = new TreeSet<>(kept);
        reads.addAll(order.columns());
        reads.addAll(top.partitionBy());
        return List.copyOf(reads);
    }

    @Override
    public Set<Integer> compares()
    {
        return compares;
    }

    @Override
    public Keyed keyed()
    {
        return parts == null ? null : new Keyed(parts, top.partitionBy());
    }

    @Override
    public boolean wantsLeaving()
    {
        return leaving != RowExpiry.NEVER;
    }

    private List<String> values(final SymbolicRow row)
    {
        return words.of(row.code(), kept.stream().map(row::get).toList());
    }

    @Override
    public List<Operand> enter(final SymbolicRow row)
    {
        final ExpressionCode code = row.code();
        String part = "0";
        if (parts != null)
        {
            final List<Operand> key = top.partitionBy().stream().map(row::get).toList();
            final String known = row.storedVariable(top.partitionBy(), "int", "id");
            part = known == null ? parts.find(row, key) : parts.find(code, key, known, parts.keyWords());
            row.open("if (" + part + " < 0) full(\"groups\"); else");
        }
        assign(code, name + "rows.key", "", order.of(row));
        row.open("if (" + name + "rows.accepts(" + part + "))");
        final String id = code.name("e");
        code.line("final int " + id + " = " + (words.carriesTexts() ? "memory.isShort() ? -1 : " : "") + name +
            "rows.rows.take();");
        row.open("if (" + id + " < 0) " + name + "full(" + part + "); else");
        if (leaving == RowExpiry.BY_VALUE)
        {
            assign(code, name + "equal.key", "", values(row));
            row.open("if (!" + name + "equal.add(" + id + ")) { " + name + "rows.rows.free(" + id + "); " + name +
                "full(" + part + "); } else");
            code.line("System.arraycopy(" + name + "equal.key, 0, " + name + "rows.rows.words, " + base(id) + ", " +
                words.count() + ");");
        }
        else
        {
            final String at = code.name("a");
            code.line("final int " + at + " = " + base(id) + ';');
            assign(code, name + "rows.rows.words", at + " + ", values(row));
        }
        if (parts != null)
        {
            code.line(count(part) + "++;");
        }
        code.line(name + "rows.enter(" + part + ", " + id + ");");
        return List.of(Operand.notNull(id, CqlType.INT));
    }

    private static void assign(final ExpressionCode code, final String array, final String at,
        final List<String> values)
    {
        for (int i = 0; i < values.size(); i++)
        {
            code.line(array + '[' + at + i + "] = " + values.get(i) + ';');
        }
    }

    /** Java expression of the index of a row's first column. */
    private String base(final String row)
    {
        return row + " * " + (words.count() + order.count() + 1);
    }

    private String count(final String part)
    {
        return parts.records() + '[' + part + " * " + parts.width() + " + " + parts.keyWords() + ']';
    }

    @Override
    public void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        code.line(name + "leave(" + remembered.get(0).value() + ");");
    }

    @Override
    public void leave(final SymbolicRow row)
    {
        final ExpressionCode code = row.code();
        assign(code, name + "equal.key", "", values(row));
        final String id = code.name("e");
        code.line("final int " + id + " = " + name + "equal.poll();");
        code.line("if (" + id + " >= 0) " + name + "leave(" + id + ");");
    }

    @Override
    public void write()
    {
        final ExpressionCode full = unit.body();
        if (parts != null)
        {
            full.line("if (" + count("g") + " == 0L) " + name + "parts.dies(g);");
        }
        full.line("full(\"rows\");");
        unit.method("private void " + name + "full(final int g)", full);
        if (leaving != RowExpiry.NEVER)
        {
            final ExpressionCode leave = unit.body();
            leave.line("final int g = " + name + "rows.leave(e);");
            if (parts != null)
            {
                leave.line("if (--" + count("g") + " == 0L) " + name + "parts.dies(g);");
            }
            unit.method("private void " + name + "leave(final int e)", leave);
        }
        readers.writeMethods(unit, name, this::read);
        close();
    }

    private Operand read(final Expression leaf, final ExpressionCode code)
    {
        final Operand value =
            words.read(kept.indexOf(((Expression.Column)leaf).column()), name + "rows.rows.words", "k", true);
        return value.type() == CqlType.CHAR ? value : code.declare(value.value(), value.isNull(), value.type());
    }

    @Override
    public void close(final ExpressionCode code)
    {
        code.line("if (" + name + "rows.isTouched()) " + name + "close();");
    }

    private void close()
    {
        final ExpressionCode code = unit.body();
        code.line(name + "rows.settle();");
        for (final boolean enters : new boolean[] {false, true})
        {
            if (readers.want(enters))
            {
                final String next = name + "rows.next(";
                code.line("for (int i = " + next + "-1, " + enters + "); i >= 0; i = " + next + "i, " + enters +
                    ")) " + RowReaders.method(name, enters) + '(' + base(name + "rows.row(i)") + ");");
            }
        }
        code.line(name + "rows.clear();");
        unit.method("private void " + name + "close()", code);
    }

    @Override
    public void sweep(final ExpressionCode code)
    {
        if (parts != null)
        {
            code.line(name + "parts.sweep(" + parts.keyWords() + ");");
        }
        if (leaving == RowExpiry.BY_VALUE)
        {
            code.line(name + "equal.sweep();");
        }
    }

    @Override
    public void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"Top\", (long) " + name + "rows.rows.size());");
    }
}
