package dev.millrace.network.definition;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.network.condition.RaisedConditions;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.util.List;
import java.util.Objects;

/**
 * The definition of a whole network.
 *
 * @param applicationName symbolic name of the application
 * @param eventTypes      its types
 * @param stages          its stages in order of the assembly files
 * @param caches          its caches, for statistics
 * @param stores          conditions of the stores of its caches
 * @param recordings      what its stages record; at most one for each stage
 * @param playbacks       what its stages play back; at most one for each stage
 * @param warnings        what its files say and has another effect, or none
 */
public record NetworkDefinition(
    String applicationName, EventTypeRepository eventTypes, List<StageDefinition> stages, List<Cache> caches,
    List<RaisedConditions> stores, List<RecordingSettings> recordings, List<PlaybackSettings> playbacks,
    List<Problem> warnings)
{
    /** Checks the arguments. */
    public NetworkDefinition
    {
        Objects.requireNonNull(applicationName, "applicationName");
        stages = List.copyOf(stages);
        caches = List.copyOf(caches);
        stores = List.copyOf(stores);
        recordings = List.copyOf(recordings);
        playbacks = List.copyOf(playbacks);
        warnings = List.copyOf(warnings);
    }

    /**
     * Creates a network whose caches have no store, and that records nothing.
     *
     * @param applicationName symbolic name of the application
     * @param eventTypes      its types
     * @param stages          its stages in order of the assembly files
     * @param caches          its caches, for statistics
     */
    public NetworkDefinition(final String applicationName, final EventTypeRepository eventTypes,
        final List<StageDefinition> stages, final List<Cache> caches)
    {
        this(applicationName, eventTypes, stages, caches, List.of(), List.of(), List.of(), List.of());
    }
}
