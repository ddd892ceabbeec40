package dev.millrace.api.stage;

/** A stage that wants to know when its configuration is in force and the network is wired. */
public interface ActivatableBean
{
    /**
     * Called once, before the first event; the place to open sockets and files. Only when it threw a {@link
     * java.net.BindException}, or something caused by one, while an update takes the place of a version that held the
     * port, it is called again, with all that comes before it, after that version has let go.
     *
     * @throws Exception when it cannot work; deployment fails with its message
     */
    void afterConfigurationActive() throws Exception;
}
