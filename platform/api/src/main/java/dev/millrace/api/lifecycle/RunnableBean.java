package dev.millrace.api.lifecycle;

/**
 * A stage with a dedicated thread: the server calls {@code run} on it after activation; {@code suspend} must make
 * {@code run} return.
 */
public interface RunnableBean extends Runnable, SuspendableBean
{
}
