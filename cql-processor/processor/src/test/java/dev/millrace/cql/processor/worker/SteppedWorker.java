package dev.millrace.cql.processor.worker;

/** Runs a worker on the thread of a test, which decides when; its own thread is never started. */
public final class SteppedWorker
{
    private final ThreadWorker worker;

    /** Claims the worker before the first row, so that all rows go through its rings. */
    public SteppedWorker(final ThreadWorker worker)
    {
        this.worker = worker;
        if (!worker.claim())
        {
            throw new IllegalStateException("another thread is the worker");
        }
    }

    /** Processes all rows in its rings. */
    public void run()
    {
        while (worker.work())
        {
            // One batch per ring, in turn.
        }
    }
}
