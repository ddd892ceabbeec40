package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.http.property.Mappers;
import java.util.regex.Pattern;

/** The instance properties of a source as set, and their validation. Not thread-safe. */
final class SourceProperties
{
    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9~_-][A-Za-z0-9._~-]*)+");
    private static final int MAX_BODY_BYTES = 256 << 20;
    private static final long MAX_BUFFERED_BYTES = 4L << 30;
    private static final int MAX_REQUESTS = 65_536;
    private static final int MAX_MILLIS = 3_600_000;
    private static final int MAX_PRODUCERS = 50_000;

    final Mappers mappers = new Mappers();
    String contextPath;
    String columns;
    boolean header = true;
    String separator = ",";
    String nullText;
    String missing = "reject";
    String badRows = "refuse";
    int maxBodyBytes = 4 << 20;
    long maxBufferedBytes = 64L << 20;
    int maxQueuedRequests = 1_024;
    int maxWaitMillis = 5_000;
    int bodyTimeoutMillis = 30_000;
    int confirmTimeoutMillis = 10_000;
    int maxProducers = 1_000;

    /**
     * Validates all properties.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    SourceSettings check(final PropertyCheck check)
    {
        check.require("contextPath", contextPath, contextPath != null && PATH.matcher(contextPath).matches(),
            "use a path such as /orders or /feed/orders");
        final char checkedSeparator = check.separator(separator);
        check.require("separator", separator, checkedSeparator < 128, "use an ASCII character");
        check.range("maxBodyBytes", maxBodyBytes, 1, MAX_BODY_BYTES);
        check.range("maxBufferedBytes", maxBufferedBytes, maxBodyBytes, MAX_BUFFERED_BYTES);
        check.range("maxQueuedRequests", maxQueuedRequests, 1, MAX_REQUESTS);
        check.range("maxWaitMillis", maxWaitMillis, 1, MAX_MILLIS);
        check.range("bodyTimeoutMillis", bodyTimeoutMillis, 1, MAX_MILLIS);
        check.range("confirmTimeoutMillis", confirmTimeoutMillis, 1, MAX_MILLIS);
        check.range("maxProducers", maxProducers, 1, MAX_PRODUCERS);
        return new SourceSettings(check.stageName(), contextPath, MediaFormat.Kind.of(mappers.formats(check)),
            check.names("columns", columns,
            "list properties in the order of the fields, separated by commas; - skips a field"), header,
            checkedSeparator, nullText, check.is("missing", missing, "null", "reject"),
            check.is("badRows", badRows, "skip", "refuse"), maxBodyBytes, maxBufferedBytes, maxQueuedRequests,
            maxWaitMillis, bodyTimeoutMillis, confirmTimeoutMillis, maxProducers);
    }
}
