package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.ClassMaker;
import dev.millrace.cql.compiler.GeneratedName;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.expression.StaticConstants;
import dev.millrace.cql.compiler.expression.TermMethods;
import dev.millrace.cql.compiler.pattern.AttemptLayout.Kept;
import dev.millrace.cql.compiler.pattern.AttemptLayout.Register;
import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.PatternChoice;
import dev.millrace.cql.compiler.pattern.PatternClass;
import dev.millrace.cql.compiler.pattern.PatternPaths;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.PatternExpression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.runtime.flow.RowLayout;
import dev.millrace.cql.runtime.pattern.PatternProgram;
import dev.millrace.cql.runtime.pattern.attempt.AttemptPattern;
import dev.millrace.cql.runtime.pattern.attempt.AttemptSetup;
import dev.millrace.cql.runtime.state.StateShape;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes a pattern whose attempts are records as one class of Java text and compiles it.
 *
 * <p>Used by one thread, for one pattern. Failure: {@link IllegalStateException} when the text does not compile, which
 * is a bug of the generator.
 */
final class AttemptGenerator
{
    private static final String PACKAGE = "dev.millrace.cql.generated";
    /** Stands for the name of a class until its text is complete. */
    private static final String ANY_NAME = "GeneratedAttempts";
    /** Of the table that finds a partition. */
    private static final int PLACE_BYTES = 12;
    /** Far more than any aggregate takes. */
    private static final int MAX_ARGUMENTS = 100;

    private final FlowNode.Match match;
    private final PatternSpec spec;
    private final PatternProgram program;
    private final PatternChoice choice;
    private final PatternPaths paths;
    private final AttemptLayout layout;
    private final AttemptConditions conditions;
    private final AttemptInput input;
    private final AttemptTime time;
    private final boolean isOrdered;
    private final boolean isRecord;
    /** Whether an attempt has several labellings, of which the best counts. */
    private final boolean hasRanks;
    /** Whether a row may take an attempt to several positions. */
    private final boolean forks;
    private final boolean copies;
    private final boolean hasHistory;
    private final boolean readsAhead;
    /** Whether matches that read rows behind them wait apart from attempts, since these may be older. */
    private final boolean waitsApart;
    private final boolean showsUnmatched;
    private final StaticConstants constants = new StaticConstants();
    private final StringBuilder methods = new StringBuilder();
    private final TermMethods terms =
        new TermMethods("terms", "private", AttemptLeaves.PARAMETERS, AttemptLeaves.ARGUMENTS);
    private final TermMethods argumentTerms = new TermMethods("argumentTerms", "private", "", "");
    private final TermMethods rowTerms = new TermMethods("rowTerms", "private",
        "final int variable", "variable");
    private final TermMethods recordTerms = new TermMethods("recordTerms", "private",
        AttemptLeaves.PARAMETERS + ", final int variable", AttemptLeaves.ARGUMENTS + ", variable");
    /** Words of an attempt from its first one, the link, on; -1 for those that it does not have. */
    private final int expiresAt;
    private final int startAt;
    private final int endAt;
    private final int lastAt;
    private final int labelAt;
    private final int limitAt;
    private final int periodAt;
    private final int labellingAt;
    private final int registersAt;
    private final int copyAt;
    private final int attemptWords;
    /** Words of a partition; -1 for those that it does not have. */
    private final int lastTimeAt;
    private final int numberAt;
    private final int queueAt;
    private final int matchedAt;
    private final int waitingAt;
    private final int reportsAt;
    private final int linkAt;
    private final int partitionWords;
    private final int partitionReferences;

    AttemptGenerator(final FlowNode.Match match, final PatternProgram program, final PatternChoice choice,
        final boolean isOrdered)
    {
        this.match = match;
        this.program = program;
        this.choice = choice;
        this.isOrdered = isOrdered;
        spec = match.pattern();
        paths = choice.paths();
        layout = choice.layout();
        conditions = new AttemptConditions(spec, program, choice);
        isRecord = choice.kind() == PatternClass.RECORD;
        hasRanks = choice.kind() == PatternClass.LABELLINGS;
        forks = spec.allMatches() || hasRanks;
        copies = !forks && choice.mayFallBack();
        hasHistory = choice.hasHistory();
        readsAhead = !layout.ahead().isEmpty();
        waitsApart = readsAhead && (spec.allMatches() || spec.durationNs() > 0);
        showsUnmatched = program.rules().unmatched();
        int next = hasHistory ? 2 : 1;
        labelAt = hasHistory ? next++ : -1;
        expiresAt = spec.withinNs() > 0 || spec.durationNs() > 0 ? next++ : -1;
        startAt = isOrdered || hasRanks || choice.skipsToRow() ? next++ : -1;
        // Without a match that goes on its beginning is not read any more when its end is known.
        endAt = spec.allMatches() && !waitsApart ? -1 :
            isOrdered && !forks && !choice.goesOn() && !choice.skipsToRow() ? startAt : next++;
        lastAt = choice.skipsToRow() || hasHistory ? next++ : -1;
        limitAt = choice.hasTicks() && !spec.allMatches() ? next++ : -1;
        periodAt = spec.durationColumn() >= 0 && spec.durationRepeats() ? next++ : -1;
        labellingAt = spec.allMatches() && program.isAmbiguous() ? next++ : -1;
        registersAt = next;
        copyAt = copies ? registersAt + layout.words() : registersAt;
        attemptWords = copyAt + layout.words() + (copies ? 1 : 0);
        int words = layout.partitionWords();
        lastTimeAt = choice.readsLastTime() ? words++ : -1;
        numberAt = program.readsNumber() ? words++ : -1;
        queueAt = layout.queued().isEmpty() && !readsAhead && !showsUnmatched ? -1 : words++;
        matchedAt = showsUnmatched ? words++ : -1;
        waitingAt = waitsApart ? words++ : -1;
        reportsAt = limitAt < 0 ? -1 : words++;
        linkAt = isRecord ? words : -1;
        partitionWords = isRecord ? words + attemptWords : words;
        partitionReferences = layout.partitionReferences() + (isRecord ? attemptReferences() : 0);
        input = new AttemptInput(match.input().rows(), layout, choice.timeColumn(), lastTimeAt);
        time = new AttemptTime(spec, choice, leaves(""), expiresAt, registersAt, lastTimeAt);
        input();
        conditions();
        registers();
        measures();
        walk();
        time();
    }

