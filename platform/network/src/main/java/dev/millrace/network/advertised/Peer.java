package dev.millrace.network.advertised;

/** The end of a connection in the application that names the stage of the other one. */
interface Peer
{
    /** The stage of the other application, {@code application:stage}. */
    String name();

    /** Name of the application to which it belongs. */
    String application();

    /**
     * Called when it is connected, and when the stage is advertised, replaced or withdrawn; under the lock of the
     * registry, so it must not wait.
     *
     * @param current the stage; {@code null} if it is not advertised
     */
    void bind(Advertisement current);
}
