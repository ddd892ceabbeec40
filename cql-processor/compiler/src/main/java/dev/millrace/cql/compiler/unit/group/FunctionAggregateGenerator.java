package dev.millrace.cql.compiler.unit.group;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.function.GroupAggregateFactory;
import dev.millrace.cql.runtime.unit.aggregate.AggregateName;
import dev.millrace.cql.runtime.unit.aggregate.DistinctArguments;
import dev.millrace.cql.runtime.unit.aggregate.ExtremeValues;
import dev.millrace.cql.runtime.unit.aggregate.NumberSum;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An aggregate that is an object per group ({@code GroupFunctions}): a function of a library or of a user, or a
 * built-in one over values that are not longs.
 *
 * <p>Not thread-safe; used for one class.
 */
final class FunctionAggregateGenerator
{
    /** Number of a row that is found by its values. */
    private static final String UNKNOWN = "-1";

    private final UnitSource unit;
    private final FlowNode.Aggregate aggregate;
    private final boolean isGrowing;
    private final String name;

    FunctionAggregateGenerator(
        final UnitSource unit, final String group, final FlowNode.Aggregate aggregate, final GroupInput input)
    {
        this.unit = unit;
        this.aggregate = aggregate;
        isGrowing = input == GroupInput.GROWING;
        name = unit.name(group + "f");
        unit.field("final GroupFunctions", name, "new GroupFunctions(" + factory(unit, input) + ", " +
            unit.object(aggregate.function(), "String") + ", dev.millrace.api.event.CqlType." + aggregate.type() +
            ", memory)");
    }

    private String factory(final UnitSource unit, final GroupInput input)
    {
        final String function = aggregate.function();
        final CqlType type = aggregate.type();
        return switch (function)
        {
            case "count", "sum", "avg" -> builtIn(unit, () -> new NumberSum(function, type));
            case "min", "max" ->
                builtIn(unit, () -> new ExtremeValues(function.equals("max"), input == GroupInput.GROWING));
            default -> unit.bound(new AggregateName(function, aggregate.distinct()),
                GroupAggregateFactory.class.getName());
        };
    }

    private String builtIn(final UnitSource unit, final GroupAggregateFactory factory)
    {
        final GroupAggregateFactory made = !aggregate.distinct() ? factory : () -> distinct(factory.newAggregate());
        return unit.object(made, GroupAggregateFactory.class.getName());
    }

    private static GroupAggregate distinct(final GroupAggregate function)
    {
        return new DistinctArguments(function);
    }

    /** Columns that it reads. */
    List<Integer> reads()
    {
        final List<Integer> reads = new ArrayList<>(aggregate.arguments());
        if (isFiltered())
        {
            reads.add(aggregate.filter());
        }
        return reads;
    }

    private boolean isFiltered()
    {
        return aggregate.filter() != FlowNode.Aggregate.ALL_ROWS;
    }

    /** Writes the look-up of arguments that are stored until the row leaves, before the row changes any state. */
    void lookUp(final SymbolicRow row)
    {
        if (!isGrowing)
        {
            aggregate.arguments().forEach(column -> unit.lookUp(row.code(), row.get(column)));
        }
    }

    /**
     * Passes a row to the function, and opens a block of the row for the case that the function accepts it.
     *
     * @param id      of the group
     * @param isFirst Java condition for whether the group has no other row
     * @param undo    statements for a row that is rejected
     * @return statements that remove the row again
     */
    String enter(final SymbolicRow row, final String id, final String isFirst, final String undo,
        final List<Operand> remembered)
    {
        final ExpressionCode code = row.code();
        final String number = code.name("x");
        code.line("final int " + number + " = " + name + ".number();");
        final List<Operand> values = leaving(row, number);
        remembered.addAll(values);
        final String arguments = code.name("a");
        code.line("final Object[] " + arguments + " = " + arguments(values) + ';');
        final String failure = code.name("e");
        final String isIn = isFiltered() ? values.get(1).value() : "true";
        code.line("final RowRejectedException " + failure + " = " + isIn + " ? " + name + ".enter(" + id + ", " +
            isFirst + ", " + arguments + ", " + number + ") : null;");
        row.open("if (" + failure + " != null) { " + undo + " reject(" + failure + "); } else");
        return "if (" + isIn + ") " + name + ".leave(" + id + ", " + arguments + ", " + number + ", this); ";
    }

    /** The stored values of a row that leaves and is found by its columns. */
    List<Operand> leaving(final SymbolicRow row)
    {
        return leaving(row, UNKNOWN);
    }

    private List<Operand> leaving(final SymbolicRow row, final String number)
    {
        final List<Operand> values = new ArrayList<>();
        values.add(Operand.notNull(number, CqlType.INT));
        if (isFiltered())
        {
            final Operand filter = row.get(aggregate.filter());
            values.add(Operand.notNull("(!" + filter.isNull() + " && " + filter.value() + ')', CqlType.BOOLEAN));
        }
        aggregate.arguments().forEach(column -> values.add(row.get(column)));
        return values;
    }

    private String arguments(final List<Operand> values)
    {
        return "new Object[] {" + values.subList(values.size() - aggregate.arguments().size(), values.size()).stream()
            .map(FunctionAggregateGenerator::boxed).collect(Collectors.joining(", ")) + '}';
    }

    private static String boxed(final Operand value)
    {
        final String boxed = "Values.boxed(" + value.value() + ')';
        return value.canBeNull() ? '(' + value.isNull() + " ? null : " + boxed + ')' : boxed;
    }

    /** Writes statements that remove a row; skips the stored values of one that enters, which was already added. */
    void change(final ExpressionCode code, final Iterator<Operand> remembered, final String id, final int sign)
    {
        final List<Operand> values = new ArrayList<>();
        for (int i = reads().size(); i >= 0; i--)
        {
            values.add(remembered.next());
        }
        if (sign < 0)
        {
            code.line((isFiltered() ? "if (" + values.get(1).value() + ") " : "") + name + ".leave(" + id + ", " +
                arguments(values) + ", " + values.get(0).value() + ", this);");
        }
    }

    /** Writes the statement that computes the value of a group that has changed. */
    void compute(final ExpressionCode code, final String id)
    {
        code.line(name + ".compute(" + id + ", this);");
    }

    /** Writes the statement for a group whose change was emitted. */
    void shown(final ExpressionCode code, final String id, final String isGone)
    {
        code.line(name + ".shown(" + id + ", " + isGone + ");");
    }

    /** Writes the value of a group that has changed. */
    Operand value(final ExpressionCode code, final String id, final boolean isBefore)
    {
        final String boxed = code.name("o");
        code.line("final Object " + boxed + " = " + name + ".value(" + id + ", " + isBefore + ");");
        return new Operand(LocalTypes.unbox(aggregate.type(), boxed), boxed + " == null", aggregate.type());
    }
}
