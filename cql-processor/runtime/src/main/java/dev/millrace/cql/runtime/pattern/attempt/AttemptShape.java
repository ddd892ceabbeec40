package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.event.CqlType;

/**
 * How much the records of a pattern hold, and what they know.
 *
 * @param partitionWords      longs of a partition
 * @param partitionReferences objects of a partition
 * @param keyWords            longs of its key
 * @param keyReferences       objects of its key
 * @param keyFlags            flags of its key: which of its first longs are null
 * @param keyTexts            longs of the key that are codes of texts; not to be changed
 * @param attemptWords        longs of an attempt; 0 when it is part of its partition
 * @param attemptReferences   objects of an attempt
 * @param hasHistory          whether an attempt has a record for each row, which knows the one before
 * @param queued              types of the columns of rows that are kept beside attempts; {@code null} when none are,
 *                            not to be changed
 * @param rangeNs             longest time to a deadline; 0 without deadlines
 * @param isOrdered           whether matches leave in the order of their times
 * @param isTimed             whether matches bear times at which they are reported, which do not come in order
 * @param isBounded           whether time alone ends each partition
 */
public record AttemptShape(int partitionWords, int partitionReferences, int keyWords, int keyReferences,
    int keyFlags, int[] keyTexts, int attemptWords, int attemptReferences, boolean hasHistory, CqlType[] queued,
    long rangeNs, boolean isOrdered, boolean isTimed, boolean isBounded)
{
}
