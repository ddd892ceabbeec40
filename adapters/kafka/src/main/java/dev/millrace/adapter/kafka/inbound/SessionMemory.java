package dev.millrace.adapter.kafka.inbound;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** State of a source that outlives its connections. Confined to the thread of the source. */
final class SessionMemory
{
    /** Offsets after the last records that were sent. */
    final Map<TopicPartition, Long> sent = new HashMap<>();
    /** The partitions that existed when the thread connected for the first time. */
    final Set<TopicPartition> existing = new HashSet<>();
    /** Whether {@link #existing} is complete. */
    boolean hasListed;
}
