package dev.millrace.network.durable;

/**
 * The byte after the number of the look-up in a record of {@link RecordKind#ANSWER}: a sum of these. An answer that has
 * more rows than a batch consists of several records. A rejection is followed by the lengths and the UTF-8 bytes of its
 * reason and its text, rows by an encoded batch.
 */
public final class AnswerForm
{
    /** The first record of an answer; earlier records without a last one do not count. */
    public static final int FIRST = 1;
    /** The last record of an answer. */
    public static final int LAST = 2;
    /** The record contains rows. */
    public static final int ROWS = 4;
    /** The row that asked was rejected; rows of the answer so far do not count. */
    public static final int REJECTED = 8;

    private AnswerForm()
    {
    }
}
