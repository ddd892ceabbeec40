package dev.millrace.cluster;

/** Receives changes of the cluster view, in order, on one thread, one call at a time. Must return quickly. */
@FunctionalInterface
public interface ClusterListener
{
    /**
     * A member joined, left, or was fenced. Changes in quick succession may be combined into one call.
     *
     * @param view the latest
     */
    void changed(ClusterView view);
}
