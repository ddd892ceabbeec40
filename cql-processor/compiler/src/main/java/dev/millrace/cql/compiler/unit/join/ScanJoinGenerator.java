package dev.millrace.cql.compiler.unit.join;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ExpressionRewriter;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.RowReaders;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitOperatorGenerator;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * An inner join of a tumbling window with the single row of a group without keys; it has no index. In an instant in
 * which one of them changes, the window is scanned for the rows that match: before the change with the previous row,
 * and at the end of the instant with the current one. Unchanged pairs leave and enter again, and are netted downstream.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class ScanJoinGenerator implements UnitOperatorGenerator, JoinSides
{
    /** Maximum number of scans of the window while its rows are in it. */
    private static final long MOST_SCANS = 64;

    private final UnitSource unit;
    private final FlowNode.Join join;
    private final RowReaders readers;
    private final String name;
    private final boolean isLeftOne;
    private final RowsSide rows = new RowsSide();
    private final OneSide one;
    /** The bound that rows must reach to be stored; {@code null} when any row may find a partner. */
    private final WindowExtreme extreme;

    /**
     * @param readers accept net changes
     */
    public ScanJoinGenerator(final UnitSource unit, final FlowNode.Join join, final RowReaders readers)
    {
        this.unit = unit;
        this.join = join;
        this.readers = readers;
        name = unit.name("s");
        isLeftOne = isScanned(join.right(), join.left());
        one = new OneSide(isLeftOne ? join.left() : join.right());
        extreme = isLeftOne ?
            WindowExtreme.of(unit, name, join.right(), join.left(), join.rightKeys(), join.leftKeys()) :
            WindowExtreme.of(unit, name, join.left(), join.right(), join.leftKeys(), join.rightKeys());
        unit.field("boolean", name + "open");
        unit.field("boolean", name + "has");
    }

    /**
     * Whether a join is of this kind.
     *
     * @param early nodes from which rows may leave before their time
     */
    public static boolean isSupported(final FlowNode.Join join, final Set<FlowNode> early)
    {
        return join.kind() == FlowNode.JoinKind.INNER &&
            FlowNode.upstream(join).stream().noneMatch(early::contains) &&
            (isScanned(join.left(), join.right()) || isScanned(join.right(), join.left()));
    }

    private static boolean isScanned(final FlowNode rows, final FlowNode one)
    {
        final long periodNs = periodNs(rows);
        return periodNs > 0 && one.rows().types().stream().allMatch(LocalTypes::isPrimitive) &&
            origin(one) instanceof FlowNode.Group group && group.keys().isEmpty() &&
            FlowNode.upstream(group).stream().allMatch(node -> !(node instanceof FlowNode.Source source) ||
                !source.relation()) && isSeldom(group.input(), periodNs / MOST_SCANS);
    }

    /** Whether the input changes only at multiples of a period. */
    private static boolean isSeldom(final FlowNode node, final long leastNs)
    {
        if (node instanceof FlowNode.Window window)
        {
            return window.window() instanceof WindowSpec.Range range && range.slideNs() > 1 &&
                range.slideNs() >= leastNs;
        }
        return !node.inputs().isEmpty() && node.inputs().stream().allMatch(input -> isSeldom(input, leastNs));
    }

    private static FlowNode origin(final FlowNode node)
    {
        return node instanceof FlowNode.Calc calc ? origin(calc.input()) : node;
    }

    /** The period of a tumbling window; 0 for all others. */
    private static long periodNs(final FlowNode node)
    {
        return origin(node) instanceof FlowNode.Window window && window.window() instanceof WindowSpec.Range range &&
            range.slideNs() == range.rangeNs() && range.slideNs() > 1 ? range.slideNs() : 0;
    }

    @Override
    public RowConsumer left()
    {
        return isLeftOne ? one : rows;
    }

    @Override
    public RowConsumer right()
    {
        return isLeftOne ? rows : one;
    }

    private int firstColumn(final boolean ofOne)
    {
        return ofOne == isLeftOne ? 0 : join.left().rows().size();
    }

    /** Columns of a side that are read here or by the readers of the pairs. */
    private List<Integer> reads(final boolean ofOne)
    {
        final Set<Integer> all = new TreeSet<>(readers.reads());
        ExpressionRewriter.columns(condition(), all);
        final int first = firstColumn(ofOne);
        final int size = (ofOne == isLeftOne ? join.left() : join.right()).rows().size();
        return all.stream().map(column -> column - first).filter(column -> column >= 0 && column < size).toList();
    }

    /** The complete condition of a pair. */
    private Expression condition()
    {
        final List<Expression> all = new ArrayList<>();
        final int leftColumns = join.left().rows().size();
        for (int i = 0; i < join.leftKeys().size(); i++)
        {
            all.add(new Expression.Call(Operation.EQUAL, List.of(column(join.leftKeys().get(i)),
                column(leftColumns + join.rightKeys().get(i))), CqlType.BOOLEAN, true));
        }
        if (join.condition() != null)
        {
            all.add(join.condition());
        }
        return all.isEmpty() ? new Expression.Literal(true, CqlType.BOOLEAN) : all.size() == 1 ? all.get(0) :
            new Expression.Call(Operation.AND, all, CqlType.BOOLEAN, true);
    }

    private Expression column(final int index)
    {
        return new Expression.Column(index, join.rows().types().get(index), true);
    }

    private Operand read(final Expression leaf, final ExpressionCode code)
    {
        final int column = ((Expression.Column)leaf).column();
        final boolean ofOne = column < join.left().rows().size() == isLeftOne;
        final int own = column - firstColumn(ofOne);
        final Operand value = ofOne ? one.read(own) : rows.columns.get(own);
        return value.type() == CqlType.CHAR ? value : code.declare(value.value(), value.isNull(), value.type());
    }

    /** The window's rows, which stay in its ring. */
    private final class RowsSide implements RowConsumer
    {
        private Consumer<ExpressionCode> window;
        private List<Operand> columns;

        @Override
        public List<CqlType> types()
        {
            return (isLeftOne ? join.right() : join.left()).rows().types();
        }

        @Override
        public List<Integer> reads()
        {
            return ScanJoinGenerator.this.reads(false);
        }

        @Override
        public void inside(final Consumer<ExpressionCode> of)
        {
            window = of;
        }

        @Override
        public void waits(final SymbolicRow row, final String entersAt)
        {
            if (extreme != null)
            {
                extreme.open(row, entersAt);
            }
        }

        @Override
        public List<Operand> enter(final SymbolicRow row)
        {
            columns = row.all();
            scans();
            return List.of();
        }

        @Override
        public void leave(final ExpressionCode code, final List<Operand> remembered)
        {
            // It is scanned before.
        }

        @Override
        public void leave(final SymbolicRow row)
        {
            throw new IllegalStateException("rows of a window leave in the order in which they came");
        }

        @Override
        public void beforeTick(final ExpressionCode code)
        {
            code.line(name + "out();");
        }
    }

    /** The row of the group, in fields. */
    private final class OneSide implements RowConsumer
    {
        private final FlowNode input;

        OneSide(final FlowNode input)
        {
            this.input = input;
            for (int i = 0; i < types().size(); i++)
            {
                unit.value(types().get(i), name + "v" + i);
                unit.field("boolean", name + "n" + i);
            }
        }

        @Override
        public List<CqlType> types()
        {
            return input.rows().types();
        }

        @Override
        public List<Integer> reads()
        {
            return ScanJoinGenerator.this.reads(true);
        }

        private Operand read(final int column)
        {
            return new Operand(name + "v" + column, name + "n" + column, types().get(column));
        }

        @Override
        public List<Operand> enter(final SymbolicRow row)
        {
            row.code().line(name + "out();");
            for (final int column : reads())
            {
                final Operand value = row.get(column);
                row.code().line(name + "n" + column + " = " + value.isNull() + ';');
                row.code().line(name + "v" + column + " = " + value.value() + ';');
            }
            row.code().line(name + "has = true;");
            return List.of();
        }

        @Override
        public void leave(final ExpressionCode code, final List<Operand> remembered)
        {
            code.line(name + "out();");
            code.line(name + "has = false;");
        }

        @Override
        public void leave(final SymbolicRow row)
        {
            leave(row.code(), List.of());
        }

        @Override
        public boolean wantsLeavingFirst()
        {
            return true;
        }
    }

    @Override
    public void close(final ExpressionCode code)
    {
        code.line("if (" + name + "open) " + name + "close();");
    }

    /** Writes the methods that scan, when the location of the window's columns is known. */
    private void scans()
    {
        final ExpressionCode out = unit.body();
        out.line("if (" + name + "open) return;");
        out.line(name + "open = true;");
        if (readers.want(false))
        {
            out.line("if (" + name + "has) " + name + "scanOut();");
            scan(false);
        }
        unit.method("private void " + name + "out()", out);
        final ExpressionCode close = unit.body();
        close.line(name + "open = false;");
        if (readers.want(true))
        {
            close.line("if (" + name + "has) " + name + "scanIn();");
            scan(true);
        }
        unit.method("private void " + name + "close()", close);
    }

    private void scan(final boolean enters)
    {
        final ExpressionCode code = unit.body(this::read, "final int p", "p");
        rows.window.accept(code);
        code.scope(() ->
        {
            code.open("try");
            code.line("if (!(" + code.condition(condition()) + ")) continue;");
            code.close();
            return null;
        });
        code.open("catch (RowRejectedException failure)");
        code.line(enters ? "reject(failure);" : "// It has not entered.");
        code.line("continue;");
        code.close();
        code.line(name + (enters ? "in" : "gone") + "(p);");
        code.close();
        unit.method("private void " + name + (enters ? "scanIn()" : "scanOut()"), code);
        final ExpressionCode pair = unit.body(this::read, "final int p", "p");
        readers.give(pair, enters);
        unit.method("private void " + name + (enters ? "in" : "gone") + "(final int p)", pair);
    }
}
