package dev.millrace.network.advertised;

/** A stage that is no object of the application, because it connects the application with others. */
public interface BorderStage
{
    /**
     * Whether the next version of the application can continue with this object.
     *
     * @param next of the same stage in the next version
     * @return true if both connect the same stages, with the same type of rows
     */
    boolean continuesAs(Object next);
}
