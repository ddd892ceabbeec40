package dev.millrace.cql.compiler.unit.join;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.RingGenerator;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A side of a join whose rows leave in order of arrival: a ring. A row that leaves is the oldest of its key, so that
 * removing it has the same cost regardless of their number. Rows that no later row can match are removed when time
 * moves on. Without keys, its rows may be in a {@link JoinIndex}.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class RingSide extends JoinSide
{
    private final UnitSource unit;
    private final String head;
    private final String tail;
    /** Position of the oldest row whose index may not be reused yet. */
    private final String base;
    private final String next;
    private final String key;
    private final RingColumns ring;
    private final SideColumns columns;
    /** Name of the time of its rows, when they are removed as time moves on; {@code null} otherwise. */
    private final String passed;
    /** Leave times of rows; {@code null} when no reader needs them. */
    private final String times;
    /** Columns for variables of readers of the join, by reader and meaning. */
    private final Map<String, String> ofReaders = new LinkedHashMap<>();
    /** Number of partners of each row; {@code null} except on the left of an outer join. */
    private final String partners;

    public RingSide(final UnitSource unit, final JoinGenerator join, final String name, final SideRows rows,
        final JoinIndex index, final boolean isAloneShown, final boolean isPassing)
    {
        super(join, name, rows, index);
        passed = isPassing ? name + "passedNs" : null;
        if (isPassing)
        {
            unit.numbers("long", passed, "BEGINNING");
        }
        this.unit = unit;
        head = name + "head";
        tail = name + "tail";
        base = join.isDeferring() ? name + "base" : head;
        if (join.isDeferring())
        {
            unit.numbers("int", head);
        }
        unit.scratch("int", base);
        unit.scratch("int", tail);
        ring = new RingColumns(unit, name);
        next = ring.addNumbers("int");
        key = ring.addNumbers("int");
        times = join.isTimed() && !isPassing ? ring.addNumbers("long") : null;
        partners = isAloneShown ? ring.addNumbers("int") : null;
        columns = new SideColumns(unit, ring, rows);
        if (index != null)
        {
            ring.addObject(index.type(), index.name());
        }
    }

    @Override
    public Operand read(final ExpressionCode code, final int column, final String index)
    {
        return columns.read(code, column, index);
    }

    @Override
    public List<Operand> enter(final SymbolicRow row)
    {
        final ExpressionCode code = row.code();
        if (passed != null)
        {
            code.open("if (" + passed + " != now)");
            code.line(passed + " = now;");
            code.line("while (" + head + " != " + tail + ") " + name() + "leave();");
            code.close();
        }
        row.open("if (" + tail + " - " + head + " >= maxRows || " + tail + " - " + base + " == " + next +
            ".length && !" + name() + "grow()" + RingGenerator.lacksMemory(carriesTexts()) + ") full(\"rows\"); else");
        columns.lookUp(row);
        final String id = findKey(row, partners != null);
        row.open("if (" + id + " == KeyTable.FULL) full(\"keys\"); else");
        final String index = code.name("p");
        code.line("final int " + index + " = " + tail + " & " + next + ".length - 1;");
        columns.keep(code, row, index);
        ofReaders.values().forEach(column -> code.line(column + '[' + index + "] = 0;"));
        if (times != null)
        {
            code.line(times + '[' + index + "] = " + row.leavesAt() + ';');
        }
        code.line(key + '[' + index + "] = " + id + ';');
        code.line(name() + "enter(" + index + ", " + id + ");");
        return List.of();
    }

    @Override
    public void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        code.line(name() + "leave();");
    }

    @Override
    public void leave(final SymbolicRow row)
    {
        throw new IllegalStateException("rows of a ring leave in the order in which they came");
    }

    @Override
    protected String found(final ExpressionCode code, final String index)
    {
        return index;
    }

    @Override
    protected String openRows(final ExpressionCode code, final String at)
    {
        final String position = code.name("x");
        final String index = code.name("q");
        code.line("int " + position + " = (int) r[" + at + " + " + join().oldest(this) + "];");
        code.open("for (long n = r[" + at + " + " + join().count(this) + "]; n > 0L; n--)");
        code.line("final int " + index + " = " + position + " & " + next + ".length - 1;");
        code.line(position + " = " + next + '[' + index + "];");
        return index;
    }

    @Override
    public void write()
    {
        ring.writeGrow(name() + "grow", base, tail);
        ring.state(base, tail);
        enter();
        leave();
    }

    private void enter()
    {
        final ExpressionCode code = unit.body();
        code.line("final int id = " + tail + "++;");
        if (partners != null)
        {
            code.line(partners + "[p] = 0;");
        }
        code.open("if (g >= 0)");
        join().record(code);
        code.line("if (r[k + " + join().count(this) + "]++ == 0L) r[k + " + join().oldest(this) + "] = id;");
        code.line("else " + next + "[(int) r[k + " + join().newest(this) + "] & " + next + ".length - 1] = id;");
        code.line("r[k + " + join().newest(this) + "] = id;");
        code.line("r[k]++;");
        if (index() != null)
        {
            index().add(code, "p");
        }
        join().pairs(code, this, true);
        code.close();
        if (partners != null)
        {
            code.line("if (" + partners + "[p] == 0) " + join().alone(true) + "(p);");
        }
        unit.method("private void " + name() + "enter(final int p, final int g)", code);
    }

    private void leave()
    {
        final ExpressionCode code = unit.body();
        code.line("final int id = " + head + "++;");
        code.line("final int p = id & " + next + ".length - 1;");
        code.line("final int g = " + key + "[p];");
        code.open("if (g >= 0)");
        join().record(code);
        code.line("r[k + " + join().count(this) + "]--;");
        code.line("r[k + " + join().oldest(this) + "] = " + next + "[p];");
        code.line("if (--r[k] == 0L) " + join().name() + "keys.dies(g);");
        if (index() != null)
        {
            index().remove(code, "p");
        }
        if (join().isDeferring())
        {
            join().later(code, this);
        }
        else
        {
            join().pairs(code, this, false);
        }
        code.close();
        if (partners != null && join().isLeavingRead())
        {
            code.line("if (" + partners + "[p] == 0) " + join().alone(false) + "(p);");
        }
        if (!join().isDeferring())
        {
            ring.forget(code, "p");
        }
        unit.method("private void " + name() + "leave()", code);
    }

    /** Writes statements for the end of an instant: indexes of rows that have left may be reused. */
    public void release(final ExpressionCode code)
    {
        if (!ring.refers())
        {
            code.line(base + " = " + head + ';');
            return;
        }
        code.open("for (; " + base + " != " + head + "; " + base + "++)");
        ring.forget(code, slot(base));
        code.close();
    }

    /** Java expression of the index of a position. */
    public String slot(final String position)
    {
        return '(' + position + " & " + next + ".length - 1)";
    }

    /** Java expression of the position after an index, in the chain of its key. */
    public String next(final String index)
    {
        return next + '[' + index + ']';
    }

    /** Java expression of the key of the row at an index. */
    public String key(final String index)
    {
        return key + '[' + index + ']';
    }

    @Override
    public boolean takesOver()
    {
        return true;
    }

    @Override
    public boolean wantsLeaving()
    {
        return passed == null;
    }

    @Override
    boolean isPassing()
    {
        return passed != null;
    }

    @Override
    String storedVariable(final String type, final String what, final String at)
    {
        return ofReaders.computeIfAbsent(what, key -> ring.addNumbers(type)) + '[' + at + ']';
    }

    @Override
    String leavesAt(final String index)
    {
        return times + '[' + index + ']';
    }

    @Override
    public String partners(final String index)
    {
        return partners + '[' + index + ']';
    }

    @Override
    public String size()
    {
        return '(' + tail + " - " + head + ')';
    }
}
