package dev.millrace.cql.compiler.unit.join;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ExpressionRewriter;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.RowExpiry;
import dev.millrace.cql.compiler.unit.code.RowReaders;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitOperatorGenerator;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.runtime.function.LookupSource;
import dev.millrace.cql.runtime.unit.LookupRows;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A join with a source that is asked for each row that enters: a cache, a table or a function. When rows leave again,
 * the rows found are stored and leave with the row that requested them, regardless of later changes of the source.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class LookupJoinGenerator implements UnitOperatorGenerator, RowConsumer
{
    private static final String TYPE = CqlType.class.getName();

    private final UnitSource unit;
    private final FlowNode.Pull pull;
    private final List<ReaderEdge> edges;
    private final boolean isOfInstant;
    private final RowExpiry leaving;
    private final String name;
    private final List<CqlType> types;
    /** Columns that are read after the join, ascending. */
    private final List<Integer> kept;
    private final RowWords words;
    private final RowWords asking;
    private boolean isReached;

    /**
     * @param edges       its readers
     * @param isOfInstant whether the readers accept rows of the instant as a stream
     * @param leaving     how rows leave the input
     */
    public LookupJoinGenerator(final UnitSource unit, final FlowNode.Pull pull, final List<ReaderEdge> edges,
        final boolean isOfInstant,
        final RowExpiry leaving)
    {
        this.unit = unit;
        this.pull = pull;
        this.edges = edges;
        this.isOfInstant = isOfInstant;
        types = pull.rows().types();
        final boolean isKept = !isOfInstant && leaving != RowExpiry.NEVER &&
            edges.stream().anyMatch(edge -> edge.consumer().wantsLeaving());
        this.leaving = isKept ? leaving : RowExpiry.NEVER;
        name = unit.name("p");
        final Set<Integer> reads = new TreeSet<>();
        edges.forEach(edge -> reads.addAll(edge.reads(types)));
        kept = List.copyOf(reads);
        words = words(kept);
        asking = words(IntStream.range(0, pull.input().rows().size()).boxed().toList());
        unit.scratch("final LookupRows", name + "rows", "new LookupRows(" + source() + ", new " + TYPE + "[] {" +
            pull.pulled().types().stream().map(type -> TYPE + '.' + type).collect(Collectors.joining(", ")) +
            "}, " + (pull.isReplicable() ? TYPE + '.' + pull.keys().get(0).type() : "null") + ", this)");
        if (isKept)
        {
            unit.field("final RowSlab", name + "slab", "new RowSlab(" + words.count() + ", " + words.held() +
                ", maxRows, memory)");
        }
        if (this.leaving == RowExpiry.BY_VALUE)
        {
            unit.field("final RowsByValue", name + "equal", "new RowsByValue(" + asking.count() + ", " + asking.held() +
                ", maxRows, memory)");
        }
    }

    /** Functions are called with the keys as arguments; the source only converts the result to rows. */
    private String source()
    {
        final String javaClass = LookupSource.class.getName();
        return pull.kind() == FlowNode.PullKind.FUNCTION ? unit.bound(new LookupRows.Elements(pull.source(),
            pull.pulled().types().get(0), (Class<?>)pull.details().get(0)), javaClass) :
            unit.bound(new LookupRows.Name(pull.binding()), javaClass);
    }

    private RowWords words(final List<Integer> columns)
    {
        return new RowWords(unit, columns.stream().map(types::get).toList(), Collections.nCopies(columns.size(), true));
    }

    @Override
    public List<CqlType> types()
    {
        return pull.input().rows().types();
    }

    @Override
    public List<Integer> reads()
    {
        final Set<Integer> reads = new TreeSet<>();
        pull.keys().forEach(key -> ExpressionRewriter.columns(key, reads));
        final int columns = types().size();
        (leaving == RowExpiry.BY_VALUE ? IntStream.range(0, columns).boxed() :
            kept.stream().filter(column -> column < columns)).forEach(reads::add);
        return List.copyOf(reads);
    }

    @Override
    public boolean wantsLeaving()
    {
        return leaving != RowExpiry.NEVER;
    }

    @Override
    public boolean isOfInstant()
    {
        return isOfInstant;
    }

    @Override
    public boolean isReached()
    {
        return isReached;
    }

    @Override
    public List<Operand> enter(final SymbolicRow row)
    {
        isReached = true;
        final ExpressionCode code = row.code();
        final String count = code.name("n");
        final String answer = code.name("a");
        ask(row, count, answer);
        final String first = code.name("e");
        if (wantsLeaving())
        {
            code.line("int " + first + " = RowSlab.NONE;");
            code.line("int " + first + "last = RowSlab.NONE;");
        }
        final String index = code.name("i");
        code.open("for (int " + index + " = 0; " + index + " < " + count + "; " + index + "++)");
        code.scope(() ->
        {
            found(row, answer, index, first);
            return null;
        });
        code.close();
        if (leaving == RowExpiry.BY_VALUE)
        {
            code.open("if (" + first + " >= 0)");
            asked(row);
            code.line("if (!" + name + "equal.add(" + first + ")) { full(\"rows\"); " + name + "leave(" + first +
                "); }");
            code.close();
        }
        return wantsLeaving() ? List.of(Operand.notNull(first, CqlType.INT)) : List.of();
    }

    /** Writes the number of rows found, and the number of the row in the replica; 0 when the source was asked. */
    private void ask(final SymbolicRow row, final String count, final String answer)
    {
        final ExpressionCode code = row.code();
        final List<Field> fields = pull.keys().stream().map(key -> new Field("key", key)).toList();
        final SymbolicRow keys = row.through(List.of(new FlowNode.Calc(pull.input(), null, fields)));
        final List<Operand> values = keys.all();
        final String asks = name + "rows.ask(" + values.stream().map(LookupJoinGenerator::boxed)
            .collect(Collectors.joining(", ")) + ')';
        if (!pull.isReplicable())
        {
            code.line("final int " + answer + " = 0;");
            code.line("final int " + count + " = " + asks + ';');
            return;
        }
        final Operand key = values.get(0);
        code.line("final int " + answer + " = " + (key.canBeNull() ? key.isNull() + " ? 0 : " : "") + name +
            "rows.find(" + (key.type() == CqlType.CHAR ? unit.keptCode(key) : key.value()) + ");");
        code.line("final int " + count + " = " + answer + " < 0 ? 1 : " +
            (key.canBeNull() ? key.isNull() + " || " : "") + name + "rows.isComplete() ? 0 : " + asks + ';');
    }

    private static String boxed(final Operand value)
    {
        final String boxed = "Values.boxed(" + value.value() + ')';
        return value.canBeNull() ? '(' + value.isNull() + " ? null : " + boxed + ')' : boxed;
    }

    /** Writes the code for a row that was found. */
    private void found(final SymbolicRow row, final String answer, final String index, final String first)
    {
        final ExpressionCode code = row.code();
        final String number = code.name("x");
        code.line("final int " + number + " = " + answer + " < 0 ? " + answer + " : " + index + ';');
        final int columns = types().size();
        final List<Operand> values = RingColumns.spread(types, kept, kept.stream().map(column ->
            column < columns ? row.get(column) : pulled(code, number, column - columns)).toList());
        if (wantsLeaving())
        {
            keep(code, kept.stream().map(values::get).toList(), first);
            return;
        }
        final SymbolicRow found = SymbolicRow.of(code, values);
        for (final ReaderEdge edge : edges)
        {
            code.scope(() ->
            {
                code.open("try");
                final SymbolicRow part = found.part();
                final SymbolicRow read = part.through(edge.calcs());
                edge.consumer().reads().forEach(read::get);
                edge.consumer().enter(read);
                part.close();
                code.close();
                return null;
            });
            code.open("catch (RowRejectedException failure)");
            code.line("reject(failure);");
            code.close();
        }
        found.close();
    }

    private Operand pulled(final ExpressionCode write, final String number, final int column)
    {
        final CqlType type = pull.pulled().types().get(column);
        if (type == CqlType.CHAR && pull.isReplicable())
        {
            // The object is there; a code is only asked for where state keeps or compares the string.
            final String at = "(" + number + ", " + column + ')';
            final String text = write.name("v");
            write.line("final String " + text + " = " + name + "rows.stringAt" + at + ';');
            return new Operand(text, '(' + text + " == null)", type, name + "rows.codeAt" + at, null)
                .either("-1, " + text);
        }
        final String method = switch (type)
        {
            case INT -> "intAt";
            case BIGINT, TIMESTAMP, INTERVAL -> "longAt";
            case FLOAT -> "floatAt";
            case DOUBLE -> "doubleAt";
            case BOOLEAN -> "booleanAt";
            case CHAR -> "stringAt";
            case BIGDECIMAL -> "(java.math.BigDecimal) objectAt";
            case XMLTYPE -> "(String) objectAt";
            case BYTE -> "(byte[]) objectAt";
            case OBJECT -> "objectAt";
        };
        final String cast = method.contains(" ") ? method.substring(0, method.indexOf(' ') + 1) : "";
        final String at = '(' + number + ", " + column + ')';
        return write.declare(cast + name + "rows." + method.substring(cast.length()) + at, name + "rows.isNull" + at,
            type);
    }

    /** Writes code that stores a row after those that were found before it, and makes it enter. */
    private void keep(final ExpressionCode code, final List<Operand> values, final String first)
    {
        final String entry = code.name("s");
        code.line("final int " + entry + " = " + name + "slab.take();");
        code.open("if (" + entry + " < 0)");
        code.line("full(\"rows\");");
        code.line("break;");
        code.close();
        final List<String> all = words.of(code, values);
        for (int i = 0; i < all.size(); i++)
        {
            code.line(name + "slab.words[" + entry + " * " + words.count() + " + " + i + "] = " + all.get(i) + ';');
        }
        code.line(name + "slab.hold(" + entry + ", true);");
        code.line(name + "slab.append(" + entry + ", " + first + "last);");
        code.line(first + "last = " + entry + ';');
        code.line("if (" + first + " < 0) " + first + " = " + entry + ';');
        code.line(name + "in(" + entry + " * " + words.count() + ");");
    }

    /** Writes the requesting row to where equal ones are looked up. */
    private void asked(final SymbolicRow row)
    {
        final List<String> values = asking.of(row.code(), row.all());
        for (int i = 0; i < values.size(); i++)
        {
            row.code().line(name + "equal.key[" + i + "] = " + values.get(i) + ';');
        }
    }

    @Override
    public void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        code.line(name + "leave(" + remembered.get(0).value() + ");");
    }

    @Override
    public void leave(final SymbolicRow row)
    {
        asked(row);
        row.code().line(name + "leave(" + name + "equal.poll());");
    }

    @Override
    public void write()
    {
        if (!wantsLeaving())
        {
            return;
        }
        final RowReaders readers = new RowReaders(edges, types);
        for (final boolean enters : new boolean[] {true, false})
        {
            final ExpressionCode code = unit.body(this::read, "final int k", "k");
            readers.give(code, enters);
            unit.method("private void " + name + (enters ? "in" : "out") + "(final int k)", code);
        }
        final ExpressionCode leave = unit.body();
        leave.open("for (int e = first; e >= 0; )");
        leave.line(name + "out(e * " + words.count() + ");");
        leave.line("final int next = " + name + "slab.next(e);");
        leave.line(name + "slab.hold(e, false);");
        leave.line(name + "slab.free(e);");
        leave.line("e = next;");
        leave.close();
        unit.method("private void " + name + "leave(final int first)", leave);
    }

    private Operand read(final Expression leaf, final ExpressionCode code)
    {
        final Operand value =
            words.read(kept.indexOf(((Expression.Column)leaf).column()), name + "slab.words", "k", true);
        return value.type() == CqlType.CHAR ? value : code.declare(value.value(), value.isNull(), value.type());
    }

    @Override
    public void beginBatch(final ExpressionCode code)
    {
        if (pull.isReplicable())
        {
            code.line(name + "rows.refresh();");
        }
    }

    @Override
    public void sweep(final ExpressionCode code)
    {
        if (leaving == RowExpiry.BY_VALUE)
        {
            code.line(name + "equal.sweep();");
        }
    }

    @Override
    public void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"Pull\", " + (wantsLeaving() ? "(long) " + name + "slab.size()" : "0L") + ");");
    }
}
