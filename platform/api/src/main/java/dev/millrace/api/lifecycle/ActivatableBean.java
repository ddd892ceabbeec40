package dev.millrace.api.lifecycle;

/** A stage that is notified when its configuration is active and the network is wired. */
public interface ActivatableBean
{
    /**
     * Called once, before the first event; sockets and files should be opened here. It is called again, with all
     * callbacks before it, only in one case: it threw a {@link java.net.BindException}, or an exception caused by one,
     * during an update while the previous version held the port. The second call follows after that version has
     * released the port.
     *
     * @throws Exception when it cannot work; deployment fails with its message
     */
    void afterConfigurationActive() throws Exception;
}
