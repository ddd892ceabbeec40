package dev.millrace.network.spi;

/**
 * Whether rows may leave the network now. An instance that was removed from its cluster has no permit, because another
 * one may do its work. A server registers the permit as a service. The lanes into sinks check it once per batch, so the
 * check must be cheap. Thread-safe.
 */
@FunctionalInterface
public interface OutputPermit
{
    /** The permit of an instance outside a cluster; not checked at all. */
    OutputPermit ALWAYS = () -> true;

    /**
     * Whether rows may leave.
     *
     * @return false when rows have to be rejected in front of the sinks
     */
    boolean mayPutOut();
}
