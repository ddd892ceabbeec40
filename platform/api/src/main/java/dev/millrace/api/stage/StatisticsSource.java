package dev.millrace.api.stage;

import java.util.Map;

/**
 * A stage with additional statistics, which are shown together with the platform's counters in the management view of
 * the stage.
 */
public interface StatisticsSource
{
    /**
     * Returns the current statistics. Called by a management thread while events flow.
     *
     * @return names to numbers, strings, lists or maps of these; a snapshot
     */
    Map<String, Object> statistics();
}
