package dev.millrace.network.advertised;

import dev.millrace.api.event.EventType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The event types that the applications of a process declare, for channels of other applications. A type is copied,
 * with the name {@code application:type}; a type of a Java class becomes a tuple with the properties of the class, so
 * that no class is kept.
 *
 * <p>Threads: any; one lock, under which nothing else is called.
 */
public final class DeclaredTypes
{
    private final Map<String, Declaration> applications = new HashMap<>();
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

    /**
     * The types of an application.
     *
     * @param owner    identifies the version of the application
     * @param declared copies for other applications, by name
     * @param used     the copies of types of other applications that it uses; may grow
     */
    private record Declaration(Object owner, Map<String, EventType> declared, Map<String, EventType> used)
    {
    }

    /**
     * Calls a listener after each {@link #declare}, on the same thread, with the name of the application.
     *
     * @param listener returns soon
     */
    public void onChange(final Consumer<String> listener)
    {
        listeners.add(listener);
    }

    /**
     * Declares the types of an application; they replace those that it declared before.
     *
     * @param owner       see {@link #withdraw}
     * @param application its name
     * @param types       its own types
     * @param used        the copies of types of other applications that it uses, by name; not copied
     */
    public void declare(final Object owner, final String application, final Collection<EventType> types,
        final Map<String, EventType> used)
    {
        final Map<String, EventType> declared = new TreeMap<>();
        types.forEach(type -> declared.put(QualifiedName.of(application, type.name()), copy(application, type)));
        synchronized (this)
        {
            applications.put(application, new Declaration(owner, declared, used));
        }
        listeners.forEach(listener -> listener.accept(application));
    }

    private static EventType copy(final String application, final EventType type)
    {
        return new EventType(QualifiedName.of(application, type.name()),
            type.kind() == EventType.Kind.MAP ? EventType.Kind.MAP : EventType.Kind.TUPLE, type.properties(), null);
    }

    /**
     * Removes the types that an owner declared, unless another owner has replaced them.
     *
     * @param owner as declared
     */
    public synchronized void withdraw(final Object owner)
    {
        applications.values().removeIf(each -> each.owner() == owner);
    }

    /**
     * Finds a type.
     *
     * @param name {@code application:type}
     * @return a copy; {@code null} if no application declares it now
     */
    public synchronized EventType find(final String name)
    {
        final Declaration found = applications.get(QualifiedName.application(name));
        return found == null ? null : found.declared().get(name);
    }

    /**
     * Returns the types of an application.
     *
     * @param application its name
     * @return names as {@code application:type}, in alphabetical order; empty if it declares none now
     */
    public synchronized Set<String> names(final String application)
    {
        final Declaration found = applications.get(application);
        return found == null ? Set.of() : new TreeSet<>(found.declared().keySet());
    }

    /**
     * Describes the copies of the types of an application that differ from what it declares now.
     *
     * @param application that has changed
     * @return a sentence for each copy, in the order of the applications that use them
     */
    public synchronized List<String> outdated(final String application)
    {
        final List<String> outdated = new ArrayList<>();
        new TreeMap<>(applications).forEach((user, declaration) ->
            new TreeMap<>(declaration.used()).forEach((name, copy) ->
            {
                final EventType now = find(name);
                if (QualifiedName.application(name).equals(application) &&
                    (now == null || !now.properties().equals(copy.properties())))
                {
                    outdated.add("application " + user + " continues with the earlier event type " +
                        RowTypes.describe(copy) + "; the type is now " +
                        (now == null ? "not declared" : RowTypes.describe(now)) + ": update " + user);
                }
            }));
        return outdated;
    }
}
