package dev.millrace.cql.compiler.unit.join;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ExpressionRewriter;
import dev.millrace.cql.compiler.unit.code.KeyTableGenerator;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitOperatorGenerator;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.compiler.unit.group.GroupGenerator;
import dev.millrace.cql.compiler.unit.group.GroupInput;
import dev.millrace.cql.compiler.unit.output.NetChangeGenerator;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.plan.flow.TimeColumns;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A join, inner or left outer: one table of keys for both sides, in which each side has a chain of its rows. A row that
 * enters or leaves iterates over the chain of the other side; pairs are passed to the readers at once and are not
 * stored. Without keys, all rows of a side are in one chain and, when a condition compares values of both sides, in an
 * index by that value ({@link JoinRange}).
 *
 * <p>When the rows of a side exist only for their instant and are read by RSTREAM, they are looked up after all changes
 * of the instant have reached the other side; the results are emitted and discarded.
 *
 * <p>When only pairs that enter affect the readers, those that leave matter only if an equal pair enters in the same
 * instant: rows that leave are recorded, and processed at the end of the instant if pairs of their key have entered.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class JoinGenerator implements UnitOperatorGenerator, JoinSides
{
    /**
     * Words of a key's record: number of rows that have it; then, per side, its oldest and newest row, and their
     * number.
     */
    private static final int SIDE = 1;
    private static final int SIDE_WORDS = 3;
    /** Number of the last instant in which a pair of the key entered. */
    private static final int STAMP = SIDE + 2 * SIDE_WORDS;
    private static final int WORDS = STAMP + 1;

    private final UnitSource unit;
    private final FlowNode.Join join;
    private final Set<FlowNode> early;
    private final List<ReaderEdge> edges;
    private final String name;
    private final KeyTableGenerator keys;
    private final JoinSide left;
    private final JoinSide right;
    private final boolean isOuter;
    private final boolean isDeferring;
    /** The side of which each row's pairs all leave together; {@code null} without. */
    private final FlowNode together;
    /** Whether it needs the leave time of its pairs. */
    private final boolean isTimed;
    /** The side of rows of the instant; {@code null} when pairs enter and leave. */
    private final FlowNode now;
    /** The only side whose rows are visible, regardless of the number of their partners; {@code null} without. */
    private final FlowNode shown;

    /** The side whose rows come after those of the other one in each instant, and are not stored. */
    private final FlowNode last;

    /**
     * A join whose pairs enter and leave.
     *
     * @param early   nodes from which rows may leave before their time
     * @param isApart whether rows of different streams wait for each other
     */
    public JoinGenerator(final UnitSource unit, final FlowNode.Join join, final Set<FlowNode> early,
        final List<ReaderEdge> edges,
        final boolean isApart)
    {
        this(unit, join, early, edges, null, isApart);
    }

    /**
     * A join of which one input has rows of the instant and is read by RSTREAM.
     *
     * @param early nodes from which rows may leave before their time
     */
    public JoinGenerator(final UnitSource unit, final FlowNode.Join join, final Set<FlowNode> early,
        final List<ReaderEdge> edges,
        final FlowNode now)
    {
        this(unit, join, early, edges, now, false);
    }

    private JoinGenerator(final UnitSource unit, final FlowNode.Join join, final Set<FlowNode> early,
        final List<ReaderEdge> edges,
        final FlowNode now, final boolean isApart)
    {
        this.early = early;
        this.now = now;
        this.unit = unit;
        this.join = join;
        this.edges = edges;
        name = unit.name("j");
        isTimed = edges.stream().anyMatch(edge -> edge.consumer().wantsLeavingTimes());
        isOuter = join.kind() == FlowNode.JoinKind.LEFT;
        final JoinRange leftRange = now == join.left() ? null : JoinRange.of(unit, name + "l", join, true);
        final JoinRange rightRange = now == join.right() ? null : JoinRange.of(unit, name + "r", join, false);
        isDeferring = !isOuter && now == null && leftRange == null &&
            join.inputs().stream().allMatch(input -> GroupInput.isOfTime(input, early)) &&
            edges.stream().allMatch(edge -> edge.consumer() instanceof NetChangeGenerator net && net.isEnteringOnly());
        together = together();
        shown = shown();
        last = isApart && !isDeferring ? last() : null;
        final RowType rows = join.left().rows();
        keys = new KeyTableGenerator(unit, name + "keys", new RowWords(unit,
            join.leftKeys().stream().map(rows.types()::get).toList(),
            Collections.nCopies(join.leftKeys().size(), false)), WORDS, "maxRows");
        final Set<Integer> reads = new TreeSet<>();
        edges.forEach(edge -> reads.addAll(edge.reads(join.rows().types())));
        if (join.condition() != null)
        {
            ExpressionRewriter.columns(join.condition(), reads);
        }
        final Set<Integer> compares = new TreeSet<>();
        edges.forEach(edge -> compares.addAll(edge.compares(join.rows().types())));
        if (join.condition() != null)
        {
            ExpressionRewriter.columns(join.condition(), compares);
        }
        left = side("l", rows(join.left(), join.leftKeys(), 0, reads, compares), leftRange, isOuter && now == null);
        right = side("r", rows(join.right(), join.rightKeys(), join.left().rows().size(), reads, compares),
            rightRange, false);
    }

    /** A side whose rows are not stored, if each side is one stream and the rows of the other one enter on arrival. */
    private FlowNode last()
    {
        final FlowNode.Source ofLeft = stream(join.left());
        final FlowNode.Source ofRight = stream(join.right());
        if (ofLeft == null || ofRight == null || ofLeft.name().equals(ofRight.name()))
        {
            return null;
        }
        return isPassing(join.right()) ? join.right() : isPassing(join.left()) ? join.left() : null;
    }

    /** The stream of which an input contains all rows from their arrival, for a time; {@code null} for others. */
    private FlowNode.Source stream(final FlowNode input)
    {
        if (!GroupInput.isOfTime(input, early) || GroupInput.rangeNs(input) == 0)
        {
            return null;
        }
        FlowNode node = input;
        while (node instanceof FlowNode.Calc || node instanceof FlowNode.Window)
        {
            node = node.inputs().get(0);
        }
        // A row whose time was assigned by the platform may arrive after its instant.
        return node instanceof FlowNode.Source source && !source.relation() && !source.silent() &&
            source.time() != FlowNode.TimeKind.SYSTEM ? source : null;
    }

    /** The side whose rows are visible to a reader of distinct rows, when the other side only provides a partner. */
    private FlowNode shown()
    {
        if (isOuter || now != null || join.condition() != null ||
            !edges.stream().allMatch(edge -> edge.consumer().isOfDifferent()))
        {
            return null;
        }
        final int leftColumns = join.left().rows().size();
        final Set<Integer> read = new TreeSet<>();
        edges.forEach(edge -> read.addAll(edge.reads(join.rows().types())));
        return read.stream().allMatch(column -> column < leftColumns) ? join.left() :
            read.stream().allMatch(column -> column >= leftColumns) ? join.right() : null;
    }

    /** The side that provides all keys of the only reader, a group, if the reader can remove pairs at once. */
    private FlowNode together()
    {
        if (isOuter || now != null || edges.size() != 1 || !(edges.get(0).consumer() instanceof GroupGenerator group) ||
            !group.canLeaveTogether())
        {
            return null;
        }
        final List<Expression> row = ExpressionRewriter.behind(edges.get(0).calcs(), columns(join.rows().size()));
        final Set<Integer> read = new TreeSet<>();
        for (final int key : group.keys())
        {
            if (Conditions.canFail(row.get(key)))
            {
                return null;
            }
            ExpressionRewriter.columns(row.get(key), read);
        }
        final int leftColumns = join.left().rows().size();
        return read.isEmpty() ? null : read.stream().allMatch(column -> column < leftColumns) ? join.left() :
            read.stream().allMatch(column -> column >= leftColumns) ? join.right() : null;
    }

    /**
     * Whether rows of an input only match rows that exist on their arrival, and those of their instant: no later row
     * matches them, and their pairs never leave, or leave no later than these rows.
     */
    private boolean isPassing(final FlowNode input)
    {
        final FlowNode other = input == join.left() ? join.right() : join.left();
        final boolean isKept = !join.inputs().stream().allMatch(each -> GroupInput.isGrowing(each, early)) &&
            (other != together || input == together || GroupInput.rangeNs(input) < GroupInput.rangeNs(other));
        return !isOuter && now == null && !isKept && TimeColumns.matchesOnlyEarlier(join, input == join.left());
    }

    /**
     * What is kept of the rows of a side.
     *
     * @param first    column of the join that is the first one of the side
     * @param reads    columns of the join that are read
     * @param compares columns of the join whose strings are not only carried
     */
    private SideRows rows(final FlowNode input, final List<Integer> keyColumns, final int first,
        final Set<Integer> reads, final Set<Integer> compares)
    {
        final List<Integer> kept = new ArrayList<>();
        final Set<Integer> compared = new TreeSet<>(keyColumns);
        for (int i = 0; i < input.rows().size(); i++)
        {
            if (reads.contains(first + i) || !isRing(input) && keyColumns.contains(i))
            {
                kept.add(i);
            }
            if (compares.contains(first + i))
            {
                compared.add(i);
            }
        }
        return new SideRows(input.rows().types(), keyColumns, kept, compared);
    }

    private boolean isRing(final FlowNode input)
    {
        return GroupInput.isOfTime(input, early) && input != now;
    }

    private JoinSide side(
        final String suffix, final SideRows rows, final JoinRange range, final boolean isAloneShown)
    {
        final FlowNode input = suffix.equals("l") ? join.left() : join.right();
        if (input == last)
        {
            return new PassingSide(unit, this, name + suffix, rows);
        }
        return input == now ? new NowSide(unit, this, name + suffix, rows) : isRing(input) ?
            new RingSide(unit, this, name + suffix, rows, range, isAloneShown, isPassing(input)) :
            new BagSide(unit, this, name + suffix, rows, range, isAloneShown);
    }

    @Override
    public RowConsumer left()
    {
        return left;
    }

    @Override
    public RowConsumer right()
    {
        return right;
    }

    public String name()
    {
        return name;
    }

    public KeyTableGenerator keys()
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

    /** Whether sides need the leave time of their rows. */
    boolean isTimed()
    {
        return isTimed;
    }

    /** Whether rows that leave are only recorded. */
    public boolean isDeferring()
    {
        return isDeferring;
    }

    /** Writes the record of a row of a side that leaves from position {@code id}, with its current partners. */
    public void later(final ExpressionCode code, final JoinSide side)
    {
        final JoinSide other = side == left ? right : left;
        code.line("if (r[k + " + count(other) + "] != 0L) " + name + "later(" + (side == left ? 0 : 1) +
            ", id, (int) r[k + " + oldest(other) + "], (int) r[k + " + count(other) + "]);");
    }

    /** Writes the methods that record a row that leaves, and that process the records of an instant. */
    private void deferred()
    {
        unit.numbers("int[]", name + "gone", "new int[64]");
        unit.numbers("int", name + "count");
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

    /** Whether rows after projections are different for different keys. */
    private boolean isKeyShown(final List<FlowNode.Calc> calcs)
    {
        final List<Expression> last = ExpressionRewriter.behind(calcs, columns(join.rows().size()));
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

    /** Writes the method that looks up the rows of an instant that has passed. */
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
        final String partner = other.openEach(code, "k", place);
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
                ((NetChangeGenerator)edge.consumer()).hasRows()).toList()) + ") " + name + "close();");
            code.line(name + "count = 0;");
            code.close();
            ((RingSide)left).release(code);
            ((RingSide)right).release(code);
        }
    }

    /** Whether pairs that leave affect any reader. */
    public boolean isLeavingRead()
    {
        return edges.stream().anyMatch(edge -> edge.consumer().wantsLeaving());
    }

    /** Name of the method that makes a left row without partners enter or leave. */
    public String alone(final boolean enters)
    {
        return name + "alone" + (enters ? "In" : "Out");
    }

    /** Writes locals for the record of the key {@code g}: {@code r}, and {@code k} for the index of its words. */
    public void record(final ExpressionCode code)
    {
        code.line("final long[] r = " + keys.records() + ';');
        code.line("final int k = g * " + keys.width() + " + " + keys.keyWords() + ';');
    }

    /** Writes the code for the pairs of the row at {@code p} of a side, whose key has its words at {@code k}. */
    public void pairs(final ExpressionCode code, final JoinSide side, final boolean enters)
    {
        if (now != null || !enters && (side.isPassing() || !isLeavingRead() && !(isOuter && side == right)))
        {
            return;
        }
        if (!enters && isTogether(side))
        {
            code.line(name + "all(p);");
            return;
        }
        final JoinSide other = side == left ? right : left;
        if (other instanceof PassingSide)
        {
            return;
        }
        if (shown != null)
        {
            partner(code, side, other, enters);
            return;
        }
        if (isDeferring)
        {
            code.line("if (r[k + " + count(other) + "] != 0L) r[k + " + STAMP + "] = instant;");
        }
        final String place = other.openPartners(code, "k", "p");
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

    /**
     * Writes the code for rows that are visible while they have a partner: the first partner makes them enter, the last
     * one makes them leave.
     */
    private void partner(final ExpressionCode code, final JoinSide side, final JoinSide other, final boolean enters)
    {
        final String method = name + (enters ? "in(" : "out(");
        if (side == (shown == join.left() ? left : right))
        {
            code.line("if (r[k + " + count(other) + "] != 0L) " + method + "p, p);");
            return;
        }
        code.open("if (r[k + " + count(side) + "] == " + (enters ? "1L" + side.isFirstCopy("p") : "0L") + ')');
        final String place = other.openEach(code, "k", "p");
        code.line(method + place + ", " + place + ");");
        other.closeEach(code);
        code.close();
    }

    /**
     * Writes the code for the pairs of a right row and all copies of a left one, and for that left row without
     * partners.
     */
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
        pair(true);
        if (now != null)
        {
            instant();
        }
        else if (isLeavingRead() || isOuter)
        {
            pair(false);
        }
        if (together != null)
        {
            all();
        }
        left.write();
        right.write();
        writeRange(left, right);
        writeRange(right, left);
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

    private boolean isTogether(final JoinSide side)
    {
        return together != null && side == (together == join.left() ? left : right);
    }

    /** Writes the method that makes all pairs of a row leave. */
    private void all()
    {
        final String place = together == join.left() ? "p" : "q";
        final ExpressionCode code = unit.body(this::read, "final int " + place, place);
        final SymbolicRow row = new SymbolicRow(code,
            ExpressionRewriter.behind(edges.get(0).calcs(), columns(join.rows().size())))
            .with((of, type, what) -> place(of, type, 0 + what), true);
        ((GroupGenerator)edges.get(0).consumer()).leaveTogether(row);
        row.close();
        unit.method("private void " + name + "all(final int " + place + ')', code);
    }

    private void writeRange(final JoinSide side, final JoinSide other)
    {
        if (side.range() != null)
        {
            side.range().write((parameters, arguments) -> body(side, parameters, arguments),
                (parameters, arguments) -> body(other, parameters, arguments));
        }
    }

    /** The body of a method over the row of a side at {@code p}. */
    private ExpressionCode body(final JoinSide side, final String parameters, final String arguments)
    {
        final int first = side == left ? 0 : join.left().rows().size();
        return unit.body((leaf, code) -> side.read(code, ((Expression.Column)leaf).column() - first, "p"), parameters,
            arguments);
    }

    private static final String PARAMETERS = "final int p, final int q";

    /** Writes the method that makes a pair enter or leave; it returns whether the rows are a pair. */
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
        give(code, columns(join.rows().size()), enters, true);
        code.line("return true;");
        unit.method("private boolean " + name + (enters ? "in(" : "out(") + PARAMETERS + ')', code);
    }

    /** Writes the method that makes a left row, with nulls instead of a partner, enter or leave. */
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
            give(code, row, enters, false);
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

    /** Passes a row to the readers; one that they cannot compute is rejected when it enters. */
    private void give(
        final ExpressionCode code, final List<Expression> columns, final boolean enters, final boolean isPair)
    {
        for (int i = 0; i < edges.size(); i++)
        {
            final ReaderEdge edge = edges.get(i);
            final RowConsumer consumer = edge.consumer();
            final int reader = i;
            if (!(enters ? consumer.wantsEntering() : consumer.wantsLeaving()))
            {
                continue;
            }
            code.scope(() ->
            {
                code.open("try");
                SymbolicRow base = new SymbolicRow(code, columns);
                if (isPair)
                {
                    base = base.with((of, type, what) -> place(of, type, reader + what), together != null);
                }
                if (enters && isTimed)
                {
                    base = base.leavingAt(left.isPassing() ? right.leavesAt("q") : right.isPassing() ?
                        left.leavesAt("p") : "Math.min(" + left.leavesAt("p") + ", " + right.leavesAt("q") + ')');
                }
                final SymbolicRow row = base.through(edge.calcs());
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

    /** A variable that a reader may store with the row of the side from which all of some columns come. */
    private String place(final Set<Integer> of, final String type, final String what)
    {
        final int leftColumns = join.left().rows().size();
        return of.stream().allMatch(column -> column >= 0 && column < leftColumns) ? left.place(type, what, "p") :
            of.stream().allMatch(column -> column >= leftColumns) ? right.place(type, what, "q") : null;
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
