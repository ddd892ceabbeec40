package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.PatternStrategy;
import dev.millrace.cql.compiler.pattern.PatternStrategySelector;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.runtime.pattern.PatternProgram;

/**
 * Layout of the records of a partition and of an attempt, and the kind of records; -1 marks a word that they do not
 * have. Immutable after construction.
 */
final class AttemptRecordLayout
{
    final boolean isOrdered;
    final boolean isRecord;
    /** Whether all matches have the same number of rows, so that attempts are bits of their partition. */
    final boolean isFixed;
    /** Whether attempts have separate records. */
    final boolean hasRecords;
    /** Whether an attempt has several labellings, of which the best counts. */
    final boolean hasRanks;
    /** Whether a row may move an attempt to several positions. */
    final boolean forks;
    final boolean copies;
    final boolean hasHistory;
    final boolean readsAhead;
    /** Whether matches that read later rows wait separately from attempts, since these may be older. */
    final boolean waitsApart;
    final boolean showsUnmatched;
    /** Whether matches are decided before the rows in front of them, so that each row knows whether it has one. */
    final boolean marksRows;
    /** Words of an attempt from its first one, the link, on. */
    final int expiresAt;
    final int startAt;
    final int endAt;
    final int lastAt;
    final int labelAt;
    final int limitAt;
    final int periodAt;
    final int labellingAt;
    final int registersAt;
    final int copyAt;
    final int attemptWords;
    final int attemptReferences;
    /** Words of a partition. */
    final int lastTimeAt;
    /** The numbers of the earlier rows, one less than a match has. */
    final int arrivalsAt;
    final int arrivals;
    final int numberAt;
    final int queueAt;
    final int matchedAt;
    final int waitingAt;
    final int reportsAt;
    final int linkAt;
    final int partitionWords;
    final int partitionReferences;
    private final AttemptLayout layout;

    AttemptRecordLayout(final PatternSpec spec, final PatternProgram program, final PatternStrategySelector choice,
        final boolean isOrdered)
    {
        this.isOrdered = isOrdered;
        layout = choice.layout();
        isRecord = choice.kind() == PatternStrategy.RECORD;
        isFixed = choice.kind() == PatternStrategy.FIXED_LENGTH;
        hasRecords = !isRecord && !isFixed;
        hasRanks = choice.kind() == PatternStrategy.LABELLINGS;
        forks = spec.allMatches() && !isFixed || hasRanks;
        copies = !forks && choice.mayFallBack();
        hasHistory = choice.hasHistory();
        readsAhead = !layout.ahead().isEmpty();
        waitsApart = readsAhead && (spec.allMatches() || spec.durationNs() > 0);
        showsUnmatched = program.rules().unmatched();
        marksRows = showsUnmatched && spec.allMatches();
        int next = hasHistory ? 2 : 1;
        labelAt = hasHistory ? next++ : -1;
        expiresAt = spec.withinNs() > 0 || spec.durationNs() > 0 ? next++ : -1;
        startAt = isOrdered || hasRanks || choice.skipsToRow() ? next++ : -1;
        // Without a match that continues, its beginning is not read after its end is known.
        endAt = spec.allMatches() && !waitsApart ? -1 :
            isOrdered && !forks && !choice.goesOn() && !choice.skipsToRow() ? startAt : next++;
        lastAt = choice.skipsToRow() || hasHistory ? next++ : -1;
        limitAt = choice.hasTicks() && !spec.allMatches() ? next++ : -1;
        periodAt = spec.durationColumn() >= 0 && spec.durationRepeats() ? next++ : -1;
        labellingAt = spec.allMatches() && program.isAmbiguous() ? next++ : -1;
        registersAt = next;
        copyAt = copies ? registersAt + layout.registers().words() : registersAt;
        attemptWords = copyAt + layout.registers().words() + (copies ? 1 : 0);
        int words = layout.partition().words();
        lastTimeAt = choice.readsLastTime() ? words++ : -1;
        arrivals = isFixed && isOrdered ? choice.paths().size() - 1 : 0;
        arrivalsAt = words;
        words += arrivals;
        numberAt = program.readsNumber() ? words++ : -1;
        queueAt = layout.queued().isEmpty() && !readsAhead && !showsUnmatched ? -1 : words++;
        matchedAt = showsUnmatched && !marksRows ? words++ : -1;
        waitingAt = waitsApart ? words++ : -1;
        reportsAt = limitAt < 0 ? -1 : words++;
        linkAt = isRecord ? words : -1;
        partitionWords = isRecord ? words + attemptWords : words;
        attemptReferences = layout.registers().references() * (copies ? 2 : 1);
        partitionReferences = layout.partition().references() + (isRecord ? attemptReferences : 0);
    }

    /** Index of the flags of a match, from {@code q} on. */
    String flagsOfMatch()
    {
        return copies ? " + " + (copyAt + layout.registers().words()) : "";
    }

    /** A partition whose matches have numbers stays, and one with waiting matches. */
    String unnumbered()
    {
        return (numberAt < 0 ? "" : " && r[o + " + numberAt + "] == 0L") +
            (waitsApart ? " && r[o + " + waitingAt + "] == 0L" : "");
    }

    /** Whether a partition stores nothing about earlier rows. */
    String isBlank()
    {
        final StringBuilder text = new StringBuilder("(r[o] & " + earlierFlags() + "L) == " + earlierFlags() + 'L');
        layout.partition().earlier().stream().filter(kept -> kept.flag() < 0).forEach(kept ->
        {
            for (int i = 0; i < kept.depth(); i++)
            {
                text.append(" && r[o + ").append(kept.known() + i).append("] == 0L");
            }
        });
        return text.toString();
    }

    long earlierFlags()
    {
        return layout.partition().earlier().stream().filter(kept -> kept.flag() >= 0)
            .mapToLong(kept -> (1L << kept.depth()) - 1 << kept.flag()).sum();
    }

    String blankFlags()
    {
        return !hasRecords ? earlierFlags() + "L" : "(long) NONE << 32 | " + earlierFlags() + 'L';
    }
}
