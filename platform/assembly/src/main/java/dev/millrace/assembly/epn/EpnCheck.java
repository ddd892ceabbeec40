package dev.millrace.assembly.epn;

import dev.millrace.assembly.epn.StageDeclaration.Kind;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.network.advertised.QualifiedName;
import dev.millrace.network.definition.SourcePosition;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** Checks the declarations of all files against each other, before any object is created. Not thread-safe. */
public final class EpnCheck
{
    private final EpnModel model;
    private final Problems problems;
    private final DefaultListableBeanFactory beans;

    /**
     * @param model declarations of the files
     * @param beans the bean definitions of the same files
     */
    public EpnCheck(final EpnModel model, final DefaultListableBeanFactory beans)
    {
        this.model = model;
        this.problems = model.problems();
        this.beans = beans;
    }

    /** Checks everything; problems are reported to the model. */
    public void check()
    {
        model.stages().values().forEach(this::idsOfPlainBeans);
        model.caches().values().forEach(cache -> plainBean(cache.id()));
        for (final StageDeclaration stage : model.stages().values())
        {
            stage.listeners().forEach(link -> stageLink(stage, link, true));
            stage.sources().forEach(link -> stageLink(stage, link, false));
            stage.cacheSources().forEach(this::cacheSource);
            stage.tableSources().forEach(this::tableSource);
            stage.functions().forEach(function -> bean(function.bean(), "function"));
            stage.windows().forEach(window -> bean(window.bean(), "window"));
            if (stage.kind() == Kind.CHANNEL)
            {
                channel(stage);
            }
        }
        model.caches().values().forEach(this::cache);
        for (final TableDeclaration table : model.tables().values())
        {
            plainBean(table.id());
            eventType(table.eventType());
        }
    }

    private void idsOfPlainBeans(final StageDeclaration stage)
    {
        if (stage.kind() == Kind.CHANNEL || stage.kind() == Kind.PROCESSOR)
        {
            plainBean(stage.id());
        }
    }

    /** Stages that are not beans must not have the name of a bean. */
    private void plainBean(final String id)
    {
        if (beans.containsBeanDefinition(id) &&
            beans.getBeanDefinition(id).getSource() instanceof SourcePosition position)
        {
            problems.add(AssemblyErrorCode.DUPLICATE, position, "the id is used twice, id=" + id,
                "give one of them another id");
        }
    }

    private void stageLink(final StageDeclaration stage, final ElementReference link, final boolean down)
    {
        final String target = link.target();
        final StageDeclaration other = model.stages().get(target);
        if (target.indexOf(QualifiedName.SEPARATOR) >= 0)
        {
            foreign(stage, link, down);
        }
        else if (target.equals(stage.id()))
        {
            problems.add(AssemblyErrorCode.BAD_WIRING, link.position(), "a stage cannot be its own " +
                (down ? "listener" : "source") + ", stage=" + target, "name another stage");
        }
        else if (other != null)
        {
            declared(stage, link, other, down);
        }
        else if (model.caches().containsKey(target))
        {
            cacheAsStage(stage, link, down);
        }
        else if (beans.containsBean(target) && !target.equals(EpnModel.BEAN_NAME) &&
            !model.cachingSystems().containsKey(target))
        {
            model.plainBeans().add(target);
            if (stage.kind() == Kind.PROCESSOR)
            {
                needsChannel(stage.id(), link, target, down);
            }
        }
        else
        {
            dangling(link, down ? "listener" : "source", stageNames());
        }
    }