    private int attemptReferences()
    {
        return layout.references() * (copies ? 2 : 1);
    }

    /** Reads the record of an attempt. */
    private AttemptLeaves leaves(final String prefix)
    {
        return new AttemptLeaves(layout, registersAt, prefix, isRecord ? "partitions.reference(p, " :
            "attempts.reference(" + prefix + "id, ", isRecord ? layout.partitionReferences() : 0, numberAt);
    }

    /** Reads what an attempt was when it was complete. */
    private AttemptLeaves leavesOfMatch(final String prefix)
    {
        return !copies ? leaves(prefix) : new AttemptLeaves(layout, copyAt, prefix,
            isRecord ? "partitions.reference(p, " : "attempts.reference(" + prefix + "id, ",
            (isRecord ? layout.partitionReferences() : 0) + layout.references(), numberAt);
    }

    private ExpressionCode code(final int variable)
    {
        final AttemptLeaves leaves = leaves("");
        return new ExpressionCode(constants, (leaf, code) -> leaves.ofCondition(leaf, variable, code),
            terms);
    }

    private void method(final String heading, final String body)
    {
        methods.append("  ").append(heading).append(" {\n").append(body).append("  }\n");
    }

    private void input()
    {
        method("public void take(final EventBatch batch, final long[] timesNs, final int[] rows, final int count)",
            input.ofBatch());
        method("private void remember(final long[] r, final int o, final int p)", input.remember());
        method("protected boolean isAmong(final int partition, final PartitionTest test, final int column)",
            input.isAmong());
        method("private int find()", input.find());
        if (!layout.keys().isEmpty())
        {
            method("private int lookUp()", input.lookUp(isRecord ? "      touched += r[o + " + linkAt + "];\n" :
                "      final int id = (int) (r[o] >> 32);\n" +
                "      if (id >= 0) touched += attempts.chunk(id)[attempts.at(id)];\n"));
        }
        if (!layout.computed().isEmpty())
        {
            method("private void arguments()", arguments());
        }
    }

    /** The body that computes what may not be computable of the row at hand. */
    private String arguments()
    {
        final ExpressionCode code = new ExpressionCode(constants, (leaf, writer) -> AttemptLeaves.ofRow(leaf),
            argumentTerms);
        for (int i = 0; i < layout.computed().size(); i++)
        {
            final Operand value = code.write(layout.computed().get(i));
            code.line("noArgument" + i + " = " + value.isNull() + ';');
            code.line("argument" + i + " = " + value.value() + ';');
        }
        return code.text();
    }

    private void conditions()
    {
        final String result = forks ? "long" : "int";
        final String limit = expiresAt < 0 ? "" : "    if (nowNs >= a[q + " + expiresAt + "]) return " +
            (forks ? "0L" : "DEAD") + ";\n";
        final String at = "(int) (link >>> POSITION_SHIFT) & POSITIONS";
        if (conditions.isTable())
        {
            method("private int bitsOfRow(final long[] r, final int o, final int p)",
                conditions.bitsOfRow(this::code));
            method("private int bitsOfAttempt(" + AttemptLeaves.PARAMETERS + ", final int bits)",
                conditions.readsAttempts() ? conditions.bitsOfAttempt(this::code) : "    return bits;\n");
            method("private " + result + " step(" + AttemptLeaves.PARAMETERS + ", final int bits)", limit +
                "    return NEXT[(" + at + ") << " + conditions.bitCount() + " | bitsOfAttempt(" +
                AttemptLeaves.ARGUMENTS + ", bits)];\n");
            return;
        }
        for (int i = 0; i < spec.conditions().size(); i++)
        {
            if (spec.conditions().get(i) != null)
            {
                condition(i, spec.conditions().get(i));
            }
        }
        // Positions of a repetition that is written out look alike.
        final Map<String, StringBuilder> alike = new LinkedHashMap<>();
        for (int i = 0; i < paths.size(); i++)
        {
            alike.computeIfAbsent(conditions.steps(paths.follow(i), "FOLLOW[at]", AttemptLeaves.ARGUMENTS),
                text -> new StringBuilder()).append("      case ").append(i).append(":\n");
        }
        final StringBuilder cases = new StringBuilder();
        alike.forEach((text, positions) -> cases.append(positions).append("        ").append(text));
        method("private " + result + " step(" + AttemptLeaves.PARAMETERS + ')', limit + "    final int at = " + at +
            ";\n    switch (at) {\n" + cases + "      default: throw new IllegalStateException();\n    }\n");
        method("private " + result + " first(" + AttemptLeaves.PARAMETERS + ')',
            "    " + conditions.steps(paths.first(), "FIRST", AttemptLeaves.ARGUMENTS));
    }

    private void condition(final int variable, final Expression condition)
    {
        final ExpressionCode code = code(variable);
        code.line("return " + code.condition(condition) + ';');
        final String name = conditions.isRowLocal(variable) ? "computes" : "holds";
        method("private boolean " + name + variable + '(' + AttemptLeaves.PARAMETERS + ')', code.text());
        if (conditions.isRowLocal(variable))
        {
            final long known = 1L << variable;
            method("private boolean holds" + variable + '(' + AttemptLeaves.PARAMETERS + ')', "    if ((tested & " +
                known + "L) == 0L) {\n      truth = computes" + variable + '(' + AttemptLeaves.ARGUMENTS +
                ") ? truth | " + known + "L : truth & ~" + known + "L;\n      tested |= " + known +
                "L;\n    }\n    return (truth & " + known + "L) != 0L;\n");
        }
    }

