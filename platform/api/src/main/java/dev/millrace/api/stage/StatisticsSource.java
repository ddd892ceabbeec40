package dev.millrace.api.stage;

import java.util.Map;

/** A stage with figures of its own; they appear beside the platform's counters in the management view of the stage. */
public interface StatisticsSource
{
    /**
     * The figures now. Called by a management thread while events flow.
     *
     * @return names to numbers, strings, lists or maps of such; a snapshot
     */
    Map<String, Object> statistics();
}
