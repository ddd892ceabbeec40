package dev.millrace.adapter.http.outbound;

import dev.millrace.adapter.common.encode.CsvFormat;
import dev.millrace.adapter.common.encode.JsonFormat;
import dev.millrace.adapter.common.encode.RowFormat;

/** The formats of bodies. */
enum BodyFormat
{
    /** An array of objects. */
    JSON("application/json"),
    /** One object, a request for each row. */
    OBJECT("application/json"),
    /** An object on each line. */
    LINES("application/x-ndjson"),
    /** Comma-separated values. */
    CSV("text/csv");

    private final String mediaType;

    BodyFormat(final String mediaType)
    {
        this.mediaType = mediaType;
    }

    String mediaType()
    {
        return mediaType;
    }

    RowFormat rows()
    {
        return this == CSV ? new CsvFormat() : new JsonFormat();
    }
}