    /** How registers follow the rows of an attempt. */
    private void registers()
    {
        final StringBuilder cases = new StringBuilder();
        final AttemptLeaves leaves = leaves("");
        // A row moves on to the register behind before the next one takes its place.
        final List<Register> lastFirst = layout.registers().stream().sorted(Comparator.comparing(
            (Register each) -> !each.isOfEarlierLabel()).thenComparing(each -> -each.offset())).toList();
        for (int i = 0; i < spec.variables().size(); i++)
        {
            final ExpressionCode code = code(i);
            boolean changes = false;
            for (final Register register : lastFirst)
            {
                if ((register.variables() & 1L << i) != 0)
                {
                    leaves.update(register, i, code);
                    changes = true;
                }
            }
            if (changes)
            {
                method("private long label" + i + '(' + AttemptLeaves.PARAMETERS + ')', "    long flags = link;\n" +
                    code.text() + "    return flags;\n");
                cases.append("      case ").append(i).append(": return label").append(i).append('(')
                    .append(AttemptLeaves.ARGUMENTS).append(");\n");
            }
        }
        method("private long label(" + AttemptLeaves.PARAMETERS + ", final int to)", "    switch (LABELS[to]) {\n" +
            cases + "      default: return link;\n    }\n");
        final String begin = begin();
        method("private long begin(final long[] r, final int o, final int p, final long[] a, final int q, " +
            "final int id, final int to)", begin + "    return go(r, o, p, a, q, id, 0L, to);\n");
        method("private long go(" + AttemptLeaves.PARAMETERS + ", final int to)", "    long flags = label(" +
            AttemptLeaves.ARGUMENTS + ", to) & ~POSITION | (long) to << POSITION_SHIFT;\n" + (hasHistory ?
            "    a[q + " + labelAt + "] = to;\n    a[q + " + lastAt + "] = arrival;\n" : "") +
            (forks ? "" : complete()) + "    return flags;\n");
        if (program.mayBeEmpty())
        {
            final ExpressionCode code = code(0);
            layout.registers().stream().filter(each -> each.kind() == AttemptLayout.Kind.ROW)
                .forEach(each -> leaves.update(each, 0, code));
            method("private long empty(" + AttemptLeaves.PARAMETERS + ')', begin + "    a[q + " + labelAt +
                "] = NONE;\n    a[q + " + lastAt + "] = arrival;\n    long flags = 0L;\n" + code.text() +
                "    return flags;\n");
            method("private void addEmpty(final long[] r, final int o, final int p)", complete(AttemptText.ADD_EMPTY));
        }
        if (hasHistory)
        {
            method("public int variable(final int row)", "    final int to = (int) attempts.chunk(row)" +
                "[attempts.at(row) + " + labelAt + "];\n    return to < 0 ? NONE : LABELS[to];\n");
            functions();
        }
    }

    /** The beginning of an attempt. */
    private String begin()
    {
        final StringBuilder begin = new StringBuilder();
        for (int i = 0; i < layout.words(); i++)
        {
            begin.append("    a[q + ").append(registersAt + i).append("] = 0L;\n");
        }
        final boolean isOwn = spec.durationColumn() >= 0;
        if (expiresAt >= 0)
        {
            begin.append("    a[q + ").append(expiresAt).append("] = plus(nowNs, ")
                .append(isOwn ? "periodNs()" : time.limitNs() + "L").append(");\n");
        }
        if (periodAt >= 0)
        {
            begin.append("    a[q + ").append(periodAt).append("] = periodNs();\n");
        }
        if (labellingAt >= 0)
        {
            begin.append("    a[q + ").append(labellingAt).append("] = 0L;\n");
        }
        if (startAt >= 0)
        {
            begin.append("    a[q + ").append(startAt).append("] = arrival;\n");
        }
        return begin.toString();
    }

    /** The arguments of aggregates that are computed over all rows of a match. */
    private void functions()
    {
        final StringBuilder cases = new StringBuilder();
        for (int i = 0; i < layout.functions().size(); i++)
        {
            final List<Expression> arguments = layout.functions().get(i).arguments();
            for (int j = 0; j < arguments.size(); j++)
            {
                final String name = "argument" + i + '_' + j;
                argument(name + "OfRow", "final int variable", arguments.get(j), false);
                argument(name, "final int p, final int id, final int variable", arguments.get(j), true);
                cases.append("      case ").append(i * MAX_ARGUMENTS + j).append(": return row < 0 ? ").append(name)
                    .append("OfRow(variable) : ").append(name).append("(partition, row, variable);\n");
            }
        }
        method("public Object argument(final int aggregate, final int index, final int partition, final int row, " +
            "final int variable)", "    switch (aggregate * " + MAX_ARGUMENTS + " + index) {\n" + cases +
            "      default: throw new IllegalStateException();\n    }\n");
    }

    private void argument(
        final String name, final String parameters, final Expression argument, final boolean isOfRecord)
    {
        final AttemptLeaves leaves = leaves("");
        final ExpressionCode code = new ExpressionCode(constants,
            (leaf, writer) -> leaves.ofArgument(leaf, isOfRecord, writer), isOfRecord ? recordTerms : rowTerms);
        final Operand value = leaves.ofArguments(argument, isOfRecord, code);
        code.line("return " + (value.canBeNull() ? value.isNull() + " ? null : " : "") + "(Object) (" + value.value() +
            ");");
        method("private Object " + name + '(' + parameters + ')', (isOfRecord ?
            "    final long[] r = partitions.chunk(p);\n    final int o = partitions.at(p);\n" +
            "    final long[] a = attempts.chunk(id);\n    final int q = attempts.at(id);\n" +
            "    final long link = a[q];\n" : "") + code.text());
    }

