package dev.millrace.cql.compiler.unit.join;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ConsumerCode;
import dev.millrace.cql.compiler.unit.code.Edge;
import dev.millrace.cql.compiler.unit.code.Expressions;
import dev.millrace.cql.compiler.unit.code.KeysCode;
import dev.millrace.cql.compiler.unit.code.OperatorCode;
import dev.millrace.cql.compiler.unit.code.Row;
import dev.millrace.cql.compiler.unit.code.UnitText;
import dev.millrace.cql.compiler.unit.code.Words;
import dev.millrace.cql.compiler.unit.group.GroupChangeCode;
import dev.millrace.cql.compiler.unit.output.NetCode;
import dev.millrace.cql.compiler.unit.window.RangeWindowCode;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A join, inner or left outer: one table of keys for both sides, in which each side has a chain of its rows. A row that
 * enters or leaves goes through the chain of the other side; pairs go on to the readers at once and are kept nowhere.
 * Without keys all rows of a side are in one chain.
 *
 * <p>Where a side is of rows that are there for their instant, and is read by RSTREAM, its rows are looked up when all
 * changes of the instant have come to the other side; what they find is emitted and forgotten.
 *
 * <p>Where only pairs that enter are of interest, those that leave must be known where an equal pair enters in the same
 * instant: rows that leave are noted, and looked at when the instant is over and pairs of their key have entered.
 *
 * <p>Used by one thread, for one class.
 */
public final class JoinCode implements OperatorCode, JoinSides
{
    /** Words of a key's record: how many rows have it; then of each side its oldest and newest row, and how many. */
    private static final int SIDE = 1;
    private static final int SIDE_WORDS = 3;
    /** Number of the last instant in which a pair of the key entered. */
    private static final int STAMP = SIDE + 2 * SIDE_WORDS;
    private static final int WORDS = STAMP + 1;

    private final UnitText unit;
    private final FlowNode.Join join;
    private final Set<FlowNode> early;
    private final List<Edge> edges;
    private final String name;
    private final KeysCode keys;
    private final JoinSide left;
    private final JoinSide right;
    private final boolean isOuter;
    private final boolean isDeferring;
    /** The side of rows of the instant; {@code null} where pairs enter and leave. */
    private final FlowNode now;

    /**
     * A join whose pairs enter and leave.
     *
     * @param early nodes from which rows may leave before their time
     */
    public JoinCode(
        final UnitText unit, final FlowNode.Join join, final Set<FlowNode> early, final List<Edge> edges)
    {
        this(unit, join, early, edges, null);
    }

    /**
     * A join of which one input holds rows of the instant and is read by RSTREAM.
     *
     * @param early nodes from which rows may leave before their time
     */
    public JoinCode(final UnitText unit, final FlowNode.Join join, final Set<FlowNode> early, final List<Edge> edges,
        final FlowNode now)
    {
        this.early = early;
        this.now = now;
        this.unit = unit;
        this.join = join;
        this.edges = edges;
        name = unit.name("j");
        isOuter = join.kind() == FlowNode.JoinKind.LEFT;
        isDeferring = !isOuter && now == null && join.inputs().stream().allMatch(input -> isRing(input, early)) &&
            edges.stream().allMatch(edge -> edge.consumer() instanceof NetCode net && net.isEnteringOnly());
        final RowType rows = join.left().rows();
        keys = new KeysCode(unit, name + "keys", new Words(unit,
            join.leftKeys().stream().map(rows.types()::get).toList(),
            Collections.nCopies(join.leftKeys().size(), false)), WORDS, "maxRows");
        final Set<Integer> reads = new TreeSet<>();
        edges.forEach(edge -> reads.addAll(edge.reads(join.rows().types())));
        if (join.condition() != null)
        {
            Expressions.columns(join.condition(), reads);
        }
        left = side("l", join.left(), join.leftKeys(), 0, reads, isOuter && now == null);
        right = side("r", join.right(), join.rightKeys(), rows.size(), reads, false);
    }

