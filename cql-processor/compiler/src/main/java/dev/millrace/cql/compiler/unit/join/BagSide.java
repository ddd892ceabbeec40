package dev.millrace.cql.compiler.unit.join;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.KeyTableGenerator;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * A side of a join whose rows leave in any order: a record per distinct row, found by its value, with the number of
 * copies. Removing a row has the same cost regardless of the number of rows with its key. On the left of an outer join,
 * a row without a key also has a record.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class BagSide extends JoinSide
{
    /** Words of a record after those of the row: number of copies, neighbors in the chain. */
    private static final int COUNT = 0;
    private static final int NEXT = 1;
    private static final int PREVIOUS = 2;
    private static final int WORDS = 3;
    /** Number of partners of each copy: on the left of an outer join. */
    private static final int PARTNERS = 3;

    private static final String LINKS = "%s(final int e, final int p, final long[] x, final long[] r, final int k)";

    private final UnitSource unit;
    private final KeyTableGenerator rows;
    private final boolean isAloneShown;

    public BagSide(final UnitSource unit, final JoinGenerator join, final String name, final SideRows side,
        final JoinIndex index, final boolean isAloneShown)
    {
        super(join, name, side, index);
        if (index != null)
        {
            unit.field("final " + index.type(), index.name(), "new " + index.type() + "(memory)");
        }
        this.unit = unit;
        this.isAloneShown = isAloneShown;
        rows = new KeyTableGenerator(unit, name + "rows", new RowWords(unit, kept().stream().map(types()::get).toList(),
            Collections.nCopies(kept().size(), true)), isAloneShown ? WORDS + 1 : WORDS, "maxRows");
    }

    /** Its rows are found by their values. */
    @Override
    public Set<Integer> compares()
    {
        return Set.copyOf(reads());
    }

    private int at(final int word)
    {
        return rows.keyWords() + word;
    }

    @Override
    public Operand read(final ExpressionCode code, final int column, final String index)
    {
        final Operand value = rows.read(kept().indexOf(column), index, true);
        return value.type() == CqlType.CHAR ? value : code.declare(value.value(), value.isNull(), value.type());
    }

    @Override
    public List<Operand> enter(final SymbolicRow row)
    {
        return change(row, "enter");
    }

    @Override
    public void leave(final SymbolicRow row)
    {
        change(row, "leave");
    }

    private List<Operand> change(final SymbolicRow row, final String what)
    {
        kept().forEach(column -> unit.lookUp(row.code(), row.get(column)));
        final String id = findKey(row, isAloneShown);
        row.open("if (" + id + " == KeyTable.FULL) full(\"keys\"); else");
        final String entry = rows.find(row.code(), kept().stream().map(row::get).toList());
        row.code().line(name() + what + '(' + entry + ", " + id + ");");
        return List.of(Operand.notNull(entry, CqlType.INT), Operand.notNull(id, CqlType.INT));
    }

    @Override
    public void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        code.line(name() + "leave(" + remembered.get(0).value() + ", " + remembered.get(1).value() + ");");
    }

    @Override
    protected String found(final ExpressionCode code, final String index)
    {
        final String record = code.name("q");
        code.line("final int " + record + " = " + index + " * " + rows.width() + ';');
        return record;
    }

    @Override
    protected String openRows(final ExpressionCode code, final String at)
    {
        final String entry = code.name("x");
        final String index = code.name("q");
        code.line("int " + entry + " = (int) r[" + at + " + " + join().oldest(this) + "];");
        code.open("for (long n = r[" + at + " + " + join().count(this) + "]; n > 0L; n--)");
        code.line("final int " + index + " = " + entry + " * " + rows.width() + ';');
        code.line(entry + " = (int) " + rows.records() + '[' + index + " + " + at(NEXT) + "];");
        return index;
    }

    @Override
    public void openCopies(final ExpressionCode code, final String index)
    {
        code.open("for (long c = " + rows.records() + '[' + index + " + " + at(COUNT) + "]; c > 0L; c--)");
    }

    @Override
    public String partners(final String index)
    {
        return isAloneShown ? rows.records() + '[' + index + " + " + at(PARTNERS) + ']' : super.partners(index);
    }

    @Override
    public String isFirstCopy(final String index)
    {
        return " && " + rows.records() + '[' + index + " + " + at(COUNT) + "] == 1L";
    }

    @Override
    public void write()
    {
        enter();
        leave();
    }

    private void head(final ExpressionCode code)
    {
        code.line("final int p = e * " + rows.width() + ';');
        code.line("final long[] x = " + rows.records() + ';');
        join().record(code);
    }

    /** Condition before statements that use the key of a row, which may not have one. */
    private String ifKey()
    {
        return isAloneShown ? "if (g >= 0) " : "";
    }

    private String dies(final String condition)
    {
        return "if (" + (isAloneShown ? "g >= 0 && " : "") + condition + " == 0L) " + join().name() + "keys.dies(g);";
    }

    private void enter()
    {
        final ExpressionCode code = unit.body();
        code.open("if (e < 0)");
        code.line("full(\"rows\");");
        code.line(dies(join().keys().records() + "[g * " + join().keys().width() + " + " +
            join().keys().keyWords() + ']'));
        code.line("return;");
        code.close();
        head(code);
        code.open("if (x[p + " + at(COUNT) + "]++ == 0L)");
        if (isAloneShown)
        {
            code.line(partners("p") + " = 0L;");
        }
        code.line(ifKey() + name() + "link(e, p, x, r, k);");
        if (index() != null)
        {
            index().add(code, "e");
        }
        code.close();
        code.open(ifKey());
        join().pairs(code, this, true);
        code.close();
        alone(code, true);
        unit.method("private void " + name() + "enter(final int e, final int g)", code);
        link();
    }

    /** Writes the method that appends a row to those of its key. */
    private void link()
    {
        final ExpressionCode code = unit.body();
        code.line("final int last = (int) r[k + " + join().newest(this) + "];");
        code.line("if (r[k + " + join().count(this) + "]++ == 0L) r[k + " + join().oldest(this) + "] = e;");
        code.line("else x[last * " + rows.width() + " + " + at(NEXT) + "] = e;");
        code.line("x[p + " + at(PREVIOUS) + "] = last;");
        code.line("r[k + " + join().newest(this) + "] = e;");
        code.line("r[k]++;");
        unit.method("private static void " + name() + LINKS.formatted("link"), code);
    }

    /** Writes the method that removes a row from the chain of its key. */
    private void unlink()
    {
        final ExpressionCode code = unit.body();
        code.line("final int next = (int) x[p + " + at(NEXT) + "];");
        code.line("final int previous = (int) x[p + " + at(PREVIOUS) + "];");
        code.line("if (e == (int) r[k + " + join().oldest(this) + "]) r[k + " + join().oldest(this) + "] = next;");
        code.line("else x[previous * " + rows.width() + " + " + at(NEXT) + "] = next;");
        code.line("if (e == (int) r[k + " + join().newest(this) + "]) r[k + " + join().newest(this) + "] = previous;");
        code.line("else x[next * " + rows.width() + " + " + at(PREVIOUS) + "] = previous;");
        code.line("r[k + " + join().count(this) + "]--;");
        code.line("r[k]--;");
        unit.method("private static void " + name() + LINKS.formatted("unlink"), code);
    }

    private void leave()
    {
        final ExpressionCode code = unit.body();
        code.line("if (e < 0) return;");
        head(code);
        code.open("if (x[p + " + at(COUNT) + "] == 0L)");
        code.line("// It was rejected on arrival.");
        code.line(name() + "rows.dies(e);");
        code.line(dies("r[k]"));
        code.line("return;");
        code.close();
        code.open("if (--x[p + " + at(COUNT) + "] == 0L)");
        code.line(ifKey() + name() + "unlink(e, p, x, r, k);");
        if (index() != null)
        {
            index().remove(code, "e");
        }
        code.line(dies("r[k]"));
        code.line(name() + "rows.dies(e);");
        code.close();
        code.open(ifKey());
        join().pairs(code, this, false);
        code.close();
        alone(code, false);
        unit.method("private void " + name() + "leave(final int e, final int g)", code);
        unlink();
    }

    private void alone(final ExpressionCode code, final boolean enters)
    {
        if (isAloneShown && (enters || join().isLeavingRead()))
        {
            code.line("if (" + partners("p") + " == 0L) " + join().alone(enters) + "(p);");
        }
    }

    @Override
    public void sweep(final ExpressionCode code)
    {
        code.line(name() + "rows.sweep(" + at(COUNT) + ", " + at(COUNT) + ", instant);");
    }

    @Override
    public String size()
    {
        return name() + "rows.size()";
    }
}