    /** What happens when an attempt has come to where a match may end. */
    private String complete()
    {
        final String end = "a[q + " + endAt + ']';
        final StringBuilder text = new StringBuilder("    if (ACCEPTS[to]) {\n      flags |= COMPLETE;\n");
        text.append(isOrdered ? "      if ((link & COMPLETE) != 0L) output.cancel((int) " + end + ");\n      " + end +
            " = output.reserve(nowNs, a[q + " + startAt + "]);\n" : "      " + end + " = nowNs;\n");
        text.append(lastAt < 0 || hasHistory ? "" : "      a[q + " + lastAt + "] = arrival;\n");
        if (copies)
        {
            text.append("      System.arraycopy(a, q + ").append(registersAt).append(", a, q + ").append(copyAt)
                .append(", ").append(layout.words()).append(");\n      a[q + ").append(copyAt + layout.words())
                .append("] = flags;\n");
            final AttemptLeaves leaves = leaves("");
            for (int i = 0; i < layout.references(); i++)
            {
                text.append(leaves.copy(i, layout.references()));
            }
        }
        return text + "      if (ENDS[to]) flags = flags & ~POSITION | (long) DONE << POSITION_SHIFT;\n    }\n";
    }

    private void measures()
    {
        final boolean allRows = program.rules().allRows();
        // What is seen from the row at hand, and what from the last row of the match.
        final AttemptLeaves running = leavesOfMatch("");
        final AttemptLeaves last = allRows ? leavesOfMatch("f") : running;
        final String parameters = AttemptLeaves.PARAMETERS + (allRows ? ", " + AttemptLeaves.LAST_PARAMETERS : "") +
            (hasHistory && !allRows ? ", final int fid" : "");
        final String arguments = AttemptLeaves.ARGUMENTS + (allRows ? ", " + AttemptLeaves.LAST_ARGUMENTS : "") +
            (hasHistory && !allRows ? ", fid" : "");
        final TermMethods measureTerms = new TermMethods("measureTerms", "private", parameters, arguments);
        final StringBuilder calls = new StringBuilder();
        for (int i = 0; i < spec.measures().size(); i++)
        {
            final ExpressionCode code = new ExpressionCode(constants,
                (leaf, writer) -> (isRunning(leaf) ? running : last).ofMeasure(leaf, writer), measureTerms);
            code.store("out", "outRow", i, code.write(spec.measures().get(i).expression()));
            method("private void measure" + i + '(' + parameters + ", final RowStore out, final int outRow)",
                code.text());
            calls.append("    measure").append(i).append('(').append(arguments).append(", out, outRow);\n");
        }
        method("protected void measures(final int p, final int id, final int fid, final RowStore out, " +
            "final int outRow)", "    final long[] r = partitions.chunk(p);\n    final int o = partitions.at(p);\n" +
            (isRecord ? "    final long[] a = r;\n    final int q = o + " + linkAt + ";\n" :
                "    final long[] a = attempts.chunk(id);\n    final int q = attempts.at(id);\n") +
            "    final long link = a[q" + flagsOfMatch() + "];\n" + (allRows ?
            "    final long[] fa = attempts.chunk(fid);\n    final int fq = attempts.at(fid);\n" +
            "    final long flink = fa[fq];\n" : "") + calls);
        methods.append(measureTerms.text());
        method("protected void match(final int p, final int id)",
            (numberAt < 0 ? "" : "    partitions.chunk(p)[partitions.at(p) + " + numberAt + "]++;\n") +
            (allRows ? complete(AttemptText.ALL_ROWS) : "    addRow(p, id, id);\n"));
        if (queueAt >= 0)
        {
            queue();
        }
    }

    private static boolean isRunning(final Expression leaf)
    {
        return leaf instanceof PatternExpression.Navigation navigation ? navigation.running() :
            leaf instanceof PatternExpression.Aggregate aggregate ? aggregate.running() :
            !(leaf instanceof PatternExpression.Classifier classifier) || classifier.running();
    }

    /** What rows are kept for that are undecided, or that measures read behind the match. */
    private void queue()
    {
        method("private void enqueue(final long[] r, final int o)", input.enqueue(queueAt,
            showsUnmatched && isOrdered ? "output.reserve(nowNs, arrival)" : "0L"));
        method("private void passOver(final int p, final long until)", complete(AttemptText.PASS_OVER));
        if (showsUnmatched)
        {
            method("private void noteMatch(final int p, final long last)", complete(AttemptText.NOTE_MATCH));
            final ExpressionCode code = new ExpressionCode(constants, (leaf, writer) ->
                AttemptLeaves.ofQueue(leaf, layout, writer), terms);
            for (int i = 0; i < spec.measures().size(); i++)
            {
                if (spec.measures().get(i).expression() instanceof PatternExpression.RowColumn column)
                {
                    code.store("out", "to", i, AttemptLeaves.ofQueue(column, layout, code));
                }
            }
            method("protected void unmatched(final int row, final RowStore out, final int to)", code.text());
        }
        if (!readsAhead)
        {
            return;
        }
        final AttemptLeaves leaves = leaves("");
        final StringBuilder tests = new StringBuilder();
        layout.ahead().forEach(each -> tests.append("    if (").append(leaves.isAwaited(each, queueAt))
            .append(") return true;\n"));
        final String limit = spec.withinNs() == 0 ? "" : "    if (nowNs >= a[q + " + expiresAt + "]) return false;\n";
        method("private boolean isMissing(final int p, final int id)", "    if (isLast) return false;\n" +
            "    final long[] r = partitions.chunk(p);\n    final int o = partitions.at(p);\n" +
            "    final long[] a = attempts.chunk(id);\n    final int q = attempts.at(id);\n" +
            "    final long link = a[q];\n" + limit + tests + "    return false;\n");
        method("private int rowAfter(final long[] r, final int o, final long[] a, final int q, final long from, " +
            "final int count)", "    final int row = queues.after(r[o + " + queueAt + "], from, count);\n" +
            (spec.withinNs() == 0 ? "    return row;\n" : "    return row >= 0 && queues.timeNs(row) < a[q + " +
                expiresAt + "] ? row : NONE;\n"));
        if (program.readsLabelsAhead())
        {
            method("private int labelAfter(final int of, final long from, final int count)",
                complete(AttemptText.LABEL_AFTER));
        }
        if (waitsApart)
        {
            method("private void deliver(final int p, final int id, final long end)", complete(AttemptText.DELIVER));
            method("private void flushWaiting(final long[] r, final int o, final int p)",
                complete(AttemptText.FLUSH_WAITING));
            method("private void trim(final long[] r, final int o, final int p)", complete(AttemptText.TRIM));
            method("private long waitsUntil(final long[] r, final int o)",
                spec.withinNs() == 0 ? "    return NEVER;\n" :
                "    final int id = (int) (r[o + " + waitingAt + "] >> 32) - 1;\n    return id < 0 ? NEVER : " +
                "attempts.chunk(id)[attempts.at(id) + " + expiresAt + "];\n");
        }
    }

