package dev.millrace.api.lifecycle;

/** A stage that has resources to release. */
public interface DisposableBean
{
    /**
     * Called once, after the last event, in reverse order of the network.
     *
     * @throws Exception when releasing fails; it is logged
     */
    void destroy() throws Exception;
}