    /** A channel is connected with a stage of another application, written {@code application:stage}. */
    private void foreign(final StageDeclaration stage, final ElementReference link, final boolean down)
    {
        if (stage.kind() != Kind.CHANNEL)
        {
            needsChannel(stage.id(), link, link.target(), down);
        }
        else if (!isForeignName(link.target()))
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, link.position(), "not the name of a stage of another " +
                "application, " + (down ? "listener=" : "source=") + link.target(),
                "write APPLICATION:STAGE, with the Bundle-SymbolicName of the application and the id of the stage");
        }
    }

    /** A cache is connected to a channel, either receiving its rows or sending changes to it. */
    private void cacheAsStage(final StageDeclaration stage, final ElementReference link, final boolean down)
    {
        final CacheDeclaration cache = model.caches().get(link.target());
        if (stage.kind() != Kind.CHANNEL)
        {
            needsChannel(stage.id(), link, cache.id(), down);
        }
        if (!cache.settings().containsKey("value-type") || down && !cache.settings().containsKey("key-properties"))
        {
            problems.add(AssemblyErrorCode.MISSING, cache.position(), down ?
                "a cache that receives events needs the attributes value-type and key-properties, cache=" + cache.id() +
                    " used=" + link.position() :
                "a cache that sends events needs the attribute value-type, cache=" + cache.id() + " used=" +
                    link.position(),
                "add the event type of its values" + (down ? " and the properties that form the key" : ""));
        }
    }

    private void declared(
        final StageDeclaration stage, final ElementReference link, final StageDeclaration other, final boolean down)
    {
        if (other.parentId() != null && !link.nested())
        {
            problems.add(AssemblyErrorCode.BAD_WIRING, link.position(),
                "a nested stage can be used by its parent only, " +
                "stage=" + other.id() + " parent=" + other.parentId(),
                "move the stage to the top level of the file and refer to it from both");
        }
        else if (stage.kind() != Kind.CHANNEL && other.kind() != Kind.CHANNEL &&
            (stage.kind() == Kind.PROCESSOR || other.kind() == Kind.PROCESSOR))
        {
            needsChannel(stage.id(), link, other.id(), down);
        }
    }

    private void needsChannel(final String stage, final ElementReference link, final String other, final boolean down)
    {
        problems.add(AssemblyErrorCode.BAD_WIRING, link.position(), "stages must be connected by a channel, from=" +
            (down ? stage : other) + " to=" + (down ? other : stage),
            "declare a wlevs:channel between them; its event-type is the type of the events between them");
    }

    private Collection<String> stageNames()
    {
        final Set<String> names = new TreeSet<>();
        model.stages().values().stream().filter(stage -> stage.parentId() == null).map(StageDeclaration::id)
            .forEach(names::add);
        Arrays.stream(beans.getBeanDefinitionNames())
            .filter(name -> name.indexOf('#') < 0 && name.indexOf('.') < 0 && !model.cachingSystems().containsKey(name))
            .filter(name -> !model.stages().containsKey(name)).forEach(names::add);
        return names;
    }

    private void dangling(final ElementReference link, final String what, final Collection<String> names)
    {
        if (model.refusedIds().contains(link.target()))
        {
            return;
        }
        problems.add(AssemblyErrorCode.DANGLING_REFERENCE, link.position(),
            "there is no such " + what + ", ref=" + link.target(),
            Suggestions.hint(link.target(), "it can be", names));
    }

    private void cacheSource(final ElementReference link)
    {
        if (link.target().indexOf(QualifiedName.SEPARATOR) >= 0)
        {
            UnsupportedSettings.foreign(model, link, "caches");
            return;
        }
        final CacheDeclaration cache = model.caches().get(link.target());
        if (cache == null)
        {
            dangling(link, "cache", model.caches().keySet());
        }
        else if (!cache.settings().containsKey("value-type") || !cache.settings().containsKey("key-properties"))
        {
            problems.add(AssemblyErrorCode.MISSING, cache.position(),
                "a cache that rules join needs the attributes value-type and key-properties, cache=" + cache.id() +
                    " used=" + link.position(), "add the event type of its values and the property that is the key");
        }
    }

    private void tableSource(final ElementReference link)
    {
        if (link.target().indexOf(QualifiedName.SEPARATOR) >= 0)
        {
            UnsupportedSettings.foreign(model, link, "tables");
        }
        else if (!model.tables().containsKey(link.target()))
        {
            dangling(link, "table", model.tables().keySet());
        }
    }

    private void cache(final CacheDeclaration cache)
    {
        if (cache.system() != null && !model.cachingSystems().containsKey(cache.system().target()))
        {
            dangling(cache.system(), "caching system", model.cachingSystems().keySet());
        }
        for (final ElementReference link : cache.channels())
        {
            final StageDeclaration channel = model.stages().get(link.target());
            if (channel == null)
            {
                problems.add(AssemblyErrorCode.DANGLING_REFERENCE, link.position(),
                    "a cache sends its changes to a channel that does not exist, cache=" + cache.id() +
                        " ref=" + link.target(), Suggestions.hint(link.target(), "channels",
                        model.stages().values().stream().filter(stage -> stage.kind() == Kind.CHANNEL)
                            .map(StageDeclaration::id).toList()));
            }
            else
            {
                cacheAsStage(channel, new ElementReference(cache.id(), link.position(), false), false);
            }
        }
        bean(cache.loader(), "cache loader");
        bean(cache.store(), "cache store");
        cache.listeners().forEach(listener -> bean(listener, "cache listener"));
        final Located valueType = cache.settings().get("value-type");
        if (valueType != null)
        {
            eventType(valueType);
        }
        else if (cache.settings().containsKey("key-properties"))
        {
            problems.add(AssemblyErrorCode.CONTRADICTION, cache.settings().get("key-properties").position(),
                "key-properties need value-type, cache=" + cache.id(), "add value-type=\"...\"");
        }
        if (cache.loader() != null && cache.store() != null)
        {
            problems.add(AssemblyErrorCode.CONTRADICTION, cache.store().position(),
                "a cache has either a loader or a store, cache=" + cache.id(), "a store also loads; remove the loader");
        }
    }

    private void bean(final ElementReference link, final String what)
    {
        if (link != null && !beans.containsBean(link.target()))
        {
            dangling(link, what, Arrays.stream(beans.getBeanDefinitionNames())
                .filter(name -> name.indexOf('#') < 0 && !name.equals(EpnModel.BEAN_NAME)).toList());
        }
    }

    /** Whether a name is written as that of an event type of another application. */
    private boolean isForeign(final Located name)
    {
        return !name.hasPlaceholder() && !model.eventTypes().containsKey(name.value()) &&
            name.value().indexOf(QualifiedName.SEPARATOR) >= 0;
    }

    private void foreignType(final Located name)
    {
        if (!isForeignName(name.value()))
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, name.position(),
                "not the name of an event type of another application, event-type=" + name.value(),
                "write APPLICATION:TYPE, with the Bundle-SymbolicName of the application and the name of the type");
        }
    }

    private static boolean isForeignName(final String name)
    {
        final int separator = name.indexOf(QualifiedName.SEPARATOR);
        return separator > 0 && separator < name.length() - 1 &&
            name.indexOf(QualifiedName.SEPARATOR, separator + 1) < 0;
    }

    private void eventType(final Located name)
    {
        if (isForeign(name))
        {
            problems.add(AssemblyErrorCode.NOT_AVAILABLE, name.position(),
                "only channels can have event types of other applications, name=" + name.value(),
                "declare a type with the same properties in this application");
        }
        else if (!name.hasPlaceholder() && !model.eventTypes().containsKey(name.value()))
        {
            problems.add(AssemblyErrorCode.UNKNOWN_EVENT_TYPE, name.position(),
                "unknown event type, name=" + name.value(),
                Suggestions.hint(name.value(), "event types", model.eventTypes().keySet()));
        }
    }

    private void channel(final StageDeclaration channel)
    {
        final Located eventType = channel.setting("event-type");
        if (eventType != null && isForeign(eventType))
        {
            foreignType(eventType);
        }
        else if (eventType != null)
        {
            eventType(eventType);
        }
        final AttributeReader values =
            new AttributeReader(problems, value -> value.hasPlaceholder() ? null : value.value());
        values.check(channel);
        final Located primaryKey = channel.setting("primary-key");
        if (primaryKey != null && Elements.names(primaryKey).isEmpty())
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, primaryKey.position(),
                "primary-key is empty, channel=" + channel.id(), "name the properties that identify a row");
        }
        if (channel.applicationTimestamped() != null && channel.setting(StageDeclaration.EXPRESSION) == null)
        {
            problems.add(AssemblyErrorCode.NOT_AVAILABLE, channel.applicationTimestamped(),
                "application time without an expression is not available yet, channel=" + channel.id(),
                "add <wlevs:expression> with the name of the property that holds the time");
        }
    }
}
