package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.event.CqlType;

/**
 * Layout of the records of a pattern.
 *
 * @param partitionWords      longs of a partition
 * @param partitionReferences objects of a partition
 * @param keyWords            longs of its key
 * @param keyReferences       objects of its key
 * @param keyFlags            flags of its key: which of its first longs are null
 * @param keyTexts            longs of the key that are string codes; must not be modified
 * @param attemptWords        longs of an attempt; 0 when it is part of its partition
 * @param attemptReferences   objects of an attempt
 * @param hasHistory          whether an attempt has a record for each row, linked to that of the previous row
 * @param queued              types of the columns of rows that are stored separately from attempts; {@code null} when
 *                            none are; must not be modified
 * @param rangeNs             longest time to a deadline; 0 without deadlines
 * @param isOrdered           whether matches leave in order of time
 * @param isTimed             whether matches have times at which they are reported, which are not in order
 * @param isBounded           whether each partition ends by time alone
 */
public record AttemptRecordShape(int partitionWords, int partitionReferences, int keyWords, int keyReferences,
    int keyFlags, int[] keyTexts, int attemptWords, int attemptReferences, boolean hasHistory, CqlType[] queued,
    long rangeNs, boolean isOrdered, boolean isTimed, boolean isBounded)
{
}
