package dev.millrace.api.stage;

/** A stage that wants to know when its configuration is in force and the network is wired. */
public interface ActivatableBean
{
    /**
     * Called once, before the first event; the place to open sockets and files.
     *
     * @throws Exception when it cannot work; deployment fails with its message
     */
    void afterConfigurationActive() throws Exception;
}
