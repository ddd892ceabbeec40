package dev.millrace.cql.compiler.unit.join;

import dev.millrace.api.cartridge.PairBoxes;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.JoinBoxes;
import dev.millrace.cql.runtime.unit.box.BoxIndex;
import java.util.stream.Stream;

/**
 * The index of a side of a join without keys by the rectangles of a predicate: rows of the other side search with
 * theirs. A row whose value cannot be computed is a possible partner of all rows, so that each of its pairs is
 * rejected.
 *
 * <p>Not thread-safe; used for one class.
 */
final class JoinSearch implements JoinIndex
{
    private final UnitSource unit;
    private final String name;
    private final JoinBoxes boxes;

    private JoinSearch(final UnitSource unit, final String name, final JoinBoxes boxes)
    {
        this.unit = unit;
        this.name = name;
        this.boxes = boxes;
    }

    /**
     * The index of a side.
     *
     * @param side prefix of its names
     * @return {@code null} when no predicate has rectangles
     */
    static JoinSearch of(final UnitSource unit, final String side, final FlowNode.Join join, final boolean isLeft)
    {
        final JoinBoxes boxes = JoinBoxes.of(join, isLeft);
        return boxes == null ? null : new JoinSearch(unit, side + "boxes", boxes);
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public String type()
    {
        // Not imported: an import would change the text of all units, by which stored state is compared.
        return BoxIndex.class.getName();
    }

    private String rectangles()
    {
        return unit.object(boxes.boxes(), PairBoxes.class.getName());
    }

    @Override
    public void write(final Body own, final Body other)
    {
        final ExpressionCode add = own.of("final int p, final int rowIndex", "p, rowIndex");
        attempt(add, () ->
        {
            final Operand value = add.write(boxes.own());
            add.line((value.canBeNull() ? "if (" + value.isNull() + ") " + name + ".addNull(rowIndex); else " : "") +
                name + ".add(rowIndex, " + rectangles() + ", " + value.value() + ");");
        }, name + ".addAlways(rowIndex);");
        unit.method("private void " + name + "add(final int p, final int rowIndex)", add);
        final ExpressionCode search = other.of("final int p", "p");
        attempt(search, () -> search(search), "return " + name + ".all();");
        unit.method("private int " + name + "find(final int p)", search);
    }

    private void search(final ExpressionCode code)
    {
        final Operand value = code.write(boxes.other());
        final Operand distance = boxes.distance() == null ? null : code.write(boxes.distance());
        Stream.of(value, distance == null ? value : distance).distinct().filter(Operand::canBeNull)
            .forEach(each -> code.line("if (" + each.isNull() + ") return " + name + ".always();"));
        code.line("return " + name + ".search(" + rectangles() + ", " + value.value() + ", " +
            (distance == null ? "Double.NaN" : "(double) " + distance.value()) + ");");
    }

    private static void attempt(final ExpressionCode code, final Runnable body, final String otherwise)
    {
        code.scope(() ->
        {
            code.open("try");
            body.run();
            code.close();
            return null;
        });
        code.open("catch (RowRejectedException failure)");
        code.line(otherwise);
        code.close();
    }

    @Override
    public String open(final ExpressionCode code, final String rowIndex)
    {
        final String count = code.name("h");
        final String at = code.name("i");
        final String found = code.name("f");
        code.line("final int " + count + " = " + name + "find(" + rowIndex + ");");
        code.open("for (int " + at + " = 0; " + at + " < " + count + "; " + at + "++)");
        code.line("final int " + found + " = " + name + ".found(" + at + ");");
        return found;
    }

    @Override
    public void add(final ExpressionCode code, final String rowIndex)
    {
        code.line(name + "add(p, " + rowIndex + ");");
    }

    @Override
    public void remove(final ExpressionCode code, final String rowIndex)
    {
        code.line(name + ".remove(" + rowIndex + ");");
    }
}
