package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.AttemptRegisters;
import dev.millrace.cql.compiler.pattern.PatternGraph;
import dev.millrace.cql.compiler.pattern.PatternStrategySelector;
import dev.millrace.cql.compiler.pattern.Register;
import dev.millrace.cql.compiler.pattern.attempt.template.Template;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.runtime.pattern.PatternProgram;
import java.util.LinkedHashMap;
import java.util.Map;

/** The names in templates: their replacements, and which of them hold. */
final class AttemptTemplateNames
{
    private final PatternSpec spec;
    private final PatternProgram program;
    private final PatternStrategySelector choice;
    private final PatternGraph paths;
    private final AttemptLayout layout;
    private final AttemptRecordLayout words;
    private final AttemptConditions conditions;
    private final AttemptTime time;

    AttemptTemplateNames(final AttemptClass to, final AttemptConditions conditions, final AttemptTime time)
    {
        spec = to.spec;
        program = to.program;
        choice = to.choice;
        paths = to.paths;
        layout = to.layout;
        words = to.words;
        this.conditions = conditions;
        this.time = time;
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
                flags |= flag < 0 || flag >= AttemptRegisters.FIRST_FLAGS ? 0 : 1L << flag;
                text.append(flag < AttemptRegisters.FIRST_FLAGS ? "" : sameFlag(flag));
            }
            final int index = words.registersAt + register.index();
            for (int i = 0; i < register.words(); i++)
            {
                text.append(" && a[q + ").append(index + i).append("] == b[c + ").append(index + i).append(']');
            }
            if (register.isReference())
            {
                text.append(" && java.util.Objects.equals(attempts.reference(id, ").append(register.index())
                    .append("), attempts.reference(other, ").append(register.index()).append("))");
            }
        }
        return " && ((a[q] ^ b[c]) >>> FLAG_SHIFT & " + flags + "L) == 0L" + text;
    }

    private String sameFlag(final int flag)
    {
        final int at = words.registersAt + layout.registers().flagsAt() +
            (flag - AttemptRegisters.FIRST_FLAGS) / Long.SIZE;
        return " && ((a[q + " + at + "] ^ b[c + " + at + "]) & 1L << " +
            (flag - AttemptRegisters.FIRST_FLAGS) % Long.SIZE + ") == 0L";
    }

    /** Completes a template with all names. */
    String complete(final String text)
    {
        final boolean isTable = conditions.isTable();
        final boolean hasDeadlines = time.rangeNs() > 0;
        final Map<String, String> names = new LinkedHashMap<>();
        final String fresh = "(r, o, p, fresh, 0, NONE, 0L";
        // Janino infers a wrong type for a conditional expression of an int and a char.
        final String start = isTable ? (words.forks ? "NEXT[" : "(int) NEXT[") +
            (paths.size() << conditions.bitCount()) + " | bitsOfAttempt" + fresh +
            ", bits)]" : "first" + fresh + ')';
        names.put("start", start);
        names.put("bits", isTable ? ", bits" : "");
        names.put("lastBit", Integer.toString(1 << paths.size() - 1));
        names.put("fixedEnd", words.isOrdered ?
            "output.reserve(nowNs, r[o + " + (words.arrivalsAt + words.arrivals - 1) + "])" : "nowNs");
        names.put("link", Integer.toString(words.linkAt));
        names.put("end", Integer.toString(words.endAt));
        names.put("allEnd", words.isOrdered ? "output.reserve(nowNs, a[q + " + words.startAt + "])" : "nowNs");
        names.put("startAt", Integer.toString(words.startAt));
        names.put("expiresAt", Integer.toString(words.expiresAt));
        final String due = "a[q + " + words.expiresAt + ']';
        names.put("dueEnd", words.isOrdered ? "output.reserve(" + due + ", a[q + " + words.startAt + "])" : due);
        names.put("goesOn", choice.skipsPast() ? " && taken < 0L" : "");
        names.put("goesOnAfter", choice.skipsPast() ? " && decided < 0L" : "");
        // Without a time limit, whatever ends an older start also ends younger ones.
        final boolean areStartsApart = !choice.skipsPast() || time.limitNs() > 0;
        names.put("isOther", areStartsApart ? "start != group" : "false");
        names.put("isApart", Boolean.toString(areStartsApart));
        names.put("known", !choice.mergesEqual() ? " && false" :
            layout.compared().isEmpty() ? "" : " && isKnown(id, to)");
        names.put("same", same());
        names.put("nothingStarts", words.isFixed ? "next == 0" : words.forks ? "starts == 0L" : "start == DEAD");
        names.put("blankFlags", words.blankFlags());
        names.put("isTaken", !choice.skipsPast() ? "false" : words.hasRanks ? "taken >= 0L" :
            "to < DONE && ACCEPTS[to]");
        names.put("unarmed", hasDeadlines ? " && (r[o] & ARMED) == 0L" : "");
        names.put("horizon", time.horizon());
        names.put("isBlank", words.isBlank() + words.unnumbered());
        names.put("unnumbered", words.unnumbered());
        names.put("last", Integer.toString(words.lastAt));
        names.put("earlierFlags", Long.toString(words.earlierFlags()));
        names.put("starts", isTable || names.get("isTaken").equals("false") ? start :
            names.get("isTaken") + " ? 0L : " + start);
        names.put("emptyGoes", choice.skipsPast() ? "decided < 0L" + (isTable ? "" : " && taken < 0L") :
            "decided != arrival");
        wordNames(names);
        return Template.complete(text, names, holds(isTable, hasDeadlines));
    }

    /** Names of words, and of what depends on where matches wait. */
    private void wordNames(final Map<String, String> names)
    {
        names.put("label", Integer.toString(words.labelAt));
        names.put("labelling", Integer.toString(words.labellingAt));
        names.put("once", words.labellingAt >= 0 ? " && labellings.isNew(a[q + " + words.labellingAt + "], -1)" : "");
        names.put("limitAt", Integer.toString(words.limitAt));
        names.put("queueAt", Integer.toString(words.queueAt));
        names.put("matchedAt", Integer.toString(words.matchedAt));
        names.put("waitingAt", Integer.toString(words.waitingAt));
        names.put("reportsAt", Integer.toString(words.reportsAt));
        names.put("own", Integer.toString(spec.durationColumn()));
        names.put("period", words.periodAt >= 0 ? "a[q + " + words.periodAt + ']' : spec.durationNs() + "L");
        names.put("report", words.waitsApart ? "deliver" : "report");
        names.put("waiting", words.waitsApart ? " || r[o + " + words.waitingAt + "] != 0L" : "");
        names.put("tickEnd", words.isOrdered ? "output.reserve(time, a[q + " + words.startAt + "])" : "time");
        names.put("onceATick", spec.allMatches() ? names.get("once") : " && a[q + " + words.startAt + "] != reported");
        names.put("omits", Boolean.toString(program.rules().omitsEmpty()));
    }

    private Map<String, Boolean> holds(final boolean isTable, final boolean hasDeadlines)
    {
        final Map<String, Boolean> holds = new LinkedHashMap<>();
        holds.put("table", isTable);
        holds.put("forgets", choice.forgets());
        holds.put("passes", choice.forgets() && !words.showsUnmatched && !program.mayBeEmpty());
        holds.put("record", words.isRecord);
        holds.put("duration", spec.durationNs() > 0);
        holds.put("own", spec.durationColumn() >= 0);
        holds.put("ticks", choice.hasTicks());
        holds.put("reports", words.limitAt >= 0);
        holds.put("repeats", spec.durationRepeats());
        holds.put("all", spec.allMatches());
        holds.put("deadlines", hasDeadlines);
        holds.put("skipsPast", choice.skipsPast());
        holds.put("cancels", words.isOrdered && words.endAt >= 0);
        holds.put("skips", choice.skipsToRow());
        holds.put("computes", !layout.computed().isEmpty());
        holds.put("plain", words.attemptReferences == 0);
        holds.put("history", words.hasHistory);
        holds.put("empty", program.mayBeEmpty());
        holds.put("queues", words.queueAt >= 0);
        holds.put("passesOver", words.queueAt >= 0 && !words.waitsApart);
        holds.put("notes", words.matchedAt >= 0);
        holds.put("cancelsRow", words.matchedAt >= 0 && words.isOrdered);
        holds.put("marks", words.marksRows);
        holds.put("flushes", words.waitsApart && words.marksRows);
        holds.put("trims", words.waitsApart || words.marksRows);
        holds.put("placed", words.showsUnmatched && words.isOrdered);
        holds.put("ahead", words.readsAhead);
        holds.put("limited", words.readsAhead && !words.waitsApart && spec.withinNs() > 0);
        holds.put("waits", words.waitsApart);
        holds.put("twice", words.labellingAt >= 0);
        return holds;
    }
}
