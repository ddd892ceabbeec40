package dev.millrace.cql.compiler.unit.join;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.KeyTableGenerator;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.UnitOperatorGenerator;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A join, inner or left outer: one table of keys for both sides, in which each side has a chain of its rows. A row that
 * enters or leaves iterates over the chain of the other side; pairs are passed to the readers at once and are not
 * stored. Without keys, all rows of a side are in one chain and, when a condition compares values of both sides, in an
 * index by that value ({@link JoinRange}), or in one by the rectangles of a predicate ({@link JoinSearch}).
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
    private final UnitSource unit;
    private final FlowNode.Join join;
    private final JoinStrategy strategy;
    private final String name;
    private final JoinKeyRecord record;
    private final JoinSide left;
    private final JoinSide right;
    private final JoinOutput output;
    /** Pairs that leave at the end of their instant; {@code null} when they leave at once. */
    private final DeferredPairs deferred;

    /**
     * A join whose pairs enter and leave.
     *
     * @param early   nodes from which rows may leave before their time
     * @param isApart whether rows of different streams wait for each other
     */
    public JoinGenerator(final UnitSource unit, final FlowNode.Join join, final Set<FlowNode> early,
        final List<ReaderEdge> edges, final boolean isApart)
    {
        this(unit, join, early, edges, null, isApart);
    }

    /**
     * A join of which one input has rows of the instant and is read by RSTREAM.
     *
     * @param early nodes from which rows may leave before their time
     */
    public JoinGenerator(final UnitSource unit, final FlowNode.Join join, final Set<FlowNode> early,
        final List<ReaderEdge> edges, final FlowNode now)
    {
        this(unit, join, early, edges, now, false);
    }

    private JoinGenerator(final UnitSource unit, final FlowNode.Join join, final Set<FlowNode> early,
        final List<ReaderEdge> edges, final FlowNode now, final boolean isApart)
    {
        this.unit = unit;
        this.join = join;
        name = unit.name("j");
        strategy = new JoinStrategy(join, early, edges, now, isApart);
        final JoinIndex leftIndex = now == join.left() ? null : JoinIndexes.of(unit, name + "l", join, true);
        final JoinIndex rightIndex = now == join.right() ? null : JoinIndexes.of(unit, name + "r", join, false);
        record = new JoinKeyRecord(unit, join, name + "keys");
        left = side("l", strategy.rows(join.left(), join.leftKeys(), 0), leftIndex, strategy.isOuter() && now == null);
        right = side("r", strategy.rows(join.right(), join.rightKeys(), join.left().rows().size()), rightIndex, false);
        output = new JoinOutput(unit, join, strategy, edges, name, left, right);
        deferred = strategy.isDeferring() ? new DeferredPairs(unit, join, strategy, edges, name, record, output,
            (RingSide)left, (RingSide)right) : null;
    }

    private JoinSide side(
        final String suffix, final SideRows rows, final JoinIndex index, final boolean isAloneShown)
    {
        final FlowNode input = suffix.equals("l") ? join.left() : join.right();
        if (input == strategy.unstored())
        {
            return new PassingSide(unit, this, name + suffix, rows);
        }
        return input == strategy.ofInstant() ? new NowSide(unit, this, name + suffix, rows) : strategy.isRing(input) ?
            new RingSide(unit, this, name + suffix, rows, index, isAloneShown, strategy.isPassing(input)) :
            new BagSide(unit, this, name + suffix, rows, index, isAloneShown);
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
        return record.keys();
    }

    public int oldest(final JoinSide side)
    {
        return record.oldest(side == left);
    }

    public int newest(final JoinSide side)
    {
        return record.newest(side == left);
    }

    public int count(final JoinSide side)
    {
        return record.count(side == left);
    }

    /** Whether sides need the leave time of their rows. */
    boolean isTimed()
    {
        return strategy.isTimed();
    }

    /** Whether rows that leave are only recorded. */
    public boolean isDeferring()
    {
        return strategy.isDeferring();
    }

    /** Whether pairs that leave affect any reader. */
    public boolean isLeavingRead()
    {
        return strategy.isLeavingRead();
    }

    /** Name of the method that makes a left row without partners enter or leave. */
    public String alone(final boolean enters)
    {
        return output.alone(enters);
    }

    /** Writes the record of a row of a side that leaves from position {@code id}, with its current partners. */
    public void later(final ExpressionCode code, final JoinSide side)
    {
        deferred.writeRecord(code, side == left);
    }

    private NowSide now()
    {
        return (NowSide)(strategy.ofInstant() == join.left() ? left : right);
    }

    /** Writes the method that looks up the rows of an instant that has passed. */
    private void instant()
    {
        final ExpressionCode code = unit.body();
        final JoinSide other = strategy.ofInstant() == join.left() ? right : left;
        final String index = now().openInstant(code);
        code.line("boolean found = false;");
        final List<Operand> key = now().key(code, index);
        code.open(key.isEmpty() ? "" : "if (!(" + key.stream().map(Operand::isNull).collect(
            Collectors.joining(" || ")) + "))");
        code.line("final int g = " + keys().find(code, key) + ';');
        code.open("if (g >= 0)");
        record(code);
        final String partner = other.openEach(code, "k", index);
        code.line("if (" + output.pair(true, other == right ? index : partner, other == right ? partner : index) +
            ") found = true;");
        other.closeEach(code);
        code.line("if (r[k] == 0L) " + name + "keys.dies(g);");
        code.close();
        code.close();
        if (strategy.isOuter())
        {
            code.line("if (!found) " + alone(true) + '(' + index + ");");
        }
        now().closeInstant(code, index);
        unit.method("private void " + name + "instant()", code);
    }

    @Override
    public void close(final ExpressionCode code)
    {
        if (strategy.ofInstant() != null)
        {
            code.line("if (" + now().hasRows() + ") " + name + "instant();");
        }
        if (deferred != null)
        {
            deferred.close(code);
        }
    }

    /** Writes locals for the record of the key {@code g}: {@code r}, and {@code k} for the index of its words. */
    public void record(final ExpressionCode code)
    {
        record.writeLocals(code);
    }

    /** Writes the code for the pairs of the row at {@code p} of a side, whose key has its words at {@code k}. */
    public void pairs(final ExpressionCode code, final JoinSide side, final boolean enters)
    {
        if (strategy.ofInstant() != null ||
            !enters && (side.isPassing() || !isLeavingRead() && !(strategy.isOuter() && side == right)))
        {
            return;
        }
        if (!enters && isTogether(side))
        {
            code.line(output.allPairs("p") + ';');
            return;
        }
        final JoinSide other = side == left ? right : left;
        if (other instanceof PassingSide)
        {
            return;
        }
        if (strategy.visible() != null)
        {
            partner(code, side, other, enters);
            return;
        }
        if (deferred != null)
        {
            code.line("if (r[k + " + count(other) + "] != 0L) r[k + " + record.stamp() + "] = instant;");
        }
        final String index = other.openPartners(code, "k", "p");
        final String pair = output.pair(enters, side == left ? "p" : index, side == left ? index : "p");
        if (strategy.isOuter() && side == right)
        {
            partnerPairs(code, index, pair, enters);
            code.close();
            return;
        }
        other.openCopies(code, index);
        code.line(strategy.isOuter() && enters ?
            "if (" + pair + left.isFirstCopy("p") + ") " + left.partners("p") + "++;" : pair + ';');
        other.closeEach(code);
    }

    /**
     * Writes the code for rows that are visible while they have a partner: the first partner makes them enter, the last
     * one makes them leave.
     */
    private void partner(final ExpressionCode code, final JoinSide side, final JoinSide other, final boolean enters)
    {
        if (side == (strategy.visible() == join.left() ? left : right))
        {
            code.line("if (r[k + " + count(other) + "] != 0L) " + output.pair(enters, "p", "p") + ';');
            return;
        }
        code.open("if (r[k + " + count(side) + "] == " + (enters ? "1L" + side.isFirstCopy("p") : "0L") + ')');
        final String index = other.openEach(code, "k", "p");
        code.line(output.pair(enters, index, index) + ';');
        other.closeEach(code);
        code.close();
    }

    /**
     * Writes the code for the pairs of a right row and all copies of a left one, and for that left row without
     * partners.
     */
    private void partnerPairs(final ExpressionCode code, final String index, final String pair, final boolean enters)
    {
        code.line("boolean found = false;");
        left.openCopies(code, index);
        code.line("found = " + pair + ';');
        code.close();
        code.open("if (found && " + (enters ? left.partners(index) + "++ == 0" :
            "--" + left.partners(index) + " == 0") + ')');
        left.openCopies(code, index);
        code.line(alone(!enters) + '(' + index + ");");
        code.close();
        code.close();
    }

    @Override
    public void write()
    {
        output.writePair(true);
        if (strategy.ofInstant() != null)
        {
            instant();
        }
        else if (isLeavingRead() || strategy.isOuter())
        {
            output.writePair(false);
        }
        if (strategy.leavingTogether() != null)
        {
            output.writeAllPairs();
        }
        left.write();
        right.write();
        writeIndex(left, right);
        writeIndex(right, left);
        if (deferred != null)
        {
            deferred.write();
        }
        if (strategy.isOuter())
        {
            output.writeAlone(true);
            if (strategy.ofInstant() == null)
            {
                output.writeAlone(false);
            }
        }
    }

    private boolean isTogether(final JoinSide side)
    {
        return strategy.leavingTogether() != null &&
            side == (strategy.leavingTogether() == join.left() ? left : right);
    }

    private void writeIndex(final JoinSide side, final JoinSide other)
    {
        if (side.index() != null)
        {
            side.index().write((parameters, arguments) -> body(side, parameters, arguments),
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

    @Override
    public void sweep(final ExpressionCode code)
    {
        left.sweep(code);
        right.sweep(code);
        code.line(name + "keys.sweep(" + keys().keyWords() + ", " + keys().keyWords() + ", instant);");
    }

    @Override
    public void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"Join\", (long) " + left.size() + " + " + right.size() + ");");
    }
}
