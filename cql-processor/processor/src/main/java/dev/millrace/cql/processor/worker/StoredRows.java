package dev.millrace.cql.processor.worker;

/** The numbered rows of a channel that a durable processor has stored. Thread-safe. */
public interface StoredRows
{
    /** The number up to which the rows of a producer are certainly stored, by id of the producer. */
    long receivedFrom(int producer);

    /** Whether rows of the channel were rejected because they could not be stored: their numbers are not received. */
    boolean hasRejected();
}
