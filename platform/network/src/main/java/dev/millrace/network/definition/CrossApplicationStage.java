package dev.millrace.network.definition;

/**
 * A stage that connects an application with other applications, and is created by the platform. Called by deployment
 * threads and by those that read statistics.
 */
public interface CrossApplicationStage
{
    /** The name of this kind of stage in management interfaces. */
    String kind();

    /**
     * Whether the next version of the application can continue with this object.
     *
     * @param next of the same stage in the next version
     * @return true if both connect the same stages, with the same type of rows
     */
    boolean continuesAs(Object next);
}