    private JoinSide side(final String suffix, final FlowNode input, final List<Integer> keyColumns, final int first,
        final Set<Integer> reads, final boolean isAloneShown)
    {
        final boolean isNow = input == now;
        final boolean isRing = isRing(input, early) && !isNow;
        final List<Integer> kept = new ArrayList<>();
        for (int i = 0; i < input.rows().size(); i++)
        {
            if (reads.contains(first + i) || !isRing && keyColumns.contains(i))
            {
                kept.add(i);
            }
        }
        return isNow ? new NowSide(unit, this, name + suffix, keyColumns, input.rows().types(), kept) : isRing ?
            new RingSide(unit, this, name + suffix, keyColumns, input.rows().types(), kept, isAloneShown) :
            new BagSide(unit, this, name + suffix, keyColumns, input.rows().types(), kept, isAloneShown);
    }

    /** What an input is before filters and projections. */
    private static FlowNode origin(final FlowNode input)
    {
        return input instanceof FlowNode.Calc calc ? origin(calc.input()) : input;
    }

    /** Whether rows of an input leave in the order in which they come. */
    private static boolean isRing(final FlowNode input, final Set<FlowNode> early)
    {
        return origin(input) instanceof FlowNode.Window window && !early.contains(window) &&
            (RangeWindowCode.rangeNs(window.window()) >= 0 || window.window() instanceof WindowSpec.Range);
    }

    @Override
    public ConsumerCode left()
    {
        return left;
    }

    @Override
    public ConsumerCode right()
    {
        return right;
    }

    public String name()
    {
        return name;
    }

    public KeysCode keys()
    {
        return keys;
    }

    private int word(final JoinSide side, final int word)
    {
        return SIDE + (side == left ? 0 : SIDE_WORDS) + word;
    }

    public int oldest(final JoinSide side)
    {
        return word(side, 0);
    }

    public int newest(final JoinSide side)
    {
        return word(side, 1);
    }

    public int count(final JoinSide side)
    {
        return word(side, 2);
    }

    /** Whether rows that leave are only noted. */
    public boolean isDeferring()
    {
        return isDeferring;
    }

    /** Writes the note of a row of a side that leaves from position {@code id}, with the partners that it has now. */
    public void later(final ExpressionCode code, final JoinSide side)
    {
        final JoinSide other = side == left ? right : left;
        code.line("if (r[k + " + count(other) + "] != 0L) " + name + "later(" + (side == left ? 0 : 1) +
            ", id, (int) r[k + " + oldest(other) + "], (int) r[k + " + count(other) + "]);");
    }

    /** The methods that note a row that leaves, and that go through the notes of an instant. */
    private void deferred()
    {
        unit.field("int[]", name + "gone", "new int[64]");
        unit.field("int", name + "count");
        final ExpressionCode later = unit.body();
        later.line("if (" + name + "count == " + name + "gone.length) " + name + "gone = java.util.Arrays.copyOf(" +
            name + "gone, " + name + "count * 2);");
        for (final String each : List.of("side", "id", "first", "partners"))
        {
            later.line(name + "gone[" + name + "count++] = " + each + ';');
        }
        unit.method("private void " + name + "later(final int side, final int id, final int first, " +
            "final int partners)", later);
        final ExpressionCode code = unit.body();
        code.line("final int[] gone = " + name + "gone;");
        code.line("final long[] r = " + keys.records() + ';');
        code.open("for (int i = 0; i < " + name + "count; i += 4)");
        code.line("int x = gone[i + 2];");
        code.open("if (gone[i] == 0)");
        partners(code, (RingSide)left, (RingSide)right);
        code.close();
        code.open("else");
        partners(code, (RingSide)right, (RingSide)left);
        code.close();
        code.close();
        unit.method("private void " + name + "close()", code);
    }

    private void partners(final ExpressionCode code, final RingSide side, final RingSide other)
    {
        code.line("final int a = " + side.place("gone[i + 1]") + ';');
        if (edges.stream().allMatch(edge -> isKeyShown(edge.calcs())))
        {
            code.line("if (r[" + side.key("a") + " * " + keys.width() + " + " + (keys.keyWords() + STAMP) +
                "] != instant) continue;");
        }
        code.open("for (int n = gone[i + 3]; n > 0; n--)");
        code.line("final int b = " + other.place("x") + ';');
        code.line("x = " + other.next("b") + ';');
        code.line(name + "out(" + (side == left ? "a, b" : "b, a") + ");");
        code.close();
    }

