package dev.millrace.network.spi;

import java.util.Set;

/**
 * The network of the version before, paused while the next one opens what it needs. Called by the thread that activates
 * the next one.
 */
@FunctionalInterface
public interface Predecessor
{
    /** There is no version before. */
    Predecessor NONE = (stageId, next) -> false;

    /**
     * Closes sources that may hold the port that a source of the next version found taken: the one of its id, and those
     * that the next version does not have.
     *
     * @param stageId of the source that found a port taken
     * @param next    ids of all stages of the next version
     * @return whether something was closed, so that it is worth to try again
     */
    boolean release(String stageId, Set<String> next);
}
