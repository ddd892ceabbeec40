package dev.millrace.loadgen;

/** Receives progress reports every {@code test.statInterval}, on the thread that called {@code run}. */
@FunctionalInterface
public interface ProgressListener
{
    /** Ignores all reports. */
    ProgressListener NONE = progress -> { };

    /**
     * Receives a report.
     *
     * @param progress of the run
     */
    void onProgress(Progress progress);
}