    /** Where the flags of a match lie, from {@code q} on. */
    private String flagsOfMatch()
    {
        return copies ? " + " + (copyAt + layout.words()) : "";
    }

    private void walk()
    {
        final boolean all = spec.allMatches();
        method("private void row()", complete(isRecord ? AttemptText.RECORD :
            hasRanks ? AttemptText.LABELLINGS : all ? AttemptText.ALL_MATCHES : AttemptText.REGISTERS));
        if (isRecord)
        {
            method("protected void clear(final int partition)", "    final long[] r = partitions.chunk(partition);\n" +
                "    final int o = partitions.at(partition);\n" + (isOrdered ? "    if ((r[o + " + linkAt +
                "] & COMPLETE) != 0L) output.cancel((int) r[o + " + (linkAt + endAt) + "]);\n" : "") +
                "    r[o + " + linkAt + "] = NOTHING;\n    r[o] |= " + earlierFlags() + "L;\n" + noMemory());
            return;
        }
        method("private void chain(final int id, final int next)", "    final int q = attempts.at(id);\n" +
            "    final long[] a = attempts.chunk(id);\n    a[q] = a[q] & ~LOW | next;\n");
        method("private void drop(final int head)", complete(AttemptText.DROP));
        method("protected void clear(final int p)", complete(AttemptText.CLEAR) + noMemory());
        if (choice.skipsToRow())
        {
            method("private long skip(final long[] a, final int q)", skip());
            method("private int dropBefore(final int head, final long to)", complete(AttemptText.DROP_BEFORE));
        }
        if (waitsApart || limitAt >= 0)
        {
            method("private long oldest(final int head, final int other)", complete(AttemptText.OLDEST));
        }
        method("private int settle(final int p, final int head)", all || spec.durationNs() > 0 ? "    return head;\n" :
            complete(AttemptText.SETTLE));
        if (hasRanks)
        {
            method("private void append(final int id)", complete(AttemptText.APPEND));
            if (choice.mergesEqual() && !layout.compared().isEmpty())
            {
                method("private boolean isKnown(final int id, final int to)", complete(AttemptText.KNOWN));
            }
        }
        if (forks)
        {
            method("private boolean advance(final long[] r, final int o, final int p, final int id, final int at, " +
                "final long set)", complete(AttemptText.ADVANCE));
            method("private void keep(final int p, final int id, final int to)",
                complete(hasRanks ? AttemptText.KEEP_LABELLING : AttemptText.KEEP));
            method("private void extend(final long[] r, final int o, final int p, final int id, final int to)",
                "    final long[] a = attempts.chunk(id);\n    final int q = attempts.at(id);\n" +
                "    a[q] = go(r, o, p, a, q, id, a[q], to);\n    keep(p, id, to);\n");
        }
    }

    /** A partition whose matches have numbers stays, and one with matches that wait. */
    private String unnumbered()
    {
        return (numberAt < 0 ? "" : " && r[o + " + numberAt + "] == 0L") +
            (waitsApart ? " && r[o + " + waitingAt + "] == 0L" : "");
    }

    /** A partition forgets what has no flag in its first word. */
    private String noMemory()
    {
        final StringBuilder text = new StringBuilder(numberAt < 0 ? "" : "    r[o + " + numberAt + "] = 0L;\n");
        layout.earlier().stream().filter(kept -> kept.flag() < 0).forEach(kept -> text.append(
            "    java.util.Arrays.fill(r, o + ").append(kept.known()).append(", o + ")
            .append(kept.known() + kept.depth()).append(", 0L);\n"));
        return text.toString();
    }

    /** The body that says at which row the search goes on after a match. */
    private String skip()
    {
        final Register register = layout.skip();
        final String to = "a[q + " + (copyAt + register.place()) + ']';
        return (!program.mayBeEmpty() ? "" :
            "    if (a[q + " + labelAt + "] < 0L) return a[q + " + startAt + "] + 1L;\n") +
            "    final long link = a[q" + flagsOfMatch() + "];\n    final boolean isThere = " +
            leavesOfMatch("").has(register) + ";\n    if (isThere && " + to + " > a[q + " + startAt + "]) return " +
            to +
            ";\n    rejectSkip(isThere);\n    return a[q + " + lastAt + "] + 1L;\n";
    }

    /** The test whether two attempts, {@code a, q} and {@code b, c}, are equal in what conditions read. */
    private String same()
    {
        long flags = 0;
        final StringBuilder text = new StringBuilder();
        for (final Register register : layout.compared())
        {
            for (final int flag : new int[]{register.flag(), register.taken()})
            {
                flags |= flag < 0 || flag >= AttemptLayout.FIRST_FLAGS ? 0 : 1L << flag;
                text.append(flag < AttemptLayout.FIRST_FLAGS ? "" : sameFlag(flag));
            }
            final int place = registersAt + register.place();
            for (int i = 0; i < register.words(); i++)
            {
                text.append(" && a[q + ").append(place + i).append("] == b[c + ").append(place + i).append(']');
            }
            if (register.isReference())
            {
                text.append(" && java.util.Objects.equals(attempts.reference(id, ").append(register.place())
                    .append("), attempts.reference(other, ").append(register.place()).append("))");
            }
        }
        return " && ((a[q] ^ b[c]) >>> FLAG_SHIFT & " + flags + "L) == 0L" + text;
    }

