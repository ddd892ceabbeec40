package dev.millrace.embedded;

/**
 * Receives the events of a query. Called by one thread at a time: the sender's or, with workers or heartbeats, one of
 * the network's.
 *
 * @param <T> class of the events
 */
@FunctionalInterface
public interface EventHandler<T>
{
    /**
     * Receives an inserted row.
     *
     * @param event the handler may keep it
     * @throws Exception rejects the event, which is counted and logged
     */
    void onEvent(T event) throws Exception;
}
