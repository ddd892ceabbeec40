package dev.millrace.cql.compiler.flow;

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
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.PatternSpec;
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
    private final StaticConstants constants = new StaticConstants();
    private final StringBuilder methods = new StringBuilder();
    private final TermMethods terms =
        new TermMethods("terms", "private", AttemptLeaves.PARAMETERS, AttemptLeaves.ARGUMENTS);
    private final TermMethods argumentTerms = new TermMethods("argumentTerms", "private", "", "");
    /** Words of an attempt from its first one, the link, on; -1 for those that it does not have. */
    private final int expiresAt;
    private final int startAt;
    private final int endAt;
    private final int lastAt;
    private final int registersAt;
    private final int copyAt;
    private final int attemptWords;
    /** Words of a partition; -1 for those that it does not have. */
    private final int lastTimeAt;
    private final int numberAt;
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
        int next = 1;
        expiresAt = spec.withinNs() > 0 || spec.durationNs() > 0 ? next++ : -1;
        startAt = isOrdered || hasRanks || choice.skipsToRow() ? next++ : -1;
        // Without a match that goes on its beginning is not read any more when its end is known.
        endAt = spec.allMatches() ? -1 :
            isOrdered && !hasRanks && !choice.goesOn() && !choice.skipsToRow() ? startAt : next++;
        lastAt = choice.skipsToRow() ? next++ : -1;
        registersAt = next;
        copyAt = copies ? registersAt + layout.words() : registersAt;
        attemptWords = copyAt + layout.words() + (copies ? 1 : 0);
        int words = layout.partitionWords();
        lastTimeAt = choice.readsLastTime() ? words++ : -1;
        numberAt = program.readsNumber() ? words++ : -1;
        linkAt = isRecord ? words : -1;
        partitionWords = isRecord ? words + attemptWords : words;
        partitionReferences = layout.partitionReferences() + (isRecord ? attemptReferences() : 0);
        input = new AttemptInput(match.input().rows(), layout, choice.timeColumn(), lastTimeAt);
        time = new AttemptTime(spec, choice, expiresAt, registersAt, lastTimeAt);
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

    private AttemptLeaves leaves(final boolean areOfMatch)
    {
        final int base = isRecord ? layout.partitionReferences() : 0;
        return new AttemptLeaves(layout, areOfMatch ? copyAt : registersAt,
            isRecord ? "partitions.reference(p, " : "attempts.reference(id, ",
            areOfMatch && copies ? base + layout.references() : base, numberAt);
    }

    private ExpressionCode code(final int variable)
    {
        final AttemptLeaves leaves = leaves(false);
        return new ExpressionCode(constants, (leaf, code) -> leaves.ofCondition(leaf, variable, code),
            terms);
    }

    private void method(final String heading, final String body)
    {
        methods.append("  ").append(heading).append(" {\n").append(body).append("  }\n");
    }

    private void input()
    {
        method("public void take(final RowStore in, final int row, final long timeNs)", input.ofStore());
        method("public void take(final EventBatch batch, final long[] timesNs, final int[] rows, final int count)",
            input.ofBatch());
        method("private void remember(final long[] r, final int o, final int p)", input.remember());
        method("protected void key(final int partition, final RowStore out, final int row)", input.key());
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
        final String at = "(int) (link >>> POSITION_SHIFT) & 255";
        if (conditions.isTable())
        {
            method("private int bitsOfRow(final long[] r, final int o, final int p)",
                conditions.bitsOfRow(this::code));
            method("private int bitsOfAttempt(" + AttemptLeaves.PARAMETERS + ", final int bits)",
                conditions.readsAttempts() ? conditions.bitsOfAttempt(this::code) : "    return bits;\n");
            method("private " + result + " step(" + AttemptLeaves.PARAMETERS + ", final int bits)", limit +
                "    return NEXT[(" + at + ") << " + conditions.bitCount() + " | bitsOfAttempt(" +
                AttemptLeaves.ARGUMENTS + ", bits)]" + (forks ? ";\n" : " & 255;\n"));
            return;
        }
        for (int i = 0; i < spec.conditions().size(); i++)
        {
            if (spec.conditions().get(i) != null)
            {
                condition(i, spec.conditions().get(i));
            }
        }
        final StringBuilder cases = new StringBuilder();
        for (int i = 0; i < paths.size(); i++)
        {
            cases.append("      case ").append(i).append(": ")
                .append(conditions.steps(paths.follow(i), AttemptLeaves.ARGUMENTS));
        }
        method("private " + result + " step(" + AttemptLeaves.PARAMETERS + ')', limit + "    switch (" + at + ") {\n" +
            cases + "      default: throw new IllegalStateException();\n    }\n");
        method("private " + result + " first(" + AttemptLeaves.PARAMETERS + ')',
            "    " + conditions.steps(paths.first(), AttemptLeaves.ARGUMENTS));
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
        final AttemptLeaves leaves = leaves(false);
        // A row moves on to the register behind before the next one takes its place.
        final List<Register> lastFirst = layout.registers().stream()
            .sorted(Comparator.comparingInt(Register::offset).reversed()).toList();
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
        final StringBuilder begin = new StringBuilder();
        for (int i = 0; i < layout.words(); i++)
        {
            begin.append("    a[q + ").append(registersAt + i).append("] = 0L;\n");
        }
        if (expiresAt >= 0)
        {
            begin.append("    a[q + ").append(expiresAt).append("] = plus(nowNs, ").append(time.limitNs())
                .append("L);\n");
        }
        if (startAt >= 0)
        {
            begin.append("    a[q + ").append(startAt).append("] = arrival;\n");
        }
        method("private long begin(final long[] r, final int o, final int p, final long[] a, final int q, " +
            "final int id, final int to)", begin + "    return go(r, o, p, a, q, id, 0L, to);\n");
        method("private long go(" + AttemptLeaves.PARAMETERS + ", final int to)", "    long flags = label(" +
            AttemptLeaves.ARGUMENTS + ", to) & ~POSITION | (long) to << POSITION_SHIFT;\n" +
            (forks ? "" : complete()) + "    return flags;\n");
    }

    /** What happens when an attempt has come to where a match may end. */
    private String complete()
    {
        final String end = "a[q + " + endAt + ']';
        final StringBuilder text = new StringBuilder("    if (ACCEPTS[to]) {\n      flags |= COMPLETE;\n");
        text.append(isOrdered ? "      if ((link & COMPLETE) != 0L) output.cancel((int) " + end + ");\n      " + end +
            " = output.reserve(nowNs, a[q + " + startAt + "]);\n" : "      " + end + " = nowNs;\n");
        text.append(lastAt < 0 ? "" : "      a[q + " + lastAt + "] = arrival;\n");
        if (copies)
        {
            text.append("      System.arraycopy(a, q + ").append(registersAt).append(", a, q + ").append(copyAt)
                .append(", ").append(layout.words()).append(");\n      a[q + ").append(copyAt + layout.words())
                .append("] = flags;\n");
            final AttemptLeaves leaves = leaves(false);
            for (int i = 0; i < layout.references(); i++)
            {
                text.append(leaves.copy(i, layout.references()));
            }
        }
        return text + "      if (ENDS[to]) flags = flags & ~POSITION | (long) DONE << POSITION_SHIFT;\n    }\n";
    }

    private void measures()
    {
        final String parameters = '(' + AttemptLeaves.PARAMETERS + ", final RowStore out, final int outRow)";
        final StringBuilder calls = new StringBuilder();
        final AttemptLeaves leaves = leaves(true);
        for (int i = 0; i < spec.measures().size(); i++)
        {
            final ExpressionCode code = new ExpressionCode(constants,
                (leaf, writer) -> leaves.ofMeasure(leaf, writer), terms);
            code.store("out", "outRow", i, code.write(spec.measures().get(i).expression()));
            method("private void measure" + i + parameters, code.text());
            calls.append("    measure").append(i).append('(').append(AttemptLeaves.ARGUMENTS)
                .append(", out, outRow);\n");
        }
        method("protected void measures(final int p, final int id, final RowStore out, final int outRow)",
            "    final long[] r = partitions.chunk(p);\n    final int o = partitions.at(p);\n" +
            (isRecord ? "    final long[] a = r;\n    final int q = o + " + linkAt + ";\n" :
                "    final long[] a = attempts.chunk(id);\n    final int q = attempts.at(id);\n") +
            (numberAt < 0 ? "" : "    r[o + " + numberAt + "]++;\n") +
            "    final long link = a[q" + flagsOfMatch() + "];\n" + calls);
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
                "    r[o + " + linkAt + "] = NOTHING;\n    r[o] |= " + earlierFlags() + "L;\n" + noNumber());
            return;
        }
        method("private void chain(final int id, final int next)", "    final int q = attempts.at(id);\n" +
            "    final long[] a = attempts.chunk(id);\n    a[q] = a[q] & ~LOW | next;\n");
        method("private void drop(final int head)", complete(AttemptText.DROP));
        method("protected void clear(final int partition)", "    final long[] r = partitions.chunk(partition);\n" +
            "    final int o = partitions.at(partition);\n    drop((int) (r[o] >> 32));\n    r[o] = " +
            "(long) NONE << 32 | r[o] & LOW | " + earlierFlags() + "L;\n" + noNumber());
        if (choice.skipsToRow())
        {
            method("private long skip(final long[] a, final int q)", skip());
            method("private int dropBefore(final int head, final long to)", complete(AttemptText.DROP_BEFORE));
        }
        method("private int settle(final int p, final int head)", all ? "    return head;\n" :
            complete(AttemptText.SETTLE));
        if (hasRanks)
        {
            ranks();
        }
        if (forks)
        {
            method("private boolean advance(final long[] r, final int o, final int p, final int id, final int at, " +
                "final long set)", complete(AttemptText.ADVANCE));
            method("private void keep(final int p, final int id, final int to)",
                complete(all ? AttemptText.KEEP : AttemptText.KEEP_LABELLING));
            method("private void extend(final long[] r, final int o, final int p, final int id, final int to)",
                "    final long[] a = attempts.chunk(id);\n    final int q = attempts.at(id);\n" +
                "    a[q] = go(r, o, p, a, q, id, a[q], to);\n    keep(p, id, to);\n");
        }
    }

    /** A partition whose matches have numbers stays. */
    private String unnumbered()
    {
        return numberAt < 0 ? "" : " && r[o + " + numberAt + "] == 0L";
    }

    private String noNumber()
    {
        return numberAt < 0 ? "" : "    r[o + " + numberAt + "] = 0L;\n";
    }

    /** The body that says at which row the search goes on after a match. */
    private String skip()
    {
        final Register register = layout.skip();
        final String to = "a[q + " + (copyAt + register.place()) + ']';
        return "    final boolean isThere = (a[q" + flagsOfMatch() + "] & " + AttemptLeaves.flag(register.flag()) +
            ") != 0L;\n    if (isThere && " + to + " > a[q + " + startAt + "]) return " + to +
            ";\n    rejectSkip(isThere);\n    return a[q + " + lastAt + "] + 1L;\n";
    }

    /** What the walk over several labellings an attempt calls. */
    private void ranks()
    {
        method("private void append(final int id)", complete(AttemptText.APPEND));
        if (!layout.compared().isEmpty())
        {
            method("private boolean isKnown(final int id, final int to)", complete(AttemptText.KNOWN));
        }
    }

    /** The test whether two attempts, {@code a, q} and {@code b, c}, are equal in what conditions read. */
    private String same()
    {
        long flags = 0;
        final StringBuilder text = new StringBuilder();
        for (final Register register : layout.compared())
        {
            flags |= register.flag() < 0 ? 0 : 1L << register.flag();
            flags |= register.taken() < 0 ? 0 : 1L << register.taken();
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

    private long earlierFlags()
    {
        return layout.earlier().stream().mapToLong(kept -> (1L << kept.depth()) - 1 << kept.flag()).sum();
    }

    private String complete(final String text)
    {
        final boolean isTable = conditions.isTable();
        final boolean hasDeadlines = time.rangeNs() > 0;
        final Map<String, String> names = new LinkedHashMap<>();
        final String fresh = "(r, o, p, fresh, 0, NONE, 0L";
        final String start = isTable ? "NEXT[" + (paths.size() << conditions.bitCount()) + " | bitsOfAttempt" + fresh +
            ", bits)]" + (forks ? "" : " & 255") : "first" + fresh + ')';
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
        names.put("known", layout.compared().isEmpty() ? "" : " && isKnown(id, to)");
        names.put("same", same());
        names.put("nothingStarts", forks ? "starts == 0L" : "start == DEAD");
        names.put("blankFlags", blankFlags());
        names.put("isTaken", !choice.skipsPast() ? "false" : hasRanks ? "taken >= 0L" :
            "to < DONE && ACCEPTS[to]");
        names.put("unarmed", hasDeadlines ? " && (r[o] & ARMED) == 0L" : "");
        names.put("horizon", time.horizon());
        names.put("isBlank", "(r[o] & " + earlierFlags() + "L) == " + earlierFlags() + 'L' + unnumbered());
        names.put("unnumbered", unnumbered());
        names.put("last", Integer.toString(lastAt));
        return AttemptText.complete(text, names, Map.of("table", isTable, "forgets", choice.forgets(), "record",
            isRecord, "duration", spec.durationNs() > 0, "deadlines", hasDeadlines, "skipsPast", choice.skipsPast(),
            "ordered", isOrdered, "skips", choice.skipsToRow(), "computes", !layout.computed().isEmpty(),
            "plain", attemptReferences() == 0));
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
            method("private int reportDue(final int p, final long now)", complete(AttemptText.REPORT_DUE));
        }
        if (!isRecord)
        {
            method("private long earliest(final long[] r, final int o, final int p, final int head)",
                complete(AttemptText.EARLIEST));
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
        long winning = 0;
        for (int i = 0; i < wins.length; i++)
        {
            winning |= wins[i] ? 1L << i : 0;
        }
        makes.add(constant("boolean[]", "ENDS", ends));
        makes.add(constant("int[]", "LABELS", program.labels()));
        makes.add(constant("int[][]", "FOLLOW", follow));
        makes.add(constant("String[]", "VARIABLES", program.variables()));
        makes.add(constant("int[]", "FIRST", paths.first()));
        if (conditions.isTable())
        {
            makes.add(constant(forks ? "long[]" : "byte[]", "NEXT", conditions.table()));
        }
        return "  private static Object[] CONSTANTS;\n" +
            "  private static final long COMPLETE = " + AttemptLeaves.flag(0) + ";\n" +
            "  private static final long POSITION = 255L << POSITION_SHIFT;\n" +
            "  private static final long NOTHING = (long) DEAD << POSITION_SHIFT;\n" +
            "  private static final long NEVER = Long.MAX_VALUE;\n" +
            "  private static final long WINNING = " + winning + "L;\n" + fields(makes) +
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
            (hasRanks ? "  private long decided;\n  private long groupSet;\n" +
            "  private int groupHead;\n" : "") +
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
            time.rangeNs() + "L, " + isOrdered + ", " + (spec.durationNs() > 0) + ", " +
            (time.limitNs() > 0 && choice.forgets() && numberAt < 0) +
            "));\n    blank[0] = " + blankFlags() + ";\n" +
            (isRecord ? "    blank[" + linkAt + "] = NOTHING;\n" : "") + "  }\n" +
            "  private static long plus(final long time, final long span) {\n" +
            "    return time > Long.MAX_VALUE - span ? Long.MAX_VALUE : time + span;\n  }\n" + methods + terms.text() +
            "}\n";
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
            " bytes" + (isRecord ? "" : ", an attempt " +
            (Long.BYTES * attemptWords + Integer.BYTES * attemptReferences()) + " bytes, and no row is kept");
    }
}
