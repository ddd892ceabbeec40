package dev.millrace.network.definition;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.EventTypeRepository;
import java.util.List;
import java.util.Objects;

/**
 * A whole network.
 *
 * @param applicationName symbolic name of the application
 * @param eventTypes      its types
 * @param stages          its stages in order of the assembly files
 * @param caches          its caches, for statistics
 */
public record NetworkDefinition(
    String applicationName, EventTypeRepository eventTypes, List<StageDefinition> stages, List<Cache> caches)
{
    /** Checks the arguments. */
    public NetworkDefinition
    {
        Objects.requireNonNull(applicationName, "applicationName");
        stages = List.copyOf(stages);
        caches = List.copyOf(caches);
    }
}
