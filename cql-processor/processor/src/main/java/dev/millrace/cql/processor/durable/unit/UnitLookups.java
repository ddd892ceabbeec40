package dev.millrace.cql.processor.durable.unit;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.relation.RecordedLookup;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.function.LookupSource;
import dev.millrace.cql.runtime.function.Values;
import dev.millrace.cql.runtime.row.RowRejectedException;
import dev.millrace.journal.JournalException;
import dev.millrace.network.durable.AnswerForm;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The look-ups of a unit. An answer is appended to the journal after the batch whose row asks, and before the row is
 * processed further, so that a replay of the batch finds the same:
 *
 * <pre>
 *   batch | answer | answer ... | next batch          in the order in which the rows ask
 * </pre>
 *
 * <p>If an answer cannot be appended, a rejection of its row is. If that is not possible either, the rows of the batch
 * that ask later are rejected, too: a replay knows a batch only up to its last answer.
 *
 * <p>Confined to the thread that acts as the unit's worker, and before the first row to the thread that restores it.
 */
final class UnitLookups implements RecordedLookup.Log
{
    private static final String NOT_JOURNALED = "not-journaled";

    private final SpaceWaiter space;
    private final Map<RecordedLookup, RecordWriter> writers = new IdentityHashMap<>();
    private final Map<RecordedLookup, EventBatch> batches = new IdentityHashMap<>();
    /** By their descriptions. */
    private final Map<String, ReplayedLookup> replayed = new LinkedHashMap<>();
    /** The stored answers; {@code null} unless a batch is replayed. */
    private ReplayedAnswers answers;
    /** Whether an answer for the batch was not appended. */
    private boolean isLost;

    UnitLookups(final SpaceWaiter space)
    {
        this.space = space;
    }

    /** Adds a look-up before the replay. */
    void add(final RecordedLookup lookup, final RecordWriter writer)
    {
        put(lookup, writer);
        replayed.put(writer.description(), new ReplayedLookup(lookup));
    }

    private void put(final RecordedLookup lookup, final RecordWriter writer)
    {
        writers.put(lookup, writer);
        lookup.recordTo(this);
    }

    /** Replaces all look-ups. */
    void exchange(final Map<RecordedLookup, RecordWriter> next)
    {
        writers.clear();
        batches.keySet().retainAll(next.keySet());
        next.forEach(this::put);
    }

    /** The writer of a look-up; {@code null} for a new one. */
    RecordWriter writer(final RecordedLookup lookup)
    {
        return writers.get(lookup);
    }

    Collection<RecordWriter> writers()
    {
        return writers.values();
    }

    boolean isEmpty()
    {
        return writers.isEmpty();
    }

    /** The look-up of stored answers; {@code null} if the unit does not have it. */
    ReplayedLookup replayed(final String description)
    {
        return replayed.get(description);
    }

    /** A batch was appended and is processed next. */
    void beginBatch()
    {
        isLost = false;
    }

    /** A batch is processed next to which these answers belong; {@code null} when it is done. */
    void replay(final ReplayedAnswers next)
    {
        answers = next;
        isLost = false;
    }

    @Override
    public void find(final RecordedLookup asked, final Object[] keys, final LookupSource.Rows rows)
    {
        final Answer stored = answers == null ? null : answers.next(asked);
        if (stored != null)
        {
            stored.passTo(rows);
            return;
        }
        if (isLost || answers != null && !answers.isLast())
        {
            throw new RowRejectedException(NOT_JOURNALED, ProcessorErrorCode.NOT_JOURNALED +
                " cause=an earlier answer for the batch could not be stored, source=" + asked.name());
        }
        final Answer found = ask(asked, keys);
        append(found);
        found.passTo(rows);
    }

    private static Answer ask(final RecordedLookup asked, final Object[] keys)
    {
        final List<Object[]> rows = new ArrayList<>();
        try
        {
            asked.ask(keys, row -> rows.add(row.clone()));
            return new Answer(asked, rows, null);
        }
        // Sources of users may throw anything; errors of the virtual machine are thrown again.
        catch (final Throwable failure)
        {
            return new Answer(asked, List.of(),
                Values.failed(RejectionHandler.PULL_FAILED, "the source failed,", failure));
        }
    }

    private void append(final Answer answer)
    {
        try
        {
            appendNow(answer);
        }
        catch (final JournalException failure)
        {
            if (!space.waitsAfter(failure))
            {
                throw lost(answer, failure.getMessage());
            }
            await(answer, failure);
        }
        catch (final ClassCastException otherType)
        {
            final RowRejectedException rejected =
                new RowRejectedException(RejectionHandler.PULL_FAILED, "the source failed, cause=" + otherType);
            append(new Answer(answer.of(), List.of(), rejected));
            throw rejected;
        }
    }

    private void await(final Answer answer, final JournalException first)
    {
        try
        {
            space.await(() -> appendNow(answer), first);
        }
        catch (final JournalException failure)
        {
            throw lost(answer, failure.getMessage());
        }
    }

    /** The answer is not stored. A short rejection may be, so that later rows of the batch can ask. */
    private RowRejectedException lost(final Answer answer, final String cause)
    {
        final RowRejectedException rejected = new RowRejectedException(NOT_JOURNALED,
            ProcessorErrorCode.NOT_JOURNALED + " source=" + answer.of().name() + " cause=" + cause);
        try
        {
            writers.get(answer.of()).rejection(rejected.reason(), rejected.getMessage());
        }
        catch (final JournalException notEither)
        {
            // The rejection of the row contains the cause.
            isLost = true;
        }
        return rejected;
    }

    private void appendNow(final Answer answer)
    {
        final RecordWriter writer = writers.get(answer.of());
        if (answer.rejected() != null)
        {
            writer.rejection(answer.rejected().reason(), answer.rejected().getMessage());
            return;
        }
        final int count = answer.rows().size();
        if (count == 0)
        {
            writer.answer(AnswerForm.FIRST | AnswerForm.LAST, null);
            return;
        }
        final EventBatch batch = batches.computeIfAbsent(answer.of(), of -> new EventBatch(of.schema()));
        for (int from = 0; from < count; from += EventBatch.CAPACITY)
        {
            final int to = Math.min(count, from + EventBatch.CAPACITY);
            answer.fill(batch, from, to);
            writer.answer((from == 0 ? AnswerForm.FIRST : 0) | (to == count ? AnswerForm.LAST : 0), batch);
        }
    }
}
