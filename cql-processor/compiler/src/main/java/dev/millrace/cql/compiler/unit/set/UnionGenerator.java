package dev.millrace.cql.compiler.unit.set;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.RowReaders;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitOperatorGenerator;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * UNION ALL: methods that pass the rows of both sides to the readers.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class UnionGenerator implements UnitOperatorGenerator, RowConsumer
{
    private final UnitSource unit;
    private final List<CqlType> types;
    private final RowReaders readers;
    private final String name;
    private final boolean isOfInstant;

    /**
     * @param types       of the rows
     * @param isOfInstant whether the readers accept rows of the instant as a stream
     */
    public UnionGenerator(final UnitSource unit, final List<CqlType> types, final RowReaders readers,
        final boolean isOfInstant)
    {
        this.isOfInstant = isOfInstant;
        this.unit = unit;
        this.types = types;
        this.readers = readers;
        name = unit.name("u");
    }

    @Override
    public List<CqlType> types()
    {
        return types;
    }

    @Override
    public List<Integer> reads()
    {
        return readers.reads();
    }

    @Override
    public boolean wantsEntering()
    {
        return readers.want(true);
    }

    @Override
    public boolean wantsLeaving()
    {
        return readers.want(false);
    }

    @Override
    public boolean isOfInstant()
    {
        return isOfInstant;
    }

    @Override
    public boolean wantsLeavingFirst()
    {
        return readers.wantLeavingFirst();
    }

    @Override
    public List<Operand> enter(final SymbolicRow row)
    {
        final List<Operand> values = reads().stream().map(row::get).toList();
        give(row.code(), values, true);
        return values;
    }

    @Override
    public void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        give(code, remembered, false);
    }

    @Override
    public void leave(final SymbolicRow row)
    {
        give(row.code(), reads().stream().map(row::get).toList(), false);
    }

    private void give(final ExpressionCode code, final List<Operand> values, final boolean enters)
    {
        if (!readers.want(enters))
        {
            return;
        }
        final List<String> arguments = new ArrayList<>();
        for (final Operand value : values)
        {
            if (isNullShown(value.type()))
            {
                arguments.add(value.isNull());
                arguments.add(value.value());
            }
            else
            {
                arguments.add(value.canBeNull() ? '(' + value.isNull() + " ? null : " + value.value() + ')' :
                    value.value());
            }
        }
        code.line(name + (enters ? "in(" : "out(") + String.join(", ", arguments) + ");");
    }

    /** Whether values of a type need a separate null flag. */
    private static boolean isNullShown(final CqlType type)
    {
        return LocalTypes.isPrimitive(type);
    }

    private String parameters()
    {
        return reads().stream().map(column ->
            (isNullShown(types.get(column)) ? "final boolean n" + column + ", " : "") +
            "final " + LocalTypes.local(types.get(column)) + " v" + column).collect(Collectors.joining(", "));
    }

    private String arguments()
    {
        return reads().stream().map(column ->
            (isNullShown(types.get(column)) ? "n" + column + ", " : "") + "v" + column)
            .collect(Collectors.joining(", "));
    }

    @Override
    public void write()
    {
        for (final boolean enters : new boolean[] {true, false})
        {
            if (readers.want(enters))
            {
                final ExpressionCode code = unit.body(this::read, parameters(), arguments());
                readers.give(code, enters);
                unit.method("private void " + name + (enters ? "in(" : "out(") + parameters() + ')', code);
            }
        }
    }

    private Operand read(final Expression leaf, final ExpressionCode code)
    {
        final int column = ((Expression.Column)leaf).column();
        final CqlType type = types.get(column);
        final String value = "v" + column;
        return new Operand(value, isNullShown(type) ? "n" + column : '(' + value + " == null)", type);
    }
}
