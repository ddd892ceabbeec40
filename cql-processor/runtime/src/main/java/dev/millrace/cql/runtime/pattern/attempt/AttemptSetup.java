package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.flow.RowLayout;
import dev.millrace.cql.runtime.flow.RowStore;
import java.util.function.BiConsumer;

/**
 * What a pattern is tied to.
 *
 * @param results       store of the rows of matches
 * @param target        where they go
 * @param input         layout of the rows that are read
 * @param maxAttempts   attempts of a partition; further ones are not followed
 * @param maxPartitions partitions; rows of further ones are turned away
 * @param memory        is charged what the state grows by
 * @param idleNs        how long a partition that is kept without end may be without rows; 0 when it is kept
 * @param faults        takes reason and details of what is turned away
 */
public record AttemptSetup(RowStore results, MatchTarget target, RowLayout input, int maxAttempts, int maxPartitions,
    MemoryAccount memory, long idleNs, BiConsumer<String, String> faults)
{
}
