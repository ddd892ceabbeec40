package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.RingGenerator;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.math.BigDecimal;
import java.util.List;

/**
 * {@code [range C on E]}: a ring of the rows whose column is less than C below that of the latest one. A row whose
 * column is less than that of its predecessor, null or NaN is rejected.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class ValueWindowGenerator extends StreamWindowGenerator
{
    private final UnitSource unit;
    private final WindowSpec.ValueRange window;
    private final CqlType type;
    private final RingGenerator ring;
    private final RingColumns columns;
    private final WindowReader reader;
    private final String values;

    public ValueWindowGenerator(
        final UnitSource unit, final WindowSpec.ValueRange window, final List<CqlType> types, final ReaderEdge edge)
    {
        super(types, edge, List.of(window.column()), null);
        this.unit = unit;
        this.window = window;
        type = types.get(window.column());
        ring = new RingGenerator(unit, "w");
        columns = ring.columns();
        reader = new WindowReader(edge, columns);
        values = columns.addNumbers(local());
    }

    private boolean isDecimal()
    {
        return type == CqlType.BIGDECIMAL;
    }

    private String local()
    {
        return isDecimal() ? LocalTypes.local(type) : LocalTypes.isFloating(type) ? "double" : "long";
    }

    /** Integers are compared as such: a double cannot represent all digits of a time in nanoseconds. */
    private String range()
    {
        return isDecimal() ? unit.object(BigDecimal.valueOf(window.range()), local()) :
            LocalTypes.isFloating(type) ? unit.number(window.range(), CqlType.DOUBLE) :
            unit.number((long)Math.ceil(window.range()), CqlType.BIGINT);
    }

    private String at(final String position)
    {
        return values + '[' + ring.slot(position) + ']';
    }

    @Override
    protected List<Operand> take(final SymbolicRow row)
    {
        final ExpressionCode code = row.code();
        final Operand value = row.get(window.column());
        final String last = at(ring.tail() + " - 1");
        final String isBefore = isDecimal() ? value.value() + ".compareTo(" + last + ") < 0" :
            value.value() + " < " + last;
        final String isNaN = LocalTypes.isFloating(type) ? " || Double.isNaN(" + value.value() + ')' : "";
        row.open("if (" + value.isNull() + isNaN + " || " + ring.head() + " != " + ring.tail() + " && " + isBefore +
            ") decreases(" + value.isNull() + " ? \"null\" : String.valueOf(" + value.value() + ")); else");
        code.line(ring.name() + "leave(" + value.value() + ");");
        ring.openRoom(row, "full(\"rows\");", carriesTexts());
        code.line("final int " + columns.position() + " = " + ring.tail() + "++;");
        final String slot = code.name("p");
        code.line("final int " + slot + " = " + ring.slot(columns.position()) + ';');
        code.line(values + '[' + slot + "] = " + value.value() + ';');
        reader.enter(row, slot);
        leave();
        ring.writeGrow();
        return List.of();
    }

    /** Writes the method for the rows that are too far from the arriving one. */
    private void leave()
    {
        final ExpressionCode code = unit.body();
        final String oldest = at(ring.head());
        code.open("while (" + ring.head() + " != " + ring.tail() + " && " + (isDecimal() ?
            "latest.subtract(" + oldest + ").compareTo(" + range() + ") >= 0" : LocalTypes.isFloating(type) ?
            "latest - " + oldest + " >= " + range() :
            "(latest - " + oldest + " < 0L || latest - " + oldest + " >= " + range() + ')') + ')');
        code.line("final int " + columns.position() + " = " + ring.head() + "++;");
        code.line("final int p = " + ring.slot(columns.position()) + ';');
        reader.leave(code);
        code.close();
        unit.method("private void " + ring.name() + "leave(final " + local() + " latest)", code);
    }

    @Override
    public void state(final ExpressionCode code)
    {
        ring.state(code, "ValueWindow");
    }
}
