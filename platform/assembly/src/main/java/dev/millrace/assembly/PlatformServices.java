package dev.millrace.assembly;

import dev.millrace.api.cache.CachingSystem;
import dev.millrace.api.cartridge.Cartridge;
import dev.millrace.api.cartridge.CartridgeLink;
import dev.millrace.api.cartridge.CartridgeLinks;
import dev.millrace.api.stage.AdapterFactory;
import dev.millrace.api.stage.EventBeanFactory;
import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.advertised.DeclaredTypes;
import dev.millrace.network.definition.PatternAttempts;
import dev.millrace.network.spi.NetworkServices;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * The services of the platform for an application: the objects that assembly files refer to by provider name. Called on
 * the deploying thread.
 */
public interface PlatformServices extends NetworkServices
{
    /** Provider of the caching system in this process; used when a caching system names none. */
    String LOCAL_CACHING_SYSTEM = "local";

    /**
     * Finds the factory of {@code <wlevs:adapter provider="...">}.
     *
     * @param provider short name
     * @return the factory, or {@code null} if none of that name is available now
     */
    AdapterFactory adapterFactory(String provider);

    /**
     * Finds the factory of {@code <wlevs:event-bean provider="...">}.
     *
     * @param provider short name
     * @return the factory, or {@code null} if none of that name is available now
     */
    EventBeanFactory eventBeanFactory(String provider);

    /**
     * Finds the caching system of {@code <wlevs:caching-system provider="...">}.
     *
     * @param provider short name, {@value #LOCAL_CACHING_SYSTEM} when the file names none
     * @return the caching system for this application, or {@code null} if none of that name is available now
     */
    CachingSystem cachingSystem(String provider);

    /**
     * Names that {@link #adapterFactory(String)} can find; only for hints in messages.
     *
     * @return names, may be empty
     */
    default Collection<String> adapterProviders()
    {
        return List.of();
    }

    /**
     * Names that {@link #eventBeanFactory(String)} can find; only for hints in messages.
     *
     * @return names, may be empty
     */
    default Collection<String> eventBeanProviders()
    {
        return List.of();
    }

    /**
     * Returns the lookup for Java classes that the rules of the application may call.
     *
     * @return finds a class by its name in rules; returns {@code null} for classes that the application's class space
     *     hides
     */
    default Function<String, Class<?>> javaClasses()
    {
        return name -> null;
    }

    /**
     * Returns the cartridges of the server.
     *
     * @return links and types; a link that is missing may be awaited
     */
    default CartridgeLinks cartridges()
    {
        return CartridgeLinks.NONE;
    }

    /**
     * Finds the cartridge of a context that the application declares.
     *
     * @param name name of its link
     * @return the cartridge, or {@code null} if none of that name is available now
     */
    default Cartridge cartridge(final String name)
    {
        final CartridgeLink link = cartridges().find(name);
        return link == null ? null : link.cartridge();
    }

    /**
     * Returns the groups of the server, as named by {@code <group-binding group-id="...">}.
     *
     * @return names, constant while the server runs; empty when it is in no cluster
     */
    default Set<String> groups()
    {
        return Set.of();
    }

    /**
     * Returns how long keys of unbounded state may be idle when neither rule nor processor specifies it.
     *
     * @return zero when they are kept forever
     */
    default Duration idleStateTime()
    {
        return Duration.ZERO;
    }

    /**
     * Returns how many partial matches a pattern may follow in a partition when neither rule nor processor specifies
     * it.
     *
     * @return at least 1
     */
    default int maxAttempts()
    {
        return PatternAttempts.DEFAULT;
    }

    /**
     * Finds a data source of the server, as named by {@code <wlevs:table data-source="...">}.
     *
     * @param name its name, or one of its JNDI names
     * @return the data source, which stays open, or {@code null} if no data source has that name
     */
    default DataSource dataSource(final String name)
    {
        return null;
    }

    /**
     * Names that {@link #dataSource(String)} can find; only for hints in messages.
     *
     * @return names, may be empty
     */
    default Collection<String> dataSources()
    {
        return List.of();
    }

    /**
     * Finds a service for a setter with {@link dev.millrace.api.oep.Service}.
     *
     * @param type   interface of the service
     * @param filter OSGi filter; empty for any service of the type
     * @return the service, or {@code null} if none is available now
     * @throws IllegalArgumentException when the filter is invalid
     */
    default Object service(final Class<?> type, final String filter)
    {
        return null;
    }

    /**
     * Returns the stages that applications advertise.
     *
     * @return {@code null} where other applications cannot be known, so that references to them are not checked
     */
    default AdvertisedStages advertisedStages()
    {
        return null;
    }

    /**
     * Returns the event types that applications declare.
     *
     * @return {@code null} where other applications cannot be known
     */
    default DeclaredTypes declaredTypes()
    {
        return advertisedStages() == null ? null : advertisedStages().types();
    }

    /**
     * Whether stages of other applications that the application names must be advertised now.
     *
     * @return false when it has run before and starts again: it then waits for them while it runs, in any order
     */
    default boolean requiresAdvertised()
    {
        return true;
    }
}
