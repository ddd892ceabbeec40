package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.PatternStrategySelector;
import dev.millrace.cql.compiler.pattern.Register;
import dev.millrace.cql.compiler.pattern.attempt.template.ChainTemplates;
import dev.millrace.cql.compiler.pattern.attempt.template.LabellingTemplates;
import dev.millrace.cql.compiler.pattern.attempt.template.RowTemplates;
import dev.millrace.cql.compiler.pattern.attempt.template.TickTemplates;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.runtime.pattern.PatternProgram;

/** Writes the loop of a row over the attempts of its partition, and what happens to each. */
final class AttemptScanGenerator
{
    private final AttemptClass to;
    private final PatternSpec spec;
    private final PatternProgram program;
    private final PatternStrategySelector choice;
    private final AttemptLayout layout;
    private final AttemptRecordLayout words;
    private final AttemptTemplateNames names;

    AttemptScanGenerator(final AttemptClass to, final AttemptTemplateNames names)
    {
        this.to = to;
        spec = to.spec;
        program = to.program;
        choice = to.choice;
        layout = to.layout;
        words = to.words;
        this.names = names;
    }

    void write()
    {
        final boolean all = spec.allMatches();
        to.method("private void row()", names.complete(
            words.isRecord ? RowTemplates.RECORD : words.isFixed ? RowTemplates.FIXED_LENGTH :
            words.hasRanks ? RowTemplates.LABELLINGS : all ? RowTemplates.ALL_MATCHES : RowTemplates.REGISTERS));
        if (words.isFixed)
        {
            to.method("protected void clear(final int p)", "    final long[] r = partitions.chunk(p);\n" +
                "    final int o = partitions.at(p);\n    r[o] = r[o] & LOW | " + words.earlierFlags() + "L;\n" +
                noMemory());
            return;
        }
        if (words.isRecord)
        {
            to.method("protected void clear(final int p)", "    final long[] r = partitions.chunk(p);\n" +
                "    final int o = partitions.at(p);\n" + (words.isOrdered ? "    if ((r[o + " + words.linkAt +
                "] & COMPLETE) != 0L) output.cancel((int) r[o + " + (words.linkAt + words.endAt) + "]);\n" : "") +
                "    r[o + " + words.linkAt + "] = NOTHING;\n    r[o] |= " + words.earlierFlags() + "L;\n" +
                noMemory());
            return;
        }
        to.method("private void chain(final int id, final int next)", "    final int q = attempts.at(id);\n" +
            "    final long[] a = attempts.chunk(id);\n    a[q] = a[q] & ~LOW | next;\n");
        to.method("private void drop(final int head)", names.complete(ChainTemplates.DROP));
        to.method("protected void clear(final int p)", names.complete(ChainTemplates.CLEAR) + noMemory());
        if (choice.skipsToRow())
        {
            to.method("private long skip(final long[] a, final int q)", skip());
            to.method("private int dropBefore(final int head, final long to)",
                names.complete(ChainTemplates.DROP_BEFORE));
        }
        if (words.waitsApart || words.marksRows || words.limitAt >= 0)
        {
            to.method("private long oldest(final int head, final int other)", names.complete(TickTemplates.OLDEST));
        }
        to.method("private int settle(final int p, final int head)",
            all || spec.durationNs() > 0 ? "    return head;\n" : names.complete(ChainTemplates.SETTLE));
        if (words.hasRanks)
        {
            to.method("private void append(final int id)", names.complete(LabellingTemplates.APPEND));
            if (choice.mergesEqual() && !layout.compared().isEmpty())
            {
                to.method("private boolean isKnown(final int id, final int to)",
                    names.complete(LabellingTemplates.KNOWN));
            }
        }
        if (words.forks)
        {
            to.method("private boolean advance(final long[] r, final int o, final int p, final int id, " +
                "final int at, final long set)", names.complete(LabellingTemplates.ADVANCE));
            to.method("private void keep(final int p, final int id, final int to)",
                names.complete(words.hasRanks ? LabellingTemplates.KEEP_LABELLING : LabellingTemplates.KEEP));
            to.method("private void extend(final long[] r, final int o, final int p, final int id, final int to)",
                "    final long[] a = attempts.chunk(id);\n    final int q = attempts.at(id);\n" +
                "    a[q] = go(r, o, p, a, q, id, a[q], to);\n    keep(p, id, to);\n");
        }
    }

    /** A partition discards values that have no flag in its first word. */
    private String noMemory()
    {
        final StringBuilder text =
            new StringBuilder(words.numberAt < 0 ? "" : "    r[o + " + words.numberAt + "] = 0L;\n");
        layout.partition().earlier().stream().filter(kept -> kept.flag() < 0).forEach(kept -> text.append(
            "    java.util.Arrays.fill(r, o + ").append(kept.known()).append(", o + ")
            .append(kept.known() + kept.depth()).append(", 0L);\n"));
        return text.toString();
    }

    /** The body that returns the row at which the search resumes after a match. */
    private String skip()
    {
        final Register register = layout.skip();
        final String row = "a[q + " + (words.copyAt + register.index()) + ']';
        return (!program.mayBeEmpty() ? "" :
            "    if (a[q + " + words.labelAt + "] < 0L) return a[q + " + words.startAt + "] + 1L;\n") +
            "    final long link = a[q" + words.flagsOfMatch() + "];\n    final boolean isThere = " +
            to.registersOfMatch("").has(register) + ";\n    if (isThere && " + row + " > a[q + " + words.startAt +
            "]) return " + row + ";\n    rejectSkip(isThere);\n    return a[q + " + words.lastAt + "] + 1L;\n";
    }
}
