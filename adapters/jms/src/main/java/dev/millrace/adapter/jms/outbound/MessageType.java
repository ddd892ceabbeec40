package dev.millrace.adapter.jms.outbound;

/** The kind of messages that a sink sends. */
public enum MessageType
{
    /** Text in a format. */
    TEXT,
    /** The bytes of the same text in UTF-8. */
    BYTES,
    /** An entry for each property. */
    MAP
}
