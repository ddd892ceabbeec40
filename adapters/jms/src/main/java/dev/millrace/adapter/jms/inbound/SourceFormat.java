package dev.millrace.adapter.jms.inbound;

/** How the body of a text or bytes message contains rows. */
public enum SourceFormat
{
    /** One JSON object. */
    JSON,
    /** A JSON object on each line. */
    JSONLINES,
    /** A row of CSV on each line. */
    CSV
}