    /** Whether rows behind projections are different ones for different keys. */
    private boolean isKeyShown(final List<FlowNode.Calc> calcs)
    {
        final List<Expression> last = GroupChangeCode.behind(calcs, columns(join.rows().size()));
        final int leftColumns = join.left().rows().size();
        for (int i = 0; i < join.leftKeys().size(); i++)
        {
            final int ofLeft = join.leftKeys().get(i);
            final int ofRight = join.rightKeys().get(i) + leftColumns;
            if (last.stream().noneMatch(each -> each instanceof Expression.Column column &&
                (column.column() == ofLeft || column.column() == ofRight)))
            {
                return false;
            }
        }
        return true;
    }

    private NowSide now()
    {
        return (NowSide)(now == join.left() ? left : right);
    }

    /** The method that looks up the rows of an instant that is over. */
    private void instant()
    {
        final ExpressionCode code = unit.body();
        final JoinSide other = now == join.left() ? right : left;
        final String place = now().openInstant(code);
        code.line("boolean found = false;");
        final List<Operand> key = now().key(code, place);
        code.open(key.isEmpty() ? "" : "if (!(" + key.stream().map(Operand::isNull).collect(
            Collectors.joining(" || ")) + "))");
        code.line("final int g = " + keys.find(code, key) + ';');
        code.open("if (g >= 0)");
        record(code);
        final String partner = other.openEach(code, "k");
        code.line("if (" + name + "in(" + (other == right ? place + ", " + partner : partner + ", " + place) +
            ")) found = true;");
        other.closeEach(code);
        code.line("if (r[k] == 0L) " + name + "keys.dies(g);");
        code.close();
        code.close();
        if (isOuter)
        {
            code.line("if (!found) " + alone(true) + '(' + place + ");");
        }
        now().closeInstant(code, place);
        unit.method("private void " + name + "instant()", code);
    }

    @Override
    public void close(final ExpressionCode code)
    {
        if (now != null)
        {
            code.line("if (" + now().hasRows() + ") " + name + "instant();");
        }
        if (isDeferring)
        {
            code.open("if (" + name + "count > 0)");
            code.line("if (" + String.join(" || ", edges.stream().map(edge ->
                ((NetCode)edge.consumer()).hasRows()).toList()) + ") " + name + "close();");
            code.line(name + "count = 0;");
            code.close();
            ((RingSide)left).release(code);
            ((RingSide)right).release(code);
        }
    }

    /** Whether pairs that leave are of interest to anybody. */
    public boolean isLeavingRead()
    {
        return edges.stream().anyMatch(edge -> edge.consumer().wantsLeaving());
    }

    /** Name of the method that lets a left row without partners enter or leave. */
    public String alone(final boolean enters)
    {
        return name + "alone" + (enters ? "In" : "Out");
    }

    /** Writes locals for the record of the key {@code g}: {@code r}, and {@code k} for the place of its words. */
    public void record(final ExpressionCode code)
    {
        code.line("final long[] r = " + keys.records() + ';');
        code.line("final int k = g * " + keys.width() + " + " + keys.keyWords() + ';');
    }

    /** Writes what becomes of the pairs of the row at {@code p} of a side, whose key has its words at {@code k}. */
    public void pairs(final ExpressionCode code, final JoinSide side, final boolean enters)
    {
        if (now != null || !enters && !isLeavingRead() && !(isOuter && side == right))
        {
            return;
        }
        final JoinSide other = side == left ? right : left;
        if (isDeferring)
        {
            code.line("if (r[k + " + count(other) + "] != 0L) r[k + " + STAMP + "] = instant;");
        }
        final String place = other.openRows(code, "k");
        final String pair = name + (enters ? "in(" : "out(") +
            (side == left ? "p, " + place : place + ", p") + ')';
        if (isOuter && side == right)
        {
            partnerPairs(code, place, pair, enters);
            code.close();
            return;
        }
        other.openCopies(code, place);
        code.line(isOuter && enters ?
            "if (" + pair + left.isFirstCopy("p") + ") " + left.partners("p") + "++;" : pair + ';');
        other.closeEach(code);
    }

