package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.memory.MemoryAccount;
import java.util.function.BiConsumer;

/**
 * The environment of a pattern.
 *
 * @param results       store of the rows of matches
 * @param target        receives the rows of matches
 * @param maxAttempts   maximum per partition; further attempts are not followed
 * @param maxPartitions maximum; rows of further partitions are rejected
 * @param memory        charged for the growth of state
 * @param idleNs        how long a partition of unbounded state may be without rows; 0 when it never expires
 * @param aggregates    aggregates that are computed over all rows of a match, by index
 * @param faults        receives reason and details of rejections
 */
public record AttemptContext(MatchRows results, MatchTarget target, int maxAttempts, int maxPartitions,
    MemoryAccount memory, long idleNs, RowAggregates.Aggregate[] aggregates, BiConsumer<String, String> faults)
{
}
