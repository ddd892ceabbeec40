package dev.millrace.adapter.kafka.inbound;

import java.util.Map;
import java.util.TreeMap;

/** The figures of one thread of a source. That thread writes, any thread reads. */
final class SourceCounters
{
    volatile long rows;
    volatile long rejected;
    volatile long deadLetters;
    volatile long lostRecords;
    volatile long rebalances;
    volatile long commits;
    volatile String trouble = "";
    /** The figures of each partition; replaced as a whole. */
    volatile Map<String, Map<String, Object>> partitions = new TreeMap<>();

    void sent(final int count)
    {
        rows += count;
    }

    void rejected()
    {
        rejected++;
    }

    void deadLetter()
    {
        deadLetters++;
    }

    void lost(final long records)
    {
        lostRecords += records;
    }

    void rebalanced()
    {
        rebalances++;
    }

    void committed()
    {
        commits++;
    }
}