    /** Writes what becomes of the pairs of a right row and all copies of a left one, and of that left row alone. */
    private void partnerPairs(final ExpressionCode code, final String place, final String pair, final boolean enters)
    {
        code.line("boolean found = false;");
        left.openCopies(code, place);
        code.line("found = " + pair + ';');
        code.close();
        code.open("if (found && " + (enters ? left.partners(place) + "++ == 0" :
            "--" + left.partners(place) + " == 0") + ')');
        left.openCopies(code, place);
        code.line(alone(!enters) + '(' + place + ");");
        code.close();
        code.close();
    }

    @Override
    public void write()
    {
        left.write();
        right.write();
        pair(true);
        if (now != null)
        {
            instant();
        }
        else if (isLeavingRead() || isOuter)
        {
            pair(false);
        }
        if (isDeferring)
        {
            deferred();
        }
        if (isOuter)
        {
            alone(alone(true), true);
            if (now == null)
            {
                alone(alone(false), false);
            }
        }
    }

    private static final String PARAMETERS = "final int p, final int q";

    /** The method that lets a pair enter or leave; says whether it is one. */
    private void pair(final boolean enters)
    {
        final ExpressionCode code = unit.body(this::read, PARAMETERS, "p, q");
        if (join.condition() != null)
        {
            code.scope(() ->
            {
                code.open("try");
                code.line("if (!(" + code.condition(join.condition()) + ")) return false;");
                code.close();
                return null;
            });
            code.open("catch (RowRejectedException failure)");
            if (enters)
            {
                code.line("reject(failure);");
            }
            code.line("return false;");
            code.close();
        }
        give(code, columns(join.rows().size()), enters);
        code.line("return true;");
        unit.method("private boolean " + name + (enters ? "in(" : "out(") + PARAMETERS + ')', code);
    }

    /** The method that lets a left row with nulls in the place of a partner enter or leave. */
    private void alone(final String method, final boolean enters)
    {
        final ExpressionCode code = unit.body(this::read, "final int p", "p");
        final int leftColumns = join.left().rows().size();
        final List<Expression> row = columns(leftColumns);
        for (final CqlType type : join.right().rows().types())
        {
            final String textCode = type == CqlType.CHAR ? "0" : null;
            row.add(code.leaf(new Operand('(' + LocalTypes.zero(type) + ')', "true", type, textCode, null)));
        }
        if (enters || isLeavingRead())
        {
            give(code, row, enters);
        }
        unit.method("private void " + method + "(final int p)", code);
    }

    private List<Expression> columns(final int count)
    {
        final List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            columns.add(new Expression.Column(i, join.rows().types().get(i), true));
        }
        return columns;
    }

    /** Gives a row to the readers; one that they cannot compute is rejected when it enters. */
    private void give(final ExpressionCode code, final List<Expression> columns, final boolean enters)
    {
        for (final Edge edge : edges)
        {
            final ConsumerCode consumer = edge.consumer();
            if (!(enters ? consumer.wantsEntering() : consumer.wantsLeaving()))
            {
                continue;
            }
            code.scope(() ->
            {
                code.open("try");
                final Row base = new Row(code, columns);
                final Row row = base.through(edge.calcs());
                consumer.reads().forEach(row::get);
                if (enters)
                {
                    consumer.enter(row);
                }
                else
                {
                    consumer.leave(row);
                }
                base.close();
                code.close();
                return null;
            });
            code.open("catch (RowRejectedException failure)");
            code.line(enters ? "reject(failure);" : "// It has not entered.");
            code.close();
        }
    }

    private Operand read(final Expression leaf, final ExpressionCode code)
    {
        final int column = ((Expression.Column)leaf).column();
        final int leftColumns = join.left().rows().size();
        return column < leftColumns ? left.read(code, column, "p") : right.read(code, column - leftColumns, "q");
    }

    @Override
    public void sweep(final ExpressionCode code)
    {
        left.sweep(code);
        right.sweep(code);
        code.line(name + "keys.sweep(" + keys.keyWords() + ", " + keys.keyWords() + ", instant);");
    }

    @Override
    public void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"Join\", (long) " + left.size() + " + " + right.size() + ");");
    }
}
