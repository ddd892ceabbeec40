package dev.millrace.cql.runtime.flow;

import java.util.List;

/** Makes windows of a user's class, one a query. Safe for all threads. */
@FunctionalInterface
public interface TimeWindowFactory
{
    /**
     * Makes a window.
     *
     * @param arguments constants of the statement, boxed
     * @return a new object
     */
    TimeWindow newWindow(List<Object> arguments);
}
