package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.memory.MemoryAccount;
import java.util.function.BiConsumer;

/**
 * What a pattern is tied to.
 *
 * @param results       store of the rows of matches
 * @param target        where they go
 * @param maxAttempts   attempts of a partition; further ones are not followed
 * @param maxPartitions partitions; rows of further ones are turned away
 * @param memory        is charged what the state grows by
 * @param idleNs        how long a partition that is kept without end may be without rows; 0 when it is kept
 * @param aggregates    that are computed over all rows of a match, by their numbers
 * @param faults        takes reason and details of what is turned away
 */
public record AttemptSetup(MatchRows results, MatchTarget target, int maxAttempts, int maxPartitions,
    MemoryAccount memory, long idleNs, RowAggregates.Aggregate[] aggregates, BiConsumer<String, String> faults)
{
}
