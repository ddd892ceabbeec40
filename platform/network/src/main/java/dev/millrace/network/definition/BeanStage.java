package dev.millrace.network.definition;

import java.util.List;
import java.util.Objects;

/**
 * An adapter or event bean: an object that implements roles of {@code dev.millrace.api.stage}. Its properties have been
 * set.
 *
 * @param id        id
 * @param adapter   true for {@code wlevs:adapter}, false for {@code wlevs:event-bean} and plain beans
 * @param instance  the object
 * @param listeners stages below
 * @param position  position of its element
 */
public record BeanStage(
    String id, boolean adapter, Object instance, List<String> listeners, SourcePosition position)
    implements StageDefinition
{
    /** Checks the arguments. */
    public BeanStage
    {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(instance, "instance");
        listeners = List.copyOf(listeners);
    }

    /**
     * Returns the connection with other applications that this stage is.
     *
     * @return the object; {@code null} for a stage of the application itself
     */
    public CrossApplicationStage connection()
    {
        return instance instanceof CrossApplicationStage connection ? connection : null;
    }
}
