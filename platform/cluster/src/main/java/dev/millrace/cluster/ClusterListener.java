package dev.millrace.cluster;

/** Is told of changes of a cluster, by one thread, one at a time, in order; should not take long. */
@FunctionalInterface
public interface ClusterListener
{
    /**
     * Somebody joined, left or was fenced. Views that followed each other closely may be told as one.
     *
     * @param view the latest
     */
    void changed(ClusterView view);
}