    private String sameFlag(final int flag)
    {
        final int at = registersAt + layout.flagsAt() + (flag - AttemptLayout.FIRST_FLAGS) / Long.SIZE;
        return " && ((a[q + " + at + "] ^ b[c + " + at + "]) & 1L << " +
            (flag - AttemptLayout.FIRST_FLAGS) % Long.SIZE + ") == 0L";
    }

    /** Whether a partition remembers nothing of earlier rows. */
    private String isBlank()
    {
        final StringBuilder text = new StringBuilder("(r[o] & " + earlierFlags() + "L) == " + earlierFlags() + 'L');
        layout.earlier().stream().filter(kept -> kept.flag() < 0).forEach(kept ->
        {
            for (int i = 0; i < kept.depth(); i++)
            {
                text.append(" && r[o + ").append(kept.known() + i).append("] == 0L");
            }
        });
        return text.toString();
    }

    private long earlierFlags()
    {
        return layout.earlier().stream().filter(kept -> kept.flag() >= 0)
            .mapToLong(kept -> (1L << kept.depth()) - 1 << kept.flag()).sum();
    }

    private String complete(final String text)
    {
        final boolean isTable = conditions.isTable();
        final boolean hasDeadlines = time.rangeNs() > 0;
        final Map<String, String> names = new LinkedHashMap<>();
        final String fresh = "(r, o, p, fresh, 0, NONE, 0L";
        // Janino mistypes a choice between an int and a char.
        final String start = isTable ? (forks ? "NEXT[" : "(int) NEXT[") +
            (paths.size() << conditions.bitCount()) + " | bitsOfAttempt" + fresh +
            ", bits)]" : "first" + fresh + ')';
        names.put("start", start);
        names.put("bits", isTable ? ", bits" : "");
        names.put("link", Integer.toString(linkAt));
        names.put("end", Integer.toString(endAt));
        names.put("allEnd", isOrdered ? "output.reserve(nowNs, a[q + " + startAt + "])" : "nowNs");
        names.put("startAt", Integer.toString(startAt));
        names.put("expiresAt", Integer.toString(expiresAt));
        names.put("dueEnd", isOrdered ? "output.reserve(a[q + " + expiresAt + "], a[q + " + startAt + "])" :
            "a[q + " + expiresAt + ']');
        names.put("goesOn", choice.skipsPast() ? " && taken < 0L" : "");
        names.put("goesOnAfter", choice.skipsPast() ? " && decided < 0L" : "");
        // Without a limit of time what ends an older start ends younger ones.
        final boolean areStartsApart = !choice.skipsPast() || time.limitNs() > 0;
        names.put("isOther", areStartsApart ? "start != group" : "false");
        names.put("isApart", Boolean.toString(areStartsApart));
        names.put("known", !choice.mergesEqual() ? " && false" :
            layout.compared().isEmpty() ? "" : " && isKnown(id, to)");
        names.put("same", same());
        names.put("nothingStarts", forks ? "starts == 0L" : "start == DEAD");
        names.put("blankFlags", blankFlags());
        names.put("isTaken", !choice.skipsPast() ? "false" : hasRanks ? "taken >= 0L" :
            "to < DONE && ACCEPTS[to]");
        names.put("unarmed", hasDeadlines ? " && (r[o] & ARMED) == 0L" : "");
        names.put("horizon", time.horizon());
        names.put("isBlank", isBlank() + unnumbered());
        names.put("unnumbered", unnumbered());
        names.put("last", Integer.toString(lastAt));
        names.put("earlierFlags", Long.toString(earlierFlags()));
        names.put("starts", isTable || names.get("isTaken").equals("false") ? start :
            names.get("isTaken") + " ? 0L : " + start);
        names.put("emptyGoes", choice.skipsPast() ? "decided < 0L" + (isTable ? "" : " && taken < 0L") :
            "decided != arrival");
        wordNames(names);
        return AttemptText.complete(text, names, holds(isTable, hasDeadlines));
    }

    /** Names of words, and of what depends on where matches wait. */
    private void wordNames(final Map<String, String> names)
    {
        names.put("label", Integer.toString(labelAt));
        names.put("labelling", Integer.toString(labellingAt));
        names.put("once", labellingAt >= 0 ? " && labellings.isNew(a[q + " + labellingAt + "], -1)" : "");
        names.put("limitAt", Integer.toString(limitAt));
        names.put("queueAt", Integer.toString(queueAt));
        names.put("matchedAt", Integer.toString(matchedAt));
        names.put("waitingAt", Integer.toString(waitingAt));
        names.put("reportsAt", Integer.toString(reportsAt));
        names.put("own", Integer.toString(spec.durationColumn()));
        names.put("period", periodAt >= 0 ? "a[q + " + periodAt + ']' : spec.durationNs() + "L");
        names.put("report", waitsApart ? "deliver" : "report");
        names.put("waiting", waitsApart ? " || r[o + " + waitingAt + "] != 0L" : "");
        names.put("tickEnd", isOrdered ? "output.reserve(time, a[q + " + startAt + "])" : "time");
        names.put("onceATick", spec.allMatches() ? names.get("once") : " && a[q + " + startAt + "] != reported");
        names.put("omits", Boolean.toString(program.rules().omitsEmpty()));
    }

