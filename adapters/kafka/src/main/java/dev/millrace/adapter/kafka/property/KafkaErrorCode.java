package dev.millrace.adapter.kafka.property;

import dev.millrace.adapter.common.property.ErrorCode;

/** Error codes of this adapter. README.md and SOURCE.md of the module describe what to do about each. */
public enum KafkaErrorCode implements ErrorCode
{
    /** An instance property is missing or invalid. */
    PROPERTY("KAF-0101"),
    /** The client cannot be created from its properties. */
    CLIENT("KAF-0102"),
    /** The brokers do not respond. */
    AWAY("KAF-0103"),
    /** The brokers reject the login or an operation. */
    DENIED("KAF-0104"),
    /** A topic or partition does not exist. */
    TOPIC("KAF-0105"),
    /** A position is not in the partition any more. */
    POSITION("KAF-0106"),
    /** The event type of a stage is unknown or not that of its channel. */
    TYPE("KAF-0107"),
    /** A source has no listener. */
    NO_LISTENER("KAF-0108"),
    /** The brokers report another failure. */
    BROKER("KAF-0109"),
    /** Records were deleted before they were read. */
    LOST("KAF-0110"),
    /** Positions are not committed to the group. */
    COMMIT("KAF-0111"),
    /** Rejected records cannot be written to their topic. */
    DEAD_LETTER("KAF-0113"),
    /** Too many producers since the start of the server. */
    PRODUCERS("KAF-0112"),
    /** Events do not have the columns of the records. */
    EVENTS("KAF-0114"),
    /** A row cannot be a record. */
    RECORD("KAF-0115"),
    /** The numbers of rows cannot be read or written. */
    NUMBERS("KAF-0116"),
    /** Another sink has taken over the transactions. */
    FENCED("KAF-0117"),
    /** Rows were not written before the end of the application. */
    REST("KAF-0118"),
    /** The schema registry does not respond. */
    REGISTRY("KAF-0119");

    private final String text;

    KafkaErrorCode(final String text)
    {
        this.text = text;
    }

    @Override
    public String text()
    {
        return text;
    }
}
