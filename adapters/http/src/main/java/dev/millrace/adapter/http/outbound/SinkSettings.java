package dev.millrace.adapter.http.outbound;

import dev.millrace.adapter.common.encode.FormatSettings;
import dev.millrace.adapter.common.property.PropertyCheck;
import java.net.URI;
import java.nio.file.Path;

/**
 * The checked properties of a sink. Immutable; its text contains no secret.
 *
 * @param method         {@code POST} or {@code PUT}
 * @param authorization  header with credentials; {@code null} for none
 * @param batchRows      maximum number of rows of a request
 * @param timeoutMillis  maximum time from the beginning of a request to the end of its response
 * @param maxRetryMillis maximum time between two attempts
 * @param numbers        file with the numbers of rows that were received
 * @param producer       name in the keys of requests
 */
record SinkSettings(PropertyCheck check, URI url, String method, BodyFormat body, FormatSettings format,
    String authorization, int batchRows, int timeoutMillis, int maxRetryMillis, Path numbers, String producer)
{
    String stageName()
    {
        return check.stageName();
    }

    @Override
    public String toString()
    {
        return stageName() + ' ' + method + ' ' + url;
    }
}
