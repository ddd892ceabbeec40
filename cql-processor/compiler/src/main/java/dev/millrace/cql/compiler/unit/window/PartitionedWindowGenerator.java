package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.KeyTableGenerator;
import dev.millrace.cql.compiler.unit.code.PartitionColumn;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.Collections;
import java.util.List;

/**
 * {@code [partition by P rows N [range T [slide D]]]}: a record for each key with a chain of its rows, each in a cell.
 * When there are N of them, the oldest one leaves and the arriving row reuses its cell. With RANGE, all cells are also
 * in a list in order of arrival, and leave it when their time has come. With SLIDE, rows come from a
 * {@link SlideBufferGenerator}.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class PartitionedWindowGenerator extends StreamWindowGenerator
{
    /** Words of a key: number of rows, and the cells of the oldest and the newest one. */
    private static final int COUNT = 0;
    private static final int OLDEST = 1;
    private static final int NEWEST = 2;
    private static final int WORDS = 3;

    private final UnitSource unit;
    private final WindowSpec.Partition window;
    private final String name;
    private final KeyTableGenerator keys;
    private final CellGenerator cells;
    private final WindowReader reader;
    private final PartitionColumn partition;
    /** Name of the object that records when keys had their last rows; {@code null} when keys stay. */
    private final String idle;
    /** The key of each cell. */
    private final String key;
    /** With RANGE: neighbors in the order of all rows, and when a row leaves. */
    private String older;
    private String younger;
    private String leaves;

    /**
     * @param types     of its rows
     * @param partition of its rows; {@code null} when nothing needs to be discarded
     * @param canBeIdle whether keys without rows for a time are discarded
     */
    public PartitionedWindowGenerator(final UnitSource unit, final WindowSpec.Partition window,
        final List<CqlType> types,
        final ReaderEdge edge, final PartitionColumn partition, final boolean canBeIdle)
    {
        super(types, edge, window.partitionBy(), partition);
        this.partition = partition;
        this.unit = unit;
        this.window = window;
        name = unit.name("w");
        final List<CqlType> keyTypes = window.partitionBy().stream().map(types::get).toList();
        keys = new KeyTableGenerator(unit, name + "keys",
            new RowWords(unit, keyTypes, Collections.nCopies(keyTypes.size(), true)), WORDS, "maxRows");
        cells = new CellGenerator(unit, name);
        reader = new WindowReader(edge, cells.columns());
        key = cells.columns().addNumbers("int");
        idle = canBeIdle && !hasRange() && !keyTypes.isEmpty() ? name + "idle" : null;
        if (idle != null)
        {
            unit.field("final IdleStateSweeper", idle, "new IdleStateSweeper(idleNs, memory)");
            unit.numbers("int", idle + "rows");
        }
        if (hasRange())
        {
            older = cells.columns().addNumbers("int");
            younger = cells.columns().addNumbers("int");
            leaves = cells.columns().addNumbers("long");
            unit.numbers("int", name + "first", "-1");
            unit.numbers("int", name + "last", "-1");
        }
    }

    @Override
    public Keyed keyed()
    {
        return new Keyed(keys, window.partitionBy());
    }

    private boolean hasRange()
    {
        return window.rangeNs() > 0;
    }

    @Override
    protected List<Operand> take(final SymbolicRow row)
    {
        final ExpressionCode code = row.code();
        final String id = keys.find(row, window.partitionBy().stream().map(row::get).toList());
        row.open("if (" + id + " < 0) full(\"groups\"); else");
        final String position = cells.columns().position();
        code.line("final int " + position + " = " + name + "enter(" + id + ");");
        row.open("if (" + position + " < 0) full(\"rows\"); else");
        if (hasRange())
        {
            final String ends = "PeriodMath.plus(" + (window.slideNs() > 0 ? SlideBufferGenerator.ARRIVED : "now") +
                ", " +
                unit.number(window.rangeNs(), CqlType.BIGINT) + ')';
            code.line(leaves + '[' + position + "] = " + (window.slideNs() > 0 ?
                "PeriodMath.up(" + ends + ", " + unit.number(window.slideNs(), CqlType.BIGINT) + ')' : ends) + ';');
        }
        reader.enter(row, position);
        final Operand value = partition == null ? null :
            cells.columns().keep(code, List.of(row.get(partition.column())), position).get(0);
        if (idle != null)
        {
            code.line(idle + ".touched(" + id + ", now);");
            code.line(idle + "rows++;");
        }
        leave();
        forget(value);
        append();
        if (hasRange())
        {
            expire();
        }
        cells.write();
        return List.of();
    }

    /** Writes locals for the record of the key {@code g}: {@code r}, and {@code k} for the index of its words. */
    private void record(final ExpressionCode code)
    {
        code.line("final long[] r = " + keys.records() + ';');
        code.line("final int k = g * " + keys.width() + " + " + keys.keyWords() + ';');
    }

    /** Writes the method that allocates a cell for a row of a key; the oldest row leaves when there are too many. */
    private void append()
    {
        final ExpressionCode code = unit.body();
        record(code);
        code.line("int p;");
        code.open("if (r[k + " + COUNT + "] == " + unit.number(window.rows(), CqlType.BIGINT) + ')');
        code.line("p = (int) r[k + " + OLDEST + "];");
        code.line("r[k + " + OLDEST + "] = " + cells.next() + "[p];");
        code.line(name + "leave(p);");
        code.line("if (r[k + " + COUNT + "] == 1L) r[k + " + OLDEST + "] = p;");
        code.line("else " + cells.next() + "[(int) r[k + " + NEWEST + "]] = p;");
        code.close();
        code.open("else");
        code.line("p = " + cells.take() + ';');
        code.open("if (p < 0)");
        code.line("if (r[k + " + COUNT + "] == 0L) " + name + "keys.dies(g);");
        code.line("return p;");
        code.close();
        code.line("if (r[k + " + COUNT + "]++ == 0L) r[k + " + OLDEST + "] = p;");
        code.line("else " + cells.next() + "[(int) r[k + " + NEWEST + "]] = p;");
        code.line(key + "[p] = g;");
        code.close();
        code.line("r[k + " + NEWEST + "] = p;");
        if (hasRange())
        {
            code.line(older + "[p] = " + name + "last;");
            code.line(younger + "[p] = -1;");
            code.line("if (" + name + "last < 0) " + name + "first = p; else " + younger + '[' + name + "last] = p;");
            code.line(name + "last = p;");
        }
        code.line("return p;");
        unit.method("private int " + name + "enter(final int g)", code);
    }

    /** Writes the method for a row that leaves. */
    private void leave()
    {
        final ExpressionCode code = unit.body();
        if (hasRange())
        {
            code.line("final int o = " + older + "[p];");
            code.line("final int y = " + younger + "[p];");
            code.line("if (o < 0) " + name + "first = y; else " + younger + "[o] = y;");
            code.line("if (y < 0) " + name + "last = o; else " + older + "[y] = o;");
        }
        code.line("final int " + cells.columns().position() + " = p;");
        reader.leave(code);
        unit.method("private void " + name + "leave(final int p)", code);
    }

    /** Writes the methods that make all rows leave of a key, of some partitions, and of idle keys. */
    private void forget(final Operand value)
    {
        if (value == null && idle == null)
        {
            return;
        }
        final ExpressionCode code = unit.body();
        record(code);
        code.open("for (; r[k + " + COUNT + "] > 0L; r[k + " + COUNT + "]--)");
        code.line("final int p = (int) r[k + " + OLDEST + "];");
        code.line("r[k + " + OLDEST + "] = " + cells.next() + "[p];");
        code.line(name + "leave(p);");
        cells.free(code);
        code.close();
        code.line(name + "keys.dies(g);");
        unit.method("private void " + name + "forget(final int g)", code);
        if (value != null)
        {
            partitions(value);
        }
        if (idle != null)
        {
            final ExpressionCode sweep = unit.body();
            sweep.line(idle + ".begin(" + idle + "rows);");
            sweep.line(idle + "rows = 0;");
            sweep.line("for (int g = " + idle + ".next(now); g >= 0; g = " + idle + ".next(now)) " + name +
                "forget(g);");
            unit.method("private void " + idle + "()", sweep);
        }
    }

    /** Writes the method for some partitions: all rows of a key belong to one partition. */
    private void partitions(final Operand value)
    {
        final ExpressionCode code = unit.body();
        code.open("for (int g = 0; g < " + name + "keys.ids(); g++)");
        record(code);
        code.line("if (r[k + " + COUNT + "] <= 0L) continue;");
        code.line("final int p = (int) r[k + " + OLDEST + "];");
        code.line("if (!" + partition.test(value) + ") continue;");
        code.line(name + "forget(g);");
        if (idle != null)
        {
            code.line(idle + ".gone(g);");
        }
        code.close();
        unit.method("private void " + name + "forget(" + PartitionColumn.PARAMETERS + ')', code);
    }

    /** Writes the method for the rows whose time has come. */
    private void expire()
    {
        final ExpressionCode code = unit.body();
        code.open("while (" + due() + " <= now)");
        code.line("final int p = " + name + "first;");
        code.line("final int g = " + key + "[p];");
        record(code);
        code.line("r[k + " + OLDEST + "] = " + cells.next() + "[p];");
        code.line("if (--r[k + " + COUNT + "] == 0L) " + name + "keys.dies(g);");
        code.line(name + "leave(p);");
        cells.free(code);
        code.close();
        unit.method("private void " + name + "expire()", code);
    }

    @Override
    public String due()
    {
        return hasRange() ? '(' + name + "first < 0 ? NEVER : " + leaves + '[' + name + "first])" : null;
    }

    @Override
    public void atDue(final ExpressionCode code)
    {
        if (hasRange() && window.slideNs() == 0)
        {
            code.line(name + "expire();");
        }
    }

    @Override
    public void close(final ExpressionCode code)
    {
        if (window.slideNs() > 0)
        {
            code.line(name + "expire();");
        }
        if (idle != null)
        {
            code.line("if (" + idle + "rows > 0) " + idle + "();");
        }
    }

    @Override
    public void forget(final ExpressionCode code)
    {
        PartitionColumn.call(partition, code, name + "forget");
    }

    @Override
    public String forgotten()
    {
        return idle == null ? null : idle + ".forgotten()";
    }

    @Override
    public void sweep(final ExpressionCode code)
    {
        code.line(name + "keys.sweep(" + keys.keyWords() + ");");
    }

    @Override
    public void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"PartitionWindow\", (long) " + cells.size() + ");");
    }
}
