package dev.millrace.adapter.common.decode;

/** How the payload of a message contains rows. */
public enum PayloadFormat
{
    /** One JSON object, in any number of lines. */
    JSON,
    /** A JSON object on each line. */
    JSONLINES,
    /** A row of CSV on each line. */
    CSV
}
