package dev.millrace.assembly;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.event.EventType;
import dev.millrace.assembly.epn.CacheDeclaration;
import dev.millrace.assembly.epn.ElementReference;
import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.network.cache.CacheSink;
import dev.millrace.network.cache.CacheStage;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.StageDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.context.support.GenericApplicationContext;

/** Creates stages for the caches that receive or send events. Not thread-safe. */
final class CacheStageFactory
{
    private final GenericApplicationContext context;
    private final EpnModel model;
    private final Map<String, CacheSettings> settings;
    private final Problems problems;

    CacheStageFactory(
        final GenericApplicationContext context, final EpnModel model, final Map<String, CacheSettings> settings)
    {
        this.context = context;
        this.model = model;
        this.settings = settings;
        problems = model.problems();
    }

    /**
     * Creates the stages.
     *
     * @param stages    the other stages
     * @param listeners ids of the stages below each stage, and the positions of the references
     * @return stages, usually none
     */
    List<StageDefinition> make(final List<StageDefinition> stages,
        final Map<String, Map<String, ElementReference>> listeners)
    {
        final List<StageDefinition> made = new ArrayList<>();
        for (final CacheDeclaration cache : model.caches().values())
        {
            final List<ChannelStage> above = stages.stream().filter(stage -> stage.listeners().contains(cache.id()))
                .filter(ChannelStage.class::isInstance).map(ChannelStage.class::cast).toList();
            final Map<String, ElementReference> names = listeners.getOrDefault(cache.id(), Map.of());
            final List<ChannelStage> below = stages.stream().filter(stage -> names.containsKey(stage.id()))
                .filter(ChannelStage.class::isInstance).map(ChannelStage.class::cast).toList();
            if (!above.isEmpty() || !below.isEmpty())
            {
                final CacheSettings known = settings.get(cache.id());
                above.forEach(channel -> sameType(cache, channel, known.valueType()));
                below.forEach(channel -> sameType(cache, channel, known.valueType()));
                made.add(new BeanStage(cache.id(), false, stage(cache, known, below),
                    below.stream().map(ChannelStage::id).toList(), cache.position()));
            }
        }
        return made;
    }

    private void sameType(final CacheDeclaration cache, final ChannelStage channel, final EventType valueType)
    {
        if (!channel.eventType().name().equals(valueType.name()))
        {
            problems.add(AssemblyErrorCode.BAD_WIRING, channel.position(),
                "the event type of the channel differs from " +
                "the value type of the cache, cache=" + cache.id() + " value-type=" + valueType.name() + " channel=" +
                channel.id() + " event-type=" + channel.eventType().name(), "use one event type for both");
        }
    }

    private Object stage(final CacheDeclaration cache, final CacheSettings known, final List<ChannelStage> below)
    {
        final Cache instance = context.getBean(cache.id(), Cache.class);
        if (below.isEmpty())
        {
            return new CacheSink(instance, known);
        }
        final boolean isRelation = below.get(0).relation();
        for (final ChannelStage channel : below)
        {
            if (channel.relation() != isRelation)
            {
                problems.add(AssemblyErrorCode.BAD_WIRING, channel.position(), "a cache sends its changes either to " +
                    "streams or to relations, cache=" + cache.id() + " channel=" + channel.id() + " is-relation=" +
                    channel.relation() + " first=" + below.get(0).id(), "feed one of them through another channel");
            }
        }
        return new CacheStage(instance, known, isRelation);
    }
}
