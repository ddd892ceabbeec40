package dev.millrace.cql.compiler.unit;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.unit.code.PartitionColumn;
import dev.millrace.cql.compiler.unit.code.UnitOperatorGenerator;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Assembles the methods that all units have from the parts of the operators.
 *
 * <p>Not thread-safe; used for one class.
 */
final class UnitGenerator
{
    private final UnitSource unit;
    /** Inputs first. */
    private final List<UnitOperatorGenerator> written;
    /** Those that rows can reach. */
    private List<UnitOperatorGenerator> operators;
    private final int inputs;
    private final boolean canForget;

    /**
     * @param canForget whether partitions may have to be discarded
     */
    UnitGenerator(
        final UnitSource unit, final List<UnitOperatorGenerator> operators, final int inputs, final boolean canForget)
    {
        this.canForget = canForget;
        this.unit = unit;
        written = operators;
        this.inputs = inputs;
    }

    /** Writes everything. */
    void write()
    {
        // In reverse order: an operator writes methods of its readers.
        for (int i = written.size() - 1; i >= 0; i--)
        {
            written.get(i).write();
        }
        operators = written.stream().filter(UnitOperatorGenerator::isReached).toList();
        rows();
        time();
        close();
        final ExpressionCode begin = unit.body();
        operators.forEach(operator -> operator.begin(begin));
        begin.line("close();");
        unit.method("protected void begin()", begin);
        final ExpressionCode sweep = unit.body();
        operators.forEach(operator -> operator.sweep(sweep));
        sweep.line("endOfBatch();");
        unit.method("private void sweep()", sweep);
        if (canForget)
        {
            forgetting();
        }
        forgotten();
        final ExpressionCode state = unit.body();
        operators.forEach(operator -> operator.state(state));
        unit.method("public void state(final java.util.function.ObjLongConsumer figures)", state);
    }

    private void rows()
    {
        final ExpressionCode rows = unit.body();
        operators.forEach(operator -> operator.beginBatch(rows));
        for (int i = 0; i < inputs; i++)
        {
            rows.line((i < inputs - 1 ? "if (input == " + i + ") " : "") + "rows" + i +
                "(batch, timesNs, rows, count, closesNs);" + (i < inputs - 1 ? " else" : ""));
        }
        rows.line("sweep();");
        unit.method("public void rows(final int input, final EventBatch batch, final long[] timesNs, " +
            "final int[] rows, final int count, final long closesNs)", rows);
    }

    /**
     * Writes the method that processes the instants at which something is due, up to a time; that instant stays open.
     */
    private void time()
    {
        final List<String> dues = new ArrayList<>();
        operators.stream().map(UnitOperatorGenerator::due).filter(due -> due != null).forEach(dues::add);
        if (canForget)
        {
            dues.add("forgettings.dueNs()");
        }
        final ExpressionCode time = unit.body();
        time.line("close();");
        if (!dues.isEmpty())
        {
            time.open("while (true)");
            time.line("long e = " + dues.get(0) + ';');
            dues.subList(1, dues.size()).forEach(due -> time.line("e = Math.min(e, " + due + ");"));
            time.line("if (e >= t) { calmNs = e > t ? e : BEGINNING; break; }");
            time.line("if (e > now) now = e;");
            operators.forEach(operator -> operator.atDue(time));
            arrive(time);
            time.line("close();");
            if (canForget)
            {
                time.line("forgetDue();");
            }
            time.close();
        }
        time.line("if (t > now) now = t;");
        operators.forEach(operator -> operator.atDue(time));
        arrive(time);
        unit.method("private void time(final long t)", time);
        final ExpressionCode advance = unit.body();
        advance.open("if (closedNs >= now)");
        operators.forEach(operator -> operator.beginBatch(advance));
        advance.line("time(closedNs);");
        advance.line("close();");
        if (canForget)
        {
            advance.line("forgetDue();");
        }
        advance.line("sweep();");
        advance.close();
        unit.method("public void advance(final long closedNs)", advance);
    }

    private void arrive(final ExpressionCode code)
    {
        operators.stream().filter(operator -> !operator.arrivesLast()).forEach(operator -> operator.arrive(code));
        operators.stream().filter(UnitOperatorGenerator::arrivesLast).forEach(operator -> operator.arrive(code));
    }

    /** Writes the methods by which partitions are discarded. */
    private void forgetting()
    {
        final String parameters = "(final int input, " + PartitionColumn.PARAMETERS + ')';
        final ExpressionCode waiting = unit.body();
        waiting.line("long untilNs = BEGINNING;");
        operators.forEach(operator -> operator.waiting(waiting));
        waiting.line("return untilNs;");
        unit.method("protected long lastWaitingNs" + parameters, waiting);
        final ExpressionCode drop = unit.body();
        operators.forEach(operator -> operator.drop(drop));
        unit.method("protected void dropWaiting" + parameters, drop);
        final ExpressionCode dropped = unit.body();
        operators.forEach(operator -> operator.dropped(dropped));
        unit.method("protected void dropped()", dropped);
        final ExpressionCode forget = unit.body();
        operators.forEach(operator -> operator.forget(forget));
        forget.line("close();");
        forget.line("sweep();");
        unit.method("protected void forgetNow" + parameters, forget);
        final ExpressionCode arrive = unit.body();
        arrive(arrive);
        arrive.line("close();");
        unit.method("protected void letIn()", arrive);
    }

    private void forgotten()
    {
        final String keys = operators.stream().map(UnitOperatorGenerator::forgotten).filter(each -> each != null)
            .collect(Collectors.joining(" + "));
        if (!keys.isEmpty())
        {
            final ExpressionCode code = unit.body();
            code.line("return " + keys + ';');
            unit.method("public long forgottenKeys()", code);
        }
    }

    private void close()
    {
        final ExpressionCode close = unit.body();
        operators.forEach(operator -> operator.close(close));
        close.line("instant++;");
        close.line("calmNs = BEGINNING;");
        unit.method("private void close()", close);
    }
}
