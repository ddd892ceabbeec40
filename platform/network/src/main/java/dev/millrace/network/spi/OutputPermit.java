package dev.millrace.network.spi;

/**
 * Whether what leaves the network may leave it now. An instance that the others of its cluster have given up has no
 * permit: another one may do its work. A server registers it as a service; sinks are asked for by the lanes that reach
 * them, once a batch, so asking must be cheap. Safe for all threads.
 */
@FunctionalInterface
public interface OutputPermit
{
    /** Of an instance that runs alone; nobody asks it. */
    OutputPermit ALWAYS = () -> true;

    /**
     * Asks.
     *
     * @return false when rows have to be rejected in front of the sinks
     */
    boolean mayPutOut();
}
