package dev.millrace.assembly;

import dev.millrace.api.cache.CachingSystem;
import dev.millrace.api.stage.AdapterFactory;
import dev.millrace.api.stage.EventBeanFactory;
import dev.millrace.network.NetworkServices;
import dev.millrace.network.definition.PatternAttempts;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * What an application gets from the platform around it: everything that assembly files ask for by provider name.
 * Called on the deploying thread.
 */
public interface PlatformServices extends NetworkServices
{
    /** Provider of the caching system that lives in this process; used when a caching system names none. */
    String LOCAL_CACHING_SYSTEM = "local";

    /**
     * Finds the factory behind {@code <wlevs:adapter provider="...">}.
     *
     * @param provider short name
     * @return the factory, or {@code null} when there is none of that name now
     */
    AdapterFactory adapterFactory(String provider);

    /**
     * Finds the factory behind {@code <wlevs:event-bean provider="...">}.
     *
     * @param provider short name
     * @return the factory, or {@code null} when there is none of that name now
     */
    EventBeanFactory eventBeanFactory(String provider);

    /**
     * Finds the caching system behind {@code <wlevs:caching-system provider="...">}.
     *
     * @param provider short name, {@value #LOCAL_CACHING_SYSTEM} when the file names none
     * @return the caching system for this application, or {@code null} when there is none of that name now
     */
    CachingSystem cachingSystem(String provider);

    /**
     * Names for which {@link #adapterFactory(String)} has an answer; only for hints in messages.
     *
     * @return names, may be empty
     */
    default Collection<String> adapterProviders()
    {
        return List.of();
    }

    /**
     * Names for which {@link #eventBeanFactory(String)} has an answer; only for hints in messages.
     *
     * @return names, may be empty
     */
    default Collection<String> eventBeanProviders()
    {
        return List.of();
    }

    /**
     * Finds the Java classes that the rules of the application may call.
     *
     * @return finds a class by its name as rules write it; gives {@code null} for what the application's class space
     *     hides
     */
    default Function<String, Class<?>> javaClasses()
    {
        return name -> null;
    }

    /**
     * The groups that the server is in, as {@code <group-binding group-id="...">} names them.
     *
     * @return names, the same for as long as the server runs; empty when it is in no cluster
     */
    default Set<String> groups()
    {
        return Set.of();
    }

    /**
     * How long keys that rules keep without end may be idle when neither rule nor processor says.
     *
     * @return zero when they are kept
     */
    default Duration idleStateTime()
    {
        return Duration.ZERO;
    }

    /**
     * How many partial matches a pattern may follow in a partition when neither rule nor processor says.
     *
     * @return at least 1
     */
    default int maxAttempts()
    {
        return PatternAttempts.DEFAULT;
    }

    /**
     * Finds a data source of the server, as {@code <wlevs:table data-source="...">} names it.
     *
     * @param name its name, or one of its JNDI names
     * @return the data source, which stays open, or {@code null} when there is none of that name
     */
    default DataSource dataSource(final String name)
    {
        return null;
    }

    /**
     * Names for which {@link #dataSource(String)} has an answer; only for hints in messages.
     *
     * @return names, may be empty
     */
    default Collection<String> dataSources()
    {
        return List.of();
    }
}
