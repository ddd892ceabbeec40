package dev.millrace.cql.processor.durable.unit;

import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.relation.RecordedLookup;
import dev.millrace.cql.runtime.row.RowRejectedException;
import dev.millrace.journal.JournalException;
import dev.millrace.network.durable.AnswerForm;
import dev.millrace.network.partition.RowDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The answers that the journal contains for one batch, in the order in which its rows asked. Confined to the thread
 * that replays.
 */
final class ReplayedAnswers
{
    private final Queue<Answer> answers = new ArrayDeque<>();
    /** Rows of an answer whose last record has not been read. */
    private List<Object[]> rows = new ArrayList<>();
    private boolean isLast;
    private String otherLookup;

    /** Adds a record of an answer, after its form. */
    void add(final RecordedLookup of, final int form, final ByteBuffer record, final RowDecoder decoder)
    {
        if ((form & AnswerForm.FIRST) != 0)
        {
            rows = new ArrayList<>();
        }
        if ((form & AnswerForm.REJECTED) != 0)
        {
            answers.add(new Answer(of, List.of(), new RowRejectedException(string(record), string(record))));
            return;
        }
        if ((form & AnswerForm.ROWS) != 0)
        {
            Answer.read(decoder.decode(record), rows);
        }
        if ((form & AnswerForm.LAST) != 0)
        {
            answers.add(new Answer(of, rows, null));
        }
    }

    private static String string(final ByteBuffer record)
    {
        final int length = record.getInt();
        if (length < 0 || length > record.remaining())
        {
            throw new IllegalArgumentException("not the length of a string, length=" + length);
        }
        final byte[] bytes = new byte[length];
        record.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** No batch follows, so rows whose answers are missing ask again: the process ended before they did. */
    void isLast(final boolean now)
    {
        isLast = now;
    }

    boolean isLast()
    {
        return isLast;
    }

    /** The next answer, which must be that of the look-up; {@code null} if there are no more. */
    Answer next(final RecordedLookup asked)
    {
        final Answer next = answers.poll();
        if (next != null && next.of() != asked)
        {
            otherLookup = "asked=" + asked.name() + " stored=" + next.of().name();
            return new Answer(asked, List.of(),
                new RowRejectedException("other-look-up", "the stored answer is that of another look-up"));
        }
        return next;
    }

    /** Fails unless the rows have asked as before. */
    void check(final String unit, final long position)
    {
        if (otherLookup == null && !answers.isEmpty())
        {
            otherLookup = "more stored answers than look-ups, left=" + answers.size();
        }
        if (otherLookup != null)
        {
            throw new JournalException(ProcessorErrorCode.OTHER_RULES, "rows of the journal look up something else " +
                "than before, so that their state cannot be restored: a function of the application does not return " +
                "what it returned before, or its class was changed, unit=" + unit + " position=" + position + ' ' +
                otherLookup);
        }
    }
}
