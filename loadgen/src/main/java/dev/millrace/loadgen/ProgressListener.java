package dev.millrace.loadgen;

/** Told how a run stands, each {@code test.statInterval}, on the thread that called {@code run}. */
@FunctionalInterface
public interface ProgressListener
{
    /** Listens to nothing. */
    ProgressListener NONE = progress -> { };

    /**
     * Takes a report.
     *
     * @param progress how the run stands
     */
    void onProgress(Progress progress);
}
