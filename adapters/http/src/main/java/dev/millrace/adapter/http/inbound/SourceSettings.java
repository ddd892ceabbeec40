package dev.millrace.adapter.http.inbound;

import java.util.List;
import java.util.Set;

/**
 * The checked properties of a source. Immutable.
 *
 * @param stageName            application and stage
 * @param contextPath          path of requests
 * @param kinds                of records that are accepted
 * @param columns              names of properties in the order of the fields; {@code null} for all
 * @param hasHeader            whether CSV begins with a header unless the media type states it
 * @param separator            between values of CSV
 * @param nullText             further representation of null in CSV; {@code null} for none
 * @param isMissingNull        whether a missing value is null
 * @param isPartAccepted       whether the good rows of a request with bad ones are accepted
 * @param maxBodyBytes         maximum size of a body, also when it is decompressed
 * @param maxBufferedBytes     maximum size of all bodies that are read or wait
 * @param maxQueuedRequests    maximum number of requests that wait
 * @param maxWaitMillis        maximum time that a request waits for the source
 * @param bodyTimeoutMillis    maximum time from the head of a request to the end of its body
 * @param confirmTimeoutMillis maximum time to wait until sent rows are stored
 * @param maxProducers         maximum number of producers of clients
 */
record SourceSettings(String stageName, String contextPath, Set<MediaFormat.Kind> kinds, List<String> columns,
    boolean hasHeader, char separator, String nullText, boolean isMissingNull, boolean isPartAccepted,
    int maxBodyBytes, long maxBufferedBytes, int maxQueuedRequests, int maxWaitMillis, int bodyTimeoutMillis,
    int confirmTimeoutMillis, int maxProducers)
{
}
