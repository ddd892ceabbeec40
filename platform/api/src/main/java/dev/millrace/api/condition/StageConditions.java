package dev.millrace.api.condition;

/**
 * The conditions that a stage reports about itself: a store is away, an adapter retries, a bound is reached. An
 * application with a condition is {@code DEGRADED}. Thread-safe. Calls take a lock for a moment and allocate: call when
 * the condition changes or once per attempt, not per event.
 */
public interface StageConditions
{
    /** Discards everything; what a stage without a network gets. */
    StageConditions NONE = new StageConditions()
    {
        @Override
        public void raise(final String code, final String text)
        {
            // Nobody looks.
        }

        @Override
        public void clear(final String code)
        {
            // Nothing was kept.
        }
    };

    /**
     * Raises a condition, or counts it once more. The time of the first call since it was cleared stays; the text of
     * the last call is shown.
     *
     * @param code stable message code, for example {@code JDB-0103}
     * @param text what is wrong now
     */
    void raise(String code, String text);

    /**
     * Clears a condition. Nothing happens when it was not raised.
     *
     * @param code as given to {@link #raise}
     */
    void clear(String code);
}
