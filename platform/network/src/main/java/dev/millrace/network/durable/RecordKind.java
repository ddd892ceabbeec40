package dev.millrace.cql.processor.durable;

/** The first byte of a record in the journal of a unit. */
final class RecordKind
{
    /** Describes a group: its number, its name, names and types of its columns. */
    static final byte GROUP = 'G';
    /** Rows of a group: its number, the encoded batch. */
    static final byte ROWS = 'R';
    /** Time of a group without rows: its number, the time. */
    static final byte TIME = 'T';
    /** Name of a producer: its id in the records of the file, its name. */
    static final byte PRODUCER = 'P';

    /** All rows of a replica of a cache were removed: its number. Other changes of it are rows with kinds. */
    static final byte CLEAR = 'C';

    private RecordKind()
    {
    }
}
