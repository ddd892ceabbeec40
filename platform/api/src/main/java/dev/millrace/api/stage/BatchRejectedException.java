package dev.millrace.api.stage;

import java.util.List;

/** Thrown by a batch sink that cannot process some events of a batch. */
public class BatchRejectedException extends EventRejectedException
{
    private static final long serialVersionUID = 1L;

    private final transient List<Object> rejected;

    /**
     * Creates an exception.
     *
     * @param message  what was wrong
     * @param rejected the rejected events
     */
    public BatchRejectedException(final String message, final List<Object> rejected)
    {
        super(message);
        this.rejected = List.copyOf(rejected);
    }

    /**
     * Returns the rejected events.
     *
     * @return immutable list
     */
    public List<Object> rejected()
    {
        return rejected == null ? List.of() : rejected;
    }
}
