package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.Register;
import dev.millrace.cql.compiler.pattern.attempt.template.LabellingTemplates;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.runtime.pattern.PatternProgram;
import java.util.Comparator;
import java.util.List;

/** Writes how attempts begin and how rows update registers. */
final class RegisterGenerator
{
    private final AttemptClass to;
    private final PatternSpec spec;
    private final PatternProgram program;
    private final AttemptLayout layout;
    private final AttemptRecordLayout words;
    private final AttemptTime time;
    private final AttemptTemplateNames names;

    RegisterGenerator(final AttemptClass to, final AttemptTime time, final AttemptTemplateNames names)
    {
        this.to = to;
        spec = to.spec;
        program = to.program;
        layout = to.layout;
        words = to.words;
        this.time = time;
        this.names = names;
    }

    /** Writes how the rows of an attempt update its registers. */
    void write()
    {
        final StringBuilder cases = new StringBuilder();
        final Registers registers = to.registers("");
        final RegisterUpdates updates =
            new RegisterUpdates(layout, registers, new RowValues(layout, registers));
        // A row moves to the later register before the next row replaces it.
        final List<Register> lastFirst = layout.registers().all().stream().sorted(Comparator.comparing(
            (Register each) -> !each.isOfEarlierLabel()).thenComparing(each -> -each.offset())).toList();
        for (int i = 0; i < spec.variables().size(); i++)
        {
            final ExpressionCode code = to.code(i);
            boolean changes = false;
            for (final Register register : lastFirst)
            {
                if ((register.variables() & 1L << i) != 0)
                {
                    updates.update(register, i, code);
                    changes = true;
                }
            }
            if (changes)
            {
                to.method("private long label" + i + '(' + AttemptLeafResolver.PARAMETERS + ')',
                    "    long flags = link;\n" +
                    code.text() + "    return flags;\n");
                cases.append("      case ").append(i).append(": return label").append(i).append('(')
                    .append(AttemptLeafResolver.ARGUMENTS).append(");\n");
            }
        }
        to.method("private long label(" + AttemptLeafResolver.PARAMETERS + ", final int to)",
            "    switch (LABELS[to]) {\n" + cases + "      default: return link;\n    }\n");
        final String begin = begin();
        to.method("private long begin(final long[] r, final int o, final int p, final long[] a, final int q, " +
            "final int id, final int to)", begin + "    return go(r, o, p, a, q, id, 0L, to);\n");
        to.method("private long go(" + AttemptLeafResolver.PARAMETERS + ", final int to)", "    long flags = label(" +
            AttemptLeafResolver.ARGUMENTS + ", to) & ~POSITION | (long) to << POSITION_SHIFT;\n" + (words.hasHistory ?
            "    a[q + " + words.labelAt + "] = to;\n    a[q + " + words.lastAt + "] = arrival;\n" : "") +
            (words.forks ? "" : complete()) + "    return flags;\n");
        if (program.mayBeEmpty())
        {
            final ExpressionCode code = to.code(0);
            layout.registers().all().stream().filter(each -> each.kind() == Register.Kind.ROW)
                .forEach(each -> updates.update(each, 0, code));
            to.method("private long empty(" + AttemptLeafResolver.PARAMETERS + ')',
                begin + "    a[q + " + words.labelAt +
                "] = NONE;\n    a[q + " + words.lastAt + "] = arrival;\n    long flags = 0L;\n" + code.text() +
                "    return flags;\n");
            to.method("private void addEmpty(final long[] r, final int o, final int p)",
                names.complete(LabellingTemplates.ADD_EMPTY));
        }
        if (words.hasHistory)
        {
            to.method("public int variable(final int row)", "    final int to = (int) attempts.chunk(row)" +
                "[attempts.at(row) + " + words.labelAt + "];\n    return to < 0 ? NONE : LABELS[to];\n");
            new FunctionCode(to).write();
        }
    }

    /** The beginning of an attempt. */
    private String begin()
    {
        final StringBuilder begin = new StringBuilder();
        for (int i = 0; i < layout.registers().words(); i++)
        {
            begin.append("    a[q + ").append(words.registersAt + i).append("] = 0L;\n");
        }
        final boolean isOwn = spec.durationColumn() >= 0;
        if (words.expiresAt >= 0)
        {
            begin.append("    a[q + ").append(words.expiresAt).append("] = plus(nowNs, ")
                .append(isOwn ? "periodNs()" : to.constants.number(time.limitNs(), CqlType.BIGINT)).append(");\n");
        }
        if (words.periodAt >= 0)
        {
            begin.append("    a[q + ").append(words.periodAt).append("] = periodNs();\n");
        }
        if (words.labellingAt >= 0)
        {
            begin.append("    a[q + ").append(words.labellingAt).append("] = 0L;\n");
        }
        if (words.startAt >= 0)
        {
            begin.append("    a[q + ").append(words.startAt).append("] = arrival;\n");
        }
        return begin.toString();
    }

    /** Statements for an attempt that has reached a position where a match may end. */
    private String complete()
    {
        final String end = "a[q + " + words.endAt + ']';
        final StringBuilder text = new StringBuilder("    if (ACCEPTS[to]) {\n      flags |= COMPLETE;\n");
        text.append(words.isOrdered ? "      if ((link & COMPLETE) != 0L) output.cancel((int) " + end + ");\n      " +
            end + " = output.reserve(nowNs, a[q + " + words.startAt + "]);\n" : "      " + end + " = nowNs;\n");
        text.append(words.lastAt < 0 || words.hasHistory ? "" : "      a[q + " + words.lastAt + "] = arrival;\n");
        if (words.copies)
        {
            text.append("      System.arraycopy(a, q + ").append(words.registersAt).append(", a, q + ")
                .append(words.copyAt).append(", ").append(layout.registers().words()).append(");\n      a[q + ")
                .append(words.copyAt + layout.registers().words()).append("] = flags;\n");
            final Registers registers = to.registers("");
            for (int i = 0; i < layout.registers().references(); i++)
            {
                text.append(registers.copy(i, layout.registers().references()));
            }
        }
        return text + "      if (ENDS[to]) flags = flags & ~POSITION | (long) DONE << POSITION_SHIFT;\n    }\n";
    }
}
