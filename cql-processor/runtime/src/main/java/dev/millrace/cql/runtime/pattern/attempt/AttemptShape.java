package dev.millrace.cql.runtime.pattern.attempt;

/**
 * How much the records of a pattern hold.
 *
 * @param partitionWords      longs of a partition
 * @param partitionReferences objects of a partition
 * @param keyWords            longs of its key
 * @param keyReferences       objects of its key
 * @param attemptWords        longs of an attempt; 0 when it is part of its partition
 * @param attemptReferences   objects of an attempt
 * @param rangeNs             longest time to a deadline; 0 without deadlines
 * @param isOrdered           whether matches leave in the order of their times
 * @param forgets             whether a partition without attempts need not be kept
 */
public record AttemptShape(int partitionWords, int partitionReferences, int keyWords, int keyReferences,
    int attemptWords, int attemptReferences, long rangeNs, boolean isOrdered, boolean forgets)
{
}
