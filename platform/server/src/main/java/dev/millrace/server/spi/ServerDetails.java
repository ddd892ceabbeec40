package dev.millrace.server.spi;

import java.util.Map;

/**
 * What a bundle adds to the description of the instance, a service that it registers. Called by threads of the
 * management endpoint.
 */
public interface ServerDetails
{
    /**
     * Where it stands in the description.
     *
     * @return a name that no other has
     */
    String name();

    /**
     * How it is now; should not take long.
     *
     * @return names and plain values: text, numbers, truth values, lists and maps of them
     */
    Map<String, Object> describe();
}
