package dev.millrace.network.wiring;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.PlaybackSettings;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.RecordingSettings;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.spi.EventStore;
import dev.millrace.network.topology.NetworkErrorCode;
import dev.millrace.network.topology.Topology;
import dev.millrace.network.topology.TypePropagation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds problems in the settings of recordings and playbacks. Not thread-safe. */
public final class RecordingCheck
{
    private final Topology topology;
    private final EventStore store;
    private final List<Problem> problems = new ArrayList<>();

    private RecordingCheck(final Topology topology, final EventStore store)
    {
        this.topology = topology;
        this.store = store;
    }

    /**
     * Checks the recordings and playbacks of a network.
     *
     * @param store {@code null} if the server has none
     * @throws DeploymentException with all problems found
     */
    static void check(final NetworkDefinition definition, final Topology topology, final EventStore store)
        throws DeploymentException
    {
        final RecordingCheck check = new RecordingCheck(topology, store);
        final Map<String, RecordingSettings> recorded = new HashMap<>();
        for (final RecordingSettings settings : definition.recordings())
        {
            check.recording(settings);
            final RecordingSettings other = recorded.putIfAbsent(settings.dataset(), settings);
            if (other != null)
            {
                check.add(NetworkErrorCode.RECORDING, settings.position(), "two stages record into one dataset, " +
                    "dataset=" + settings.dataset() + " stages=" + other.stage() + ", " + settings.stage(),
                    "use a dataset for each stage");
            }
        }
        for (final PlaybackSettings settings : definition.playbacks())
        {
            check.playback(settings);
            check.order(recorded.get(settings.dataset()), settings);
        }
        check.throwIfAny();
    }

    /**
     * Checks the settings of a recording that is started in a running network.
     *
     * @throws DeploymentException with all problems found
     */
    public static void check(final RecordingSettings settings, final NetworkDefinition definition,
        final EventStore store) throws DeploymentException
    {
        final RecordingCheck check = new RecordingCheck(new Topology(definition.stages()), store);
        check.recording(settings);
        check.throwIfAny();
    }

    /**
     * Checks the settings of a playback that is started in a running network.
     *
     * @throws DeploymentException with all problems found
     */
    public static void check(final PlaybackSettings settings, final NetworkDefinition definition,
        final EventStore store) throws DeploymentException
    {
        final RecordingCheck check = new RecordingCheck(new Topology(definition.stages()), store);
        check.playback(settings);
        check.order(definition.recordings().stream().filter(each -> each.dataset().equals(settings.dataset()))
            .findFirst().orElse(null), settings);
        check.throwIfAny();
    }

    private void throwIfAny() throws DeploymentException
    {
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
    }

    private void add(final String code, final SourcePosition position, final String text, final String hint)
    {
        problems.add(new Problem(code, position, text, hint, ""));
    }

    private void recording(final RecordingSettings settings)
    {
        if (isPossible("recording", NetworkErrorCode.RECORDING, settings.stage(), settings.dataset(),
            settings.provider(), settings.position()))
        {
            final List<EventType> types = types(topology.stage(settings.stage()));
            types(NetworkErrorCode.RECORDING, settings.stage(), settings.eventTypes(), types, settings.position());
            types.stream().filter(type -> settings.selects(type.name())).forEach(type -> type.properties().stream()
                .filter(property -> property.type() == CqlType.OBJECT).map(EventProperty::name).forEach(property ->
                    add(NetworkErrorCode.RECORDING, settings.position(), "a property of type object cannot be " +
                        "recorded, stage=" + settings.stage() + " event type=" + type.name() + " property=" + property,
                        "record a stage whose event type has no such property")));
        }
    }

    private void playback(final PlaybackSettings settings)
    {
        if (isPossible("playback", NetworkErrorCode.PLAYBACK, settings.stage(), settings.dataset(),
            settings.provider(), settings.position()))
        {
            types(NetworkErrorCode.PLAYBACK, settings.stage(), settings.eventTypes(),
                types(topology.stage(settings.stage())), settings.position());
        }
    }

    private boolean isPossible(final String what, final String code, final String stage, final String dataset,
        final String provider, final SourcePosition position)
    {
        final StageDefinition definition = topology.stage(stage);
        if (store == null)
        {
            add(NetworkErrorCode.NO_EVENT_STORE, position, what + " needs an event store, and the server has none, " +
                "stage=" + stage, "add <event-store><name>events</name></event-store> to config/config.xml of the " +
                "domain and restart the server");
        }
        else if (provider != null && !provider.equals(store.name()))
        {
            add(code, position, "no such event store, stage=" + stage + " provider-name=" + provider,
                "the server has the event store " + store.name() + "; name it, or remove provider-name");
        }
        else if (definition == null)
        {
            add(code, position, "no such stage, stage=" + stage, "stages of this application: " + String.join(", ",
                topology.order().stream().map(StageDefinition::id).toList()));
        }
        else if (types(definition).isEmpty())
        {
            add(code, position, what + " concerns the events that leave a stage, and none leave this one, stage=" +
                stage, "choose the channel above it");
        }
        else if (!EventStore.isDataset(dataset))
        {
            add(code, position, "not the name of a dataset, dataset-name=" + dataset, "use " + EventStore.NAMES);
        }
        else
        {
            return true;
        }
        return false;
    }

    private void types(final String code, final String stage, final List<String> selected,
        final List<EventType> types, final SourcePosition position)
    {
        final List<String> known = types.stream().map(EventType::name).toList();
        selected.stream().filter(type -> !known.contains(type)).forEach(type ->
            add(code, position, "no events of this type leave the stage, stage=" + stage + " event-type=" + type,
                "event types that leave the stage: " + String.join(", ", known)));
    }

    /** The types of the events that leave a stage. */
    private List<EventType> types(final StageDefinition stage)
    {
        if (stage instanceof ChannelStage channel)
        {
            return List.of(channel.eventType());
        }
        if (stage instanceof BeanStage bean)
        {
            final EventType sent = TypePropagation.sentType(bean, topology);
            return sent == null ? List.of() : List.of(sent);
        }
        return ((ProcessorStage)stage).listeners().stream().map(topology::stage)
            .map(channel -> ((ChannelStage)channel).eventType()).distinct().toList();
    }

    /** A dataset is played back at the stage that records it, or below. */
    private void order(final RecordingSettings recording, final PlaybackSettings playback)
    {
        if (recording != null && topology.stage(recording.stage()) != null &&
            topology.stage(playback.stage()) != null && !isBelow(recording.stage(), playback.stage()))
        {
            add(NetworkErrorCode.PLAYBACK, playback.position(), "the stage that plays a dataset back must be the one " +
                "that records it, or downstream of it, dataset=" + playback.dataset() + " recorded by=" +
                recording.stage() + " played back by=" + playback.stage(), "play it back at " + recording.stage() +
                " or a stage downstream of it");
        }
    }

    private boolean isBelow(final String from, final String to)
    {
        final Set<String> seen = new HashSet<>();
        final List<String> open = new ArrayList<>(List.of(from));
        while (!open.isEmpty())
        {
            final String next = open.remove(open.size() - 1);
            if (next.equals(to))
            {
                return true;
            }
            if (seen.add(next))
            {
                open.addAll(topology.stage(next).listeners());
            }
        }
        return false;
    }
}
