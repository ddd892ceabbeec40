package dev.millrace.network.spi;

import java.util.Set;

/**
 * The network of the previous version, paused while the next one opens its resources. Called by the thread that
 * activates the next one.
 */
@FunctionalInterface
public interface Predecessor
{
    /** There is no previous version. */
    Predecessor NONE = (stageId, next) -> false;

    /**
     * Closes sources that may hold the port that a source of the next version found taken: the source of the same id,
     * and sources that the next version does not have.
     *
     * @param stageId the source that found a port taken
     * @param next    ids of all stages of the next version
     * @return whether a source was closed, so that a retry may succeed
     */
    boolean release(String stageId, Set<String> next);
}
