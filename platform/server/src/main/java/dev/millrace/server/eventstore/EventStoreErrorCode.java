package dev.millrace.server.eventstore;

/** Codes of the problems of an event store in a database. Stable, because users search for them. */
final class EventStoreErrorCode
{
    /** Another stage records into the dataset: record into another one, or stop that recording. */
    static final String IN_USE = "SRV-0520";
    /** The buffer of a recording is full: correct why the database does not store its rows, then start it again. */
    static final String FULL = "SRV-0521";
    /** The database refuses statements or cannot be reached: correct the cause that the message contains. */
    static final String DATABASE = "SRV-0522";
    /** Recorded rows are not stored yet: wait until the database stores them. */
    static final String PENDING = "SRV-0523";

    private EventStoreErrorCode()
    {
    }
}
