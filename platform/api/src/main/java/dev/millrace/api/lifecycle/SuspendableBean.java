package dev.millrace.api.lifecycle;

/** A stage that can be paused. */
public interface SuspendableBean
{
    /**
     * Stops sending; called on the managing thread. A {@link RunnableBean}'s {@code run} must return within 10
     * seconds.
     *
     * @throws Exception when it cannot stop; the stage then counts as failed
     */
    void suspend() throws Exception;
}
