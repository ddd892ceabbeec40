package dev.millrace.api.window;

import java.util.List;

/** Creates windows of a user's class, one per query. Thread-safe. */
@FunctionalInterface
public interface TimeWindowFactory
{
    /**
     * Creates a window.
     *
     * @param arguments constants of the statement: {@code Integer}, {@code Long}, {@code Float}, {@code Double},
     *                  {@code BigDecimal}, {@code String}, {@code Boolean}; {@code Long} nanoseconds for an interval
     * @return a new object
     * @throws IllegalArgumentException when it cannot work with these arguments; its message reaches the deployer
     */
    TimeWindow newWindow(List<Object> arguments);
}