    private Map<String, Boolean> holds(final boolean isTable, final boolean hasDeadlines)
    {
        final Map<String, Boolean> holds = new LinkedHashMap<>();
        holds.put("table", isTable);
        holds.put("forgets", choice.forgets());
        holds.put("passes", choice.forgets() && !showsUnmatched && !program.mayBeEmpty());
        holds.put("record", isRecord);
        holds.put("duration", spec.durationNs() > 0);
        holds.put("own", spec.durationColumn() >= 0);
        holds.put("ticks", choice.hasTicks());
        holds.put("reports", limitAt >= 0);
        holds.put("repeats", spec.durationRepeats());
        holds.put("all", spec.allMatches());
        holds.put("deadlines", hasDeadlines);
        holds.put("skipsPast", choice.skipsPast());
        holds.put("cancels", isOrdered && endAt >= 0);
        holds.put("skips", choice.skipsToRow());
        holds.put("computes", !layout.computed().isEmpty());
        holds.put("plain", attemptReferences() == 0);
        holds.put("history", hasHistory);
        holds.put("empty", program.mayBeEmpty());
        holds.put("queues", queueAt >= 0);
        holds.put("passesOver", queueAt >= 0 && !waitsApart);
        holds.put("unmatched", showsUnmatched);
        holds.put("placed", showsUnmatched && isOrdered);
        holds.put("ahead", readsAhead);
        holds.put("limited", readsAhead && !waitsApart && spec.withinNs() > 0);
        holds.put("waits", waitsApart);
        holds.put("twice", labellingAt >= 0);
        return holds;
    }

    private String blankFlags()
    {
        return isRecord ? earlierFlags() + "L" : "(long) NONE << 32 | " + earlierFlags() + 'L';
    }

    /** What ends attempts without a row of theirs. */
    private void time()
    {
        method("protected void end(final int p)", complete(isRecord ? AttemptText.END_RECORD :
            spec.allMatches() ? "" : AttemptText.END_REGISTERS));
        if (time.rangeNs() == 0)
        {
            method("public long fire(final int p, final long now)", "    throw new IllegalStateException();\n");
            return;
        }
        method("private long due(" + AttemptLeaves.PARAMETERS + ')', time.due());
        method("private void arm(final int p, final long[] r, final int o, final long due)", time.arm());
        method("public long fire(final int p, final long now)", complete(isRecord ? AttemptText.FIRE_RECORD :
            spec.durationNs() > 0 ? AttemptText.FIRE_DURATION : AttemptText.FIRE));
        if (spec.durationNs() > 0)
        {
            method("private int reportDue(final int p, final long now)",
                complete(choice.hasTicks() ? AttemptText.REPORT_TICKS : AttemptText.REPORT_DUE));
        }
        if (choice.hasTicks())
        {
            ticks();
        }
        if (!isRecord)
        {
            method("private long earliest(final long[] r, final int o, final int p, final int head)",
                complete(AttemptText.EARLIEST));
        }
    }

    /** What is due again and again, or at a time of its own. */
    private void ticks()
    {
        method("private void tick(final long[] r, final int o, final int p, final long time)",
            complete(AttemptText.TICK));
        if (spec.durationColumn() >= 0)
        {
            final String column = Integer.toString(spec.durationColumn());
            method("private long periodNs()", "    return z" + column + " || x" + column + " <= 0 ? 0L : x" + column +
                " > " + Long.MAX_VALUE / spec.durationNs() + "L ? Long.MAX_VALUE : x" + column + " * " +
                spec.durationNs() + "L;\n");
        }
        if (!spec.allMatches())
        {
            method("private void addReport(final long[] r, final int o, final int id, final long end)",
                complete(AttemptText.ADD_REPORT));
            method("private void settleReports(final long[] r, final int o, final int p)",
                complete(AttemptText.SETTLE_REPORTS));
            method("private int without(final int head, final long from, final long to)",
                complete(AttemptText.WITHOUT));
        }
    }

    private String statics()
    {
        final int[][] follow = new int[paths.size()][];
        final boolean[] accepts = new boolean[paths.size()];
        final boolean[] ends = new boolean[paths.size()];
        for (int i = 0; i < follow.length; i++)
        {
            follow[i] = paths.follow(i);
            accepts[i] = paths.accepts(i);
            ends[i] = paths.accepts(i) && follow[i].length == 0;
        }
        final List<String> makes = new ArrayList<>();
        makes.add(constant("boolean[]", "ACCEPTS", accepts));
        // With DURATION a labelling that is complete wins when its time has come and not before; with ALL MATCHES none.
        final boolean[] wins = spec.durationNs() > 0 || spec.allMatches() ? new boolean[accepts.length] : accepts;
        makes.add(constant("boolean[]", "WINS", wins));
        final long[] winning = new long[wins.length];
        for (int i = 0; i < wins.length; i++)
        {
            for (final int next : follow[i])
            {
                winning[i] |= wins[next] ? 1L << program.labels()[next] : 0;
            }
        }
        makes.add(constant("long[]", "WINNING", winning));
        makes.add(constant("boolean[]", "EXCLUDED", program.excluded()));
        makes.add(constant("boolean[]", "ENDS", ends));
        makes.add(constant("int[]", "LABELS", program.labels()));
        makes.add(constant("int[][]", "FOLLOW", follow));
        makes.add(constant("String[]", "VARIABLES", program.variables()));
        makes.add(constant("int[]", "FIRST", paths.first()));
        if (conditions.isTable())
        {
            makes.add(constant(forks ? "long[]" : "char[]", "NEXT", conditions.table()));
        }
        return "  private static Object[] CONSTANTS;\n" +
            "  private static final long COMPLETE = " + AttemptLeaves.flag(0) + ";\n" +
            "  private static final long POSITION = (long) POSITIONS << POSITION_SHIFT;\n" +
            "  private static final long NOTHING = (long) DEAD << POSITION_SHIFT;\n" +
            "  private static final long NEVER = Long.MAX_VALUE;\n" +
            fields(makes) +
            "  public static void constants(final Object[] constants) {\n    CONSTANTS = constants;\n" +
            String.join("", makes) + "  }\n";
    }

