package dev.millrace.cql.compiler.unit.output;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The end of a query: writes rows into the columns of its batch. Strings that are copied from a batch are copied as
 * bytes, without codes.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class OutputGenerator implements RowConsumer
{
    private final UnitSource unit;
    private final List<CqlType> types;
    private final boolean isStream;
    private final String name;
    private boolean isDeclared;

    public OutputGenerator(final UnitSource unit, final int index, final List<CqlType> types, final boolean isStream)
    {
        this.unit = unit;
        this.types = types;
        this.isStream = isStream;
        name = "out" + index;
        unit.scratch("final QueryOutput", name, "outputs[" + index + ']');
    }

    @Override
    public List<Integer> reads()
    {
        return IntStream.range(0, types.size()).boxed().toList();
    }

    @Override
    public List<Integer> compares()
    {
        return List.of();
    }

    @Override
    public List<CqlType> types()
    {
        return types;
    }

    @Override
    public boolean isTicked()
    {
        return isStream;
    }

    @Override
    public boolean wantsNet()
    {
        return !isStream;
    }

    @Override
    public boolean wantsLeaving()
    {
        return !isStream;
    }

    @Override
    public boolean wantsLeavingFirst()
    {
        return !isStream;
    }

    @Override
    public List<Operand> enter(final SymbolicRow row)
    {
        write(row, EventBatch.INSERT);
        return row.all();
    }

    @Override
    public void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        leave(SymbolicRow.of(code, remembered));
    }

    @Override
    public void leave(final SymbolicRow row)
    {
        write(row, EventBatch.DELETE);
    }

    private void write(final SymbolicRow row, final byte kind)
    {
        declare();
        final ExpressionCode code = row.code();
        final List<Operand> values = row.all();
        final String outputRow = code.name("x");
        code.line("final int " + outputRow + " = " + name + ".row(now, (byte) " + kind + ");");
        final boolean hasTexts = types.contains(CqlType.CHAR);
        if (hasTexts)
        {
            code.open("try");
        }
        for (int i = 0; i < types.size(); i++)
        {
            write(code, name + "c" + i, i, values.get(i), outputRow);
        }
        if (hasTexts)
        {
            code.close();
            code.open("catch (RowRejectedException failure)");
            code.line(name + ".drop();");
            code.line("reject(failure);");
            code.close();
        }
    }

    private void write(final ExpressionCode code, final String column, final int index, final Operand value,
        final String outputRow)
    {
        if (types.get(index) == CqlType.CHAR)
        {
            code.line(column + (value.column() != null ? ".copy(" + outputRow + ", " + value.column() :
                value.either() != null ? ".set(" + outputRow + ", " + value.either() :
                ".set(" + outputRow + ", " + (value.apart() != null ? value.apart() :
                value.code() != null ? value.code() : value.canBeNull() ?
                '(' + value.isNull() + " ? null : " + value.value() + ')' : value.value())) + ");");
            return;
        }
        final boolean isReference = !RowWords.has(types.get(index));
        final String set = column + '[' + outputRow + "] = ";
        if (isReference)
        {
            code.line(set + (value.canBeNull() ? value.isNull() + " ? null : (Object) " : "") + value.value() + ';');
            return;
        }
        if (value.canBeNull())
        {
            code.line("if (" + value.isNull() + ") " + name + "batch.setNull(" + index + ", " + outputRow + "); else");
        }
        code.line(set + (types.get(index) == CqlType.BOOLEAN ? "(byte) (" + value.value() + " ? 1 : 0)" :
            value.value()) + ';');
    }

    private void declare()
    {
        if (isDeclared)
        {
            return;
        }
        isDeclared = true;
        unit.scratch("final EventBatch", name + "batch", name + ".batch()");
        for (int i = 0; i < types.size(); i++)
        {
            final String column = name + "c" + i;
            switch (types.get(i))
            {
                case CHAR -> unit.scratch("final CharColumnOutput", column,
                    "new CharColumnOutput(unitStrings, " + name + "batch, " + i +
                    ')');
                case INT -> column(column, "int", "ints", i);
                case BIGINT, TIMESTAMP, INTERVAL -> column(column, "long", "longs", i);
                case FLOAT -> column(column, "float", "floats", i);
                case DOUBLE -> column(column, "double", "doubles", i);
                case BOOLEAN -> column(column, "byte", "bits", i);
                default -> column(column, "Object", "references", i);
            }
        }
    }

    private void column(final String column, final String type, final String array, final int index)
    {
        unit.scratch("final " + type + "[]", column, name + "batch." + array + '(' + index + ')');
    }
}
