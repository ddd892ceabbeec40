package dev.millrace.network.definition;

/** A network cannot start, for a reason that only shows when its stages start. */
public final class StartFailedException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    private final DeploymentException reason;

    public StartFailedException(final DeploymentException reason)
    {
        super(reason.getMessage(), reason);
        this.reason = reason;
    }

    /** The problems. */
    public DeploymentException reason()
    {
        return reason;
    }
}
