package dev.millrace.api.condition;

/**
 * The conditions that a stage reports about itself: a store is unavailable, an adapter retries, a limit is reached. An
 * application with a condition is {@code DEGRADED}. Thread-safe. Calls briefly take a lock and allocate: call when the
 * condition changes or once per attempt, not per event.
 */
public interface StageConditions
{
    /** Discards everything; used by a stage without a network. */
    StageConditions NONE = new StageConditions()
    {
        @Override
        public void raise(final String code, final String text)
        {
            // Discarded.
        }

        @Override
        public void clear(final String code)
        {
            // Nothing was stored.
        }
    };

    /**
     * Raises a condition, or counts it once more. The time of the first call since it was cleared is kept; the text of
     * the last call is shown.
     *
     * @param code stable message code, for example {@code JDB-0103}
     * @param text description of the current problem
     */
    void raise(String code, String text);

    /**
     * Clears a condition. Does nothing when it was not raised.
     *
     * @param code as passed to {@link #raise}
     */
    void clear(String code);
}
