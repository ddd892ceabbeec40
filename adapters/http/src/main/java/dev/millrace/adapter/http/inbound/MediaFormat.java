package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.Mappers;
import dev.millrace.adapter.http.property.RefusedRequest;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/**
 * The format of a body, by its {@code Content-Type}.
 *
 * @param kind      of records
 * @param hasHeader whether CSV begins with a header; {@code null} as the properties of the source determine
 */
record MediaFormat(Kind kind, Boolean hasHeader)
{
    private static final Map<String, Kind> KINDS = Map.of("application/json", Kind.JSON, "text/csv", Kind.CSV,
        "application/x-ndjson", Kind.LINES, "application/ndjson", Kind.LINES, "application/jsonl", Kind.LINES,
        "application/xml", Kind.XML, "text/xml", Kind.XML);
    private static final Set<String> CHARSETS = Set.of("utf-8", "utf8", "us-ascii");

    /** The kinds of records. */
    enum Kind
    {
        /** One object, or an array of objects. */
        JSON("application/json"),
        /** An object on each line. */
        LINES("application/x-ndjson"),
        /** Comma-separated values. */
        CSV("text/csv (header=present or header=absent)"),
        /** An XML document. */
        XML("application/xml");

        private final String use;

        Kind(final String use)
        {
            this.use = use;
        }

        /** The kinds that mappers read; all if there are no mappers. */
        static Set<Kind> of(final Set<Mappers.Format> mappers)
        {
            final Set<Kind> kinds = EnumSet.noneOf(Kind.class);
            mappers.forEach(mapper -> kinds.addAll(switch (mapper)
            {
                case JSON -> Set.of(JSON, LINES);
                case XML -> Set.of(XML);
                case CSV -> Set.of(CSV);
            }));
            return kinds.isEmpty() ? EnumSet.allOf(Kind.class) : kinds;
        }
    }

    /**
     * Reads the headers of a request.
     *
     * @param accepted kinds of records that the source accepts
     * @throws RefusedRequest if the media type, its charset or header parameter is not supported
     */
    static MediaFormat of(final HttpFields headers, final Set<Kind> accepted) throws RefusedRequest
    {
        final String type = headers.get(HttpHeader.CONTENT_TYPE);
        final Map<String, String> parameters = new HashMap<>();
        final String name = type == null ? "" : HttpField.getValueParameters(type, parameters).strip();
        final Kind kind = KINDS.get(name.toLowerCase(Locale.ROOT));
        final String charset = parameters.getOrDefault("charset", "utf-8").toLowerCase(Locale.ROOT);
        final String header = parameters.get("header");
        if (kind == null || !accepted.contains(kind) || !CHARSETS.contains(charset) ||
            header != null && (kind != Kind.CSV || !header.equals("present") && !header.equals("absent")))
        {
            throw new RefusedRequest(RefusedRequest.UNSUPPORTED, HttpErrorCode.MEDIA_TYPE,
                "the media type is missing or not supported", "send Content-Type: " + accepted.stream()
                .map(each -> each.use).collect(Collectors.joining(", ")) + ", in UTF-8");
        }
        return new MediaFormat(kind, header == null ? null : header.equals("present"));
    }

    /**
     * Whether the body is compressed.
     *
     * @throws RefusedRequest if it has another encoding than gzip
     */
    static boolean isCompressed(final HttpFields headers) throws RefusedRequest
    {
        final String encoding = headers.get(HttpHeader.CONTENT_ENCODING);
        if (encoding == null || encoding.equalsIgnoreCase("identity"))
        {
            return false;
        }
        if (!encoding.equalsIgnoreCase("gzip"))
        {
            throw new RefusedRequest(RefusedRequest.UNSUPPORTED, HttpErrorCode.MEDIA_TYPE,
                "the encoding of the body is not supported", "use Content-Encoding: gzip, or leave it out");
        }
        return true;
    }
}
