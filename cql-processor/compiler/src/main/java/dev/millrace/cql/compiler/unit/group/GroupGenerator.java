package dev.millrace.cql.compiler.unit.group;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ExpressionRewriter;
import dev.millrace.cql.compiler.unit.code.KeyTableGenerator;
import dev.millrace.cql.compiler.unit.code.PartitionColumn;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitOperatorGenerator;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * GROUP BY: a record per group, with its key, the number of the last instant in which it changed, and the words of its
 * aggregates. A group that changes is recorded once per instant with its previous words; at the end of the instant, its
 * old row leaves and its new one enters, unless they are equal for the reader.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class GroupGenerator implements UnitOperatorGenerator, RowConsumer
{
    private final UnitSource unit;
    private final FlowNode.Group group;
    private final GroupInput input;
    private final List<ReaderEdge> edges;
    private final AggregatesGenerator aggregates;
    private final RowWords keys;
    private final KeyTableGenerator table;
    private final String name;
    private final PartitionColumn partition;
    /** Whether a reader needs all rows that leave before those that enter. */
    private final boolean isInPhases;
    /** Name of the object that records when groups had their last rows; {@code null} when groups stay. */
    private final String idle;
    /** Step of the window, when a value changes with it. */
    private final String step;
    /** The window below when it is stored as panes; {@code null} for others. */
    private final PaneGenerator panes;
    /** The period of a tumbling window; {@code null} for others. */
    private final String period;
    /** Number of the instant, or of the period, that is open. */
    private final String open;
    /** Whether most rows that enter change nothing in the output. */
    private final boolean isCalm;
    /** Indexes in a record. */
    private final int stampAt;
    private final int wordsAt;

    /**
     * @param partition of the rows, by the index of the key; {@code null} when nothing needs to be discarded here,
     *                  since rows of windows leave
     * @param canBeIdle whether groups without rows for a time are discarded
     */
    public GroupGenerator(final UnitSource unit, final FlowNode.Group group, final GroupInput input,
        final List<ReaderEdge> edges,
        final PartitionColumn partition, final boolean canBeIdle)
    {
        this.partition = partition;
        this.unit = unit;
        this.group = group;
        this.input = input;
        this.edges = edges;
        name = unit.name("g");
        idle = canBeIdle && hasKeys() && input == GroupInput.GROWING ? name + "idle" : null;
        aggregates =
            new AggregatesGenerator(unit, name, group, input.ofAggregates(), partition != null || idle != null);
        final List<CqlType> types = group.keys().stream().map(group.input().rows().types()::get).toList();
        keys = new RowWords(unit, types, Collections.nCopies(types.size(), true));
        stampAt = keys.count();
        wordsAt = stampAt + 1;
        panes = input != GroupInput.PANES ? null :
            new PaneGenerator(unit, name, group, range(group.input()), wordsAt + aggregates.words());
        table = new KeyTableGenerator(unit, name + "keys", keys,
            1 + aggregates.words() + (panes == null ? 0 : PaneGenerator.WORDS),
            hasKeys() ? "maxRows" : "1");
        if (panes != null)
        {
            aggregates.overPanes(panes.ring());
        }
        unit.numbers("int[]", name + "touched", "new int[16]");
        isInPhases = edges.stream().anyMatch(edge -> edge.consumer().wantsLeavingFirst());
        if (isInPhases)
        {
            unit.scratch("int[]", name + "again", "new int[16]");
        }
        unit.numbers("long[]", name + "old", "new long[16 * " + aggregates.words() + ']');
        unit.numbers("int", name + "count");
        if (idle != null)
        {
            unit.field("final IdleStateSweeper", idle, "new IdleStateSweeper(idleNs, memory)");
        }
        isCalm = idle == null && aggregates.areExtremes() &&
            (input == GroupInput.GROWING || input == GroupInput.TIMED);
        step = aggregates.hasTick() ? unit.number(range(group.input()).slideNs(), CqlType.BIGINT) : null;
        if (aggregates.hasTick())
        {
            unit.numbers("long", name + "next", "BEGINNING");
        }
        period = isTumbling() ? unit.number(range(group.input()).slideNs(), CqlType.BIGINT) : null;
        open = isTumbling() ? name + "open" : "instant";
        if (isTumbling())
        {
            unit.numbers("long", open, "1L");
            unit.numbers("long", name + "ends", "NEVER");
            unit.numbers("int[]", name + "shown", "new int[16]");
            unit.numbers("int", name + "shownCount");
        }
    }

    /** Whether it has its own window, and rows arrive directly. */
    public boolean hasWindow()
    {
        return isTumbling() || panes != null;
    }

    /** Whether rows are visible when their period has ended. */
    private boolean isTumbling()
    {
        return input == GroupInput.TUMBLING;
    }

    @Override
    public boolean isTicked()
    {
        return hasWindow();
    }

    private boolean hasKeys()
    {
        return !group.keys().isEmpty();
    }

    /** Columns of its rows by which they are grouped. */
    public List<Integer> keys()
    {
        return group.keys();
    }

    @Override
    public List<Integer> reads()
    {
        final List<Integer> all = new ArrayList<>(group.keys());
        all.addAll(aggregates.reads());
        return all;
    }

    @Override
    public boolean wantsLeaving()
    {
        return input != GroupInput.GROWING && !hasWindow();
    }

    @Override
    public boolean wantsLeavingTimes()
    {
        return aggregates.isTimed();
    }

    @Override
    public void over(final RingColumns ring)
    {
        aggregates.over(ring);
    }

    @Override
    public List<CqlType> types()
    {
        return group.input().rows().types();
    }

    @Override
    public List<Operand> enter(final SymbolicRow row)
    {
        final List<Operand> remembered = new ArrayList<>();
        final ExpressionCode code = row.code();
        aggregates.lookUp(row);
        if (isTumbling())
        {
            code.line("if (" + name + "ends == NEVER) " + name + "begin();");
        }
        if (panes != null)
        {
            panes.open(row);
        }
        final String id = find(row);
        if (hasKeys())
        {
            row.open("if (" + id + " < 0) full(\"groups\"); else");
        }
        if (panes != null)
        {
            panes.enter(row, id, id + " * " + table.width(), dies(id));
            return remembered;
        }
        final String isFirst = name + "keys.records[" + id + " * " + table.width() + " + " + wordsAt + "] == 0L";
        final List<Operand> values = aggregates.entering(row, id, isFirst, hasKeys() ?
            "if (" + isFirst + ") " + name + "keys.dies(" + id + ");" : "");
        change(code, id, values, 1, added(row));
        remembered.add(Operand.notNull(id, CqlType.INT));
        remembered.addAll(values);
        return remembered;
    }

    /** Statement for a group that has no more rows. */
    private String dies(final String id)
    {
        return hasKeys() ? name + "keys.dies(" + id + ");" : "";
    }

    @Override
    public Keyed keyed()
    {
        return hasKeys() ? new Keyed(table, group.keys()) : null;
    }

    /** Writes the look-up of a row's group. */
    private String find(final SymbolicRow row)
    {
        if (!hasKeys())
        {
            return "0";
        }
        final List<Operand> key = group.keys().stream().map(row::get).toList();
        final String known = row.storedVariable(group.keys(), "int", "id");
        return known == null ? table.find(row, key) : table.find(row.code(), key, known, wordsAt);
    }

    /**
     * Whether rows that have entered with one row of a side of a join can leave together: their contributions are
     * removed at once.
     */
    public boolean canLeaveTogether()
    {
        return input == GroupInput.TIMED && hasKeys() && aggregates.areAdditive();
    }

    /** For rows that leave together: returns variables at their origin that sum their contributions to the group. */
    private UnaryOperator<String> added(final SymbolicRow row)
    {
        return row.addsUp() ? what -> row.storedVariable(group.keys(), "long", what) : null;
    }

    /** Writes the code for all rows leaving that have entered with one row of a side of a join. */
    public void leaveTogether(final SymbolicRow row)
    {
        final ExpressionCode code = row.code();
        final UnaryOperator<String> added = added(row);
        row.open("if (" + added.apply("s") + " != 0L)");
        final String id = find(row);
        row.open("if (" + id + " >= 0)");
        code.line("final long[] r = " + name + "keys.records;");
        code.line("final int o = " + id + " * " + table.width() + " + " + wordsAt + ';');
        code.line("if (r[o - 1] != " + open + ") " + name + "touch(" + id + ", o);");
        aggregates.takeOff(code, added, "r", "o");
        code.line("if (r[o] == 0L) " + name + "keys.dies(" + id + ");");
    }

    private void change(final ExpressionCode code, final String id, final List<Operand> values, final int sign,
        final UnaryOperator<String> added)
    {
        final String record = code.name("r");
        final String at = code.name("o");
        code.line("final long[] " + record + " = " + name + "keys.records;");
        code.line("final int " + at + " = " + id + " * " + table.width() + " + " + wordsAt + ';');
        final String isOther = sign > 0 && isCalm ? " && (" + record + '[' + at + "] == 0L || " +
            aggregates.changes(record, at) + ')' : "";
        code.line("if (" + record + '[' + at + " - 1] != " + open + isOther + ") " + name + "touch(" + id + ", " + at +
            ");");
        aggregates.change(code, values, id, record, at, sign, added);
        if (sign < 0 && hasKeys())
        {
            code.line("if (" + record + '[' + at + "] == 0L) " + name + "keys.dies(" + id + ");");
        }
    }

    @Override
    public void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        final String id = code.name("g");
        code.line("final int " + id + " = " + remembered.get(0).value() + ';');
        change(code, id, remembered.subList(1, remembered.size()), -1, null);
    }

    @Override
    public void leave(final SymbolicRow row)
    {
        final String id = find(row);
        if (hasKeys())
        {
            // It was rejected when there was no capacity for its group.
            row.open("if (" + id + " >= 0)");
            row.open("if (" + name + "keys.records[" + id + " * " + table.width() + " + " + wordsAt + "] == 0L) " +
                name + "keys.dies(" + id + "); else");
        }
        change(row.code(), id, aggregates.leaving(row, id), -1, added(row));
    }

    @Override
    public void write()
    {
        final int size = aggregates.words();
        final ExpressionCode touch = unit.body();
        touch.line("final long[] r = " + name + "keys.records;");
        touch.line("r[o - 1] = " + open + ';');
        touch.open("if (" + name + "count == " + name + "touched.length)");
        touch.line(name + "touched = java.util.Arrays.copyOf(" + name + "touched, " + name + "count * 2);");
        touch.line(name + "old = java.util.Arrays.copyOf(" + name + "old, " + name + "old.length * 2);");
        touch.close();
        touch.line("System.arraycopy(r, o, " + name + "old, " + name + "count * " + size + ", " + size + ");");
        if (isTumbling())
        {
            touch.line("java.util.Arrays.fill(r, o, o + " + size + ", 0L);");
            tumble();
        }
        touch.line(name + "touched[" + name + "count++] = g;");
        unit.method("private void " + name + "touch(final int g, final int o)", touch);
        if (panes != null)
        {
            final ExpressionCode panesStep = unit.body();
            panes.step(panesStep, "if (r[o - 1] != instant) " + name + "touch(g, o);", dies("g"), table.width(),
                wordsAt, aggregates);
            unit.method("private void " + panes.ring() + "()", panesStep);
        }
        for (int i = 0; i < edges.size(); i++)
        {
            new GroupChangeGenerator(unit, edges.get(i), columns(), group.keys().size(), this::read)
                .write(name + "show" + i, head());
        }
        if (partition != null || idle != null)
        {
            writeForget();
        }
    }

    /** Writes the methods that discard a group, the groups of some partitions, and idle groups. */
    private void writeForget()
    {
        final ExpressionCode code = unit.body();
        code.line("final long[] r = " + name + "keys.records;");
        code.line("final int o = g * " + table.width() + " + " + wordsAt + ';');
        code.line("if (r[o - 1] != instant) " + name + "touch(g, o);");
        aggregates.forget(code, "r", "o");
        code.line(name + "keys.dies(g);");
        unit.method("private void " + name + "forget(final int g)", code);
        if (partition != null)
        {
            final ExpressionCode all = unit.body();
            all.line("final long[] r = " + name + "keys.records;");
            all.open("for (int g = 0; g < " + name + "keys.ids(); g++)");
            all.line("final int k = g * " + table.width() + ';');
            all.open("if (r[k + " + wordsAt + "] > 0L && " +
                partition.test(keys.read(partition.column(), "r", "k", true)) + ')');
            all.line(name + "forget(g);");
            all.line(idle == null ? "" : idle + ".gone(g);");
            all.close();
            all.close();
            unit.method("private void " + name + "forget(" + PartitionColumn.PARAMETERS + ')', all);
        }
        if (idle != null)
        {
            final ExpressionCode sweep = unit.body();
            sweep.open("for (int j = 0; j < " + name + "count; j++)");
            sweep.line("final int g = " + name + "touched[j];");
            sweep.line("if (" + name + "keys.records[g * " + table.width() + " + " + wordsAt + "] > 0L) " + idle +
                ".touched(g, now);");
            sweep.close();
            sweep.line(idle + ".begin(" + name + "count);");
            sweep.line("for (int g = " + idle + ".next(now); g >= 0; g = " + idle + ".next(now)) " + name +
                "forget(g);");
            unit.method("private void " + idle + "()", sweep);
        }
    }

    @Override
    public void forget(final ExpressionCode code)
    {
        PartitionColumn.call(partition, code, name + "forget");
    }

    @Override
    public String forgotten()
    {
        return idle == null ? null : idle + ".forgotten()";
    }

    /** Writes the methods that start a period and remove the values of groups of the previous one at its end. */
    private void tumble()
    {
        final ExpressionCode begin = unit.body();
        begin.line(name + "ends = PeriodMath.up(now, " + period + ");");
        begin.line("if (" + name + "ends < calmNs) calmNs = " + name + "ends;");
        unit.method("private void " + name + "begin()", begin);
        final ExpressionCode last = unit.body();
        last.open("for (int i = 0; i < " + name + "shownCount; i++)");
        last.line("final int o = " + name + "shown[i] * " + table.width() + " + " + wordsAt + ';');
        last.open("if (" + name + "keys.records[o - 1] != " + open + ')');
        last.line(name + "touch(" + name + "shown[i], o);");
        if (hasKeys())
        {
            last.line(name + "keys.dies(" + name + "shown[i]);");
        }
        last.close();
        last.close();
        unit.method("private void " + name + "last()", last);
        final ExpressionCode ended = unit.body();
        ended.line("if (" + name + "shown.length < " + name + "count) " + name + "shown = new int[" + name +
            "touched.length];");
        ended.line(name + "shownCount = 0;");
        ended.open("for (int j = 0; j < " + name + "count; j++)");
        ended.line("final int g = " + name + "touched[j];");
        ended.line("if (" + name + "keys.records[g * " + table.width() + " + " + wordsAt + "] != 0L) " + name +
            "shown[" + name + "shownCount++] = g;");
        ended.close();
        ended.line(open + "++;");
        ended.line(name + "ends = " + name + "shownCount > 0 ? PeriodMath.plus(now, " + period + ") : NEVER;");
        unit.method("private void " + name + "ended()", ended);
    }

    /** First statements of the method that emits a change. */
    private List<String> head()
    {
        return List.of("final long[] r = " + name + "keys.records;", "final long[] old = " + name + "old;",
            "final int g = " + name + "touched[j];", "final int k = g * " + table.width() + ';',
            "final int o = k + " + wordsAt + ';',
            "final int b = j * " + aggregates.words() + ';');
    }

    /** Columns of the old row, followed by those of the new one; keys are equal in both. */
    private List<Expression> columns()
    {
        final List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < group.rows().size(); i++)
        {
            columns.add(new Expression.Column(i, group.rows().types().get(i), true));
        }
        for (int i = 0; i < group.rows().size(); i++)
        {
            final int column = i < group.keys().size() ? i : i + group.rows().size();
            columns.add(new Expression.Column(column, group.rows().types().get(i), true));
        }
        return columns;
    }

    private Operand read(final Expression leaf, final ExpressionCode code)
    {
        final int column = ((Expression.Column)leaf).column();
        final int size = group.rows().size();
        if (column < group.keys().size())
        {
            final Operand key = keys.read(column, "r", "k", true);
            return key.type() == CqlType.CHAR ? key : code.declare(key.value(), key.isNull(), key.type());
        }
        final boolean isOld = column < size;
        final Operand value = aggregates.value(code, (isOld ? column : column - size) - group.keys().size(), "g", isOld,
            isOld ? "old" : "r", isOld ? "b" : "o");
        return code.declare(value.value(), value.isNull(), value.type());
    }

    @Override
    public void begin(final ExpressionCode code)
    {
        if (!hasKeys())
        {
            code.line(name + "keys.findOrAdd();");
            code.line(name + "touch(0, " + wordsAt + ");");
            code.line(name + "old[0] = -1L;");
            if (isTumbling())
            {
                code.line(name + "ends = now;");
            }
        }
    }

    @Override
    public void close(final ExpressionCode code)
    {
        if (aggregates.hasTick())
        {
            code.line("if (now >= " + name + "next) " + name + "tick();");
            tick();
        }
        if (panes != null)
        {
            code.line("if (" + panes.ring() + ".dueNs() <= now) " + panes.ring() + "();");
        }
        code.line("if (" + (isTumbling() ? name + "ends <= now" : name + "count > 0") + ") " + name + "close();");
        writeClose();
    }

    /** Writes the method that emits the changes of groups at the end of an instant or period. */
    private void writeClose()
    {
        final ExpressionCode body = unit.body();
        if (idle != null)
        {
            body.line(idle + "();");
        }
        if (isTumbling())
        {
            body.line(name + "last();");
        }
        body.line("final int n = " + name + "count;");
        compute(body);
        show(body);
        if (aggregates.hasFunctions())
        {
            body.open("for (int j = 0; j < n; j++)");
            aggregates.shown(body, name + "touched[j]", !hasKeys() ? "false" : name + "keys.records[" + name +
                "touched[j] * " + table.width() + " + " + wordsAt + "] == 0L");
            body.close();
        }
        if (isTumbling())
        {
            body.line(name + "ended();");
        }
        body.line(name + "count = 0;");
        unit.method("private void " + name + "close()", body);
    }

    /** Writes the computation of values that are not kept up to date with each row. */
    private void compute(final ExpressionCode body)
    {
        if (aggregates.hasTick())
        {
            body.line("for (int j = 0; j < n; j++) " + name + "keys.records[" + name + "touched[j] * " + table.width() +
                " + " + (wordsAt + aggregates.tick()) + "] = " + name + "next - " + step + ';');
        }
        if (aggregates.hasFunctions() || aggregates.isTimed())
        {
            body.open("for (int j = 0; j < n; j++)");
            body.line("final int o = " + name + "touched[j] * " + table.width() + " + " + wordsAt + ';');
            aggregates.compute(body, name + "touched[j]", name + "keys.records", "o");
            body.close();
        }
    }

    /** Writes the calls that pass the old and new rows of changed groups to the readers. */
    private void show(final ExpressionCode body)
    {
        for (int i = 0; i < edges.size(); i++)
        {
            final String show = name + "show" + i;
            if (edges.get(i).consumer().wantsLeavingFirst())
            {
                body.line("if (n == 1) " + show + "(0, 3);");
                body.open("else");
                body.line("if (" + name + "again.length < n) " + name + "again = new int[" + name + "touched.length];");
                body.line("final int[] again = " + name + "again;");
                body.line("int m = 0;");
                body.line("for (int j = 0; j < n; j++) if (" + show + "(j, 1)) again[m++] = j;");
                body.line("for (int i = 0; i < m; i++) " + show + "(again[i], 2);");
                body.close();
            }
            else
            {
                body.line("for (int j = 0; j < n; j++) " + show + "(j, 3);");
            }
        }
    }

    /** Writes the method for a time at which the window is evaluated: the values of all groups with rows may change. */
    private void tick()
    {
        final ExpressionCode code = unit.body();
        code.line(name + "next = now == BEGINNING ? now : PeriodMath.plus(now - Math.floorMod(now, " + step + "), " +
            step +
            ");");
        code.open("for (int g = 0; g < " + name + "keys.ids(); g++)");
        code.line("final int o = g * " + table.width() + " + " + wordsAt + ';');
        code.line("if (" + name + "keys.records[o] > 0L && " + name + "keys.records[o - 1] != instant) " + name +
            "touch(g, o);");
        code.close();
        unit.method("private void " + name + "tick()", code);
    }

    /** The only window below. */
    private static WindowSpec.Range range(final FlowNode node)
    {
        return node instanceof FlowNode.Window window && window.window() instanceof WindowSpec.Range range ? range :
            range(node.inputs().get(0));
    }

    @Override
    public String due()
    {
        final String hasRows = hasKeys() ? name + "keys.size() > 0" : name + "keys.records[" + wordsAt + "] > 0L";
        final String next = aggregates.hasTick() ? '(' + hasRows + " ? " + name + "next : NEVER)" : null;
        final String step = panes == null ? null : panes.ring() + ".dueNs()";
        return isTumbling() ? name + "ends" :
            next != null && step != null ? "Math.min(" + next + ", " + step + ')' : next != null ? next : step;
    }

    @Override
    public void sweep(final ExpressionCode code)
    {
        if (hasKeys())
        {
            code.line(name + "keys.sweep(" + (panes == null ? wordsAt : panes.recordsAt()) + ", " + stampAt + ", " +
                open + ");");
        }
        aggregates.sweep(code);
    }

    @Override
    public void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"Group\", (long) " + name + "keys.size());");
        if (panes != null)
        {
            panes.state(code);
        }
        aggregates.state(code);
    }

    /** Whether the rows that an edge passes are different for different groups. */
    public static boolean keepsKeys(final FlowNode.Group group, final List<FlowNode.Calc> calcs)
    {
        final List<Expression> row = new ArrayList<>();
        for (int i = 0; i < group.rows().size(); i++)
        {
            row.add(new Expression.Column(i, group.rows().types().get(i), true));
        }
        final List<Expression> last = ExpressionRewriter.behind(calcs, row);
        for (int i = 0; i < group.keys().size(); i++)
        {
            final int key = i;
            if (last.stream().noneMatch(each -> each instanceof Expression.Column column && column.column() == key))
            {
                return false;
            }
        }
        return true;
    }
}
