package dev.millrace.network.recording;

import dev.millrace.api.time.Clock;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.PlaybackSettings;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.spi.EventStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The playbacks of a network, and the stages that emit their rows. The rows of an adapter or bean go to the channels
 * below it, those of a channel into the channel, those of a processor to the channels that take the query. Immutable.
 */
public final class Playbacks
{
    private final Map<String, StagePlayback> playbacks = new LinkedHashMap<>();
    private final List<StageDefinition> stages = new ArrayList<>();

    /**
     * @param definition checked
     * @param store      {@code null} if the server has none; then the network has no playbacks
     */
    public Playbacks(final NetworkDefinition definition, final EventStore store, final Clock clock)
    {
        final Map<String, StageDefinition> byId = new LinkedHashMap<>();
        definition.stages().forEach(stage -> byId.put(stage.id(), stage));
        for (final PlaybackSettings settings : definition.playbacks())
        {
            final StageDefinition stage = byId.get(settings.stage());
            final List<List<String>> ways = stage instanceof ChannelStage ? List.of(List.of(stage.id())) :
                stage instanceof ProcessorStage ? stage.listeners().stream().distinct().map(List::of).toList() :
                List.of(stage.listeners());
            final List<PlaybackLane> lanes = ways.stream()
                .map(way -> new PlaybackLane((ChannelStage)byId.get(way.get(0)))).toList();
            final StagePlayback playback = new StagePlayback(settings, store, clock, lanes);
            playbacks.put(stage.id(), playback);
            for (int i = 0; i < lanes.size(); i++)
            {
                final String id = stage.id() + "#playback" + (i == 0 ? "" : "-" + ways.get(i).get(0));
                stages.add(new BeanStage(id, false, i == 0 ? playback : lanes.get(i), ways.get(i),
                    settings.position()));
            }
        }
    }

    /** The stages that emit the rows of playbacks. */
    public List<StageDefinition> stages()
    {
        return List.copyOf(stages);
    }

    /** Whether an object emits the rows of a playback. */
    public static boolean isPlayback(final Object instance)
    {
        return instance instanceof StagePlayback || instance instanceof PlaybackLane;
    }

    /** The playback of a stage; {@code null} if it has none. */
    public StagePlayback of(final String stage)
    {
        return playbacks.get(stage);
    }
}
