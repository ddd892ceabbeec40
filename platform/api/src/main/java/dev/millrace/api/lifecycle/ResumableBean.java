package dev.millrace.api.lifecycle;

/** A stage that is notified before it resumes. */
public interface ResumableBean
{
    /**
     * Called before the stage resumes; a {@link RunnableBean}'s {@code run} is called again afterwards.
     *
     * @throws Exception when it cannot resume
     */
    void beforeResume() throws Exception;
}
