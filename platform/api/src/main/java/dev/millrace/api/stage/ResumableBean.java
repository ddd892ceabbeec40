package dev.millrace.api.stage;

/** A stage that wants to know when it goes on. */
public interface ResumableBean
{
    /**
     * Called before the stage goes on; a {@link RunnableBean}'s {@code run} is called again afterwards.
     *
     * @throws Exception when it cannot go on
     */
    void beforeResume() throws Exception;
}
