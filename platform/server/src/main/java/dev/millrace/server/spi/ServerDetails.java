package dev.millrace.server.spi;

import java.util.Map;

/**
 * Details that a bundle adds to the description of the instance; registered as a service. Called by threads of the
 * management endpoint.
 */
public interface ServerDetails
{
    /**
     * Returns the key of the details in the description.
     *
     * @return a unique name
     */
    String name();

    /**
     * Returns the current details; should not take long.
     *
     * @return names and plain values: strings, numbers, booleans, and lists and maps of these
     */
    Map<String, Object> describe();
}
