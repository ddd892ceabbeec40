package dev.millrace.server.extender;

/** Where an application stands. */
public enum ApplicationState
{
    /** Its context is being made. */
    STARTING,
    /** Its context waits for services or bundles; see the status for which. */
    WAITING,
    /** Made, planned and compiled; it waits to take the place of the version that runs. */
    PREPARED,
    /** Events flow. */
    RUNNING,
    /** Events flow, but something keeps the application from doing all of its work; see the causes. */
    DEGRADED,
    /** The context is there, its sources are paused. */
    SUSPENDED,
    /** It was refused, or no source of its network works any more; see the status for why. */
    FAILED,
    /** It ended the process when it was started last, and was not started again; see the status for what is known. */
    QUARANTINED,
    /** Its bundle is stopped. */
    STOPPED
}
