package dev.millrace.adapter.http.outbound;

import dev.millrace.adapter.common.encode.CsvFormat;
import dev.millrace.adapter.common.encode.JsonFormat;
import dev.millrace.adapter.common.encode.RowFormat;
import dev.millrace.adapter.http.property.Mappers;

/** The formats of bodies. */
enum BodyFormat
{
    /** An array of objects. */
    JSON("application/json", Mappers.Format.JSON),
    /** One object, a request for each row. */
    OBJECT("application/json", Mappers.Format.JSON),
    /** An object on each line. */
    LINES("application/x-ndjson", Mappers.Format.JSON),
    /** Comma-separated values. */
    CSV("text/csv", Mappers.Format.CSV),
    /** An XML document with an element for each row. */
    XML("application/xml", Mappers.Format.XML),
    /** An XML document that is one element, a request for each row. */
    ELEMENT("application/xml", Mappers.Format.XML);

    private final String mediaType;
    private final Mappers.Format mapper;

    BodyFormat(final String mediaType, final Mappers.Format mapper)
    {
        this.mediaType = mediaType;
        this.mapper = mapper;
    }

    String mediaType()
    {
        return mediaType;
    }

    /** The mapper that writes such bodies. */
    Mappers.Format mapper()
    {
        return mapper;
    }

    /** Whether each row is a request. */
    boolean isSingle()
    {
        return this == OBJECT || this == ELEMENT;
    }

    RowFormat rows()
    {
        return switch (mapper)
        {
            case JSON -> new JsonFormat();
            case CSV -> new CsvFormat();
            case XML -> new XmlFormat(this == ELEMENT);
        };
    }
}
