package dev.millrace.cql.runtime.pattern.attempt;

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
 * @param faults        takes reason and details of what is turned away
 */
public record AttemptSetup(RowStore results, MatchTarget target, RowLayout input, int maxAttempts, int maxPartitions,
    BiConsumer<String, String> faults)
{
}
