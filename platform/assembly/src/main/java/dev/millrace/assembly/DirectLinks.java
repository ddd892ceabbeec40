package dev.millrace.assembly;

import dev.millrace.api.event.EventType;
import dev.millrace.assembly.epn.ElementReference;
import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.epn.StageDeclaration;
import dev.millrace.assembly.epn.StageDeclaration.Kind;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.xml.Located;
import dev.millrace.network.definition.ChannelStage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.springframework.beans.PropertyValue;
import org.springframework.beans.factory.config.TypedStringValue;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Adapters and beans that are connected without a channel: each such link gets a separate pass-through channel with
 * the id {@code FROM-TO}. Confined to the deploying thread.
 */
final class DirectLinks
{
    private final GenericApplicationContext context;
    private final EpnModel model;
    private final EventTypes eventTypes;
    private final Function<Located, String> resolver;

    /** @param resolver returns the final string of an attribute, {@code null} if it has none */
    DirectLinks(final GenericApplicationContext context, final EpnModel model, final EventTypes eventTypes,
        final Function<Located, String> resolver)
    {
        this.context = context;
        this.model = model;
        this.eventTypes = eventTypes;
        this.resolver = resolver;
    }

    /**
     * Replaces direct links.
     *
     * @param listeners ids of the stages below each stage, and the positions of the references; links are replaced
     * @return the channels
     */
    List<ChannelStage> replace(final Map<String, Map<String, ElementReference>> listeners)
    {
        final List<ChannelStage> channels = new ArrayList<>();
        for (final String from : List.copyOf(listeners.keySet()))
        {
            if (!isBean(from))
            {
                continue;
            }
            for (final ElementReference link : List.copyOf(listeners.get(from).values()))
            {
                final ChannelStage channel = isBean(link.target()) ? channel(from, link, listeners) : null;
                if (channel != null)
                {
                    listeners.put(from, renamed(listeners.get(from), link.target(), channel.id()));
                    listeners.put(channel.id(), new LinkedHashMap<>(Map.of(link.target(), link)));
                    channels.add(channel);
                }
            }
        }
        return channels;
    }

    /** Whether a stage is an adapter or a bean. */
    private boolean isBean(final String id)
    {
        final StageDeclaration stage = model.stages().get(id);
        return stage == null ? model.plainBeans().contains(id) :
            stage.kind() != Kind.CHANNEL && stage.kind() != Kind.PROCESSOR;
    }

    /**
     * The type of the events that an adapter or bean sends, so far as it is known without the stages that receive them.
     *
     * @param listeners ids of the stages below each stage
     * @return {@code null} if it is not known
     */
    EventType sentType(final String from, final Map<String, Map<String, ElementReference>> listeners)
    {
        return eventType(from, null, listeners);
    }

    private boolean isChannel(final String id)
    {
        return model.stages().containsKey(id) && model.stages().get(id).kind() == Kind.CHANNEL;
    }

    private static Map<String, ElementReference> renamed(
        final Map<String, ElementReference> links, final String target, final String channel)
    {
        final Map<String, ElementReference> renamed = new LinkedHashMap<>();
        links.forEach((id, link) ->
        {
            final boolean isReplaced = id.equals(target);
            renamed.put(isReplaced ? channel : id,
                isReplaced ? new ElementReference(channel, link.position(), false) : link);
        });
        return renamed;
    }

    private ChannelStage channel(final String from, final ElementReference link,
        final Map<String, Map<String, ElementReference>> listeners)
    {
        final String to = link.target();
        final EventType type = eventType(from, to, listeners);
        if (type == null)
        {
            model.problems().add(AssemblyErrorCode.BAD_WIRING, link.position(),
                "the event type between two stages without a channel is not known, from=" + from + " to=" + to,
                "declare a wlevs:channel between them; its event-type is the type of the events between them");
            return null;
        }
        String id = from + '-' + to;
        while (model.stages().containsKey(id) || context.containsBean(id))
        {
            id += "-channel";
        }
        return new ChannelStage(id, type, false, List.of(), ChannelStage.Queue.PASS_THROUGH, false,
            ChannelStage.Time.SYSTEM, List.of(), List.of(to), link.position());
    }

    /**
     * The type of the events of a link: that of the other channels below the sender, of the other channels above the
     * receiver, the one named by the sender's property eventTypeName, or the only one of the application.
     */
    private EventType eventType(
        final String from, final String to, final Map<String, Map<String, ElementReference>> listeners)
    {
        final Set<String> below = new LinkedHashSet<>();
        listeners.getOrDefault(from, Map.of()).keySet().stream().filter(this::isChannel)
            .forEach(id -> below.add(typeOf(id)));
        if (below.size() == 1)
        {
            return eventTypes.eventType(below.iterator().next());
        }
        final Set<String> above = new LinkedHashSet<>();
        listeners.forEach((id, links) ->
        {
            if (isChannel(id) && links.containsKey(to))
            {
                above.add(typeOf(id));
            }
        });
        if (above.size() == 1)
        {
            return eventTypes.eventType(above.iterator().next());
        }
        final String named = eventTypeName(from);
        return named != null ? eventTypes.eventType(named) :
            eventTypes.eventTypes().size() == 1 ? eventTypes.eventTypes().iterator().next() : null;
    }

    private String typeOf(final String channel)
    {
        return String.valueOf(resolver.apply(model.stages().get(channel).setting("event-type")));
    }

    private String eventTypeName(final String stage)
    {
        final PropertyValue property = context.containsBeanDefinition(stage) ?
            context.getBeanDefinition(stage).getPropertyValues().getPropertyValue("eventTypeName") : null;
        final Object value = property == null ? null : property.getValue();
        return value instanceof TypedStringValue text ? text.getValue() : value instanceof String text ? text : null;
    }
}
