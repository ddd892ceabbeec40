package dev.millrace.network.durable;

/** The first byte of a record in the journal of a unit. */
public final class RecordKind
{
    /** Describes a group: its number, its {@link GroupDescription}. */
    public static final byte GROUP = 'G';
    /** Rows of a group: its number, the encoded batch. */
    public static final byte ROWS = 'R';
    /** Time of a group without rows: its number, the time. */
    public static final byte TIME = 'T';
    /** Name of a producer: its id in the records of the file, its name. */
    public static final byte PRODUCER = 'P';
    /** Number of the last row of an output, higher than that of the rows before: 0, the number, the producer's name. */
    public static final byte OUTPUT = 'N';
    /** The rules were changed: the number of their version. */
    public static final byte RULES = 'V';

    /** All rows of a replica of a cache were removed: its number. Other changes of it are rows with kinds. */
    public static final byte CLEAR = 'C';
    /** Answer of a look-up for a row of the batch before: its number, {@link AnswerForm}, the rows found. */
    public static final byte ANSWER = 'A';
    /** Rows of a group that a stage emitted: its number, the time at which they were recorded, the encoded batch. */
    public static final byte RECORDED_ROWS = 'W';

    private RecordKind()
    {
    }

    /** Whether a record changes the state of a group or replica. */
    public static boolean isOfGroup(final byte kind)
    {
        return kind != GROUP && kind != PRODUCER && kind != OUTPUT && kind != RULES && kind != ANSWER;
    }
}
