package dev.millrace.assembly;

import dev.millrace.assembly.epn.ElementReference;
import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.epn.StageDeclaration;
import dev.millrace.assembly.epn.StageDeclaration.Kind;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.xml.Located;
import dev.millrace.network.advertised.DeclaredTypes;
import dev.millrace.network.advertised.QualifiedName;
import dev.millrace.network.definition.DeploymentException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Checks references of channels to event types that other applications declare, written {@code application:type}.
 * Confined to the deploying thread.
 */
final class ForeignTypes
{
    private final String application;
    private final EpnModel model;
    private final EventTypes eventTypes;
    /** {@code null} where other applications are not known. */
    private final DeclaredTypes others;

    /** @param application its name */
    ForeignTypes(final String application, final EpnModel model, final EventTypes eventTypes,
        final PlatformServices services)
    {
        this.application = application;
        this.model = model;
        this.eventTypes = eventTypes;
        this.others = services.declaredTypes();
    }

    /**
     * Finds the types of all channels, before an object of the application is created.
     *
     * @throws DeploymentException if a type is not known: without it, further messages would be misleading
     */
    void check() throws DeploymentException
    {
        if (others == null)
        {
            return;
        }
        boolean isAnyMissing = false;
        for (final StageDeclaration stage : model.stages().values())
        {
            final Located type = stage.kind() == Kind.CHANNEL ? stage.setting("event-type") : null;
            if (type != null && !type.hasPlaceholder() && isForeign(type.value()) &&
                eventTypes.eventType(type.value()) == null)
            {
                refuse(stage, type.value());
                isAnyMissing = true;
            }
        }
        if (isAnyMissing)
        {
            model.problems().throwIfAny();
        }
    }

    private boolean isForeign(final String name)
    {
        return isForeign(model, name);
    }

    private static boolean isForeign(final EpnModel model, final String name)
    {
        return EventTypes.isForeign(name) && !model.eventTypes().containsKey(name);
    }

    /** The names of types of other applications that channels have, except those in placeholders. */
    static Set<String> names(final EpnModel model)
    {
        final Set<String> names = new LinkedHashSet<>();
        for (final StageDeclaration stage : model.stages().values())
        {
            final Located type = stage.kind() == Kind.CHANNEL ? stage.setting("event-type") : null;
            if (type != null && !type.hasPlaceholder() && isForeign(model, type.value()))
            {
                names.add(type.value());
            }
        }
        return names;
    }

    /**
     * Reports that the type of a channel is not known.
     *
     * @param name of the type
     * @return false if it is no name of a type of another application
     */
    boolean refuse(final StageDeclaration channel, final String name)
    {
        if (!isForeign(name))
        {
            return false;
        }
        final String declaring = QualifiedName.application(name);
        final String text;
        final String hint;
        if (declaring.equals(application))
        {
            text = "the event type belongs to this application, ";
            hint = "write its name only: " + name.substring(declaring.length() + 1);
        }
        else if (others == null)
        {
            text = "event types of other applications are not known in this process, ";
            hint = "give the type to the test or the builder with eventType, with this name and its properties";
        }
        else
        {
            eventTypes.misses(name);
            text = "no other application declares the event type, ";
            hint = others.names(declaring).isEmpty() ?
                "install " + declaring + " first, and check that its files can be read" :
                "name one of those that it declares, or declare the type in this application";
        }
        model.problems().add(AssemblyErrorCode.FOREIGN_TYPE, channel.setting("event-type").position(), text +
            "channel=" + channel.id() + " event-type=" + name + (others == null ? "" :
            " declared=" + others.names(declaring)), hint);
        return true;
    }

    /**
     * Leaves out what cannot be planned where other applications are not known: channels with their types, and the
     * processors next to them. Each has a note.
     *
     * @param listeners ids of the stages below each stage; links from and to these stages are removed
     * @param names     resolved name of the type of a channel, {@code null} if it has none
     * @return ids of the stages left out
     */
    Set<String> leaveOut(final Map<String, Map<String, ElementReference>> listeners,
        final Function<StageDeclaration, String> names)
    {
        final Set<String> left = new LinkedHashSet<>();
        for (final StageDeclaration channel : model.stages().values())
        {
            final String name = channel.kind() == Kind.CHANNEL ? names.apply(channel) : null;
            if (name != null && isForeign(name))
            {
                final Set<String> processors = new LinkedHashSet<>(listeners.getOrDefault(channel.id(), Map.of())
                    .keySet());
                listeners.forEach((above, below) ->
                {
                    if (below.containsKey(channel.id()))
                    {
                        processors.add(above);
                    }
                });
                processors.removeIf(id -> !model.stages().containsKey(id) ||
                    model.stages().get(id).kind() != Kind.PROCESSOR);
                model.problems().warn(AssemblyErrorCode.UNCHECKED, channel.setting("event-type").position(),
                    "the event type of another application is known when the application is deployed, channel=" +
                    channel.id() + " event-type=" + name + " unchecked=" + processors,
                    "none, if " + QualifiedName.application(name) + " declares it; the channel and the rules of " +
                    "these processors are checked then");
                left.add(channel.id());
                left.addAll(processors);
            }
        }
        listeners.keySet().removeAll(left);
        listeners.values().forEach(below -> below.keySet().removeAll(left));
        return left;
    }
}
