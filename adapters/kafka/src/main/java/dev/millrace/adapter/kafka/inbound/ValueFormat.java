package dev.millrace.adapter.kafka.inbound;

/** The format of the values of records. */
enum ValueFormat
{
    /** A JSON object. */
    JSON,
    /** A record of comma-separated values. */
    CSV,
    /** A row in the binary format of the loadgen adapter. */
    WIRE,
    /** A record in the binary encoding of Avro. */
    AVRO
}
