package dev.millrace.api.stage;

import java.util.List;

/** Thrown by a batch sink that cannot take some events of a batch. */
public class BatchRejectedException extends EventRejectedException
{
    private static final long serialVersionUID = 1L;

    private final transient List<Object> rejected;

    /**
     * Makes the exception.
     *
     * @param message  what was wrong
     * @param rejected the events that were not taken
     */
    public BatchRejectedException(final String message, final List<Object> rejected)
    {
        super(message);
        this.rejected = List.copyOf(rejected);
    }

    /**
     * The events that were not taken.
     *
     * @return immutable list
     */
    public List<Object> rejected()
    {
        return rejected == null ? List.of() : rejected;
    }
}
