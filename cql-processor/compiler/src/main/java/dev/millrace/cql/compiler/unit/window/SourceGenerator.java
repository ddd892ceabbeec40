package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitOperatorGenerator;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An input stream: iterates over the rows of a batch. Expressions of a row that can fail are computed before any state
 * changes; a row that fails changes nothing.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class SourceGenerator implements UnitOperatorGenerator
{
    private static final String PARAMETERS = "final int row, final long t";
    /** Variable of the loop over the rows of a batch. */
    private static final String NUMBER = "i";

    private final UnitSource unit;
    private final FlowNode.Source source;
    private final int input;
    private final List<ReaderEdge> edges;
    private final Clock clock;
    /** Statements that bind the columns that are read, by column. */
    private final Map<Integer, List<String>> bindings = new LinkedHashMap<>();

    /** Declarations of locals of the loop that have the names of fields. */
    private final List<String> locals = new ArrayList<>();

    /** How rows of a stream advance the time of their unit. */
    public enum Clock
    {
        /** No operator depends on instants. */
        ROWS,
        /** The rows of one stream are the instants. */
        INSTANTS,
        /** Rows wait for those of other streams. */
        WAITING
    }

    public SourceGenerator(final UnitSource unit, final FlowNode.Source source, final int input,
        final List<ReaderEdge> edges,
        final Clock clock)
    {
        this.unit = unit;
        this.source = source;
        this.input = input;
        this.edges = edges;
        this.clock = clock;
    }

    @Override
    public void write()
    {
        final ExpressionCode loop = unit.body(this::read, PARAMETERS, "row, t");
        loop.open("for (int i = 0; i < count; i++)");
        loop.line("final int row = rows[i];");
        loop.line("final long t = timesNs[i];");
        final List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < source.rows().size(); i++)
        {
            columns.add(new Expression.Column(i, source.rows().types().get(i), true));
        }
        if (source.relation())
        {
            columns.add(new Expression.Column(columns.size(), CqlType.INT, false));
        }
        edges.forEach(edge -> loop.scope(() ->
        {
            final SymbolicRow row = new SymbolicRow(loop, columns);
            row(loop, edge, edges.size() == 1 ? row.numbered(NUMBER) : row);
            return null;
        }));
        if (clock == Clock.INSTANTS)
        {
            loop.line(isTicked() ? "if (t <= closesNs && t >= calmNs && t == now) close();" :
                "if (t <= closesNs && t == now) close();");
        }
        loop.close();
        final ExpressionCode body = unit.body();
        bindings.values().forEach(lines -> lines.forEach(body::line));
        unit.method(heading() + "Loop(final long[] timesNs, final int[] rows, final int count, final long closesNs)",
            String.join("", locals) + loop.text());
        if (edges.size() == 1)
        {
            lookAhead(body, columns);
        }
        body.line("rows" + input + "Loop(timesNs, rows, count, closesNs);");
        unit.method(heading() + "(final EventBatch batch, final long[] timesNs, final int[] rows, " +
            "final int count, final long closesNs)", body);
    }

    /**
     * Writes the look-up of the keys of all rows before the rows are processed, if the only reader looks each row up
     * and nothing that is computed before can fail.
     */
    private void lookAhead(final ExpressionCode body, final List<Expression> columns)
    {
        final ReaderEdge edge = edges.get(0);
        final RowConsumer.Keyed keyed = edge.consumer().keyed();
        if (keyed == null || !keyed.keys().canLookAhead() || edge.calcs().stream().anyMatch(SourceGenerator::canFail))
        {
            return;
        }
        final ExpressionCode loop = unit.body(this::read, PARAMETERS, "row, t");
        loop.open("for (int i = 0; i < count; i++)");
        loop.line("final int row = rows[i];");
        loop.line("final long t = timesNs[i];");
        loop.open("try");
        final SymbolicRow row = new SymbolicRow(loop, columns).numbered(NUMBER).through(edge.calcs());
        keyed.keys().lookAhead(row, keyed.columns().stream().map(row::get).toList());
        row.close();
        loop.close();
        loop.open("catch (RowRejectedException failure)");
        loop.line("// It is rejected when it is processed.");
        loop.close();
        loop.close();
        unit.method(heading() + "Ahead(final long[] timesNs, final int[] rows, final int count)", loop);
        body.line("if (" + keyed.keys().looksAhead("count") + ") rows" + input + "Ahead(timesNs, rows, count);");
    }

    private static boolean canFail(final FlowNode.Calc calc)
    {
        return calc.condition() != null && Conditions.canFail(calc.condition()) || calc.fields() != null &&
            calc.fields().stream().anyMatch(field -> Conditions.canFail(field.expression()));
    }

    /** Whether instants at which nothing is due need no end. */
    private boolean isTicked()
    {
        return edges.stream().allMatch(edge -> edge.consumer().isTicked());
    }

    /** Writes the code for a row and one of the readers: time advances when the row has passed the filters. */
    private void row(final ExpressionCode loop, final ReaderEdge edge, final SymbolicRow base)
    {
        loop.open("try");
        final SymbolicRow row = base.through(edge.calcs());
        edge.consumer().reads().forEach(row::get);
        if (clock != Clock.WAITING)
        {
            loop.line(clock != Clock.INSTANTS ? "now = t;" : isTicked() ?
                "if (t > now) { if (t < calmNs) now = t; else time(t); }" : "if (t > now) time(t);");
        }
        edge.consumer().enter(row);
        base.close();
        loop.close();
        loop.open("catch (RowRejectedException failure)");
        loop.line("reject(failure);");
        loop.close();
    }

    private String heading()
    {
        return "private void rows" + input;
    }

    /** A field that the loop reads once. */
    private void field(final String type, final String name)
    {
        unit.scratch(type, name);
        locals.add("    final " + type + ' ' + name + " = this." + name + ";\n");
    }

    /** The kind of a change of a relation, the column after those of its rows. */
    private Operand kind(final ExpressionCode code)
    {
        final String name = "kinds" + input;
        bindings.computeIfAbsent(source.rows().size(), key ->
        {
            field("byte[]", name);
            return List.of(name + " = batch.hasKinds() ? batch.kinds() : null;");
        });
        return code.declare('(' + name + " == null ? 0 : (int) " + name + "[row])", "false", CqlType.INT);
    }

    private Operand read(final Expression leaf, final ExpressionCode code)
    {
        final Expression.Column column = (Expression.Column)leaf;
        final int index = column.column();
        if (source.elementTime() && index == source.rows().size() - 1)
        {
            return Operand.notNull("t", CqlType.BIGINT);
        }
        if (index == source.rows().size())
        {
            return kind(code);
        }
        final String name = "c" + input + '_' + index;
        final CqlType type = source.rows().types().get(index);
        if (type == CqlType.CHAR)
        {
            bindings.computeIfAbsent(index, key ->
            {
                unit.scratch("final CharColumnInput", name, "new CharColumnInput(unitStrings, " + index + ')');
                return List.of(name + ".bind(batch);");
            });
            return new Operand(name + ".text(row)", name + ".isNull(row)", type, name + ".code(row)", name + ", row");
        }
        final String array = switch (type)
        {
            case INT -> "ints";
            case BIGINT, TIMESTAMP, INTERVAL -> "longs";
            case FLOAT -> "floats";
            case DOUBLE -> "doubles";
            case BOOLEAN -> "bits";
            default -> "references";
        };
        final boolean isReference = array.equals("references");
        bindings.computeIfAbsent(index, key ->
        {
            final List<String> lines = new ArrayList<>();
            field((isReference ? "Object" : type == CqlType.BOOLEAN ? "byte" : LocalTypes.local(type)) + "[]", name);
            lines.add(name + " = batch." + array + '(' + index + ");");
            if (!isReference)
            {
                field("boolean", name + 'h');
                field("long[]", name + 'b');
                lines.add(name + "h = batch.hasNulls(" + index + ");");
                lines.add(name + "b = batch.nullBits(" + index + ");");
            }
            return lines;
        });
        final String value = name + "[row]";
        if (isReference)
        {
            return code.declare('(' + LocalTypes.local(type) + ") " + value, value + " == null", type);
        }
        final String isNull = name + "h && (" + name + "b[row >> 6] & 1L << row) != 0L";
        final String flag = code.name("n");
        code.line("final boolean " + flag + " = " + isNull + ';');
        final String variable = code.name("v");
        code.line("final " + LocalTypes.local(type) + ' ' + variable + " = " + value +
            (type == CqlType.BOOLEAN ? " != 0;" : ";"));
        return new Operand(variable, flag, type);
    }
}
