package dev.millrace.adapter.kafka.avro;

import org.apache.avro.Schema;

/** The units of times of Avro. */
final class TimeUnits
{
    private TimeUnits()
    {
    }

    /** Nanoseconds of a unit of a long: of its logical type, otherwise a nanosecond. */
    static long ofNs(final Schema schema)
    {
        final String type = schema.getProp("logicalType");
        return "timestamp-millis".equals(type) ? 1_000_000 : "timestamp-micros".equals(type) ? 1_000 : 1;
    }
}