    private String fields(final List<String> makes)
    {
        final StringBuilder fields = new StringBuilder();
        for (final String make : makes)
        {
            final String type = make.substring(make.lastIndexOf('(') + 1, make.indexOf(')'));
            fields.append("  private static ").append(type).append(' ')
                .append(make, 4, make.indexOf(" =")).append(";\n");
        }
        for (int i = 0; i < layout.computed().size(); i++)
        {
            fields.append("  private ").append(LocalTypes.local(layout.computed().get(i).type())).append(" argument")
                .append(i).append(";\n  private boolean noArgument").append(i).append(";\n");
        }
        return fields + input.fields() + "  private long tested;\n  private long truth;\n" +
            "  private int chainHead;\n  private int chainTail;\n  private int live;\n  private int dropped;\n" +
            "  private int[] forks = new int[16];\n" +
            "  private " + (forks ? "long" : "int") + "[] moves = new " + (forks ? "long" : "int") + "[16];\n" +
            (hasRanks ? "  private long decided;\n  private long stamp;\n  private int groupHead;\n" +
            "  private final long[] seen = new long[" + paths.size() + "];\n" : "") +
            (readsAhead ? "  private boolean isLast;\n" : "") +

            "  private final long[] blank = new long[" + partitionWords + "];\n" +
            "  private final long[] fresh = new long[" + attemptWords + "];\n";
    }

    private String constant(final String type, final String name, final Object value)
    {
        return "    " + name + " = " + constants.object(value, type) + ";\n";
    }

    private String javaText()
    {
        final String constants = statics();
        return "package " + PACKAGE + ";\n" +
            "import dev.millrace.api.event.EventBatch;\n" +
            "import dev.millrace.api.event.Texts;\n" +
            "import dev.millrace.cql.runtime.flow.FunctionCaller;\n" +
            "import dev.millrace.cql.runtime.flow.PartitionTest;\n" +
            "import dev.millrace.cql.runtime.flow.RowRejectedException;\n" +
            "import dev.millrace.cql.runtime.flow.RowStore;\n" +
            "import dev.millrace.cql.runtime.flow.Values;\n" +
            "import dev.millrace.cql.runtime.pattern.attempt.AttemptPattern;\n" +
            "import dev.millrace.cql.runtime.pattern.attempt.AttemptSetup;\n" +
            "import dev.millrace.cql.runtime.pattern.attempt.AttemptShape;\n" +
            "import dev.millrace.cql.runtime.pattern.attempt.CompensatedSum;\n" +
            "import dev.millrace.cql.runtime.unit.text.TextInput;\n" +
            "public final class " + ANY_NAME + " extends AttemptPattern {\n" + constants +
            "  public " + ANY_NAME + "(final AttemptSetup setup) {\n    super(setup, new AttemptShape(" +
            partitionWords + ", " + partitionReferences + ", " + count(false) + ", " + count(true) + ", " +
            keyTexts() + "L, " + (isRecord ? 0 : attemptWords) + ", " + (isRecord ? 0 : attemptReferences()) + ", " +
            hasHistory + ", " + queued() + ", " + time.rangeNs() + "L, " + isOrdered + ", " +
            (spec.durationNs() > 0) + ", " +
            (time.limitNs() > 0 && choice.forgets() && numberAt < 0) +
            "));\n    blank[0] = " + blankFlags() + ";\n" +
            (isRecord ? "    blank[" + linkAt + "] = NOTHING;\n" : "") + "  }\n" +
            "  private static long plus(final long time, final long span) {\n" +
            "    return time > Long.MAX_VALUE - span ? Long.MAX_VALUE : time + span;\n  }\n" + methods + terms.text() +
            rowTerms.text() + recordTerms.text() + "}\n";
    }

    /** The layout of rows that are kept beside attempts. */
    private String queued()
    {
        return queueAt < 0 ? "null" : constants.object(new RowLayout(layout.queued().stream()
            .map(match.input().rows().types()::get).toArray(CqlType[]::new)),
            "dev.millrace.cql.runtime.flow.RowLayout");
    }

    private long count(final boolean areReferences)
    {
        return layout.keys().stream().filter(key -> key.isReference() == areReferences).count();
    }

    /** Which longs of the key are codes. */
    private long keyTexts()
    {
        return layout.keys().stream().filter(Kept::isCode).mapToLong(key -> 1L << key.place() - 1).sum();
    }

    /** Compiles. */
    CompiledAttempts make(final ClassMaker maker)
    {
        final String anyText = javaText();
        final String simpleName = GeneratedName.of(anyText, ANY_NAME);
        final String text = anyText.replace(ANY_NAME, simpleName);
        final Class<?> made =
            maker.make(PACKAGE + '.' + simpleName, text, AttemptPattern.class.getClassLoader());
        try
        {
            made.getMethod("constants", Object[].class).invoke(null, (Object)constants.toArray());
            return new CompiledAttempts(text, made.getConstructor(AttemptSetup.class), state(),
                new StateShape("pattern", List.of(), text, Arrays.asList(constants.toArray())));
        }
        catch (final InvocationTargetException | NoSuchMethodException | IllegalAccessException failure)
        {
            throw new IllegalStateException("generated class cannot be used, class=" + simpleName, failure);
        }
    }

    /** What it keeps, for people. */
    private String state()
    {
        final int timer = time.rangeNs() > 0 ? Integer.BYTES : 0;
        final int partition = Long.BYTES * partitionWords + Integer.BYTES * partitionReferences + timer + PLACE_BYTES;
        return (timer == 0 ? "" : "; a timer a partition for " +
            (spec.durationNs() > 0 ? "DURATION" : spec.withinNs() > 0 ? "WITHIN" : "") +
            (spec.withinNs() > 0 && choice.greatestSpanNs() > 0 ? " and " : "") +
            (choice.greatestSpanNs() > 0 ? "conditions on times" : "")) + "; a partition takes about " + partition +
            " bytes" + (isRecord ? "" : (hasHistory ? ", each row of an attempt " : ", an attempt ") +
            (Long.BYTES * attemptWords + Integer.BYTES * attemptReferences()) + " bytes" +
            (queueAt >= 0 ? ", and rows are kept until they are decided" : hasHistory ? "" : ", and no row is kept"));
    }
}
