package dev.millrace.cql.processor.durable.snapshot;

import java.util.Map;

/**
 * The state of a unit at a position of its journal, to be stored as a snapshot.
 *
 * @param unit     name of the unit
 * @param position of the last record that the state includes
 * @param content  state of its pipelines and flows, and the numbers
 * @param numbers  number of the last row of each output, by producer
 */
public record CapturedState(String unit, long position, SnapshotContent content, Map<String, Long> numbers)
{
    public long sizeBytes()
    {
        return content.sizeBytes();
    }
}
