package dev.millrace.server.extender;

/** The state of an application. */
public enum ApplicationState
{
    /** Its context is being created. */
    STARTING,
    /** Its context waits for services or bundles; the status lists them. */
    WAITING,
    /** Created, planned and compiled; ready to replace the running version. */
    PREPARED,
    /** Events flow. */
    RUNNING,
    /** Events flow, but the application cannot do all of its work; the status lists the causes. */
    DEGRADED,
    /** The context exists; its sources are paused. */
    SUSPENDED,
    /** The application was rejected, or no source of its network works; the status lists the problems. */
    FAILED,
    /**
     * The application ended the process at its last start and was not started again; the status contains the known
     * facts.
     */
    QUARANTINED,
    /** Its bundle is stopped. */
    STOPPED
}
