package dev.millrace.api.stage;

/** A stage that holds something to give back. */
public interface DisposableBean
{
    /**
     * Called once, after the last event, in reverse order of the network.
     *
     * @throws Exception when giving back fails; it is logged
     */
    void destroy() throws Exception;
}
